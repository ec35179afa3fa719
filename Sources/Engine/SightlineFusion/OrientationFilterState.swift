import SightlineMath

/// Where each error state stands in the covariance.
///
/// The ones that change by themselves come first.
enum ErrorState {
  /// Tilt about the level frame's x and y, radians.
  static let tilt = 0
  /// Integral of the acceleration, x and y, metres a second.
  static let speed = 2
  /// Second integral, metres.
  static let reach = 4
  /// Field in the level frame, microtesla.
  static let field = 6
  /// Gyroscope bias, radians a second.
  static let bias = 9
  /// Scale and cross-axis errors: rows of ``OrientationFilter/State/scale``.
  static let scale = 12
  /// Seconds.
  static let accelerometerDelay = 21
  /// Seconds.
  static let magnetometerDelay = 22
  /// Microtesla, device frame.
  static let hardIron = 23
  /// States below change by themselves: tilt, speed, reach, the field's horizontal part.
  static let changing = 8
  /// States below learn nothing from the field: tilt, speed, reach.
  static let untouchedByField = 6
}

extension OrientationFilter {
  /// Everything that changes in a filter.
  public struct State: Sendable {
    /// Rotates device vectors into the level frame.
    public internal(set) var levelFromDevice = Quaternion.identity
    /// Gyroscope bias, radians a second, device frame.
    public internal(set) var bias = Vector3.zero
    /// Scale and cross-axis errors of the gyroscope: true rate = (I + scale)(reading − bias).
    public internal(set) var scale = Matrix3(rows: .zero, .zero, .zero)
    /// Delay of the accelerometer against the gyroscope, seconds.
    public internal(set) var accelerometerDelay = 0.0
    /// Delay of the magnetometer against the gyroscope, seconds.
    public internal(set) var magnetometerDelay = 0.0
    /// The Earth's field in the level frame, microtesla.
    public internal(set) var field = Vector3.zero
    /// Field of the device itself, microtesla, device frame.
    public internal(set) var hardIron = Vector3.zero
    /// Whether a field was seen.
    public internal(set) var hasField = false
    /// Seconds of samples taken.
    public internal(set) var age = 0.0
    /// How far the gyroscope has turned the device since the start, without any correction: only differences mean
    /// something.
    public internal(set) var turned = Quaternion.identity
    /// Angular velocity over the last sample's interval, radians a second, device frame, errors taken off.
    public internal(set) var angularVelocity = Vector3.zero
    var speed = Vector2.zero
    /// Mean squared horizontal acceleration of the last seconds.
    var squaredAcceleration = 0.0
    /// Mean squared angle by which the field's direction, or another source's north, has surprised lately.
    var headingSurprise = 0.0
    var reach = Vector2.zero
    /// How often the attitude had to start anew.
    public internal(set) var restarts = 0
    /// Mean of the looks at the field in the last window, level frame, own field taken off, microtesla.
    var look: Vector3?
    /// Time of the last sample; `nil` before the first.
    public internal(set) var lastTime: Double?
    var lastRate = Vector3.zero
    var lastAngle = Vector3.zero
    var knowsInterval = false
    /// Seconds since a sample had an angular velocity.
    var rateAge = 0.0
    var lastField = Vector3.zero
    var surpriseDuration = 0.0
    /// Seconds for which another source has said that north is elsewhere.
    var northSurprise = 0.0
    /// What another source's north is wrong by at most 95 % of the time, radians; `nil` where north is the field's.
    var northError: Double?
    var window = MotionWindow()
    var rest = RestDetector()
    var calibration: HardIronCalibration
    var covariance = Covariance()

    /// Seconds for which the device has rested.
    public var restDuration: Double { rest.duration }

    /// The state before the first sample.
    public init(parameters: Parameters) {
      let p = parameters
      calibration = HardIronCalibration(parameters: p.calibration)
      func set(_ state: Int, _ count: Int, _ deviation: Double) {
        for k in 0..<count { covariance.reset(state + k, variance: deviation * deviation) }
      }
      set(ErrorState.bias, 3, Angle(degrees: p.initialBiasDegrees).radians)
      set(ErrorState.scale, 9, p.scaleError)
      set(ErrorState.magnetometerDelay, 1, p.magnetometerDelay)
      set(ErrorState.hardIron, 3, p.hardIron)
      resetMotion(p)
    }

    /// Forgets attitude, motion and field, not the calibrations.
    mutating func resetMotion(_ p: Parameters) {
      let tilt = Angle(degrees: p.initialTiltDegrees).radians
      for k in 0..<2 {
        covariance.reset(ErrorState.tilt + k, variance: tilt * tilt)
        covariance.reset(ErrorState.speed + k, variance: p.speed * p.speed)
        covariance.reset(ErrorState.reach + k, variance: p.reach * p.reach)
      }
      for k in 0..<3 { covariance.reset(ErrorState.field + k, variance: 1e4) }
    }
  }
}
