import Foundation
import SightlineGeodesy

/// The way of a vehicle from call to call: along the shape of its trip, or straight from stop to stop.
struct SimulatedWay: Sendable {
  /// A place on the way.
  struct Place {
    let latitude: Double
    let longitude: Double
    /// Degrees clockwise from north, 0 to below 360.
    let bearing: Double
  }

  private let points: [(latitude: Double, longitude: Double)]
  /// Metres from the way's begin to each point.
  private let reached: [Double]
  /// Metres from the way's begin to each call, ascending.
  let calls: [Double]

  private static let metresPerDegree = WGS84.meanRadius * .pi / 180
  /// Ways with more points, and trips with more calls, go straight.
  private static let mostPoints = 5000
  private static let mostCalls = 300
  /// A stop that is farther from the shape than this, metres, is not on it.
  private static let farthest = 150.0
  /// A shape that comes by a stop again later than this, metres, is believed the first time.
  private static let loop = 300.0

  /// A way through the stops of a trip; `nil` when some stop has no place, or there are fewer than two.
  init?(shape: [(latitude: Double, longitude: Double)], stops: [(latitude: Double, longitude: Double)?]) {
    let places = stops.compactMap { $0 }
    guard places.count == stops.count, places.count >= 2 else { return nil }
    if shape.count >= 2, shape.count <= Self.mostPoints, places.count <= Self.mostCalls {
      let reached = Self.distances(shape)
      if let calls = Self.calls(places, on: shape, reached) {
        (points, self.reached, self.calls) = (shape, reached, calls)
        return
      }
    }
    points = places
    reached = Self.distances(places)
    calls = reached
  }

  /// East and north from one point to another, metres.
  private static func step(
    _ a: (latitude: Double, longitude: Double),
    _ b: (latitude: Double, longitude: Double)
  ) -> (east: Double, north: Double) {
    var longitude = b.longitude - a.longitude
    if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
    let scale = metresPerDegree * max(1e-6, cos(a.latitude * .pi / 180))
    return (longitude * scale, (b.latitude - a.latitude) * metresPerDegree)
  }

  private static func distances(_ points: [(latitude: Double, longitude: Double)]) -> [Double] {
    var sum = 0.0
    return points.indices.map { number in
      if number > 0 {
        let step = step(points[number - 1], points[number])
        sum += (step.east * step.east + step.north * step.north).squareRoot()
      }
      return sum
    }
  }

  /// Where on a shape the stops are, one after the other; `nil` when it does not come by them.
  private static func calls(
    _ stops: [(latitude: Double, longitude: Double)],
    on shape: [(latitude: Double, longitude: Double)],
    _ reached: [Double]
  ) -> [Double]? {
    var found: [Double] = []
    var from = 0
    for stop in stops {
      var best = (distance: Double.infinity, at: 0.0, segment: from)
      for segment in from..<(shape.count - 1) {
        if best.distance < 40, reached[segment] > best.at + loop { break }
        let along = step(shape[segment], shape[segment + 1])
        let here = step(shape[segment], stop)
        let square = along.east * along.east + along.north * along.north
        let part = square > 0 ? (here.east * along.east + here.north * along.north) / square : 0
        let kept = min(1, max(0, part))
        let (east, north) = (here.east - kept * along.east, here.north - kept * along.north)
        let distance = (east * east + north * north).squareRoot()
        let at = reached[segment] + kept * square.squareRoot()
        if distance < best.distance, at >= found.last ?? 0 { best = (distance, at, segment) }
      }
      guard best.distance <= farthest else { return nil }
      found.append(best.at)
      from = best.segment
    }
    return found
  }

  /// The place so many metres from the way's begin; beyond its ends the nearest one.
  func place(at distance: Double) -> Place {
    var low = 0
    var high = reached.count - 1
    while high - low > 1 {
      let middle = (low + high) / 2
      if reached[middle] <= distance { low = middle } else { high = middle }
    }
    let length = reached[high] - reached[low]
    let part = length > 0 ? min(1, max(0, (distance - reached[low]) / length)) : 0
    let step = Self.step(points[low], points[high])
    let bearing = atan2(step.east, step.north) * 180 / .pi
    return Place(
      latitude: points[low].latitude + part * (points[high].latitude - points[low].latitude),
      longitude: points[low].longitude + part * (points[high].longitude - points[low].longitude),
      bearing: bearing < 0 ? bearing + 360 : bearing
    )
  }
}
