import SightlineMath

/// What holds for every stage while one frame is laid out: the parameters, the screen and the time.
///
/// Numbers alone: handing it on costs nothing but their copy.
struct LabelFrame: Sendable {
  var parameters: LabelLayout.Parameters
  var bounds: LabelBounds
  /// Seconds; never less than in the frame before, unless it is the first again.
  var now: Double
  /// Seconds since the last frame, infinite in the first.
  var elapsed: Double
  /// Number of the frame.
  var number: UInt32

  /// Whether nothing is known of a frame before: all appears at once, without movement.
  var isFirst: Bool { elapsed == .infinity }

  /// Room that something better must have.
  var returnClearance: Double { parameters.clearance + parameters.tremble }

  /// Centre of a box at its natural place, clamped to the screen.
  @inline(__always)
  func clamped(_ box: LabelBox) -> Vector2 {
    bounds.clamped(
      center: box.natural,
      width: box.width,
      height: box.height,
      anchor: box.anchor,
      margin: parameters.margin
    )
  }

  /// How much a box moves against the others as the hand trembles: not at all, unless the screen's edge holds it back.
  func tremble(of box: LabelBox) -> Double {
    let held = bounds.clamped(
      center: box.natural,
      width: box.width,
      height: box.height,
      anchor: box.anchor,
      margin: parameters.margin + parameters.tremble
    )
    return held == box.natural ? 0 : parameters.tremble
  }

  /// The box of a cluster at an offset from the cluster's anchor.
  @inline(__always)
  func badge(at anchor: Vector2, offset: Vector2) -> LabelBox {
    LabelBox(
      natural: anchor + offset,
      width: parameters.clusterWidth,
      height: parameters.clusterHeight,
      anchor: anchor
    )
  }

  /// How far a label may be lifted; a dot belongs to its place.
  func liftLimit(_ level: LabelLevel) -> Double {
    (level == .dot ? parameters.dotLift : parameters.maximumLift) + 1e-9
  }

  /// Whether a better lift has had room for long enough to change to it.
  func hasDwelt(_ better: BetterLift) -> Bool { now - better.since >= parameters.dwellSeconds }

  /// Whether a place is so far from a cluster's anchor that what stands there does not stay its member.
  func isFar(_ place: Vector2, from anchor: Vector2) -> Bool {
    (place - anchor).length > parameters.clusterRadius * 1.5
  }
}
