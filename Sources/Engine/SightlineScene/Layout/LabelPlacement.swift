import SightlineMath

/// How much of a label is shown.
public enum LabelLevel: UInt8, Comparable, Sendable {
  /// All of it.
  case card = 0
  /// Its name alone.
  case pill = 1
  /// A dot at its place.
  case dot = 2

  /// Whether one shows more than another.
  public static func < (a: LabelLevel, b: LabelLevel) -> Bool { a.rawValue < b.rawValue }
}

/// Where one candidate's box stands, in levelled coordinates.
///
/// An output of ``LabelLayout``.
public struct LabelPlacement: Equatable, Sendable {
  /// Index in the array of candidates given to ``LabelLayout/update(candidates:bounds:obstacles:time:)``.
  public var candidate: Int32 = 0
  /// Index in ``WorldDescription/features``.
  public var feature: Int32 = 0
  /// How much of the label is shown.
  public var level = LabelLevel.card
  /// Width of the box at its level, points.
  public var width: Double = 0
  /// Height of the box at its level, points.
  public var height: Double = 0
  /// Centre of the box as it is to be drawn now, levelled points.
  public var center = Vector2.zero
  /// Centre of the box where it will come to rest, levelled points; equal to ``center`` when nothing moves.
  public var target = Vector2.zero
  /// 0 … 1, for fading in.
  ///
  /// Only boxes with an opacity above 0 are promised not to overlap.
  public var opacity: Double = 1
  /// Whether the box stands away from its place, so that a leader line from the box to the anchor is wanted.
  public var hasLeader = false
  /// Whether it was fanned out of a cluster.
  public var isFannedOut = false

  /// A placement with the defaults above.
  public init() {}
}

/// Candidates that could not be laid out side by side, in levelled coordinates.
///
/// An output of ``LabelLayout``.
public struct LabelCluster: Equatable, Sendable {
  /// Stable while the cluster lives, never given to two clusters of one layout at a time; > 0.
  public var id: Int32 = 0
  /// The place it stands for: where one of its members is, or was before it left the view, levelled points.
  public var anchor = Vector2.zero
  /// Centre of its box as it is to be drawn now, levelled points.
  public var center = Vector2.zero
  /// Centre of its box where it will come to rest, levelled points.
  public var target = Vector2.zero
  /// Width of the box, points.
  public var width: Double = 0
  /// Height of the box, points.
  public var height: Double = 0
  /// Distance of the nearest member, metres.
  public var nearestDistance: Double = 0
  /// Range in ``LabelLayout/clusterMembers``, nearest first.
  ///
  /// Of an open cluster these are the members fanned out now; those that found no room in the fan are the members of a
  /// second, closed cluster, the remainder.
  public var members: Range<Int> = 0..<0
  /// Whether its members are fanned out.
  public var isOpen = false
  /// 0 … 1, for fading in.
  public var opacity: Double = 1
  /// Whether the box stands away from ``anchor``, so that a leader line is wanted.
  public var hasLeader = false

  /// A cluster with the defaults above.
  public init() {}
}
