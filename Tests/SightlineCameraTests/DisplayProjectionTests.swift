import SightlineCamera
import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct DisplayProjectionTests {
  /// Portrait and landscape displays, narrower and wider than any picture, and a square one.
  static let displays = [(320.0, 480.0), (480, 320), (390, 844), (844, 390), (500, 500), (1000, 100)]
  /// Pictures delivered upright, lying, square, with an optical axis off the centre and pixels that are not square.
  static let pictures = [
    Intrinsics(width: 480, height: 640, horizontalFieldOfView: Angle(degrees: 50)),
    Intrinsics(width: 1280, height: 720, longSideFieldOfView: Angle(degrees: 66)),
    Intrinsics(width: 400, height: 400, horizontalFieldOfView: Angle(degrees: 90)),
    Intrinsics(width: 640, height: 480, focalX: 500, focalY: 530, centerX: 300, centerY: 250),
  ]
  static let turns: [Int32] = [0, 90, 180, 270]

  /// The worked example of the original AR browser: 10 m east, 100 m north, 20 m up, a level phone looking north.
  @Test func `the example of the documentation holds`() throws {
    let lens = Intrinsics(width: 269, height: 358, focalLength: 3.85, sensorWidth: 2.69, sensorHeight: 3.58)
    let projection = DisplayProjection(
      display: Display(width: 320, height: 480),
      picture: CameraPicture(intrinsics: lens)
    )
    let point = try #require(projection.project(pointInDisplay: Vector3(10, 20, -100)))
    #expect(isNear(point.x, 211.62, within: 5e-3))
    #expect(isNear(point.y, 136.76, within: 5e-3))
    // x = 160 + 516.20 · E/N, y = 240 − 516.20 · U/N
    #expect(isNear(projection.focalPoints.x, 516.20, within: 5e-3))
    #expect(isNear(projection.center.x, 160, within: 1e-10) && isNear(projection.center.y, 240, within: 1e-10))
  }

  @Test(arguments: displays, turns) func `the picture covers the display, centred, with one side just fitting`(
    display: (Double, Double),
    turn: Int32
  ) {
    for intrinsics in Self.pictures {
      let placement = PicturePlacement(
        display: Display(width: display.0, height: display.1),
        picture: CameraPicture(intrinsics: intrinsics, rotationDegrees: turn)
      )
      let (o, s) = (placement.origin, placement.size)
      #expect(o.x <= 1e-9 && o.y <= 1e-9)
      #expect(o.x + s.x >= display.0 - 1e-9 && o.y + s.y >= display.1 - 1e-9)
      #expect(isNear(o.x + s.x / 2, display.0 / 2, within: 1e-9) && isNear(o.y + s.y / 2, display.1 / 2, within: 1e-9))
      #expect(isNear(s.x, display.0, within: 1e-9) || isNear(s.y, display.1, within: 1e-9))
      let aspect = turn % 180 == 0 ? intrinsics.width / intrinsics.height : intrinsics.height / intrinsics.width
      #expect(isNear(s.x / s.y, aspect, within: 1e-12))
    }
  }

  /// Which corner of the delivered picture comes to the top left, and which to the top right, when it is turned
  /// clockwise.
  @Test(
    arguments: [
      (0, (0, 0), (1, 0)), (90, (0, 1), (0, 0)), (180, (1, 1), (0, 1)), (270, (1, 0), (1, 1)), (-90, (1, 0), (1, 1)),
    ] as [(Int32, (Double, Double), (Double, Double))]
  )
  func `a picture turned clockwise has its corners where they belong`(
    turn: Int32,
    topLeft: (Double, Double),
    topRight: (Double, Double)
  ) {
    let (w, h) = (640.0, 480.0)
    let placement = PicturePlacement(
      display: Display(width: 300, height: 700),
      picture: CameraPicture(
        intrinsics: Intrinsics(width: w, height: h, horizontalFieldOfView: Angle(degrees: 60)),
        rotationDegrees: turn
      )
    )
    let left = placement.displayPoint(ofPixel: Vector2(topLeft.0 * w - 0.5, topLeft.1 * h - 0.5))
    let right = placement.displayPoint(ofPixel: Vector2(topRight.0 * w - 0.5, topRight.1 * h - 0.5))
    #expect((left - placement.origin).length < 1e-9)
    #expect((right - placement.origin - Vector2(placement.size.x, 0)).length < 1e-9)
  }

  @Test(arguments: displays, turns) func `a pixel goes to the display and back`(
    display: (Double, Double),
    turn: Int32
  ) {
    var g = SplitMix64(seed: 81)
    for intrinsics in Self.pictures {
      let placement = PicturePlacement(
        display: Display(width: display.0, height: display.1),
        picture: CameraPicture(intrinsics: intrinsics, rotationDegrees: turn)
      )
      for i in 0..<20 {
        let pixel = Vector2(.random(in: -10...700, using: &g), .random(in: -10...700, using: &g))
        let back = placement.pixel(atDisplayPoint: placement.displayPoint(ofPixel: pixel))
        #expect((back - pixel).length < 1e-10, "seed 81, case \(i)")
      }
    }
  }

  /// Two ways to one answer: in one step, and through the camera's own frame and pixels (S after P).
  @Test(arguments: displays, turns) func `projecting is P and then S`(display: (Double, Double), turn: Int32) throws {
    var g = SplitMix64(seed: 82)
    for intrinsics in Self.pictures {
      let projection = DisplayProjection(
        display: Display(width: display.0, height: display.1),
        picture: CameraPicture(intrinsics: intrinsics, rotationDegrees: turn)
      )
      for i in 0..<50 {
        let p = Vector3(
          .random(in: -9...9, using: &g),
          .random(in: -9...9, using: &g),
          .random(in: -20 ... -1, using: &g)
        )
        let direct = try #require(projection.project(pointInDisplay: p))
        let pixel = try #require(intrinsics.pixel(ofPointInCamera: projection.cameraFromDisplay * p))
        let steps = projection.placement.displayPoint(ofPixel: pixel)
        #expect((direct - steps).length < 1e-9, "seed 82, case \(i)")
        #expect((projection.ray(through: direct) * p.length - p).length < 1e-11, "seed 82, case \(i)")
      }
    }
  }

  /// Turning the phone changes nothing of what is seen: a point fixed in the device frame is found where the turned
  /// screen has it, whatever the screen's angle, when the browser delivers the picture upright.
  @Test(arguments: turns) func `a screen angle turns display vectors into the device's`(angle: Int32) {
    let lying = angle % 180 != 0
    let projection = DisplayProjection(
      display: Display(width: lying ? 480 : 320, height: lying ? 320 : 480, screenAngleDegrees: angle),
      picture: CameraPicture(
        intrinsics: Intrinsics(
          width: lying ? 640 : 480,
          height: lying ? 480 : 640,
          longSideFieldOfView: Angle(degrees: 60)
        )
      )
    )
    // The device's top edge, as the user sees it: counter-clockwise turns carry it to the left, down, to the right.
    let top = projection.deviceFromDisplay.inverse * Vector3(0, 1, 0)
    let expected: [Int32: Vector3] = [
      0: Vector3(0, 1, 0), 90: Vector3(-1, 0, 0), 180: Vector3(0, -1, 0), 270: Vector3(1, 0, 0),
    ]
    #expect((top - (expected[angle] ?? .zero)).length < 1e-15)
    // The camera looks away from the user at every angle.
    #expect((projection.deviceFromDisplay * Vector3(0, 0, -1) - Vector3(0, 0, -1)).length < 1e-15)
    // And the focal length in points is that of the device.
    #expect(isNear(projection.focalPoints.x, 240 / tan(Angle(degrees: 30).radians), within: 1e-9))
  }

  /// The same rays through the same screen, whether the platform turns the picture or Sightline does.
  @Test(arguments: turns) func `a picture that comes lying is the same as one that comes upright`(turn: Int32) throws {
    let upright = Intrinsics(width: 480, height: 640, focalX: 500, focalY: 520, centerX: 250, centerY: 300)
    let delivered = upright.rotated(clockwiseDegrees: -turn)
    let display = Display(width: 390, height: 844)
    let a = DisplayProjection(display: display, picture: CameraPicture(intrinsics: upright))
    let b = DisplayProjection(
      display: display,
      picture: CameraPicture(intrinsics: delivered, rotationDegrees: turn)
    )
    #expect((a.center - b.center).length < 1e-10)
    #expect((a.focalPoints - b.focalPoints).length < 1e-10)
  }

  @Test(arguments: displays) func `the fields of view are the angles between the edges`(display: (Double, Double)) {
    for intrinsics in Self.pictures {
      let p = DisplayProjection(
        display: Display(width: display.0, height: display.1),
        picture: CameraPicture(intrinsics: intrinsics)
      )
      let left = p.ray(through: Vector2(0, p.center.y))
      let right = p.ray(through: Vector2(display.0, p.center.y))
      #expect(isNear(acos(left.dot(right)), p.horizontalFieldOfView.radians, within: 1e-7))
      let top = p.ray(through: Vector2(p.center.x, 0))
      let bottom = p.ray(through: Vector2(p.center.x, display.1))
      #expect(isNear(acos(top.dot(bottom)), p.verticalFieldOfView.radians, within: 1e-7))
    }
  }

  /// What a cropped picture shows is less than what it holds; along the side that just fits it is the same.
  @Test func `cropping takes from one side only`() {
    let picture = Intrinsics(width: 480, height: 640, horizontalFieldOfView: Angle(degrees: 50))
    let tall = DisplayProjection(display: Display(width: 300, height: 800), picture: CameraPicture(intrinsics: picture))
    #expect(isNear(tall.verticalFieldOfView.degrees, picture.verticalFieldOfView.degrees, within: 1e-10))
    #expect(tall.horizontalFieldOfView < picture.horizontalFieldOfView)
    #expect(isNear(tall.placement.origin.x, -150, within: 1e-9) && isNear(tall.placement.origin.y, 0, within: 1e-9))
    let wide = DisplayProjection(display: Display(width: 800, height: 300), picture: CameraPicture(intrinsics: picture))
    #expect(isNear(wide.horizontalFieldOfView.degrees, 50, within: 1e-10))
    #expect(wide.verticalFieldOfView < picture.verticalFieldOfView)
  }

  @Test(arguments: [0.0, -0.0, 1, .nan]) func `nothing beside or behind the lens is on the screen`(z: Double) {
    let p = DisplayProjection(
      display: Display(width: 320, height: 480),
      picture: CameraPicture(intrinsics: Self.pictures[0])
    )
    #expect(p.project(pointInDisplay: Vector3(1, 1, z)) == nil)
  }

  @Test(arguments: displays) func `the clip matrix shows a point where the projection has it`(
    display: (Double, Double)
  ) throws {
    var g = SplitMix64(seed: 83)
    for intrinsics in Self.pictures {
      let p = DisplayProjection(
        display: Display(width: display.0, height: display.1),
        picture: CameraPicture(intrinsics: intrinsics)
      )
      var m = [Float](repeating: .nan, count: 17)
      p.clipFromDisplay(near: 1, far: 20_000, into: &m)
      #expect(m[16].isNaN)
      for i in 0..<50 {
        let v = Vector3(
          .random(in: -50...50, using: &g),
          .random(in: -50...50, using: &g),
          .random(in: -100 ... -2, using: &g)
        )
        let clip = (0..<4).map { r in
          Double(m[r]) * v.x + Double(m[4 + r]) * v.y + Double(m[8 + r]) * v.z + Double(m[12 + r])
        }
        let point = try #require(p.project(pointInDisplay: v))
        let x = (clip[0] / clip[3] + 1) / 2 * display.0
        let y = (1 - clip[1] / clip[3]) / 2 * display.1
        // Single precision: 1e-7 of the place on a display that the point may be far outside of.
        let tolerance = 1e-6 * (abs(point.x) + abs(point.y) + display.0 + display.1)
        #expect(isNear(x, point.x, within: tolerance) && isNear(y, point.y, within: tolerance), "seed 83, case \(i)")
        #expect(isNear(clip[3], -v.z, within: 1e-12))
        #expect(clip[2] / clip[3] > -1 && clip[2] / clip[3] < 1)
      }
      let depth = { (z: Double) in (Double(m[10]) * z + Double(m[14])) / -z }
      #expect(isNear(depth(-1), -1, within: 1e-6) && isNear(depth(-20_000), 1, within: 1e-6))
    }
  }
}
