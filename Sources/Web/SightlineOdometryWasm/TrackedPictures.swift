import SightlineOdometry

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
  init?(_ width: Int32, _ height: Int32, _ focal: Double, _ screenAngle: Int32, _ readout: Int32) {
    let directions: [ReadoutDirection] = [.right, .left, .down, .up]
    guard 64...8192 ~= width, 64...8192 ~= height, focal > 16, focal < 65_536, readout < directions.count
    else { return nil }
    smaller = SmallerPicture(width: Int(width), height: Int(height))
    guard min(smaller.width, smaller.height) >= 64 else { return nil }
    (self.width, self.height) = (Int(width), Int(height))
    configuration = OdometryConfiguration(
      width: smaller.width,
      height: smaller.height,
      focal: focal / Double(smaller.factor),
      screenAngleDegrees: screenAngle,
      readoutDirection: readout >= 0
        ? directions[Int(readout)]
        : .usual(width: smaller.width, height: smaller.height, screenAngleDegrees: screenAngle)
    )
    turns = TurnedPictures(width: Int(width), height: Int(height), screenAngleDegrees: screenAngle)
    turn = PictureTurn(quarters: 0, width: smaller.width, height: smaller.height)
  }
}
