import SightlineMath

/// When the visual of a feature is shown, and how large, where its document says so.
public struct DisplayRule: Equatable, Sendable {
  /// Which selection it takes.
  public enum Selection: UInt8, Sendable {
    /// Any.
    case any = 0
    /// Shown only while its feature is selected.
    case selected = 1
    /// Shown only while its feature is not.
    case unselected = 2
  }

  /// The feature that it is of, an index in ``WorldDescription/features``.
  public var feature: Int32
  /// Shown only when the user is at least this far away, metres along the ground; 0 is no such limit.
  public var nearest = 0.0
  /// How its size follows the distance; `nil`: as everything's does.
  public var scaling: DistanceScaling?
  /// Which selection it takes.
  public var selection = Selection.any
  /// Features whose rules have the same number count as selected together; −1: it alone counts.
  public var group: Int32 = -1

  /// A rule that changes nothing.
  public init(feature: Int32) { self.feature = feature }
}

/// Size on the display by distance, as ARML 2.0 has it (OGC 12-132r4, 6.5.3, custom mode).
///
/// Up to ``near`` something is as large as it is seen from there, from ``far`` on ``factor`` times as large; in between its size on the
/// display falls (or grows) evenly with the distance. Outside of the two nothing scales any more.
public struct DistanceScaling: Equatable, Sendable {
  /// Where scaling starts, metres, > 0.
  public var near: Double
  /// Where it stops, metres, > ``near``; ∞: nowhere.
  public var far: Double
  /// Size on the display at ``far``, in sizes at ``near``, > 0.
  public var factor: Double

  /// A scaling; `nil` where the numbers make none.
  public init?(near: Double, far: Double, factor: Double) {
    guard near > 0, far > near, near.isFinite, factor > 0, factor <= 1e3 else { return nil }
    (self.near, self.far, self.factor) = (near, far, factor)
  }

  /// Size on the display at a distance, metres, in sizes at ``near``.
  public func share(at distance: Double) -> Double {
    let way = clamp((distance - near) / (far - near), 0, 1)
    return 1 + (factor - 1) * (way.isNaN ? 0 : way)
  }

  /// By how much something in metres has to grow at a distance, so that it is as large on the display as it shall be.
  public func growth(at distance: Double) -> Double { max(distance, 1e-3) / near * share(at: distance) }

  /// The same of a label, which has no metres: letters are never less than half as large as usual, nor more than twice.
  public func labelScale(at distance: Double) -> Double { clamp(share(at: distance), 0.5, 2) }
}

extension PlacedWorld {
  /// The rule of a feature, if it has one.
  func rule(of feature: Int32) -> DisplayRule? {
    let index = places[Int(feature)].rule
    return index < 0 ? nil : rules[Int(index)]
  }

  /// Whether what is selected keeps a feature's visual from being shown.
  func isHeldBack(_ feature: Int32, selected: Int32?) -> Bool {
    guard let rule = rule(of: feature), rule.selection != .any else { return false }
    var isSelected = selected == feature
    if rule.group >= 0, let selected, let other = self.rule(of: selected), other.group == rule.group {
      isSelected = true
    }
    return isSelected != (rule.selection == .selected)
  }
}
