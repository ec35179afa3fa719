import SightlineCamera
import SightlineGeodesy
import SightlineMath

/// What a user points at: where it is in the sky around the phone.
struct PointingTarget {
  var azimuth: Angle
  /// `nil` where heights are not known.
  var elevation: Angle?
  /// By how much the azimuth may be wrong for the user's own position, one standard deviation.
  var sideways: Angle

  /// A place on Earth, or why it tells no direction.
  static func place(_ place: Geodetic, from location: LocationTracker) -> Result {
    guard let position = location.position else { return .refused(.noPosition) }
    let distance = greatCircleDistance(from: position, to: place)
    guard abs(place.latitudeDegrees) <= 90, abs(place.longitudeDegrees) <= 180 else { return .refused(.notThere) }
    guard let azimuth = initialBearing(from: position, to: place), distance > 3 * location.accuracy else {
      return .refused(.tooClose)
    }
    let knowsHeights = location.altitudeKnown && place.altitude.isFinite
    let elevation = knowsHeights ? elevationAngle(from: position, to: place) : nil
    // Accuracies are 95 % radii.
    let sideways = Angle(radians: atan2(location.accuracy / 2, distance))
    return .found(PointingTarget(azimuth: azimuth, elevation: elevation, sideways: sideways))
  }

  /// The sun or the moon, or why it tells no direction.
  static func body(_ body: Ephemeris.Body, from position: Geodetic?, decimalYear: Double?) -> Result {
    guard let position else { return .refused(.noPosition) }
    guard let decimalYear else { return .refused(.noDate) }
    let date = Ephemeris.julianDate(decimalYear: decimalYear)
    let direction = Ephemeris.direction(of: body, from: position, julianDate: date)
    guard direction.apparentElevation.radians > 0 else { return .refused(.notInSky) }
    return .found(
      PointingTarget(azimuth: direction.azimuth, elevation: direction.apparentElevation, sideways: .zero)
    )
  }

  enum Result {
    case found(PointingTarget)
    case refused(Alignment)
  }
}

/// The view through the display at one moment, by which the user corrects north.
///
/// Takes points of the display and what is there in truth; leaves by how much headings are off.
struct Pointing {
  /// Turns vectors of the device into east, north, up; `nil` while it is not known.
  var attitude: Quaternion?
  var projection: DisplayProjection?
  var display: Display?
  var parameters: Session.Parameters

  /// A correction of headings, or why there is none.
  enum Outcome {
    case turn(Angle, deviation: Angle)
    case refused(Alignment)
  }

  /// Direction that is seen at a point of the display, its middle for none; `nil` without orientation or display.
  private func direction(at point: Vector2?) -> Ephemeris.Direction? {
    guard let attitude, let projection, let display else { return nil }
    let point = point ?? Vector2(display.width / 2, display.height / 2)
    guard point.x.isFinite, point.y.isFinite else { return nil }
    let ray = attitude * (projection.deviceFromDisplay * projection.ray(through: point))
    return Ephemeris.Direction(
      azimuth: Angle(radians: atan2(ray.x, ray.y)),
      elevation: Angle(radians: atan2(ray.z, hypot(ray.x, ray.y)))
    )
  }

  /// What a drag across the picture turns headings by; `nil` near the vertical.
  func drag(from start: Vector2, to end: Vector2) -> Angle? {
    guard let before = direction(at: start), let after = direction(at: end),
      max(abs(before.elevation.radians), abs(after.elevation.radians)) < parameters.steepestPointing.radians
    else { return nil }
    return (before.azimuth - after.azimuth).wrapped
  }

  /// What headings are off by when something is seen at a point.
  func align(_ target: PointingTarget, at point: Vector2?) -> Outcome {
    guard let seen = direction(at: point) else { return .refused(.noOrientation) }
    let steepest = max(abs(seen.elevation.radians), abs(target.elevation?.radians ?? 0))
    guard steepest < parameters.steepestPointing.radians else { return .refused(.tooSteep) }
    if let elevation = target.elevation,
      abs((elevation - seen.elevation).radians) > parameters.pointingTolerance.radians
    {
      return .refused(.notThere)
    }
    // Near the zenith a small slip of the hand is a large turn.
    let pointing = parameters.pointing.radians / cos(steepest)
    let deviation = Angle(radians: hypot(pointing, target.sideways.radians))
    return .turn((target.azimuth - seen.azimuth).wrapped, deviation: deviation)
  }
}
