import SightlineCamera
import SightlineMath
import Testing

/// Maps of flat things that a lens bends, and what is made of them.
@Suite struct StraighteningTests {
  private let camera = Intrinsics(width: 640, height: 480, focalX: 500, focalY: 505, centerX: 318, centerY: 241)
  private let lens = LensDistortion(k1: -0.15, k2: 0.04, p1: 0.002, p2: -0.001)
  private let width = 300.0
  private let height = 200.0

  /// Points of the thing, their true places, and those that the lens shows.
  private func points(_ straight: Homography, side: Int) throws -> [(on: Vector2, straight: Vector2, seen: Vector2)] {
    try (0..<(side * side)).map { k in
      let share = Vector2(Double(k % side), Double(k / side)) * (1 / Double(side - 1))
      let point = Vector2(share.x * width - 0.5, share.y * height - 0.5)
      let there = try #require(straight(point))
      let ray = Vector2((there.x - camera.centerX) / camera.focalX, (there.y - camera.centerY) / camera.focalY)
      let seen = lens.distorted(ray)
      return (
        point, there, Vector2(camera.centerX + camera.focalX * seen.x, camera.centerY + camera.focalY * seen.y)
      )
    }
  }

  private func straight(_ x: Double, _ y: Double) -> Homography {
    Homography(Matrix3(rows: Vector3(0.8, -0.1, x), Vector3(0.12, 0.75, y), Vector3(0.0003, -0.0002, 1)))
  }

  private func worst(_ map: Homography, _ points: [(on: Vector2, straight: Vector2, seen: Vector2)]) -> Double {
    points.map { point in map(point.on).map { ($0 - point.straight).length } ?? .infinity }.max() ?? .infinity
  }

  private func straightened(_ map: Homography, by lens: LensDistortion) -> Homography? {
    Homography(straightening: map, width: width, height: height, intrinsics: camera, distortion: lens)
  }

  @Test(arguments: [(40.0, 40.0), (360.0, 40.0), (350.0, 280.0), (200.0, 150.0)])
  func `a map fitted to what was seen becomes the one of a straight lens`(x: Double, y: Double) throws {
    let points = try points(straight(x, y), side: 9)
    let seen = try #require(Homography(from: points.map { $0.on }, to: points.map { $0.seen }))
    let back = try #require(straightened(seen, by: lens))
    let (before, after) = (worst(seen, points), worst(back * seen, points))
    #expect(after < 0.5 && after < before / 4, "\(after) px instead of \(before)")
  }

  @Test func `what lies half outside the picture is straightened by what is in it`() throws {
    let points = try points(straight(500, 300), side: 9)
    let visible = points.filter { $0.seen.x < 639.5 && $0.seen.y < 479.5 }
    let seen = try #require(Homography(from: visible.map { $0.on }, to: visible.map { $0.seen }))
    let back = try #require(straightened(seen, by: lens))
    #expect(worst(back * seen, visible) < 0.5)
  }

  @Test func `a straight lens changes nothing, and one that folds has no answer`() throws {
    let map = straight(100, 80)
    let none = try #require(straightened(map, by: .none))
    for point in [Vector2(0, 0), Vector2(299, 0), Vector2(150, 199)] {
      let (a, b) = (try #require(map(point)), try #require((none * map)(point)))
      #expect((a - b).length < 1e-6)
    }
    #expect(straightened(map, by: LensDistortion(k1: -40)) == nil)
    #expect(straightened(Homography(Matrix3(rows: .zero, .zero, Vector3(0, 0, -1))), by: lens) == nil)
  }
}
