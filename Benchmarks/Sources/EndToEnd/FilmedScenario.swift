import SightlineCamera
import SightlineFusion
import SightlineImaging
import SightlineMath
import SightlineOdometry
import SightlineSimulator

/// What world tracking makes of the camera's pictures in a scenario, as behind the page's geo view (`WebClient/app/stage/path-tracking.js`).
///
/// The pictures are drawn: a street along the first heading, with a rolling shutter, a lens that bends, noise, and a clock of their own. Tracking
/// is told the lens that the page assumes, and has the phone's motion readings with their errors.
struct FilmedScenario: Sendable {
  /// What the session is told when a picture was tracked.
  struct Reading: Sendable {
    /// When it is told, seconds since the run's start.
    var arrival: Double
    var path: PathReading
    /// Of the lens along the longer side, when it was learned anew.
    var fieldOfView: Angle?
  }

  /// Pictures a second: the page looks at 22 at most.
  private static let rate = 20
  /// Seconds until the page has loaded `odometry.wasm` and tracking begins.
  private static let loading = 1.5
  /// Seconds from a picture's stamp to the answer.
  private static let work = 0.03
  /// `KNOWN_FOCAL` and `INTERVAL` of the page (`WebClient/app/vision/lens-keeper.js`).
  private static let knownFocal = 0.01
  private static let keeping = 5.0

  private let scenario: Scenario
  private let seed: Int
  private let pictures: [[UInt8]]

  /// Draws the pictures; they are the same for every phone.
  init(_ scenario: Scenario, seed: Int) throws {
    self.scenario = scenario
    self.seed = seed
    var sequence = try Self.sequence(scenario, seed, phone: sensors)
    pictures = sequence.frames.map { sequence.picture(of: $0) }
  }

  private static func sequence(_ scenario: Scenario, _ seed: Int, phone: String) throws -> SimulatedSequence {
    let script = scenario.script(
      seed: seed,
      phone: phone,
      camera: "270 480 rate \(rate) grey noise 2 blur 0.5",
      surroundings: "street heading \(Scenario.firstHeading(seed)) length 400 width 30"
    )
    return try SimulatedSequence(Simulation(SimulationScript(script)))
  }

  /// Tracks the pictures with the readings of a phone.
  func readings(phone: String) throws -> [Reading] {
    let sequence = try Self.sequence(scenario, seed, phone: phone)
    guard let lens = sequence.simulation.script.camera?.intrinsics else { return [] }
    let believed = Intrinsics(width: lens.width, height: lens.height, longSideFieldOfView: Belief.fieldOfView)
    let tracker = WorldTracker(
      OdometryConfiguration(
        width: sequence.rig.width,
        height: sequence.rig.height,
        focal: believed.focalX,
        screenAngleDegrees: 0,
        readoutDirection: .usual(width: sequence.rig.width, height: sequence.rig.height, screenAngleDegrees: 0)
      )
    )
    var (readings, next, kept) = ([Reading](), 0, -Double.infinity)
    for (frame, picture) in zip(sequence.frames, pictures) where frame.time - sequence.epoch >= Self.loading {
      while next < sequence.readings.count, sequence.readings[next].stamp <= frame.stamp {
        let reading = sequence.readings[next]
        tracker.take(
          InertialReading(time: reading.stamp, angularRate: reading.angularRate, specificForce: reading.specificForce)
        )
        next += 1
      }
      let estimate = try picture.withUnsafeBufferPointer { bytes in
        tracker.take(
          try GrayView(bytes, width: sequence.rig.width, height: sequence.rig.height, stride: sequence.rig.width),
          stamp: frame.stamp
        )
      }
      let time = frame.stamp - estimate.timeOffset - sequence.epoch
      var reading = Reading(
        arrival: frame.stamp - sequence.epoch + Self.work,
        path: PathReading(
          time: time,
          position: estimate.position,
          worldFromCamera: estimate.worldFromCamera,
          yawDeviation: estimate.yawDeviation,
          state: Self.state(estimate)
        )
      )
      if estimate.state == .metric, estimate.focalDeviation < Self.knownFocal, time - kept >= Self.keeping {
        kept = time
        reading.fieldOfView = Angle(radians: 2 * atan(max(lens.width, lens.height) / 2 / estimate.focal))
      }
      if estimate.state != .none { readings.append(reading) }
    }
    return readings
  }

  private static func state(_ estimate: OdometryEstimate) -> PathState {
    guard !estimate.isLost else { return .lost }
    switch estimate.state {
    case .metric: return .metric
    case .uncertainScale: return .uncertainScale
    default: return .lost
    }
  }
}
