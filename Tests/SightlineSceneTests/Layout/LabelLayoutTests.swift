import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineScene

/// Single behaviours of the layout: hysteresis, motion, identity, clusters, and input that is out of the ordinary.
@Suite struct LabelLayoutTests {
  let bounds = LabelBounds(width: 390, height: 844)
  var layout = LabelLayout()

  // MARK: Hysteresis and motion

  @Test mutating func `a lifted label comes down only when the place has been free for the dwell time`() throws {
    let near = label(0, 200, 500)
    let far = label(1, 200, 500)
    layout.checkedUpdate([near, far], bounds, 0)
    #expect(layout.placement(1)?.target == Vector2(200, 484 - 36))
    #expect(layout.placement(1)?.hasLeader == true)
    var arrival: Double?
    for step in 1...120 {
      let time = Double(step) / 60
      layout.checkedUpdate([far], bounds, time)
      if layout.placement(1)?.target.y == 484, arrival == nil { arrival = time }
    }
    // The nearer one is gone from 1/60 s on.
    #expect(isNear(try #require(arrival), 1 / 60.0 + layout.parameters.dwellSeconds, within: 0.018))
    #expect(layout.placement(1)?.center == Vector2(200, 484))
    #expect(layout.placement(1)?.hasLeader == false)
    #expect(layout.isSettled)
  }

  @Test mutating func `a label that comes and goes at the edge moves no other`() {
    let near = label(0, 200, 500)
    let far = label(1, 200, 500)
    layout.checkedUpdate([near, far], bounds, 0)
    for step in 1...300 {
      layout.checkedUpdate(step % 7 < 4 ? [far] : [near, far], bounds, Double(step) / 60)
      #expect(layout.placement(1)?.target.y == 448)
    }
  }

  @Test mutating func `a moving label eases its lift only, its anchor is followed without lag`() throws {
    layout.checkedUpdate([label(1, 200, 500)], bounds, 0)
    var offsets: [Double] = []
    for step in 1...60 {
      let x = 200 + Double(step) * 2
      layout.checkedUpdate([label(0, x, 500), label(1, x, 500)], bounds, Double(step) / 60)
      let placement = try #require(layout.placement(1))
      #expect(isNear(placement.center.x, x, within: 1e-9))
      offsets.append(500 - 16 - placement.center.y)
    }
    #expect(offsets[0] > 0 && offsets[0] < offsets[1] && offsets[1] < offsets[5], "glides: \(offsets)")
    #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(offsets.last == 48)
  }

  @Test mutating func `what appears waits until what leaves is out of the way, then fades in`() throws {
    layout.checkedUpdate([label(1, 200, 500)], bounds, 0)
    #expect(layout.placement(1)?.opacity == 1)
    var opacities: [Double] = []
    for step in 1...60 {
      layout.checkedUpdate([label(0, 200, 500), label(1, 200, 500)], bounds, Double(step) / 60)
      opacities.append(try #require(layout.placement(0)).opacity)
      #expect(layout.placement(1)?.opacity == 1)
    }
    #expect(opacities.first == 0)
    #expect(zip(opacities, opacities.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(opacities.last == 1)
  }

  @Test mutating func `the first layout, and one after a long pause, is there at once`() {
    layout.checkedUpdate([label(0, 200, 500), label(1, 200, 500)], bounds, 10)
    #expect(layout.placements.allSatisfy { $0.opacity == 1 && $0.center == $0.target })
    layout.checkedUpdate([label(2, 100, 300), label(3, 100, 300)], bounds, 20)
    #expect(layout.placements.count == 2)
    #expect(layout.placements.allSatisfy { $0.opacity == 1 && $0.center == $0.target })
  }

  @Test mutating func `a clock that stands still, jumps back or is no number breaks nothing`() {
    let scene = [label(0, 200, 500), label(1, 200, 500)]
    for time in [5.0, 5, 5, 4.9, .nan, .infinity, 5.1, -100, -99.9, 1e300] {
      layout.checkedUpdate(scene, bounds, time)
      #expect(layout.placements.count == 2)
    }
  }

  @Test mutating func `a label keeps its place when the content is refreshed and its index changes`() throws {
    var near = label(0, 200, 500)
    let far = label(1, 200, 500)
    layout.checkedUpdate([near, far], bounds, 0)
    // The nearer one is gone, the other has another index but the same key: it stays up, it does not fade in again.
    near = label(9, 60, 200)
    var renamed = far
    renamed.feature = 7
    layout.checkedUpdate([renamed, near], bounds, 1 / 60.0)
    #expect(layout.placement(7)?.target.y == 448)
    #expect(layout.placement(7)?.opacity == 1)
    // Another key is another label.
    renamed.key = 5
    layout.checkedUpdate([renamed, near], bounds, 2 / 60.0)
    #expect(layout.placement(7)?.target.y == 484)
  }

  @Test mutating func `without keys the index is the identity, and twice the same key is told apart`() {
    var a = label(0, 200, 500)
    var b = label(1, 200, 500)
    a.key = 0
    b.key = 0
    layout.checkedUpdate([a, b], bounds, 0)
    #expect(layout.placements.map(\.feature) == [0, 1])
    a.key = 77
    b.key = 77
    layout.checkedUpdate([a, b], bounds, 0.1)
    #expect(layout.placements.map(\.feature) == [0, 1])
  }

  // MARK: Priority

  @Test mutating func `a small difference of distance does not exchange places, a clear one does`() {
    var a = label(0, 200, 500, distance: 100)
    var b = label(1, 200, 500, distance: 101)
    layout.checkedUpdate([a, b], bounds, 0)
    func lower(_ layout: LabelLayout) -> Int32? { layout.placements.max { $0.target.y < $1.target.y }?.feature }
    #expect(lower(layout) == 0)
    for step in 1...120 {
      b.distance = 95
      layout.checkedUpdate([b, a], bounds, Double(step) / 60)
    }
    #expect(lower(layout) == 0)
    for step in 121...300 {
      b.distance = 40
      layout.checkedUpdate([b, a], bounds, Double(step) / 60)
    }
    #expect(lower(layout) == 1)
    a.isSelected = true
    for step in 301...420 { layout.checkedUpdate([b, a], bounds, Double(step) / 60) }
    #expect(lower(layout) == 0)
  }

  @Test mutating func `selecting a member takes it out of its cluster at once`() throws {
    var scene = (0..<30).map { label(Int32($0), 200, 500) }
    layout.checkedUpdate(scene, bounds, 0)
    let cluster = try #require(layout.clusters.first)
    let last = try #require(layout.clusterMembers[cluster.members].last)
    scene[Int(last)].isSelected = true
    layout.checkedUpdate(scene, bounds, 0.02)
    #expect(layout.placement(last)?.opacity == 1)
    #expect(layout.placement(last)?.target == Vector2(200, 484))
    #expect(layout.clusters.contains { $0.id == cluster.id }, "the cluster lives on under its name")
  }

  @Test mutating func `a fixed candidate stands at its place and is no obstacle`() {
    var poster = label(0, 200, 500, width: 380, height: 800)
    poster.canMove = false
    layout.checkedUpdate([poster, label(1, 200, 500)], bounds, 0)
    #expect(layout.placement(0)?.center == Vector2(200, 100))
    #expect(layout.placement(0)?.hasLeader == false)
    #expect(layout.placement(1)?.center == Vector2(200, 484))
  }

  // MARK: Clusters

  @Test mutating func `a cluster keeps its name while members come and go, and lets them stand when they can`() throws {
    var scene = (0..<12).map { label(Int32($0), 200, 500) }
    layout.checkedUpdate(scene, bounds, 0)
    let id = try #require(layout.clusters.first).id
    for step in 1...600 {
      // The user walks up to them: the places draw apart, evenly.
      for index in scene.indices {
        scene[index].anchor = Vector2(200 + Double(index % 2 * 2 - 1) * Double(step) * 0.15, 500)
        scene[index].anchor.y = 500 + (Double(index) - 5.5) * Double(step) * 0.1
      }
      layout.checkedUpdate(scene, bounds, Double(step) / 60)
      if step < 60 { #expect(layout.clusters.map(\.id) == [id]) }
    }
    #expect(layout.clusters.isEmpty)
    #expect(layout.placements.count == 12)
  }

  @Test mutating func `a fan stays together at the edge of the screen and closes when its members leave`() throws {
    var scene = (0..<10).map { label(Int32($0), 200, 500) }
    layout.checkedUpdate(scene, bounds, 0)
    let cluster = try #require(layout.clusters.first)
    layout.toggle(cluster: cluster.id)
    layout.checkedUpdate(scene, bounds, 0.01)
    let fanned = layout.placements.filter(\.isFannedOut)
    #expect(fanned.count == cluster.members.count)
    var step = 1
    while scene[0].anchor.x < 460 {
      for index in scene.indices { scene[index].anchor.x += 2 }
      let before = layout
      layout.checkedUpdate(scene, bounds, 0.01 + Double(step) / 60)
      for placement in layout.placements where placement.isFannedOut {
        let old = try #require(before.placement(placement.feature))
        #expect((placement.target - old.target).length <= 2.001, "no hop at x = \(scene[0].anchor.x)")
      }
      if scene[0].anchor.x < 390 { #expect(layout.openCluster == cluster.id) }
      step += 1
    }
    #expect(layout.openCluster == nil)
  }

  @Test mutating func `a touched member of a fan stays in the fan, and stands when it closes`() throws {
    var scene = (0..<10).map { label(Int32($0), 200, 500) }
    layout.checkedUpdate(scene, bounds, 0)
    let cluster = try #require(layout.clusters.first)
    layout.toggle(cluster: cluster.id)
    layout.checkedUpdate(scene, bounds, 0.02)
    let touched = try #require(layout.placements.last { $0.isFannedOut })
    scene[Int(touched.feature)].isSelected = true
    layout.checkedUpdate(scene, bounds, 0.04)
    #expect(layout.placement(touched.feature)?.isFannedOut == true)
    #expect(layout.placement(touched.feature)?.target == touched.target)
    layout.toggle(cluster: cluster.id)
    layout.checkedUpdate(scene, bounds, 0.06)
    #expect(layout.placement(touched.feature)?.isFannedOut == false)
    #expect(layout.placement(touched.feature)?.opacity == 1)
  }

  @Test mutating func `a hundred members are turned over page by page until all have been seen`() throws {
    let scene = (0..<110).map { label(Int32($0), 200, 500) }
    layout.checkedUpdate(scene, bounds, 0)
    let cluster = try #require(layout.clusters.first)
    let members = Set(layout.clusterMembers[cluster.members])
    layout.toggle(cluster: cluster.id)
    var seen: Set<Int32> = []
    for step in 1...30 {
      layout.checkedUpdate(scene, bounds, Double(step) / 10)
      let fanned = layout.placements.filter(\.isFannedOut)
      #expect(!fanned.isEmpty && fanned.count <= Int(layout.parameters.fanMaximum))
      seen.formUnion(fanned.map(\.feature))
      let remainder = try #require(layout.clusters.first { !$0.isOpen && $0.members.count > 50 })
      layout.toggle(cluster: remainder.id)
    }
    #expect(seen.isSuperset(of: members))
  }

  @Test mutating func `toggling what is not there does nothing`() {
    layout.checkedUpdate([label(0, 100, 100)], bounds, 0)
    for id in [0, -1, 1, .max, .min] as [Int32] { layout.toggle(cluster: id) }
    layout.checkedUpdate([label(0, 100, 100)], bounds, 0.1)
    #expect(layout.openCluster == nil)
  }

  // MARK: Out of the ordinary

  @Test mutating func `no candidates, no layout`() {
    layout.checkedUpdate([], bounds, 0)
    #expect(layout.placements.isEmpty && layout.clusters.isEmpty && layout.isSettled)
  }

  @Test mutating func `what is not a number is ignored`() {
    var scene = [label(0, .nan, 100), label(1, 100, .infinity), label(2, 100, 100), label(3, 100, 300)]
    scene[2].width = .nan
    scene[3].distance = .nan
    layout.checkedUpdate(scene, bounds, 0)
    #expect(layout.placements.map(\.feature) == [3])
  }

  @Test mutating func `a thousand at one point are a stack and a cluster`() throws {
    let scene = (0..<1000).map { label(Int32($0), 200, 500) }
    for step in 0..<5 { layout.checkedUpdate(scene, bounds, Double(step) / 60) }
    #expect(layout.clusters.count == 1)
    let cluster = try #require(layout.clusters.first)
    #expect(layout.placements.count + cluster.members.count == 1000)
    #expect(layout.placements.map(\.feature).max() == Int32(layout.placements.count - 1), "the nearest stand")
  }

  @Test(arguments: [(0.0, 0.0), (40, 40), (390, 3), (1, 844), (44, 44), (60, 200), (20_000, 10_000)])
  func `a screen of any size is laid out`(width: Double, height: Double) {
    for roll in [0, 0.3, 1.6, 3.1] {
      var layout = LabelLayout()
      let bounds = LabelBounds(width: width, height: height, roll: Angle(radians: roll))
      var generator = SplitMix64(seed: 5)
      let scene = randomScene(count: 60, bounds: bounds, using: &generator)
      for step in 0..<40 {
        layout.checkedUpdate(scene, bounds, Double(step) / 20, "\(width) × \(height), roll \(roll)")
        if step == 10, let cluster = layout.clusters.first { layout.toggle(cluster: cluster.id) }
      }
    }
  }

  @Test mutating func `labels without size or larger than the screen have a place as well`() {
    var scene = [label(0, 200, 500, width: 0, height: 0), label(1, 200, 500, width: 5000, height: 40)]
    scene.append(label(2, 100, 200, width: 1e300, height: 1e300))
    scene.append(label(3, 100, 100, width: -5, height: -5))
    scene.append(label(4, 1e300, -1e300))
    for step in 0..<40 { layout.checkedUpdate(scene, bounds, Double(step) / 20) }
    #expect(layout.placement(0)?.target == Vector2(200, 500))
  }

  @Test mutating func `after a reset nothing is remembered`() {
    layout.checkedUpdate([label(0, 200, 500), label(1, 200, 500)], bounds, 0)
    layout.reset()
    #expect(layout.placements.isEmpty)
    layout.checkedUpdate([label(1, 200, 500)], bounds, 0.01)
    #expect(layout.placement(1)?.center == Vector2(200, 484))
    #expect(layout.placement(1)?.opacity == 1)
  }
}
