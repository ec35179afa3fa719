// One extract through the reader, and through all of an import: what `Benchmarks/ground/import.py` calls. Prints one JSON object.
//
//   Ground EXTRACT.osm.pbf

import Foundation
import SightlineGround
import SightlineOpenStreetMap

guard CommandLine.arguments.count == 2 else {
  print("usage: Ground EXTRACT.osm.pbf")
  exit(2)
}
let path = CommandLine.arguments[1]
let clock = ContinuousClock()

func seconds(_ start: ContinuousClock.Instant) -> Double { (clock.now - start) / .seconds(1) }

/// Seconds that reading alone takes, and the nodes; nothing of it is held on to.
func read() async throws -> (seconds: Double, nodes: Int) {
  let start = clock.now
  let extract = try await OSMFile(path: path).read()
  return (seconds(start), extract.positions.count)
}
let (reading, nodes) = try await read()

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ground-\(UUID().uuidString)").path
defer { try? FileManager.default.removeItem(atPath: folder) }
let start = clock.now
var stages: [GroundStage: Double] = [:]
var stage = GroundStage.reading
var began = clock.now
let file = try await GroundFolder(path: folder).add(
  extract: path,
  as: "measured",
  progress: { next, _ in
    stages[stage, default: 0] += seconds(began)
    began = clock.now
    stage = next
  }
)
let whole = seconds(start)

/// The most memory that this process has had, bytes: what `getrusage` says would be that of the program that started it, when that had more.
func peakBytes() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
  return (Int(line.filter(\.isNumber)) ?? 0) * 1024
}

let report: [String: Any] = [
  "nodes": nodes, "readingSeconds": reading, "importSeconds": whole, "memoryBytes": peakBytes(),
  "extractBytes": file.info.sourceBytes, "tileBytes": file.tileBytes, "fileBytes": file.size,
  "buildings": file.info.counts.buildings, "walkingNodes": file.info.counts.walkingNodes,
]
print(String(decoding: try JSONSerialization.data(withJSONObject: report, options: .sortedKeys), as: UTF8.self))
