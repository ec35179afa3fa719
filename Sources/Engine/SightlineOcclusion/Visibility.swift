/// Whether something is seen or stands behind buildings.
public enum Visibility: UInt8, Sendable {
  /// Nothing, or next to nothing, hides it.
  case seen = 0
  /// Part of it is hidden; or it depends on where exactly the eye is, which nobody knows.
  case partlySeen = 1
  /// It stands behind something.
  case hidden = 2

  /// The visibility that follows from the part that is seen, without flicker at an edge.
  ///
  /// A stage with its state outside: the last answer goes in and the new one comes out. To be entered a class asks for
  /// more than it does to be left.
  ///
  /// - Parameters:
  ///   - seen: the part that is seen, 0 … 1; what is no number changes nothing.
  ///   - thresholds: where classes end.
  /// - Returns: the new class.
  public func next(seen: Double, thresholds: Thresholds = Thresholds()) -> Visibility {
    guard !seen.isNaN else { return self }
    if seen >= (self == .seen ? thresholds.leaveSeen : thresholds.enterSeen) { return .seen }
    if seen <= (self == .hidden ? thresholds.leaveHidden : thresholds.enterHidden) { return .hidden }
    return .partlySeen
  }

  /// Where one class ends and the next begins, parts of what is seen.
  public struct Thresholds: Equatable, Sendable {
    /// From here on something becomes seen; larger calls less seen.
    public var enterSeen = 0.75
    /// What was seen stays so down to here; smaller holds longer.
    public var leaveSeen = 0.6
    /// Up to here something becomes hidden; smaller calls less hidden.
    public var enterHidden = 0.17
    /// What was hidden stays so up to here; larger holds longer.
    public var leaveHidden = 0.3

    /// The defaults.
    public init() {}
  }
}
