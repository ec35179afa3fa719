import Foundation
import SightlineMarkers
import SightlinePictures
import SightlineTestSupport
import Testing

/// Markers of ARToolKit and AR.js: their `.patt` files as targets.
@Suite struct MarkerPatternTests {
  /// A thing drawn in the unit square: whether a point is dark.
  private typealias Drawing = @Sendable (_ x: Double, _ y: Double) -> Bool

  private static func isIn(_ x: Double, _ y: Double, _ boxes: [(Double, Double, Double, Double)]) -> Bool {
    boxes.contains { $0.0 <= x && x < $0.2 && $0.1 <= y && y < $0.3 }
  }

  /// What is inside of the borders: a letter, a word, a face, an arrow, a house, dots.
  private static let drawings: [(name: String, drawing: Drawing)] = [
    ("letter", { x, y in isIn(x, y, [(0.25, 0.15, 0.4, 0.85), (0.25, 0.15, 0.75, 0.3), (0.25, 0.45, 0.65, 0.58)]) }),
    (
      "word",
      { x, y in
        isIn(
          x,
          y,
          [
            (0.06, 0.3, 0.12, 0.7), (0.22, 0.3, 0.28, 0.7), (0.06, 0.47, 0.28, 0.54), (0.36, 0.3, 0.42, 0.7),
            (0.5, 0.3, 0.56, 0.7), (0.5, 0.3, 0.68, 0.37), (0.62, 0.3, 0.68, 0.54), (0.5, 0.48, 0.68, 0.54),
            (0.76, 0.3, 0.82, 0.7), (0.88, 0.3, 0.94, 0.7), (0.76, 0.3, 0.94, 0.37), (0.76, 0.63, 0.94, 0.7),
          ]
        )
      }
    ),
    (
      "face",
      { x, y in
        let (u, v) = (x - 0.5, y - 0.5)
        let r = (u * u + v * v).squareRoot()
        let isMouth = v > 0.08 && r > 0.2 && r < 0.27
        return r > 0.38 && r < 0.45 || hypot(u - 0.15, v + 0.12) < 0.06 || hypot(u + 0.15, v + 0.12) < 0.06 || isMouth
      }
    ),
    (
      "arrow",
      { x, y in isIn(x, y, [(0.15, 0.42, 0.6, 0.58)]) || x > 0.55 && x < 0.9 && abs(y - 0.5) < (0.9 - x) * 0.85 }
    ),
    (
      "house",
      { x, y in
        (y > 0.12 && y < 0.45 && abs(x - 0.5) < (y - 0.12) * 1.1)
          || isIn(x, y, [(0.22, 0.45, 0.78, 0.85)])
            && !isIn(x, y, [(0.32, 0.55, 0.46, 0.69), (0.56, 0.58, 0.68, 0.85)])
      }
    ),
    (
      "dots",
      { x, y in
        var random = SplitMix64(seed: 9)
        return (0..<14).contains { _ in
          let (u, v) = (Double.random(in: 0.1...0.9, using: &random), Double.random(in: 0.1...0.9, using: &random))
          return hypot(x - u, y - v) < Double.random(in: 0.04...0.1, using: &random)
        }
      }
    ),
  ]

  /// The marker as it is printed, `side` pixels wide with its border, grey.
  private static func printed(_ drawing: Drawing, side: Int) -> [UInt8] {
    (0..<side * side).map { k in
      let (x, y) = (Double(k % side) + 0.5, Double(k / side) + 0.5)
      let (u, v) = ((x / Double(side) - 0.25) * 2, (y / Double(side) - 0.25) * 2)
      guard (0..<1).contains(u), (0..<1).contains(v) else { return 0 }
      return drawing(u, v) ? 0 : 255
    }
  }

  /// The means of 16 × 16 squares of a marker's pattern.
  private static func levels(_ drawing: Drawing) -> [Int] {
    (0..<256).map { k in
      var light = 0
      for j in 0..<8 {
        for i in 0..<8 {
          let (x, y) = ((Double(k % 16) + (Double(i) + 0.5) / 8) / 16, (Double(k / 16) + (Double(j) + 0.5) / 8) / 16)
          if !drawing(x, y) { light += 1 }
        }
      }
      return light * 255 / 64
    }
  }

  /// The file that AR.js makes of it: four turns counter-clockwise, three planes each.
  private static func file(_ levels: [Int]) -> String {
    var turned = levels
    var blocks: [String] = []
    for _ in 0..<4 {
      let plane = (0..<16).map { y in
        (0..<16).map { x in String(repeating: " ", count: 3 - "\(turned[16 * y + x])".count) + "\(turned[16 * y + x])" }
          .joined(separator: " ")
      }.joined(separator: "\n")
      blocks.append([plane, plane, plane].joined(separator: "\n") + "\n")
      let before = turned
      turned = (0..<256).map { k in before[16 * (k % 16) + 15 - k / 16] }
    }
    return blocks.joined(separator: "\n")
  }

  private static func pgm(_ pixels: [UInt8], _ width: Int) -> Data {
    Data("P5\n\(width) \(pixels.count / width)\n255\n".utf8) + Data(pixels)
  }

  /// A marker of Sightline's own, as the program prints it, without its margin.
  private static func ownMarker(_ id: Int, side: Int) -> [UInt8] {
    let family = MarkerDictionary.grid6x6Of250.family
    let (cells, code) = (family.cells, family.code(id: id))
    return (0..<side * side).map { k in
      let (column, row) = (k % side * (cells + 2) / side - 1, k / side * (cells + 2) / side - 1)
      guard (0..<cells).contains(column), (0..<cells).contains(row) else { return 0 }
      return code >> UInt64(cells * cells - 1 - (row * cells + column)) & 1 == 1 ? 255 : 0
    }
  }

  /// Writes a view of each of six prints, and gives their names.
  private func writeViews(
    _ prints: [(name: String, print: [UInt8])],
    _ width: Double,
    _ tilt: Double,
    in folder: String
  )
    throws -> [String]
  {
    try prints.enumerated().map { k, print in
      let name = "\(print.name)-\(Int(width))-\(Int(tilt)).pgm"
      let pixels = PrintedView.gray(print.print, side: 256, width: width, tilt: tilt * .pi / 180, turn: 0.4 + Double(k))
      try Self.pgm(pixels, 640).write(to: URL(fileURLWithPath: folder + "/" + name))
      return name
    }
  }

  private func objects(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  /// The figures of Documentation/formats/patt.md: six drawn markers, made patterns, looked for together in views of their prints.
  @Test func `patterns are found as their page says, by size and tilt`() async throws {
    try await Tool.inFolder { folder in
      try FileManager.default.createDirectory(atPath: folder + "/targets", withIntermediateDirectories: true)
      var prints: [(name: String, print: [UInt8])] = []
      for (name, drawing) in Self.drawings {
        try Self.file(Self.levels(drawing)).write(toFile: folder + "/\(name).patt", atomically: true, encoding: .utf8)
        let built = try await Tool.run(
          ["target", "build", "\(name).patt", "-o", "targets/\(name).target", "--width", "0.08"],
          in: folder
        )
        #expect(built.status == 0 && built.errors.contains("sightline markers make"), "\(built.errors)")
        prints.append((name, Self.printed(drawing, side: 256)))
      }
      let own = (0..<6).map { (name: "own\($0)", print: Self.ownMarker($0, side: 256)) }
      var wrong = 0
      // Width, tilt, least of six patterns and of six markers of Sightline's own.
      let expected: [(Double, Double, Int, Int)] = [
        (240, 0, 6, 6), (240, 45, 6, 6), (120, 0, 6, 6), (120, 60, 6, 6), (60, 0, 6, 6), (60, 45, 5, 6), (40, 45, 0, 6),
      ]
      for (width, tilt, patterns, markers) in expected {
        let names = try writeViews(prints, width, tilt, in: folder)
        let run = try await Tool.run(
          ["target", "recognize", "--database", "targets", "--format", "json"] + names,
          in: folder
        )
        var found = 0
        for view in try objects(run.output) {
          let file = try #require(view["file"] as? String)
          let targets = try #require(view["targets"] as? [[String: Any]]).compactMap { $0["name"] as? String }
          for name in targets { if file.hasPrefix(name + "-") { found += 1 } else { wrong += 1 } }
        }
        #expect(found >= patterns, "\(width) pixels, \(tilt)°: \(found) patterns")
        let ownNames = try writeViews(own, width, tilt, in: folder)
        let detected = try await Tool.run(
          ["markers", "detect", "--dictionary", "6x6-250", "--format", "json"] + ownNames,
          in: folder
        )
        var right = 0
        for view in try objects(detected.output) {
          let file = try #require(view["file"] as? String)
          let ids = try #require(view["markers"] as? [[String: Any]]).compactMap { $0["id"] as? Int }
          if ids.contains(where: { file.hasPrefix("own\($0)-") }) { right += 1 }
        }
        #expect(right >= markers, "\(width) pixels, \(tilt)°: \(right) markers")
      }
      #expect(wrong <= 1)
    }
  }

  @Test func `a pattern's first plane is blue, its first turn upright, its border outside`() throws {
    var levels = [Int](repeating: 255, count: 256)
    levels[0] = 10
    levels[15] = 90
    var numbers = levels.map(String.init)
    numbers += [Int](repeating: 128, count: 256).map(String.init) + [Int](repeating: 7, count: 256).map(String.init)
    let text = ([numbers] + [[String]](repeating: [String](repeating: "0", count: 768), count: 3)).flatMap { $0 }
    let pattern = try MarkerPattern(parsing: Array(text.joined(separator: "\r\n").utf8))
    #expect(pattern.side == 16)
    #expect(Array(pattern.pixels[0..<3]) == [7, 128, 10] && Array(pattern.pixels[45..<48]) == [7, 128, 90])
    for ratio in [0.5, 0.9] {
      let picture = pattern.picture(ratio: ratio, width: 200)
      func isBlack(_ x: Int, _ y: Int) -> Bool {
        picture.pixels[3 * (y * 200 + x)..<3 * (y * 200 + x) + 3].allSatisfy { $0 == 0 }
      }
      let edge = Int((100 * (1 - ratio)).rounded())
      #expect(isBlack(100, edge - 1) && !isBlack(100, edge) && isBlack(edge - 1, 100) && !isBlack(199 - edge, 100))
      #expect(isBlack(200 - edge, 100) && isBlack(0, 0) && isBlack(199, 199))
    }
  }

  @Test func `files that are no patterns are refused with what is wrong`() async throws {
    let whole = Self.file(Self.levels(Self.drawings[0].drawing))
    let words = whole.split(whereSeparator: \.isWhitespace).map(String.init)
    func text(_ change: (inout [String]) -> Void) -> String {
      var changed = words
      change(&changed)
      return changed.joined(separator: "\n")
    }
    let bad: [(String, String)] = [
      ("", "0 numbers"), (text { $0.removeLast() }, "3071 numbers"), (text { $0.append("0") }, "3073 numbers"),
      (text { $0[4] = "256" }, "line 5 has “256”"), (text { $0[4] = "-1" }, "“-1”"), (text { $0[0] = "nan" }, "“nan”"),
      (text { $0[7] = "1e999" }, "line 8 has “1e999”"),
      (text { $0[7] = "99999999999999999999999999" }, "“99999999999999999999…”"),
      (text { $0[7] = "1.5" }, "“1.5”"), (text { $0[7] = "\u{1b}[2J\0" }, "“?[2J?”"), ("<html></html>", "line 1 has"),
      (String(repeating: "0 ", count: 300_000), "more than"), (text { $0.removeLast(1024) }, "2048 numbers"),
    ]
    try await Tool.inFolder { folder in
      for (number, (text, what)) in bad.enumerated() {
        let name = number % 2 == 0 ? "bad.patt" : "patt.bad"
        try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
        let run = try await Tool.run(["target", "build", name, "-o", "bad.target"], in: folder)
        #expect(
          run.status == 2 && run.errors.hasPrefix("\(name): ") && run.errors.contains(what),
          "\(what): \(run.errors)"
        )
        #expect(!FileManager.default.fileExists(atPath: folder + "/bad.target"))
      }
      try whole.write(toFile: folder + "/good.patt", atomically: true, encoding: .utf8)
      for ratio in ["0", "1", "nan", "-0.5", "1e999"] {
        let run = try await Tool.run(
          ["target", "build", "good.patt", "--pattern-ratio", ratio, "-o", "x.target"],
          in: folder
        )
        #expect(run.status == 64 && run.errors.contains("--pattern-ratio"), "\(ratio): \(run.errors)")
      }
    }
  }
}
