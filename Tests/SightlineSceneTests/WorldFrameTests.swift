import SightlineCamera
import SightlineGeodesy
import SightlineMath
import SightlineScene
import SightlineTestSupport
import Testing

@Suite struct WorldFrameTests {
  /// Applies a column-major matrix and the division by depth; returns display points.
  private func screen(_ m: [Float], _ p: Vector3, _ display: Display) -> (point: Vector2, depth: Double) {
    func row(_ r: Int) -> Double {
      Double(m[r]) * p.x + Double(m[4 + r]) * p.y + Double(m[8 + r]) * p.z + Double(m[12 + r])
    }
    let w = row(3)
    return (
      Vector2((row(0) / w + 1) / 2 * display.width, (1 - row(1) / w) / 2 * display.height), row(2) / w
    )
  }

  private func walk(_ metresNorth: Double, _ metresEast: Double = 0, up: Double = 0) -> Geodetic {
    EastNorthUpFrame(origin: ulm).geodetic(Vector3(metresEast, metresNorth, up))
  }

  @Test func `the origin stays until the eye has gone ten kilometres`() {
    var stage = Stage([])
    #expect(stage.scene.origin == ulm)
    for north in stride(from: 0.0, through: 9990, by: 333) {
      stage.scene.setEye(walk(north), datum: .ellipsoid)
      #expect(stage.scene.origin == ulm)
    }
    let beyond = walk(10_010)
    stage.scene.setEye(beyond, datum: .ellipsoid)
    #expect(stage.scene.origin == beyond)
    stage.scene.setEye(walk(2000), datum: .ellipsoid)
    #expect(stage.scene.origin == beyond)
    // Climbing is no reason to move it.
    var balloon = walk(2000)
    balloon.altitude = 30_000
    stage.scene.setEye(balloon, datum: .ellipsoid)
    #expect(stage.scene.origin == beyond)
  }

  /// An item just before and just after the shift differs by what the eye's own step of 2 µm explains, and by less than
  /// 1e-6 of its distance from the screen's centre.
  @Test func `nothing jumps when the origin shifts`() throws {
    var features: [SceneFeature] = []
    for k in 0..<8 {
      let azimuth = Double(k) * pi / 4
      for distance in [50.0, 800, 9000] {
        var place = dot(feature(at: walk(10_000)))
        place.offset = Vector3(distance * sin(azimuth), distance * cos(azimuth), 20)
        features.append(place)
      }
    }
    var before = Stage(features)
    before.scene.setEye(walk(9999.999_999), datum: .ellipsoid)
    #expect(before.scene.origin == ulm)
    var after = before
    after.scene.setEye(walk(10_000.000_001), datum: .ellipsoid)
    #expect(after.scene.origin != ulm)
    for heading in stride(from: 7.0, to: 367, by: 30) {
      before.look(heading: heading, pitch: 4, roll: 8)
      after.look(heading: heading, pitch: 4, roll: 8)
      #expect(before.frame.items.map(\.feature) == after.frame.items.map(\.feature))
      for (a, b) in zip(before.frame.items, after.frame.items) {
        #expect((a.anchor - b.anchor).length < 1e-6 * 480)
        // The host's own drawing by the matrix stays too, to single precision.
        let one = try #require(before.scene.pointInWorld(feature: a.feature))
        let two = try #require(after.scene.pointInWorld(feature: b.feature))
        let p = screen(before.frame.clipFromWorld, one, before.phone.display).point
        let q = screen(after.frame.clipFromWorld, two, after.phone.display).point
        #expect((p - a.anchor).length < 0.05)
        #expect((q - b.anchor).length < 0.01)
      }
      #expect(before.frame.arrows.map(\.count) == after.frame.arrows.map(\.count))
    }
  }

  /// The matrix draws at the anchor, everywhere within the ten kilometres, also with an optical axis off the centre.
  @Test func `the clip matrix agrees with the items`() throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<50 {
      let eye = walk(.random(in: -6000...6000, using: &random), .random(in: -6000...6000, using: &random))
      var stage = Stage([dot(feature(east: 3, north: 60, up: 5, at: eye)), dot(feature(north: 900, at: eye))])
      stage.scene.setEye(ulm, datum: .ellipsoid)
      stage.scene.setEye(eye, datum: .ellipsoid)
      stage.phone.picture.intrinsics.centerX += .random(in: -20...20, using: &random)
      stage.phone.picture.intrinsics.centerY += .random(in: -20...20, using: &random)
      stage.look(
        heading: .random(in: -10...10, using: &random),
        pitch: .random(in: -10...10, using: &random),
        roll: .random(in: -180...180, using: &random)
      )
      #expect(!stage.frame.items.isEmpty)
      for item in stage.frame.items {
        let point = try #require(stage.scene.pointInWorld(feature: item.feature))
        let (drawn, depth) = screen(stage.frame.clipFromWorld, point, stage.phone.display)
        // Single precision keeps coordinates of 8 km to 0.5 mm, which is 0.005 points at 60 m.
        #expect((drawn - item.anchor).length < 0.05)
        let (n, f) = (stage.scene.parameters.nearPlane, stage.scene.parameters.farPlane)
        #expect(isNear(depth, (f + n - 2 * f * n / item.depth) / (f - n), within: 1e-3))
      }
    }
  }

  @Test func `world orientation and eye are stated in the world frame`() throws {
    let eye = walk(7000, 3000, up: 40)
    var stage = Stage([feature(north: 50, at: eye)])
    stage.scene.setEye(ulm, datum: .ellipsoid)
    stage.scene.setEye(eye, datum: .ellipsoid)
    stage.look(heading: 30)
    #expect((stage.frame.eyeInWorld - Vector3(3000, 7000, 40)).length < 1e-6)
    // 3 km east at 48° the meridian leans by 0.03°: "north" at the eye is not north at the origin.
    let north = stage.frame.worldFromDevice * (stage.phone.eastNorthUpFromDevice.inverse * Vector3(0, 1, 0))
    #expect(isNear(atan2(north.x, north.y) * 180 / pi, -0.0303, within: 0.0005))
    let point = try #require(stage.scene.pointInWorld(feature: 0))
    #expect((point - stage.frame.eyeInWorld - north * 50).length < 1e-5)
  }
}
