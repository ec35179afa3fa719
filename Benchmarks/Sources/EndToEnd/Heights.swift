import SightlineCamera
import SightlineEngine
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineSimulator

/// How much too high or too low landmarks are drawn whose document counts from the sea, seen by phones that count from the ellipsoid or from
/// the sea; with the true attitude, so that nothing but heights and positions is in it.
enum HeightHandling: String, CaseIterable {
  /// Document and phone are taken to count from one level, whatever they say.
  case asOne = "as of one level"
  /// The levels are known, the geoid is not: places stand at eye level where the two differ.
  case withoutGeoid = "levels known, no geoid"
  /// Both are known.
  case agreed = "levels and geoid known"
}

/// Degrees between where landmarks in the picture are drawn and where they are, up positive, every sixth of a second.
func heightErrors(
  phone: String,
  _ scenario: Scenario,
  seed: Int,
  _ handling: HeightHandling,
  _ geoid: Geoid
) throws -> [Double] {
  var script = try SimulationScript(scenario.script(seed: seed, phone: phone))
  var table = geoid
  script.geoidHeight = table.height(
    latitudeDegrees: script.place.latitudeDegrees,
    longitudeDegrees: script.place.longitudeDegrees
  )
  let simulation = try Simulation(script)
  var world = WorldDescription()
  for index in script.scenery.landmarks.indices {
    let place = simulation.position(ofLandmark: index)
    var feature = SceneFeature(latitudeDegrees: place.latitudeDegrees, longitudeDegrees: place.longitudeDegrees)
    (feature.altitude, feature.altitudeDatum) = (place.altitude - script.seaHeight, .seaLevel)
    world.features.append(feature)
  }
  var run = HeightRun(simulation: simulation, world: world, takesLevels: handling != .asOne)
  if handling == .agreed { run.session.handle(.geoid(geoid), at: 0) }
  simulation.run { event, time in run.take(event, at: time) }
  return run.errors
}

/// A session that is told positions and the true attitude.
private struct HeightRun {
  let simulation: Simulation
  let world: WorldDescription
  let takesLevels: Bool
  var session = Session()
  var errors: [Double] = []
  private var ticks = 0

  init(simulation: Simulation, world: WorldDescription, takesLevels: Bool) {
    self.simulation = simulation
    self.world = world
    self.takesLevels = takesLevels
    session.handle(.display(simulation.script.display), at: 0)
    session.handle(.open(AddressID(1)), at: 0)
  }

  mutating func take(_ event: SimulatedEvent, at time: Double) {
    switch event {
    case .fix(let fix):
      var given = fix.asLocationFix
      if !takesLevels { given.altitudeDatum = .seaLevel }
      session.handle(.fix(given), at: time)
    case .tick(let truth):
      ticks += 1
      if ticks % 10 == 0 { compare(truth, at: time) }
    case .motion, .orientation, .picture: return
    }
    while let effect = session.nextEffect() {
      if case .request(let request) = effect { session.handle(.loaded(request.id, world), at: time) }
    }
  }

  private mutating func compare(_ truth: SimulatedTruth, at time: Double) {
    let attitude = OrientationReading.quaternion(worldFromDevice: truth.state.worldFromDevice, north: .trueNorth)
    session.handle(.orientation(attitude), at: time)
    session.makeFrame(at: time)
    guard time > 6, session.frame.isValid else { return }
    let frame = EastNorthUpFrame(origin: truth.position)
    for sight in truth.sights where sight.isInPicture {
      guard let point = session.pointInWorld(feature: Int32(sight.landmark)) else { continue }
      let drawn = point - session.frame.eyeInWorld
      let there = frame.point(simulation.position(ofLandmark: sight.landmark))
      let error = atan2(drawn.z, hypot(drawn.x, drawn.y)) - atan2(there.z, hypot(there.x, there.y))
      errors.append(Angle(radians: error).degrees)
    }
  }
}
