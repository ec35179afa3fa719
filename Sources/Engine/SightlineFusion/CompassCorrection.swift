import SightlineMath

/// Finds magnetic north for an orientation whose yaw starts anywhere, from a compass heading of the device's top edge (iOS).
///
/// The gyroscope's yaw is smooth and drifts slowly; the compass is noisy and, with the phone upright, undefined. So the
/// compass only moves a slowly changing offset, weighted by what each heading is worth (``CompassReading``). The offset is a
/// weighted mean of all readings at first, later over a sliding window.
struct CompassCorrection: Sendable {
  /// Where north is in the frame of the yaw, clockwise from its y axis.
  private var north = 0.0
  /// Seconds of a flat phone that stand behind `north`.
  private var weight = 0.0
  /// What `north` is wrong by at most 95 % of the time, radians, by what is known of each heading.
  private(set) var error = pi

  /// Whether any heading counted.
  var isKnown: Bool { weight > 0 }

  /// Takes a heading.
  ///
  /// - Parameters:
  ///   - reading: the heading.
  ///   - rotation: the orientation that came with it.
  ///   - interval: seconds since the last one; a pause counts as a tenth of a second.
  ///   - window: seconds of a flat phone to average over.
  mutating func take(_ reading: CompassReading, of rotation: Quaternion, interval: Double, window: Double) {
    guard let accuracy = reading.accuracy, let look = reading.north(for: rotation) else { return }
    let added = look.worth * (interval >= 0 && interval < 0.1 ? interval : 0.1)
    // Events at one and the same time have nothing to add, except the first.
    guard added > 0 || !isKnown else { return }
    let step = max(added, 1e-6)
    weight = min(weight + step, max(window, step))
    let share = step / weight
    north = wrapToPi(north + wrapToPi(look.clockwise - north) * share)
    // Such errors stay the same from one heading to the next: their mean is no smaller.
    error += (look.error(stated: accuracy) - error) * share
  }

  /// The orientation with magnetic north.
  func corrected(_ rotation: Quaternion) -> Quaternion {
    Quaternion(axis: Vector3(0, 0, 1), angle: Angle(radians: north)) * rotation
  }

  /// Keeps the offset, but lets new readings replace it quickly.
  mutating func forgetMost() { weight = min(weight, 0.1) }
}
