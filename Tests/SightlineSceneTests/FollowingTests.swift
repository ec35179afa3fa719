import SightlineGeodesy
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineScene

/// What goes along with the eye, and corners of paths over rising ground.
@Suite struct FollowingTests {
  private func follower(_ offset: Vector3) -> SceneFeature {
    // Its position counts for nothing.
    var feature = SceneFeature(latitudeDegrees: -33, longitudeDegrees: 151)
    feature.offset = offset
    feature.followsEye = true
    return feature
  }

  @Test func `what goes along is as far from the eye wherever that is`() throws {
    var stage = Stage([follower(Vector3(3, 4, 2)), feature()], radius: 20_000)
    for (north, height) in [(0.0, 500.0), (1500, 620), (-80_000, 20)] {
      var eye = EastNorthUpFrame(origin: ulm).geodetic(Vector3(0, north, 0))
      eye.altitude = height
      stage.scene.setEye(eye, datum: .ellipsoid)
      stage.look(heading: 36.87, pitch: 0, roll: 0)
      let item = try #require(stage.frame.items.first { $0.feature == 0 }, "from \(eye)")
      let point = try #require(
        stage.phone.point(azimuth: atan2(3, 4) * 180 / pi, elevation: atan2(2, 5) * 180 / pi)
      )
      #expect((item.anchor - point).length < 0.05, "\(item.anchor), not \(point)")
      #expect(abs(item.distance - 5) < 1e-9)
      let there = try #require(stage.scene.pointInWorld(feature: 0))
      #expect(abs((there - stage.frame.eyeInWorld).length - Vector3(3, 4, 2).length) < 1e-6)
    }
  }

  @Test func `it is on the radar, obeys radius and filter, and wrong numbers are none`() throws {
    var far = follower(Vector3(0, 900, 0))
    far.visibilityRadius = 500
    let odd = follower(Vector3(.nan, .infinity, 1e300))
    var stage = Stage([follower(Vector3(0, 100, 0)), far, odd], radius: 1000)
    stage.look(heading: 0, pitch: 0, roll: 0)
    #expect(
      Set(stage.frame.items.map(\.feature)).isSubset(of: [0, 2]) && stage.frame.items.contains { $0.feature == 0 }
    )
    #expect(stage.frame.radar.blips.contains { $0.feature == 0 })
    #expect(!stage.frame.radar.blips.contains { $0.feature == 1 })
    #expect(stage.frame.items.allSatisfy { $0.anchor.x.isFinite && $0.anchor.y.isFinite })
    // The selected one is shown, however far.
    stage.scene.select(1)
    stage.look(heading: 0, pitch: 0, roll: 0)
    #expect(stage.frame.items.contains { $0.feature == 1 })
    var narrow = Stage([follower(Vector3(0, 100, 0))], radius: 50)
    narrow.look(heading: 0, pitch: 0, roll: 0)
    #expect(narrow.frame.items.isEmpty)
  }

  @Test func `a path follows the ground below its corners`() throws {
    let frame = EastNorthUpFrame(origin: ulm)
    let corners = [frame.geodetic(Vector3(-20, 60, 0)), frame.geodetic(Vector3(20, 60, 0))]
    var stage = Stage([feature()], radius: 20_000)
    var world = stage.scene.world
    world.pathVertices = corners.map {
      PathVertex(latitudeDegrees: $0.latitudeDegrees, longitudeDegrees: $0.longitudeDegrees)
    }
    // One corner more has a height of its own.
    world.pathVertices.append(
      PathVertex(
        latitudeDegrees: corners[1].latitudeDegrees,
        longitudeDegrees: corners[1].longitudeDegrees,
        altitude: 500
      )
    )
    world.paths = [ScenePath(feature: 0, shape: 0, isRing: false, vertices: 0..<3)]
    stage.scene.setWorld(world)
    var eye = ulm
    eye.altitude = 500
    stage.scene.setEye(eye, datum: .ellipsoid, ground: 480)
    func heights() throws -> [Double] {
      stage.look(heading: 0, pitch: 0, roll: 0)
      let run = try #require(stage.frame.paths.first)
      // Metres above the eye, from the display: all are 60 m ahead.
      return stage.frame.pathPoints[run.points].map { (stage.phone.display.height / 2 - $0.y) / stage.phone.focal * 60 }
    }
    let flat = try heights()
    #expect(abs(flat[0] + PathPass.eyeHeight) < 0.01 && abs(flat[1] + PathPass.eyeHeight) < 0.01)
    stage.scene.setGround(corner: 0, height: 492)
    stage.scene.setGround(corner: 1, height: 475.5)
    stage.scene.setGround(corner: 2, height: 9000)
    stage.scene.setGround(corner: 99, height: 1)
    stage.scene.setGround(corner: -1, height: 1)
    let hilly = try heights()
    #expect(abs(hilly[0] - flat[0] - 12) < 0.01 && abs(hilly[1] - flat[1] + 4.5) < 0.01, "\(hilly)")
    #expect(abs(hilly[2] - flat[2]) < 1e-9, "its own height is kept")
    stage.scene.setGround(corner: 0, height: .nan)
    stage.scene.setGround(corner: 1, height: .infinity)
    #expect(try heights().prefix(2).allSatisfy { abs($0 + PathPass.eyeHeight) < 0.01 })
    stage.scene.setEyeHeight(0.9)
    #expect(try heights().prefix(2).allSatisfy { abs($0 + 0.9) < 0.01 })
  }
}
