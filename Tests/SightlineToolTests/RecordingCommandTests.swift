import Foundation
import SightlineEngine
import SightlineGeodesy
import SightlineMath
import SightlineRecording
import SightlineScene
import Testing

@Suite struct RecordingCommandTests {
  /// A phone that turns on the spot, with one place in the north.
  private func writeRecording(to path: String) throws {
    var writer = try RecordingWriter(to: FileSink(path), header: RecordingHeader(fields: ["writer": "test\u{1B}[2J"]))
    var description = WorldDescription()
    var place = SceneFeature(latitudeDegrees: 48.41, longitudeDegrees: 9.99)
    place.altitudeDatum = .eye
    description.features = [place]
    try writer.append(.session(.display(.init(width: 390, height: 844))), at: 0)
    try writer.append(.session(.open(AddressID(0))), at: 0)
    let fix = LocationFix(latitudeDegrees: 48.4, longitudeDegrees: 9.99, horizontalAccuracy: 5)
    try writer.append(.session(.fix(fix)), at: 0)
    try writer.append(.world(request: RequestID(1), RecordedWorld(description: description, texts: ["Tower"])), at: 0)
    for step in 0..<60 {
      let time = Double(step) / 60
      let angles = OrientationReading.browserAngles(alpha: Double(step), beta: 90, gamma: 0, north: .trueNorth)
      try writer.append(.session(.orientation(angles)), at: time)
      try writer.append(.tick, at: time)
    }
    try writer.finish()
  }

  @Test func `replay gives the same bytes twice`() async throws {
    try await Tool.inFolder { folder in
      try writeRecording(to: folder + "/walk.slrec")
      let first = try await Tool.run("replay", "walk.slrec", in: folder)
      #expect(first.status == 0, "\(first.errors)")
      let lines = first.output.split(separator: "\n")
      #expect(lines.count == 60)
      for line in lines {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object?["valid"] as? Bool == true)
        #expect((object?["worldFromDevice"] as? [Double])?.count == 4)
      }
      #expect(lines.first?.contains("Tower") == true)
      #expect(first.errors.contains("60 frames (60 with a view)"))
      let second = try await Tool.run("replay", "walk.slrec", "--output", "frames.jsonl", in: folder)
      #expect(second.status == 0 && second.output.isEmpty)
      #expect(try String(contentsOfFile: folder + "/frames.jsonl", encoding: .utf8) == first.output)
      let slow = try await Tool.run("replay", "walk.slrec", "--fps", "10", "--summary", in: folder)
      #expect(slow.output.hasPrefix("9 frames"), "\(slow.output)")
    }
  }

  @Test func `a damaged recording is played up to the damage, with status 2`() async throws {
    try await Tool.inFolder { folder in
      try writeRecording(to: folder + "/walk.slrec")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/walk.slrec"))
      try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: folder + "/cut.slrec"))
      var changed = bytes
      changed[bytes.count / 2] ^= 1
      try changed.write(to: URL(fileURLWithPath: folder + "/bad.slrec"))
      let whole = try await Tool.run("replay", "walk.slrec", in: folder)
      for (file, word) in [("cut.slrec", "is cut at byte"), ("bad.slrec", "is damaged at byte")] {
        let outcome = try await Tool.run("replay", file, in: folder)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(word), "\(outcome.errors)")
        #expect(outcome.errors.contains("bytes are lost"))
        #expect(outcome.output.count > 1000)
        #expect(whole.output.hasPrefix(outcome.output))
        let info = try await Tool.run("recording", "info", file, in: folder)
        #expect(info.status == 2)
      }
      try Data("no".utf8).write(to: URL(fileURLWithPath: folder + "/no.slrec"))
      for (file, word) in [("no.slrec", "not a recording"), ("missing.slrec", "does not exist")] {
        let outcome = try await Tool.run("replay", file, in: folder)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains(word), "\(outcome.errors)")
      }
    }
  }

  @Test func `info counts and strip takes positions out`() async throws {
    try await Tool.inFolder { folder in
      try writeRecording(to: folder + "/walk.slrec")
      let info = try await Tool.run("recording", "info", "walk.slrec", in: folder)
      #expect(info.status == 0, "\(info.errors)")
      #expect(info.output.contains("orientation: 60") && info.output.contains("fix: 1"), "\(info.output)")
      #expect(!info.output.contains("\u{1B}"))
      let strip = try await Tool.run("recording", "strip", "walk.slrec", "-o", "bare.slrec", in: folder)
      #expect(strip.status == 0, "\(strip.errors)")
      #expect(strip.errors.contains("2 events left out"))
      let bare = try await Tool.run("recording", "info", "bare.slrec", in: folder)
      #expect(bare.output.contains("positions: stripped"))
      #expect(!bare.output.contains("fix") && !bare.output.contains("world"), "\(bare.output)")
      let same = try await Tool.run("recording", "strip", "walk.slrec", "-o", "./walk.slrec", in: folder)
      #expect(same.status == 1)
      #expect(try await Tool.run("replay", "walk.slrec", "--summary", in: folder).status == 0)
    }
  }
}
