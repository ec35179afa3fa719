import SightlineGeodesy
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineScene

@Suite struct ScenePathTests {
  /// A world with one feature and one path around Ulm.
  private func stage(
    _ corners: [Geodetic],
    isRing: Bool,
    onGround: Bool = false,
    radius: Double = 20_000
  ) -> Stage {
    var stage = Stage([feature()], radius: radius)
    var world = stage.scene.world
    world.pathVertices = corners.map {
      PathVertex(
        latitudeDegrees: $0.latitudeDegrees,
        longitudeDegrees: $0.longitudeDegrees,
        altitude: onGround ? .nan : $0.altitude
      )
    }
    world.paths = [ScenePath(feature: 0, shape: 3, isRing: isRing, vertices: 0..<corners.count)]
    stage.scene.setWorld(world)
    return stage
  }

  /// Metres north and east of Ulm, on the ellipsoid to first order.
  private func place(_ east: Double, _ north: Double, up: Double = 0) -> Geodetic {
    EastNorthUpFrame(origin: ulm).geodetic(Vector3(east, north, up))
  }

  @Test func `corners are where trigonometry says`() throws {
    var random = SplitMix64(seed: 66)
    var compared = 0
    for _ in 0..<200 {
      let heading = Double.random(in: -180...180, using: &random)
      let corners = (0..<6).map { _ in
        let azimuth = (heading + Double.random(in: -50...50, using: &random)) * pi / 180
        let range = Double.random(in: 5...900, using: &random)
        return place(range * sin(azimuth), range * cos(azimuth), up: Double.random(in: -60...60, using: &random))
      }
      for isRing in [false, true] {
        var stage = stage(corners, isRing: isRing)
        stage.look(
          heading: heading,
          pitch: .random(in: -10...10, using: &random),
          roll: .random(in: -20...20, using: &random)
        )
        let expected = corners.compactMap { corner in
          let (azimuth, elevation, _) = direction(from: ulm, to: corner)
          return stage.phone.point(azimuth: azimuth, elevation: elevation)
        }
        // All corners are before the eye, so nothing is cut.
        guard expected.count == corners.count, let run = stage.frame.paths.first else { continue }
        #expect(run.feature == 0 && run.shape == 3 && run.isRing == isRing && run.points.count == corners.count)
        for (point, wanted) in zip(stage.frame.pathPoints[run.points], expected) {
          #expect((point - wanted).length < 0.02, "\(point) \(wanted)")
          compared += 1
        }
      }
    }
    #expect(compared > 500)
  }

  @Test func `what lies on the ground is eye height below, wherever the eye is`() throws {
    let corners = [place(-5, 40), place(5, 40)]
    for known in [true, false] {
      for altitude in [0.0, 480, 3000] {
        var stage = stage(corners, isRing: false, onGround: true)
        let eye = Geodetic(
          latitudeDegrees: ulm.latitudeDegrees,
          longitudeDegrees: ulm.longitudeDegrees,
          altitude: altitude
        )
        stage.scene.setEye(eye, datum: known ? .ellipsoid : nil)
        stage.look()
        let run = try #require(stage.frame.paths.first)
        for (point, east) in zip(stage.frame.pathPoints[run.points], [-5.0, 5]) {
          #expect(abs(point.x - (160 + stage.phone.focal * east / 40)) < 0.2)
          #expect(abs(point.y - (240 + stage.phone.focal * 1.6 / 40)) < 0.2)
        }
      }
    }
  }

  @Test func `a line past the eye is cut before it, and only what lies ahead is drawn`() throws {
    // From behind on the left to ahead on the right, through x = 1 m beside the eye.
    var stage = stage([place(-20, -40), place(-1, -0.5), place(3, 60), place(3, -60), place(9, -60)], isRing: false)
    stage.look()
    let runs = stage.frame.paths
    #expect(runs.count == 1 && runs[0].points.count == 3)
    for point in stage.frame.pathPoints { #expect(point.x.isFinite && point.y.isFinite) }
    // The corner ahead is among them.
    let corner = try #require(stage.phone.point(azimuth: atan2(3, 60) * 180 / pi, elevation: 0))
    #expect(stage.frame.pathPoints.contains { ($0 - corner).length < 0.5 })
    stage.look(heading: 180)
    #expect(stage.frame.paths.count >= 1)
  }

  @Test func `a ring around the eye is cut at the near plane and stays closed`() throws {
    let ring = (0..<12).map { place(30 * sin(Double($0) * pi / 6), 30 * cos(Double($0) * pi / 6)) }
    var stage = stage(ring, isRing: true, onGround: true)
    for heading in stride(from: 0.0, to: 360, by: 15) {
      stage.look(heading: heading)
      let run = try #require(stage.frame.paths.first)
      // Half of the corners, and the two cuts.
      #expect((7...9).contains(run.points.count))
      for point in stage.frame.pathPoints[run.points] { #expect(point.x.isFinite && point.y.isFinite) }
    }
  }

  @Test func `what is beyond the radius, filtered, or no path at all is not drawn`() {
    let corners = [place(-5, 400), place(5, 400)]
    var far = stage(corners, isRing: false, radius: 300)
    far.look()
    #expect(far.frame.paths.isEmpty && far.frame.pathPoints.isEmpty)
    var filtered = stage(corners, isRing: false)
    filtered.scene.setCategories(2)
    filtered.look()
    #expect(filtered.frame.paths.isEmpty)
    filtered.scene.setCategories(.max)
    filtered.look()
    #expect(filtered.frame.paths.count == 1)
    var world = WorldDescription()
    world.features = [feature()]
    world.pathVertices = [
      PathVertex(latitudeDegrees: 91, longitudeDegrees: 0), PathVertex(latitudeDegrees: 48, longitudeDegrees: .nan),
    ]
    world.paths = [
      ScenePath(feature: 0, shape: 0, isRing: false, vertices: 0..<2),
      ScenePath(feature: 7, shape: 1, isRing: false, vertices: 0..<2),
      ScenePath(feature: 0, shape: 2, isRing: true, vertices: 0..<2),
      ScenePath(feature: 0, shape: 3, isRing: false, vertices: 1..<9),
    ]
    var wrong = Stage([feature()])
    wrong.scene.setWorld(world)
    wrong.look()
    #expect(wrong.frame.paths.isEmpty)
  }

  @Test func `lines and rings of random worlds never leave stray points`() {
    var random = SplitMix64(seed: 4)
    for _ in 0..<300 {
      let corners = (0..<Int.random(in: 3...9, using: &random)).map { _ in
        place(
          .random(in: -80...80, using: &random),
          .random(in: -80...80, using: &random),
          up: .random(in: -9...9, using: &random)
        )
      }
      var stage = stage(corners, isRing: Bool.random(using: &random), radius: .random(in: 20...200, using: &random))
      stage.look(heading: .random(in: 0...360, using: &random), pitch: .random(in: -80...80, using: &random))
      var end = 0
      for run in stage.frame.paths {
        #expect(run.points.lowerBound == end && run.points.count >= (run.isRing ? 3 : 2))
        end = run.points.upperBound
      }
      #expect(end == stage.frame.pathPoints.count)
    }
  }
}
