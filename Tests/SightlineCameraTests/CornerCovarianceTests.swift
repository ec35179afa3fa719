import SightlineCamera
import SightlineMath
import SightlineTestSupport
import Testing

private let intrinsics = Intrinsics(width: 640, height: 480, focalX: 600, focalY: 600, centerX: 320, centerY: 240)

private typealias Matrix8 = InlineArray<8, InlineArray<8, Double>>

private func matrix(_ value: (Int, Int) -> Double) -> Matrix8 {
  var result = Matrix8(repeating: .init(repeating: 0))
  for i in 0..<8 {
    for j in 0..<8 { result[i][j] = value(i, j) }
  }
  return result
}

struct CornerCovarianceTests {
  @Test func `corners that err equally and each by itself give the poses of none`() throws {
    let covariance = try #require(CornerCovariance(covariance: matrix { $0 == $1 ? 0.04 : 0 }, floor: 0))
    #expect(abs(covariance.deviation - 0.2) < 1e-12)
    let corners = Quadrilateral(
      Vector2(300, 200.4),
      Vector2(331, 203),
      Vector2(330, 232),
      Vector2(299.5, 231)
    )
    let plain = try #require(SquarePoses(corners: corners, side: 0.1, intrinsics: intrinsics))
    let weighed = try #require(SquarePoses(corners: corners, side: 0.1, intrinsics: intrinsics, covariance: covariance))
    #expect(weighed.best.cameraFromPlane.angle(to: plain.best.cameraFromPlane).degrees < 1e-4)
    #expect(abs(weighed.best.reprojectionError - plain.best.reprojectionError) < 1e-9)
    #expect(weighed.alternative != nil && plain.alternative != nil)
  }

  @Test func `what is no covariance is refused`() {
    #expect(CornerCovariance(covariance: matrix { _, _ in 1 }, floor: 0) == nil)
    #expect(CornerCovariance(covariance: matrix { _, _ in 1 }, floor: 0.1) != nil)
    #expect(CornerCovariance(covariance: matrix { $0 == $1 ? -1 : 0 }, floor: 0.1) == nil)
    #expect(CornerCovariance(covariance: matrix { _, _ in .nan }, floor: 0.1) == nil)
  }

  /// Errors that mostly move the whole square, or make it larger: knowing it, far fewer poses are mirrored.
  @Test func `poses are surer where it is known which errors are likely`() throws {
    var random = SplitMix64(seed: 5)
    let modes: [[Double]] = [[1, 0, 1, 0, 1, 0, 1, 0], [0, 1, 0, 1, 0, 1, 0, 1], [-1, -1, 1, -1, 1, 1, -1, 1]]
    let large = [0.35, 0.35, 0.35, 0.03]
    let entries = matrix { i, j in
      var sum = i == j ? large[3] * large[3] : 0
      for mode in 0..<3 { sum += large[mode] * large[mode] * modes[mode][i] * modes[mode][j] }
      return sum
    }
    let covariance = try #require(CornerCovariance(covariance: entries, floor: 0))
    func normal() -> Double {
      var sum = -6.0
      for _ in 0..<12 { sum += Double.random(in: 0...1, using: &random) }
      return sum
    }
    var (plainWrong, weighedWrong) = (0, 0)
    for _ in 0..<200 {
      let turn = Double.random(in: 0...6, using: &random)
      let tilt = Double.random(in: 0.35...0.8, using: &random)
      let rotation =
        Quaternion(axis: Vector3(cos(turn), sin(turn), 0), angle: Angle(radians: tilt))
        * Quaternion(w: 0, x: 1, y: 0, z: 0)
      var corners = Quadrilateral(repeating: .zero)
      let moved = (0..<3).map { _ in normal() }
      for i in 0..<4 {
        let corner = Vector3(i == 1 || i == 2 ? 0.05 : -0.05, i < 2 ? 0.05 : -0.05, 0)
        let p = rotation * corner + Vector3(0.1, -0.05, 1.6)
        func error(_ row: Int) -> Double {
          var sum = large[3] * normal()
          for mode in 0..<3 { sum += large[mode] * moved[mode] * modes[mode][row] }
          return sum
        }
        corners[i] = Vector2(320 + 600 * p.x / p.z + error(2 * i), 240 + 600 * p.y / p.z + error(2 * i + 1))
      }
      let plain = try #require(SquarePoses(corners: corners, side: 0.1, intrinsics: intrinsics))
      let weighed = try #require(
        SquarePoses(corners: corners, side: 0.1, intrinsics: intrinsics, covariance: covariance)
      )
      if plain.best.cameraFromPlane.angle(to: rotation).degrees > 20 { plainWrong += 1 }
      if weighed.best.cameraFromPlane.angle(to: rotation).degrees > 20 { weighedWrong += 1 }
      if let other = weighed.alternative { #expect(weighed.best.reprojectionError <= other.reprojectionError) }
    }
    #expect(weighedWrong <= plainWrong)
    #expect(weighedWrong < 40)
  }
}
