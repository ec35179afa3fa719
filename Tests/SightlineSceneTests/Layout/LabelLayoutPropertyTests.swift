import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineScene

/// Promises of the layout on random scenes, each with a printed seed.
@Suite struct LabelLayoutPropertyTests {
  @Test(arguments: 0..<12)
  func `every promise holds on a random scene that moves`(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    let size = seed % 2 == 0 ? Vector2(390, 844) : Vector2(1024, 700)
    let roll = seed % 3 == 0 ? 0 : Double.random(in: -3...3, using: &generator)
    let bounds = LabelBounds(width: size.x, height: size.y, roll: Angle(radians: roll))
    var scene = randomScene(count: [3, 30, 100, 300][seed % 4], bounds: bounds, using: &generator)
    var layout = LabelLayout()
    var velocities = scene.map { _ in Vector2.zero }
    var common = Vector2.zero
    for step in 0..<100 {
      if step % 20 == 0 {
        common = Vector2(.random(in: -8...8, using: &generator), .random(in: -4...4, using: &generator))
        for index in velocities.indices {
          velocities[index] = Vector2(.random(in: -1...1, using: &generator), .random(in: -1...1, using: &generator))
        }
      }
      for index in scene.indices { scene[index].anchor = scene[index].anchor + common + velocities[index] }
      if step % 30 == 7 {
        for index in scene.indices { scene[index].isSelected = false }
        if let index = scene.indices.randomElement(using: &generator), scene[index].canMove {
          scene[index].isSelected = true
        }
      }
      if step % 25 == 11, let cluster = layout.clusters.randomElement(using: &generator) {
        layout.toggle(cluster: cluster.id)
      }
      if step % 40 == 39 {
        for index in scene.indices { scene[index].distance *= .random(in: 0.5...2, using: &generator) }
      }
      layout.checkedUpdate(scene, bounds, Double(step) / 60, "seed \(seed), step \(step)")
    }
  }

  @Test(arguments: 0..<6)
  func `the order of the input plays no part`(seed: Int) {
    var generator = SplitMix64(seed: UInt64(1000 + seed))
    let bounds = LabelBounds(width: 390, height: 844, roll: Angle(degrees: Double(seed) * 9))
    var scene = randomScene(count: 120, bounds: bounds, using: &generator)
    // Many at exactly the same distance.
    for index in scene.indices { scene[index].distance = (scene[index].distance / 1000).rounded() }
    var straight = LabelLayout()
    var shuffled = LabelLayout()
    for step in 0..<90 {
      let time = Double(step) / 30
      for index in scene.indices { scene[index].anchor.x += Double(index % 7) - 3 }
      straight.checkedUpdate(scene, bounds, time, "seed \(seed)")
      shuffled.checkedUpdate(scene.shuffled(using: &generator), bounds, time, "seed \(seed), shuffled")
      #expect(straight.slots == shuffled.slots, "seed \(seed), step \(step)")
      for placement in straight.placements {
        let other = shuffled.placement(placement.feature)
        #expect(other?.center == placement.center, "seed \(seed), step \(step)")
        #expect(other?.opacity == placement.opacity, "seed \(seed), step \(step)")
      }
    }
  }

  @Test(arguments: [0, 2, 3, 5, 7, 12])
  func `labels do not hop under the tremor of a hand`(seed: Int) {
    var generator = SplitMix64(seed: UInt64(2000 + seed))
    let bounds = LabelBounds(width: 390, height: 844, roll: Angle(degrees: Double(seed % 4) * 15))
    let scene = randomScene(count: 20 + seed * 8, bounds: bounds, using: &generator)
    var layout = LabelLayout()
    layout.checkedUpdate(scene, bounds, 0)
    var changes: [String] = []
    var before: [Int32: String] = [:]
    var lifts: [UInt64: Double] = [:]
    for step in 1...480 {
      let time = Double(step) / 60
      // A joint sway of a few points at 8 Hz, as a hand has it, and a little noise of each anchor on its own.
      let sway = Vector2(
        2.5 * sin(time * 50) + .random(in: -0.5...0.5, using: &generator),
        2 * sin(time * 43 + 1) + .random(in: -0.5...0.5, using: &generator)
      )
      var moved = scene
      for index in moved.indices {
        let noise = Vector2(.random(in: -0.2...0.2, using: &generator), .random(in: -0.2...0.2, using: &generator))
        moved[index].anchor = moved[index].anchor + sway + noise
        moved[index].distance += .random(in: -0.5...0.5, using: &generator)
      }
      moved.sort { $0.distance < $1.distance }
      layout.update(candidates: moved, bounds: bounds, time: time)
      // The first three seconds are for settling: improvements follow each other at the pace of the dwell time.
      let slots = layout.slots
      let records = layout.arrangement.labels.memories.records
      if step > 180 {
        for (feature, slot) in slots where before[feature] != nil && before[feature] != slot {
          changes.append("\(time): \(feature) \(before[feature]!) -> \(slot)")
        }
        for record in records where record.role == .standing {
          if let lift = lifts[record.identity], lift != record.lift {
            changes.append("\(time): \(record.identity - 1000) lift \(lift) -> \(record.lift)")
          }
        }
      }
      before = slots
      lifts = [:]
      for record in records where record.role == .standing { lifts[record.identity] = record.lift }
    }
    #expect(changes.isEmpty, "seed \(seed): \(changes)")
  }

  @Test func `what is drawn depends on the time that passed, not on the number of frames`() throws {
    // A nearer label arrives at the place of another, which glides up.
    func run(framesPerSecond: Int) throws -> [Double] {
      var layout = LabelLayout()
      let bounds = LabelBounds(width: 390, height: 844)
      let far = label(1, 200, 500, distance: 100)
      let near = label(0, 200, 500, distance: 50)
      layout.update(candidates: [far], bounds: bounds, time: 0)
      var heights: [Double] = []
      for step in 0...(framesPerSecond / 2) {
        let time = 0.5 + Double(step) / Double(framesPerSecond)
        layout.checkedUpdate([near, far], bounds, time)
        if step % (framesPerSecond / 10) == 0 { heights.append(try #require(layout.placement(1)).center.y) }
      }
      return heights
    }
    let slow = try run(framesPerSecond: 30)
    let fast = try run(framesPerSecond: 120)
    // Not from the first frame: there the time since the frame before counts, which is the same 0.5 s for both.
    #expect(slow.count == fast.count)
    for (a, b) in zip(slow, fast) { #expect(isNear(a, b, within: 1e-9)) }
    #expect(slow.last == 436.0)
  }
}
