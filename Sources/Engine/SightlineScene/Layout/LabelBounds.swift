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
  /// The part of the screen that boxes may stand in; the whole screen, unless ``isStrict``.
  public let free: ScreenRectangle
  /// Whether no box may reach beyond ``free``: otherwise boxes follow their places out of the picture.
  public let isStrict: Bool
  let cosine: Double
  let sine: Double
  let center: Vector2

  /// The bounds of a screen; a size that is negative or not finite counts as 0, a roll that is not finite as none.
  ///
  /// - Parameters:
  ///   - width: of the screen, points.
  ///   - height: of the screen, points.
  ///   - roll: of the labels.
  ///   - free: what is free of it between the host's bars, see ``isStrict``; `nil`: the host says nothing of bars.
  public init(width: Double, height: Double, roll: Angle = .zero, free: ScreenRectangle? = nil) {
    self.width = width.isFinite && width > 0 ? width : 0
    self.height = height.isFinite && height > 0 ? height : 0
    isStrict = free != nil
    self.free = free ?? ScreenRectangle(x: 0, y: 0, width: self.width, height: self.height)
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
    return p.x >= free.x - slack && p.y >= free.y - slack && p.x <= free.maxX + slack && p.y <= free.maxY + slack
  }

  /// How far a point of the screen lies inside its free part; negative outside.
  func rim(onScreen p: Vector2) -> Double {
    min(min(p.x - free.x, free.maxX - p.x), min(p.y - free.y, free.maxY - p.y))
  }

  /// How far, and which way, a point of the screen lies outside its free part.
  func beyond(onScreen p: Vector2) -> Vector2 {
    Vector2(
      p.x < free.x ? p.x - free.x : max(0, p.x - free.maxX),
      p.y < free.y ? p.y - free.y : max(0, p.y - free.maxY)
    )
  }

  /// How far a levelled point lies inside the free part of the screen; negative outside.
  func depth(of point: Vector2) -> Double {
    rim(onScreen: screen(fromLevelled: point))
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
  /// follows its anchor out of the picture without a jump; not where nothing may reach beyond, see ``isStrict``. A box
  /// larger than the screen is centred.
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
    let givesWay = isStrict ? 0.0 : 2
    let x = Self.clamped(p.x, half: half.x, anchor: a.x, from: free.x, to: free.maxX, margin: margin, givesWay)
    let y = Self.clamped(p.y, half: half.y, anchor: a.y, from: free.y, to: free.maxY, margin: margin, givesWay)
    return x == p.x && y == p.y ? center : levelled(fromScreen: Vector2(x, y))
  }

  @inline(__always)
  static func clamped(
    _ value: Double,
    half: Double,
    anchor: Double,
    from start: Double,
    to end: Double,
    margin: Double,
    _ givesWay: Double
  ) -> Double {
    var low = start + margin + half
    var high = end - margin - half
    if low > high { low = (low + high) / 2; high = low }
    if anchor < start { low += givesWay * (anchor - start) }
    if anchor > end { high += givesWay * (anchor - end) }
    return value < low ? low : (value > high ? high : value)
  }
}
