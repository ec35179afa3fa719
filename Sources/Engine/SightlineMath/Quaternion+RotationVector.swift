extension Quaternion {
  /// The rotation by a vector: its direction is the axis, its length the angle in radians.
  public init(rotationVector v: Vector3) {
    let angle = v.length
    // Below this the sine's quotient is ½ to the last bit.
    let factor = angle < 1e-8 ? 0.5 : sin(angle / 2) / angle
    self.init(w: cos(angle / 2), x: v.x * factor, y: v.y * factor, z: v.z * factor)
  }

  /// The rotation as a vector: its direction is the axis, its length the angle, 0 … π.
  public var rotationVector: Vector3 {
    let sign: Double = w < 0 ? -1 : 1
    let v = Vector3(x, y, z) * sign
    let length = v.length
    return length < 1e-12 ? v * 2 : v * (2 * atan2(length, w * sign) / length)
  }
}
