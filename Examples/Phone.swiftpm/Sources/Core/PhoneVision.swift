import Sightline

/// The eyes of the app: pictures of the camera in, what is seen in them out.
struct PhoneVision {
  private let pipeline = VisionPipeline()
  private var turns = TurnIntegrator()
  private var seen: [Observation] = []

  init() {
    pipeline.watchMarkers(
      [.grid6x6Of250],
      sides: [MarkerSide(PhoneWorld.marker, side: PhoneWorld.markerSide)]
    )
  }

  /// How fast the phone turns: markers are then carried on while they are blurred.
  mutating func take(_ motion: MotionReading) {
    turns.take(motion.rotationRate, time: motion.time, screenAngleDegrees: 0)
  }

  /// Looks at an upright picture that was taken at a time, seconds.
  ///
  /// - Returns: what is seen in it, for the session.
  /// - Throws: `ImageError` when the bytes do not hold so many pixels.
  mutating func look(at picture: LumaPlane, time: Double, camera: FrameCamera) throws -> Observations {
    let view = try GrayView(
      picture.bytes,
      width: picture.width,
      height: picture.height,
      stride: picture.stride
    )
    pipeline.process(view, time: time, camera: camera, previousFromCamera: turns.turn(at: time), into: &seen)
    return Observations(time: time, camera: camera, seen)
  }
}

/// Grey levels of a picture where the camera left them: lent for the time of a call, during which nobody writes to them.
struct LumaPlane: @unchecked Sendable {
  /// Rows from the top.
  var bytes: UnsafeBufferPointer<UInt8>
  var width: Int
  var height: Int
  /// Bytes from one row to the next.
  var stride: Int
}
