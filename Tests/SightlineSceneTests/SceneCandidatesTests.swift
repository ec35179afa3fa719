import SightlineGeodesy
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineScene

@Suite struct SceneCandidatesTests {
  /// Features due north, so many metres away, in a view that shows them all.
  private func stage(_ distances: [Double], radius: Double = 20_000) -> Stage {
    Stage(distances.map { dot(feature(north: $0)) }, radius: radius)
  }

  private func shown(_ stage: Stage) -> [Int32] { stage.frame.radar.blips.map(\.feature) }

  @Test func `candidates come nearest first, ties in document order`() {
    var stage = stage([300, 100, 200, 100, 300, 100])
    stage.look()
    #expect(shown(stage) == [1, 3, 5, 2, 0, 4])
    #expect(stage.frame.items.map(\.feature) == [1, 3, 5, 2, 0, 4])
    #expect(stage.frame.candidateCount == 6)
  }

  @Test(arguments: [(1.0, 0), (150, 1), (1000, 2), (20_000, 4), (1e9, 5), (.infinity, 5)])
  func `the radius may be any value above 0`(radius: Double, expected: Int) {
    var stage = stage([100, 900, 1100, 19_000, 40_000])
    stage.scene.setRadius(radius)
    stage.look()
    #expect(stage.frame.candidateCount == expected)
  }

  @Test func `a feature's own limit counts as well as the radius`() {
    var near = feature(north: 500)
    near.visibilityRadius = 400
    var far = feature(north: 500)
    far.visibilityRadius = 600
    var none = feature(north: 500)
    none.visibilityRadius = 0
    var stage = Stage([near, far, none])
    stage.look()
    #expect(shown(stage) == [1, 2])
    stage.scene.setEye(EastNorthUpFrame(origin: ulm).geodetic(Vector3(0, 150, 0)), datum: .ellipsoid)
    stage.look()
    #expect(shown(stage) == [0, 1, 2])
  }

  @Test func `categories are filtered by bits`() {
    var features: [SceneFeature] = []
    for category in [0, 1, 2, 63, 64, 255] as [UInt8] {
      var one = feature(north: 100 + Double(category))
      one.category = category
      features.append(one)
    }
    var stage = Stage(features)
    let cases: [(UInt64, [Int32])] = [
      (.max, [0, 1, 2, 3, 4, 5]), (0, []), (1, [0, 4, 5]), (0b110, [1, 2]), (1 << 63, [3]), (~1, [1, 2, 3]),
    ]
    for (categories, expected) in cases {
      stage.scene.setCategories(categories)
      stage.look()
      #expect(shown(stage) == expected)
      #expect(stage.frame.candidateCount == expected.count)
    }
  }

  @Test func `the selected feature is shown whatever radius and filter say`() {
    var other = feature(north: 5000)
    other.category = 7
    other.visibilityRadius = 10
    var stage = Stage([feature(north: 100), other], radius: 1000)
    stage.scene.setCategories(1)
    stage.scene.select(1)
    stage.look()
    #expect(stage.frame.items.map(\.feature) == [0, 1])
    #expect(stage.frame.items.map(\.opacity) == [1, 1])
    #expect(stage.frame.candidateCount == 1)
    #expect(stage.frame.selected == 1)
    stage.scene.select(nil)
    stage.look()
    #expect(stage.frame.items.map(\.feature) == [0])
  }

  @Test func `indices out of range select nothing`() {
    var stage = stage([100])
    for index in [-1, 1, .max, .min] as [Int32] {
      stage.scene.select(0)
      stage.scene.select(index)
      #expect(stage.scene.selected == nil)
    }
  }

  @Test func `features fade towards the limit`() {
    #expect(edgeOpacity(distance: 899, limit: 1000, fraction: 0.1, least: 0.4) == 1)
    #expect(isNear(edgeOpacity(distance: 950, limit: 1000, fraction: 0.1, least: 0.4), 0.7, within: 1e-12))
    #expect(isNear(edgeOpacity(distance: 1000, limit: 1000, fraction: 0.1, least: 0.4), 0.4, within: 1e-12))
    #expect(edgeOpacity(distance: 950, limit: .infinity, fraction: 0.1, least: 0.4) == 1)
    #expect(edgeOpacity(distance: 950, limit: 1000, fraction: 0, least: 0.4) == 1)
    var stage = stage([100, 950], radius: 1000)
    stage.look()
    #expect(stage.frame.items.first?.opacity == 1)
    #expect(isNear(stage.frame.items.last?.opacity ?? .nan, 0.7, within: 0.02))
  }

  /// The plain loop over the whole world is the reference.
  @Test func `the index finds what a plain loop finds`() {
    var random = SplitMix64(seed: 12)
    var features: [SceneFeature] = []
    for _ in 0..<3000 {
      var one = SceneFeature(
        latitudeDegrees: ulm.latitudeDegrees + .random(in: -0.2...0.2, using: &random),
        longitudeDegrees: ulm.longitudeDegrees + .random(in: -0.3...0.3, using: &random)
      )
      one.category = UInt8.random(in: 0...5, using: &random)
      one.visibilityRadius = Bool.random(using: &random) ? 0 : .random(in: 1...30_000, using: &random)
      features.append(one)
    }
    var stage = Stage(features)
    for radius in [500.0, 3000, 12_000] {
      stage.scene.setRadius(radius)
      stage.scene.setCategories(0b101101)
      stage.look()
      var expected: [(Double, Int32)] = []
      for (i, one) in features.enumerated() {
        let distance = greatCircleDistance(
          from: ulm,
          to: Geodetic(latitudeDegrees: one.latitudeDegrees, longitudeDegrees: one.longitudeDegrees)
        )
        guard distance <= radius, 0b101101 >> one.category & 1 == 1 else { continue }
        guard one.visibilityRadius == 0 || distance <= one.visibilityRadius else { continue }
        expected.append((distance, Int32(i)))
      }
      expected.sort { $0 < $1 }
      #expect(shown(stage) == expected.map(\.1))
      #expect(radius < 12_000 || expected.count > 200)
    }
  }

  // MARK: Refresh of the content

  private func keyed(_ keys: [UInt64]) -> WorldDescription {
    var world = WorldDescription()
    for (i, key) in keys.enumerated() {
      var one = feature(east: Double(i) * 20 - 20, north: 100)
      one.key = key
      world.features.append(one)
    }
    return world
  }

  @Test func `selection and measured sizes follow the key through a refresh`() {
    var stage = Stage([])
    stage.scene.setWorld(keyed([11, 22, 33]))
    stage.scene.select(1)
    stage.scene.setLabelSize(feature: 1, width: 17, height: 9)
    stage.look()
    #expect(stage.item(1)?.width == 17)
    stage.scene.setWorld(keyed([22, 44, 11]))
    stage.look()
    #expect(stage.scene.selected == 0)
    #expect(stage.item(0)?.width == 17 && stage.item(0)?.height == 9)
    #expect(stage.frame.items.first { $0.isSelected }?.feature == 0)
    stage.scene.setWorld(keyed([44, 11]))
    #expect(stage.scene.selected == nil)
    stage.scene.setWorld(WorldDescription())
    stage.look()
    #expect(stage.frame.items.isEmpty)
  }

  @Test func `what has no key does not survive a refresh`() {
    var stage = Stage([feature(north: 100), feature(north: 200)])
    stage.scene.select(1)
    stage.scene.setLabelSize(feature: 1, width: 17, height: 9)
    stage.scene.setWorld(stage.scene.world)
    stage.look()
    #expect(stage.scene.selected == nil)
    #expect(stage.item(1)?.width == 120)
  }

  @Test func `keys are made unique`() {
    let world = keyed([5, 0, 5, 0, 7, 5])
    let placed = PlacedWorld(world, carryingOverFrom: PlacedWorld())
    #expect(Set(placed.places.map(\.key)).count == 6)
    #expect(placed.feature(withKey: 5) == 0)
    #expect(placed.feature(withKey: 7) == 4)
    #expect(placed.feature(withKey: 0) == nil)
    #expect(placed.feature(withKey: 6) == nil)
    for i in 0..<6 { #expect(placed.feature(withKey: placed.places[i].key) == Int32(i)) }
  }

  @Test func `true-size visuals keep their size whatever the host measured`() {
    var poster = feature(north: 100)
    poster.sizeMode = .trueSize
    poster.width = 10
    poster.height = 5
    var stage = Stage([poster])
    stage.scene.setLabelSize(feature: 0, width: 300, height: 300)
    stage.look()
    #expect(isNear(stage.item(0)?.width ?? .nan, stage.phone.focal / 10, within: 1e-6))
  }

  // MARK: Limits

  @Test func `of a crowd the nearest are drawn and the selected one`() {
    var parameters = Scene.Parameters()
    parameters.maximumItems = 5
    var stage = stage((0..<20).map { 100 + Double($0) })
    stage.scene = Scene(parameters: parameters)
    var world = WorldDescription()
    world.features = (0..<20).map { dot(feature(east: Double($0) * 3 - 30, north: 100 + Double($0))) }
    stage.scene.setWorld(world)
    stage.scene.setEye(ulm, datum: .ellipsoid)
    stage.look()
    let nearest = stage.frame.radar.blips.prefix(5).map(\.feature)
    #expect(Set(stage.frame.items.map(\.feature)).union(stage.frame.clusterMembers) == Set(nearest))
    stage.scene.select(19)
    stage.look()
    #expect(
      Set(stage.frame.items.map(\.feature)).union(stage.frame.clusterMembers) == Set(nearest.prefix(4) + [19])
    )
  }

  // MARK: Focus

  private func focusStage() -> Stage {
    var stage = Stage([])
    var world = WorldDescription()
    world.features = [
      dot(feature(east: 5, north: 100)), dot(feature(east: -2, north: 100)), dot(feature(east: 0, north: 100)),
    ]
    world.features[0].focusOverlays = 0..<2
    world.features[1].focusOverlays = 2..<9
    world.focusOverlays = [0, 1, 2, 77, -1]
    world.overlays = [SceneOverlay(), SceneOverlay(), SceneOverlay(), SceneOverlay()]
    world.overlays[0].hidden = true
    world.overlays[1].hidden = true
    world.overlays[2].hidden = true
    stage.scene.setWorld(world)
    return stage
  }

  /// Feature 2 is in the very centre but names no overlay; 0 is 5.16 points per metre to the right.
  @Test func `the feature nearest the centre shows its overlays`() {
    var stage = focusStage()
    stage.look()
    #expect(stage.frame.focused == 1)
    #expect(stage.frame.overlayVisible == [false, false, true, true])
    stage.look(heading: 2.5)
    #expect(stage.frame.focused == 0)
    #expect(stage.frame.overlayVisible == [true, true, false, true])
    stage.look(heading: 9)
    #expect(stage.frame.focused == nil)
    #expect(stage.frame.overlayVisible == [false, false, false, true])
  }

  @Test func `focus ends fifty points from the centre`() {
    var stage = focusStage()
    // Feature 0 alone is left of the centre when looking far right of it.
    let azimuth = atan2(5.0, 100) * 180 / pi
    let fifty = atan(50 / stage.phone.focal) * 180 / pi
    stage.look(heading: azimuth + fifty * 0.999)
    #expect(stage.frame.focused == 0)
    stage.look(heading: azimuth + fifty * 1.001)
    #expect(stage.frame.focused == nil)
  }

  @Test func `overlays without a picture are those that are not hidden`() {
    var stage = focusStage()
    stage.scene.update(
      time: 0,
      eastNorthUpFromDevice: Quaternion(w: .nan, x: 0, y: 0, z: 0),
      projection: stage.phone.projection,
      into: &stage.frame
    )
    #expect(!stage.frame.isValid)
    #expect(stage.frame.overlayVisible == [false, false, false, true])
  }

  // MARK: Touch and freeze

  @Test func `a frozen frame can be touched while the scene moves on`() {
    var low = feature(east: -12, north: 100)
    low.width = 60
    var stage = Stage([low, feature(east: 12, north: 100)])
    stage.look()
    let frozen = stage.frame
    stage.look(heading: 180)
    #expect(frozen.items.count == 2)
    for item in frozen.items {
      #expect(stage.scene.hit(item.center, in: frozen) == .feature(item.feature))
    }
    #expect(stage.scene.hit(Vector2(2, 470), in: frozen) == .none)
    let arrow = stage.frame.arrows[0]
    #expect(stage.scene.hit(arrow.position, in: stage.frame) == .arrow(0))
  }
}
