// Ways on foot through a drawn city of a million nodes: the fast search beside Dijkstra's algorithm, on the same pairs.
//
//   SIGHTLINE_CORE_ONLY=1 swift run -c release --package-path Benchmarks Walking [--side N] [--pairs N] [--metres M] [--export FOLDER]
//
// With `--export` the graph and the pairs are written for `Benchmarks/walking/compare.py`, which asks networkx the same.
import Foundation
import SightlineGeodesy
import SightlineOpenStreetMap
import SightlineWalking

func option(_ name: String) -> String? {
  CommandLine.arguments.firstIndex(of: "--\(name)").flatMap { index in
    index + 1 < CommandLine.arguments.count ? CommandLine.arguments[index + 1] : nil
  }
}

let clock = ContinuousClock()

func timed<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
  let start = clock.now
  let result = try body()
  let seconds = (clock.now - start) / .seconds(1)
  print("\(name): \(String(format: "%.2f", seconds)) s, \(peakMegabytes()) MB at most so far")
  return result
}

func peakMegabytes() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
  return (Int(line.filter(\.isNumber)) ?? 0) / 1024
}

func quantile(_ values: [Double], _ part: Double) -> Double {
  let sorted = values.sorted()
  return sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
}

let side = Int(option("side") ?? "") ?? 1100
let pairCount = Int(option("pairs") ?? "") ?? 200
let metres = Double(option("metres") ?? "") ?? 10_000

var graph = try timed("draw and build") {
  var city = DrawnCity(side: side, seed: 24)
  return try WalkingGraph(city.drawn())
}
print("\(graph.nodeCount) nodes, \(graph.edgeCount) edges, \(graph.pointCount) points")
graph = timed("prepare") { graph.prepared() }
let bytes = timed("encode") { graph.encode() }
print("\(bytes.count) bytes")
let file = FileManager.default.temporaryDirectory.appending(path: "sightline-walking-\(UUID().uuidString)")
try Data(bytes).write(to: file)
graph = try timed("map and check") { try WalkingGraph(mapping: file.path) }
try FileManager.default.removeItem(at: file)

// Pairs of nodes at about the wanted distance, by a fixed generator.
struct Chance {
  var state: UInt64 = 7

  mutating func next(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(count))
  }
}
var chance = Chance()
var pairs: [(Int, Int)] = []
var tries = 0
while pairs.count < pairCount, tries < 50_000_000 {
  tries += 1
  let (a, b) = (chance.next(graph.nodeCount), chance.next(graph.nodeCount))
  let distance = greatCircleDistance(from: graph.position(ofNode: a), to: graph.position(ofNode: b))
  guard abs(distance - metres) < metres / 20,
    (try? graph.route(from: graph.position(ofNode: a), to: graph.position(ofNode: b))) != nil
  else { continue }
  pairs.append((a, b))
}

for profile in WalkingProfile.allCases {
  var (fast, plain): ([Double], [Double]) = ([], [])
  var (fastSettled, plainSettled) = (0, 0)
  var differences = 0
  for (a, b) in pairs {
    let (from, to) = (graph.position(ofNode: a), graph.position(ofNode: b))
    var start = clock.now
    let one = try graph.route(from: from, to: to, profile: profile)
    fast.append((clock.now - start) / .milliseconds(1))
    start = clock.now
    let two = try graph.route(from: from, to: to, profile: profile, search: .plain)
    plain.append((clock.now - start) / .milliseconds(1))
    fastSettled += one.settledNodes
    plainSettled += two.settledNodes
    // Ends in the middle of edges are rounded to a tenth.
    if abs(one.seconds - two.seconds) > 0.3 { differences += 1 }
  }
  func line(_ name: String, _ times: [Double], _ settled: Int) {
    let numbers = [quantile(times, 0.5), quantile(times, 0.95), times.max() ?? 0].map { String(format: "%.3f", $0) }
    print(
      "\(profile) \(name): p50 \(numbers[0]) ms, p95 \(numbers[1]) ms, most \(numbers[2]) ms, \(settled / pairs.count) nodes"
    )
  }
  line("hierarchy", fast, fastSettled)
  line("Dijkstra", plain, plainSettled)
  print("\(profile) differences: \(differences) of \(pairs.count)")
}

if let folder = option("export") {
  var text = "\(graph.nodeCount)\n"
  for node in 0..<graph.nodeCount {
    for arc in graph.arcs(fromNode: node) { text += "\(node) \(arc.node) \(arc.cost)\n" }
  }
  try text.write(toFile: "\(folder)/arcs.txt", atomically: true, encoding: .utf8)
  var answers = ""
  for (a, b) in pairs {
    let (from, to) = (graph.position(ofNode: a), graph.position(ofNode: b))
    let start = clock.now
    let route = try graph.route(from: from, to: to)
    answers += "\(a) \(b) \(route.seconds) \((clock.now - start) / .milliseconds(1)) \(route.settledNodes)\n"
  }
  try answers.write(toFile: "\(folder)/pairs.txt", atomically: true, encoding: .utf8)
}
