import Foundation
import SightlineGeodesy
import SightlineInput
import SightlineOpenStreetMap

/// Lengths on the ellipsoid around one latitude: metres for each unit of 1e-7 degrees.
///
/// The radii of curvature along the meridian and across it (Torge, Geodesy, 4th ed., 4.1.3). For two points of a town the
/// plane they make is right to 1e-6 of the distance.
struct GroundMetric {
  let metresNorth: Double
  let metresEast: Double

  init(latitude: Int32) { self.init(latitudeUnits: Double(latitude)) }

  init(latitudeUnits: Double) {
    let radians = latitudeUnits * 1e-7 * .pi / 180
    let sine = sin(radians)
    let w = 1 - WGS84.eccentricitySquared * sine * sine
    let unit = 1e-7 * .pi / 180
    metresNorth = WGS84.semiMajorAxis * (1 - WGS84.eccentricitySquared) / (w * w.squareRoot()) * unit
    metresEast = WGS84.semiMajorAxis / w.squareRoot() * max(cos(radians), 0) * unit
  }

  /// East and north from one position to another, metres, the shorter way round.
  @inline(__always) func vector(_ a: OSMPosition, _ b: OSMPosition) -> (east: Double, north: Double) {
    (
      Double(Self.eastUnits(a.longitude, b.longitude)) * metresEast,
      Double(Int(b.latitude) - Int(a.latitude)) * metresNorth
    )
  }

  /// Units from one longitude to another, the shorter way round.
  @inline(__always) static func eastUnits(_ a: Int32, _ b: Int32) -> Int {
    let difference = Int(b) - Int(a)
    if difference > 1_800_000_000 { return difference - 3_600_000_000 }
    if difference < -1_800_000_000 { return difference + 3_600_000_000 }
    return difference
  }

  /// Metres between two positions of a town.
  static func distance(_ a: OSMPosition, _ b: OSMPosition) -> Double {
    let (east, north) = GroundMetric(latitudeUnits: (Double(a.latitude) + Double(b.latitude)) / 2).vector(a, b)
    return (east * east + north * north).squareRoot()
  }

  /// Degrees clockwise from north, 0 ..< 360; `nil` for one and the same place.
  static func bearing(_ a: OSMPosition, _ b: OSMPosition) -> Double? {
    let (east, north) = GroundMetric(latitudeUnits: (Double(a.latitude) + Double(b.latitude)) / 2).vector(a, b)
    guard east != 0 || north != 0 else { return nil }
    let degrees = atan2(east, north) * 180 / .pi
    return degrees < 0 ? min(degrees + 360, 359.999_999) : degrees
  }
}

extension OSMPosition {
  /// The nearest position of 1e-7 degrees; `nil` for what is not on the Earth.
  init?(_ position: Geodetic) {
    guard (-90...90).contains(position.latitudeDegrees), (-180...180).contains(position.longitudeDegrees) else {
      return nil
    }
    self.init(
      latitude: Int32(clamped: (position.latitudeDegrees * 1e7).rounded()),
      longitude: Int32(clamped: (position.longitudeDegrees * 1e7).rounded())
    )
  }

  var geodetic: Geodetic { Geodetic(latitudeDegrees: latitudeDegrees, longitudeDegrees: longitudeDegrees) }
}
