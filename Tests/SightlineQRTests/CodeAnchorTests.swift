import SightlineCamera
import SightlineEngine
import SightlineGeodesy
import SightlineImaging
import SightlineMath
import SightlineScene
import SightlineTestSupport
import Testing

@testable import SightlineQR

/// A code whose place is known, drawn as a camera at a known place sees it, read by the detector, and handed to a session whose
/// sensors are wrong.
@Suite struct CodeAnchorTests {
  private let place = Geodetic(latitudeDegrees: 48.3984, longitudeDegrees: 9.9912, altitude: 479.6)
  private let text = "sightline:world/ulm?at=48.3984,9.9912,479.6&facing=180&size=0.24"
  private let picture = CameraPicture(
    intrinsics: Intrinsics(width: 960, height: 720, longSideFieldOfView: Angle(degrees: 65))
  )
  private let display = Display(width: 960, height: 720)

  /// A phone held upright, turned and tilted, degrees.
  private func attitude(heading: Double, pitch: Double) -> Quaternion {
    Quaternion(axis: Vector3(0, 0, 1), angle: Angle(degrees: -heading))
      * Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: 90 + pitch))
  }

  private struct Seen {
    var corners: Quadrilateral
    var text: String
  }

  /// Where the corners of the code's modules are in the picture of a camera.
  private func corners(
    of marker: SurveyedMarker,
    from camera: Geodetic,
    _ eastNorthUpFromDevice: Quaternion
  ) -> Quadrilateral? {
    let projection = DisplayProjection(display: display, picture: picture)
    let cameraFromDevice = projection.cameraFromDisplay * projection.deviceFromDisplay.inverse
    let cameraFromWorld = cameraFromDevice * eastNorthUpFromDevice.inverse
    let there = EastNorthUpFrame(origin: camera)
    let home = EastNorthUpFrame(origin: marker.place)
    var seen = Quadrilateral(repeating: .zero)
    let half = marker.side / 2
    for (k, corner) in [
      Vector3(-half, half, 0), Vector3(half, half, 0), Vector3(half, -half, 0), Vector3(-half, -half, 0),
    ]
    .enumerated() {
      let point = there.point(home.geodetic(marker.eastNorthUpFromMarker * corner))
      let p = cameraFromWorld * point
      guard p.z > 0.1 else { return nil }
      let i = picture.intrinsics
      seen[k] = Vector2(i.focalX * p.x / p.z + i.centerX, i.focalY * p.y / p.z + i.centerY)
    }
    return seen
  }

  /// Draws the code and reads it back.
  private func read(_ corners: Quadrilateral) throws -> Seen {
    let code = try QREncoder().encode(text.utf8.map { QRCharacter($0) })
    let found = try #require(codes(in: code.matrix.picture(960, 720, corners: corners)).first)
    return Seen(corners: found.corners, text: String(decoding: found.content.bytes, as: UTF8.self))
  }

  private func marker() -> SurveyedMarker {
    SurveyedMarker(place: place, facing: Angle(degrees: 180), side: 0.24)
  }

  /// A session whose compass is wrong by some degrees and whose fix by some metres.
  private func session(heading: Double, pitch: Double, wrongBy: Double, fix: Geodetic) -> Session {
    var session = Session()
    session.handle(.calendar(decimalYear: 2026.5), at: 0)
    session.handle(.display(display), at: 0)
    session.handle(.camera(picture), at: 0)
    session.handle(
      .fix(
        LocationFix(
          latitudeDegrees: fix.latitudeDegrees,
          longitudeDegrees: fix.longitudeDegrees,
          altitude: 500,
          horizontalAccuracy: 12,
          verticalAccuracy: 20
        )
      ),
      at: 0
    )
    let sensed = attitude(heading: heading + wrongBy, pitch: pitch)
    session.handle(.orientation(.quaternion(worldFromDevice: sensed, north: .trueNorth)), at: 0.5)
    session.advance(to: 1)
    while session.nextEffect() != nil {}
    return session
  }

  private func effects(_ session: inout Session) -> [SessionEffect] {
    var all: [SessionEffect] = []
    while let effect = session.nextEffect() { all.append(effect) }
    return all
  }

  /// Metres east and north of the code, and the way the phone looks.
  @Test(arguments: [(0.0, -1.5, 0.0, 0.0), (0.9, -1.2, -35, 5), (-0.5, -2, 12, -6), (0.2, -1.1, -10, 12)])
  func `one glance sets position and north, whatever the sensors said`(
    east: Double,
    north: Double,
    heading: Double,
    pitch: Double
  ) throws {
    let camera = EastNorthUpFrame(origin: place).geodetic(Vector3(east, north, 0.1))
    let truth = attitude(heading: heading, pitch: pitch)
    let drawn = try #require(corners(of: marker(), from: camera, truth))
    let seen = try read(drawn)
    #expect(seen.text == text)
    let astray = EastNorthUpFrame(origin: place).geodetic(Vector3(14, 9, 20))
    for wrong in [25.0, -70, 170] {
      var session = session(heading: heading, pitch: pitch, wrongBy: wrong, fix: astray)
      let sighting = CodeSighting(code: marker(), corners: seen.corners, pictureSize: Vector2(960, 720))
      session.handle(.codeSeen(sighting), at: 1.1)
      let position = try #require(session.position)
      let off = EastNorthUpFrame(origin: camera).point(position)
      // A corner is read to about half a pixel; from the side of a code that is centimetres a metre away.
      #expect(off.length < 0.12, "\(off) m off")
      guard
        case .aligned(.done, let angle)? = effects(&session).first(where: {
          if case .aligned = $0 { true } else { false }
        })
      else {
        Issue.record("not aligned")
        continue
      }
      #expect(abs(wrapToPi(angle.radians + wrong * .pi / 180)) < 0.05, "\(angle.degrees)° of \(-wrong)°")
      session.makeFrame(at: 1.2)
      let off2 = session.frame.bearing.degrees - heading
      #expect(abs(wrapToPi(off2 * .pi / 180)) < 0.05, "the view looks \(off2)° beside")
    }
  }

  @Test func `while a code is in sight what is drawn stays where it says, whatever the fixes say`() throws {
    let camera = EastNorthUpFrame(origin: place).geodetic(Vector3(0, -1.5, 0.1))
    let drawn = try #require(corners(of: marker(), from: camera, attitude(heading: 0, pitch: 0)))
    let astray = EastNorthUpFrame(origin: place).geodetic(Vector3(14, 9, 20))
    var session = session(heading: 0, pitch: 0, wrongBy: 25, fix: astray)
    let sighting = CodeSighting(code: marker(), corners: drawn, pictureSize: Vector2(960, 720))
    // What is drawn glides there within seconds.
    for step in 0..<50 {
      session.handle(.codeSeen(sighting), at: 1.1 + 0.1 * Double(step))
      session.makeFrame(at: 1.15 + 0.1 * Double(step))
    }
    let frame = EastNorthUpFrame(origin: camera)
    func off() throws -> Double {
      let point = frame.point(try #require(session.standpoint))
      return hypot(point.x, point.y)
    }
    #expect(try off() < 0.1)
    #expect(session.standpointAccuracy < 2)
    let fix = LocationFix(
      latitudeDegrees: astray.latitudeDegrees,
      longitudeDegrees: astray.longitudeDegrees,
      horizontalAccuracy: 12
    )
    session.handle(.fix(fix), at: 6.2)
    session.makeFrame(at: 6.4)
    #expect(frame.point(try #require(session.position)).length > 10, "the request states the fix as it came")
    #expect(try off() < 0.5)
  }

  @Test func `without an altitude only the place on the map is set`() throws {
    let camera = EastNorthUpFrame(origin: place).geodetic(Vector3(0, -1.5, 0))
    let seen = try read(try #require(corners(of: marker(), from: camera, attitude(heading: 0, pitch: 0))))
    var code = marker()
    code.place.altitude = .nan
    var session = session(heading: 0, pitch: 0, wrongBy: 8, fix: place)
    session.handle(.codeSeen(CodeSighting(code: code, corners: seen.corners, pictureSize: Vector2(960, 720))), at: 1.1)
    #expect(abs(try #require(session.position).altitude - 500) < 1e-9)
  }

  @Test func `a code that hangs otherwise than it says moves nobody`() throws {
    let camera = EastNorthUpFrame(origin: place).geodetic(Vector3(0, -1.5, 0))
    let seen = try read(try #require(corners(of: marker(), from: camera, attitude(heading: 0, pitch: 0))))
    var askew = marker()
    askew.roll = Angle(degrees: 40)
    var session = session(heading: 0, pitch: 0, wrongBy: 0, fix: place)
    let before = session.position
    session.handle(.codeSeen(CodeSighting(code: askew, corners: seen.corners, pictureSize: Vector2(960, 720))), at: 1.1)
    #expect(effects(&session) == [.aligned(.notThere, by: .zero)])
    #expect(session.position == before)
  }

  @Test func `nonsense is refused`() {
    var session = session(heading: 0, pitch: 0, wrongBy: 0, fix: place)
    let before = session.position
    for (side, size) in [(0.0, 960.0), (-1, 960), (.nan, 960), (0.2, 0), (0.2, .nan), (1e9, 960)] {
      var code = marker()
      code.side = side
      let corners = Quadrilateral(Vector2(0, 0), Vector2(9, 0), Vector2(9, 9), Vector2(0, 9))
      session.handle(.codeSeen(CodeSighting(code: code, corners: corners, pictureSize: Vector2(size, 720))), at: 1.1)
    }
    var nowhere = marker()
    nowhere.place = Geodetic(latitudeDegrees: 95, longitudeDegrees: .nan)
    let corners = Quadrilateral(Vector2(0, 0), Vector2(9, 0), Vector2(9, 9), Vector2(0, 9))
    session.handle(.codeSeen(CodeSighting(code: nowhere, corners: corners, pictureSize: Vector2(960, 720))), at: 1.1)
    #expect(session.position == before)
    #expect(effects(&session).allSatisfy { if case .aligned(.done, _) = $0 { false } else { true } })
  }

  @Test func `a code that stays in sight is told of once`() throws {
    let camera = EastNorthUpFrame(origin: place).geodetic(Vector3(0, -1.5, 0))
    let seen = try read(try #require(corners(of: marker(), from: camera, attitude(heading: 0, pitch: 0))))
    var session = session(heading: 0, pitch: 0, wrongBy: 20, fix: place)
    let sighting = CodeSighting(code: marker(), corners: seen.corners, pictureSize: Vector2(960, 720))
    var told = 0
    for k in 0..<40 {
      session.handle(.codeSeen(sighting), at: 1.1 + Double(k) * 0.5)
      told += effects(&session).count { if case .aligned = $0 { true } else { false } }
    }
    #expect(told == 1)
  }
}
