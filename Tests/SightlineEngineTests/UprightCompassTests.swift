import SightlineCamera
import SightlineEngine
import SightlineFusion
import SightlineGeodesy
import SightlineMath
import SightlineTestSupport
import Testing

/// An iPhone's compass tells the heading of the phone's top edge, which has none while the phone is upright.
@Suite struct UprightCompassTests {
  /// An iPhone in a hand: motion with the signs of iOS, a yaw that starts anywhere, and the heading of its top edge.
  private struct Phone {
    var host: Host
    let heading: Double
    /// Where its own yaw starts, degrees.
    let origin: Double
    private var last: Quaternion?
    private var count = 0

    init(heading: Double, origin: Double) {
      host = Host()
      self.heading = heading
      self.origin = origin
      host.tell(.calendar(decimalYear: 2026.5))
      host.tell(.display(Display(width: 390, height: 844)))
      host.tell(.fix(fix()))
    }

    /// Holds it for seconds with the camera at an elevation, trembling; `hasMotion`: with raw sensors.
    mutating func hold(pitch: Double, seconds: Double, hasMotion: Bool, accuracy: Double = 10) {
      for _ in 0..<Int(seconds * 60) {
        host.wait(1.0 / 60)
        count += 1
        let pitch = pitch + 0.7 * sin(Double(count) * 0.11)
        let q = upright(heading: heading, pitch: pitch)
        if hasMotion {
          let turn = last.map { ($0.inverse * q) } ?? .identity
          let rate = Vector3(turn.x, turn.y, turn.z) * (2 * 60 * (turn.w < 0 ? -1 : 1))
          let force = q.inverse * Vector3(0, 0, -9.80665)
          host.tell(
            .motion(MotionSample(time: host.time, angularVelocity: rate, specificForce: force, magneticField: nil))
          )
        }
        last = q
        let top = q * Vector3(0, 1, 0)
        host.tell(
          .orientation(
            .browserAnglesWithCompass(
              alpha: origin - heading,
              beta: 90 + pitch,
              gamma: 0,
              heading: Angle(radians: atan2(top.x, top.y)).degrees,
              accuracy: accuracy
            )
          )
        )
      }
      host.draw()
    }

    /// Of the heading, degrees.
    var error: Double {
      get throws {
        let declination = try MagneticModel.wmm2025.field(at: ulm, decimalYear: 2026.5).declination.degrees
        let error = host.session.frame.bearing.radians - Angle(degrees: heading + declination).radians
        return abs(Angle(radians: wrapToPi(error)).degrees)
      }
    }
    var status: SessionStatus { host.session.status }
  }

  @Test(arguments: [(true, 65.0), (true, -140), (false, 65), (false, -140)])
  func `started almost upright it finds north, and says how roughly`(hasMotion: Bool, origin: Double) throws {
    var phone = Phone(heading: 40, origin: origin)
    phone.hold(pitch: -5, seconds: 12, hasMotion: hasMotion)
    #expect(try phone.error < 5)
    #expect(phone.status.heading == .uncertain)
    #expect(phone.status.headingBound.degrees > 30 && phone.status.headingBound.degrees < 90)
    // Held flatter for a moment, north is known as well as the compass says, and stays so.
    phone.hold(pitch: -50, seconds: 4, hasMotion: hasMotion)
    phone.hold(pitch: -2, seconds: 6, hasMotion: hasMotion)
    #expect(try phone.error < 2)
    #expect(phone.status.heading == .good)
    #expect(phone.status.headingBound.degrees < 30)
  }

  @Test(arguments: [(0.0, true), (8, true), (0, false), (8, false)])
  func `upright or looking up all the time it does not claim a north`(pitch: Double, hasMotion: Bool) throws {
    var phone = Phone(heading: 40, origin: 65)
    phone.hold(pitch: pitch, seconds: 15, hasMotion: hasMotion)
    #expect(phone.status.heading == .noNorth)
    #expect(phone.status.headingBound.degrees == 180)
    phone.hold(pitch: -30, seconds: 4, hasMotion: hasMotion)
    #expect(try phone.error < 2)
    #expect(phone.status.heading == .good)
  }

  @Test func `without looks the bound grows as the gyroscope drifts`() {
    var phone = Phone(heading: 40, origin: 65)
    phone.hold(pitch: -50, seconds: 5, hasMotion: true)
    let before = phone.status.headingBound.degrees
    phone.hold(pitch: 0, seconds: 600, hasMotion: true)
    #expect(phone.status.headingBound.degrees > before + 5)
    #expect(phone.status.headingBound.degrees < 60)
  }

  @Test func `a light that is good stands beside a small bound`() {
    for accuracy in [5.0, 10, 15, 20, 25, 40] {
      for pitch in [-70.0, -40, -20, -12, -8, -5] {
        var phone = Phone(heading: -100, origin: 10)
        phone.hold(pitch: pitch, seconds: 8, hasMotion: true, accuracy: accuracy)
        let (isGood, bound) = (phone.status.heading.quality == .good, phone.status.headingBound.degrees)
        if isGood { #expect(bound <= 30, "\(accuracy)°, \(pitch)°") }
        // Back to good it takes a little less, so that the light does not flicker.
        if phone.status.heading == .uncertain { #expect(bound > 27, "\(accuracy)°, \(pitch)°") }
      }
    }
  }
}
