import SightlineMath
import SightlineScene

/// How lines and areas are drawn; what is `nil` is as usual.
public struct PathStyle: Equatable, Sendable {
  /// Colour of lines and borders, red in bits 16 to 23, then green and blue; `nil`: that of the feature's category.
  public var stroke: UInt32?
  /// 0 … 1.
  public var strokeOpacity: Double?
  /// Colour of areas; `nil`: as their borders.
  public var fill: UInt32?
  /// 0 … 1.
  public var fillOpacity: Double?
  /// Width of lines and borders, points.
  public var width: Double?
  /// Number of the feature's category.
  public var category: UInt8 = 0

  /// A style that says nothing.
  public init() {}

  /// The colour of lines and borders.
  var line: Paint { stroke.map { Paint($0) } ?? .category(category) }

  /// The colour of areas, as far as they let through what lies under them.
  var area: Paint { (fill.map { Paint($0) } ?? line).faded(part(fillOpacity, usual: 0.22)) }

  /// How much is seen of lines and borders.
  var lineOpacity: Double { part(strokeOpacity, usual: 0.95) }

  /// Points; 0 for none.
  var points: Double { width.map { $0.isFinite ? max(0, min($0, 100)) : 5 } ?? 5 }

  private func part(_ value: Double?, usual: Double) -> Double {
    value.map { $0.isFinite ? max(0, min($0, 1)) : usual } ?? usual
  }
}

extension FramePainter {
  /// Lines and areas on the ground, areas first, in the colours of the page.
  func drawPaths(_ scene: RenderedScene, _ canvas: Canvas) {
    let frame = scene.frame
    var areas: [(shape: Int32, runs: [ScenePathRun])] = []
    for run in frame.paths where run.isRing {
      if let last = areas.last, last.shape == run.shape {
        areas[areas.count - 1].runs.append(run)
      } else {
        areas.append((run.shape, [run]))
      }
    }
    for (_, runs) in areas {
      canvas.area(runs.map { frame.pathPoints[$0.points] }, style(of: runs[0], scene).area)
      for run in runs { drawLine(run, scene, canvas) }
    }
    for run in frame.paths where !run.isRing { drawLine(run, scene, canvas) }
  }

  private func style(of run: ScenePathRun, _ scene: RenderedScene) -> PathStyle {
    scene.pathStyles[run.feature] ?? PathStyle()
  }

  private func drawLine(_ run: ScenePathRun, _ scene: RenderedScene, _ canvas: Canvas) {
    let style = style(of: run, scene)
    let width = style.points * (run.feature == scene.frame.selected ? 1.6 : 1)
    guard width > 0 else { return }
    let points = scene.frame.pathPoints[run.points]
    // A dark line under the coloured one is readable on any picture.
    let shade = Paint(0x080C10, style.lineOpacity * 0.5)
    canvas.line(through: points, shade, width: width + 2.5, isClosed: run.isRing)
    canvas.line(through: points, style.line.faded(style.lineOpacity), width: width, isClosed: run.isRing)
  }
}

extension Paint {
  /// The page's colour of lines and areas of a category: hues far apart for neighbouring numbers, `hsl(h 75% 62%)`.
  static func category(_ number: UInt8) -> Paint {
    let hue = (165 + (Double(number) - 1) * 137.5).truncatingRemainder(dividingBy: 360)
    let (saturation, lightness) = (0.75, 0.62)
    // CSS Color 4, section 7.1.
    func part(_ n: Double) -> Double {
      let k = (n + hue / 30).truncatingRemainder(dividingBy: 12)
      return lightness - saturation * min(lightness, 1 - lightness) * max(-1, min(k - 3, 9 - k, 1))
    }
    var paint = Paint(0)
    (paint.red, paint.green, paint.blue) = (part(0), part(8), part(4))
    return paint
  }
}
