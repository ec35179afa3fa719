import SightlineMath

/// Finds out whether a platform's accelerations have the sign of a specific force (at rest +9.81 along the axis that points
/// up) or the opposite one, as on iOS, by comparing them with the "up" of the platform's own orientation.
///
/// Without such an orientation the sign is taken for right. Never told from the browser's name.
public struct ForceSign: Sendable {
  /// 1 or −1: what to multiply by.
  public private(set) var sign = 1.0
  private var isKnown = false
  /// Seconds for which readings have contradicted.
  private var contrary = 0.0

  /// Taken for right as long as nothing was compared.
  public init() {}

  /// Compares a specific force as read with "up", both in the device frame.
  ///
  /// The first clear comparison decides at once, later ones need half a second of contradiction: a hard shake can turn the
  /// acceleration over.
  ///
  /// - Parameters:
  ///   - force: as read, m/s², in the device frame.
  ///   - up: of length 1, in the same frame.
  ///   - interval: since the last comparison, seconds.
  /// - Returns: whether the sign changed.
  public mutating func judge(_ force: Vector3, up: Vector3, interval: Double) -> Bool {
    let strength = force.length
    guard strength > 5, strength < 15 else { return false }
    let agreement = force.dot(up) / strength * sign
    if !isKnown {
      guard abs(agreement) > 0.7 else { return false }
      isKnown = true
      return turnOver(if: agreement < 0)
    }
    contrary = agreement < -0.5 ? contrary + clamp(interval, 0, 0.1) : 0
    return turnOver(if: contrary > 0.5)
  }

  private mutating func turnOver(if wrong: Bool) -> Bool {
    guard wrong else { return false }
    sign = -sign
    contrary = 0
    return true
  }
}
