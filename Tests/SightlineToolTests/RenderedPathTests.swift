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

/// Lines and areas of a recorded world, drawn by `sightline replay --render` where they lie and in their colours.
@Suite struct RenderedPathTests {
  private static let here = (latitude: 48.4, longitude: 9.99, altitude: 500.0)
  private static let (width, height, focal) = (390.0, 844.0, 700.0)
  /// Metres from the ground to the eye of somebody who stands.
  private static let eye = 1.6

  /// A corner so many metres to the east and to the north, on the sphere of the radii of curvature of WGS84.
  private static func corner(_ east: Double, _ north: Double) -> PathVertex {
    let (a, e2) = (6_378_137.0, 0.006_694_379_990_14)
    let phi = here.latitude * .pi / 180
    let w = (1 - e2 * sin(phi) * sin(phi)).squareRoot()
    let meridian = a * (1 - e2) / (w * w * w) + here.altitude
    let parallel = (a / w + here.altitude) * cos(phi)
    return PathVertex(
      latitudeDegrees: here.latitude + north / meridian * 180 / .pi,
      longitudeDegrees: here.longitude + east / parallel * 180 / .pi
    )
  }

  /// The height on the display of what lies on the ground so many metres ahead.
  private static func line(_ ahead: Double) -> Int { Int(height / 2 + focal * eye / ahead) }

  private func world() -> RecordedWorld {
    var description = WorldDescription()
    description.radarAvailable = false
    func add(_ corners: [(Double, Double)], isRing: Bool) {
      var feature = SceneFeature(latitudeDegrees: .nan, longitudeDegrees: .nan)
      feature.category = 2
      let (first, index) = (description.pathVertices.count, Int32(description.features.count))
      description.features.append(feature)
      description.pathVertices += corners.map { Self.corner($0.0, $0.1) }
      let vertices = first..<description.pathVertices.count
      description.paths.append(ScenePath(feature: index, shape: index, isRing: isRing, vertices: vertices))
    }
    add([(-20, 10), (20, 10)], isRing: false)
    add([(-20, 20), (20, 20)], isRing: false)
    add([(-20, 30), (20, 30), (20, 80), (-20, 80)], isRing: true)
    var world = RecordedWorld(description: description, texts: ["", "", ""])
    world.pathStyles[0] = RecordedPathStyle(stroke: 0xFF0000, strokeOpacity: 1, width: 8)
    world.pathStyles[2] = RecordedPathStyle(fill: 0x0000FF, fillOpacity: 1, width: 0)
    return world
  }

  private func write(to path: String) throws {
    var writer = try RecordingWriter(to: FileSink(path), header: RecordingHeader(fields: ["positions": "kept"]))
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
    try writer.append(.world(request: RequestID(1), world()), at: 0)
    for step in 0...120 {
      let time = Double(step) / 60.5
      try tell(.orientation(.browserAngles(alpha: 0, beta: 90, gamma: 0, north: .trueNorth)), time)
      if step == 120 { try writer.append(.tick, at: time) }
    }
    try writer.finish()
  }

  @Test func `lines and areas lie where they are, in the colours of the page`() async throws {
    try await Tool.inFolder { folder in
      try write(to: folder + "/paths.slrec")
      let run = try await Tool.run("replay", "paths.slrec", "--render", "paths.png", "--scale", "1", in: folder)
      #expect(run.status == 0, "\(run.errors)")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/paths.png"))
      let picture = try Picture(decoding: [UInt8](bytes), as: .rgb)
      func color(_ x: Int, _ y: Int) -> [Int] {
        let k = 3 * (y * picture.width + x)
        return (0..<3).map { Int(picture.pixels[k + $0]) }
      }
      func expect(_ wanted: [Int], _ y: Int, _ what: String) {
        for x in [60, 195, 320] {
          let found = color(x, y)
          let isRight = zip(found, wanted).allSatisfy { abs($0 - $1) <= 14 }
          #expect(isRight, "\(what) at \(x), \(y): \(found), not \(wanted)")
        }
      }
      expect([255, 0, 0], Self.line(10), "the red line")
      // hsl(302.5 75% 62%), which the page gives the second category, nearly opaque over the line's dark edge.
      expect([226, 83, 220], Self.line(20), "the line of the category")
      expect([0, 0, 255], Self.line(45), "the area")
      // Eight points wide and an edge of one and a quarter: beside that is nothing.
      let ground = color(195, Self.line(10) + 12)
      #expect(ground == color(195, Self.line(10) - 12) && ground[0] < 40, "\(ground)")
      // Nothing is above the horizon, nor where the area ends.
      #expect(color(195, Self.line(100)) == ground)
    }
  }
}
