import Foundation
import SightlineCamera
import SightlineInput
import SightlineMath
import SightlinePictures
import SightlineRecording
import SightlineRendering

/// Draws the frames of a replay.
struct RenderSink: ReplaySink {
  private let writer: FrameWriter
  private let showsTruth: Bool
  /// Where the recording lies, and the videos beside it.
  private let folder: URL
  private var lines: SceneFrameJSON?
  private var decoded: (time: Double, picture: Picture)?
  private var video: (file: String, reader: VideoReader)?
  private var notedDamage = false
  private var models: RenderedModels
  private var things = RenderedThings()

  init(
    to path: String,
    rate: Double,
    scale: Double,
    showsTruth: Bool,
    models: RenderedModels,
    folder: URL,
    lines: OutputFile?
  ) {
    self.models = models
    writer = FrameWriter(to: FrameTarget(path: path, rate: rate), scale: scale)
    self.showsTruth = showsTruth
    self.folder = folder
    self.lines = lines.map { file in SceneFrameJSON { try file.write($0) } }
  }

  mutating func take(_ replayed: ReplayedFrame) throws {
    try lines?.take(replayed)
    if let (image, time) = replayed.picture, decoded?.time != time {
      if let picture = try picture(image) { decoded = (time, picture) }
    }
    var scene = RenderedScene(frame: replayed.frame, status: replayed.status, picture: decoded?.picture)
    scene.texts = replayed.world?.texts ?? []
    scene.pathStyles = styles(of: replayed)
    if let projection = replayed.session.projection {
      scene.lens = DisplayLens(focal: projection.focalPoints, center: projection.center)
      scene.models = models.scene(replayed, picture: decoded)?.models ?? []
      // A frame that is not valid has none.
      scene.models += things.models(in: replayed.frame, of: replayed.session.world, except: models.drawn)
    }
    if showsTruth, let truth = replayed.truth?.value { scene.truth = points(truth, replayed) }
    let tenths = Int(clamped: (replayed.frame.time * 10).rounded(.down))
    scene.caption = "\(tenths / 10).\(abs(tenths % 10)) s"
    try writer.write(scene)
  }

  func finish() throws { try writer.finish() }

  /// How the lines and areas of a frame are drawn.
  private func styles(of replayed: ReplayedFrame) -> [Int32: PathStyle] {
    var styles: [Int32: PathStyle] = [:]
    let features = replayed.session.world.features
    for run in replayed.frame.paths where styles[run.feature] == nil {
      var style = PathStyle()
      if features.indices.contains(Int(run.feature)) { style.category = features[Int(run.feature)].category }
      if let said = replayed.world?.pathStyles[run.feature] {
        (style.stroke, style.strokeOpacity) = (said.stroke, said.strokeOpacity)
        (style.fill, style.fillOpacity) = (said.fill, said.fillOpacity)
        style.width = said.width
      }
      styles[run.feature] = style
    }
    return styles
  }

  private mutating func picture(_ image: RecordedPicture) throws -> Picture? {
    switch image.source {
    case .embedded(_, let bytes):
      // One bad picture is no reason to stop: the one before stays.
      let picture = try? Picture(decoding: bytes, as: .rgb)
      if picture == nil, !notedDamage {
        notedDamage = true
        Console.note("A picture of the recording cannot be decoded; the one before it is shown instead.")
      }
      return picture
    case .video(let file, let frame):
      if video?.file != file {
        // The name only: a recording does not decide which files are read.
        let path = folder.appending(path: URL(fileURLWithPath: file).lastPathComponent).path
        let reader = try VideoReader(path: path, width: Int(image.width), height: Int(image.height))
        video = (file, reader)
      }
      return video?.reader.frame(Int(frame))
    }
  }

  /// Where the visible landmarks really are on the display.
  private func points(_ truth: GroundTruth, _ replayed: ReplayedFrame) -> [Vector2] {
    let frame = replayed.frame
    guard frame.width > 0, frame.height > 0 else { return [] }
    // Without a picture, the session takes one of the display's own shape.
    let (width, height) =
      replayed.picture.map { (Double($0.image.width), Double($0.image.height)) } ?? (frame.width, frame.height)
    let placement = FramePainter.placement(
      width: width,
      height: height,
      on: Display(width: frame.width, height: frame.height)
    )
    return truth.landmarks.filter(\.isVisible).map { placement.displayPoint(ofPixel: $0.pixel) }
  }
}
