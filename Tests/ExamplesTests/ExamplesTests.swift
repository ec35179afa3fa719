import Foundation
import SightlineMarkers
import SightlinePictures
import SightlineTestSupport
import Testing

/// The examples, run as their readers run them.
struct ExamplesTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  /// What an example prints; the built program lies beside the test's own executable.
  private func run(_ example: String, _ arguments: String...) throws -> String {
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent(example).path
    let ended = try ChildProgram.run([program] + arguments, in: Self.root)
    #expect(ended.status == 0)
    return ended.output
  }

  /// A grey picture as a file that is removed again.
  private func withFile(width: Int, height: Int, _ level: (Int, Int) -> UInt8, _ work: (String) throws -> Void) throws {
    var bytes = Data("P5\n\(width) \(height)\n255\n".utf8)
    for y in 0..<height { for x in 0..<width { bytes.append(level(x, y)) } }
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("example-\(UUID().uuidString).pgm").path
    try bytes.write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try work(path)
  }

  /// Pixels: half the picture's longer side is seen under half of 65°.
  private func focalLength(_ side: Int) -> Double { Double(side) / 2 / tan(32.5 * .pi / 180) }

  private func numbers(_ text: String) -> [Double] {
    text.split { !"0123456789.-".contains($0) }.compactMap { Double($0) }
  }

  @Test func `GeoSession prints what is in view, nearest first`() throws {
    let lines = try run("GeoSession").split(separator: "\n").map(String.init)
    #expect(lines.count >= 3, "\(lines)")
    // From the Minster's square looking towards the Danube.
    let distances = try lines.map { line in
      try #require(line.split(separator: ": ").last.flatMap { Int($0.prefix { $0.isNumber }) })
    }
    #expect(distances == distances.sorted())
    #expect(lines.allSatisfy { $0.contains(" m away, at ") })
    let none = try run("GeoSession", "Fixtures/gddf/good/latin-1.gddf")
    #expect(!none.contains("m away"))
  }

  @Test func `MarkerPose says how a printed marker lies to the camera`() throws {
    let (family, id, cell) = (MarkerDictionary.apriltag36h11.family, 7, 20)
    let cells = family.cells + 2
    let code = family.code(id: id)
    let (left, top) = (300, 100)
    let level = { (x: Int, y: Int) -> UInt8 in
      guard x >= left, y >= top, x < left + cells * cell, y < top + cells * cell else { return 230 }
      let (column, row) = ((x - left) / cell - 1, (y - top) / cell - 1)
      guard (0..<family.cells).contains(column), (0..<family.cells).contains(row) else { return 20 }
      let bit = family.cells * family.cells - 1 - (row * family.cells + column)
      return code >> UInt64(bit) & 1 == 1 ? 230 : 20
    }
    try withFile(width: 640, height: 480, level) { path in
      let output = try run("MarkerPose", path, "0.16")
      #expect(output.hasPrefix("marker 7: "), "\(output)")
      let found = Array(numbers(output).dropFirst())
      try #require(found.count == 4)
      let side = Double(cells * cell)
      let distance = focalLength(640) * 0.16 / side
      let centre = (x: Double(left) + side / 2 - 0.5 - 319.5, y: Double(top) + side / 2 - 0.5 - 239.5)
      #expect(abs(found[0] - distance) < 0.005 * distance)
      #expect(abs(found[1] - centre.x * 0.16 / side) < 0.003 && abs(found[2] - centre.y * 0.16 / side) < 0.003)
      #expect(found[3] <= 3)
    }
    try withFile(width: 64, height: 48, { _, _ in 128 }) { path in
      let output = try run("MarkerPose", path, "0.16")
      #expect(output == "")
    }
  }

  @Test func `FindPicture says how a poster hangs`() throws {
    let poster = "Fixtures/demo/posters/harbour.png"
    let picture = try Picture(contentsOfFile: Self.root + "/" + poster, as: .gray)
    // Every pixel of the photo is the mean of a square of the poster's.
    let step = max(1, (picture.width + 399) / 400)
    let (width, height) = (picture.width / step, picture.height / step)
    let (left, top) = (60, 40)
    let level = { (x: Int, y: Int) -> UInt8 in
      let (column, row) = (x - left, y - top)
      guard (0..<width).contains(column), (0..<height).contains(row) else { return 200 }
      var sum = 0
      for j in 0..<step {
        for i in 0..<step { sum += Int(picture.pixels[(row * step + j) * picture.width + column * step + i]) }
      }
      return UInt8(sum / (step * step))
    }
    let (photoWidth, photoHeight) = (width + 300, height + 100)
    try withFile(width: photoWidth, height: photoHeight, level) { path in
      let output = try run("FindPicture", poster, path, "0.5")
      let found = numbers(output)
      try #require(found.count == 4, "\(output)")
      let metre = Double(width * step) / Double(picture.width) * 0.5 / Double(width)
      let distance = focalLength(max(photoWidth, photoHeight)) * metre
      #expect(abs(found[0] - distance) < 0.02 * distance, "\(output)")
      #expect(abs(found[1] - (Double(left) + Double(width - photoWidth) / 2) * metre) < 0.01, "\(output)")
      #expect(abs(found[2] - (Double(top) + Double(height - photoHeight) / 2) * metre) < 0.01, "\(output)")
      #expect(found[3] >= 10)
    }
    try withFile(width: 640, height: 480, { x, y in UInt8((x + y) % 256) }) { path in
      let output = try run("FindPicture", poster, path, "0.5")
      #expect(output == "not found\n")
    }
  }

  @Test func `what the README shows is the example, line by line`() throws {
    let text = try String(contentsOfFile: Self.root + "/README.md", encoding: .utf8)
    let shown = text.components(separatedBy: "```swift\n")
    try #require(shown.count == 2)
    let block = try #require(shown[1].components(separatedBy: "```").first)
    var example = try String(contentsOfFile: Self.root + "/Examples/GeoSession/main.swift", encoding: .utf8)
      .split(separator: "\n")[...]
    for line in block.split(separator: "\n") {
      let index = try #require(example.firstIndex(of: line), "the example has no such line here: \(line)")
      example = example[(index + 1)...]
    }
  }

  @Test func `what the page on apps shows is the example's own`() throws {
    let text = try String(contentsOfFile: Self.root + "/Documentation/swift.md", encoding: .utf8)
    let shown = text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    let code = try #require(shown.first { $0.contains("mutating func") })
    let example = try String(contentsOfFile: Self.root + "/Examples/CameraWindow/Viewer.swift", encoding: .utf8)
    #expect(example.contains(code))
  }
}
