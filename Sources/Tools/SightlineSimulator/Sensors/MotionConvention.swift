import SightlineMath

/// How a browser writes down motion in its `devicemotion` events.
public enum MotionConvention: Equatable, Sendable {
  /// As specified: at rest, screen up, z is +9.8.
  case specification
  /// Safari on iOS: all accelerations with the other sign.
  case iOS
}

/// A `devicemotion` event as a page gets it.
public struct BrowserMotionEvent: Equatable, Sendable {
  /// Metres a second squared, in the browser's own signs; `nil` when it gives none.
  public var accelerationIncludingGravity: Vector3?
  /// Degrees a second about x (`alpha`), y (`beta`) and z (`gamma`); `nil` without a gyroscope.
  public var rotationRate: Vector3?

  /// The event that a browser makes of a reading in the device frame.
  ///
  /// - Parameters:
  ///   - angularVelocity: radians a second.
  ///   - specificForce: metres a second squared, +9.81 along the axis that points up.
  ///   - convention: of the browser.
  public init(angularVelocity: Vector3?, specificForce: Vector3?, convention: MotionConvention) {
    rotationRate = angularVelocity.map { $0 * (180 / pi) }
    accelerationIncludingGravity = specificForce.map { convention == .iOS ? -$0 : $0 }
  }
}

/// The angles of `deviceorientation`: intrinsic turns about z, the new x and the then new y.
public struct BrowserAngles: Equatable, Sendable {
  /// 0 … 360, against the compass.
  public var alphaDegrees: Double
  /// −180 … 180.
  public var betaDegrees: Double
  /// −90 … 90.
  public var gammaDegrees: Double

  /// The angles of an attitude: R = Rz(α) · Rx(β) · Ry(γ).
  ///
  /// Source: W3C Device Orientation and Motion, section 4.1. Of the two triples for a rotation it is the one with
  /// |γ| ≤ 90°. Where the top edge points straight up or down only a sum of two angles is fixed, and γ is 0.
  public init(worldFromDevice: Quaternion) {
    let m = Matrix3(worldFromDevice)
    // Third row: (−cos β · sin γ, sin β, cos β · cos γ); second column: (−sin α · cos β, cos α · cos β, sin β).
    let cosine = hypot(m.row2.x, m.row2.z)
    if cosine < 1e-9 {
      let β = m.row2.y > 0 ? pi / 2 : -pi / 2
      self.init(alpha: atan2(m.row1.x, m.row0.x), beta: β, gamma: 0)
      return
    }
    let sign: Double = m.row2.z < 0 ? -1 : 1
    self.init(
      alpha: atan2(-m.row0.y * sign, m.row1.y * sign),
      beta: atan2(m.row2.y, cosine * sign),
      gamma: atan2(-m.row2.x * sign, m.row2.z * sign)
    )
  }

  private init(alpha: Double, beta: Double, gamma: Double) {
    alphaDegrees = alpha < 0 ? Angle(radians: alpha).degrees + 360 : Angle(radians: alpha).degrees
    betaDegrees = Angle(radians: beta).degrees
    gammaDegrees = Angle(radians: gamma).degrees
  }

  /// The same angles in steps.
  public func rounded(to step: Double) -> BrowserAngles {
    var copy = self
    copy.alphaDegrees = fmod((alphaDegrees / step).rounded() * step, 360)
    copy.betaDegrees = (betaDegrees / step).rounded() * step
    copy.gammaDegrees = (gammaDegrees / step).rounded() * step
    return copy
  }

  /// The attitude of the angles.
  public var worldFromDevice: Quaternion {
    Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: alphaDegrees))
      * Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: betaDegrees))
      * Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: gammaDegrees))
  }
}
