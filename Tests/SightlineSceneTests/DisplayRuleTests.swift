import SightlineCamera
import SightlineGeodesy
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineScene

/// When visuals are shown, and how large, by the scene's own door.
@Suite struct DisplayRuleTests {
  private let cube = ModelPlacement.Bounds(low: Vector3(-1, -1, -1), high: Vector3(1, 1, 1))

  /// A feature with a label so small that several have room.
  private func sign(east: Double = 0, north: Double) -> SceneFeature {
    var one = feature(east: east, north: north)
    (one.width, one.height) = (60, 24)
    return one
  }

  private func stage(
    _ features: [SceneFeature],
    things: [Int32] = [],
    _ rules: [(feature: Int32, change: (inout DisplayRule) -> Void)]
  ) -> Stage {
    var stage = Stage(features)
    var world = stage.scene.world
    world.things = things.map {
      var thing = SceneThing(feature: $0)
      thing.isModel = true
      return thing
    }
    world.rules = rules.map { feature, change in
      var rule = DisplayRule(feature: feature)
      change(&rule)
      return rule
    }
    stage.scene.setWorld(world)
    for thing in things { stage.scene.setModelBounds(feature: thing, cube) }
    return stage
  }

  @Test(arguments: [(5.0, 1.0), (10, 1), (40, 0.75), (70, 0.5), (100, 0.25), (150, 0.25)])
  func `a model is as large on the display as the standard has it`(distance: Double, share: Double) throws {
    var stage = stage(
      [feature(north: distance)],
      things: [0],
      [(0, { $0.scaling = DistanceScaling(near: 10, far: 100, factor: 0.25) })]
    )
    stage.look()
    let item = try #require(stage.frame.things.first)
    // Two metres at ten metres away.
    let apparent = item.cameraFromThing.scale * 2 / distance
    #expect(isNear(apparent, share * 2 / 10, within: 1e-3), "\(distance): \(apparent)")
  }

  @Test(arguments: [(5.0, 1.0), (100, 1), (600, 0.75), (1100, 0.5), (3000, 0.5)])
  func `a label and all in it shrink, but letters no further than to a half`(distance: Double, scale: Double) throws {
    let scaling = DistanceScaling(near: 100, far: 1100, factor: distance < 2000 ? 0.5 : 0.01)
    var one = feature(north: distance)
    (one.width, one.height) = (100, 40)
    var stage = stage([one], [(0, { $0.scaling = scaling })])
    stage.look()
    let item = try #require(stage.item(0))
    #expect(isNear(item.scale, scale, within: 1e-3) && isNear(item.width, 100 * scale, within: 0.1))
    #expect(isNear(item.height, 40 * scale, within: 0.05))
  }

  @Test func `numbers that make no scaling are none`() {
    for (near, far, factor) in [
      (0.0, 10.0, 0.5), (-1, 10, 0.5), (10, 10, 0.5), (10, 5, 0.5), (10, 20, 0), (10, 20, -1), (.nan, 20, 1),
      (10, .nan, 1), (10, 20, .nan), (.infinity, .infinity, 1), (10, 20, 1e9),
    ] {
      #expect(DistanceScaling(near: near, far: far, factor: factor) == nil, "\(near), \(far), \(factor)")
    }
    let endless = DistanceScaling(near: 10, far: .infinity, factor: 0.1)
    #expect(endless?.share(at: 1e9) == 1 && endless?.growth(at: 20) == 2)
    #expect((endless?.growth(at: 0)).map { $0 > 0 } == true)
  }

  @Test func `a label that is shown while it is not selected goes when it is, and comes again`() {
    var stage = stage(
      [sign(east: -6, north: 30), sign(east: 6, north: 30)],
      [(0, { $0.selection = .unselected })]
    )
    stage.look()
    #expect(stage.item(0) != nil && stage.item(1) != nil)
    stage.scene.select(0)
    stage.update()
    #expect(stage.item(0) == nil && stage.item(1) != nil)
    #expect(stage.frame.radar.blips.contains { $0.feature == 0 })
    stage.scene.select(1)
    stage.update()
    #expect(stage.item(0) != nil)
    // Out of view it still has the arrow that leads to it.
    stage.scene.select(0)
    stage.look(heading: 180)
    #expect(stage.frame.arrows.contains { $0.isForSelection })
  }

  @Test func `where a model was the name stands in, and a model may be there for the selected one alone`() {
    var stage = stage(
      [sign(north: 10), sign(east: 2, north: 10)],
      things: [0, 1],
      [(0, { $0.selection = .unselected }), (1, { $0.selection = .selected })]
    )
    stage.look()
    #expect(stage.frame.things.map(\.feature) == [0] && stage.frame.items.map(\.feature) == [1])
    stage.scene.select(0)
    stage.update()
    #expect(stage.frame.things.isEmpty && Set(stage.frame.items.map(\.feature)) == [0, 1])
    stage.scene.select(1)
    stage.update()
    #expect(Set(stage.frame.things.map(\.feature)) == [0, 1])
  }

  @Test func `a picture in true size that is held back leaves no picture behind`() {
    var stage = stage([feature(north: 10)], [(0, { $0.selection = .unselected })])
    var world = stage.scene.world
    var thing = SceneThing(feature: 0)
    thing.width = 2
    world.things = [thing]
    world.features[0].kind = .image
    stage.scene.setWorld(world)
    stage.scene.setModelBounds(feature: 0, .init(low: Vector3(-0.5, -0.5, 0), high: Vector3(0.5, 0.5, 0)))
    stage.look()
    #expect(stage.frame.things.count == 1)
    stage.scene.select(0)
    stage.update()
    #expect(stage.frame.things.isEmpty && stage.frame.items.isEmpty)
  }

  @Test func `anchors of one feature count as selected together`() {
    let features = [sign(east: -6, north: 30), sign(north: 30), sign(east: 6, north: 30)]
    var stage = stage(
      features,
      [
        (0, { ($0.selection, $0.group) = (.unselected, 3) }), (1, { $0.group = 3 }),
        (2, { ($0.selection, $0.group) = (.unselected, 4) }),
      ]
    )
    stage.scene.select(1)
    stage.look()
    #expect(stage.item(0) == nil && stage.item(1) != nil && stage.item(2) != nil)
    stage.scene.select(2)
    stage.update()
    #expect(stage.item(0) != nil && stage.item(2) == nil)
  }

  @Test func `what is shown from afar is not shown from near, unless it is selected`() {
    var stage = stage(
      [feature(north: 100), feature(north: 300)],
      [(0, { $0.nearest = 200 }), (1, { $0.nearest = 200 })]
    )
    stage.look()
    #expect(stage.item(0) == nil && stage.item(1) != nil && stage.frame.candidateCount == 1)
    stage.scene.select(0)
    stage.update()
    #expect(stage.item(0) != nil)
  }

  @Test func `a line is shown while its feature is not selected`() {
    var stage = Stage([feature(north: 60)])
    var world = stage.scene.world
    let frame = EastNorthUpFrame(origin: ulm)
    world.pathVertices = [Vector3(-20, 60, 0), Vector3(20, 60, 0)].map { frame.geodetic($0) }.map {
      PathVertex(latitudeDegrees: $0.latitudeDegrees, longitudeDegrees: $0.longitudeDegrees)
    }
    world.paths = [ScenePath(feature: 0, shape: 0, isRing: false, vertices: 0..<2)]
    var rule = DisplayRule(feature: 0)
    rule.selection = .unselected
    // A rule of no feature changes nothing.
    world.rules = [rule, DisplayRule(feature: 9), DisplayRule(feature: -1)]
    stage.scene.setWorld(world)
    stage.look()
    #expect(!stage.frame.paths.isEmpty)
    stage.scene.select(0)
    stage.update()
    #expect(stage.frame.paths.isEmpty)
  }
}
