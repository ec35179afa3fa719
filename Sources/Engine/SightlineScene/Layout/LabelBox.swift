import SightlineMath

/// A box that wants a place: a label's, or a cluster's.
struct LabelBox: Sendable {
  /// Centre where it would stand if nothing were in the way.
  var natural: Vector2
  var width: Double
  var height: Double
  /// The place it belongs to, and follows out of the picture.
  var anchor: Vector2

  /// The box a way further up.
  @inline(__always)
  func lifted(by lift: Double) -> LabelBox {
    LabelBox(natural: Vector2(natural.x, natural.y - lift), width: width, height: height, anchor: anchor)
  }
}
