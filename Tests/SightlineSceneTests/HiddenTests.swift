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
    let selection = try #require(stage.frame.arrows.first { $0.isForSelection })
    #expect(selection.nearest == 0 && stage.frame.visibility(of: selection) == .hidden)
    #expect(stage.frame.hidden == [0] && stage.frame.partlySeen.isEmpty)
    let group = try #require(stage.frame.arrows.first { !$0.isForSelection })
    #expect(stage.frame.visibility(of: group) == .seen && [1, 2].contains(group.nearest))
  }

  @Test func `a cluster is hidden when all of its members are`() throws {
    // More labels than there is room for in one direction behind the house.
    var stage = Stage((0..<30).map { feature(at: place(Double($0) * 0.05, 500)) })
    stage.scene.setBuildings([house])
    stage.scene.setEye(ulm, datum: .ellipsoid, sigma: 0.1)
    stage.look()
    #expect(
      !stage.frame.clusters.isEmpty && stage.frame.clusters.allSatisfy { stage.frame.visibility(of: $0) == .hidden }
    )
    // With one before the house in the same direction.
    let (near, key) = (place(0.1, 28), UInt64(1))
    var world = stage.scene.world
    world.features[0] = feature(at: near)
    world.features[0].key = key
    stage.scene.setWorld(world)
    for _ in 0..<5 { stage.update() }
    for cluster in stage.frame.clusters {
      let members = stage.frame.clusterMembers[cluster.members]
      #expect((stage.frame.visibility(of: cluster) == .hidden) == !members.contains(0))
    }
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

  @Test func `a stop is no part of the house at whose front it stands`() throws {
    // A step behind the back, a step before the front, and in the house; those that are no stops are the house itself.
    let spots = [place(0, 41), place(3, 29), place(-3, 35)]
    func seen(_ kind: VisualKind) -> [Visibility] {
      var world = spots.map { feature(at: $0) }
      for k in world.indices { world[k].kind = kind }
      var stage = Stage(world)
      stage.scene.setBuildings([house])
      stage.scene.setEye(ulm, datum: .ellipsoid, sigma: 1)
      stage.look()
      return spots.indices.map { stage.frame.visibility(of: Int32($0)) }
    }
    #expect(seen(.text) == [.seen, .seen, .seen])
    #expect(seen(.stop) == [.hidden, .seen, .seen])
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
