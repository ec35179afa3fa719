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

  /// The picture as it stands.
  private var pointing: Pointing {
    Pointing(
      attitude: heldOrientation ?? device.attitude,
      projection: device.projection,
      display: device.display,
      parameters: device.parameters
    )
  }

  mutating func dragWorld(from start: Vector2, to end: Vector2) {
    guard let angle = pointing.drag(from: start, to: end) else { return }
    correct(by: angle, deviation: device.parameters.dragging)
  }

  mutating func pointAt(_ place: Geodetic, at point: Vector2?) {
    alignTo(PointingTarget.place(place, from: device.location), at: point)
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
    let year = device.declination.decimalYear(at: now)
    alignTo(PointingTarget.body(body, from: device.location.position, decimalYear: year), at: point)
  }

  private mutating func alignTo(_ target: PointingTarget.Result, at point: Vector2?) {
    switch target {
    case .refused(let reason): align(reason)
    case .found(let target):
      switch pointing.align(target, at: point) {
      case .refused(let reason): align(reason)
      case .turn(let angle, let deviation):
        correct(by: angle, deviation: deviation)
        effects.append(.aligned(.done, by: angle))
      }
    }
  }

  mutating func correct(by angle: Angle, deviation: Angle) {
    device.correctHeading(by: angle, deviation: deviation)
    // A picture that is held is corrected with the rest.
    if let held = heldOrientation { heldOrientation = Quaternion(axis: Vector3(0, 0, 1), angle: -angle) * held }
  }

  mutating func align(_ outcome: Alignment, by angle: Angle = .zero) { effects.append(.aligned(outcome, by: angle)) }
}
