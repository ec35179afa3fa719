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

  private static func randomVector(_ g: inout SplitMix64) -> Vector3 {
    Vector3(.random(in: -9...9, using: &g), .random(in: -9...9, using: &g), .random(in: -9...9, using: &g))
  }

  @Test func `the matrix of a quaternion turns vectors the same way`() throws {
    var g = SplitMix64(seed: 11)
    for i in 0..<200 {
      let q = try #require(Self.random(&g))
      let v = Self.randomVector(&g)
      #expect((Matrix3(q) * v - q * v).length < 1e-13, "seed 11, case \(i)")
      #expect((Matrix3(q).transposed * (q * v) - v).length < 1e-13, "seed 11, case \(i)")
    }
  }

  @Test func `the inverse of a product is the product of the inverses in reverse`() throws {
    var g = SplitMix64(seed: 12)
    for i in 0..<200 {
      let a = try #require(Self.random(&g))
      let b = try #require(Self.random(&g))
      #expect((a * b).inverse.angle(to: b.inverse * a.inverse).radians < 1e-15, "seed 12, case \(i)")
      #expect((a * a.inverse).angle(to: .identity).radians < 1e-15, "seed 12, case \(i)")
    }
  }

  @Test func `a product turns by the right factor first`() throws {
    var g = SplitMix64(seed: 13)
    for i in 0..<200 {
      let a = try #require(Self.random(&g))
      let b = try #require(Self.random(&g))
      let v = Self.randomVector(&g)
      #expect(((a * b) * v - a * (b * v)).length < 1e-13, "seed 13, case \(i)")
      #expect((Matrix3(a) * Matrix3(b) * v - (a * b) * v).length < 1e-13, "seed 13, case \(i)")
    }
  }

  @Test func `a quarter turn about z carries x to y`() {
    let q = Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: 90))
    #expect((q * Vector3(1, 0, 0) - Vector3(0, 1, 0)).length < 1e-15)
    // Hamilton: i · j = k.
    #expect(
      Quaternion(w: 0, x: 1, y: 0, z: 0) * Quaternion(w: 0, x: 0, y: 1, z: 0) == Quaternion(w: 0, x: 0, y: 0, z: 1)
    )
  }

  @Test func `a quaternion and its negative are one rotation`() throws {
    var g = SplitMix64(seed: 14)
    for i in 0..<200 {
      let q = try #require(Self.random(&g))
      let negative = Quaternion(w: -q.w, x: -q.x, y: -q.y, z: -q.z)
      let v = Self.randomVector(&g)
      #expect((q * v - negative * v).length < 1e-14, "seed 14, case \(i)")
      #expect(q.angle(to: negative).radians < 1e-15, "seed 14, case \(i)")
      #expect(isNear(q.dot(negative), -1, within: 1e-15), "seed 14, case \(i)")
    }
  }

  @Test func `the angle between two rotations is exact for small ones too`() throws {
    var g = SplitMix64(seed: 15)
    for i in 0..<500 {
      let q = try #require(Self.random(&g))
      let axis = try #require(Self.randomVector(&g).normalized)
      let radians = pow(10, .random(in: -12...0.49, using: &g))
      let turned = q * Quaternion(axis: axis, angle: Angle(radians: radians))
      #expect(isNear(q.angle(to: turned).radians, radians, within: 1e-15), "seed 15, case \(i)")
    }
  }

  @Test func `a matrix gives its quaternion back, half turns included`() throws {
    var g = SplitMix64(seed: 16)
    for i in 0..<500 {
      let axis = try #require(Self.randomVector(&g).normalized)
      // Half turns and next to none are where one of the parts vanishes.
      let radians = [pi, pi - 1e-9, 1e-9, 0, .random(in: 0...pi, using: &g)][i % 5]
      let q = Quaternion(axis: axis, angle: Angle(radians: radians))
      #expect(Quaternion(Matrix3(q)).angle(to: q).radians < 1e-14, "seed 16, case \(i)")
    }
    for axis in [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)] {
      let half = Quaternion(axis: axis, angle: Angle(degrees: 180))
      #expect(Quaternion(Matrix3(half)).angle(to: half).radians < 1e-15)
    }
    #expect(Quaternion(Matrix3.identity) == .identity)
  }

  @Test func `what has no direction is no rotation`() {
    #expect(Quaternion(w: 0, x: 0, y: 0, z: 0).normalized == nil)
    #expect(Quaternion(w: .nan, x: 0, y: 0, z: 1).normalized == nil)
    #expect(Quaternion(w: .infinity, x: 0, y: 0, z: 1).normalized == nil)
    #expect(Quaternion(w: 0, x: 0, y: 0, z: -2).normalized == Quaternion(w: 0, x: 0, y: 0, z: -1))
  }

  @Test func `the null rotation and the unit matrix change nothing`() {
    let v = Vector3(1, -2, 3)
    #expect(Quaternion.identity * v == v && Matrix3.identity * v == v)
  }
}
