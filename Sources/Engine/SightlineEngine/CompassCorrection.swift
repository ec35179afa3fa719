import SightlineMath

/// Finds magnetic north for an orientation whose yaw starts anywhere, from a compass heading of the device's top edge (iOS).
///
/// The gyroscope's yaw is smooth and drifts slowly; the compass is noisy and, with the phone upright, undefined: its top
/// edge then has no horizontal direction. So the compass only moves a slowly changing offset, weighted by the squared
/// horizontal part of the top edge: not at all within 10° of upright, nor when the camera looks above the horizon, where
/// such headings flip to the opposite direction. The offset is a weighted mean of all readings at first, later over a
/// sliding window.
struct CompassCorrection: Sendable {
  /// Clockwise, to be added to the headings of the yaw.
  private var offset = 0.0
  /// Seconds of a flat phone that stand behind `offset`.
  private var weight = 0.0

  /// Whether any heading counted.
  var isKnown: Bool { weight > 0 }

  /// Takes a heading.
  ///
  /// - Parameters:
  ///   - heading: of the device's top edge, clockwise from magnetic north.
  ///   - rotation: the orientation that came with it.
  ///   - interval: seconds since the last one; a pause counts as a tenth of a second.
  ///   - window: seconds of a flat phone to average over.
  mutating func take(_ heading: Angle, of rotation: Quaternion, interval: Double, window: Double) {
    let top = rotation * Vector3(0, 1, 0)
    let out = rotation * Vector3(0, 0, 1)
    let horizontal = top.x * top.x + top.y * top.y
    // 5° of slack, so that a level camera in landscape is not on the edge.
    guard horizontal > 0.03, out.z > -0.087 else { return }
    let added = horizontal * (interval >= 0 && interval < 0.1 ? interval : 0.1)
    // Events at one and the same time have nothing to add, except the first.
    guard added > 0 || !isKnown else { return }
    let step = max(added, 1e-6)
    weight = min(weight + step, max(window, step))
    let implied = atan2(top.x, top.y)
    offset = wrapToPi(offset + wrapToPi(heading.radians - implied - offset) * (step / weight))
  }

  /// The orientation with magnetic north.
  func corrected(_ rotation: Quaternion) -> Quaternion {
    // Headings run clockwise, rotations about "up" counter-clockwise.
    Quaternion(axis: Vector3(0, 0, 1), angle: Angle(radians: -offset)) * rotation
  }

  /// Keeps the offset, but lets new readings replace it quickly.
  mutating func forgetMost() { weight = min(weight, 0.1) }
}
