import Foundation
public import SightlineContent
import SightlineGeodesy

/// The area that teams must not leave: a ring of corners on the ground, see ``SightlineGeodesy/GroundArea``.
public struct TourBorder: Equatable, Sendable {
  private let area: GroundArea

  /// A border; of fewer than three corners everything is inside.
  public init(_ corners: [Position]) {
    area = GroundArea(corners.map { Geodetic(latitudeDegrees: $0.latitude, longitudeDegrees: $0.longitude) })
  }

  /// Metres from a position to the nearest point of the border; `nil` when there is none.
  public func distance(from position: Position) -> Double? { outside(position).map(abs) }

  /// Metres from a position to the border, negative inside; `nil` when there is none.
  private func outside(_ position: Position) -> Double? {
    area.distance(from: Geodetic(latitudeDegrees: position.latitude, longitudeDegrees: position.longitude))
  }

  /// Whether a position is inside; always when there is no border.
  public func contains(_ position: Position) -> Bool { (outside(position) ?? -1) <= 0 }

  /// Whether a team has left the area for certain: outside by more than its position's accuracy.
  public func isLeft(by fix: TourFix) -> Bool {
    guard let distance = outside(fix.position) else { return false }
    return distance > min(max(fix.accuracy ?? TourFix.usualAccuracy, 0), TourFix.largestTolerance)
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
