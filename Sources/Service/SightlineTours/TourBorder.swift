import Foundation
public import SightlineContent
import SightlineGeodesy

/// The area that teams must not leave: a ring of corners on the ground.
///
/// Corners are joined by straight lines on the map; areas are small, and do not hold a pole.
public struct TourBorder: Equatable, Sendable {
  private let corners: [Position]

  /// A border; of fewer than three corners everything is inside.
  public init(_ corners: [Position]) { self.corners = corners }

  /// Whether a position is inside, by the even-odd rule; always when there is no border.
  public func contains(_ position: Position) -> Bool {
    guard corners.count >= 3 else { return true }
    let points = corners.map { local($0, from: position) }
    var isInside = false
    var last = points[points.count - 1]
    for point in points {
      // Whether the edge crosses the half line from the position to the east.
      if (point.north > 0) != (last.north > 0) {
        let east = last.east + (point.east - last.east) * (0 - last.north) / (point.north - last.north)
        if east > 0 { isInside.toggle() }
      }
      last = point
    }
    return isInside
  }

  /// Metres from a position to the nearest point of the border; `nil` when there is none.
  public func distance(from position: Position) -> Double? {
    guard corners.count >= 3 else { return nil }
    let points = corners.map { local($0, from: position) }
    var nearest = Double.infinity
    var last = points[points.count - 1]
    for point in points {
      let (east, north) = (point.east - last.east, point.north - last.north)
      let length = east * east + north * north
      let share = length > 0 ? max(0, min(1, -(last.east * east + last.north * north) / length)) : 0
      let (x, y) = (last.east + share * east, last.north + share * north)
      nearest = min(nearest, (x * x + y * y).squareRoot())
      last = point
    }
    return nearest
  }

  /// Whether a team has left the area for certain: outside by more than its position's accuracy.
  public func isLeft(by fix: TourFix) -> Bool {
    guard !contains(fix.position), let distance = distance(from: fix.position) else { return false }
    return distance > min(fix.accuracy ?? TourFix.usualAccuracy, TourFix.largestTolerance)
  }

  /// Metres on a flat map about a position; the shorter way over the date line.
  private func local(_ corner: Position, from position: Position) -> (east: Double, north: Double) {
    let metresPerDegree = 6_371_008.8 * Double.pi / 180
    var longitude = corner.longitude - position.longitude
    if longitude > 180 { longitude -= 360 }
    if longitude < -180 { longitude += 360 }
    let parallel = cos(position.latitude * .pi / 180)
    return (longitude * metresPerDegree * parallel, (corner.latitude - position.latitude) * metresPerDegree)
  }
}

/// Where a team's phone says it is.
public struct TourFix: Equatable, Sendable {
  /// The position.
  public var position: Position
  /// Radius within which it lies 95 % of the time, metres; `nil` when the phone does not say.
  public var accuracy: Double?
  /// Whether the phone says that somebody chose it there, and that it was not measured.
  public var isVirtual: Bool

  /// What is taken for the accuracy of phones that do not say.
  public static let usualAccuracy = 25.0
  /// The most that a bad accuracy lets a team be away, metres.
  public static let largestTolerance = 100.0

  /// A fix.
  public init(position: Position, accuracy: Double?, isVirtual: Bool = false) {
    self.position = position
    self.accuracy = accuracy
    self.isVirtual = isVirtual
  }

  /// Great-circle metres to a position.
  public func distance(to other: Position) -> Double {
    greatCircleDistance(
      from: Geodetic(latitudeDegrees: position.latitude, longitudeDegrees: position.longitude),
      to: Geodetic(latitudeDegrees: other.latitude, longitudeDegrees: other.longitude)
    )
  }

  /// Whether it is a place on the Earth: what is not finite or outside the degrees is none.
  public var isUsable: Bool {
    (-90...90).contains(position.latitude) && (-180...180).contains(position.longitude)
      && accuracy?.isFinite != false && position.altitude?.isFinite != false
  }

  /// Sides of the squares that positions can be rounded to, metres.
  public static let roundings = 0.01...1000.0

  /// The same, moved to the middle of a square of the given side, metres; unchanged for 0.
  ///
  /// Sides outside ``roundings``, which tours of older servers may have, are taken as the nearest one that makes sense:
  /// a square below a centimetre hides nothing, and its number of columns is no longer a number.
  public func rounded(to side: Double) -> TourFix {
    guard side >= TourFix.roundings.lowerBound, isUsable else { return self }
    let side = min(side, TourFix.roundings.upperBound)
    let metresPerDegree = 6_371_008.8 * Double.pi / 180
    let step = side / metresPerDegree
    let latitude = max(-90, min(90, ((position.latitude / step).rounded(.down) + 0.5) * step))
    // Columns of equal width: as many degrees as the row's middle needs.
    let column = step / max(0.01, cos(latitude * .pi / 180))
    var longitude = ((position.longitude / column).rounded(.down) + 0.5) * column
    if longitude > 180 { longitude -= 360 }
    if longitude < -180 { longitude += 360 }
    return TourFix(
      position: Position(latitude: latitude, longitude: longitude),
      accuracy: accuracy.map { max($0, side) },
      isVirtual: isVirtual
    )
  }
}
