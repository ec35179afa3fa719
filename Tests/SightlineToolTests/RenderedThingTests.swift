import SightlineCamera
import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlinePictures
import SightlineRecording
import SightlineScene
import Testing

import struct Foundation.Data
import struct Foundation.URL

/// A cube of two metres at known places, drawn by `sightline replay --render`, against what the test computes by itself.
@Suite struct RenderedThingTests {
  private static let here = (latitude: 48.4, longitude: 9.99, altitude: 500.0)
  private static let (width, height, focal) = (390.0, 844.0, 700.0)
  private static let away = 9.0
  private static let headings = [0.0, 75, 180, 290]
  /// Metres of the cube's foot above the eye; its middle is a metre higher.
  private static let heights = [-2.5, -1.0, 2.0]

  /// One cube: in which direction it stands from the user, where its front looks, and how high it is.
  private struct Cube {
    var bearing: Double
    var heading: Double
    var up: Double

    var east: Double { away * sin(bearing * .pi / 180) }
    var north: Double { away * cos(bearing * .pi / 180) }

    /// Where a corner is on the display of a phone that is held upright and looks at the cube's bearing.
    func point(_ corner: [Double]) -> Vector2 {
      // Its own x is to the right of who looks at its front, y up, z out of the front.
      let (s, c) = (sin(heading * .pi / 180), cos(heading * .pi / 180))
      let e = east - c * corner[0] + s * corner[2]
      let n = north + s * corner[0] + c * corner[2]
      let u = up + corner[1]
      let (bs, bc) = (sin(bearing * .pi / 180), cos(bearing * .pi / 180))
      let (right, ahead) = (e * bc - n * bs, e * bs + n * bc)
      return Vector2(width / 2 + focal * right / ahead, height / 2 - focal * u / ahead)
    }

    /// Its latitude and longitude, by the radii of curvature of WGS84.
    var place: (latitude: Double, longitude: Double) {
      let (a, e2) = (6_378_137.0, 0.006_694_379_990_14)
      let phi = here.latitude * .pi / 180
      let w = (1 - e2 * sin(phi) * sin(phi)).squareRoot()
      let meridian = a * (1 - e2) / (w * w * w) + here.altitude
      let parallel = (a / w + here.altitude) * cos(phi)
      return (here.latitude + north / meridian * 180 / .pi, here.longitude + east / parallel * 180 / .pi)
    }
  }

  /// Eight corners, of a cube that stands on its origin.
  private static let corners = (0..<8).map { k in [k & 1 == 0 ? -1.0 : 1, k & 2 == 0 ? 0.0 : 2, k & 4 == 0 ? -1.0 : 1] }

  /// A phone that looks at each cube in turn, two seconds long; a frame is made at the end of each.
  private func write(_ cubes: [Cube], to path: String, box: ModelPlacement.Bounds?) throws {
    var writer = try RecordingWriter(to: FileSink(path), header: RecordingHeader(fields: ["writer": "test"]))
    var description = WorldDescription()
    description.radarAvailable = false
    for (index, cube) in cubes.enumerated() {
      var feature = SceneFeature(latitudeDegrees: cube.place.latitude, longitudeDegrees: cube.place.longitude)
      feature.altitude = Self.here.altitude + cube.up
      feature.kind = .model
      // A label would lie over the edges.
      (feature.width, feature.height) = (1, 1)
      feature.key = UInt64(index + 1)
      description.features.append(feature)
      var thing = SceneThing(feature: Int32(index))
      thing.isModel = true
      thing.attitude = SceneThing.Attitude(heading: Angle(degrees: cube.heading))
      // Every second one is half as large, and as large by its scaling, which starts at half of its distance.
      if index % 2 == 1 {
        thing.model.scale = 0.5
        var rule = DisplayRule(feature: Int32(index))
        let away = (Self.away * Self.away + cube.up * cube.up).squareRoot()
        rule.scaling = DistanceScaling(near: away / 2, far: 1000, factor: 1)
        description.rules.append(rule)
      }
      description.things.append(thing)
    }
    func tell(_ event: SessionEvent, _ time: Double) throws { try writer.append(.session(event), at: time) }
    try tell(.display(.init(width: Self.width, height: Self.height)), 0)
    let lens = Intrinsics(
      width: Self.width,
      height: Self.height,
      focalX: Self.focal,
      focalY: Self.focal,
      centerX: Self.width / 2 - 0.5,
      centerY: Self.height / 2 - 0.5
    )
    try tell(.camera(CameraPicture(intrinsics: lens)), 0)
    try tell(.open(AddressID(0)), 0)
    let fix = LocationFix(
      latitudeDegrees: Self.here.latitude,
      longitudeDegrees: Self.here.longitude,
      altitude: Self.here.altitude,
      horizontalAccuracy: 1,
      verticalAccuracy: 1
    )
    try tell(.fix(fix), 0)
    let names = cubes.map { _ in "" }
    try writer.append(.world(request: RequestID(1), RecordedWorld(description: description, texts: names)), at: 0)
    for (index, cube) in cubes.enumerated() {
      for step in 0...120 {
        let time = Double(index) * 2 + Double(step) / 60.5
        let angles = OrientationReading.browserAngles(alpha: -cube.bearing, beta: 90, gamma: 0, north: .trueNorth)
        try tell(.orientation(angles), time)
        // A world is asked for once position and direction are known, and boxes are told of a world that is there.
        if let box, index == 0, step == 60 {
          try writer.append(.advance, at: time)
          for index in cubes.indices { try tell(.modelBounds(feature: Int32(index), box), time) }
        }
        if step == 120 { try writer.append(.tick, at: time) }
      }
    }
    try writer.finish()
  }

  /// Whether a pixel has the colour of the edges.
  private func isEdge(_ picture: Picture, _ x: Int, _ y: Int) -> Bool {
    guard x >= 0, y >= 0, x < picture.width, y < picture.height else { return false }
    let k = 3 * (y * picture.width + x)
    let (r, g, b) = (Int(picture.pixels[k]), Int(picture.pixels[k + 1]), Int(picture.pixels[k + 2]))
    return abs(r - 0x6E) < 30 && abs(g - 0xE7) < 30 && abs(b - 0xC7) < 30
  }

  private func isEdge(_ picture: Picture, near point: Vector2) -> Bool {
    for y in Int(point.y) - 2...Int(point.y) + 2 {
      for x in Int(point.x) - 2...Int(point.x) + 2
      where (Vector2(Double(x) + 0.5, Double(y) + 0.5) - point).length <= 2.5 && isEdge(picture, x, y) {
        return true
      }
    }
    return false
  }

  @Test(arguments: [0, 1]) func `a cube is drawn within two pixels of its corners`(half: Int) async throws {
    let all = Self.headings.flatMap { heading in Self.heights.map { (heading, $0) } }
    let cubes = all.dropFirst(6 * half).prefix(6).enumerated().map { index, cube in
      Cube(bearing: Double(60 * index), heading: cube.0, up: cube.1)
    }
    try await Tool.inFolder { folder in
      let box = ModelPlacement.Bounds(low: Vector3(-1, 0, -1), high: Vector3(1, 2, 1))
      try write(cubes, to: folder + "/cubes.slrec", box: box)
      let run = try await Tool.run("replay", "cubes.slrec", "--render", "cube-%d.png", "--scale", "1", in: folder)
      #expect(run.status == 0, "\(run.errors)")
      for (index, cube) in cubes.enumerated() {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/cube-\(index).png"))
        let picture = try Picture(decoding: [UInt8](bytes), as: .rgb)
        let points = Self.corners.map { cube.point($0) }
        for (corner, point) in points.enumerated() {
          // Only whether, not the whole picture, belongs in a report.
          let isThere = isEdge(picture, near: point)
          #expect(isThere, "cube \(cube), corner \(corner) at \(point)")
        }
        // The edges between them too; and nothing of the cube lies outside, or on its front.
        for (a, b) in [(0, 1), (0, 2), (0, 4), (7, 6), (7, 5), (7, 3)] {
          let isThere = isEdge(picture, near: (points[a] + points[b]) * 0.5)
          #expect(isThere, "cube \(cube), edge \(a) to \(b)")
        }
        var (low, high) = (Vector2(1e9, 1e9), Vector2(-1e9, -1e9))
        // Between the arrows to the other cubes, and the signs above and below.
        for y in 40..<picture.height - 40 {
          for x in 45..<picture.width - 45 where isEdge(picture, x, y) {
            low = Vector2(min(low.x, Double(x)), min(low.y, Double(y)))
            high = Vector2(max(high.x, Double(x) + 1), max(high.y, Double(y) + 1))
          }
        }
        let xs = points.map(\.x).sorted()
        let ys = points.map(\.y).sorted()
        #expect(abs(low.x - xs[0]) <= 2 && abs(high.x - xs[7]) <= 2, "cube \(cube): \(low.x) to \(high.x), not \(xs)")
        #expect(abs(low.y - ys[0]) <= 2 && abs(high.y - ys[7]) <= 2, "cube \(cube): \(low.y) to \(high.y), not \(ys)")
      }
    }
  }

  @Test func `a thing whose box the recording does not have is drawn as the engine takes it`() async throws {
    try await Tool.inFolder { folder in
      try write([Cube(bearing: 0, heading: 0, up: 0)], to: folder + "/cubes.slrec", box: nil)
      let run = try await Tool.run("replay", "cubes.slrec", "--render", "one.png", "--scale", "1", in: folder)
      #expect(run.status == 0, "\(run.errors)")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/one.png"))
      let picture = try Picture(decoding: [UInt8](bytes), as: .rgb)
      // A metre high, half a metre to each side, on its place.
      let cube = Cube(bearing: 0, heading: 0, up: 0)
      for corner in [[-0.5, 0, -0.5], [0.5, 0, 0.5], [0.5, 1, 0.5]] {
        let isThere = isEdge(picture, near: cube.point(corner))
        #expect(isThere, "\(corner)")
      }
    }
  }
}
