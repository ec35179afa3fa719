import Foundation
import Testing

/// `sightline markers track` on frames with known places.
@Suite struct MarkerTrackCommandTests {
  private let width = 240
  private let height = 180

  /// Id 0 of 4x4, cells of 12 pixels, the border's outer edge from (x - 0.5, y - 0.5); without a place an empty wall.
  private func frame(at place: (x: Int, y: Int)?) -> Data {
    let rows = [0b1011, 0b0101, 0b0011, 0b0010]
    var pixels = [UInt8](repeating: 225, count: width * height)
    if let place {
      for y in 0..<72 {
        for x in 0..<72 {
          let (column, row) = (x / 12 - 1, y / 12 - 1)
          let isWhite = (0..<4).contains(column) && (0..<4).contains(row) && (rows[row] >> (3 - column)) & 1 == 1
          if !isWhite { pixels[(place.y + y) * width + place.x + x] = 15 }
        }
      }
    }
    return Data("P5 \(width) \(height) 255\n".utf8) + Data(pixels)
  }

  /// Six frames in which the marker moves by (3, 1) pixels, ten without it, three with it elsewhere.
  private func write(_ folder: String) throws -> [(x: Int, y: Int)?] {
    var places: [(x: Int, y: Int)?] = (0..<6).map { (30 + 3 * $0, 40 + $0) }
    places += [(x: Int, y: Int)?](repeating: nil, count: 10) + (0..<3).map { _ in (120, 70) }
    try FileManager.default.createDirectory(atPath: folder + "/frames", withIntermediateDirectories: true)
    for (index, place) in places.enumerated() {
      let name = String(format: "%03d.pgm", index)
      try frame(at: place).write(to: URL(fileURLWithPath: folder + "/frames/" + name))
    }
    return places
  }

  private func track(_ arguments: String..., in folder: String) async throws -> [[String: Any]] {
    let run = try await Tool.run(
      ["markers", "track", "--dictionary", "4x4-50", "--format", "json"] + arguments,
      in: folder
    )
    #expect(run.status == 0, "\(run.errors)")
    return try run.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test func `a marker is found, followed, lost and found again`() async throws {
    try await Tool.inFolder { folder in
      let places = try write(folder)
      let lines = try await track(
        "--intrinsics",
        "300,300,119.5,89.5",
        "--marker-length",
        "0.06",
        "--render",
        "drawn",
        "frames",
        in: folder
      )
      #expect(lines.map { $0["frame"] as? Int } == Array(places.indices))
      var events: [Int: [String]] = [:]
      for (index, (line, place)) in zip(lines, places).enumerated() {
        let markers = try #require(line["markers"] as? [[String: Any]])
        let changes = try #require(line["events"] as? [[String: Any]])
        events[index] = changes.compactMap { $0["event"] as? String }
        for change in changes { #expect(change["id"] as? Int == 0 && change["dictionary"] as? String == "4x4-50") }
        guard let place else {
          #expect(markers.allSatisfy { $0["state"] as? String == "expected" }, "frame \(index)")
          continue
        }
        let marker = try #require(markers.first)
        #expect(markers.count == 1 && marker["id"] as? Int == 0)
        #expect(marker["state"] as? String == (index == 0 || index == 16 ? "detected" : "tracked"), "frame \(index)")
        let corners = try #require(marker["corners"] as? [[Double]])
        for (corner, offset) in zip(corners, [(0, 0), (72, 0), (72, 72), (0, 72)]) {
          let (x, y) = (Double(place.x + offset.0) - 0.5, Double(place.y + offset.1) - 0.5)
          #expect(hypot(corner[0] - x, corner[1] - y) < 0.1, "frame \(index)")
        }
        // 0.06 m over 72 pixels at a focal length of 300 pixels.
        let translation = try #require(marker["translation"] as? [Double])
        #expect(abs(translation[2] - 0.25) < 0.002)
      }
      // Found with the second frame that shows it; lost a quarter of a second, or eight frames, after the last.
      #expect(events.filter { !$0.value.isEmpty } == [1: ["found"], 13: ["lost"], 17: ["found"]])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/drawn").count == places.count)
    }
  }

  @Test func `the gyroscope says where to look, and its faults are named`() async throws {
    try await Tool.inFolder { folder in
      _ = try write(folder)
      let rows = (0..<80).map { "\(Double($0) * 0.01),0,0,0" }
      try Data(("time,x,y,z\n" + rows.joined(separator: "\n")).utf8).write(to: URL(fileURLWithPath: folder + "/g.csv"))
      let with = try await track("--intrinsics", "300,300,119.5,89.5", "--gyro", "g.csv", "frames", in: folder)
      #expect(with.count == 19)
      try Data("time,x,y,z\n0,1,2\n".utf8).write(to: URL(fileURLWithPath: folder + "/bad.csv"))
      let bad = try await Tool.run(
        ["markers", "track", "--dictionary", "4x4-50", "--gyro", "bad.csv", "frames"],
        in: folder
      )
      #expect(bad.status != 0 && bad.errors.contains("bad.csv:2"))
    }
  }

  @Test func `results are drawn into a video or a folder, whichever the name says`() async throws {
    try await Tool.inFolder { folder in
      let places = try write(folder)
      guard FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg") else { return }
      _ = try await track("--render", "drawn.mp4", "frames", in: folder)
      let video = try Data(contentsOf: URL(fileURLWithPath: folder + "/drawn.mp4"))
      #expect(video.dropFirst(4).starts(with: Data("ftyp".utf8)), "\(video.count) bytes")
      // It can be read again, with as many frames as there were.
      let again = try await track("drawn.mp4", in: folder)
      #expect(again.count == places.count)
    }
  }

  @Test func `a name that is neither is answered with what to write`() async throws {
    try await Tool.inFolder { folder in
      _ = try write(folder)
      try Data().write(to: URL(fileURLWithPath: folder + "/file"))
      for (name, word) in [("x.jpg", "folder"), ("x.avi", "drawn.mp4"), ("file", "a file of that name")] {
        let run = try await Tool.run(
          ["markers", "track", "--dictionary", "4x4-50", "--render", name, "frames"],
          in: folder
        )
        #expect(
          run.status != 0 && run.errors.contains("--render \(name)") && run.errors.contains(word),
          "\(run.errors)"
        )
      }
      // Without the program that writes videos nothing begins.
      let without = try await Tool.run(
        ["markers", "track", "--dictionary", "4x4-50", "--render", "x.mp4", "frames"],
        in: folder,
        ["PATH": "/nonexistent"]
      )
      #expect(without.status != 0 && without.output.isEmpty)
      #expect(without.errors.contains("ffmpeg") && without.errors.contains("folder"), "\(without.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder + "/x.mp4"))
    }
  }

  @Test func `what cannot be says what, where and what to do`() async throws {
    try await Tool.inFolder { folder in
      try FileManager.default.createDirectory(atPath: folder + "/empty", withIntermediateDirectories: true)
      try Data("no video".utf8).write(to: URL(fileURLWithPath: folder + "/a.mp4"))
      let cases: [(arguments: [String], words: [String])] = [
        (["frames"], ["--dictionary"]),
        (["--dictionary", "4x4-50", "nowhere"], ["nowhere", "no such folder"]),
        (["--dictionary", "4x4-50", "empty"], ["empty", "no frames"]),
        (["--dictionary", "4x4-50", "a.mp4"], ["a.mp4", "ffmpeg"]),
        (["--dictionary", "9x9-50", "empty"], ["9x9-50"]),
        (["--dictionary", "4x4-50", "--rate", "0", "empty"], ["--rate"]),
        (["--dictionary", "4x4-50", "--marker-length", "-1", "empty"], ["--marker-length"]),
      ]
      for (arguments, words) in cases {
        let run = try await Tool.run(["markers", "track"] + arguments, in: folder)
        #expect(run.status != 0 && run.output.isEmpty, "\(arguments)")
        for word in words { #expect(run.errors.contains(word), "\(arguments): \(run.errors)") }
      }
    }
  }
}
