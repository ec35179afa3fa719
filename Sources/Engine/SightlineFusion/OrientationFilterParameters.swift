import SightlineMath

extension OrientationFilter {
  /// What can be set about the filter.
  ///
  /// Standard deviations are of the prior or of the noise, one sigma.
  ///
  /// The defaults were tuned on the development trials of BROAD and the development recordings of the AR phone set, all
  /// together and never for a single trial.
  public struct Parameters: Sendable {
    /// Seconds of motion gathered before the Kalman filter runs.
    ///
    /// Larger: cheaper, and corrections come later.
    public var window = 0.1
    /// Initial tilt error, degrees.
    ///
    /// Larger: the first seconds of acceleration count more.
    public var initialTiltDegrees = 6.0
    /// Gyroscope bias at the start, degrees a second.
    ///
    /// Phones deliver up to 5.
    public var initialBiasDegrees = 2.5
    /// Scale and cross-axis errors of the gyroscope, as a fraction.
    public var scaleError = 0.0027
    /// Delay of the accelerometer against the gyroscope, as a fraction of the interval between samples.
    ///
    /// Platforms that average over the interval are late by half of it.
    public var accelerometerDelay = 0.25
    /// Delay of the magnetometer against the gyroscope, seconds.
    public var magnetometerDelay = 0.02
    /// White noise of the integrated gyroscope, degrees per root second.
    public var gyroscopeNoiseDegrees = 0.17
    /// Further noise in proportion to the rate (vibration, saturation), as a fraction per root second.
    public var rateNoise = 0.0004
    /// Wander of the bias, degrees a second per root second.
    public var biasWalkDegrees = 0.0025
    /// Speeds of a hand, metres a second: how far the integral of the acceleration may stray.
    public var speed = 0.3
    /// What is added to that where accelerations are large, metres a second per metre a second squared: movements of a
    /// hand go to and fro about once a second and faster.
    public var speedPerAcceleration = 0.1
    /// Seconds over which the size of accelerations is judged.
    public var accelerationMemory = 2.0
    /// Reach of a hand, metres: how far the second integral may stray.
    public var reach = 4.0
    /// Seconds after which the integral of the acceleration is forgotten; lets people walk and ride.
    public var speedMemory = 60.0
    /// Seconds after which the second integral is forgotten.
    public var reachMemory = 15.0
    /// Noise of the accelerometer, metres a second per root second.
    public var accelerometerNoise = 0.0015
    /// Seconds without movement that are called rest.
    public var restTime = 1.5
    /// Deviation from the mean rate that ends rest, degrees a second.
    public var restRateDegrees = 2.0
    /// Mean rate, beyond what the bias may be, that ends rest, degrees a second: slower turns are taken for bias.
    public var restTurnDegrees = 0.2
    /// Deviation from the mean acceleration that ends rest, metres a second squared.
    public var restAcceleration = 0.5
    /// Change of the field that ends rest, microtesla.
    public var restField = 2.5
    /// Noise of the bias seen at rest, degrees a second per root hertz.
    public var restBiasDegrees = 0.05
    /// Noise of the tilt seen at rest, degrees per root hertz.
    public var restTiltDegrees = 0.02
    /// Microtesla: how little one look at the field is believed.
    ///
    /// Much larger than the sensor's noise, because what is wrong about the field (the room's iron) changes slowly and
    /// so does not average out.
    public var magnetometerNoise = 35.0
    /// How much more it is believed at the start, where there is nothing else.
    public var initialMagnetometerTrust = 1.6
    /// Seconds in which that extra belief wears off.
    public var initialMagnetometerTime = 80.0
    /// Hard iron at the start, microtesla.
    ///
    /// Tight, because in translation the room's gradient looks like one.
    public var hardIron = 0.006
    /// Wander of the hard iron, microtesla per root second.
    public var hardIronWalk = 0.00004
    /// Wander of the field, microtesla per root second.
    public var fieldWalk = 0.07
    /// How much the field's direction wanders with the heading's own error; 1 is what the gyroscope's noise says.
    public var fieldTurn = 7.0
    /// Microtesla of surprise beyond which a look at the field counts less and less.
    public var surprise = 16.0
    /// Microtesla of surprise that, kept up, mean that a magnet was put to the device.
    public var attachedSurprise = 3.5
    /// Seconds for which it must be kept up.
    public var attachedTime = 2.2
    /// How far the hard iron is opened then, microtesla.
    public var attachedHardIron = 1.3
    /// How many of the filter's own standard deviations the stated bound of the tilt is.
    ///
    /// This and the next five were set so that the errors of the development recordings lie inside the bounds about 95 %
    /// of the time.
    public var tiltDeviations = 1.2
    /// How many of the filter's own standard deviations the stated bound of the heading is.
    public var headingDeviations = 1.5
    /// What no bound of the tilt is below, degrees: linear acceleration.
    public var tiltFloorDegrees = 0.5
    /// How far the accelerometer may be turned against the case, degrees: in phones one or two.
    public var mountingDegrees = 2.7
    /// What no bound of the heading is below, degrees: the room's own field.
    public var headingFloorDegrees = 4.0
    /// Share in the heading's bound of how far the field's direction has surprised lately.
    public var boundPerSurprise = 1.6
    /// Seconds over which that is judged.
    public var surpriseMemory = 5.0
    /// Distance in the level frame, as a fraction of a turn's radius, beyond which another source's north surprises.
    public var newNorth = 0.35
    /// Seconds for which it has to surprise before it is followed at once.
    public var newNorthTime = 6.0
    /// How the device's own field is told from the place's.
    var calibration = HardIronCalibration.Parameters()
    /// Drift of a heading whose north is silent, degrees a second.
    public var driftDegrees = 0.03
    /// Seconds for which an angular velocity that does not come is taken to be the last one.
    public var rateMemory = 0.15
    /// Seconds without samples after which the attitude starts anew; biases and delays are kept.
    public var longestGap = 0.5
    /// What is not known of the turn in a shorter gap, degrees a second.
    public var gapRateDegrees = 15.0

    /// The defaults.
    public init() {}
  }
}
