import SightlineFusion
import SightlineGeodesy
import SightlineMath

/// The sensors of one phone during a run.
struct SimulatedPhone {
  private let simulation: Simulation
  private let profile: PhoneProfile
  private var gyroscope: SimulatedSensor?
  private var accelerometer: SimulatedSensor
  private var magnetometer: SimulatedSensor
  private var fixes: FixModel
  private var random: SeededGenerator

  // The system's own ears: the same sensors, faster, with their offsets taken out as well as systems do.
  private var ownGyroscope: SimulatedSensor
  private var ownAccelerometer: SimulatedSensor
  private var relative = PlatformFusion(usesMagnetometer: false)
  private var absolute = PlatformFusion(usesMagnetometer: true)

  private var lastMotion = -Double.infinity
  private var lastField = -Double.infinity
  private var lastOwn = -Double.infinity
  /// The newest reading of the one magnetometer, shared by programs and platform.
  private var field = Vector3.zero

  init(_ simulation: Simulation) {
    let (script, seed) = (simulation.script, simulation.script.seed)
    self.simulation = simulation
    profile = script.phone
    gyroscope = profile.gyroscope.map { SimulatedSensor($0, seed: seed, purpose: "gyroscope") }
    accelerometer = SimulatedSensor(profile.accelerometer, seed: seed, purpose: "accelerometer")
    magnetometer = SimulatedSensor(profile.magnetometer, seed: seed, purpose: "magnetometer")
    var own = profile.gyroscope ?? SensorErrors()
    own.resolution = 0
    ownGyroscope = SimulatedSensor(own, seed: seed, purpose: "gyroscope")
    var ownForce = profile.accelerometer
    ownForce.resolution = 0
    ownAccelerometer = SimulatedSensor(ownForce, seed: seed, purpose: "accelerometer")
    fixes = FixModel(
      frame: simulation.frame,
      geoidHeight: script.seaHeight,
      profile: profile,
      optimism: script.fixOptimism,
      seed: seed
    )
    random = SeededGenerator(seed: seed, purpose: "phone")
  }

  private func state(at time: Double) -> Trajectory.State { simulation.script.trajectory.state(at: time) }

  private func truth(from start: Double, to end: Double) -> (rate: Vector3, force: Vector3) {
    let trajectory = simulation.script.trajectory
    return (
      trajectory.meanAngularVelocity(from: start, to: end),
      trajectory.meanSpecificForce(from: start, to: end, gravity: Simulation.gravity)
    )
  }

  /// A new reading of the magnetometer, when it is due.
  private mutating func readField(at time: Double) -> Bool {
    guard time - lastField >= 1 / profile.magnetometerRate - 1e-9 else { return false }
    let truth = simulation.surroundings.fieldInDevice(state(at: time - profile.delay), at: time - profile.delay)
    field = magnetometer.read(truth, after: lastField.isFinite ? time - lastField : 0)
    lastField = time
    return true
  }

  /// The motion sensors' reading at a time.
  mutating func motion(at time: Double) -> SimulatedEvent {
    let isFirst = !lastMotion.isFinite
    let span = isFirst ? 1 / profile.rate : time - lastMotion
    // After a pause, a reading still is the mean of an ordinary interval only.
    let interval = profile.averaging ?? min(span, 4 / profile.rate)
    let end = time - profile.delay
    lastMotion = time
    let passed = isFirst ? 0 : span
    let (trueRate, trueForce) = truth(from: end - interval, to: end)
    let rate = gyroscope?.read(trueRate, after: passed)
    let force = accelerometer.read(trueForce, after: passed)
    var newField: Vector3?
    if profile.givesMagnetometer {
      // A platform that listens all the time has the value already.
      if profile.fusedOrientation == .none { if readField(at: time) { newField = field } } else { newField = field }
    }
    let sample = MotionSample(time: time, angularVelocity: rate, specificForce: force, magneticField: newField)
    let event = BrowserMotionEvent(angularVelocity: rate, specificForce: force, convention: profile.motionConvention)
    return .motion(sample, event)
  }

  /// Lets the platform's own estimate hear its sensors.
  mutating func listen(at time: Double) {
    let step = 0.01
    let end = time - profile.delay
    let passed = lastOwn.isFinite ? time - lastOwn : 0
    lastOwn = time
    let (trueRate, trueForce) = truth(from: end - step, to: end)
    let rate = ownGyroscope.read(trueRate, after: passed)
    let force = ownAccelerometer.read(trueForce, after: passed)
    _ = readField(at: time)
    relative.take(angularVelocity: rate, specificForce: force, magneticField: field, step: step)
    absolute.take(angularVelocity: rate, specificForce: force, magneticField: field, step: step)
  }

  /// The platform's own orientation, as its browser gives it.
  func orientations() -> [SimulatedEvent] {
    guard let free = relative.worldFromDevice, let north = absolute.worldFromDevice else { return [] }
    func angles(_ q: Quaternion) -> BrowserAngles { BrowserAngles(worldFromDevice: q).rounded(to: 0.1) }
    switch profile.fusedOrientation {
    case .none: return []
    case .specification:
      return [
        .orientation(SimulatedOrientation(angles: angles(free), isAbsolute: false)),
        .orientation(SimulatedOrientation(angles: angles(north), isAbsolute: true)),
      ]
    case .iOS:
      let top = north * Vector3(0, 1, 0)
      // Upright, the top edge has no heading, and the smallest lean decides what is given.
      let heading = Angle(radians: atan2(top.x, top.y)).degrees
      let lean = hypot(top.x, top.y)
      let accuracy = clamp(8 / max(lean, 0.2), 8, 40)
      return [
        .orientation(
          SimulatedOrientation(
            angles: angles(free),
            isAbsolute: false,
            compassHeading: fmod(((heading < 0 ? heading + 360 : heading) * 10).rounded() / 10, 360),
            compassAccuracy: accuracy.rounded()
          )
        )
      ]
    }
  }

  /// The position fix delivered at a time, if there is one.
  mutating func fix(at time: Double) -> SimulatedEvent? {
    guard let view = simulation.script.skyViews.last(where: { $0.time <= time })?.view, view != .none else {
      return nil
    }
    // Positions are computed and handed through: they are of a moment ago.
    let age = view == .perfect ? 0 : random.uniform(0.1, 0.4)
    return .fix(fixes.fix(state(at: time - age), at: time, sky: view))
  }
}
