import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineOdometry

/// Points, planes and what a ray meets.
@Suite struct SurroundingsTests {
  private let eye = Vector3(0, 0, 1.5)

  /// Points on a floor at 0, a table at 0.72, a wall at y = 3, and others anywhere, seen from 1.5 m over the floor.
  private func room(noise: Double = 0.01, clutter: Int = 120, floor: Double = 0) -> [ScenePoint] {
    var random = SplitMix64(seed: 7)
    func unit() -> Double { Double.random(in: 0..<1, using: &random) }
    var points: [ScenePoint] = []
    func add(_ place: Vector3) {
      let offset = place - eye
      let ray = offset.normalized ?? .zero
      let error = noise * offset.length * (unit() + unit() - 1) * 2
      points.append(
        ScenePoint(
          identifier: UInt32(points.count + 1),
          position: place + ray * error,
          direction: ray,
          deviation: max(0.001, noise * offset.length)
        )
      )
    }
    for _ in 0..<120 { add(Vector3(3 * unit() - 1.5, 0.6 + 2 * unit(), floor)) }
    for _ in 0..<60 { add(Vector3(0.3 + 0.9 * unit(), 1 + 0.7 * unit(), floor + 0.72)) }
    for _ in 0..<220 { add(Vector3(4 * unit() - 2, 3, floor + 0.3 + 2 * unit())) }
    for _ in 0..<clutter { add(Vector3(4 * unit() - 2, 0.5 + 2.4 * unit(), floor + 2.4 * unit())) }
    return points
  }

  private func planes(_ points: [ScenePoint], steps: Int = 20) -> [TrackedPlane] {
    var finder = PlaneFinder()
    for _ in 0..<steps { finder.update(points, eye: eye) }
    return finder.planes
  }

  @Test func `floor, table and wall are found among points of other things`() throws {
    let planes = planes(room())
    let floor = try #require(planes.first { $0.kind == .floor })
    #expect(abs(floor.center.z) < 0.01)
    let table = try #require(planes.first { $0.kind == .level && abs($0.center.z - 0.72) < 0.02 })
    #expect(table.contains(table.coordinates(of: Vector3(0.7, 1.3, 0.72))))
    #expect(!table.contains(table.coordinates(of: Vector3(-1, 1.3, 0.72)), margin: 0.3))
    let wall = try #require(planes.first { $0.kind == .upright && $0.pointCount > 120 })
    #expect(wall.normal.y < -0.9998)
    #expect(abs(wall.center.y - 3) < 0.015)
  }

  @Test(arguments: [50, 200, 600]) func `no plane is found among points that lie anywhere`(count: Int) {
    var random = SplitMix64(seed: 3)
    let points = (0..<count).map { index in
      let place = Vector3(
        4 * Double.random(in: 0..<1, using: &random) - 2,
        0.5 + 3 * Double.random(in: 0..<1, using: &random),
        2.6 * Double.random(in: 0..<1, using: &random)
      )
      return ScenePoint(
        identifier: UInt32(index + 1),
        position: place,
        direction: (place - eye).normalized ?? .zero,
        deviation: 0.02
      )
    }
    #expect(planes(points).isEmpty)
  }

  @Test func `planes keep their numbers while they grow`() throws {
    let points = room()
    var finder = PlaneFinder()
    for _ in 0..<10 { finder.update(points, eye: eye) }
    let before = try #require(finder.planes.first { $0.kind == .floor })
    for _ in 0..<10 { finder.update(points, eye: eye) }
    let after = try #require(finder.planes.first { $0.kind == .floor })
    #expect(after.identifier == before.identifier)
    #expect(Set(finder.planes.map(\.identifier)).count == finder.planes.count)
  }

  @Test func `a ray meets the nearest surface, and the floor beyond what was seen of it`() throws {
    var surroundings = Surroundings()
    for point in room() { surroundings.note(point, from: eye) }
    for _ in 0..<300 { surroundings.step(eye: eye) }
    func hit(_ target: Vector3) -> SurfaceHit? {
      surroundings.hit(from: eye, along: (target - eye).normalized ?? .zero, scaleDeviation: 0.01)
    }
    let table = try #require(hit(Vector3(0.7, 1.3, 0.72)))
    #expect(table.kind == .level)
    #expect((table.point - Vector3(0.7, 1.3, 0.72)).length < 0.03)
    let floor = try #require(hit(Vector3(-0.8, 1.6, 0)))
    #expect(floor.kind == .floor)
    #expect((floor.point - Vector3(-0.8, 1.6, 0)).length < 0.03)
    let wall = try #require(hit(Vector3(-1, 3, 1.6)))
    #expect(wall.kind == .upright)
    #expect(wall.normal.y < -0.99)
    #expect((wall.point - Vector3(-1, 3, 1.6)).length < 0.05)
    // The floor goes on where nothing of it has been seen.
    let beyond = try #require(hit(Vector3(-3.5, -2, 0)))
    #expect(beyond.kind == .floor)
    #expect(hit(Vector3(0, -1, 3)) == nil)
  }

  @Test func `where nothing is known the floor is guessed, and said to be`() throws {
    var surroundings = Surroundings()
    surroundings.step(eye: eye)
    let hit = try #require(
      surroundings.hit(from: eye, along: Vector3(0, 0.8, -0.6), scaleDeviation: 1)
    )
    #expect(hit.kind == .guessedFloor)
    #expect(abs(hit.point.z - 0.1) < 1e-9)
    #expect(hit.deviation > 0.2)
    #expect(surroundings.hit(from: eye, along: Vector3(0, 0.8, 0.6), scaleDeviation: 1) == nil)
  }

  @Test func `points and rays that are no numbers change nothing`() {
    var surroundings = Surroundings()
    let bad = [Double.nan, .infinity, -.infinity, 1e300]
    for value in bad {
      surroundings.note(
        ScenePoint(identifier: 1, position: Vector3(value, 0, 0), direction: .zero, deviation: 0.01),
        from: eye
      )
      surroundings.note(
        ScenePoint(identifier: 2, position: Vector3(0, value, value), direction: Vector3(0, 1, 0), deviation: value),
        from: eye
      )
    }
    for value in bad { surroundings.step(eye: Vector3(value, value, value)) }
    for _ in 0..<40 { surroundings.step(eye: eye) }
    #expect(surroundings.planes.isEmpty)
    for value in bad {
      let hit = surroundings.hit(from: eye, along: Vector3(value, value, value), scaleDeviation: value)
      #expect(hit.map { $0.point.isFinite } ?? true)
    }
  }

  @Test func `points, planes and outlines are bounded`() {
    var surroundings = Surroundings()
    var random = SplitMix64(seed: 5)
    for index in 0..<5000 {
      let place = Vector3(
        40 * Double.random(in: 0..<1, using: &random) - 20,
        40 * Double.random(in: 0..<1, using: &random) - 20,
        0.2 * Double.random(in: 0..<1, using: &random)
      )
      surroundings.note(
        ScenePoint(identifier: UInt32(index + 1), position: place, direction: Vector3(0, 0, -1), deviation: 0.01),
        from: Vector3(0, 0, 30)
      )
      surroundings.step(eye: Vector3(0, 0, 3))
    }
    #expect(surroundings.points.all.count == ScenePoints.capacity)
    #expect(surroundings.planes.count <= PlaneFinder.mostPlanes)
    #expect(surroundings.planes.allSatisfy { $0.outline.count <= 24 })
  }

  @Test func `the hull is convex and runs counter-clockwise`() {
    let square = [Vector2(0, 0), Vector2(1, 1), Vector2(1, 0), Vector2(0.5, 0.5), Vector2(0, 1), Vector2(0.5, 0)]
    let hull = TrackedPlane.convexHull(square)
    #expect(hull.count == 4)
    var area = 0.0
    for i in hull.indices { area += hull[i].cross(hull[(i + 1) % hull.count]) / 2 }
    #expect(abs(area - 1) < 1e-12)
  }
}
