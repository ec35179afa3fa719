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
  let (start, cpu) = (clock.now, processorSeconds(CLOCK_PROCESS_CPUTIME_ID))
  let result = try body()
  let seconds = [processorSeconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, (clock.now - start) / .seconds(1)]
  let shown = seconds.map { String(format: "%.2f", $0) }
  print("\(name): processor \(shown[0]) s, clock \(shown[1]) s; \(peakMegabytes()) MB at most so far")
  return result
}

func processorSeconds(_ clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
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

/// Milliseconds of this thread's processor time, and by the clock: the first says more on a machine that does other work, too.
func measured(_ body: () throws -> WalkingRoute) rethrows -> (route: WalkingRoute, cpu: Double, wall: Double) {
  let (start, cpu) = (clock.now, processorSeconds(CLOCK_THREAD_CPUTIME_ID))
  let route = try body()
  let used = 1000 * (processorSeconds(CLOCK_THREAD_CPUTIME_ID) - cpu)
  return (route, used, (clock.now - start) / .milliseconds(1))
}

for profile in WalkingProfile.allCases {
  var answers: [WalkingSearch: [(route: WalkingRoute, cpu: Double, wall: Double)]] = [:]
  var differences = 0
  for (a, b) in pairs {
    let (from, to) = (graph.position(ofNode: a), graph.position(ofNode: b))
    let fast = try measured { try graph.route(from: from, to: to, profile: profile) }
    let plain = try measured { try graph.route(from: from, to: to, profile: profile, search: .plain) }
    answers[.fast, default: []].append(fast)
    answers[.plain, default: []].append(plain)
    // Ends are positions, rounded where they are taken to edges.
    if abs(fast.route.seconds - plain.route.seconds) > 0.3 { differences += 1 }
  }
  for search in [WalkingSearch.fast, .plain] {
    let runs = answers[search, default: []]
    func numbers(_ values: [Double]) -> String {
      let shown = [quantile(values, 0.5), quantile(values, 0.95)].map { String(format: "%.2f", $0) }
      return "p50 \(shown[0]) ms, p95 \(shown[1]) ms"
    }
    let settled = runs.reduce(0) { $0 + $1.route.settledNodes } / max(runs.count, 1)
    print(
      "\(profile) \(search): processor \(numbers(runs.map(\.cpu))); clock \(numbers(runs.map(\.wall))); \(settled) nodes"
    )
  }
  let ratio =
    quantile(answers[.plain, default: []].map(\.cpu), 0.5) / quantile(answers[.fast, default: []].map(\.cpu), 0.5)
  print(
    "\(profile): \(String(format: "%.1f", ratio)) times as fast as Dijkstra's, \(differences) of \(pairs.count) differ"
  )
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
    let run = try measured { try graph.route(from: from, to: to) }
    answers += "\(a) \(b) \(run.route.seconds) \(run.cpu) \(run.route.settledNodes)\n"
  }
  try answers.write(toFile: "\(folder)/pairs.txt", atomically: true, encoding: .utf8)
}
