// One extract through the reader, and through all of an import: what `Benchmarks/ground/import.py` calls. Prints one JSON object.
//
//   Ground EXTRACT.osm.pbf

import Foundation
import SightlineGround
import SightlineOpenStreetMap

#if canImport(Glibc)
import Glibc
#endif

guard CommandLine.arguments.count == 2 else {
  print("usage: Ground EXTRACT.osm.pbf")
  exit(2)
}
let path = CommandLine.arguments[1]
let clock = ContinuousClock()

func seconds(_ start: ContinuousClock.Instant) -> Double { (clock.now - start) / .seconds(1) }

var start = clock.now
let extract = try await OSMFile(path: path).read()
let reading = seconds(start)
let nodes = extract.positions.count

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ground-\(UUID().uuidString)").path
defer { try? FileManager.default.removeItem(atPath: folder) }
start = clock.now
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
var usage = rusage()
#if canImport(Glibc)
getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
#else
getrusage(RUSAGE_SELF, &usage)
#endif
let report: [String: Any] = [
  "nodes": nodes, "readingSeconds": reading, "importSeconds": whole, "memoryBytes": usage.ru_maxrss * 1024,
  "extractBytes": file.info.sourceBytes, "tileBytes": file.tileBytes, "fileBytes": file.size,
  "buildings": file.info.counts.buildings, "walkingNodes": file.info.counts.walkingNodes,
]
print(String(decoding: try JSONSerialization.data(withJSONObject: report, options: .sortedKeys), as: UTF8.self))
