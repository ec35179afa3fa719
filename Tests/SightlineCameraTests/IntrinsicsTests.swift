import SightlineCamera
import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct IntrinsicsTests {
  /// The camera models of the original AR browser (`Camera.plist`), in its own figures: focal length, image plane, the
  /// distance d of a view plane that reaches from −1 to 1 along the longer side, the largest angle, and metres per point
  /// and metre on 480 points.
  static let cameras: [(focal: Double, width: Double, height: Double, d: Double, angle: Double, factor: Double)] = [
    (3.85, 2.69, 3.58, 2.15084, 49.87, 0.001_937_23),
    (3.85, 3.40, 4.54, 1.69604, 61.05, 0.002_456_71),
    (500, 150, 200, 5, 22.62, 0.000_833_33),
  ]

  @Test(arguments: cameras) func `a known lens and sensor give the known angles`(
    row: (focal: Double, width: Double, height: Double, d: Double, angle: Double, factor: Double)
  ) {
    let camera = Intrinsics(
      width: row.width * 400,
      height: row.height * 400,
      focalLength: row.focal,
      sensorWidth: row.width,
      sensorHeight: row.height
    )
    #expect(isNear(camera.longSideFieldOfView.degrees, row.angle, within: 5e-3))
    #expect(isNear(camera.focalY / (camera.height / 2), row.d, within: 5e-6))
    let onScreen = DisplayProjection(
      display: Display(width: 320, height: 480),
      picture: CameraPicture(intrinsics: camera)
    )
    #expect(isNear(1 / onScreen.focalPoints.y, row.factor, within: 5e-9))
    #expect(isNear(1 / onScreen.focalPoints.x, row.factor, within: 5e-9))
  }

  @Test(arguments: [10.0, 49.87, 66, 90, 120, 170]) func `a field of view given is the field of view had`(
    degrees: Double
  ) {
    let angle = Angle(degrees: degrees)
    for (width, height) in [(640.0, 480.0), (480, 640), (500, 500)] {
      let long = Intrinsics(width: width, height: height, longSideFieldOfView: angle)
      #expect(isNear(long.longSideFieldOfView.degrees, degrees, within: 1e-12))
      #expect(isNear(max(long.horizontalFieldOfView, long.verticalFieldOfView).degrees, degrees, within: 1e-12))
      let wide = Intrinsics(width: width, height: height, horizontalFieldOfView: angle)
      #expect(isNear(wide.horizontalFieldOfView.degrees, degrees, within: 1e-12))
      #expect(wide.focalX == wide.focalY)
    }
  }

  @Test func `lens and sensor, and the angle they open, are one camera`() {
    let byLens = Intrinsics(width: 1600, height: 1200, focalLength: 4, sensorWidth: 5.6, sensorHeight: 4.2)
    let byAngle = Intrinsics(width: 1600, height: 1200, horizontalFieldOfView: byLens.horizontalFieldOfView)
    #expect(isNear(byLens.focalX, byAngle.focalX, within: 1e-10))
    #expect(isNear(byLens.focalY, byAngle.focalY, within: 1e-10))
    #expect(byLens.centerX == byAngle.centerX && byLens.centerY == byAngle.centerY)
  }

  @Test func `pixels that are not square keep their shape`() {
    let camera = Intrinsics(width: 720, height: 1280, focalLength: 4, sensorWidth: 3, sensorHeight: 4)
    #expect(isNear(camera.focalX, 960, within: 1e-10) && isNear(camera.focalY, 1280, within: 1e-10))
  }

  @Test func `a point and its pixel's ray lie on one line`() throws {
    var g = SplitMix64(seed: 71)
    let camera = Intrinsics(width: 640, height: 480, focalX: 500, focalY: 520, centerX: 310, centerY: 250)
    for i in 0..<500 {
      let p = Vector3(
        .random(in: -20...20, using: &g),
        .random(in: -20...20, using: &g),
        .random(in: 0.1...50, using: &g)
      )
      let pixel = try #require(camera.pixel(ofPointInCamera: p))
      #expect((camera.rayInCamera(through: pixel) * p.length - p).length < 1e-12, "seed 71, case \(i)")
    }
  }

  @Test func `the edges of the picture are half a pixel beyond its outermost centres`() throws {
    let camera = Intrinsics(width: 640, height: 480, horizontalFieldOfView: Angle(degrees: 60))
    let half = tan(Angle(degrees: 30).radians)
    let left = try #require(camera.pixel(ofPointInCamera: Vector3(-half, 0, 1)))
    let right = try #require(camera.pixel(ofPointInCamera: Vector3(half, 0, 1)))
    #expect(isNear(left.x, -0.5, within: 1e-10) && isNear(right.x, 639.5, within: 1e-10))
    #expect(isNear(left.y, 239.5, within: 1e-10))
  }

  @Test(arguments: [0.0, -0.0, -1, .nan]) func `nothing beside or behind the lens has a pixel`(z: Double) {
    let camera = Intrinsics(width: 640, height: 480, horizontalFieldOfView: Angle(degrees: 60))
    #expect(camera.pixel(ofPointInCamera: Vector3(0, 0, z)) == nil)
  }

  @Test func `four quarter turns are none, and two are a half`() {
    let camera = Intrinsics(width: 640, height: 480, focalX: 500, focalY: 520, centerX: 310, centerY: 250)
    var turned = camera
    for _ in 0..<4 { turned = turned.rotated(clockwiseDegrees: 90) }
    #expect(turned == camera)
    #expect(camera.rotated(clockwiseDegrees: 90).rotated(clockwiseDegrees: 90) == camera.rotated(clockwiseDegrees: 180))
    #expect(camera.rotated(clockwiseDegrees: -90) == camera.rotated(clockwiseDegrees: 270))
    #expect(camera.rotated(clockwiseDegrees: 450) == camera.rotated(clockwiseDegrees: 90))
    #expect(camera.rotated(clockwiseDegrees: 45) == camera)
    #expect(camera.rotated(clockwiseDegrees: Int32.min).width.isFinite)
  }

  @Test func `radial terms hold up to where the picture would fold back`() {
    #expect(LensDistortion.none.reach == 4)
    #expect(LensDistortion(k1: 0.3, k2: 0.1).reach == 4)
    // 1 + 3 k1 r² falls to 0.1 at r² = 0.9 / 0.9.
    #expect(isNear(LensDistortion(k1: -0.3).reach, 1, within: 0.011))
    #expect(LensDistortion(k1: -1e9).reach == 0.01)
    #expect(LensDistortion(k1: .nan).reach == 4)
  }
}
