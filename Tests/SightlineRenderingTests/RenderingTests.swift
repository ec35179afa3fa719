import Foundation
import SightlineEngine
import SightlineMath
import SightlineOcclusion
import SightlinePictures
import SightlineScene
import SightlineTestSupport
import Testing

@testable import SightlineRendering

@Suite struct RenderingTests {
  private func frame() -> SceneFrame {
    var frame = SceneFrame()
    (frame.width, frame.height, frame.isValid) = (200, 300, true)
    frame.radar.isAvailable = false
    return frame
  }

  private func colour(_ picture: Picture, _ point: Vector2, scale: Double = 1) -> (Int, Int, Int) {
    let k = 3 * (Int(point.y * scale) * picture.width + Int(point.x * scale))
    return (Int(picture.pixels[k]), Int(picture.pixels[k + 1]), Int(picture.pixels[k + 2]))
  }

  /// Bright pixels in a box of the picture.
  private func bright(_ picture: Picture, _ x: Range<Int>, _ y: Range<Int>) -> Int {
    var count = 0
    for row in y { for column in x where colour(picture, Vector2(Double(column), Double(row))).1 > 150 { count += 1 } }
    return count
  }

  @Test func `the camera's picture covers the display, centred`() throws {
    // Red on the left, green on the right, twice as wide as the display is.
    let pixels: [UInt8] = [255, 0, 0, 0, 255, 0]
    var scene = RenderedScene(frame: frame(), status: SessionStatus())
    scene.picture = Picture(
      width: 8,
      height: 6,
      layout: .rgb,
      pixels: (0..<6).flatMap { _ in (0..<8).flatMap { $0 < 4 ? pixels[0..<3] : pixels[3..<6] } }
    )
    let picture = try FramePainter(scale: 1).paint(scene)
    #expect(picture.width == 200 && picture.height == 300)
    #expect(colour(picture, Vector2(60, 200)) == (255, 0, 0) && colour(picture, Vector2(140, 200)) == (0, 255, 0))
    #expect(colour(picture, Vector2(2, 298)) == (255, 0, 0) && colour(picture, Vector2(198, 120)) == (0, 255, 0))
  }

  @Test func `what stands behind a building is dimmed, with a broken line around it`() throws {
    func paint(_ visibility: Visibility) throws -> Picture {
      var frame = frame()
      var item = SceneItem()
      (item.anchor, item.center) = (Vector2(100, 280), Vector2(100, 150))
      (item.width, item.height, item.visibility) = (120, 60, visibility)
      frame.items = [item]
      return try FramePainter(scale: 1).paint(RenderedScene(frame: frame, status: SessionStatus(), texts: ["Münster"]))
    }
    let (seen, part, hidden) = (try paint(.seen), try paint(.partlySeen), try paint(.hidden))
    // Along the upper edge: how often bright and dark change.
    func changes(_ picture: Picture) -> Int {
      let row = (60..<140).map { x in (120...122).contains { colour(picture, Vector2(Double(x), Double($0))).1 > 90 } }
      return zip(row, row.dropFirst()).count { $0 != $1 }
    }
    #expect(changes(seen) == 0 && changes(part) > 10 && changes(hidden) > 10)
    func brightest(_ picture: Picture) -> Int {
      (70..<130).flatMap { x in (135..<165).map { colour(picture, Vector2(Double(x), Double($0))).1 } }.max() ?? 0
    }
    #expect(brightest(seen) == brightest(part) && brightest(hidden) < brightest(seen) - 20)
  }

  @Test func `labels stand where the frame puts them, turned, with their line`() throws {
    var frame = frame()
    var item = SceneItem()
    (item.anchor, item.center) = (Vector2(100, 260), Vector2(100, 180))
    (item.width, item.height, item.hasLeader) = (90, 40, true)
    frame.items = [item]
    func paint(_ texts: [String]) throws -> Picture {
      try FramePainter(scale: 1).paint(RenderedScene(frame: frame, status: SessionStatus(), texts: texts))
    }
    let plain = try paint([])
    // The dot at the place, the line between, text inside the box and none outside.
    #expect(colour(plain, item.anchor).1 > 200 && colour(plain, Vector2(100, 230)).0 > 150)
    #expect(bright(plain, 60..<140, 165..<195) > 10)
    #expect(bright(plain, 0..<50, 150..<210) == 0)
    let named = try paint(["Minster"])
    #expect(bright(named, 60..<140, 165..<195) > bright(plain, 60..<140, 165..<195) * 2)
    // A long name ends inside of the box.
    let long = try paint([String(repeating: "W", count: 60)])
    #expect(bright(long, 0..<54, 150..<210) == 0 && bright(long, 146..<200, 150..<210) == 0)
    frame.roll = Angle(degrees: 90)
    let turned = try paint(["Minster"])
    #expect(bright(turned, 60..<78, 165..<195) == 0 && bright(turned, 85..<115, 140..<220) > 30)
  }

  @Test func `what stands on a marker has its label, or a dot, also where no position is known`() throws {
    var frame = frame()
    frame.isValid = false
    var item = AnchoredItem()
    item.label = ScreenRectangle(x: 60, y: 150, width: 90, height: 40)
    frame.anchored = [item]
    func paint() throws -> Picture {
      try FramePainter(scale: 1).paint(RenderedScene(frame: frame, status: SessionStatus(), texts: ["Mill"]))
    }
    #expect(bright(try paint(), 60..<150, 150..<190) > 20)
    frame.anchored[0].level = .dot
    let dot = try paint()
    #expect(colour(dot, Vector2(105, 170)).1 > 150 && bright(dot, 60..<95, 150..<190) == 0)
    frame.anchored[0].opacity = 0
    #expect(bright(try paint(), 60..<150, 150..<190) == 0)
  }

  @Test func `of an invalid frame only the status is drawn`() throws {
    var frame = frame()
    var item = SceneItem()
    (item.anchor, item.center, item.width, item.height) = (Vector2(100, 200), Vector2(100, 200), 60, 40)
    frame.items = [item]
    frame.isValid = false
    let picture = try FramePainter(scale: 1).paint(RenderedScene(frame: frame, status: SessionStatus()))
    #expect(bright(picture, 0..<200, 130..<300) == 0)
    #expect(bright(picture, 0..<200, 0..<120) > 50)
  }

  @Test func `radar, arrows, clusters and true places are drawn`() throws {
    var frame = frame()
    frame.radar.isAvailable = true
    frame.radar.blips = [RadarBlip(feature: 0, position: Vector2(0.5, 0), isSelected: true)]
    var arrow = EdgeArrow()
    (arrow.position, arrow.count, arrow.direction) = (Vector2(180, 150), 3, Angle(degrees: 90))
    frame.arrows = [arrow]
    var cluster = SceneCluster()
    (cluster.center, cluster.anchor) = (Vector2(60, 150), Vector2(60, 150))
    (cluster.width, cluster.height, cluster.members) = (80, 28, 0..<4)
    frame.clusters = [cluster]
    var scene = RenderedScene(frame: frame, status: SessionStatus())
    scene.truth = [Vector2(120, 100)]
    scene.caption = "12.3 s"
    let picture = try FramePainter(scale: 1).paint(scene)
    // The blip of the selected place: half of 49 points to the right of the disc's centre.
    #expect(colour(picture, Vector2(70 + 24, 230)).0 > 220)
    #expect(colour(picture, Vector2(180 + 20, 150).clampedToDisplay).1 > 150)
    #expect(bright(picture, 30..<90, 140..<160) > 10)
    #expect(colour(picture, Vector2(126, 100)).0 > 150)
    #expect(bright(picture, 150..<200, 280..<296) > 10)
  }

  @Test func `the same scene gives the same picture, larger at a larger scale`() throws {
    var scene = RenderedScene(frame: frame(), status: SessionStatus(), texts: ["Minster"])
    scene.frame.items = [SceneItem()]
    let painter = FramePainter(scale: 1.5)
    let first = try painter.paint(scene)
    #expect(first.width == 300 && first.height == 450)
    #expect(try painter.paint(scene) == first && FramePainter(scale: 1.5).paint(scene) == first)
    scene.frame.width = 1e9
    #expect(throws: RenderingError.self) { try painter.paint(scene) }
  }

  @Test(arguments: [
    (3.4, "3 m"), (57, "57 m"), (243, "240 m"), (994, "990 m"), (996, "1.0 km"), (1240, "1.2 km"), (35_400, "35 km"),
    (.nan, ""), (.infinity, ""), (1e308, "9223372036854775807 km"),
  ])
  func `distances are worded`(metres: Double, text: String) { #expect(FramePainter.distance(metres) == text) }

  @Test func `numbered files take the number's place`() {
    #expect(FrameTarget.path("a/frame-%04d.png", 7) == "a/frame-0007.png")
    #expect(FrameTarget.path("%d.png", 12345) == "12345.png" && FrameTarget.path("one.png", 3) == "one.png")
    #expect(FrameTarget(path: "x.PNG", rate: 30) == .pictures(pattern: "x.PNG"))
    #expect(FrameTarget(path: "x.mp4", rate: 25) == .video(path: "x.mp4", rate: 25))
  }

  @Test func `pictures and videos are written, and what cannot be is said`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sightline-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let scene = RenderedScene(frame: frame(), status: SessionStatus())
    let pictures = FrameWriter(to: .pictures(pattern: folder.path + "/f-%03d.png"), scale: 1)
    for _ in 0..<2 { try pictures.write(scene) }
    try pictures.finish()
    let second = try Picture(contentsOfFile: folder.path + "/f-001.png", as: .rgb)
    #expect(try second == FramePainter(scale: 1).paint(scene))
    let nowhere = FrameWriter(to: .pictures(pattern: folder.path + "/none/f.png"), scale: 1)
    #expect(throws: RenderingError.file(folder.path + "/none/f.png")) { try nowhere.write(scene) }

    let path = folder.path + "/v.mp4"
    let video = FrameWriter(to: .video(path: path, rate: 25), scale: 1)
    do {
      for _ in 0..<5 { try video.write(scene) }
      try video.finish()
    } catch RenderingError.noVideoProgram {
      return  // Nothing to test it with.
    }
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(data.count > 500 && data.prefix(12).suffix(8) == Data("ftypisom".utf8))
    let broken = FrameWriter(to: .video(path: folder.path + "/none/v.mp4", rate: 25), scale: 1)
    #expect(throws: RenderingError.self) {
      for _ in 0..<50 { try broken.write(scene) }
      try broken.finish()
    }
  }
}

extension Vector2 {
  /// The last point inside of a display of 200 × 300 points.
  fileprivate var clampedToDisplay: Vector2 { Vector2(min(x, 199), min(y, 299)) }
}
