import SightlineMath

/// The screen as the label layout sees it: a rectangle, turned by the roll, in levelled coordinates.
///
/// Levelled coordinates are screen points turned about the screen's centre so that the world's up is up:
/// `screen = centre + rotate(levelled − centre, clockwise by roll)`. With no roll both are the same. An axis-aligned box
/// of levelled coordinates is a box turned by the roll on the screen, as ``SceneFrame/roll`` says.
public struct LabelBounds: Equatable, Sendable {
  /// Width of the screen, points.
  public let width: Double
  /// Height of the screen, points.
  public let height: Double
  /// Turn of the world's up on the screen, clockwise from the screen's top.
  public let roll: Angle
  let cosine: Double
  let sine: Double
  let center: Vector2

  /// The bounds of a screen; a size that is negative or not finite counts as 0, a roll that is not finite as none.
  public init(width: Double, height: Double, roll: Angle = .zero) {
    self.width = width.isFinite && width > 0 ? width : 0
    self.height = height.isFinite && height > 0 ? height : 0
    self.roll = roll.radians.isFinite ? roll : .zero
    cosine = self.roll.radians == 0 ? 1 : cos(self.roll.radians)
    sine = self.roll.radians == 0 ? 0 : sin(self.roll.radians)
    center = Vector2(self.width / 2, self.height / 2)
  }

  /// The levelled point of a screen point.
  public func levelled(fromScreen point: Vector2) -> Vector2 {
    sine == 0 && cosine == 1 ? point : center + (point - center).rotated(cosine: cosine, sine: -sine)
  }

  /// The screen point of a levelled point.
  public func screen(fromLevelled point: Vector2) -> Vector2 {
    sine == 0 && cosine == 1 ? point : center + (point - center).rotated(cosine: cosine, sine: sine)
  }

  /// Half the size, on the screen's own axes, of a levelled box of the given size.
  @inline(__always)
  func halfExtent(width: Double, height: Double) -> Vector2 {
    let c = abs(cosine), s = abs(sine)
    return Vector2((c * width + s * height) / 2, (s * width + c * height) / 2)
  }

  /// Whether a levelled point lies on the screen grown by `slack` points on every side.
  func contains(_ point: Vector2, slack: Double = 0) -> Bool {
    let p = screen(fromLevelled: point)
    return p.x >= -slack && p.y >= -slack && p.x <= width + slack && p.y <= height + slack
  }

  /// Whether a levelled box touches the screen (the corners of turned boxes are cut generously).
  func touches(center: Vector2, width boxWidth: Double, height boxHeight: Double) -> Bool {
    let p = screen(fromLevelled: center)
    let half = halfExtent(width: boxWidth, height: boxHeight)
    return p.x + half.x >= 0 && p.y + half.y >= 0 && p.x - half.x <= width && p.y - half.y <= height
  }

  /// The centre moved as little as it takes for the box to lie on the screen, `margin` points from its edges.
  ///
  /// When the box's anchor is itself outside, the limit gives way by twice its distance from the edge, so that a label
  /// follows its anchor out of the picture without a jump. A box larger than the screen is centred.
  func clamped(
    center: Vector2,
    width boxWidth: Double,
    height boxHeight: Double,
    anchor: Vector2,
    margin: Double
  )
    -> Vector2
  {
    let p = screen(fromLevelled: center)
    let a = screen(fromLevelled: anchor)
    let half = halfExtent(width: boxWidth, height: boxHeight)
    let x = Self.clamped(p.x, half: half.x, anchor: a.x, size: width, margin: margin)
    let y = Self.clamped(p.y, half: half.y, anchor: a.y, size: height, margin: margin)
    return x == p.x && y == p.y ? center : levelled(fromScreen: Vector2(x, y))
  }

  @inline(__always)
  static func clamped(_ value: Double, half: Double, anchor: Double, size: Double, margin: Double) -> Double {
    var low = margin + half
    var high = size - margin - half
    if low > high { low = (low + high) / 2; high = low }
    if anchor < 0 { low += 2 * anchor }
    if anchor > size { high += 2 * (anchor - size) }
    return value < low ? low : (value > high ? high : value)
  }
}
