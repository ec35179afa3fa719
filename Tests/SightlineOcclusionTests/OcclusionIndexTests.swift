import SightlineMath
import SightlineOcclusion
import SightlineTestSupport
import Testing

@Suite struct OcclusionIndexTests {
  private let house = box(Vector2(-10, 20), Vector2(10, 30), roof: 8)

  private func seen(_ buildings: [Building], _ target: OcclusionTarget, at eye: Vector3, sigma: Double = 0) -> Double {
    let index = OcclusionIndex(buildings)
    return index.seen(index.placed(target), from: index.eye(at: eye, sigma: sigma))
  }

  @Test func `the index agrees with a plain loop over all walls`() {
    let seed: UInt64 = 24
    var random = SplitMix64(seed: seed)
    var differing = 0
    for _ in 0..<40 {
      let buildings = random.houses(60, within: 150)
      let index = OcclusionIndex(buildings)
      for _ in 0..<60 {
        let eye = Vector3(random.between(-220, 220), random.between(-220, 220), random.between(0.5, 30))
        let point = Vector2(random.between(-220, 220), random.between(-220, 220))
        let heights = 0...random.between(0, 30)
        let placed = index.eye(at: eye, sigma: 0)
        guard !placed.isIndoors else { continue }
        let target = index.placed(OcclusionTarget(at: point, heights: heights, reach: nil))
        let expected = plainlySeen(buildings, from: eye, to: point, heights: heights)
        if index.seen(target, from: placed) != expected { differing += 1 }
      }
    }
    #expect(differing == 0, "seed \(seed)")
  }

  @Test func `what stands behind a house is hidden and what stands beside it is seen`() {
    let eye = Vector3(0, 0, 1.6)
    #expect(seen([house], OcclusionTarget(at: Vector2(0, 60), reach: nil), at: eye) == 0)
    #expect(seen([house], OcclusionTarget(at: Vector2(40, 60), reach: nil), at: eye) == 1)
    #expect(seen([house], OcclusionTarget(at: Vector2(0, 15), reach: nil), at: eye) == 1)
  }

  @Test func `a tower over a roof is seen in part`() {
    // From 1.6 m the roof of 8 m at 20 m hides up to 1.6 + 3 · 6.4 = 20.8 m at 60 m.
    let part = seen([house], OcclusionTarget(at: Vector2(0, 60), heights: 0...41.6, reach: nil), at: Vector3(0, 0, 1.6))
    #expect(part == 0.5)
  }

  @Test func `what stands beneath a house on pillars is seen`() {
    let bridge = box(Vector2(-10, 20), Vector2(10, 30), base: 4, roof: 12)
    #expect(seen([bridge], OcclusionTarget(at: Vector2(0, 60), reach: nil), at: Vector3(0, 0, 1.6)) == 1)
    // Between the lines of sight over 4 m and 12 m it is hidden.
    #expect(
      seen([bridge], OcclusionTarget(at: Vector2(0, 60), heights: 12...16, reach: nil), at: Vector3(0, 0, 1.6)) == 0
    )
  }

  @Test func `a shop is not hidden by its own house but by others`() {
    let shop = OcclusionTarget(at: Vector2(0, 26))
    #expect(seen([house], shop, at: Vector3(0, 0, 1.6)) == 1)
    #expect(seen([house], OcclusionTarget(at: Vector2(0, 31)), at: Vector3(0, 0, 1.6)) == 1)
    let other = box(Vector2(-20, 8), Vector2(20, 12), roof: 15)
    #expect(seen([house, other], shop, at: Vector3(0, 0, 1.6)) == 0)
  }

  @Test func `a shop in a row of houses is seen by its front`() {
    let row = (0..<9).map { box(Vector2(Double($0) * 6 - 27, 20), Vector2(Double($0) * 6 - 21, 32), roof: 9) }
    // At a shallow angle the walls between neighbours are nearer than the front.
    #expect(seen(row, OcclusionTarget(at: Vector2(18, 26)), at: Vector3(-20, 12, 1.6)) == 1)
    #expect(seen(row, OcclusionTarget(at: Vector2(18, 34), heights: 0...2, reach: nil), at: Vector3(-20, 12, 1.6)) == 0)
  }

  @Test func `a house around the eye does not hide the world`() {
    let eye = Vector3(0, 25, 1.6)
    #expect(seen([house], OcclusionTarget(at: Vector2(0, 60), reach: nil), at: eye) == 1)
    let other = box(Vector2(-20, 40), Vector2(20, 44), roof: 15)
    #expect(seen([house, other], OcclusionTarget(at: Vector2(0, 60), reach: nil), at: eye) == 0)
  }

  @Test func `at an edge an uncertain eye sees a part`() {
    let target = OcclusionTarget(at: Vector2(20, 60), reach: nil)
    let part = seen([house], target, at: Vector3(5, 0, 1.6), sigma: 5)
    #expect(part > 0.1 && part < 0.9)
    #expect(seen([house], OcclusionTarget(at: Vector2(0, 34), reach: nil), at: Vector3(0, 5, 1.6), sigma: 2) == 0)
  }

  @Test func `a courtyard is open`() {
    let hole = [Vector2(-5, 40), Vector2(5, 40), Vector2(5, 50), Vector2(-5, 50)]
    let block = box(Vector2(-20, 20), Vector2(20, 70), roof: 12, holes: [hole])
    let eye = Vector3(0, 42, 1.6)
    #expect(seen([block], OcclusionTarget(at: Vector2(0, 48), reach: nil), at: eye) == 1)
    #expect(seen([block], OcclusionTarget(at: Vector2(0, 90), reach: nil), at: eye) == 0)
  }

  @Test func `the roof line is where the view over the nearest roof meets the place`() throws {
    let index = OcclusionIndex([house])
    let eye = index.eye(at: Vector3(0, 0, 1.6), sigma: 3)
    let behind = index.placed(OcclusionTarget(at: Vector2(0, 60), reach: nil))
    #expect(isNear(try #require(index.roofLine(before: behind, from: eye)), 20.8, within: 1e-9))
    let beside = index.placed(OcclusionTarget(at: Vector2(60, 60), reach: nil))
    #expect(index.roofLine(before: beside, from: eye) == nil)
  }

  @Test func `nothing flickers between two classes`() {
    var state = Visibility.partlySeen
    #expect(state.next(seen: 0.7) == .partlySeen)
    state = state.next(seen: 0.8)
    #expect(state == .seen)
    #expect(state.next(seen: 0.7) == .seen)
    #expect(Visibility.hidden.next(seen: 0.25) == .hidden)
    #expect(Visibility.partlySeen.next(seen: 0.25) == .partlySeen)
    #expect(Visibility.hidden.next(seen: .nan) == .hidden)
  }
}
