import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct QuaternionTests {
  private static func random(_ g: inout SplitMix64) -> Quaternion? {
    Quaternion(
      w: .random(in: -1...1, using: &g),
      x: .random(in: -1...1, using: &g),
      y: .random(in: -1...1, using: &g),
      z: .random(in: -1...1, using: &g)
    ).normalized
  }

  @Test func `the matrix of a quaternion turns vectors the same way`() throws {
    var g = SplitMix64(seed: 11)
    for _ in 0..<200 {
      let q = try #require(Self.random(&g))
      let v = Vector3(
        .random(in: -9...9, using: &g),
        .random(in: -9...9, using: &g),
        .random(in: -9...9, using: &g)
      )
      #expect((Matrix3(q) * v - q * v).length < 1e-13)
    }
  }

  @Test func `the inverse of a product is the product of the inverses in reverse`() throws {
    var g = SplitMix64(seed: 12)
    for _ in 0..<200 {
      let a = try #require(Self.random(&g))
      let b = try #require(Self.random(&g))
      #expect((a * b).inverse.angle(to: b.inverse * a.inverse).radians < 1e-7)
    }
  }

  @Test func `a quarter turn about z carries x to y`() {
    let q = Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: 90))
    #expect((q * Vector3(1, 0, 0) - Vector3(0, 1, 0)).length < 1e-15)
  }
}
