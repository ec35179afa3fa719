import SightlineMath

/// One visual that wants a place on the screen: the input of ``LabelLayout``.
///
/// Coordinates are *levelled*: screen points turned about the screen's centre so that the world's up is up
/// (``LabelBounds``). Boxes are axis-aligned there, x right, y down.
public struct LabelCandidate: Equatable, Sendable {
  /// Index in ``WorldDescription/features``.
  public var feature: Int32 = 0
  /// Identity over frames and content refreshes; 0 is none, then ``feature`` is the identity.
  public var key: UInt64 = 0
  /// The projected place itself, levelled points.
  ///
  /// A candidate whose anchor is not finite is ignored.
  public var anchor = Vector2.zero
  /// Width of the box, points; a negative one counts as 0, one that is not finite makes the candidate ignored.
  public var width: Double = 0
  /// Height of the box, points; as ``width``.
  public var height: Double = 0
  /// Width of the box with less on it, points; 0: there is no such, and no dot for it either.
  public var compactWidth: Double = 0
  /// Height of the box with less on it, points.
  public var compactHeight: Double = 0
  /// The point of the box that is put on the anchor, as fractions: (0.5, 1) is bottom centre.
  public var pivot = Vector2(0.5, 1)
  /// Distance from the user, metres: the nearer has priority.
  ///
  /// NaN counts as infinitely far.
  public var distance: Double = 0
  /// Whether it is the selected feature, which comes before all others.
  ///
  /// At most one; further ones count as unselected.
  public var isSelected = false
  /// Whether the layout may lift, clamp or cluster it.
  ///
  /// One that may not move (a picture at its true size) stands exactly at its place and is exempt: it is no obstacle to
  /// labels either, because a large picture near the user would otherwise drive every label off the screen.
  public var canMove = true

  /// A candidate with the defaults above.
  public init() {}
}
