import Foundation
import SightlinePictures
import SightlineRecording
import Testing

/// What a simulation's camera saw of markers, in its recording and in what is replayed of it.
@Suite struct SimulatedObservationTests {
  private static let script = """
    seed 2
    phone native-100
    sky perfect
    display 240 320
    camera 240 320 fov 60 rate 4 noise 2 blur 0.5 samples 55
    ticks 4
    table 0 1.2 0.7 side 1.2
    marker 6x6-250 7 -0.15 1.05 0.701 tilt 90 side 0.16
    marker 6x6-250 8 0.2 1.2 0.701 tilt 90 turn 130 side 0.16
    start 0 0 1.6 heading 0 pitch -46
    hold 3
    walk 0.5 at 0.5 bearing 270
    also turn 20 in 1
    hold 0.3

    """

  private func objects(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private func simulate(_ name: String, in folder: String) async throws {
    try Self.script.write(toFile: folder + "/a.sim", atomically: true, encoding: .utf8)
    let made = try await Tool.run("simulate", "a.sim", "-o", name + ".slrec", "--truth", name + ".jsonl", in: folder)
    #expect(made.status == 0, "\(made.errors)")
  }

  @Test func `a recording with markers replays to the same bytes, its anchors where the truth says`() async throws {
    try await Tool.inFolder { folder in
      for name in ["a", "b"] { try await simulate(name, in: folder) }
      let recording = try #require(FileManager.default.contents(atPath: folder + "/a.slrec"))
      #expect(recording == FileManager.default.contents(atPath: folder + "/b.slrec"))
      var replays: [String] = []
      for _ in 0..<2 {
        let replay = try await Tool.run("replay", "a.slrec", in: folder)
        #expect(replay.status == 0, "\(replay.errors)")
        replays.append(replay.output)
      }
      #expect(replays[0] == replays[1])

      var truth: [Int: [[String: Any]]] = [:]
      for line in try objects(String(contentsOfFile: folder + "/a.jsonl", encoding: .utf8)) {
        let time = try #require(line["t"] as? Double)
        truth[Int((time * 1000).rounded())] = try #require(line["markers"] as? [[String: Any]])
      }
      var compared = 0
      for frame in try objects(replays[0]) {
        guard let time = frame["pictureTime"] as? Double, let markers = truth[Int((time * 1000).rounded())],
          let anchors = frame["anchors"] as? [[String: Any]]
        else { continue }
        for anchor in anchors where ["found", "tracked"].contains(anchor["state"] as? String) {
          // Anchors are in the order of the script's markers.
          let marker = markers[try #require(anchor["anchor"] as? Int)]
          let pose = try #require(anchor["cameraFromAnchor"] as? [Double])
          let rotation = try #require(marker["rotation"] as? [Double])
          let translation = try #require(marker["translation"] as? [Double])
          let cosine = abs(zip(pose, rotation).map { $0 * $1 }.reduce(0, +))
          #expect(2 * acos(min(1, cosine)) * 180 / .pi < 2)
          let length = { (v: [Double]) in v.map { $0 * $0 }.reduce(0, +).squareRoot() }
          #expect(length(zip(pose[4..<7], translation).map { $0 - $1 }) / length(translation) < 0.01)
          compared += 1
        }
      }
      #expect(compared >= 10)
      #expect(replays[0].contains("\"text\":\"6x6-250 7\""))

      let blind = try await Tool.run("simulate", "a.sim", "-o", "c.slrec", "--no-pictures", in: folder)
      #expect(blind.status == 0, "\(blind.errors)")
      let unseen = try await Tool.run("replay", "c.slrec", in: folder)
      #expect(unseen.status == 0 && !unseen.output.contains("\"anchors\""))
    }
  }

  /// A recording with some of its events left out.
  private func copy(_ from: String, _ to: String, _ isKept: (RecordingEvent) -> Bool) throws {
    var reader = try RecordingReader(from: FileSource(from))
    var writer = try RecordingWriter(to: FileSink(to), header: reader.header)
    while let entry = try reader.next() {
      if isKept(entry.event) { try writer.append(entry.event, at: entry.time) }
    }
    try writer.finish()
  }

  /// Where a rendered picture differs from that without the model: number of pixels and their middle.
  private func change(_ recording: String, in folder: String) async throws -> (count: Int, x: Double, y: Double) {
    let model = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures/demo/assets/windmill.glb").path
    var pictures: [Picture] = []
    for (name, arguments) in [("plain", []), ("model", ["--model", "6x6-250:7:0.16=\(model)"])] {
      let run = ["replay", recording, "--render", "\(name)-%d.png", "--scale", "1"]
      let result = try await Tool.run(run + arguments, in: folder)
      #expect(result.status == 0, "\(result.errors)")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/\(name)-10.png"))
      pictures.append(try Picture(decoding: [UInt8](bytes), as: .rgb))
    }
    var (count, x, y) = (0, 0, 0)
    for k in 0..<pictures[0].width * pictures[0].height
    where pictures[0].pixels[3 * k..<3 * k + 3] != pictures[1].pixels[3 * k..<3 * k + 3] {
      count += 1
      x += k % pictures[0].width
      y += k / pictures[0].width
    }
    return (count, Double(x) / Double(max(count, 1)), Double(y) / Double(max(count, 1)))
  }

  @Test func `a model is drawn on the frame's anchor, else where pictures show the marker`() async throws {
    try await Tool.inFolder { folder in
      try await simulate("a", in: folder)
      // Nothing to look at, only what was observed; and nothing observed, only pictures.
      try copy(folder + "/a.slrec", folder + "/observed.slrec") {
        if case .picture = $0 { false } else { true }
      }
      try copy(folder + "/a.slrec", folder + "/pictures.slrec") {
        if case .session(.observations) = $0 { false } else { true }
      }
      let replay = try await Tool.run("replay", "a.slrec", in: folder)
      let frame = try objects(replay.output)[10]
      let anchors = try #require(frame["anchors"] as? [[String: Any]])
      let corners = try #require(anchors.first { $0["anchor"] as? Int == 0 }?["corners"] as? [Double])
      let x = (corners[0] + corners[2] + corners[4] + corners[6]) / 4
      let y = (corners[1] + corners[3] + corners[5] + corners[7]) / 4
      for name in ["a.slrec", "observed.slrec", "pictures.slrec"] {
        let drawn = try await change(name, in: folder)
        #expect(drawn.count > 50, "\(name): \(drawn)")
        // It stands up from the marker.
        let isOnMarker = abs(drawn.x - x) < 15 && y - 45 < drawn.y && drawn.y < y + 10
        #expect(isOnMarker, "\(name): \(drawn), marker at \(x), \(y)")
      }
    }
  }
}
