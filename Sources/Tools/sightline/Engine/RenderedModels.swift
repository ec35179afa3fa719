import ArgumentParser
import Foundation
import SightlineCamera
import SightlineImaging
import SightlineMarkers
import SightlineMath
import SightlineModels
import SightlinePictures
import SightlineRecording
import SightlineRendering
import SightlineScene
import SightlineVision

/// A model and where it stands, as an argument says it: `WHERE=FILE[,scale=X][,turn=DEG]`.
struct ModelArgument: ExpressibleByArgument, Equatable {
  /// What a model stands on.
  enum Ground: Equatable {
    /// A printed marker whose border is so long, metres.
    case marker(MarkerDictionary, id: Int, side: Double)
    /// The place with this label.
    case place(String)
  }
  var ground: Ground
  var file: String
  /// Metres for one unit; `nil` for as wide as the marker, or one metre.
  var scale: Double?
  /// Counter-clockwise as seen from above, degrees.
  var turn = 0.0

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "=") else { return nil }
    let place = String(argument[..<equals])
    var parts = argument[argument.index(after: equals)...].split(separator: ",", omittingEmptySubsequences: false)
    guard let file = parts.first, !file.isEmpty, !place.isEmpty else { return nil }
    parts.removeFirst()
    self.file = String(file)
    ground = .place(place)
    let words = place.split(separator: ":", omittingEmptySubsequences: false)
    if words.count == 3, let dictionary = DictionaryArgument(argument: String(words[0]))?.dictionary {
      guard let id = Int(words[1]), id >= 0, id < dictionary.count, let side = Double(words[2]), side > 0, side < 100
      else { return nil }
      ground = .marker(dictionary, id: id, side: side)
    }
    for part in parts {
      let pair = part.split(separator: "=", omittingEmptySubsequences: false)
      guard pair.count == 2, let value = Double(pair[1]), value.isFinite else { return nil }
      switch pair[0] {
      case "scale" where value > 0: scale = value
      case "turn": turn = value
      default: return nil
      }
    }
  }

  static let help = """
    Draw a model: WHERE=FILE.glb[,scale=X][,turn=DEG]. WHERE is the label of a place, or a marker as \
    DICTIONARY:ID:METRES (its black border's length) that is looked for in the pictures. On a marker a model is as wide \
    as the marker unless scale says how many metres a unit is; on a place a unit is a metre. Its front looks towards the \
    marker's lower edge or to the south, turned by so many degrees counter-clockwise from above. Where the world has a \
    model or a picture in true size, the file (a picture, too) stands as the world says; without a file the edges of its \
    box are drawn. Repeatable.
    """
}

/// The models of a replay, each where its marker or its place is at the moment.
///
/// A marker that the recorded session knew is where the frame has its anchor. For any other the recording's pictures are looked at.
struct RenderedModels {
  private struct Placed {
    var argument: ModelArgument
    var drawable: DrawableModel
    /// When it came into view.
    var since: Double?
  }
  private var all: [Placed] = []
  private let dictionaries: [MarkerDictionary]
  private let sides: [MarkerSide]
  private var vision: VisionPipeline?
  private var observations: [Observation] = []
  private var lens: Intrinsics?
  private var lastPicture: Double?
  /// Whether the recorded session was told what its camera saw.
  private var hasObservations = false

  /// Reads the models.
  ///
  /// - Throws: ``Failure`` for a file that cannot be read or drawn.
  init(_ arguments: [ModelArgument]) throws {
    var dictionaries: [MarkerDictionary] = []
    var sides: [MarkerSide] = []
    for argument in arguments {
      guard let data = FileManager.default.contents(atPath: argument.file) else {
        throw Failure("\(argument.file) cannot be read. Check the path.")
      }
      if !data.starts(with: "glTF".utf8), case .place = argument.ground,
        let picture = try? Picture(decoding: [UInt8](data), as: .rgba), let drawable = DrawableModel.picture(picture)
      {
        all.append(Placed(argument: argument, drawable: drawable))
        continue
      }
      do throws(ModelError) {
        all.append(Placed(argument: argument, drawable: try DrawableModel(glb: [UInt8](data))))
      } catch {
        throw Failure("\(argument.file): \(error.sentence)")
      }
      if case .marker(let dictionary, let id, let side) = argument.ground {
        if !dictionaries.contains(dictionary) { dictionaries.append(dictionary) }
        sides.append(MarkerSide(.marker(dictionary: dictionary.rawValue, id: Int32(clamping: id)), side: side))
      }
    }
    self.dictionaries = dictionaries
    self.sides = sides
  }

  /// Features that the last frame's models are drawn for.
  private(set) var drawn: Set<Int32> = []

  /// The camera of the display and the models before it, at the moment of a frame.
  ///
  /// - Parameters:
  ///   - replayed: the frame.
  ///   - picture: what is shown behind it, and when it was taken: markers are where this picture has them.
  /// - Returns: `nil` when there are no models, or nothing is known of the display.
  mutating func scene(
    _ replayed: ReplayedFrame,
    picture: (time: Double, picture: Picture)?
  ) -> (lens: DisplayLens, models: [PlacedModel])? {
    drawn.removeAll()
    guard !all.isEmpty, let projection = replayed.session.projection else { return nil }
    let display = DisplayLens(focal: projection.focalPoints, center: projection.center)
    let frame = replayed.frame
    hasObservations = hasObservations || !frame.anchors.isEmpty
    if let picture, sides.contains(where: { anchors(of: $0.marker, replayed).isEmpty }) {
      look(at: picture, projection.display, display)
    }
    // Half a turn about x leads from the display's axes to those of an upright camera.
    let cameraFromWorld =
      Quaternion(w: 0, x: 1, y: 0, z: 0) * (frame.worldFromDevice * projection.deviceFromDisplay).inverse
    var models: [PlacedModel] = []
    for index in all.indices {
      let (argument, drawable) = (all[index].argument, all[index].drawable)
      let turn = Angle(degrees: argument.turn)
      var place: Affine?
      switch argument.ground {
      case .marker(let dictionary, let id, let side):
        let anchor = AnchorID.marker(dictionary: dictionary.rawValue, id: Int32(clamping: id))
        guard let (cameraFromMarker, width) = marker(anchor, side, replayed, isPictured: picture != nil) else { break }
        let round = Affine(translation: .zero, rotation: Quaternion(axis: Vector3(0, 0, 1), angle: turn), scale: .one)
        let standing =
          argument.scale.map { DrawableModel.standing(scale: $0, turn: turn) }
          ?? (round * drawable.fitted(onSquare: side))
        // Metres as the argument has the marker, whatever the world takes its width for.
        place =
          Affine(
            translation: cameraFromMarker.translation * (side / width),
            rotation: cameraFromMarker.rotation,
            scale: .one
          ) * standing
      case .place(let text):
        guard frame.isValid, let feature = replayed.world?.texts.firstIndex(of: text),
          let point = replayed.session.pointInWorld(feature: Int32(feature))
        else { break }
        if argument.scale == nil, argument.turn == 0,
          let item = frame.things.first(where: { $0.feature == Int32(feature) })
        {
          // The world says how it stands, and how large.
          place = RenderedThings.cameraFromThing(item)
          drawn.insert(item.feature)
          break
        }
        let there = cameraFromWorld * (point - frame.eyeInWorld)
        place =
          Affine(translation: there, rotation: cameraFromWorld, scale: .one)
          * DrawableModel.standing(scale: argument.scale ?? 1, turn: turn)
      }
      guard let place else {
        all[index].since = nil
        continue
      }
      let since = all[index].since ?? frame.time
      all[index].since = since
      models.append(PlacedModel(drawable, cameraFromModel: place, time: frame.time - since))
    }
    return (display, models)
  }

  /// The world's anchors that are a marker; none where the recorded session did not look for it.
  private func anchors(of marker: AnchorID, _ replayed: ReplayedFrame) -> [Int] {
    guard hasObservations else { return [] }
    let anchors = replayed.session.world.anchors
    return anchors.indices.filter { anchors[$0].id == marker && anchors[$0].width > 0 }
  }

  /// How a marker lies before the camera at the moment of a frame, and the width of it that this is for.
  private func marker(
    _ marker: AnchorID,
    _ side: Double,
    _ replayed: ReplayedFrame,
    isPictured: Bool
  ) -> (SimilarityTransform, width: Double)? {
    let known = anchors(of: marker, replayed)
    if !known.isEmpty {
      for anchor in replayed.frame.anchors where anchor.state != .lost && known.contains(Int(anchor.anchor)) {
        guard let pose = anchor.cameraFromAnchor else { continue }
        return (pose, replayed.session.world.anchors[Int(anchor.anchor)].width)
      }
      return nil
    }
    guard isPictured, let pose = observations.first(where: { $0.anchor == marker && $0.state != .lost })?.pose else {
      return nil
    }
    return (SimilarityTransform(rotation: pose.cameraFromPlane, translation: pose.translation), side)
  }

  /// Follows the markers into a picture that has not been looked at.
  private mutating func look(at shown: (time: Double, picture: Picture), _ display: Display, _ lens: DisplayLens) {
    guard lastPicture != shown.time else { return }
    let (width, height) = (Double(shown.picture.width), Double(shown.picture.height))
    // The lens of the picture as it is drawn: what stands on a marker in it lies over it on the display.
    let placement = FramePainter.placement(width: width, height: height, on: display)
    let camera = Intrinsics(
      width: width,
      height: height,
      focalX: lens.focal.x / placement.scale,
      focalY: lens.focal.y / placement.scale,
      centerX: (lens.center.x - placement.origin.x) / placement.scale - 0.5,
      centerY: (lens.center.y - placement.origin.y) / placement.scale - 0.5
    )
    let pipeline: VisionPipeline
    if let vision, camera == self.lens, shown.time >= (lastPicture ?? shown.time) {
      pipeline = vision
    } else {
      // A replay may leave pictures out, and there is time to look everywhere.
      var parameters = VisionPipeline.Parameters()
      parameters.markers.wholeFrameInterval = 1
      pipeline = VisionPipeline(parameters: parameters)
      pipeline.watchMarkers(dictionaries, sides: sides)
      self.lens = camera
      vision = pipeline
    }
    lastPicture = shown.time
    let gray = shown.picture.converted(to: .gray)
    gray.pixels.withUnsafeBufferPointer { pixels in
      // The size is that of the array, so this is always a view.
      guard let view = try? GrayView(pixels, width: gray.width, height: gray.height, stride: gray.width) else { return }
      pipeline.process(view, time: shown.time, camera: FrameCamera(intrinsics: camera), into: &observations)
    }
  }
}

extension Vector3 {
  /// No scaling.
  fileprivate static var one: Vector3 { Vector3(1, 1, 1) }
}
