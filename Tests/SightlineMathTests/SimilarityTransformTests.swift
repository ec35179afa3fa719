import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct SimilarityTransformTests {
  private func any(_ g: inout SplitMix64) -> SimilarityTransform {
    func number() -> Double { .random(in: -2...2, using: &g) }
    let axis = Vector3(number(), number(), number()).normalized ?? Vector3(1, 0, 0)
    return SimilarityTransform(
      rotation: Quaternion(axis: axis, angle: Angle(radians: number())),
      translation: Vector3(number(), number(), number()),
      scale: .random(in: 0.1...10, using: &g)
    )
  }

  @Test func `turns, scales and shifts in this order`() {
    let t = SimilarityTransform(
      rotation: Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: 90)),
      translation: Vector3(10, 20, 30),
      scale: 2
    )
    #expect((t * Vector3(1, 0, 0) - Vector3(10, 22, 30)).length < 1e-12)
    #expect((t * Vector3(0, 0, 1) - Vector3(10, 20, 32)).length < 1e-12)
    #expect(SimilarityTransform.identity * Vector3(1, 2, 3) == Vector3(1, 2, 3))
  }

  @Test func `one after the other is the second first`() {
    var g = SplitMix64(seed: 1)
    for _ in 0..<200 {
      let (a, b, c) = (any(&g), any(&g), any(&g))
      let p = Vector3(.random(in: -3...3, using: &g), .random(in: -3...3, using: &g), .random(in: -3...3, using: &g))
      #expect((a * b * p - a * (b * p)).length < 1e-10)
      #expect(((a * b) * c * p - a * (b * c) * p).length < 1e-9)
    }
  }

  @Test func `the way back leads back`() {
    var g = SplitMix64(seed: 2)
    for _ in 0..<200 {
      let t = any(&g)
      let p = Vector3(.random(in: -3...3, using: &g), .random(in: -3...3, using: &g), .random(in: -3...3, using: &g))
      #expect((t.inverse * (t * p) - p).length < 1e-11 && (t * (t.inverse * p) - p).length < 1e-11)
      #expect(((t * t.inverse).translation).length < 1e-11)
    }
  }

  @Test func `a scale of zero has no way back`() {
    let inverse = SimilarityTransform(translation: Vector3(1, 2, 3), scale: 0).inverse
    #expect(!inverse.scale.isFinite)
  }

  @Test func `the matrix leads points where the transform does, column by column`() {
    var g = SplitMix64(seed: 3)
    for _ in 0..<100 {
      let t = any(&g)
      var m = InlineArray<16, Float>(repeating: .nan)
      t.write(into: &m)
      let p = Vector3(.random(in: -3...3, using: &g), .random(in: -3...3, using: &g), .random(in: -3...3, using: &g))
      func row(_ r: Int) -> Double {
        Double(m[r]) * p.x + Double(m[4 + r]) * p.y + Double(m[8 + r]) * p.z + Double(m[12 + r])
      }
      #expect((Vector3(row(0), row(1), row(2)) - t * p).length < 2e-5)
      #expect(m[3] == 0 && m[7] == 0 && m[11] == 0 && m[15] == 1)
    }
  }
}
