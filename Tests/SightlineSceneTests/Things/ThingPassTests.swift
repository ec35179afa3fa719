import SightlineCamera
import SightlineGeodesy
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineScene

/// Models and pictures in true size, by the scene's own door; expected places by trigonometry alone.
@Suite struct ThingPassTests {
  private let cube = ModelPlacement.Bounds(low: Vector3(-1, -1, -1), high: Vector3(1, 1, 1))

  private func stage(_ features: [SceneFeature], _ things: [SceneThing], altitudeKnown: Bool = true) -> Stage {
    var stage = Stage(features, altitudeKnown: altitudeKnown)
    var world = stage.scene.world
    world.things = things
    stage.scene.setWorld(world)
    return stage
  }

  private func model(_ feature: Int32, heading: Double? = nil) -> SceneThing {
    var thing = SceneThing(feature: feature)
    thing.isModel = true
    thing.attitude = heading.map { SceneThing.Attitude(heading: Angle(degrees: $0)) }
    return thing
  }

  /// Where a point of an item's own frame is on the display.
  private func point(_ p: Vector3, _ item: ThingItem, _ frame: SceneFrame) -> Vector2 {
    let c = item.cameraFromThing * Vector3(p.x, p.y * item.stretch, p.z)
    let m = frame.clipFromThingCamera
    let w = Double(m[11]) * c.z
    let x = (Double(m[0]) * c.x + Double(m[8]) * c.z) / w
    let y = (Double(m[5]) * c.y + Double(m[9]) * c.z) / w
    return Vector2((x + 1) / 2 * frame.width, (1 - y) / 2 * frame.height)
  }

  @Test(arguments: [0.0, 75, 180, 290], [-1.5, 0, 3])
  func `the corners of a cube are where trigonometry says`(heading: Double, up: Double) throws {
    var stage = stage([feature(east: 1, north: 10, up: up)], [model(0, heading: heading)])
    stage.scene.setModelBounds(feature: 0, cube)
    stage.look(heading: 7, pitch: 4, roll: 11)
    let item = try #require(stage.frame.things.first)
    #expect(item.state == .drawn && item.feature == 0 && stage.frame.items.isEmpty)
    let h = heading * pi / 180
    for corner in 0..<8 {
      let p = Vector3(corner & 1 == 0 ? -1 : 1, corner & 2 == 0 ? -1 : 1, corner & 4 == 0 ? -1 : 1)
      // To the right of who looks at its front; that front; up.
      let (east, north) = (1 - p.x * cos(h) + p.z * sin(h), 10 + p.x * sin(h) + p.z * cos(h))
      let azimuth = atan2(east, north) * 180 / pi
      let elevation = atan2(up + p.y, hypot(east, north)) * 180 / pi
      let expected = try #require(stage.phone.point(azimuth: azimuth, elevation: elevation))
      #expect((point(p, item, stage.frame) - expected).length < 0.01, "corner \(corner)")
    }
  }

  @Test func `without an attitude a model has east to its right, and turns as the document says`() throws {
    var thing = model(0)
    thing.model.yRotation = Angle(degrees: 90)
    var stage = stage([feature(north: 10)], [thing])
    stage.scene.setModelBounds(feature: 0, cube)
    stage.look()
    let item = try #require(stage.frame.things.first)
    // Counter-clockwise from above, what was east is north: away from the eye.
    #expect((item.cameraFromThing.rotation * Vector3(1, 0, 0) - Vector3(0, 0, 1)).length < 1e-6)
    #expect((item.cameraFromThing.rotation * Vector3(0, 1, 0) - Vector3(0, -1, 0)).length < 1e-6)
  }

  @Test func `a picture without an attitude faces the user, upright`() throws {
    var thing = SceneThing(feature: 0)
    (thing.width, thing.height) = (2, 3)
    var stage = stage([feature(east: 6, north: 8, up: 1)], [thing])
    stage.scene.setModelBounds(feature: 0, .init(low: Vector3(-0.5, -0.5, 0), high: Vector3(0.5, 0.5, 0)))
    stage.look(heading: 30)
    let item = try #require(stage.frame.things.first)
    #expect(isNear(item.stretch, 1.5, within: 1e-12) && item.cameraFromThing.scale == 2)
    let front = item.cameraFromThing.rotation * Vector3(0, 0, 1)
    #expect(front.z < -0.99 && abs(front.y) < 1e-6)
    // The middle of its lower edge is on the place.
    let foot = item.cameraFromThing * Vector3(0, -0.75, 0)
    #expect(isNear(foot.length, (36.0 + 64 + 1).squareRoot(), within: 1e-3))
  }

  @Test func `a model of a height has its foot on the ground`() throws {
    var thing = model(0, heading: 180)
    thing.height = 4
    var stage = stage([feature(north: 20, datum: .ground)], [thing])
    stage.scene.setModelBounds(feature: 0, .init(low: Vector3(1, 5, 1), high: Vector3(3, 7, 3)))
    stage.look()
    let item = try #require(stage.frame.things.first)
    let foot = item.cameraFromThing * Vector3(2, 5, 2)
    #expect((foot - Vector3(0, 1.5, 20)).length < 1e-3)
    #expect(isNear(item.cameraFromThing.scale, 2, within: 1e-12))
    #expect(item.shadow.opacity > 0.4 && (item.shadow.center - Vector3(0, 1.49, 20)).length < 0.02)
    // Who sits in a wheelchair holds the phone lower.
    stage.scene.setEyeHeight(0.9)
    stage.update()
    let lower = try #require(stage.frame.things.first)
    #expect((lower.cameraFromThing * Vector3(2, 5, 2) - Vector3(0, 0.9, 20)).length < 1e-3)
  }

  @Test func `until its box is known a thing is wanted, and its label is shown`() {
    var stage = stage([feature(north: 10)], [model(0)])
    stage.look()
    #expect(stage.frame.things.map(\.state) == [.wanted] && stage.frame.items.count == 1)
    stage.scene.setModelBounds(feature: 0, cube)
    stage.update()
    #expect(stage.frame.things.map(\.state) == [.drawn] && stage.frame.items.isEmpty)
    stage.scene.select(0)
    stage.update()
    #expect(stage.frame.items.map(\.feature) == [0])
  }

  @Test func `files that cannot be had keep no others from being asked for`() {
    // Thirty-three large ones near by, whose file is broken, and a small one behind.
    let broken = 33 as Int32
    var features = (0..<broken).map { feature(east: Double($0 % 11) - 5, north: 20, up: Double($0 / 11) * 2) }
    features.append(feature(north: 50))
    var stage = stage(features, features.indices.map { model(Int32(truncatingIfNeeded: $0)) })
    stage.look()
    #expect(stage.frame.things.count == 32 && !stage.frame.things.contains { $0.feature == broken })
    let nothing = ModelPlacement.Bounds(low: .zero, high: .zero)
    for item in stage.frame.things { stage.scene.setModelBounds(feature: item.feature, nothing) }
    stage.update()
    #expect(stage.frame.things.map(\.state) == [.wanted, .wanted])
    #expect(stage.frame.things.contains { $0.feature == broken })
    let large = ModelPlacement.Bounds(low: Vector3(-3, -3, -3), high: Vector3(3, 3, 3))
    for item in stage.frame.things {
      stage.scene.setModelBounds(feature: item.feature, item.feature == broken ? large : nothing)
    }
    stage.update()
    #expect(stage.frame.things.map(\.feature) == [broken] && stage.frame.things[0].state == .drawn)
  }

  @Test func `what cannot be had any more has its label again`() {
    var stage = stage([feature(north: 10)], [model(0)])
    stage.scene.setModelBounds(feature: 0, cube)
    stage.look()
    #expect(stage.frame.things.map(\.state) == [.drawn] && stage.frame.items.isEmpty)
    stage.scene.setModelBounds(feature: 0, ModelPlacement.Bounds(low: .zero, high: .zero))
    stage.update()
    #expect(stage.frame.things.isEmpty && stage.frame.items.map(\.feature) == [0])
  }

  @Test func `what does not fit into the frame is left out, the smaller first, the selected never`() {
    let features = (0..<4).map { feature(east: Double($0) - 2, north: 10 + 10 * Double($0)) }
    var stage = stage(features, (0..<4).map { model($0) })
    for k in 0..<4 as Range<Int32> {
      stage.scene.setModelBounds(feature: k, cube)
      stage.scene.setModelTriangles(feature: k, 100_000)
    }
    stage.look()
    #expect(stage.frame.things.map(\.feature) == [0, 1])
    #expect(Set(stage.frame.items.map(\.feature)).isSubset(of: [2, 3]))
    stage.scene.select(3)
    stage.update()
    #expect(stage.frame.things.map(\.feature) == [3, 0])
  }

  @Test func `what is behind, beside or too small is not drawn`() {
    let features = [feature(north: -10), feature(east: 50, north: 10), feature(north: 900)]
    var stage = stage(features, (0..<3).map { model($0) })
    for k in 0..<3 as Range<Int32> { stage.scene.setModelBounds(feature: k, cube) }
    stage.look()
    #expect(stage.frame.things.isEmpty)
  }

  @Test func `a touch finds the nearest box, and a picture only where it is`() throws {
    var poster = SceneThing(feature: 1)
    poster.width = 2
    poster.attitude = SceneThing.Attitude(heading: Angle(degrees: 180))
    var stage = stage([feature(north: 20), feature(north: 10, up: -1)], [model(0), poster])
    stage.scene.setModelBounds(feature: 0, cube)
    stage.scene.setModelBounds(feature: 1, .init(low: Vector3(-0.5, -0.5, 0), high: Vector3(0.5, 0.5, 0)))
    stage.look()
    let middle = Vector2(160, 240)
    #expect(stage.scene.hit(middle, in: stage.frame) == .feature(1))
    let beside = try #require(stage.phone.point(azimuth: atan2(1.2, 10) * 180 / pi, elevation: 0))
    #expect(stage.scene.hit(beside, in: stage.frame) == .none)
  }

  @Test func `numbers that make no sense break nothing`() {
    var wild = model(0, heading: .nan)
    wild.model.scale = .infinity
    wild.height = .nan
    wild.width = -1
    var stage = stage([feature(north: 10)], [wild, model(7)])
    stage.scene.setModelBounds(feature: 0, .init(low: Vector3(1, 1, 1), high: Vector3(-1, -1, -1)))
    stage.scene.setModelBounds(feature: 7, cube)
    stage.scene.setModelTriangles(feature: 0, -5)
    stage.look()
    #expect(stage.frame.things.allSatisfy { $0.cameraFromThing.translation.length.isFinite })
  }
}
