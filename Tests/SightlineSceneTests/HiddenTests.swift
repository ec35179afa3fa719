import SightlineGeodesy
import SightlineMath
import SightlineOcclusion
import SightlineScene
import Testing

@Suite struct HiddenTests {
  private let frame = EastNorthUpFrame(origin: ulm)

  private func place(_ east: Double, _ north: Double) -> Geodetic { frame.geodetic(Vector3(east, north, 0)) }

  /// A house 12 m high, 20 m wide, whose front is 30 m north of the eye.
  private var house: SceneBuilding {
    SceneBuilding([
      SceneBuilding.Part(outer: [place(-10, 30), place(10, 30), place(10, 40), place(-10, 40)], roof: 12)
    ])
  }

  /// One behind the house, one in it, one far beside it.
  private func stage(_ labels: HiddenLabels = .dim) -> Stage {
    var stage = Stage([feature(at: place(0, 80)), feature(at: place(2, 36)), feature(at: place(30, 80))])
    stage.scene.setBuildings([house])
    stage.scene.setHiddenLabels(labels)
    stage.scene.setEye(ulm, datum: .ellipsoid, sigma: 2)
    stage.look()
    return stage
  }

  private func item(_ stage: Stage, _ feature: Int32) -> SceneItem? {
    stage.frame.items.first { $0.feature == feature }
  }

  @Test func `labels say what stands behind a house`() throws {
    let stage = stage()
    #expect(try #require(item(stage, 0)).visibility == .hidden)
    #expect(try #require(item(stage, 1)).visibility == .seen)
    #expect(try #require(item(stage, 2)).visibility == .seen)
  }

  @Test func `arrows say whether what they name stands behind a house`() throws {
    var stage = stage()
    stage.scene.select(0)
    stage.look(heading: 180)
    let selection = try #require(stage.frame.arrows.first(where: \.isForSelection))
    #expect(selection.nearest == 0 && selection.visibility == .hidden)
    let group = try #require(stage.frame.arrows.first { !$0.isForSelection })
    #expect(group.visibility == .seen && [1, 2].contains(group.nearest))
  }

  @Test func `a cluster is hidden when all of its members are`() throws {
    // More labels than there is room for in one direction behind the house.
    var stage = Stage((0..<30).map { feature(at: place(Double($0) * 0.05, 500)) })
    stage.scene.setBuildings([house])
    stage.scene.setEye(ulm, datum: .ellipsoid, sigma: 0.1)
    stage.look()
    #expect(!stage.frame.clusters.isEmpty && stage.frame.clusters.allSatisfy { $0.visibility == .hidden })
    // With one before the house in the same direction.
    let (near, key) = (place(0.1, 28), UInt64(1))
    var world = stage.scene.world
    world.features[0] = feature(at: near)
    world.features[0].key = key
    stage.scene.setWorld(world)
    for _ in 0..<5 { stage.update() }
    for cluster in stage.frame.clusters {
      let members = stage.frame.clusterMembers[cluster.members]
      #expect((cluster.visibility == .hidden) == !members.contains(0))
    }
  }

  @Test func `a path is hidden where it runs behind a house`() throws {
    var stage = Stage([feature()])
    var world = stage.scene.world
    // From the left of the house past its back to its right, and back before it.
    let corners = [(-60, 60), (-40, 60), (-4, 60), (0, 60), (4, 60), (40, 60), (60, 60), (8, 20), (-8, 20)]
    world.pathVertices = corners.map {
      let corner = place(Double($0.0), Double($0.1))
      return PathVertex(latitudeDegrees: corner.latitudeDegrees, longitudeDegrees: corner.longitudeDegrees)
    }
    world.paths = [
      ScenePath(feature: 0, shape: 0, isRing: false, vertices: 0..<9),
      ScenePath(feature: 0, shape: 1, isRing: true, vertices: 2..<5),
      ScenePath(feature: 0, shape: 2, isRing: true, vertices: 4..<9),
    ]
    stage.scene.setWorld(world)
    stage.scene.setBuildings([house])
    stage.scene.setEye(ulm, datum: .ellipsoid, sigma: 0.5)
    stage.look()
    let runs = stage.frame.paths
    #expect(
      runs.filter { !$0.isRing }.map(\.visibility) == [.seen, .partlySeen, .hidden, .partlySeen, .seen]
    )
    // Neighbours meet in their last and first point.
    for (one, next) in zip(runs, runs.dropFirst()) where !one.isRing && !next.isRing {
      #expect(stage.frame.pathPoints[one.points.upperBound - 1] == stage.frame.pathPoints[next.points.lowerBound])
    }
    #expect(runs.first { $0.shape == 1 }?.visibility == .hidden && runs.first { $0.shape == 2 }?.visibility == .seen)
    stage.scene.setBuildings([])
    stage.update()
    #expect(stage.frame.paths.count == 3 && stage.frame.paths.allSatisfy { $0.visibility == .seen })
  }

  @Test func `hidden labels are left out unless they are selected`() throws {
    var stage = stage(.leaveOut)
    #expect(item(stage, 0) == nil)
    #expect(item(stage, 1) != nil)
    stage.scene.select(0)
    stage.update()
    #expect(try #require(item(stage, 0)).visibility == .hidden)
  }

  @Test func `hidden labels stand on the roof line`() throws {
    let (dimmed, raised) = (stage(), stage(.roofLine))
    let (low, high) = (try #require(item(dimmed, 0)).anchor, try #require(item(raised, 0)).anchor)
    // The roof is seen (12 − 1.5) m over the eye at 30 m: 0.35 of the focal length over the horizon.
    #expect(high.y < low.y - 50)
    #expect(try #require(item(dimmed, 2)).anchor == #require(item(raised, 2)).anchor)
  }

  @Test func `without buildings everything is seen again`() throws {
    var stage = stage()
    stage.scene.setBuildings([])
    stage.update()
    #expect(try #require(item(stage, 0)).visibility == .seen)
  }

  @Test func `small steps at an edge change nothing`() throws {
    // The line from here past the corner of the house meets the place exactly.
    var stage = Stage([feature(at: place(20, 60))])
    stage.scene.setBuildings([house])
    var seen: [UInt8] = []
    for k in 0..<40 {
      stage.scene.setEye(place(k % 2 == 0 ? 0.6 : -0.6, 0), datum: .ellipsoid, sigma: 4)
      stage.look(heading: 18)
      seen.append(try #require(item(stage, 0)).visibility.rawValue)
    }
    #expect(Set(seen).count == 1)
  }

  @Test func `walking around the house uncovers what is behind it`() throws {
    var stage = stage()
    stage.scene.setEye(place(60, 80), datum: .ellipsoid, sigma: 2)
    stage.look(heading: -90)
    #expect(try #require(item(stage, 0)).visibility == .seen)
  }

  @Test func `buildings that make no sense are left out`() {
    var stage = stage()
    let nowhere = Geodetic(latitudeDegrees: .nan, longitudeDegrees: .infinity)
    let poles = (0..<4).map { Geodetic(latitudeDegrees: 90, longitudeDegrees: Double($0) * 90) }
    stage.scene.setBuildings([
      SceneBuilding([]), SceneBuilding([SceneBuilding.Part(outer: [nowhere, nowhere, nowhere], roof: 5)]),
      SceneBuilding([SceneBuilding.Part(outer: poles, roof: .infinity)]),
    ])
    stage.update()
    #expect(stage.frame.items.allSatisfy { $0.visibility == .seen })
  }
}
