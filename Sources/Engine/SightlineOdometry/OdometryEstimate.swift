import SightlineMath

/// What is known of the camera's pose.
public enum OdometryState: Int, Sendable {
  /// Nothing.
  case none = 0
  /// Where it looks, but not where it is.
  case orientation = 1
  /// A pose whose scale is a guess.
  case uncertainScale = 2
  /// A pose in metres.
  case metric = 3
}

/// Where the camera was in the middle of a frame's exposure, and how well that is known.
///
/// The world is that of the tracker's map: z up along gravity, its yaw and origin those of the start. What is recognised moves the pose in
/// it: little by little while the surroundings are followed, at once after they were lost.
public struct OdometryEstimate: Sendable {
  /// What is known.
  public var state: OdometryState
  /// Of the lens, metres.
  public var position: Vector3
  /// From camera axes (x right, y down, z forward as the picture is seen) to the world's.
  public var worldFromCamera: Quaternion
  /// Of the lens, m/s.
  public var velocity: Vector3
  /// Standard deviation of the position along an axis, metres, and of the yaw, radians, since the start.
  public var positionDeviation: Double, yawDeviation: Double
  /// The same of the position since tracking last began anew in surroundings that it has not recognised.
  ///
  /// What was set down since then is known as well as this. As long as there was nothing of the kind it is ``positionDeviation``.
  public var localDeviation: Double
  /// Relative standard deviation of all lengths.
  public var scaleDeviation: Double
  /// Own estimates: focal length in pixels, lateness of the stamps in seconds, seconds from one line to the next.
  public var focal: Double, timeOffset: Double, rowTime: Double
  /// Relative standard deviation of the focal length.
  public var focalDeviation: Double
  /// Points that are followed now.
  public var trackCount: Int
  /// Whether the place was known by the motion sensors alone, as when the lens is covered, and has not been recognised since; its
  /// deviation grows meanwhile.
  public var isLost = false
}
