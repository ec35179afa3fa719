import SightlineMath

/// Collects, frame by frame, what lies outside the view, by side.
///
/// Sides are those of a person who turns around: a feature within the azimuths of the view is above or below it;
/// everything else is to the left or right, the shorter way, unless it stands more than 60° over or under the horizon:
/// then it is above or below, because turning would not show it. When the view is steep, azimuths crowd together, so the
/// sector of "ahead" opens from the field of view at 45° up to ±45° at the vertical.
struct EdgeArrowCollector: Sendable {
  struct Group: Sendable {
    var count: Int32 = 0
    var nearest: Int32 = -1
    var distance = Double.infinity
  }

  private var left = Group()
  private var right = Group()
  private var above = Group()
  private var below = Group()
  private var selection: (side: EdgeSide, feature: Int32, distance: Double, direction: Vector2?)?
  /// Tangent of half the sector that counts as ahead.
  private let aheadTangent: Double
  private let sinPitch: Double
  private let cosPitch: Double

  /// A collector for a view; `halfWidthTangent` is half the view's width over the focal length.
  init(pose: ViewPose, halfWidthTangent: Double) {
    sinPitch = pose.forward.z
    cosPitch = pose.upInScreen
    let steepness = clamp((abs(sinPitch) - 0.5.squareRoot()) / (1 - 0.5.squareRoot()), 0, 1)
    aheadTangent = halfWidthTangent + steepness * max(0, 1 - halfWidthTangent)
  }

  /// Which side a direction outside the view is on.
  ///
  /// - Parameters:
  ///   - right: metres to the right of the levelled view, horizontally.
  ///   - ahead: metres ahead, horizontally.
  ///   - up: metres up.
  /// - Returns: the side an arrow to it belongs to.
  @inline(__always)
  func side(right: Double, ahead: Double, up: Double) -> EdgeSide {
    let isAhead = ahead > 0 && abs(right) <= aheadTangent * ahead
    if isAhead || up * up > 3 * (right * right + ahead * ahead) {
      // The sign of the vertical component in the levelled picture; what is over or under one's head keeps its own.
      let vertical = isAhead ? up * cosPitch - ahead * sinPitch : up
      return vertical >= 0 ? .above : .below
    }
    return right < 0 ? .left : .right
  }

  /// The side of a direction that was on `previous` a frame ago: what is right behind one does not change sides with
  /// every tremor of the hand, but only 10° past due behind.
  func steadySide(right: Double, ahead: Double, up: Double, previous: EdgeSide?) -> EdgeSide {
    let side = side(right: right, ahead: ahead, up: up)
    guard let previous, previous != side, ahead < 0, abs(right) < 0.176 * -ahead else { return side }
    return (side == .left && previous == .right) || (side == .right && previous == .left) ? previous : side
  }

  /// Counts a feature outside the view.
  ///
  /// Nearest first, so the first of a side is its nearest.
  @inline(__always)
  mutating func add(_ side: EdgeSide, feature: Int32, distance: Double) {
    switch side {
    case .left: left.add(feature, distance)
    case .right: right.add(feature, distance)
    case .above: above.add(feature, distance)
    case .below: below.add(feature, distance)
    }
  }

  /// Notes the selected feature, which gets an arrow of its own and is in no group.
  ///
  /// `direction` is that on the levelled screen from its centre, if the feature is in front of the camera.
  mutating func addSelection(_ side: EdgeSide, feature: Int32, distance: Double, direction: Vector2?) {
    selection = (side, feature, distance, direction)
  }

  /// Writes the arrows: left, right, above, below, then that of the selection.
  func write(into arrows: inout [EdgeArrow], bounds: LabelBounds, inset: Double, spacing: Double) {
    let edge = ScreenEdge(bounds: bounds, inset: inset)
    write(left, .left, Vector2(-1, 0), edge, &arrows)
    write(right, .right, Vector2(1, 0), edge, &arrows)
    write(above, .above, Vector2(0, -1), edge, &arrows)
    write(below, .below, Vector2(0, 1), edge, &arrows)
    guard let selection else { return }
    var direction = selection.side.levelledDirection
    if let exact = selection.direction, exact.length > 0 { direction = exact * (1 / exact.length) }
    var arrow = EdgeArrow()
    arrow.side = selection.side
    arrow.count = 1
    arrow.nearest = selection.feature
    arrow.nearestDistance = selection.distance
    arrow.isForSelection = true
    arrow.direction = edge.screenAngle(direction)
    arrow.position = edge.point(direction)
    for other in arrows where (other.position - arrow.position).length < spacing {
      // Beside the group's arrow, along the edge, not on it.
      arrow.position = edge.clamped(other.position + edge.alongside(other.side) * spacing)
    }
    arrows.append(arrow)
  }

  private func write(
    _ group: Group,
    _ side: EdgeSide,
    _ direction: Vector2,
    _ edge: ScreenEdge,
    _ arrows: inout [EdgeArrow]
  ) {
    guard group.count > 0 else { return }
    var arrow = EdgeArrow()
    arrow.side = side
    arrow.position = edge.point(direction)
    arrow.direction = edge.screenAngle(direction)
    arrow.count = group.count
    arrow.nearest = group.nearest
    arrow.nearestDistance = group.distance
    arrows.append(arrow)
  }
}

extension EdgeArrowCollector.Group {
  @inline(__always)
  fileprivate mutating func add(_ feature: Int32, _ distance: Double) {
    count += 1
    guard distance < self.distance else { return }
    nearest = feature
    self.distance = distance
  }
}

extension EdgeSide {
  /// Levelled, y down.
  fileprivate var levelledDirection: Vector2 {
    switch self {
    case .left: Vector2(-1, 0)
    case .right: Vector2(1, 0)
    case .above: Vector2(0, -1)
    case .below: Vector2(0, 1)
    }
  }
}

/// The rectangle along which arrows stand: the screen less a margin.
private struct ScreenEdge {
  let bounds: LabelBounds
  let center: Vector2
  let halfWidth: Double
  let halfHeight: Double

  init(bounds: LabelBounds, inset: Double) {
    self.bounds = bounds
    center = Vector2(bounds.width / 2, bounds.height / 2)
    halfWidth = max(0, bounds.width / 2 - inset)
    halfHeight = max(0, bounds.height / 2 - inset)
  }

  func onScreen(_ direction: Vector2) -> Vector2 {
    bounds.screen(fromLevelled: center + direction) - center
  }
  /// Where the ray from the centre in a levelled direction meets the rectangle.
  func point(_ direction: Vector2) -> Vector2 {
    let d = onScreen(direction)
    let reach = min(
      d.x == 0 ? .infinity : halfWidth / abs(d.x),
      d.y == 0 ? .infinity : halfHeight / abs(d.y)
    )
    return reach.isFinite ? center + d * reach : center
  }
  func screenAngle(_ direction: Vector2) -> Angle {
    let d = onScreen(direction)
    return Angle(radians: atan2(d.x, -d.y))
  }
  /// Unit vector on the screen along a side: downwards beside left and right, rightwards beside above and below.
  func alongside(_ side: EdgeSide) -> Vector2 {
    switch side {
    case .left, .right: onScreen(Vector2(0, 1))
    case .above, .below: onScreen(Vector2(1, 0))
    }
  }
  func clamped(_ point: Vector2) -> Vector2 {
    Vector2(
      clamp(point.x, center.x - halfWidth, center.x + halfWidth),
      clamp(point.y, center.y - halfHeight, center.y + halfHeight)
    )
  }
  private func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double {
    value < low ? low : (value > high ? high : value)
  }
}
