// Each module has a file with one function that runs its benchmarks; add yours here.
let harness = Harness(prefixes: Array(CommandLine.arguments.dropFirst()))
harness.announceMachine()
benchmarkGeodesy(harness)
benchmarkFusion(harness)
benchmarkScene(harness)
benchmarkSession(harness)
benchmarkMarkers(harness)
benchmarkTracking(harness)
