import SightlineGeodesy
import SightlineMath

/// The eye in the world frame, whose origin goes along with it in large steps.
struct WorldEye: Sendable {
  /// The eye; `nil` until its position is known.
  private(set) var placed: Eye?
  /// Origin of the world frame; `nil` until the eye's position is known.
  private(set) var origin: Geodetic?
  /// Where the eye is in the world frame, metres.
  private(set) var inWorld = Vector3.zero
  /// Rotates from EastNorthUp at the eye into the world frame.
  private(set) var worldFromEye = Quaternion.identity

  /// Moves the eye, and the origin under it where it has gone farther than `shiftDistance` metres from it.
  mutating func move(to eye: Eye, shiftDistance: Double) {
    placed = eye
    var frame = EastNorthUpFrame(origin: origin ?? eye.geodetic)
    inWorld = frame.point(eye.geodetic)
    if origin == nil || hypot(inWorld.x, inWorld.y) > shiftDistance {
      origin = eye.geodetic
      frame = EastNorthUpFrame(origin: eye.geodetic)
      inWorld = frame.point(eye.geodetic)
    }
    worldFromEye = frame.rotation(from: EastNorthUpFrame(origin: eye.geodetic))
  }

  /// Where a place is in the world frame, metres; `nil` without an eye.
  func point(of place: PlacedWorld.Place) -> Vector3? {
    placed.map { inWorld + worldFromEye * $0.offset(to: place) }
  }
}
