import SightlineCamera
import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct WallPlaneTests {
  static let camera = Intrinsics(width: 1280, height: 720, focalX: 1000, focalY: 1000, centerX: 639.5, centerY: 359.5)

  /// Corners of a rectangle on a wall that is turned about the vertical and tilted, so far away; and the map from the wall, whose
  /// y is to its top, to the picture.
  static func seen(
    _ width: Double,
    _ height: Double,
    turn: Double,
    tilt: Double,
    distance: Double
  ) -> (
    Quadrilateral, (Double, Double) -> Vector2
  ) {
    let (ct, st) = (cosine(turn), sine(turn))
    let (cl, sl) = (cosine(tilt), sine(tilt))
    let project = { (x: Double, up: Double) -> Vector2 in
      let y = -up
      // Turned about y, then about x, then moved away.
      let (px, pz) = (ct * x, st * x)
      let (py, pz2) = (cl * y - sl * pz, sl * y + cl * pz)
      let depth = pz2 + distance
      return Vector2(1000 * px / depth + 639.5, 1000 * py / depth + 359.5)
    }
    let (w, h) = (width / 2, height / 2)
    return ([project(-w, h), project(w, h), project(w, -h), project(-w, -h)], project)
  }

  static func cosine(_ degrees: Double) -> Double { sineCosine(degrees: degrees).cosine }
  static func sine(_ degrees: Double) -> Double { sineCosine(degrees: degrees).sine }

  @Test(arguments: 0..<40)
  func `the height of a rectangle follows from the camera, and every point of the wall from its corners`(
    seed: Int
  ) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let width = Double.random(in: 0.1...2, using: &random)
    let height = Double.random(in: 0.1...2, using: &random)
    let (corners, project) = Self.seen(
      width,
      height,
      turn: Double.random(in: -60...60, using: &random),
      tilt: Double.random(in: -40...40, using: &random),
      distance: Double.random(in: 3...6, using: &random)
    )
    let wall = try #require(WallPlane(corners: corners, width: width, height: nil, intrinsics: Self.camera))
    #expect(abs(wall.height / height - 1) < 1e-9)
    let known = try #require(WallPlane(corners: corners, width: width, height: height, intrinsics: Self.camera))
    for _ in 0..<5 {
      let (x, y) = (Double.random(in: -1...1, using: &random), Double.random(in: -1...1, using: &random))
      let point = try #require(known.pictureFromWall(Vector2(x, y)))
      #expect((point - project(x, y)).length < 1e-7)
    }
  }

  @Test func `the surroundings stay in the picture and within the margin`() throws {
    let (corners, _) = Self.seen(0.21, 0.297, turn: 20, tilt: 5, distance: 1)
    let wall = try #require(WallPlane(corners: corners, width: 0.21, height: 0.297, intrinsics: Self.camera))
    let alone = wall.surroundings(pictureWidth: 1280, pictureHeight: 720, margin: 0)
    #expect(alone == WallPlane.Region(minX: -0.105, minY: -0.1485, maxX: 0.105, maxY: 0.1485))
    let round = wall.surroundings(pictureWidth: 1280, pictureHeight: 720, margin: 1)
    #expect(round.minX < -0.105 && round.maxX > 0.105 && round.minX >= -0.105 - 0.297 - 1e-9)
    for (x, y) in [
      (round.minX, round.minY), (round.maxX, round.minY), (round.maxX, round.maxY), (round.minX, round.maxY),
    ] {
      let p = try #require(wall.pictureFromWall(Vector2(x, y)))
      #expect(p.x >= 0 && p.y >= 0 && p.x <= 1279 && p.y <= 719)
    }
  }

  @Test func `what no camera sees of a rectangle is refused`() {
    let crossed = Quadrilateral(Vector2(0, 0), Vector2(100, 100), Vector2(100, 0), Vector2(0, 100))
    let line = Quadrilateral(Vector2(0, 0), Vector2(1, 1), Vector2(2, 2), Vector2(3, 3))
    let good = Quadrilateral(Vector2(500, 300), Vector2(700, 300), Vector2(700, 400), Vector2(500, 400))
    #expect(WallPlane(corners: crossed, width: 1, height: 1, intrinsics: Self.camera) == nil)
    #expect(WallPlane(corners: line, width: 1, height: nil, intrinsics: Self.camera) == nil)
    #expect(WallPlane(corners: good, width: 0, height: 1, intrinsics: Self.camera) == nil)
    #expect(WallPlane(corners: good, width: 1, height: .nan, intrinsics: Self.camera) == nil)
    #expect(WallPlane(corners: good, width: 1, height: 100, intrinsics: Self.camera) == nil)
    #expect(WallPlane(corners: good, width: 1, height: nil, intrinsics: Self.camera)?.height == 0.5)
  }
}
