import Sightline

/// Something printed that is looked for.
struct Print {
  enum Kind {
    /// Of the dictionary 6x6-250.
    case marker(Int32)
    case picture(Target)
  }

  var name: String
  var kind: Kind
  /// Of a marker's black border, or of the whole picture, metres.
  var width: Double
}

/// What is seen of a print in a frame.
struct Sighting {
  var print: Print
  /// Whether it is seen, not carried on.
  var isSeen: Bool
  /// Pixels, from its own top left clockwise; pixel centres at integers, as in the engine.
  var corners: [Vector2]
  /// Middle and ends of its three axes, half a width long, pixels; `nil` where it is not known how it lies.
  var axes: [Vector2]?
  /// Before the camera (x right, y down, z forward), metres.
  var pose: SimilarityTransform?
  /// Top left corner and size of its label, pixels; `nil` where there is no room.
  var label: ScreenRectangle?
  var text: String
}

/// From frames to what is drawn over them: vision looks for the prints, the session knows the world that stands on them.
struct Viewer {
  private let prints: [Print]
  private let camera: FrameCamera
  private let vision = VisionPipeline()
  private var session = Session()
  private var observations: [Observation] = []

  /// A viewer of frames of one size, seen with such a lens along the longer side; `labelSize` says how large a text is drawn, pixels.
  init(_ prints: [Print], width: Int, height: Int, fieldOfView: Angle, labelSize: (String) -> Vector2) {
    self.prints = prints
    let (width, height) = (Double(width), Double(height))
    camera = FrameCamera(intrinsics: Intrinsics(width: width, height: height, longSideFieldOfView: fieldOfView))
    var world = WorldDescription()
    var sides: [MarkerSide] = []
    for (number, print) in prints.enumerated() {
      let id: AnchorID
      switch print.kind {
      case .marker(let marker):
        id = .marker(dictionary: MarkerDictionary.grid6x6Of250.rawValue, id: marker)
        sides.append(MarkerSide(id, side: print.width))
      case .picture(let target):
        id = .picture(Int32(number))
        vision.addPicture(Int32(number), target, width: print.width)
      }
      world.anchors.append(WorldAnchor(id, width: print.width))
      var feature = SceneFeature(latitudeDegrees: 0, longitudeDegrees: 0)
      feature.anchor = Int32(number)
      world.features.append(feature)
    }
    if !sides.isEmpty { vision.watchMarkers([.grid6x6Of250], sides: sides) }
    // The display is the picture: a point is a pixel.
    session.handle(.display(Display(width: width, height: height)), at: 0)
    session.handle(.locationUnavailable(.missing), at: 0)
    session.handle(.orientationUnavailable(.missing), at: 0)
    session.handle(.open(AddressID(0)), at: 0)
    while let effect = session.nextEffect() {
      if case .request(let request) = effect { session.handle(.loaded(request.id, world), at: 0) }
    }
    for (number, print) in prints.enumerated() {
      let size = labelSize(print.name + " · 0.00 m, turned away 00°")
      session.handle(.labelSize(feature: Int32(number), width: size.x + 12, height: size.y + 6), at: 0)
    }
  }

  /// Takes the next frame.
  mutating func look(at frame: Frame) throws -> [Sighting] {
    try frame.luma.withUnsafeBufferPointer { luma in
      let view = try GrayView(luma, width: frame.width, height: frame.height, stride: frame.width)
      vision.process(view, time: frame.time, camera: camera, into: &observations)
    }
    session.handle(.observations(Observations(time: frame.time, camera: camera, observations)), at: frame.time)
    return session.frame.anchors.filter { $0.state != .lost && $0.isInPicture }.compactMap { sighting(of: $0) }
  }

  private func sighting(of anchor: SceneAnchor) -> Sighting? {
    guard let corners = anchor.corners else { return nil }
    let print = prints[Int(anchor.anchor)]
    let pixels = (0..<4).map { corners[$0] - Vector2(0.5, 0.5) }
    var sighting = Sighting(print: print, isSeen: anchor.state != .carried, corners: pixels, text: print.name)
    sighting.label = session.frame.anchored.first { $0.anchor == anchor.anchor }?.label
    guard let pose = anchor.cameraFromAnchor else { return sighting }
    sighting.pose = pose
    let half = print.width / 2
    let ends = [Vector3.zero, Vector3(half, 0, 0), Vector3(0, half, 0), Vector3(0, 0, half)]
    let axes = ends.compactMap { camera.intrinsics.pixel(ofPointInCamera: pose * $0) }
    sighting.axes = axes.count == 4 ? axes : nil
    let front = pose.rotation * Vector3(0, 0, 1)
    let tilt = Int(Angle(radians: acos(max(-1, min(1, -front.z)))).degrees.rounded())
    sighting.text += " · \(shown(pose.translation.length)) m, turned away \(tilt)°"
    return sighting
  }
}

/// With two decimals.
func shown(_ metres: Double) -> String {
  let hundredths = Int((metres * 100).rounded())
  return "\(hundredths / 100)." + (hundredths % 100 < 10 ? "0" : "") + "\(hundredths % 100)"
}
