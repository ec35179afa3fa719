import Foundation
import SightlineMath
import SightlineOcclusion

/// Milliseconds that each of some calls takes, sorted.
func milliseconds(_ count: Int, _ body: (Int) -> Void) -> [Double] {
  let clock = ContinuousClock()
  return (0..<count)
    .map { k in
      let duration = clock.measure { body(k) }.components
      return Double(duration.seconds) * 1e3 + Double(duration.attoseconds) * 1e-15
    }
    .sorted()
}

func say(_ name: String, _ times: [Double]) {
  let median = rounded(times[times.count / 2])
  print(
    "Occlusion/\(name)  \(median) ms  (5 % \(rounded(times[times.count / 20])), 95 % \(rounded(times[times.count * 19 / 20])))"
  )
}

func rounded(_ value: Double) -> Double { (value * 1e4).rounded() / 1e4 }

/// A town cut to about 5,000 walls within 500 m, 1,000 places, steps of an eye through its streets.
///
/// - Parameter file: where buildings, places and steps are written to, metres east and north; `nil` for nowhere.
/// - Throws: when the file cannot be written.
func measureSpeed(writing file: String?) throws {
  var town = Town(seed: 5, reach: 550)
  town.buildings.removeAll { building in
    let corner = building.parts[0].outer[0]
    return corner.length > 500
  }
  let index = OcclusionIndex(town.buildings)
  var walker = Town(seed: 5, reach: 550)
  let places = walker.places(4000).filter { $0.target.point.length < 500 && $0.building < 0 || $0.building >= 0 }
  // Buildings were removed, so places are put among those that are left by position.
  let chosen = Array(places.filter { $0.target.point.length < 500 }.prefix(1000))
  var targets: [PlacedTarget] = []
  say(
    "place/1000-places-\(index.wallCount)-walls",
    milliseconds(20) { _ in targets = chosen.map { index.placed($0.target) } }
  )
  say("index/\(index.wallCount)-walls", milliseconds(50) { _ in consume(OcclusionIndex(town.buildings).wallCount) })
  let steps = (0..<200).map { _ in walker.inStreet(within: 150) }
  if let file { try write(town, chosen, steps, to: file) }
  var hidden = 0
  for samples in [1, 6, 16] {
    var parameters = UncertainEye.Parameters()
    parameters.samples = samples
    let times = milliseconds(steps.count) { k in
      let eye = index.eye(at: Vector3(steps[k].x, steps[k].y, 1.6), sigma: 3.3, parameters: parameters)
      for target in targets where Visibility.partlySeen.next(seen: index.seen(target, from: eye)) == .hidden {
        hidden += 1
      }
    }
    say("judge/\(targets.count)-places-\(index.wallCount)-walls-\(samples)-points", times)
  }
  let judged = Double(hidden) / Double(3 * steps.count * targets.count)
  print("hidden: \(rounded(judged))")
  let plain = PlainLoop(town)
  let open = chosen.map { Town.Place(target: $0.target, building: -1) }
  var free = 0
  say(
    "plain-loop/\(open.count)-places-\(plain.walls.count)-walls-1-point-8-heights",
    milliseconds(3) { k in
      for place in open where plain.seen(place, from: Vector3(steps[k].x, steps[k].y, 1.6), across: 1) > 0.1 {
        free += 1
      }
    }
  )
  consume(free)
}

/// Writes a town as JSON: of each prism its roof, base and corners, x and y by turns; places and steps likewise.
private func write(_ town: Town, _ places: [Town.Place], _ steps: [Vector2], to file: String) throws {
  func numbers(_ points: [Vector2]) -> [Double] { points.flatMap { [$0.x, $0.y] } }
  let prisms = town.buildings.flatMap { building in
    building.parts.map { [$0.roof, $0.base] + numbers($0.outer) }
  }
  let all = ["prisms": prisms, "places": [numbers(places.map(\.target.point))], "steps": [numbers(steps)]]
  try JSONEncoder().encode(all).write(to: URL(fileURLWithPath: file))
}

nonisolated(unsafe) private var sink = 0
@inline(never) func consume(_ value: Int) { sink &+= value }
