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

  /// Where magnetic north is in a level frame, clockwise from its y axis, and what the heading is worth: the squared
  /// horizontal part of the top edge.
  ///
  /// `nil` within 10° of upright, where the top edge has no horizontal direction, and when the camera looks above the
  /// horizon, where such headings flip to the opposite direction.
  func north(for levelFromDevice: Quaternion) -> (clockwise: Double, worth: Double)? {
    let top = levelFromDevice * Vector3(0, 1, 0)
    let out = levelFromDevice * Vector3(0, 0, 1)
    let horizontal = top.x * top.x + top.y * top.y
    // 5° of slack, so that a level camera in landscape is not on the edge.
    guard heading.radians.isFinite, horizontal > 0.03, out.z > -0.087 else { return nil }
    return (wrapToPi(atan2(top.x, top.y) - heading.radians), horizontal)
  }
}
