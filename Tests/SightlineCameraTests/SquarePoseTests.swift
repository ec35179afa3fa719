import SightlineCamera
import SightlineMath
import SightlineTestSupport
import Testing

private let camera = Intrinsics(width: 640, height: 480, focalX: 600, focalY: 590, centerX: 325, centerY: 236)
private let lens = LensDistortion(k1: -0.28, k2: 0.11, p1: 0.0012, p2: -0.0008, k3: -0.02)

/// Corners of a square of 0.1 m as a camera sees them, or `nil` when it is behind or seen from its back.
private func corners(
  _ cameraFromTarget: Quaternion,
  _ translation: Vector3,
  _ distortion: LensDistortion = .none
) -> Quadrilateral? {
  var result = Quadrilateral(repeating: .zero)
  let square = [Vector3(-0.05, 0.05, 0), Vector3(0.05, 0.05, 0), Vector3(0.05, -0.05, 0), Vector3(-0.05, -0.05, 0)]
  for (i, corner) in square.enumerated() {
    let p = cameraFromTarget * corner + translation
    guard p.z > 0.01 else { return nil }
    let seen = distortion.distorted(Vector2(p.x / p.z, p.y / p.z))
    result[i] = Vector2(camera.centerX + camera.focalX * seen.x, camera.centerY + camera.focalY * seen.y)
  }
  return (cameraFromTarget * Vector3(0, 0, 1)).dot(translation) < 0 ? result : nil
}

/// Poses in front of the camera, tilted by up to 75°.
private func randomPose(_ random: inout SplitMix64) -> (Quaternion, Vector3) {
  func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
  let upright = Quaternion(w: 0, x: 1, y: 0, z: 0)
  let about = Angle(degrees: number(-180...180))
  let lean = number(-180...180)
  let axis = Vector3(cos(lean), sin(lean), 0)
  let tilt = Quaternion(axis: axis, angle: Angle(degrees: number(0...75)))
  let z = number(0.3...3)
  let rotation = tilt * upright * Quaternion(axis: Vector3(0, 0, 1), angle: about)
  return (rotation, Vector3(number(-0.4...0.4) * z, number(-0.3...0.3) * z, z))
}

struct SquarePoseTests {
  @Test(arguments: [LensDistortion.none, lens])
  func `a pose comes back from the corners it explains`(distortion: LensDistortion) throws {
    var random = SplitMix64(seed: 20)
    var tried = 0
    for _ in 0..<500 {
      let (rotation, translation) = randomPose(&random)
      guard let seen = corners(rotation, translation, distortion) else { continue }
      tried += 1
      let poses = try #require(
        SquarePoses(corners: seen, side: 0.1, intrinsics: camera, distortion: distortion)
      )
      let candidates = [poses.best, poses.alternative].compactMap { $0 }
      // Rounding in the corners grows with the distance: 1e-13 px over 20 px, times the weak depth of a distant square.
      let nearest = candidates.map { $0.cameraFromPlane.angle(to: rotation).radians }.min() ?? .nan
      #expect(isNear(nearest, 0, within: 1e-5))
      #expect(poses.best.reprojectionError < 1e-6)
      #expect(poses.best.cameraFromPlane.w >= 0)
      #expect(
        isNear((poses.best.translation - translation).length, 0, within: 1e-5 * translation.z) || candidates.count == 2
      )
      if let other = poses.alternative { #expect(other.reprojectionError >= poses.best.reprojectionError) }
    }
    #expect(tried > 250)
  }

  @Test func `an upright square straight ahead has the pose of the convention`() throws {
    let seen = try #require(corners(Quaternion(w: 0, x: 1, y: 0, z: 0), Vector3(0, 0, 2)))
    #expect(seen[0].x < camera.centerX && seen[0].y < camera.centerY)
    let pose = try #require(SquarePoses(corners: seen, side: 0.1, intrinsics: camera)).best
    #expect(pose.cameraFromPlane.angle(to: Quaternion(w: 0, x: 1, y: 0, z: 0)).radians < 1e-4)
    #expect((pose.translation - Vector3(0, 0, 2)).length < 1e-6)
  }

  @Test func `a distant tilted square has two poses, the mirrored one worse`() throws {
    let upright = Quaternion(w: 0, x: 1, y: 0, z: 0)
    let tilt = Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: 35))
    let seen = try #require(corners(tilt * upright, Vector3(0, 0, 2)))
    let poses = try #require(SquarePoses(corners: seen, side: 0.1, intrinsics: camera))
    let other = try #require(poses.alternative)
    let mirrored = Quaternion(axis: Vector3(0, 1, 0), angle: Angle(degrees: -35)) * upright
    #expect(poses.best.cameraFromPlane.angle(to: tilt * upright).radians < 1e-6)
    #expect(other.cameraFromPlane.angle(to: mirrored).degrees < 2)
    #expect(other.reprojectionError > 0.05 && other.reprojectionError < 2)
  }

  @Test func `what no square looks like has no pose`() {
    let a = Vector2(300, 200)
    let b = Vector2(340, 200)
    let c = Vector2(340, 240)
    let d = Vector2(300, 240)
    func pose(_ corners: Quadrilateral, side: Double = 0.1) -> SquarePoses? {
      SquarePoses(corners: corners, side: side, intrinsics: camera)
    }
    #expect(pose([a, b, c, d]) != nil)
    #expect(pose([a, d, c, b]) == nil)
    #expect(pose([a, c, b, d]) == nil)
    #expect(pose([a, b, b, d]) == nil)
    #expect(pose([a, a, a, a]) == nil)
    #expect(pose([a, b, Vector2(.nan, 1), d]) == nil)
    #expect(pose([a, b, c, Vector2(.infinity, 1)]) == nil)
    #expect(pose([a, b, c, d], side: 0) == nil)
    #expect(pose([a, b, c, d], side: .nan) == nil)
  }

  @Test func `the square that is fitted has the least error there is near it`() throws {
    var random = SplitMix64(seed: 21)
    for _ in 0..<40 {
      let (rotation, translation) = randomPose(&random)
      guard var seen = corners(rotation, translation) else { continue }
      for i in 0..<4 {
        seen[i] = seen[i] + Vector2(.random(in: -0.3...0.3, using: &random), .random(in: -0.3...0.3, using: &random))
      }
      guard let poses = SquarePoses(corners: seen, side: 0.1, intrinsics: camera) else { continue }
      let best = poses.best
      for axis in [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)] {
        for step in [-1e-3, 1e-3] {
          let turned = Quaternion(axis: axis, angle: Angle(radians: step)) * best.cameraFromPlane
          for moved in [(turned, best.translation), (best.cameraFromPlane, best.translation + step * axis)] {
            guard let there = corners(moved.0, moved.1) else { continue }
            var sum = 0.0
            for i in 0..<4 { sum += (there[i] - seen[i]).dot(there[i] - seen[i]) }
            #expect((sum / 4).squareRoot() >= best.reprojectionError - 1e-9)
          }
        }
      }
    }
  }
}

struct HomographyTests {
  @Test func `the corners of the unit square go to the four points, and back`() throws {
    let corners = Quadrilateral(Vector2(10, 20), Vector2(70, 12), Vector2(90, 80), Vector2(5, 60))
    let map = try #require(Homography(unitSquareTo: corners))
    let back = try #require(map.inverse)
    for (i, corner) in [Vector2(0, 0), Vector2(1, 0), Vector2(1, 1), Vector2(0, 1)].enumerated() {
      #expect((try #require(map(corner)) - corners[i]).length < 1e-12)
      #expect((try #require(back(corners[i])) - corner).length < 1e-12)
    }
    let both = try #require((back * map)(Vector2(0.3, 0.8)))
    #expect((both - Vector2(0.3, 0.8)).length < 1e-12)
  }

  @Test func `crossed, flat and dented outlines have no map`() {
    let (a, b, c, d) = (Vector2(0, 0), Vector2(4, 0), Vector2(4, 4), Vector2(0, 4))
    #expect(Homography(unitSquareTo: Quadrilateral(a, b, c, d)) != nil)
    #expect(Homography(unitSquareTo: Quadrilateral(a, c, b, d)) == nil)
    #expect(Homography(unitSquareTo: Quadrilateral(a, b, Vector2(8, 0), d)) == nil)
    #expect(Homography(unitSquareTo: Quadrilateral(a, b, Vector2(1, 1), d)) == nil)
    #expect(Homography(unitSquareTo: Quadrilateral(a, b, Vector2(.nan, 1), d)) == nil)
    #expect(Homography(Matrix3(rows: .zero, .zero, .zero)).inverse == nil)
  }

  @Test func `beyond the horizon there is nothing`() throws {
    let map = Homography(Matrix3(rows: Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(-1, 0, 1)))
    #expect(map(Vector2(0.5, 1)) == Vector2(1, 2))
    #expect(map(Vector2(1, 1)) == nil)
    #expect(map(Vector2(2, 1)) == nil)
  }
}

struct LensDistortionTests {
  @Test func `undistorting undoes distorting over the whole picture`() throws {
    for y in stride(from: 0.0, through: 480, by: 40) {
      for x in stride(from: 0.0, through: 640, by: 40) {
        let p = Vector2((x - 325) / 600, (y - 236) / 590)
        #expect((try #require(lens.undistorted(lens.distorted(p))) - p).length < 1e-12)
        #expect(LensDistortion.none.undistorted(p) == p)
      }
    }
  }

  @Test func `each term moves a point as its formula says`() {
    let p = Vector2(0.3, -0.2)
    let r2 = 0.13
    #expect(LensDistortion(k1: 1).distorted(p) == p * (1 + r2))
    #expect((LensDistortion(k2: 1).distorted(p) - p * (1 + r2 * r2)).length < 1e-15)
    #expect((LensDistortion(k3: 1).distorted(p) - p * (1 + r2 * r2 * r2)).length < 1e-15)
    #expect((LensDistortion(p1: 1).distorted(p) - p - Vector2(-0.12, r2 + 0.08)).length < 1e-15)
    #expect((LensDistortion(p2: 1).distorted(p) - p - Vector2(r2 + 0.18, -0.12)).length < 1e-15)
  }

  @Test func `a point beyond the fold of a wild lens has no origin`() {
    #expect(LensDistortion(k1: -0.5).undistorted(Vector2(3, 3)) == nil)
    #expect(lens.undistorted(Vector2(.nan, 0)) == nil)
  }
}
