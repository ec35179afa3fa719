// Writes the bindings of engine, page and recordings from their description. Called by Scripts/generate-bindings, which formats
// what is Swift and compares.
//
// usage: bindings FOLDER

import Foundation

/// What no description may have.
func faults() -> [String] {
  var found: [String] = []
  var numbers: [Int: String] = [:]
  let all = events.map { ($0.chunk.number, $0.name) } + chunks.map { ($0.number, $0.name) }
  for (number, name) in all {
    if let other = numbers.updateValue(name, forKey: number) {
      found.append("\(name) and \(other) both have number \(number)")
    }
    if retiredChunks.contains(number) { found.append("\(name) has a number that was another's once: \(number)") }
  }
  func twice(_ names: [String], _ what: String) {
    for (name, count) in Dictionary(grouping: names, by: \.self).mapValues(\.count) where count > 1 {
      found.append("\(what) \(name) is there \(count) times")
    }
  }
  twice(events.map(\.name), "event")
  twice(events.map(\.chunk.name) + chunks.map(\.name), "chunk")
  twice(effects.map(\.name), "effect")
  twice(rows.map(\.name), "row")
  twice(enumerations.map(\.name), "enumeration")
  for event in events { twice(event.fields.map(\.name), "field of \(event.name)") }
  for row in rows { twice(row.columns.map(\.name), "column of \(row.name)") }
  return found.sorted()
}

let arguments = CommandLine.arguments
guard arguments.count == 2 else {
  FileHandle.standardError.write(Data("usage: bindings FOLDER\n".utf8))
  exit(2)
}
let found = faults()
guard found.isEmpty else {
  FileHandle.standardError.write(Data((found.joined(separator: "\n") + "\n").utf8))
  exit(1)
}
let engineModules = ["Camera", "Engine", "Fusion", "Geodesy", "Math", "Scene"].map { "Sightline\($0)" }
let files: [(path: String, text: String)] = [
  ("Sources/Web/SightlineWasmMemory/Bindings.swift", sharedFile()),
  (
    "Sources/Web/SightlineWasm/Bindings+Rows.swift",
    rowsFile(module: "SightlineWasm", importing: engineModules + ["SightlineWasmMemory", "SightlineWorlds"])
  ),
  ("Sources/Web/SightlineWasm/Bindings+Events.swift", exportsFile(importing: engineModules)),
  (
    "Sources/Web/SightlinePlacesWasm/Bindings+Events.swift",
    exportsFile(of: eventsOfPlaces, importing: engineModules.filter { $0 != "SightlineScene" })
  ),
  (
    "Sources/Web/SightlinePlacesWasm/Bindings+Rows.swift",
    rowsFile(module: "SightlinePlacesWasm", importing: ["SightlineMath", "SightlineScene", "SightlineWasmMemory"])
  ),
  ("Sources/Web/SightlineWasm/Bindings+Effects.swift", effectsFile()),
  (
    "Sources/Web/SightlineVisionWasm/Bindings+Rows.swift",
    rowsFile(module: "SightlineVisionWasm", importing: ["SightlineMath", "SightlineQR", "SightlineWasmMemory"])
  ),
  (
    "Sources/Web/SightlineOdometryWasm/Bindings+Rows.swift",
    rowsFile(module: "SightlineOdometryWasm", importing: [])
  ),
  ("Sources/Tools/SightlineRecording/EventCoding+Bindings.swift", coderFile()),
  ("Tests/SightlineWasmTests/BindingsTests.swift", testFile()),
  ("WebClient/engine/layout.js", layoutFile()),
  ("WebClient/engine/layout-by-need.js", layoutByNeedFile()),
  ("WebClient/engine/layout-of-models.js", layoutOfModelsFile()),
  ("WebClient/engine/events.js", eventsFile()),
  ("WebClient/engine/bindings.d.ts", typesFile()),
  ("WebClient/app/recording/events.js", pageCoderFile()),
]
for (path, text) in files {
  let file = URL(filePath: arguments[1]).appending(path: path)
  try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
  var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
    $0.hasSuffix(" ") ? $0.dropLast() : $0
  }
  // One empty line is enough, and none at the end.
  for index in lines.indices.reversed() where lines[index].isEmpty {
    if index == 0 || lines[index - 1].isEmpty || index == lines.count - 1 { lines.remove(at: index) }
  }
  try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
  print(path)
}
