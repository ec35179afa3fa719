import Foundation
public import SightlineContent
import SightlineGeodesy
import SightlineInput

/// The way of a tour on the ground, and what of it comes next.
///
/// Between corners it is straight; distances are those of a plane that touches the Earth at the corner before, which over the
/// length of a tour's leg differ from the ground's by less than a thousandth. Phones reckon by the same rules
/// (`WebClient/app/tours/way.js`); `Fixtures/tours/ways.json` has cases that both are held to.
public struct TourWay: Sendable {
  /// A place on the way.
  public struct Place: Equatable, Sendable {
    /// Where it is; without a height.
    public var position: Position
    /// Metres from the way's begin.
    public var along: Double
    /// Metres from what it was looked for.
    public var distance: Double
  }

  /// The part of the way between a team and the station it goes to.
  public struct Stretch: Equatable, Sendable {
    /// From the team's nearest place on the way to that of the station, with the corners between.
    public var positions: [Position]
    /// Metres along the way.
    public var length: Double
  }

  /// Its corners.
  public let corners: [Position]
  /// Metres from the begin to each corner.
  private let reached: [Double]

  private static let metresPerDegree = WGS84.meanRadius * .pi / 180
  /// A way that comes so near to a station, metres, comes to it.
  public static let reach = 40.0

  /// A way; `nil` for fewer than two corners.
  public init?(_ corners: [Position]) {
    guard corners.count >= 2 else { return nil }
    self.corners = corners.map { Position(latitude: $0.latitude, longitude: $0.longitude) }
    var sum = 0.0
    reached = corners.indices.map { number in
      if number > 0 {
        let (east, north) = Self.step(corners[number - 1], corners[number])
        sum += (east * east + north * north).squareRoot()
      }
      return sum
    }
  }

  /// Metres from begin to end.
  public var length: Double { reached[reached.count - 1] }

  private static func step(_ a: Position, _ b: Position) -> (east: Double, north: Double) {
    var longitude = b.longitude - a.longitude
    // The shorter way over the date line.
    if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
    return (longitude * metresPerDegree * cos(a.latitude * .pi / 180), (b.latitude - a.latitude) * metresPerDegree)
  }

  /// The place of each leg that is nearest to a position, in the legs' order.
  private func feet(of position: Position) -> [Place] {
    (1..<corners.count).map { number in
      let (from, to) = (corners[number - 1], corners[number])
      let leg = Self.step(from, to)
      let here = Self.step(from, position)
      let square = leg.east * leg.east + leg.north * leg.north
      let part = square > 0 ? min(1, max(0, (here.east * leg.east + here.north * leg.north) / square)) : 0
      let (east, north) = (here.east - part * leg.east, here.north - part * leg.north)
      return Place(
        position: Self.between(from, to, part),
        along: reached[number - 1] + part * (reached[number] - reached[number - 1]),
        distance: (east * east + north * north).squareRoot()
      )
    }
  }

  private static func between(_ a: Position, _ b: Position, _ part: Double) -> Position {
    var longitude = b.longitude - a.longitude
    if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
    longitude = a.longitude + part * longitude
    if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
    return Position(latitude: a.latitude + part * (b.latitude - a.latitude), longitude: longitude)
  }

  /// The place of the way that is nearest to a position; of several the first.
  public func nearest(to position: Position) -> Place {
    feet(of: position).min { $0.distance < $1.distance }
      ?? Place(position: corners[0], along: 0, distance: .infinity)
  }

  /// Where the way comes to a position from a place on it on: the first time that it comes within ``reach`` of it, else where it is
  /// nearest, which may be behind.
  public func arrival(at position: Position, from along: Double) -> Place {
    let feet = feet(of: position)
    // A leg that is near comes nearer, until one goes away again.
    var found: Place?
    for foot in feet where foot.along >= along && foot.distance <= Self.reach {
      if let found, foot.distance >= found.distance { break }
      found = foot
    }
    return found ?? nearest(to: position)
  }

  /// The place so many metres from the begin; beyond the ends the nearest one.
  public func position(at along: Double) -> Position {
    // A way has 500 corners at most.
    guard let number = reached.firstIndex(where: { $0 >= along }) else { return corners[corners.count - 1] }
    guard number > 0 else { return corners[0] }
    let length = reached[number] - reached[number - 1]
    return Self.between(corners[number - 1], corners[number], length > 0 ? (along - reached[number - 1]) / length : 0)
  }

  /// The part of the way from where a team is to a station; it leads back when the station was passed.
  public func stretch(from team: Position, to station: Position) -> Stretch {
    let begin = nearest(to: team)
    let end = arrival(at: station, from: begin.along)
    let (low, high) = (min(begin.along, end.along), max(begin.along, end.along))
    let between = corners.indices.filter { reached[$0] > low && reached[$0] < high }.map { corners[$0] }
    return Stretch(
      positions: [begin.position] + (begin.along <= end.along ? between : between.reversed()) + [end.position],
      length: high - low
    )
  }

  /// Which of some stations comes next for a team: the first that the way comes to from where the team is, else the one that it
  /// passed last.
  ///
  /// - Parameters:
  ///   - stations: that wait for the team.
  ///   - team: where it is.
  /// - Returns: `nil` when there are none.
  public func next(of stations: [Station], from team: Position) -> Station? {
    let here = nearest(to: team).along
    let arrivals = stations.map { (station: $0, along: arrival(at: $0.position, from: here).along) }
    return arrivals.min { a, b in
      // What lies ahead comes before what lies behind, the nearer first.
      if (a.along < here) != (b.along < here) { return b.along < here }
      return abs(a.along - here) < abs(b.along - here)
    }?.station
  }
}
