import Foundation
import Testing

@Suite struct SimulateCommandTests {
  private let script = """
    seed 2
    phone native-100
    display 120 200
    camera 60 80 rate 5
    sky perfect
    landmark "North" 0 30 height 1.6
    start 0 0 1.6 heading 0
    hold 1.5

    """

  @Test func `the same script gives the same recording, and it replays and renders`() async throws {
    let script = script
    try await Tool.inFolder { folder in
      try script.write(toFile: folder + "/a.sim", atomically: true, encoding: .utf8)
      for name in ["a", "b"] {
        let result = try await Tool.run(
          "simulate",
          "a.sim",
          "-o",
          name + ".slrec",
          "--truth",
          name + ".jsonl",
          in: folder
        )
        #expect(result.status == 0 && result.errors.contains("8 pictures"), "\(result.errors)")
      }
      let first = try #require(FileManager.default.contents(atPath: folder + "/a.slrec"))
      #expect(first == FileManager.default.contents(atPath: folder + "/b.slrec"))
      let truth = try String(contentsOfFile: folder + "/a.jsonl", encoding: .utf8).split(separator: "\n")
      #expect(truth.count == 89)
      let line = try JSONSerialization.jsonObject(with: Data(truth[40].utf8)) as? [String: Any]
      let landmark = try #require((line?["landmarks"] as? [[String: Any]])?.first)
      #expect(landmark["visible"] as? Bool == true && (line?["worldFromDevice"] as? [Double])?.count == 4)

      let summary = try await Tool.run("replay", "a.slrec", "--summary", in: folder)
      #expect(summary.status == 0 && summary.output.hasPrefix("89 frames"), "\(summary.output)\(summary.errors)")
      let rendered = try await Tool.run(
        "replay",
        "a.slrec",
        "--render",
        "f-%02d.png",
        "--fps",
        "4",
        "--scale",
        "1",
        "--show-truth",
        in: folder
      )
      #expect(rendered.status == 0, "\(rendered.errors)")
      let picture = try #require(FileManager.default.contents(atPath: folder + "/f-03.png"))
      #expect(picture.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
    }
  }

  @Test func `a bad script is named with its line and what to do`() async throws {
    try await Tool.inFolder { folder in
      try "seed 1\n\nwalk fast\n".write(toFile: folder + "/a.sim", atomically: true, encoding: .utf8)
      let result = try await Tool.run("simulate", "a.sim", "-o", "a.slrec", in: folder)
      #expect(result.status == 1 && result.errors.contains("a.sim:3: walk: the metres has to be a number"))
      try "picture none.png 0 3 1.5\nhold 1\n".write(toFile: folder + "/b.sim", atomically: true, encoding: .utf8)
      let missing = try await Tool.run("simulate", "b.sim", "-o", "b.slrec", in: folder)
      #expect(missing.status == 1 && missing.errors.contains("none.png, a picture of the script, cannot be used"))
      let nowhere = try await Tool.run("simulate", "none.sim", "-o", "x.slrec", in: folder)
      #expect(nowhere.status == 1 && nowhere.errors.contains("cannot be read"))
    }
  }
}
