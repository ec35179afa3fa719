import SightlineMath

/// What an orientation's north is.
public enum NorthReference: UInt8, Sendable {
  /// Geographic north.
  case trueNorth = 0
  /// Magnetic north: the declination at place and time is to be added.
  case magnetic = 1
  /// Any direction: headings are not to be believed until something corrects them.
  case arbitrary = 2
}

/// What a platform's own fusion says about the device's turn at one moment.
public struct FusedOrientation: Equatable, Sendable {
  /// Rotates device vectors into a level frame, y to ``north``, z up; a unit quaternion.
  public var levelFromDevice: Quaternion
  /// What the frame's north is; without meaning where there is a ``compass``.
  public var north: NorthReference
  /// A compass beside it, for a frame whose north is arbitrary (iOS).
  public var compass: CompassReading?

  /// A reading.
  public init(levelFromDevice: Quaternion, north: NorthReference, compass: CompassReading? = nil) {
    self.levelFromDevice = levelFromDevice
    self.north = north
    self.compass = compass
  }
}

/// A compass heading as a platform gives it.
public struct CompassReading: Equatable, Sendable {
  /// Of the device's top edge, clockwise from magnetic north.
  public var heading: Angle
  /// Stated error; `nil` when the heading is not valid.
  public var accuracy: Angle?

  /// A heading with its stated error.
  public init(heading: Angle, accuracy: Angle?) {
    self.heading = heading
    self.accuracy = accuracy
  }

  /// Where magnetic north is in a level frame by this heading; `nil` where the top edge tells nothing.
  ///
  /// That is within 3° of upright, where it has no horizontal direction, and when the camera looks above the horizon, where
  /// such headings flip to the opposite direction, at once on some systems and at 45° on others. In between the heading of
  /// the top edge is, on some systems, that of the camera: as long as both are about the same it does not matter which.
  ///
  /// `levelFromDevice` is the orientation that came with the heading, which is tilted as the one behind it is: with the phone
  /// nearly upright a degree of difference in tilt is many of heading.
  func north(for levelFromDevice: Quaternion) -> CompassLook? {
    let top = levelFromDevice * Vector3(0, 1, 0)
    let out = levelFromDevice * Vector3(0, 0, 1)
    let lean = hypot(top.x, top.y)
    // 5° of slack above the horizon, so that a level camera in landscape is not on the edge.
    guard heading.radians.isFinite, lean > 0.05, out.z > -0.087 else { return nil }
    let isSteep = lean < Self.steep
    let gap = isSteep ? abs(atan2(top.y * out.x - top.x * out.y, -(top.x * out.x + top.y * out.y))) : 0
    guard gap < Self.largestGap.radians else { return nil }
    return CompassLook(
      clockwise: wrapToPi(atan2(top.x, top.y) - heading.radians),
      worth: lean * lean,
      deviation: hypot(Self.tiltDifference.radians / lean, gap / 2)
    )
  }

  /// Horizontal part of the top edge below which the camera may be meant in its place: 45°.
  private static let steep = 0.7071
  /// Directions of top edge and camera that differ by more are not taken for one.
  private static let largestGap = Angle(degrees: 30)
  /// By how much the tilt behind the heading may differ from that of the angles beside it, standard deviation.
  private static let tiltDifference = Angle(degrees: 1.5)
}

/// What a compass heading of the top edge says about a level frame.
struct CompassLook: Sendable {
  /// Where magnetic north is, clockwise from the frame's y axis, radians.
  var clockwise: Double
  /// The squared horizontal part of the top edge: what the heading is worth beside one of a flat phone.
  var worth: Double
  /// Standard deviation that comes from how the phone is held alone, radians.
  var deviation: Double

  /// Error 95 % of the time with the one that is stated, radians.
  ///
  /// A system does not notice a magnet in the case: what it states is exceeded more often than that, and taken for more.
  func error(stated: Angle) -> Double { min(hypot(1.3 * stated.radians, 2 * deviation), pi) }
}
