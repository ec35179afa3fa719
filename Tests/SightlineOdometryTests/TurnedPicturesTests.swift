import SightlineCamera
import SightlineImaging
import SightlineMath
import Testing

@testable import SightlineOdometry

/// Pictures of a phone whose screen was turned: what they are, and the way to the tracker's frames and back.
@Suite struct TurnedPicturesTests {
  private static let (width, height) = (37, 21)

  /// A picture whose pixels differ, as it is after the screen was turned by so many quarters.
  private static func turned(_ frame: GrayImage, quarters: Int) -> GrayImage {
    // One quarter after the other: x right and y down become y and −x.
    var frame = frame
    for _ in 0..<quarters {
      var next = GrayImage(width: frame.height, height: frame.width)
      for y in 0..<frame.height { for x in 0..<frame.width { next[y, frame.width - 1 - x] = frame[x, y] } }
      frame = next
    }
    return frame
  }

  @Test(arguments: 0..<4) func picturesAreTurnedBack(quarters: Int) {
    var frame = GrayImage(width: Self.width, height: Self.height)
    for y in 0..<Self.height { for x in 0..<Self.width { frame[x, y] = UInt8(truncatingIfNeeded: 7 * x + 31 * y) } }
    let picture = Self.turned(frame, quarters: quarters)
    let turn = PictureTurn(quarters: quarters - 4, width: Self.width, height: Self.height)
    var back = GrayImage(width: 1, height: 1)
    picture.withView { turn.inverse.turn($0, into: &back) }
    #expect(back == frame)
    frame.withView { turn.turn($0, into: &back) }
    #expect(back == picture)
    for (x, y) in [(0, 0), (36, 0), (5, 20), (17, 9)] {
      let there = turn(Vector2(Double(x), Double(y)))
      #expect(picture[Int(there.x), Int(there.y)] == frame[x, y])
      #expect(turn.inverse(there) == Vector2(Double(x), Double(y)))
    }
    // One of another size is left alone.
    GrayImage(width: 20, height: 20).withView { turn.turn($0, into: &back) }
    #expect(back == picture)
  }

  /// What is seen in the frame is seen in the picture at the pixels that its own camera and pose say.
  @Test(arguments: 0..<4) func posesGoAlong(quarters: Int) throws {
    let turn = PictureTurn(quarters: quarters, width: 320, height: 240)
    let camera = FrameCamera(
      intrinsics: Intrinsics(width: 320, height: 240, focalX: 260, focalY: 260, centerX: 150, centerY: 127),
      distortion: LensDistortion(k1: 0.05, k2: -0.02)
    )
    let pose = PlanarPose(
      cameraFromPlane: Quaternion(rotationVector: Vector3(0.4, -0.3, 0.9)),
      translation: Vector3(0.2, -0.1, 2),
      reprojectionError: 0
    )
    func corner(_ k: Int) -> Vector3 { Vector3(k == 1 || k == 2 ? 0.5 : -0.5, k < 2 ? 0.4 : -0.4, 0) }
    var corners = Quadrilateral(repeating: .zero)
    for k in 0..<4 {
      corners[k] = try #require(camera.intrinsics.pixel(ofPointInCamera: pose(corner(k)), through: camera.distortion))
    }
    let seen = Observation(.placed(1), state: .tracked, corners: corners, pose: pose, width: 1)
    let (other, lens) = (turn(seen), turn(camera))
    let turned = try #require(other.pose)
    for k in 0..<4 {
      let pixel = try #require(lens.intrinsics.pixel(ofPointInCamera: turned(corner(k)), through: lens.distortion))
      #expect((pixel - other.corners[k]).length < 1e-9)
      #expect((turn.inverse(other).corners[k] - corners[k]).length < 1e-9)
    }
    let back = try #require(turn.inverse(other).pose)
    #expect((back.translation - pose.translation).length < 1e-12)
    #expect(abs(back.cameraFromPlane.dot(pose.cameraFromPlane)) > 1 - 1e-12)
    #expect(turn.inverse(lens) == camera)
  }

  private static func judge(
    _ turns: inout TurnedPictures,
    _ size: (Int, Int),
    _ angle: Int32,
    at time: Double
  )
    -> TurnedPictures.Judgement
  { turns.judge(width: size.0, height: size.1, screenAngleDegrees: angle, time: time) }

  @Test func shapeAndAngleTellAQuarterAtOnce() {
    let (upright, across) = ((480, 640), (640, 480))
    var turns = TurnedPictures(width: 480, height: 640, screenAngleDegrees: 0)
    #expect(Self.judge(&turns, upright, 0, at: 1) == .turned(quarters: 0))
    // The screen says it first, the pictures follow.
    #expect(Self.judge(&turns, upright, 90, at: 1.1) == .unsettled)
    #expect(Self.judge(&turns, upright, 90, at: 1.4) == .unsettled)
    #expect(Self.judge(&turns, across, 90, at: 1.45) == .turned(quarters: 1))
    // The pictures first, then the screen; the other way round.
    #expect(Self.judge(&turns, upright, 90, at: 2) == .unsettled)
    #expect(Self.judge(&turns, upright, 0, at: 2.1) == .turned(quarters: 0))
    #expect(Self.judge(&turns, across, -90, at: 3) == .turned(quarters: 3))
  }

  @Test func upsideDownTakesAMoment() {
    var turns = TurnedPictures(width: 640, height: 480, screenAngleDegrees: 90)
    #expect(Self.judge(&turns, (640, 480), 270, at: 1) == .unsettled)
    #expect(Self.judge(&turns, (640, 480), 270, at: 1.2) == .unsettled)
    #expect(Self.judge(&turns, (640, 480), 270, at: 1.3) == .turned(quarters: 2))
    #expect(Self.judge(&turns, (640, 480), 270, at: 1.31) == .turned(quarters: 2))
    // Back before it was sure.
    #expect(Self.judge(&turns, (640, 480), 90, at: 2) == .unsettled)
    #expect(Self.judge(&turns, (640, 480), 270, at: 2.1) == .turned(quarters: 2))
    #expect(Self.judge(&turns, (640, 480), 90, at: 5) == .unsettled, "the moment counts from now")
  }

  @Test func otherPicturesAreOthers() {
    var turns = TurnedPictures(width: 640, height: 480, screenAngleDegrees: 0)
    #expect(Self.judge(&turns, (1280, 720), 0, at: 1) == .unsettled)
    #expect(Self.judge(&turns, (1280, 720), 0, at: 1.6) == .other)
    // A screen whose pictures do not turn with it, and an angle that no screen has.
    #expect(Self.judge(&turns, (640, 480), 90, at: 2) == .unsettled)
    #expect(Self.judge(&turns, (640, 480), 90, at: 2.6) == .other)
    #expect(Self.judge(&turns, (640, 480), 45, at: 3) == .unsettled)
    #expect(Self.judge(&turns, (640, 480), Int32.min, at: 4) == .unsettled)
  }
}
