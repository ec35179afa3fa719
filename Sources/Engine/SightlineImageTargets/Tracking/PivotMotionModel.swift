import SightlineMath

/// The point that a camera is swung about.
///
/// Nobody turns a phone about its lens. Somebody who looks around turns it about a shoulder or a wrist, somebody who
/// walks around a
/// thing about the thing: the way the lens goes is mostly given by the turn and by where the point is that stays. That
/// point
/// is learned in the camera's axes while a target is seen, by least squares over the last frames, and with the
/// gyroscope's turns it then says where the lens goes when the target is not seen. What it does not explain is a
/// velocity
/// that dies away.
struct PivotMotionModel {
  /// Seconds after which what was learned counts for about half.
  private static let memory = 0.2
  /// How much turning it takes to believe in a point that is not the lens itself, radians squared.
  ///
  /// The square of the error of a way between two frames as a share of the distance to the point.
  private static let caution = 3e-5
  /// How fast the velocity dies away, a second.
  private static let slowing = 8.0

  // The normal equations of `(1 - rotation) pivot = way`, and their right side.
  private var rows = Matrix3(rows: Vector3(0, 0, 0), Vector3(0, 0, 0), Vector3(0, 0, 0))
  private var side = Vector3(0, 0, 0)
  /// The point that stays, in the camera's axes, in the target's own unit of length.
  private(set) var pivot = Vector3(0, 0, 0)
  /// The way between two frames beside that of the swing, in the camera's axes now.
  private(set) var drift = Vector3(0, 0, 0)

  /// Takes where a thing was in the camera's axes at the last frame, and where it is now.
  mutating func observe(from before: Vector3, to after: Vector3, rotation: Matrix3, since: Double) {
    let way = after - rotation * before
    let lever = Self.lever(rotation)
    let kept = 1 / (1 + since / Self.memory)
    let across = lever.transposed
    let fresh = across * lever
    rows = Matrix3(
      rows: rows.row0 * kept + fresh.row0,
      rows.row1 * kept + fresh.row1,
      rows.row2 * kept + fresh.row2
    )
    side = side * kept + across * way
    pivot = solved()
    drift = drift + (way - lever * pivot - drift) * 0.7
  }

  /// The way that a turn brings with it.
  func way(_ rotation: Matrix3) -> Vector3 { Self.lever(rotation) * pivot + drift }

  /// Lets the velocity die away while nothing is seen.
  mutating func slow(_ rotation: Matrix3, since: Double) {
    drift = (rotation * drift) * (1 / (1 + Self.slowing * since))
  }

  /// Forgets the velocity: the target was found anew.
  mutating func rest() { drift = Vector3(0, 0, 0) }

  /// `1 - rotation`: what a turn does to the point it is about.
  private static func lever(_ r: Matrix3) -> Matrix3 {
    Matrix3(rows: Vector3(1, 0, 0) - r.row0, Vector3(0, 1, 0) - r.row1, Vector3(0, 0, 1) - r.row2)
  }

  /// The least squares solution that stays at the lens as long as little speaks for another point.
  private func solved() -> Vector3 {
    let a = rows.row0 + Vector3(Self.caution, 0, 0)
    let b = rows.row1 + Vector3(0, Self.caution, 0)
    let c = rows.row2 + Vector3(0, 0, Self.caution)
    // Symmetric and positive definite: by Cramer's rule.
    let x = b.cross(c)
    let y = c.cross(a)
    let z = a.cross(b)
    return Vector3(x.dot(side), y.dot(side), z.dot(side)) * (1 / a.dot(x))
  }
}
