import SightlineCamera
import SightlineMath

/// Why a script cannot become a sequence: what, and what to do.
public struct SequenceProblem: Error, CustomStringConvertible {
  /// A sentence or two.
  public let description: String
}

/// A run as world tracking gets it: motion readings and grey frames with their stamps, and the truth of both.
///
/// True times are on the motion sensors' clock, which starts at ``epoch`` seconds.
public struct SimulatedSequence: Sendable {
  /// A row of motion: the mean over the interval that ends at its time.
  public struct Reading: Equatable, Sendable {
    /// As stated, seconds.
    public var stamp: Double
    /// Where its interval ends, seconds.
    public var time: Double
    /// Radians a second, device axes, with all errors.
    public var angularRate: Vector3
    /// Metres a second squared, device axes, with all errors.
    public var specificForce: Vector3
    /// The same without any error.
    public var trueAngularRate: Vector3
    /// The same without any error.
    public var trueSpecificForce: Vector3
    /// Offset, drift, scale and crooked axes together, radians a second.
    public var rateError: Vector3
    /// Offset, drift, scale and crooked axes together, metres a second squared.
    public var forceError: Vector3
  }

  /// A picture that arrived.
  public struct Frame: Equatable, Sendable {
    /// From 0, of those that arrived.
    public var number: Int
    /// As stated, seconds.
    public var stamp: Double
    /// Middle of the exposure of the middle line, seconds.
    public var time: Double
    /// Seconds.
    public var exposure: Double
    /// By how many pixels a distant point moves within the exposure.
    public var blur: Double
    /// Whether the lens is covered.
    public var isCovered: Bool
  }

  /// Where the lens is and how it moves.
  public struct Pose: Sendable {
    /// Metres, world frame.
    public var position: Vector3
    /// Turns camera vectors (x right, y down, z forward, as the picture is seen) into the world.
    public var worldFromCamera: Quaternion
    /// Metres a second, world frame.
    public var velocity: Vector3
  }

  /// A rectangle that can be seen.
  public struct Plane: Sendable {
    /// What it belongs to.
    public var name: String
    /// Metres.
    public var center: Vector3
    /// To its right as seen from its front, of length 1.
    public var right: Vector3
    /// Down as seen from its front, of length 1.
    public var down: Vector3
    /// Metres.
    public var width: Double
    /// Metres.
    public var height: Double
  }

  /// Metres a second squared: that of the contract.
  public static let gravity = 9.80665
  /// Seconds before the first frame, for the sensors alone.
  static let lead = 0.25

  /// The run.
  public let simulation: Simulation
  /// Camera and clock as they really are.
  public let rig: Rig
  /// Time of the run's start, seconds.
  public let epoch: Double
  /// All readings that arrived, by time.
  public let readings: [Reading]
  /// All pictures that arrived, by time.
  public let frames: [Frame]
  /// What can be seen.
  public let planes: [Plane]

  private let renderer: RollingRenderer
  private var film: Film
  private var rays = RollingRenderer.RayCache()

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - simulation: the run; its script needs a camera and a phone with a gyroscope.
  ///   - textures: of the scenery's pictures, in their order.
  /// - Throws: what the script lacks.
  /// - Precondition: as many textures as pictures.
  public init(_ simulation: Simulation, textures: [Texture] = []) throws(SequenceProblem) {
    precondition(textures.count == simulation.script.scenery.pictures.count)
    let script = simulation.script
    guard let camera = script.camera else {
      throw SequenceProblem(description: "a sequence needs a camera; add a line such as \"camera 480 640 rate 30\".")
    }
    guard script.phone.gyroscope != nil else {
      throw SequenceProblem(
        description: "a sequence needs a phone with a gyroscope, and \(script.phone.name) has none."
      )
    }
    let lens = camera.intrinsics
    guard abs(lens.focalX - lens.focalY) < 1e-6 * lens.focalX else {
      throw SequenceProblem(description: "a sequence has one focal length; give the same FX and FY behind \"lens\".")
    }
    guard lens.width >= 64, lens.height >= 64 else {
      throw SequenceProblem(description: "the pictures of a sequence have to have 64 pixels and more on each side.")
    }
    guard script.duration >= 1 else {
      throw SequenceProblem(description: "a sequence has to last a second or more.")
    }
    self.simulation = simulation
    rig = Rig(
      script.rig,
      camera: camera,
      display: simulation.view.projection,
      angle: script.display.screenAngleDegrees,
      seed: script.seed
    )
    var random = SeededGenerator(seed: script.seed, purpose: "sequence")
    epoch = random.uniform(3, 400)
    readings = Self.readings(script, epoch)
    frames = Self.frames(script, camera, rig, epoch)
    let surfaces = simulation.surfaces(textures: textures)
    let eye = script.trajectory.state(at: 0).position
    // A roof that is cut out of a rectangle is no plane of that size.
    planes = surfaces.filter(\.outline.isEmpty).map { Self.plane($0, eye) }
    renderer = RollingRenderer(surfaces, rig: rig, trajectory: script.trajectory, duration: script.duration)
    film = Film(camera, rig: rig, seed: script.seed)
  }

  /// The pose of the lens at a time on the sensors' clock.
  public func pose(at time: Double) -> Pose {
    let state = simulation.script.trajectory.state(at: time - epoch)
    let (position, turn) = rig.pose(state)
    let swing = state.worldFromDevice * state.angularVelocity.cross(rig.lever)
    return Pose(position: position, worldFromCamera: turn, velocity: state.velocity + swing)
  }

  /// The pixel of a point in the picture of a frame: with the pose of the moment at which its own line is read.
  ///
  /// - Returns: `nil` for a point behind the camera.
  public func pixel(of point: Vector3, in frame: Frame) -> Vector2? {
    var late = 0.0
    var pixel: Vector2?
    // The line decides the moment, and that the line; it settles at once, as the camera moves little in a millisecond.
    for _ in 0..<8 {
      let pose = pose(at: frame.time + late)
      guard let next = rig.pixel(ofPointInCamera: pose.worldFromCamera.inverse * (point - pose.position)) else {
        return nil
      }
      pixel = next
      late = rig.lineTime(of: next)
    }
    return pixel
  }

  /// Grey levels of a frame, row by row.
  ///
  /// Frames have to be asked for in their order, as exposure is automatic.
  public mutating func picture(of frame: Frame) -> [UInt8] {
    let light: [Float]
    if frame.isCovered {
      light = [Float](repeating: 0, count: rig.width * rig.height)
    } else {
      let count = frame.blur < 6 ? 4 : frame.blur < 14 ? 6 : 10
      light = renderer.light(at: frame.time - epoch, exposure: frame.exposure, count: count, cache: &rays)
    }
    return film.develop(light, rig: rig, number: frame.number, at: frame.time, isCovered: frame.isCovered)
  }

  private static func readings(_ script: SimulationScript, _ epoch: Double) -> [Reading] {
    let phone = script.phone
    var gyroscope = SimulatedSensor(phone.gyroscope ?? SensorErrors(), seed: script.seed, purpose: "gyroscope")
    var accelerometer = SimulatedSensor(phone.accelerometer, seed: script.seed, purpose: "accelerometer")
    var random = SeededGenerator(seed: script.seed, purpose: "readings")
    let step = 1 / phone.rate
    var all: [Reading] = []
    var last = -Double.infinity
    let count = Int(clamp((script.duration / step).rounded(.down), 0, 1e7))
    for k in 1...max(1, count) {
      let end = Double(k) * step
      let rate = script.trajectory.meanAngularVelocity(from: end - step, to: end)
      let force = script.trajectory.meanSpecificForce(from: end - step, to: end, gravity: gravity)
      let read = (gyroscope.read(rate, after: step), accelerometer.read(force, after: step))
      let jitter = phone.jitter > 0 ? clamp(random.normal(), -4, 4) * phone.jitter : 0
      let isLost = phone.loss > 0 && random.uniform() < phone.loss && k > 3
      let stamp = max(last + 1e-6, epoch + end + jitter)
      last = stamp
      guard !isLost, !script.gaps.contains(where: { $0.contains(end) }) else { continue }
      all.append(
        Reading(
          stamp: stamp,
          time: epoch + end,
          angularRate: read.0,
          specificForce: read.1,
          trueAngularRate: rate,
          trueSpecificForce: force,
          rateError: gyroscope.systematicError,
          forceError: accelerometer.systematicError
        )
      )
    }
    return all
  }

  private static func frames(
    _ script: SimulationScript,
    _ camera: CameraSettings,
    _ rig: Rig,
    _ epoch: Double
  ) -> [Frame] {
    var random = SeededGenerator(seed: script.seed, purpose: "frames")
    let exposure = camera.exposure > 0 ? camera.exposure : random.uniform(0.003, 0.008)
    let isExact = script.phone.jitter == 0
    var all: [Frame] = []
    var last = -Double.infinity
    let count = Int(clamp(((script.duration - lead) * camera.rate).rounded(.down), 0, 1e7))
    for k in 0..<max(1, count) {
      let isLate = random.uniform() < script.rig.delayed
      let delay = random.uniform(0.004, 0.014)
      let isLost = random.uniform() < script.rig.lost
      let error = random.normal() * 0.0004
      let moment = lead + Double(k) / camera.rate + (isLate ? delay : 0)
      // All of the picture has to lie within the run.
      guard moment + rig.readout / 2 + exposure < script.duration, !isLost || k == 0,
        !script.gaps.contains(where: { $0.contains(moment) })
      else { continue }
      let rate = script.trajectory.state(at: moment).angularVelocity.length
      let stamp = max(last + 1e-4, epoch + moment + rig.lateness + (isExact ? 0 : error))
      last = stamp
      all.append(
        Frame(
          number: all.count,
          stamp: stamp,
          time: epoch + moment,
          exposure: exposure,
          blur: rate * exposure * rig.focal,
          isCovered: script.covers.contains { $0.contains(moment) }
        )
      )
    }
    return all
  }

  private static func plane(_ surface: Surface, _ eye: Vector3) -> Plane {
    let (width, height) = (surface.across.length, surface.down.length)
    let (right, down) = (surface.across * (1 / width), surface.down * (1 / height))
    // Right, down and into the wall are right-handed. What lies flat may have been laid out from below.
    let into = right.cross(down)
    let center = surface.corner + surface.across * 0.5 + surface.down * 0.5
    if abs(into.z) > 0.9, surface.name == "ground" || surface.name == "road", into.dot(center - eye) < 0 {
      return Plane(name: surface.name, center: center, right: right, down: down * -1, width: width, height: height)
    }
    return Plane(name: surface.name, center: center, right: right, down: down, width: width, height: height)
  }
}
