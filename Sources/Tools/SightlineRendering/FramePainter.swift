import SightlineCamera
import SightlineEngine
import SightlineInput
import SightlineMath
import SightlinePictures
import SightlineScene

/// What is drawn: a frame of the engine over the camera's picture.
public struct RenderedScene: Sendable {
  /// What the engine wants drawn.
  public var frame: SceneFrame
  /// The three lights.
  public var status: SessionStatus
  /// The camera's picture, upright on the display; `nil` for none.
  public var picture: Picture?
  /// The text of a feature's label; shorter than the features when unknown.
  public var texts: [String]
  /// How a feature's lines and areas are drawn, where that is known.
  public var pathStyles: [Int32: PathStyle] = [:]
  /// Where the landmarks really are, display points; drawn as rings.
  public var truth: [Vector2]
  /// A line of small print at the lower edge.
  public var caption: String
  /// Models, drawn over the picture and under the labels.
  public var models: [PlacedModel] = []
  /// The camera of the display, in points; nothing is drawn of ``models`` without it.
  public var lens: DisplayLens?

  /// A scene.
  public init(
    frame: SceneFrame,
    status: SessionStatus,
    picture: Picture? = nil,
    texts: [String] = [],
    truth: [Vector2] = [],
    caption: String = ""
  ) {
    self.frame = frame
    self.status = status
    self.picture = picture
    self.texts = texts
    self.truth = truth
    self.caption = caption
  }
}

/// Draws what a phone would show, as the web client draws it: labels with leader lines, clusters, arrows at the edges, the
/// radar and the lights.
///
/// Everything is drawn in points of the display, `scale` pixels each.
public final class FramePainter {
  /// Pixels for a point.
  public let scale: Double
  private var canvas: Canvas?

  /// A painter.
  ///
  /// - Parameter scale: pixels for a point, 0.25 … 8.
  public init(scale: Double = 2) { self.scale = scale }

  /// Draws a scene as a picture.
  ///
  /// - Parameter scene: what to draw.
  /// - Returns: the picture, whose sides are even numbers of pixels, as videos want them.
  /// - Throws: ``RenderingError/size(width:height:)``.
  public func paint(_ scene: RenderedScene) throws(RenderingError) -> Picture { try draw(scene).picture }

  /// Draws a scene; the surface is used again for the next one.
  func draw(_ scene: RenderedScene) throws(RenderingError) -> Canvas {
    let canvas = try surface(for: scene)
    canvas.fillAll(Paint(0x10181E))
    let frame = scene.frame
    if let picture = scene.picture { drawPicture(picture, canvas, frame) }
    if let lens = scene.lens, !scene.models.isEmpty {
      let pixels = DisplayLens(focal: lens.focal * scale, center: lens.center * scale)
      if let drawn = ModelPicture(scene.models, lens: pixels, width: canvas.width, height: canvas.height) {
        canvas.lay(drawn)
      }
    }
    for point in scene.truth { drawTruth(point, canvas) }
    if frame.isValid {
      drawPaths(scene, canvas)
      // What is far first; labels over all leader lines.
      for item in frame.items.reversed() where item.hasLeader {
        drawLeader(from: item.center, to: item.anchor, item.opacity, item.isSelected, canvas)
      }
      for cluster in frame.clusters where cluster.hasLeader {
        drawLeader(from: cluster.center, to: cluster.anchor, cluster.opacity, false, canvas)
      }
      for item in frame.items.reversed() { drawLabel(item, scene, canvas) }
      for cluster in frame.clusters.reversed() { drawCluster(cluster, frame, canvas) }
      for arrow in frame.arrows { drawArrow(arrow, frame, canvas) }
      if frame.radar.isAvailable { drawRadar(frame, canvas) }
    }
    // What stands on anchors needs no position.
    for item in frame.anchored { drawAnchored(item, scene, canvas) }
    drawStatus(scene, canvas)
    if !scene.caption.isEmpty { drawCaption(scene.caption, frame, canvas) }
    return canvas
  }

  private func surface(for scene: RenderedScene) throws(RenderingError) -> Canvas {
    // Before the display is known: an ordinary phone's.
    let (w, h) = scene.frame.width > 0 ? (scene.frame.width, scene.frame.height) : (390, 844)
    func even(_ points: Double) -> Int {
      let pixels = points * scale
      return pixels.isFinite && pixels < 1e6 ? max(2, Int(clamped: (pixels / 2).rounded()) * 2) : .max
    }
    let (width, height) = (even(w), even(h))
    if let canvas, canvas.width == width, canvas.height == height { return canvas }
    let fresh = try Canvas(width: width, height: height, scale: scale)
    canvas = fresh
    return fresh
  }

  private func drawPicture(_ picture: Picture, _ canvas: Canvas, _ frame: SceneFrame) {
    let (w, h) = frame.width > 0 ? (frame.width, frame.height) : (390, 844)
    let placement = Self.placement(
      width: Double(picture.width),
      height: Double(picture.height),
      on: Display(width: w, height: h)
    )
    canvas.draw(picture, at: placement.origin, scale: placement.scale)
  }

  /// How an upright picture of so many pixels is laid on a display.
  public static func placement(width: Double, height: Double, on display: Display) -> PicturePlacement {
    // It depends on the picture's shape only, not on its lens.
    let lens = Intrinsics(width: width, height: height, longSideFieldOfView: Angle(degrees: 60))
    return PicturePlacement(display: display, picture: CameraPicture(intrinsics: lens))
  }

  private func drawTruth(_ point: Vector2, _ canvas: Canvas) {
    canvas.ring(point, 7, .shade, width: 3.5)
    canvas.ring(point, 7, Paint(0xFFFFFF), width: 1.6)
    canvas.disc(point, 1.4, Paint(0xFFFFFF))
  }

  private func drawCaption(_ text: String, _ frame: SceneFrame, _ canvas: Canvas) {
    let (w, h) = frame.width > 0 ? (frame.width, frame.height) : (390, 844)
    let point = Vector2(w - 10, h - 12)
    canvas.write(text, at: point + Vector2(0.7, 0.7), .init(size: 10, paint: .shade, alignment: .right))
    canvas.write(text, at: point, .init(size: 10, paint: .text.faded(0.9), alignment: .right))
  }
}
