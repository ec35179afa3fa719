import SightlineCamera
import SightlineFusion
import SightlineImaging
import SightlineMarkers
import SightlineMath
import SightlinePictures
import SightlineScene
import SightlineSimulator
import SightlineVision

/// What a page would make of a simulation's pictures: the markers of its scenery as observations, by the pipeline that pages use.
struct SimulatedVision {
  /// The markers, each once, in the order of the script; what stands on several of one sort is on the one that is seen best.
  let anchors: [WorldAnchor]
  /// What is written on each: its dictionary and number.
  let names: [String]
  private let pipeline = VisionPipeline()
  private let camera: FrameCamera
  private let screenAngleDegrees: Int32
  private var turn = TurnIntegrator()
  private var observations: [Observation] = []

  /// The vision of a simulation's camera; `nil` when its scenery has no marker.
  init?(_ script: SimulationScript, _ settings: CameraSettings) {
    var dictionaries: [MarkerDictionary] = []
    var (anchors, names): ([WorldAnchor], [String]) = ([], [])
    for marker in script.scenery.pictures.compactMap(\.marker) {
      guard let dictionary = DictionaryArgument(argument: marker.dictionary)?.dictionary else { continue }
      if !dictionaries.contains(dictionary) { dictionaries.append(dictionary) }
      let id = AnchorID.marker(dictionary: dictionary.rawValue, id: Int32(clamping: marker.id))
      guard !anchors.contains(where: { $0.id == id }) else { continue }
      anchors.append(WorldAnchor(id, width: marker.side))
      names.append("\(marker.dictionary) \(marker.id)")
    }
    if anchors.isEmpty { return nil }
    (self.anchors, self.names) = (anchors, names)
    camera = FrameCamera(intrinsics: settings.intrinsics)
    screenAngleDegrees = Int32(clamping: script.display.screenAngleDegrees)
    pipeline.watchMarkers(dictionaries, sides: anchors.map { MarkerSide($0.id, side: $0.width) })
  }

  /// Takes a reading of the motion sensors: what is not seen for a moment is carried on by it.
  mutating func take(_ sample: MotionSample, at time: Double) {
    turn.take(sample.angularVelocity, time: time, screenAngleDegrees: screenAngleDegrees)
  }

  /// What is seen in a picture that was taken at a time.
  mutating func observations(in picture: Picture, at time: Double) -> Observations {
    let gray = picture.converted(to: .gray)
    gray.pixels.withUnsafeBufferPointer { pixels in
      // The size is that of the array, so this is always a view.
      guard let view = try? GrayView(pixels, width: gray.width, height: gray.height, stride: gray.width) else { return }
      pipeline.process(
        view,
        time: time,
        camera: camera,
        previousFromCamera: turn.turn(at: time),
        into: &observations
      )
    }
    return Observations(time: time, camera: camera, observations)
  }
}
