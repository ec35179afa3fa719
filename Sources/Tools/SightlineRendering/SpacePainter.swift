import SightlineInput
import SightlineMath
import SightlinePictures

/// Draws what world tracking knows of the surroundings.
public final class SpacePainter {
  /// Distances that the colours of points go over, metres.
  private static let (nearest, farthest) = (0.5, 6.0)
  /// Least way across the plan, metres.
  private static let leastExtent = 2.0

  /// Pixels for a pixel of the camera's picture.
  public let scale: Double
  private var canvas: Canvas?

  /// A painter.
  ///
  /// - Parameter scale: pixels for a pixel of the camera's picture, 0.25 … 8.
  public init(scale: Double = 1) { self.scale = scale }

  /// Draws a frame as a picture.
  ///
  /// - Parameter space: what to draw.
  /// - Returns: the picture, whose sides are even numbers of pixels, as videos want them.
  /// - Throws: ``RenderingError/size(width:height:)``.
  public func paint(_ space: RenderedSpace) throws(RenderingError) -> Picture { try draw(space).picture }

  /// Draws a frame; the surface is used again for the next one.
  func draw(_ space: RenderedSpace) throws(RenderingError) -> Canvas {
    let (width, height) = (Double(space.picture.width), Double(space.picture.height))
    let canvas = try surface(width, height)
    canvas.fillAll(Paint(0x10181E))
    canvas.draw(space.picture, at: Vector2(0, 0), scale: 1)
    for plane in space.planes { draw(plane, canvas) }
    let unit = max(1, min(width, height) / 320)
    for point in space.points { canvas.disc(Self.place(point.pixel), 1.6 * unit, Self.paint(distance: point.distance)) }
    for pixel in space.followed { canvas.ring(Self.place(pixel), 3 * unit, .accent, width: unit) }
    for piece in space.path { draw(piece.map(Self.place), .shade, .pick, unit, canvas) }
    if let plan = space.plan { draw(plan, width, height, unit, canvas) }
    if !space.caption.isEmpty {
      let size = 11 * unit
      let middle = Vector2(width / 2, size * 1.3)
      canvas.box(
        center: middle,
        width: width - 2 * size,
        height: size * 2,
        radius: size,
        .glass,
        line: space.isUnsure ? .bad : .glassLine
      )
      let style = Canvas.Style(size: size, paint: space.isUnsure ? .bad : .text)
      canvas.write(space.caption, at: middle, style, widest: width - 4 * size)
    }
    return canvas
  }

  /// Where a pixel's middle is on the canvas.
  private static func place(_ pixel: Vector2) -> Vector2 { pixel + Vector2(0.5, 0.5) }

  /// From red, near, over yellow and green to blue, far.
  static func paint(distance: Double) -> Paint {
    let span = log(farthest / nearest)
    let share = distance > nearest ? min(1, log(distance / nearest) / span) : 0
    let hue = share * 4
    func part(_ middle: Double) -> Double { max(0, min(1, 1.5 - abs(hue - middle))) }
    var paint = Paint(0, 0.95)
    (paint.red, paint.green, paint.blue) = (part(0), part(2), part(4))
    return paint
  }

  private static func paint(_ surface: RenderedSpace.Surface) -> Paint {
    switch surface {
    case .floor: Paint(0x3CE63C)
    case .level: Paint(0x00BEFF)
    case .upright: Paint(0xFF9600)
    case .ceiling: Paint(0xC080FF)
    }
  }

  private func draw(_ plane: RenderedSpace.Plane, _ canvas: Canvas) {
    let corners = plane.outline.map(Self.place)
    guard corners.count >= 3 else { return }
    let paint = Self.paint(plane.surface)
    canvas.polygon(corners, paint.faded(0.22))
    for k in corners.indices { canvas.line(corners[k], corners[(k + 1) % corners.count], paint.faded(0.9), width: 1.5) }
  }

  /// A line with a dark edge.
  private func draw(_ piece: [Vector2], _ edge: Paint, _ paint: Paint, _ unit: Double, _ canvas: Canvas) {
    for (paint, width) in [(edge, 4 * unit), (paint, 2 * unit)] {
      for (a, b) in zip(piece, piece.dropFirst()) { canvas.line(a, b, paint, width: width) }
    }
  }

  /// The plan in the lower right corner, as large as fits.
  private func draw(
    _ plan: RenderedSpace.Plan,
    _ width: Double,
    _ height: Double,
    _ unit: Double,
    _ canvas: Canvas
  ) {
    let side = 0.34 * min(width, height)
    let center = Vector2(width - side / 2 - 8 * unit, height - side / 2 - 8 * unit)
    canvas.box(center: center, width: side, height: side, radius: 8 * unit, .glass, line: .glassLine)
    // All of the way is shown, and where one is.
    let shown = plan.path.flatMap { $0 } + [plan.place]
    let (xs, ys) = (shown.map(\.x), shown.map(\.y))
    guard let left = xs.min(), let right = xs.max(), let low = ys.min(), let high = ys.max(), (right - left).isFinite,
      (high - low).isFinite
    else { return }
    let middle = Vector2((left + right) / 2, (low + high) / 2)
    let extent = max(Self.leastExtent, right - left, high - low) * 1.5
    let factor = side / extent
    func place(_ point: Vector2) -> Vector2 {
      center + Vector2((point.x - middle.x) * factor, (middle.y - point.y) * factor)
    }
    for point in plan.points {
      let at = place(point)
      guard abs(at.x - center.x) < side / 2, abs(at.y - center.y) < side / 2 else { continue }
      canvas.disc(at, 0.8 * unit, .secondText.faded(0.7))
    }
    for piece in plan.path { draw(piece.map(place), .shade, .pick, 0.7 * unit, canvas) }
    let at = place(plan.place)
    // Up on the plan is y; a slice's direction is clockwise from the top.
    let direction = atan2(plan.direction.x, plan.direction.y)
    canvas.wedge(at, side / 5, direction: direction, opening: 1, .accent.faded(0.7), .accent.faded(0))
    canvas.disc(at, 2.5 * unit, .accent)
    // A metre, as a measure.
    let foot = Vector2(center.x - side / 2 + 6 * unit, center.y + side / 2 - 6 * unit)
    canvas.line(foot, foot + Vector2(factor, 0), .text, width: 1.5 * unit)
    canvas.write("1 m", at: foot - Vector2(0, 6 * unit), .init(size: 8 * unit, alignment: .left))
  }

  private func surface(_ width: Double, _ height: Double) throws(RenderingError) -> Canvas {
    func even(_ side: Double) -> Int {
      let pixels = side * scale
      return pixels.isFinite && pixels < 1e6 ? max(2, Int(clamped: (pixels / 2).rounded()) * 2) : .max
    }
    let (columns, rows) = (even(width), even(height))
    if let canvas, canvas.width == columns, canvas.height == rows { return canvas }
    let fresh = try Canvas(width: columns, height: rows, scale: scale)
    canvas = fresh
    return fresh
  }
}
