import SightlineOdometry

/// What was learned of a camera with pictures of a size, as a page keeps it.
struct LearnedPictures {
  /// Terms of r² and r⁴.
  var k1: Double, k2: Double
  /// From one line of the picture to the next, seconds.
  var rowTime: Double
  /// Lateness of the stamps, seconds.
  var timeOffset: Double

  /// The same for pictures of a configuration, `factor` times smaller; `nil` for what no camera has.
  func camera(_ pictures: OdometryConfiguration, factor: Int) -> LearnedCamera? {
    let lines =
      switch pictures.readoutDirection {
      case .left, .right: pictures.width
      case .up, .down: pictures.height
      }
    return LearnedCamera(k1: k1, k2: k2, readout: rowTime * Double((lines - 1) * factor), timeOffset: timeOffset)
  }
}

/// Pictures of a camera, and what of them is tracked.
struct TrackedPictures {
  /// Pixels.
  let width: Int, height: Int
  let smaller: SmallerPicture
  let configuration: OdometryConfiguration
  let turns: TurnedPictures
  let turn: PictureTurn

  /// Pictures of a size; `nil` when they cannot be tracked.
  ///
  /// - Parameters:
  ///   - width: pixels.
  ///   - height: as `width`.
  ///   - focal: guess of the focal length, pixels.
  ///   - screenAngle: by how much the screen is turned against the device, degrees.
  ///   - readout: as for ``sl_odometry_begin(_:_:_:_:_:)``.
  ///   - learned: what is known of the camera from another time, when `focal` is.
  init?(
    _ width: Int32,
    _ height: Int32,
    _ focal: Double,
    _ screenAngle: Int32,
    _ readout: Int32,
    learned: LearnedPictures?
  ) {
    let directions: [ReadoutDirection] = [.right, .left, .down, .up]
    guard 64...8192 ~= width, 64...8192 ~= height, focal > 16, focal < 65_536, readout < directions.count
    else { return nil }
    smaller = SmallerPicture(width: Int(width), height: Int(height))
    guard min(smaller.width, smaller.height) >= 64 else { return nil }
    (self.width, self.height) = (Int(width), Int(height))
    var configuration = OdometryConfiguration(
      width: smaller.width,
      height: smaller.height,
      focal: focal / Double(smaller.factor),
      screenAngleDegrees: screenAngle,
      readoutDirection: readout >= 0
        ? directions[Int(readout)]
        : .usual(width: smaller.width, height: smaller.height, screenAngleDegrees: screenAngle)
    )
    if let camera = learned?.camera(configuration, factor: smaller.factor) { configuration.begin(with: camera) }
    self.configuration = configuration
    turns = TurnedPictures(width: Int(width), height: Int(height), screenAngleDegrees: screenAngle)
    turn = PictureTurn(quarters: 0, width: smaller.width, height: smaller.height)
  }
}
