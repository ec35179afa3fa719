import SightlineFusion
import SightlineGeodesy
import SightlineMath

/// Something that a phone delivers, or that is so.
public enum SimulatedEvent: Sendable {
  /// Motion sensors, in the engine's units and frame, and as the browser writes them down.
  case motion(MotionSample, BrowserMotionEvent)
  /// The platform's own orientation.
  case orientation(SimulatedOrientation)
  /// A position.
  case fix(SimulatedFix)
  /// A camera picture was taken: a number from 0, and the state at the middle of the exposure.
  case picture(Int, Trajectory.State)
  /// The page draws a frame; what would be right.
  case tick(SimulatedTruth)
}

/// The platform's own orientation, as browsers give it.
public struct SimulatedOrientation: Equatable, Sendable {
  /// Angles of the event.
  public var angles: BrowserAngles
  /// Whether they count from magnetic north (`deviceorientationabsolute`).
  public var isAbsolute: Bool
  /// `webkitCompassHeading`, degrees clockwise from magnetic north.
  public var compassHeading: Double?
  /// `webkitCompassAccuracy`, degrees.
  public var compassAccuracy: Double?
}

/// A run of a script: a phone that moves, and what it delivers.
///
/// ```swift
/// let simulation = try Simulation(SimulationScript("walk 20\n"))
/// simulation.run { event, time in … }
/// ```
/// The same script gives the same events, bit for bit, on one machine.
public struct Simulation: Sendable {
  /// What is run.
  public let script: SimulationScript
  /// The world frame.
  public let frame: EastNorthUpFrame
  let surroundings: MagneticSurroundings
  let view: ViewGeometry
  let houses: [Surface]

  /// Gravity, metres a second squared: what the engine's sensor units count on.
  public static let gravity = 9.81

  /// Prepares a run.
  ///
  /// - Throws: when the script's date is outside of the magnetic model's years.
  public init(_ script: SimulationScript) throws(MagneticModelError) {
    self.script = script
    frame = EastNorthUpFrame(origin: script.place)
    var random = SeededGenerator(seed: script.seed, purpose: "magnetic surroundings")
    var surroundings = try MagneticSurroundings(place: script.place, decimalYear: script.decimalYear, from: &random)
    surroundings.magnets = script.magnets
    surroundings.disturbances = script.disturbances
    surroundings.steel = script.steel
    surroundings.traction.changes = script.tractionChanges
    self.surroundings = surroundings
    view = ViewGeometry(script)
    houses = script.scenery.standing(seed: script.seed, way: script.way)
  }

  /// All that can be seen, given the textures of the scenery's pictures.
  func surfaces(textures: [Texture]) -> [Surface] {
    script.scenery.surfaces(seed: script.seed, textures: textures, way: script.way)
  }

  /// The truth at a moment.
  public func truth(at time: Double) -> SimulatedTruth {
    let state = script.trajectory.state(at: time)
    var sights = view.sights(of: script.scenery.landmarks, state)
    for k in sights.indices where sights[k].isInPicture {
      let point = script.scenery.landmarks[sights[k].landmark].point
      sights[k].isHidden = houses.contains { $0.isBetween(state.position, point) }
    }
    return SimulatedTruth(time: time, state: state, position: frame.geodetic(state.position), sights: sights)
  }

  /// Where a landmark's point is on the Earth.
  public func position(ofLandmark index: Int) -> Geodetic { frame.geodetic(script.scenery.landmarks[index].point) }

  /// Height of a landmark's point above where the eye is at the start, metres.
  public func heightAboveEye(ofLandmark index: Int) -> Double {
    script.scenery.landmarks[index].point.z - script.trajectory.start.z
  }

  /// Hands out every event in the order of time.
  public func run<Failure: Error>(_ body: (SimulatedEvent, Double) throws(Failure) -> Void) throws(Failure) {
    var phone = SimulatedPhone(self)
    for moment in schedule() {
      if script.gaps.contains(where: { $0.contains(moment.time) }) { continue }
      switch moment.kind {
      case .platform: phone.listen(at: moment.time)
      case .motion: try body(phone.motion(at: moment.time), moment.time)
      case .orientation: for event in phone.orientations() { try body(event, moment.time) }
      case .fix: if let event = phone.fix(at: moment.time) { try body(event, moment.time) }
      case .picture(let number):
        let exposure = script.camera?.exposure ?? 0
        try body(.picture(number, script.trajectory.state(at: moment.time - exposure / 2)), moment.time)
      case .tick: try body(.tick(truth(at: moment.time)), moment.time)
      }
    }
  }

  private enum Kind {
    case platform, motion, orientation, fix
    case picture(Int)
    case tick
  }

  /// All moments at which something happens; of equal ones, sensors come first and the tick last.
  private func schedule() -> [(time: Double, kind: Kind)] {
    var moments: [(time: Double, rank: Int, kind: Kind)] = []
    let phone = script.phone
    var random = SeededGenerator(seed: script.seed, purpose: "schedule")
    func add(_ rank: Int, _ rate: Double, jitter: Double, loss: Double, offset: Double, _ kinds: (Int) -> [Kind]) {
      var last = -Double.infinity
      // A phone's clock is not the ideal one.
      let step = (1 + random.normal() * (jitter > 0 ? 3e-5 : 0)) / rate
      for k in 0..<max(0, Int(((script.duration - offset) / step).rounded(.up))) {
        var time = offset + Double(k) * step
        if jitter > 0 { time = max(last + step * 0.1, time + jitter * random.normal()) }
        let isLost = loss > 0 && random.uniform() < loss
        guard time >= 0, time <= script.duration, !isLost else { continue }
        last = time
        for kind in kinds(k) { moments.append((time, rank, kind)) }
      }
    }
    let hasFusion = phone.fusedOrientation != .none
    if hasFusion { add(0, 100, jitter: 0, loss: 0, offset: 0) { _ in [.platform] } }
    let motionOffset = random.uniform(0, 1 / phone.rate)
    add(1, phone.rate, jitter: phone.jitter, loss: phone.loss, offset: motionOffset) { _ in
      hasFusion ? [.motion, .orientation] : [.motion]
    }
    add(2, script.fixRate, jitter: 0.02, loss: 0.01, offset: random.uniform(0.3, 0.6)) { _ in [.fix] }
    if let camera = script.camera { add(3, camera.rate, jitter: 0, loss: 0, offset: 0) { [.picture($0)] } }
    add(4, script.tickRate, jitter: 0, loss: 0, offset: 1 / script.tickRate) { _ in [.tick] }
    return moments.enumerated().sorted {
      ($0.element.time, $0.element.rank, $0.offset) < ($1.element.time, $1.element.rank, $1.offset)
    }.map { ($0.element.time, $0.element.kind) }
  }
}
