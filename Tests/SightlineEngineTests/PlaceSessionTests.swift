import SightlineCamera
import SightlineEngine
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineTestSupport
import Testing

/// A session for places alone is as right as the one for worlds.
@Suite struct PlaceSessionTests {
  private static let places = [
    (north: 30.0, east: 5.0, altitude: 0.0, datum: HeightDatum.eye),
    (north: -60, east: 20, altitude: 12, datum: .eye),
    (north: 80, east: -40, altitude: 500, datum: .seaLevel),
    (north: 120, east: 90, altitude: 531, datum: .ellipsoid),
    (north: 5, east: 0.5, altitude: 0, datum: .ground),
  ]

  /// The same places in both kinds of session, under the same events.
  private struct Pair {
    var host: Host
    var session: PlaceSession

    init(parameters: Session.Parameters = Session.Parameters()) throws {
      host = Host(parameters)
      session = PlaceSession(parameters: parameters)
      var world = WorldDescription()
      var told: [PlaceView.Place] = []
      for (index, place) in PlaceSessionTests.places.enumerated() {
        let here = fix(north: place.north, east: place.east)
        var feature = SceneFeature(latitudeDegrees: here.latitudeDegrees, longitudeDegrees: here.longitudeDegrees)
        feature.key = UInt64(index + 1)
        feature.kind = .model
        feature.altitude = place.altitude
        feature.altitudeDatum = place.datum
        world.features.append(feature)
        var thing = SceneThing(feature: Int32(index))
        thing.isModel = true
        thing.model.xRotation = Angle(degrees: -90)
        thing.model.scale = 1
        thing.attitude = SceneThing.Attitude(heading: Angle(degrees: 180))
        world.things.append(thing)
        told.append(
          PlaceView.Place(
            latitudeDegrees: here.latitudeDegrees,
            longitudeDegrees: here.longitudeDegrees,
            altitude: place.altitude,
            altitudeDatum: place.datum
          )
        )
      }
      session.setPlaces(told)
      host.tell(.open(AddressID(1)))
      tell(.calendar(decimalYear: 2026.5))
      tell(.display(Display(width: 390, height: 844)))
      tell(.orientation(.quaternion(worldFromDevice: upright(heading: 0), north: .magnetic)))
      tell(.fix(fix()))
      host.answer(world)
      for index in world.features.indices {
        let box = ModelPlacement.Bounds(low: Vector3(-5, -5, -5), high: Vector3(5, 5, 5))
        host.tell(.modelBounds(feature: Int32(index), box))
      }
    }

    mutating func tell(_ event: SessionEvent) {
      host.tell(event)
      session.handle(event, at: host.time)
    }

    mutating func draw() {
      host.draw()
      session.makeFrame(at: host.time)
    }
  }

  @Test func `places have the poses that models have in a world`() throws {
    var pair = try Pair()
    var compared = 0
    var heading = 0.0
    for step in 0..<120 {
      heading += 3
      pair.host.time += 0.05
      let held = upright(heading: heading, pitch: 10 * sin(heading / 20), roll: heading / 9)
      pair.tell(.orientation(.quaternion(worldFromDevice: held, north: .magnetic)))
      if step % 10 == 3 {
        let way = Double(step) / 5
        pair.tell(.fix(fix(north: way, east: way / 3, altitude: step < 60 ? 480 : nil, accuracy: 4)))
      }
      if step == 70 {
        let lens = Intrinsics(width: 1280, height: 720, longSideFieldOfView: Angle(degrees: 62))
        pair.tell(.camera(CameraPicture(intrinsics: lens)))
      }
      pair.draw()
      let (frame, scene) = (pair.session.frame, pair.host.session.frame)
      try #require(frame.isValid && scene.isValid)
      #expect(frame.items.count == Self.places.count, "also what is behind the camera")
      #expect(isNear((frame.bearing - scene.bearing).wrapped.radians, 0, within: 1e-9))
      #expect(frame.pitch == scene.pitch && frame.roll == scene.roll)
      for thing in scene.things {
        let item = try #require(frame.items.first { $0.place == thing.feature })
        let (a, b) = (item.cameraFromPlace, thing.cameraFromThing)
        #expect((a.translation - b.translation).length < 1e-6, "place \(thing.feature), step \(step)")
        for axis in [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)] {
          #expect((a.rotation * axis - b.rotation * axis).length < 1e-6, "place \(thing.feature), step \(step)")
        }
        #expect(isNear(item.distance, thing.distance, within: 1e-6))
        compared += 1
      }
      for k in 0..<16 where !scene.things.isEmpty { #expect(frame.clipFromCamera[k] == scene.clipFromThingCamera[k]) }
      #expect(pair.session.status.heading == pair.host.session.status.heading)
      #expect(pair.session.status.location == pair.host.session.status.location)
    }
    #expect(compared > 150, "\(compared)")
  }

  @Test func `without position, orientation or display there is no frame`() {
    var session = PlaceSession()
    session.setPlaces([
      PlaceView.Place(latitudeDegrees: 48.3985, longitudeDegrees: 9.9915, altitude: 0, altitudeDatum: .eye)
    ])
    session.makeFrame(at: 1)
    #expect(!session.frame.isValid && session.frame.items.isEmpty)
    session.handle(.display(Display(width: 390, height: 844)), at: 1)
    session.handle(.orientation(.quaternion(worldFromDevice: upright(heading: 0), north: .trueNorth)), at: 1)
    session.makeFrame(at: 1)
    #expect(!session.frame.isValid)
    session.handle(.fix(fix()), at: 1)
    session.makeFrame(at: 1.1)
    #expect(session.frame.isValid && session.frame.items.count == 1)
    session.handle(.setRadius(5), at: 1.2)
    session.makeFrame(at: 1.2)
    #expect(session.frame.items.isEmpty, "out of the radius")
  }

  @Test(arguments: 1...12) func `whatever it is told, what it says are numbers`(seed: UInt64) {
    var run = RandomRun(seed: seed)
    var session = PlaceSession()
    var time = 0.0
    for step in 0..<400 {
      // Times of all kinds are told; the session goes by those that are later.
      time += 0.03
      if run.chance(0.1) {
        session.setPlaces(
          (0..<4).map { _ in
            PlaceView.Place(
              latitudeDegrees: run.chance(0.1) ? run.oddNumber() : 48.4,
              longitudeDegrees: run.chance(0.1) ? run.oddNumber() : 9.99,
              altitude: run.chance(0.2) ? run.oddNumber() : 480,
              altitudeDatum: [.eye, .ground, .seaLevel, .ellipsoid].randomElement(using: &run.g) ?? .eye
            )
          }
        )
      }
      session.handle(run.event(), at: run.chance(0.05) ? run.oddNumber() : time)
      session.makeFrame(at: time)
      for item in session.frame.items {
        let pose = item.cameraFromPlace
        #expect(pose.translation.length.isFinite && item.distance.isFinite, "step \(step)")
        #expect((0...1).contains(item.opacity), "step \(step)")
        #expect(isNear((pose.rotation * Vector3(1, 0, 0)).length, 1, within: 1e-6), "step \(step)")
      }
    }
  }
}
