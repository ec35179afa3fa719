import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct VectorTests {
  private static func random(_ g: inout SplitMix64) -> Vector3 {
    Vector3(.random(in: -9...9, using: &g), .random(in: -9...9, using: &g), .random(in: -9...9, using: &g))
  }

  @Test func `the vector product is right-handed and stands upright on both`() {
    #expect(Vector3(1, 0, 0).cross(Vector3(0, 1, 0)) == Vector3(0, 0, 1))
    var g = SplitMix64(seed: 3)
    for i in 0..<500 {
      let (a, b) = (Self.random(&g), Self.random(&g))
      let c = a.cross(b)
      #expect(isNear(c.dot(a), 0, within: 1e-12) && isNear(c.dot(b), 0, within: 1e-12), "seed 3, case \(i)")
      // Lagrange's identity.
      #expect(isNear(c.dot(c) + a.dot(b) * a.dot(b), a.dot(a) * b.dot(b), within: 1e-10), "seed 3, case \(i)")
      #expect((c + b.cross(a)).length < 1e-15)
    }
  }

  @Test func `sums, differences and multiples go component by component`() {
    let (a, b) = (Vector3(1, 2, 3), Vector3(-4, 5, 0.5))
    #expect(a + b == Vector3(-3, 7, 3.5) && a - b == Vector3(5, -3, 2.5))
    #expect(2 * a == a * 2 && a * 2 == Vector3(2, 4, 6) && -a == Vector3(-1, -2, -3))
    let (c, d) = (Vector2(1, 2), Vector2(-4, 5))
    #expect(c + d == Vector2(-3, 7) && c - d == Vector2(5, -3) && 2 * c == c * 2 && c * 2 == Vector2(2, 4))
    #expect(c.dot(d) == 6 && Vector2(3, 4).length == 5 && Vector3(2, 3, 6).length == 7)
    #expect(Vector2.zero == Vector2(0, 0) && Vector3.zero == Vector3(0, 0, 0))
  }

  @Test func `a direction has length 1, and nothing has none`() throws {
    let unit = try #require(Vector3(0, -3, 4).normalized)
    #expect((unit - Vector3(0, -0.6, 0.8)).length < 1e-15)
    #expect(Vector3.zero.normalized == nil)
    #expect(Vector3(.nan, 0, 0).normalized == nil)
    #expect(Vector3(.infinity, 0, 0).normalized == nil)
  }

  @Test func `a turn in the plane is clockwise on a screen`() {
    // y is down: from right to down is clockwise.
    let turned = Vector2(1, 0).rotated(cosine: cos(pi / 2), sine: sin(pi / 2))
    #expect((turned - Vector2(0, 1)).length < 1e-15)
  }
}
