import SightlineMath

/// What world tracking knows of a path.
public enum PathState: UInt8, Sendable, CaseIterable {
  /// Only the motion sensors speak.
  case lost = 0
  /// The surroundings are followed; lengths are a guess.
  case uncertainScale = 1
  /// The surroundings are followed, in metres.
  case metric = 2
}

/// Where world tracking says that the camera was in a picture: in a world of its own, whose z is up and whose yaw and origin are its own.
public struct PathReading: Equatable, Sendable {
  /// The middle of the picture's exposure, seconds on the session's clock.
  public var time: Double
  /// Of the lens, in units that are metres when ``state`` says so.
  public var position: Vector3
  /// From camera axes (x right, y down, z forward as the picture is seen) to the path's world.
  public var worldFromCamera: Quaternion
  /// Standard deviation of the yaw since the path began, radians.
  public var yawDeviation: Double
  /// What is known of the path.
  public var state: PathState

  /// A reading from its parts.
  public init(
    time: Double,
    position: Vector3,
    worldFromCamera: Quaternion,
    yawDeviation: Double,
    state: PathState
  ) {
    self.time = time
    self.position = position
    self.worldFromCamera = worldFromCamera
    self.yawDeviation = yawDeviation
    self.state = state
  }

  /// The reading with a quaternion of length 1; `nil` when it says nothing: a number that is none, a quaternion of zeros, a place
  /// farther away than anybody tracks.
  public var believable: PathReading? {
    let q = worldFromCamera
    let size = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z
    guard abs(time) <= 1e12, position.length < 1e6, yawDeviation >= 0, size > 0.25, size < 4,
      let unit = q.normalized
    else { return nil }
    var reading = self
    reading.worldFromCamera = unit
    return reading
  }
}
