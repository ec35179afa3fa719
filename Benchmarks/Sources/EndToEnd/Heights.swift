import Foundation
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
  var session = Session()
  session.handle(.display(script.display), at: 0)
  session.handle(.open(AddressID(1)), at: 0)
  if handling == .agreed { session.handle(.geoid(geoid), at: 0) }
  var errors: [Double] = []
  var ticks = 0
  simulation.run { event, time in
    switch event {
    case .fix(let fix):
      var given = fix.asLocationFix
      if handling == .asOne { given.altitudeDatum = .seaLevel }
      session.handle(.fix(given), at: time)
    case .tick(let truth):
      ticks += 1
      guard ticks % 10 == 0 else { return }
      let attitude = OrientationReading.quaternion(worldFromDevice: truth.state.worldFromDevice, north: .trueNorth)
      session.handle(.orientation(attitude), at: time)
      session.makeFrame(at: time)
      guard time > 6, session.frame.isValid else { break }
      let frame = EastNorthUpFrame(origin: truth.position)
      for sight in truth.sights where sight.isInPicture {
        guard let point = session.pointInWorld(feature: Int32(sight.landmark)) else { continue }
        let drawn = point - session.frame.eyeInWorld
        let there = frame.point(simulation.position(ofLandmark: sight.landmark))
        let error = atan2(drawn.z, hypot(drawn.x, drawn.y)) - atan2(there.z, hypot(there.x, there.y))
        errors.append(Angle(radians: error).degrees)
      }
    case .motion, .orientation, .picture: break
    }
    while let effect = session.nextEffect() {
      if case .request(let request) = effect { session.handle(.loaded(request.id, world), at: time) }
    }
  }
  return errors
}

/// The table of `--heights`.
func reportHeights(_ scenarios: [Scenario], seeds: ClosedRange<Int>) throws {
  let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "../../../WebClient/data/egm96.geoid"
  )
  let geoid = try Geoid([UInt8](Data(contentsOf: file)))
  print("Error of the elevation of landmarks (40 m to 1.5 km away) whose heights count from the sea, degrees, with the true attitude;")
  print("seeds \(seeds.lowerBound) to \(seeds.upperBound), \(scenarios.count) scenarios: median of the error, of its size, and 95th percentile of that.")
  for phone in ["android-chrome", "ios-safari"] {
    for handling in HeightHandling.allCases {
      var errors: [Double] = []
      for scenario in scenarios {
        for seed in seeds { errors += try heightErrors(phone: phone, scenario, seed: seed, handling, geoid) }
      }
      let name = "\(phone), \(handling.rawValue)"
      print(
        name + String(repeating: " ", count: max(0, 40 - name.count)) + number(percentile(errors, 0.5), 2)
          + number(percentile(errors.map(abs), 0.5), 2) + number(percentile(errors.map(abs), 0.95), 2)
      )
    }
  }
}
