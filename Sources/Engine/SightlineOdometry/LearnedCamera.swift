/// What tracking learned of a camera another time, beside its focal length: with it lens and clock need not be learned anew.
public struct LearnedCamera: Sendable, Equatable {
  /// Radial terms of the lens, of r² and r⁴.
  public var k1: Double, k2: Double
  /// From the first line of a picture to the last, seconds.
  public var readout: Double
  /// By how much a frame's stamp is later than the middle of its exposure on the clock of the sensors, seconds.
  public var timeOffset: Double

  /// What is known of a camera; `nil` for what no camera of a phone has, and what the filter does not believe either.
  public init?(k1: Double, k2: Double, readout: Double, timeOffset: Double) {
    guard abs(k1) <= 0.4, abs(k2) <= 0.2, 0...0.06 ~= readout, -0.05...0.15 ~= timeOffset else { return nil }
    (self.k1, self.k2, self.readout, self.timeOffset) = (k1, k2, readout, timeOffset)
  }
}

extension OdometryConfiguration {
  /// Begins with a camera that was learned another time, ``focal`` with it.
  ///
  /// The deviations are not those that tracking had at its end: the image distance of a thin lens that focuses at a distance d is about f / d
  /// longer than its focal length f (1.6 % for 4 mm at 25 cm), and how late pictures are depends on what else the phone does. They were chosen,
  /// not fitted; `Benchmarks/odometry/learned_camera.py` has what they do.
  public mutating func begin(with camera: LearnedCamera) {
    focalDeviation = min(focalDeviation, 0.012)
    (k1, k2, k1Deviation, k2Deviation) = (camera.k1, camera.k2, min(k1Deviation, 0.02), min(k2Deviation, 0.015))
    (readout, readoutDeviation) = (camera.readout, min(readoutDeviation, 0.0015))
    (timeOffset, timeOffsetDeviation) = (camera.timeOffset, min(timeOffsetDeviation, 0.004))
  }
}
