import SightlineMath
import SightlineOcclusion
import SightlineTestSupport
import Testing

@Suite struct ExtremeInputTests {
  private static let numbers = [
    0, -0.0, 1, -1, 1e-300, 1e9, -1e9, 1e300, .infinity, -.infinity, .nan, .greatestFiniteMagnitude,
  ]

  @Test func `no numbers end the process`() {
    var random = SplitMix64(seed: 7)
    func number() -> Double { Self.numbers.randomElement(using: &random) ?? 0 }
    func ring() -> [Vector2] { (0..<Int.random(in: 0...5, using: &random)).map { _ in Vector2(number(), number()) } }
    for _ in 0..<3000 {
      let buildings = (0..<4).map { _ in
        Building([Footprint(outer: ring(), holes: [ring()], base: number(), roof: number())])
      }
      let index = OcclusionIndex(buildings + [box(Vector2(-1, -1), Vector2(1, 1), roof: 3)])
      let (low, high) = (number(), number())
      var target = OcclusionTarget(at: Vector2(number(), number()), width: number(), reach: number())
      if low <= high { target.heights = low...high }
      let eye = index.eye(at: Vector3(number(), number(), number()), sigma: number())
      let placed = index.placed(target)
      let part = index.seen(placed, from: eye)
      #expect(part >= 0 && part <= 1)
      if let height = index.roofLine(before: placed, from: eye) { #expect(height.isFinite) }
    }
  }

  @Test func `rings without area and walls without length hide nothing of what is beside them`() {
    let line = [Vector2(0, 10), Vector2(0, 10), Vector2(0, 10), Vector2(5, 10)]
    let index = OcclusionIndex([
      Building([Footprint(outer: line, roof: 5), Footprint(outer: [.zero, .zero, .zero], roof: 5)])
    ])
    let eye = index.eye(at: Vector3(-3, 0, 1), sigma: 0)
    #expect(index.seen(index.placed(OcclusionTarget(at: Vector2(-3, 20), reach: nil)), from: eye) == 1)
  }

  @Test func `an eye and a target on a wall are where they are`() {
    let index = OcclusionIndex([box(Vector2(0, 0), Vector2(10, 10), roof: 5)])
    for point in [Vector2(0, 0), Vector2(0, 5), Vector2(10, 10), Vector2(5, 0)] {
      let eye = index.eye(at: Vector3(point.x, point.y, 1.6), sigma: 0)
      let part = index.seen(index.placed(OcclusionTarget(at: point)), from: eye)
      #expect(part == 1)
    }
  }

  @Test func `walls beyond the limit are left out and counted`() {
    var limits = OcclusionIndex.Limits()
    limits.walls = 10
    let houses = (0..<5).map { box(Vector2(Double($0) * 20, 0), Vector2(Double($0) * 20 + 10, 10), roof: 5) }
    let index = OcclusionIndex(houses, limits: limits)
    #expect(index.wallCount == 8)
    #expect(index.omittedParts == 3)
  }

  @Test func `long walls everywhere stay within the room of the grid`() {
    let fan = (0..<5000).map { k in
      let angle = Double(k) / 5000 * 6
      let end = Vector2(cos(angle), sin(angle)) * 40_000
      return Building([Footprint(outer: [.zero, end, end + Vector2(1, 1)], roof: 3)])
    }
    let index = OcclusionIndex(fan)
    #expect(index.wallCount == 15_000)
    let eye = index.eye(at: Vector3(100, 5, 1.6), sigma: 5)
    #expect(index.seen(index.placed(OcclusionTarget(at: Vector2(-20_000, 3_000), reach: nil)), from: eye) == 0)
  }
}
