import SightlineCamera
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineScene

/// A ground view on the phone of the other tests.
struct GroundStage {
  var view = GroundView()
  var phone = Phone()
  var frame = GroundFrame()
  var time = 0.0
  var user = Vector2.zero

  init(_ pins: [Vector2] = [], labels: Vector2 = .zero) {
    view.setPins(pins.map { GroundPin(position: $0, labelWidth: labels.x, labelHeight: labels.y) })
  }

  mutating func look(heading: Double = 0, pitch: Double = 0, roll: Double = 0, after seconds: Double = 10) {
    phone.heading = heading
    phone.pitch = pitch
    phone.roll = roll
    time += seconds
    view.update(
      GroundView.Pose(eastNorthUpFromDevice: phone.eastNorthUpFromDevice, projection: phone.projection, user: user),
      at: time,
      into: &frame
    )
  }

  var center: Vector2 { Vector2(phone.display.width / 2, phone.display.height / 2) }
}

/// Camera coordinates of a stop by the equations of the thesis (Giordano 2010, 5.18 to 5.20): `distance` metres away at
/// `azimuth` degrees from the line of sight, eye at `height`, tilt from flat 0 to upright 90 degrees.
private func thesis(
  distance: Double,
  azimuth: Double,
  height: Double,
  tilt: Double
) -> (x: Double, y: Double, z: Double) {
  let (a, b) = (azimuth * pi / 180, tilt * pi / 180)
  let ahead = distance * cos(a)
  return (distance * sin(a), ahead * cos(b) - height * sin(b), ahead * sin(b) + height * cos(b))
}

@Suite struct GroundViewTests {
  @Test func `feet of pins are where the equations of 2010 put them`() throws {
    var random = SplitMix64(seed: 7_3)
    var seen = 0
    for _ in 0..<2000 {
      let (distance, bearing) = (
        Double.random(in: 1...1500, using: &random), Double.random(in: -180...180, using: &random)
      )
      let heading = Double.random(in: -180...180, using: &random)
      let pitch = Double.random(in: -64...25, using: &random)
      var stage = GroundStage([Vector2(distance * sin(bearing * pi / 180), distance * cos(bearing * pi / 180))])
      stage.look(heading: heading, pitch: pitch)
      let down = max(0, sin(-pitch * pi / 180))
      let height = 20 + (150 - 20) * down
      #expect(isNear(stage.frame.eye.z, height, within: 1e-9))
      let p = thesis(distance: distance, azimuth: bearing - heading, height: height, tilt: 90 + pitch)
      let pin = stage.frame.pins[0]
      #expect(isNear(pin.depth, p.z, within: 1e-9 * max(1, distance)))
      guard p.z > 5 else { continue }
      let x = stage.center.x + stage.phone.focal * p.x / p.z
      let y = stage.center.y - stage.phone.focal * p.y / p.z
      #expect(isNear(pin.foot.x, x, within: 1e-6) && isNear(pin.foot.y, y, within: 1e-6))
      seen += pin.isInView ? 1 : 0
    }
    #expect(seen > 100)
  }

  @Test(arguments: [-30.0, 0, 45, 90])
  func `a turned phone turns the picture and nothing else`(roll: Double) {
    var straight = GroundStage([Vector2(30, 200), Vector2(-60, 150)])
    var turned = straight
    straight.look(heading: 5, pitch: -20)
    turned.look(heading: 5, pitch: -20, roll: roll)
    for (a, b) in zip(straight.frame.pins, turned.frame.pins) {
      let (s, c) = (sin(roll * pi / 180), cos(roll * pi / 180))
      // Turned counter-clockwise, the phone shows the world turned clockwise; y is down on the screen.
      let expected = straight.center + (a.foot - straight.center).rotated(cosine: c, sine: s)
      #expect(isNear(b.foot.x, expected.x, within: 1e-6) && isNear(b.foot.y, expected.y, within: 1e-6))
    }
    #expect(isNear(turned.frame.roll.degrees, roll, within: 1e-6))
  }

  @Test func `the eye rises as the phone is tilted down, and not when it looks up`() {
    var stage = GroundStage()
    let heights = stride(from: 30.0, through: -60, by: -10).map { pitch in
      stage.look(pitch: pitch)
      return stage.frame.eye.z
    }
    #expect(heights[0] == 20 && isNear(heights[3], 20, within: 1e-9))
    #expect(zip(heights[3...], heights[4...]).allSatisfy { $0 < $1 })
    #expect(isNear(heights[6], 20 + 130 * 0.5, within: 1e-9))
  }

  @Test func `the clip matrix, the feet and the ray from the screen agree`() throws {
    var random = SplitMix64(seed: 99)
    var stage = GroundStage(
      (0..<50).map { _ in
        Vector2(.random(in: -800...800, using: &random), .random(in: -800...800, using: &random))
      }
    )
    stage.user = Vector2(40, -25)
    for pitch in [-90.0, -70, -50, -30, -10, 0, 12] {
      stage.look(heading: 33, pitch: pitch, roll: 8)
      for (pin, placed) in zip(stage.view.pins, stage.frame.pins) where placed.depth > 5 {
        let m = stage.frame.clipFromGround.map { Double($0) }
        let (x, y) = (pin.position.x, pin.position.y)
        let clip = (0..<4).map { m[$0] * x + m[4 + $0] * y + m[12 + $0] }
        let screen = Vector2(
          (clip[0] / clip[3] + 1) / 2 * stage.phone.display.width,
          (1 - clip[1] / clip[3]) / 2 * stage.phone.display.height
        )
        #expect((screen - placed.foot).length < 0.02 + 1e-4 * placed.foot.length)
        let back = try #require(stage.view.ground(at: placed.foot))
        #expect((back - pin.position).length < 1e-6 * max(1, placed.depth))
        let again = try #require(stage.view.screen(ofGround: pin.position))
        #expect((again - placed.foot).length < 1e-9)
      }
    }
  }

  @Test func `above the horizon there is no ground`() {
    var stage = GroundStage([Vector2(0, 100)])
    #expect(stage.view.ground(at: stage.center) == nil)
    stage.look(pitch: 10)
    #expect(stage.view.ground(at: Vector2(160, 100)) == nil)
    stage.look(pitch: 60)
    #expect(!stage.frame.pins[0].isInView)
  }

  @Test func `a flat phone is a map, and stays one until it is clearly held up`() {
    var stage = GroundStage()
    // Degrees from straight down, and whether it is a map then.
    let course: [(Double, Bool)] = [
      (90, false), (40, false), (30, false), (26, false), (24, true), (30, true), (34, true), (36, false), (30, false),
      (24, true), (0, true), (36, false),
    ]
    for (fromDown, isMap) in course {
      stage.look(pitch: fromDown - 90)
      #expect(stage.frame.isMap == isMap, "\(fromDown)° from straight down")
    }
    stage.view.mode = .map
    stage.look(pitch: 0)
    #expect(stage.frame.isMap && stage.frame.mapPart == 1)
    stage.view.mode = .view
    stage.look(pitch: -90)
    #expect(!stage.frame.isMap && stage.frame.mapPart == 0)
  }

  @Test(arguments: [0.0, 70, 200, -135])
  func `the map is turned the way the user faces, at its scale`(heading: Double) {
    var stage = GroundStage([Vector2(100 * sin(heading * pi / 180), 100 * cos(heading * pi / 180)), Vector2(0, 50)])
    stage.view.mapHeight = 500
    stage.look(heading: heading, pitch: -80)
    let scale = stage.phone.focal / 500
    let ahead = stage.frame.pins[0].foot
    #expect(isNear(ahead.x, stage.center.x, within: 1e-6))
    #expect(isNear(ahead.y, stage.center.y - 100 * scale, within: 1e-6))
    #expect(isNear(stage.frame.mapHeading.degrees, Angle(degrees: heading).wrapped.degrees, within: 1e-9))
    stage.view.isNorthUp = true
    stage.view.mapOffset = Vector2(10, -20)
    stage.look(heading: heading, pitch: -80)
    let north = stage.frame.pins[1].foot
    #expect(isNear(north.x, stage.center.x - 10 * scale, within: 1e-6))
    #expect(isNear(north.y, stage.center.y - 70 * scale, within: 1e-6))
  }

  @Test func `facing runs on without a jump from the view to flat`() {
    var stage = GroundStage()
    for roll in [0.0, 10, -15] {
      var last: Double?
      for pitch in stride(from: 20.0, through: -90, by: -0.5) {
        stage.look(heading: 77, pitch: pitch, roll: roll)
        let heading = stage.frame.heading.degrees
        if let last { #expect(abs(heading - last) < 0.5) }
        last = heading
        if roll == 0 { #expect(isNear(heading, 77, within: 1e-6)) }
      }
    }
  }

  @Test func `between view and map nothing jumps, and both ends are exact`() throws {
    var stage = GroundStage([Vector2(20, 120)])
    stage.look(pitch: -60)
    let start = stage.frame.pins[0].foot
    stage.look(pitch: -66, after: 0)
    #expect(stage.frame.isMap && stage.frame.mapPart == 0)
    var (last, largest) = (stage.frame.pins[0].foot, 0.0)
    for _ in 0..<50 {
      stage.look(pitch: -66, after: 0.01)
      largest = max(largest, (stage.frame.pins[0].foot - last).length)
      last = stage.frame.pins[0].foot
    }
    #expect(stage.frame.mapPart == 1)
    #expect(largest < 25, "moved by \(largest) points in 10 ms")
    #expect((last - start).length > 1)
    stage.view.parameters.transitionSeconds = 0
    stage.look(pitch: -20, after: 0)
    #expect(stage.frame.mapPart == 0)
  }

  @Test func `without a display there is nothing`() {
    var stage = GroundStage([Vector2(0, 100)])
    stage.look()
    #expect(stage.frame.isValid)
    stage.phone.display = Display(width: 0, height: 0)
    stage.look()
    #expect(!stage.frame.isValid && stage.frame.pins.isEmpty)
  }

  @Test(arguments: [(0.0, 0.0, 0.0), (30, -20, 0), (-100, -40, 25), (200, -89.9, 0), (10, -75, -50)])
  func `the axes are the screen's, upright, and a pin's side is square to it and to the line of sight`(
    heading: Double,
    pitch: Double,
    roll: Double
  ) throws {
    var stage = GroundStage()
    stage.look(heading: heading, pitch: pitch, roll: roll)
    let frame = stage.frame
    let out = frame.right.cross(frame.up)
    #expect(isNear(frame.right.length, 1, within: 1e-9) && isNear(frame.up.length, 1, within: 1e-9))
    #expect(isNear(frame.right.dot(frame.up), 0, within: 1e-9))
    #expect(isNear(frame.pinSide.length, 1, within: 1e-9))
    #expect(isNear(frame.pinSide.dot(frame.pinAxis), 0, within: 1e-9))
    #expect(isNear(frame.pinSide.dot(out), 0, within: 1e-9))
    guard pitch > -60 else { return }
    // Away from the map the world's up has no part to the side, and the view looks where it is told to.
    #expect(isNear(frame.right.z, 0, within: 1e-9))
    let (a, e) = (heading * pi / 180, pitch * pi / 180)
    let ahead = Vector3(sin(a) * cos(e), cos(a) * cos(e), sin(e))
    #expect(isNear((out + ahead).length, 0, within: 1e-9))
  }
}
