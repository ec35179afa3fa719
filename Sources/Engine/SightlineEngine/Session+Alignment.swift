import SightlineCamera
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineScene

// Finding north with the user's help. All of it comes down to one angle that is added to headings (HeadingCorrections).

extension Session {
  /// What the user found out about north, oldest first: small values to store and to hand back at the next start
  /// (``SessionEvent/restoreHeadingCorrection(_:)``).
  public var headingCorrections: [HeadingCorrection] { device.orientation.corrections.stored }

  /// What the sensors call up, in the device frame and before any correction of the level; `nil` before the first orientation.
  public var sensedUp: Vector3? { device.orientation.sensedUp }

  /// Direction that is seen at a point of the display as the picture stands; `nil` without orientation or display.
  private func direction(at point: Vector2?) -> Ephemeris.Direction? {
    let attitude = heldOrientation ?? device.attitude
    guard let attitude, let projection = device.projection, let display = device.display else { return nil }
    let point = point ?? Vector2(display.width / 2, display.height / 2)
    guard point.x.isFinite, point.y.isFinite else { return nil }
    let ray = attitude * (projection.deviceFromDisplay * projection.ray(through: point))
    return Ephemeris.Direction(
      azimuth: Angle(radians: atan2(ray.x, ray.y)),
      elevation: Angle(radians: atan2(ray.z, hypot(ray.x, ray.y)))
    )
  }

  mutating func dragWorld(from start: Vector2, to end: Vector2) {
    guard let before = direction(at: start), let after = direction(at: end),
      max(abs(before.elevation.radians), abs(after.elevation.radians)) < device.parameters.steepestPointing.radians
    else { return }
    let angle = (before.azimuth - after.azimuth).wrapped
    correct(by: angle, deviation: device.parameters.dragging)
  }

  mutating func pointAt(_ place: Geodetic, at point: Vector2?) {
    guard let position = device.location.position else { return align(.noPosition) }
    let distance = greatCircleDistance(from: position, to: place)
    guard abs(place.latitudeDegrees) <= 90, abs(place.longitudeDegrees) <= 180 else { return align(.notThere) }
    guard let azimuth = initialBearing(from: position, to: place), distance > 3 * device.location.accuracy else {
      return align(.tooClose)
    }
    let knowsHeights = device.location.altitudeKnown && place.altitude.isFinite
    let elevation = knowsHeights ? elevationAngle(from: position, to: place) : nil
    // Accuracies are 95 % radii.
    let sideways = Angle(radians: atan2(device.location.accuracy / 2, distance))
    alignTo(at: point, azimuth: azimuth, elevation: elevation, sideways: sideways)
  }

  mutating func pointAtFeature(_ feature: Int32, at point: Vector2?) {
    guard scene.world.features.indices.contains(Int(feature)) else { return align(.notThere) }
    let target = scene.world.features[Int(feature)]
    guard let position = device.location.position else { return align(.noPosition) }
    guard abs(target.latitudeDegrees) <= 90, abs(target.longitudeDegrees) <= 180 else { return align(.notThere) }
    // As the eye's altitude is measured; what cannot be is looked for at its level.
    let height = Height(target.altitude, above: target.altitudeDatum)
    let altitude = height.height(above: device.location.datum, geoidHeight: device.geoidHeight(at: position))
    let anchor = Geodetic(
      latitudeDegrees: target.latitudeDegrees,
      longitudeDegrees: target.longitudeDegrees,
      altitude: altitude ?? position.altitude
    )
    pointAt(EastNorthUpFrame(origin: anchor).geodetic(target.offset), at: point)
  }

  mutating func pointAt(_ body: Ephemeris.Body, at point: Vector2?) {
    guard let position = device.location.position else { return align(.noPosition) }
    guard let year = device.declination.decimalYear(at: now) else { return align(.noDate) }
    let date = Ephemeris.julianDate(decimalYear: year)
    let direction = Ephemeris.direction(of: body, from: position, julianDate: date)
    guard direction.apparentElevation.radians > 0 else { return align(.notInSky) }
    alignTo(at: point, azimuth: direction.azimuth, elevation: direction.apparentElevation, sideways: .zero)
  }

  private mutating func alignTo(at point: Vector2?, azimuth: Angle, elevation: Angle?, sideways: Angle) {
    guard let seen = direction(at: point) else { return align(.noOrientation) }
    let steepest = max(abs(seen.elevation.radians), abs(elevation?.radians ?? 0))
    guard steepest < device.parameters.steepestPointing.radians else { return align(.tooSteep) }
    if let elevation, abs((elevation - seen.elevation).radians) > device.parameters.pointingTolerance.radians {
      return align(.notThere)
    }
    let angle = (azimuth - seen.azimuth).wrapped
    // Near the zenith a small slip of the hand is a large turn.
    let pointing = device.parameters.pointing.radians / cos(steepest)
    let deviation = Angle(radians: hypot(pointing, sideways.radians))
    correct(by: angle, deviation: deviation)
    effects.append(.aligned(.done, by: angle))
  }

  mutating func correct(by angle: Angle, deviation: Angle) {
    device.correctHeading(by: angle, deviation: deviation)
    // A picture that is held is corrected with the rest.
    if let held = heldOrientation { heldOrientation = Quaternion(axis: Vector3(0, 0, 1), angle: -angle) * held }
  }

  mutating func align(_ outcome: Alignment, by angle: Angle = .zero) { effects.append(.aligned(outcome, by: angle)) }
}
