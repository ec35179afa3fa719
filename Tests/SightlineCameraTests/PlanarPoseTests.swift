import SightlineCamera
import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct PlanarPoseTests {
  static let camera = Intrinsics(width: 1280, height: 720, focalX: 1000, focalY: 990, centerX: 641, centerY: 357)

  /// A turn that shows the front to the camera, leaning by at most so many degrees.
  static func facing<R: RandomNumberGenerator>(_ degrees: Double, _ random: inout R) -> Quaternion {
    func axis(_ x: Double, _ y: Double, _ z: Double, _ most: Double) -> Quaternion {
      Quaternion(axis: Vector3(x, y, z), angle: Angle(degrees: Double.random(in: -most...most, using: &random)))
    }
    let upright = Quaternion(w: 0, x: 1, y: 0, z: 0)
    return axis(1, 0, 0, degrees) * axis(0, 1, 0, degrees) * axis(0, 0, 1, 180) * upright
  }

  /// The corners of a rectangle, from its own top left clockwise.
  static func corners(_ width: Double, _ height: Double) -> [Vector3] {
    [(-1, 1), (1, 1), (1, -1), (-1, -1)].map { Vector3(Double($0.0) * width / 2, Double($0.1) * height / 2, 0) }
  }

  @Test func `what hangs upright straight ahead is turned by half a turn about x, as marker, picture and wall`() throws
  {
    let seen = Quadrilateral(
      Vector2(541, 258),
      Vector2(741, 258),
      Vector2(741, 456),
      Vector2(541, 456)
    )
    let marker = try #require(SquarePoses(corners: seen, side: 0.2, intrinsics: Self.camera)).best
    // A picture of 100 × 100 pixels on the same place.
    let frameFromPicture = Homography(
      Matrix3(rows: Vector3(2, 0, 542), Vector3(0, 1.98, 258.99), Vector3(0, 0, 1))
    )
    let picture = try #require(
      PlanarPose(
        pictureFromPlane: frameFromPicture * Homography(pictureFromPlane: 0.2, width: 100, height: 100),
        width: 0.2,
        height: 0.2,
        intrinsics: Self.camera
      )
    )
    let plane = try #require(WallPlane(corners: seen, width: 0.2, height: 0.2, intrinsics: Self.camera))
    let wall = try #require(
      PlanarPose(pictureFromPlane: plane.pictureFromWall, width: 0.2, height: 0.2, intrinsics: Self.camera)
    )
    for pose in [marker, picture, wall] {
      #expect(pose.cameraFromPlane.angle(to: Quaternion(w: 0, x: 1, y: 0, z: 0)).radians < 1e-6)
      #expect(pose.cameraFromPlane.w >= 0)
      #expect((pose.translation - Vector3(0, 0, 1)).length < 1e-6)
      #expect(pose.reprojectionError < 1e-6)
      // Its top is up in the picture, its front is nearer.
      #expect(pose(Vector3(0, 0.1, 0)).y < -0.0999)
      #expect(pose(Vector3(0, 0, 0.1)).z < 0.9001)
    }
  }

  @Test(arguments: 0..<60)
  func `a map gives back the pose it was made from, whatever its factor`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let (width, height) = (Double.random(in: 0.05...1, using: &random), Double.random(in: 0.05...1, using: &random))
    let rotation = Self.facing(60, &random)
    let translation = Vector3(
      Double.random(in: -0.5...0.5, using: &random),
      Double.random(in: -0.3...0.3, using: &random),
      Double.random(in: 1.5...4, using: &random)
    )
    var seen = Quadrilateral(repeating: .zero)
    for (i, corner) in Self.corners(width, height).enumerated() {
      seen[i] = try #require(Self.camera.pixel(ofPointInCamera: rotation * corner + translation))
    }
    let square = try #require(Homography(unitSquareTo: seen))
    let map = square * Homography(unitSquareFromPlane: width, height: height)
    let factor = Double.random(in: -5...5, using: &random)
    let (a, b, c) = (map.matrix.row0 * factor, map.matrix.row1 * factor, map.matrix.row2 * factor)
    let pose = try #require(
      PlanarPose(
        pictureFromPlane: Homography(Matrix3(rows: a, b, c)),
        width: width,
        height: height,
        intrinsics: Self.camera
      )
    )
    // Largest seen: 4e-8 rad, 1e-8 m and 2e-10 pixels.
    #expect(pose.cameraFromPlane.angle(to: rotation).radians < 1e-6)
    #expect((pose.translation - translation).length < 1e-7)
    #expect(pose.reprojectionError < 1e-6)
    #expect(pose.cameraFromPlane.w >= 0)
  }

  @Test func `the error says how far a map is from what a camera can do`() throws {
    // Twice as high as a square straight ahead: no turn explains it.
    let map = Homography(Matrix3(rows: Vector3(1000, 0, 641), Vector3(0, -1980, 357), Vector3(0, 0, 1)))
    let pose = try #require(
      PlanarPose(pictureFromPlane: map, width: 0.2, height: 0.2, intrinsics: Self.camera)
    )
    // The mean of both lengths puts a corner 150 pixels to the side, where it is 100, and 148.5 up, where it is 198.
    #expect(abs(pose.reprojectionError - (50 * 50 + 49.5 * 49.5).squareRoot()) < 1e-6)
  }

  @Test func `what no camera makes has no pose`() {
    let flat = Homography(Matrix3(rows: Vector3(1, 0, 0), Vector3(1, 0, 0), Vector3(0, 0, 1)))
    let wild = Homography(Matrix3(rows: Vector3(.nan, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)))
    let none = Homography(Matrix3(rows: .zero, .zero, .zero))
    for map in [flat, wild, none] {
      #expect(PlanarPose(pictureFromPlane: map, width: 1, height: 1, intrinsics: Self.camera) == nil)
    }
  }
}
