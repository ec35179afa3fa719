import SightlineMath

/// Tells the field of the device itself (hard iron: a magnet in the case, the phone's own parts) from that of the place.
///
/// What a place's field is turns with the device, what the device brings along does not. So a small Kalman filter of its own
/// assumes a *clean* place, where one field of the Earth, one of the device and a slow drift of the gyroscope's heading
/// explain every look to within the sensor's noise, and keeps watch on whether they do. As long as they do, it is right
/// about north and about the device, however strong the magnet; where they do not, in rooms and beside steel, it is silent,
/// and ``OrientationFilter`` goes on by its own far more careful means.
///
/// Frames: the level frame of the filter, drifting slowly about the vertical; the device's. Microtesla, radians, seconds.
struct HardIronCalibration: Sendable {
  /// What can be set.
  struct Parameters: Sendable {
    /// Standard deviation of the device's field at the start.
    var hardIron = 4.0
    /// Its wander, per root second.
    var hardIronWalk = 0.01
    /// Standard deviation of a look of a tenth of a second, scale and cross-axis errors included.
    var noise = 1.0
    /// Seconds by which the looks may be late: what a turn adds to their noise.
    var delay = 0.01
    /// Standard deviation of the heading's drift at the start, radians a second.
    var drift = Angle(degrees: 1.5).radians
    /// Its wander, per root second.
    var driftWalk = Angle(degrees: 0.01).radians
    /// White noise of the heading, radians per root second, and scale errors of the gyroscope, as a fraction.
    var turnNoise = Angle(degrees: 0.17).radians
    /// See ``turnNoise``.
    var scaleError = 0.004
    /// How well the field of a place agrees with the Earth's model in a town, standard deviation.
    var model = 3.0
    /// Seconds over which surprises are judged.
    var memory = 4.0
    /// Root mean square of the surprise up to which a place is clean.
    var clean = 0.8
    /// Standard deviation of the heading up to which the two fields are told apart, degrees.
    var known = 2.5
    /// Deviation of the place's field from the Earth's model up to which a place is clean: of the strength, as a fraction.
    var strength = 0.06
    /// The same of the dip, degrees.
    var dip = 4.0
    /// Wander of the field in a place that is not clean, as a share of the surprise, per root second.
    var unrest = 1.0
    /// The same for the device's field: a magnet may have been put to it.
    var doubt = 0.3

    /// The defaults.
    init() {}
  }

  /// Number of unknowns: field of the place (3), of the device (3), drift.
  private static let size = 7
  private static let device = 3
  private static let drift = 6

  let parameters: Parameters
  /// The place's field, level frame.
  private(set) var field = Vector3.zero
  /// The device's field, device frame.
  private(set) var hardIron = Vector3.zero
  /// Turn of the place's field in the level frame, radians a second, counter-clockwise.
  private var drift = 0.0
  private var covariance = InlineArray<49, Double>(repeating: 0)
  private var hasStarted = false
  /// Mean squared surprise lately, per axis.
  private var surprise = 0.0
  /// Seconds of looks.
  private var age = 0.0
  /// Whether what is left for the place is the Earth's field there; not known without a place.
  private var isEarths = false

  init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Variance of an unknown.
  private func variance(_ k: Int) -> Double { covariance[k * Self.size + k] }

  /// Variance of the device's field along one of its axes.
  func hardIronVariance(_ axis: Int) -> Double { variance(Self.device + axis) }

  /// Variance of the place's field along an axis of the level frame.
  func fieldVariance(_ axis: Int) -> Double { variance(axis) }

  /// Variance of the direction of the place's field, radians squared.
  private var headingVariance: Double {
    let (x, y) = (field.x, field.y)
    let square = x * x + y * y
    guard square > 1 else { return .infinity }
    return (y * y * variance(0) - 2 * x * y * covariance[1] + x * x * variance(1)) / (square * square)
  }

  /// Whether the place is clean and its field known apart from the device's.
  var isTrusted: Bool {
    guard hasStarted, isEarths, age > parameters.memory, surprise < parameters.clean * parameters.clean else {
      return false
    }
    let known = Angle(degrees: parameters.known).radians
    return headingVariance < known * known
  }

  /// The attitude started anew: the level frame is another, the device the same.
  mutating func restart() {
    hasStarted = false
    age = 0
    surprise = 0
  }

  /// Takes what a window saw.
  ///
  /// - Parameters:
  ///   - mean: of the readings, level frame, nothing taken off.
  ///   - rotation: mean rotation from device to level frame.
  ///   - perDelay: what a second of delay adds to the mean.
  ///   - turn: of the device about the vertical in the window, radians, either way.
  ///   - duration: of the window.
  ///   - reference: the Earth's field at the place, strength and radians below the horizon; `nil` when unknown.
  mutating func take(
    mean: Vector3,
    rotation: Matrix3,
    perDelay: Vector3,
    turn: Double,
    duration: Double,
    reference: (strength: Double, dip: Double)?
  ) {
    guard hasStarted else { return start(mean, rotation) }
    age += duration
    propagate(turn: turn, duration: duration)
    let innovation = mean - field - rotation * hardIron
    let late = parameters.delay * perDelay.length
    let share = duration / (duration + parameters.memory)
    surprise += (max(0, innovation.dot(innovation) / 3 - late * late) - surprise) * share
    // Stated for a tenth of a second; looks that surprise count less.
    let relative = innovation.length / (3 * parameters.noise)
    let noise = parameters.noise * parameters.noise * (0.1 / duration) * max(1, relative * relative) + late * late
    let before = (field, hardIron)
    for k in 0..<3 {
      let row = rotation.row(k)
      var factors = InlineArray<7, Double>(repeating: 0)
      factors[k] = 1
      for j in 0..<3 { factors[Self.device + j] = row[j] }
      let learnt = (field - before.0)[k] + row.dot(hardIron - before.1)
      update(factors, innovation: innovation[k] - learnt, variance: noise)
    }
    isEarths = false
    if let reference { compare(with: reference) }
  }

  private mutating func start(_ mean: Vector3, _ rotation: Matrix3) {
    if variance(Self.device) == 0 {
      for k in 0..<3 {
        covariance[(Self.device + k) * (Self.size + 1)] = parameters.hardIron * parameters.hardIron
      }
    }
    hasStarted = true
    field = mean - rotation * hardIron
    drift = 0
    // The device's own uncertainty stays; what it had to do with the old frame is void.
    for k in [0, 1, 2, Self.drift] {
      for j in 0..<Self.size {
        covariance[k * Self.size + j] = 0
        covariance[j * Self.size + k] = 0
      }
    }
    for k in 0..<3 { covariance[k * (Self.size + 1)] = 1e4 }
    covariance[Self.drift * (Self.size + 1)] = parameters.drift * parameters.drift
  }

  private mutating func propagate(turn: Double, duration t: Double) {
    let n = Self.size
    // f ← f + t · drift · (−fy, fx).
    let factors = (-field.y * t, field.x * t)
    field.x += factors.0 * drift
    field.y += factors.1 * drift
    for k in 0..<n {
      covariance[k] += factors.0 * covariance[Self.drift * n + k]
      covariance[n + k] += factors.1 * covariance[Self.drift * n + k]
    }
    for k in 0..<n {
      covariance[k * n] += factors.0 * covariance[k * n + Self.drift]
      covariance[k * n + 1] += factors.1 * covariance[k * n + Self.drift]
    }
    let p = parameters
    // A scale error adds up along a turn; a radian of it stands for one step of a random walk.
    let yaw = p.turnNoise * p.turnNoise * t + p.scaleError * p.scaleError * abs(turn)
    covariance[0] += yaw * field.y * field.y
    covariance[1] -= yaw * field.x * field.y
    covariance[n] -= yaw * field.x * field.y
    covariance[n + 1] += yaw * field.x * field.x
    let excess = max(0, surprise - p.clean * p.clean)
    let (unrest, doubt) = (p.unrest * p.unrest * excess * t, p.doubt * p.doubt * excess * t)
    for k in 0..<3 {
      covariance[k * (n + 1)] += unrest
      covariance[(Self.device + k) * (n + 1)] += p.hardIronWalk * p.hardIronWalk * t + doubt
    }
    covariance[Self.drift * (n + 1)] += p.driftWalk * p.driftWalk * t
  }

  /// Strength of the horizontal part and the vertical part as the Earth's model says, as long as nothing better is known.
  private mutating func compare(with reference: (strength: Double, dip: Double)) {
    let square = parameters.model * parameters.model
    let across = hypot(field.x, field.y)
    guard across > 1, reference.strength > 1 else { return }
    let dip = atan2(-field.z, across)
    isEarths =
      abs(field.length / reference.strength - 1) < parameters.strength
      && abs(Angle(radians: dip - reference.dip).degrees) < parameters.dip
    if variance(2) > square {
      let vertical = -reference.strength * sin(reference.dip)
      update([0, 0, 1, 0, 0, 0, 0], innovation: vertical - field.z, variance: 10 * square)
    }
    let (x, y) = (field.x / across, field.y / across)
    let along = x * x * variance(0) + 2 * x * y * covariance[1] + y * y * variance(1)
    if along > square {
      let horizontal = reference.strength * cos(reference.dip)
      update([x, y, 0, 0, 0, 0, 0], innovation: horizontal - across, variance: 10 * square)
    }
  }

  /// One scalar measurement.
  private mutating func update(_ factors: InlineArray<7, Double>, innovation: Double, variance noise: Double) {
    let n = Self.size
    var column = InlineArray<7, Double>(repeating: 0)
    for k in 0..<n {
      var sum = 0.0
      for j in 0..<n { sum += covariance[k * n + j] * factors[j] }
      column[k] = sum
    }
    var total = noise
    for k in 0..<n { total += factors[k] * column[k] }
    guard total > 0, total.isFinite else { return }
    let scaled = innovation / total
    for i in 0..<n {
      let gain = column[i] / total
      for j in 0..<n { covariance[i * n + j] -= gain * column[j] }
    }
    field = field + Vector3(column[0], column[1], column[2]) * scaled
    hardIron = hardIron + Vector3(column[3], column[4], column[5]) * scaled
    drift += column[6] * scaled
  }
}
