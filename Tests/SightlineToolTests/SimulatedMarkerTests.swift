import Foundation
import SightlineRecording
import Testing

/// Markers in scripts: the detector finds them in the drawn pictures, where the truth says.
@Suite struct SimulatedMarkerTests {
  /// A marker as both the truth and the detector write it.
  private struct Seen {
    var corners: [[Double]]
    var rotation: [Double]
    var translation: [Double]

    init?(_ object: [String: Any]) {
      guard let corners = object["corners"] as? [[Double]], let rotation = object["rotation"] as? [Double],
        let translation = object["translation"] as? [Double], corners.count == 4, rotation.count == 4,
        translation.count == 3
      else { return nil }
      (self.corners, self.rotation, self.translation) = (corners, rotation, translation)
    }

    func worstCorner(_ other: Seen) -> Double {
      zip(corners, other.corners).map { hypot($0[0] - $1[0], $0[1] - $1[1]) }.max() ?? .infinity
    }

    /// Degrees.
    func turn(_ other: Seen) -> Double {
      let cosine = abs(zip(rotation, other.rotation).map { $0 * $1 }.reduce(0, +))
      return 2 * acos(min(1, cosine)) * 180 / .pi
    }

    /// As a share of the distance.
    func shift(_ other: Seen) -> Double {
      let length = { (v: [Double]) in v.map { $0 * $0 }.reduce(0, +).squareRoot() }
      return length(zip(translation, other.translation).map { $0 - $1 }) / length(other.translation)
    }
  }

  /// What comes of a script: for each picture the visible markers of one dictionary by the truth, and those found.
  private func run(
    _ script: String,
    _ dictionary: String,
    side: Double,
    in folder: String
  ) async throws
    -> [(truth: [Int: Seen], found: [Int: Seen])]
  {
    try script.write(toFile: folder + "/a.sim", atomically: true, encoding: .utf8)
    let made = try await Tool.run(
      "simulate",
      "a.sim",
      "-o",
      "a.slrec",
      "--truth",
      "a.jsonl",
      "--quality",
      "100",
      in: folder
    )
    #expect(made.status == 0, "\(made.errors)")
    var pictures: [Double: String] = [:]
    var reader = try RecordingReader(from: FileSource(folder + "/a.slrec"))
    while let entry = try reader.next() {
      guard case .picture(let picture) = entry.event, case .embedded(_, let bytes) = picture.source else { continue }
      let name = "p\(pictures.count).png"
      try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
      pictures[(entry.time * 1000).rounded()] = name
    }
    var result: [(truth: [Int: Seen], found: [Int: Seen])] = []
    for line in try String(contentsOfFile: folder + "/a.jsonl", encoding: .utf8).split(separator: "\n") {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let time = try #require(object["t"] as? Double)
      guard let picture = pictures[(time * 1000).rounded()] else { continue }
      var truth: [Int: Seen] = [:]
      for marker in try #require(object["markers"] as? [[String: Any]])
      where marker["visible"] as? Bool == true && marker["dictionary"] as? String == dictionary {
        #expect(marker["side"] as? Double == side)
        truth[try #require(marker["id"] as? Int)] = try #require(Seen(marker))
      }
      let answer = try await Tool.run(
        "markers",
        "detect",
        "--dictionary",
        dictionary,
        "--intrinsics",
        "277.128129,277.128129,119.5,159.5",
        "--marker-length",
        "\(side)",
        "--format",
        "json",
        picture,
        in: folder
      )
      #expect(answer.status == 0, "\(answer.errors)")
      let list = try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any]
      var found: [Int: Seen] = [:]
      for marker in try #require(list?["markers"] as? [[String: Any]]) {
        found[try #require(marker["id"] as? Int)] = try #require(Seen(marker))
      }
      result.append((truth, found))
    }
    return result
  }

  /// A lens of 277.128 pixels.
  private let camera = "display 240 320\ncamera 240 320 fov 60 rate 4 noise 2 blur 0.5 samples 55\nticks 4\n"

  @Test func `markers on a table are found where the truth says`() async throws {
    let script = """
      seed 2
      phone native-100
      \(camera)
      table 0 1.2 0.7 side 1.2
      marker 6x6-250 7 -0.15 1.05 0.701 tilt 90 side 0.16
      marker 6x6-250 8 0.2 1.2 0.701 tilt 90 turn 130 side 0.16
      start 0 0 1.6 heading 0 pitch -46
      walk 0.5 at 0.5 bearing 270
      also turn 20 in 1
      hold 0.3

      """
    try await Tool.inFolder { folder in
      let pictures = try await run(script, "6x6-250", side: 0.16, in: folder)
      #expect(pictures.count >= 4)
      for (truth, found) in pictures {
        #expect(truth.count == 2 && Set(found.keys) == Set(truth.keys))
        for (id, marker) in truth {
          let seen = try #require(found[id])
          #expect(seen.worstCorner(marker) < 0.2, "corners of \(id) off by \(seen.worstCorner(marker)) px")
          #expect(seen.turn(marker) < 2, "\(id) turned by \(seen.turn(marker))°")
          #expect(seen.shift(marker) < 0.01, "\(id) off by \(100 * seen.shift(marker)) %")
        }
      }
    }
  }

  @Test func `a marker in a street is found where the truth says`() async throws {
    let script = """
      seed 5
      phone native-100
      \(camera)
      street length 80 width 14
      marker apriltag-36h11 4 -6.9 8 2.2 facing 90 side 0.9
      start -1 2 1.6 heading -38 pitch 3
      walk 1.5 bearing 0
      hold 0.3

      """
    try await Tool.inFolder { folder in
      let pictures = try await run(script, "apriltag-36h11", side: 0.9, in: folder)
      #expect(pictures.count >= 4)
      for (truth, found) in pictures {
        #expect(Array(truth.keys) == [4] && Array(found.keys) == [4])
        guard let marker = truth[4], let seen = found[4] else { continue }
        #expect(seen.worstCorner(marker) < 0.3, "corners off by \(seen.worstCorner(marker)) px")
        #expect(seen.turn(marker) < 4, "turned by \(seen.turn(marker))°")
        #expect(seen.shift(marker) < 0.015, "off by \(100 * seen.shift(marker)) %")
      }
    }
  }

  @Test func `a marker from behind, outside or behind a house is not visible`() async throws {
    let script = """
      seed 5
      phone native-100
      \(camera)
      street length 80 width 14
      marker 6x6-250 1 0 8 1.6 facing 0 side 0.5
      marker 6x6-250 1 9 8 1.6 side 0.5
      marker 6x6-250 1 -14 12 1.6 facing 90 side 0.5
      start 0 2 1.6 heading 0
      hold 0.6

      """
    try await Tool.inFolder { folder in
      let pictures = try await run(script, "6x6-250", side: 0.5, in: folder)
      #expect(!pictures.isEmpty)
      for (truth, found) in pictures { #expect(truth.isEmpty && found.isEmpty) }
    }
  }

  @Test(arguments: [
    ("marker 6x6-250 250 0 3 1", "6x6-250 has no number 250; choose 0 to 249"),
    ("marker 9x9-50 1 0 3 1", "there is no dictionary 9x9-50. Choose one of aruco-original"),
    ("marker 6x6-250 1.5 0 3 1", "a.sim:1: marker: the number of the marker has to be a whole one"),
    ("marker 6x6-250 1 0 3 1 side 0", "a.sim:1: marker: side"),
    ("table 0 3", "a.sim:1: table: up"),
  ])
  func `a marker that cannot be is refused`(line: String, message: String) async throws {
    try await Tool.inFolder { folder in
      try (line + "\nhold 1\n").write(toFile: folder + "/a.sim", atomically: true, encoding: .utf8)
      let result = try await Tool.run("simulate", "a.sim", "-o", "a.slrec", in: folder)
      #expect(result.status == 1 && result.errors.contains(message), "\(result.errors)")
    }
  }
}
