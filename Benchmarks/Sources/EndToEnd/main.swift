// End to end: where labels are drawn against where the things are in the camera's picture.
//
//   SIGHTLINE_CORE_ONLY=1 swift run -c release --package-path Benchmarks EndToEnd [--heights | --no-camera] [--seeds N] [--first-seed N] [SCENARIO…]
//
// Simulated phones stand, turn, walk and ride in a town with urban fixes; what their 60 Hz sensors deliver goes through the
// engine's session and through the filters of the AR browsers of 2010 to 2012, in the same run. The picture has 1280 pixels
// over 58 to 74°, another lens for each seed. As in life nobody is told the lens (65° are taken), nor what the phone's altitudes count
// from (the page goes by the system; one phone in eight is not as its system should be), and of the places every second states
// no height. The session is run without the camera, and with it, as the page does behind its geo view: world tracking follows pictures of a
// street that are drawn for it, tells the session its path, and learns the lens (FilmedScenario); in a tram it has none. --no-camera leaves that out,
// which takes most of the time. With --heights: how much too high or low places are drawn whose heights count from the sea.
import Baselines
import Foundation
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineSimulator

struct Contestant: Sendable {
  let name: String
  let phone: String
  let isOriginal: Bool
  /// Whether it is told what world tracking makes of the camera's pictures.
  var takesCamera = false
  let make: @Sendable (Simulation, [FilmedScenario.Reading]) -> any Estimator
}

let geoid = try Geoid(
  [UInt8](
    Data(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../WebClient/data/egm96.geoid"
      )
    )
  )
)
let sensors = "android-chrome-magnetometer"
let contestants =
  [
    Contestant(name: "AREA, low-pass 0.1", phone: sensors, isOriginal: true) { simulation, _ in
      HistoricEstimator(.lowPass(LowPassFilter()), simulation)
    },
    Contestant(name: "iBetelgeuse, derivative smoothing", phone: sensors, isOriginal: true) { simulation, _ in
      HistoricEstimator(.derivativeSmoothing(DerivativeSmoothingFilter()), simulation)
    },
    Contestant(name: "spherical mean of 33", phone: sensors, isOriginal: true) { simulation, _ in
      HistoricEstimator(.sphericalMean(SphericalMeanFilter()), simulation)
    },
    Contestant(name: "Gamaray, matrix mean of 60", phone: sensors, isOriginal: true) { simulation, _ in
      HistoricEstimator(.matrixMean(MatrixMeanFilter()), simulation)
    },
  ] + sightline(takesCamera: false) + sightline(takesCamera: true)

/// The engine's session on each kind of phone.
func sightline(takesCamera: Bool) -> [Contestant] {
  let kinds: [(name: String, phone: String, takesMotion: Bool, takesOrientation: Bool)] = [
    ("Sightline, same sensors + gyroscope", sensors, true, false),
    ("Sightline, Chrome as it is", "android-chrome", true, true),
    ("Sightline, Safari as it is", "ios-safari", true, true),
    ("Chrome's own orientation alone", "android-chrome", false, true),
  ]
  return kinds.filter { $0.takesMotion || !takesCamera }.map { kind in
    Contestant(
      name: kind.name + (takesCamera ? ", camera" : ""),
      phone: kind.phone,
      isOriginal: false,
      takesCamera: takesCamera
    ) { [geoid] simulation, camera in
      SessionEstimator(
        simulation,
        geoid: geoid,
        takesMotion: kind.takesMotion,
        takesOrientation: kind.takesOrientation,
        camera: camera
      )
    }
  }
}

/// The errors of one run, and how far the labels' anchors are from what the pose gives.
func run(
  _ contestant: Contestant,
  _ scenario: Scenario,
  seed: Int,
  camera: [FilmedScenario.Reading],
  geoid: Geoid
) throws -> (errors: Errors, anchor: Double) {
  var script = try SimulationScript(scenario.script(seed: seed, phone: contestant.phone))
  var table = geoid
  script.geoidHeight = table.height(
    latitudeDegrees: script.place.latitudeDegrees,
    longitudeDegrees: script.place.longitudeDegrees
  )
  if seed % 8 == 0 { script.phone.altitudeDatum = script.phone.altitudeDatum == .seaLevel ? .ellipsoid : .seaLevel }
  let simulation = try Simulation(script)
  var estimator = contestant.make(simulation, contestant.takesCamera ? camera : [])
  var comparison = Comparison(simulation)
  simulation.run { event, time in
    guard case .tick(let truth) = event else {
      estimator.take(event, at: time)
      return
    }
    let estimate = estimator.estimate(at: time)
    let drawn = estimate.map { estimator.drawn($0) } ?? [:]
    if var session = estimator as? SessionEstimator {
      session.check(drawn)
      estimator = session
    }
    comparison.take(truth, estimate, drawn)
  }
  return (comparison.finished(), (estimator as? SessionEstimator)?.worstAnchor ?? 0)
}

/// Characters of the first column of a table.
let nameWidth = 46

func percentile(_ values: [Double], _ share: Double) -> Double {
  guard !values.isEmpty else { return .nan }
  let sorted = values.sorted()
  return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
}
func rootMeanSquare(_ values: [Double]) -> Double {
  values.isEmpty ? .nan : (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
}
func mean(_ values: [Double]) -> Double { values.isEmpty ? .nan : values.reduce(0, +) / Double(values.count) }
func padded(_ text: String, _ width: Int) -> String {
  text.count >= width ? text : String(repeating: " ", count: width - text.count) + text
}
func number(_ value: Double, _ digits: Int = 1, _ width: Int = 9) -> String {
  padded(value.isNaN ? "–" : String(format: "%.\(digits)f", value), width)
}

func table(_ rows: [(contestant: Contestant, errors: Errors)]) {
  let titles = [
    "median", "p95", "pose med", "pose p95", "att. med", "att. p95", "pos. med", "bias °", "wander °", "lag ms",
    "jitter", "bound °", "inside",
    "misled", "none",
  ]
  print(String(repeating: " ", count: nameWidth) + titles.map { padded($0, 9) }.joined())
  for (contestant, e) in rows {
    let name = contestant.name + String(repeating: " ", count: max(0, nameWidth - contestant.name.count))
    print(
      name + number(percentile(e.all, 0.5)) + number(percentile(e.all, 0.95)) + number(percentile(e.pose, 0.5))
        + number(percentile(e.pose, 0.95)) + number(percentile(e.attitude, 0.5))
        + number(percentile(e.attitude, 0.95)) + number(percentile(e.position, 0.5))
        + number(rootMeanSquare(e.headingBias), 2)
        + number(rootMeanSquare(e.headingWander), 2) + number(mean(e.lag) * 1000, 0)
        + number(rootMeanSquare(e.jitter), 2)
        + number(percentile(e.bound, 0.5), 0)
        + number(e.bound.isEmpty ? .nan : 100 * Double(e.covered) / Double(e.bound.count), 0)
        + padded(e.bound.isEmpty ? "–" : "\(e.misleading)", 9) + padded("\(e.missing)", 9)
    )
  }
  guard
    let best = rows.filter(\.contestant.isOriginal).min(by: {
      percentile($0.errors.all, 0.5) < percentile($1.errors.all, 0.5)
    })
  else { return }
  func least(_ share: Double, _ path: (Errors) -> [Double]) -> Double {
    rows.filter(\.contestant.isOriginal).map { percentile(path($0.errors), share) }.min() ?? .nan
  }
  print(
    "as a share of the best original (median: \(best.contestant.name)): median, p95; pose: median, p95; attitude alone: median, p95"
  )
  for (contestant, e) in rows where !contestant.isOriginal {
    let name = contestant.name + String(repeating: " ", count: max(0, nameWidth - contestant.name.count))
    print(
      name + number(percentile(e.all, 0.5) / least(0.5, \.all), 2)
        + number(percentile(e.all, 0.95) / least(0.95, \.all), 2)
        + number(percentile(e.pose, 0.5) / least(0.5, \.pose), 2)
        + number(percentile(e.pose, 0.95) / least(0.95, \.pose), 2)
        + number(percentile(e.attitude, 0.5) / least(0.5, \.attitude), 2)
        + number(percentile(e.attitude, 0.95) / least(0.95, \.attitude), 2)
    )
  }
}

/// What the error is made of: what is left of it with the true lens and heights, and of that with the true position, the true attitude, and north put right.
func budget(_ rows: [(contestant: Contestant, errors: Errors)]) {
  let titles = ["all", "p95", "pose", "p95", "true pos.", "p95", "true att.", "p95", "north ok", "p95", "both", "p95"]
  print(String(repeating: " ", count: nameWidth) + titles.map { padded($0, 9) }.joined())
  for (contestant, e) in rows {
    let name = contestant.name + String(repeating: " ", count: max(0, nameWidth - contestant.name.count))
    let parts = [e.all, e.pose, e.attitude, e.position, e.withNorth, e.withNorthAndPosition]
    print(name + parts.map { number(percentile($0, 0.5)) + number(percentile($0, 0.95)) }.joined())
  }
  let originals = rows.filter(\.contestant.isOriginal).map(\.errors.pose)
  for (name, share) in [("median", 0.5), ("95th percentile", 0.95)] {
    let best = rows.filter(\.contestant.isOriginal).map { percentile($0.errors.all, share) }.min() ?? .nan
    let left = rows.first.map { percentile($0.errors.belief, share) } ?? .nan
    print(
      "\(name): as drawn the best original has \(number(best, 1, 0)) px; a true pose with the lens and the heights that are believed leaves"
        + " \(number(left, 1, 0)) px (\(number(left / best, 2, 0)))"
    )
  }
  for (name, share) in [("median", 0.5), ("95th percentile", 0.95)] {
    let best = originals.map { percentile($0, share) }.min() ?? .nan
    let left = rows.map { percentile($0.errors.position, share) }.min() ?? .nan
    print(
      "\(name): a fifth of the best original is \(number(best / 5, 1, 0)) px; the fixes alone, with every direction right,"
        + " leave \(number(left, 1, 0)) px (\(number(left / best, 2, 0)))"
    )
  }
}

/// The table of `--heights`.
func reportHeights(_ scenarios: [Scenario], seeds: ClosedRange<Int>) throws {
  print(
    "Error of the elevation of landmarks (40 m to 1.5 km away) whose heights count from the sea, degrees, with the true attitude;"
  )
  print(
    "seeds \(seeds.lowerBound) to \(seeds.upperBound), \(scenarios.count) scenarios: median of the error, of its size, and 95th percentile of that."
  )
  for phone in ["android-chrome", "ios-safari"] {
    for handling in HeightHandling.allCases {
      var errors: [Double] = []
      for scenario in scenarios {
        for seed in seeds { errors += try heightErrors(phone: phone, scenario, seed: seed, handling, geoid) }
      }
      let name = "\(phone), \(handling.rawValue)"
      print(
        name + String(repeating: " ", count: max(0, 40 - name.count)) + number(percentile(errors, 0.5), 2)
          + number(percentile(errors.map(abs), 0.5), 2) + number(percentile(errors.map(abs), 0.95), 2)
      )
    }
  }
}

var seeds = 4
var firstSeed = 1
var wanted: [String] = []
var asksForHeights = false
var hasCamera = true
var arguments = Array(CommandLine.arguments.dropFirst())
while !arguments.isEmpty {
  let word = arguments.removeFirst()
  if word == "--seeds" || word == "--first-seed" {
    guard let value = arguments.first.flatMap({ Int($0) }), value > 0 else {
      FileHandle.standardError.write(Data("\(word) needs a number of 1 or more behind it.\n".utf8))
      exit(64)
    }
    arguments.removeFirst()
    if word == "--seeds" { seeds = value } else { firstSeed = value }
  } else if word == "--heights" {
    asksForHeights = true
  } else if word == "--no-camera" {
    hasCamera = false
  } else {
    wanted.append(word)
  }
}
let chosen = Scenario.all.filter { scenario in wanted.isEmpty || wanted.contains { scenario.name.hasPrefix($0) } }
guard !chosen.isEmpty else {
  FileHandle.standardError.write(
    Data("No such scenario. There are: \(Scenario.all.map(\.name).joined(separator: ", ")).\n".utf8)
  )
  exit(64)
}

if asksForHeights {
  try reportHeights(chosen, seeds: firstSeed...(firstSeed + seeds - 1))
  exit(0)
}

let running = contestants.filter { hasCamera || !$0.takesCamera }
var totals = running.map { (contestant: $0, errors: Errors()) }
var worstAnchor = 0.0
print(
  "Errors in pixels (1280 over 58 to 74°, taken to be 65°) over \(seeds) seeds from \(firstSeed) on; the first 6 s of each run are not counted."
)
print("median, p95: as drawn; pose: with the true lens and heights, and of that")
print(
  "att.: with the true position; pos.: with the true attitude; bias and wander of the heading, root mean square; jitter: label"
)
print("against picture from frame to frame; bound: median of the stated 95 % bound of the heading, inside: per cent of")
print("the frames within it, misled: called good and wrong by more than 45°; none: frames without an estimate.")
for scenario in chosen {
  var rows = running.map { (contestant: $0, errors: Errors()) }
  // Seeds beside each other, for world tracking takes its time.
  let results = try await withThrowingTaskGroup(of: (Int, [(errors: Errors, anchor: Double)]).self) { group in
    for seed in firstSeed..<(firstSeed + seeds) {
      group.addTask { [running, hasCamera, geoid] in
        let film = hasCamera && scenario.isFilmed ? try FilmedScenario(scenario, seed: seed) : nil
        var readings: [String: [FilmedScenario.Reading]] = [:]
        return (
          seed,
          try running.map { contestant in
            if contestant.takesCamera, readings[contestant.phone] == nil {
              readings[contestant.phone] = try film?.readings(phone: contestant.phone) ?? []
            }
            return try run(contestant, scenario, seed: seed, camera: readings[contestant.phone] ?? [], geoid: geoid)
          }
        )
      }
    }
    var results: [Int: [(errors: Errors, anchor: Double)]] = [:]
    for try await (seed, result) in group { results[seed] = result }
    return results.sorted { $0.key < $1.key }.map(\.value)
  }
  for result in results {
    for k in rows.indices {
      rows[k].errors = rows[k].errors + result[k].errors
      worstAnchor = max(worstAnchor, result[k].anchor)
    }
  }
  for k in rows.indices { totals[k].errors = totals[k].errors + rows[k].errors }
  print("\n\(scenario.name)")
  table(rows)
}
print("\nall")
table(totals)
print(
  "\nwhat it is made of: median and p95 as drawn, with the true lens and heights, and of that with the true position, with the true attitude, with the mean heading error of"
)
print("each run taken out, and with that and the true position")
budget(totals)
print(
  "\nlargest distance between a label's anchor as drawn and as computed from its frame's pose: \(number(worstAnchor, 3, 0)) px"
)
