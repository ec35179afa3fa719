import Foundation
import Testing

struct TargetCommandTests {
  /// A picture of boxes as PGM, and the same on a grey wall, moved.
  private func write(_ folder: String) throws {
    var state: UInt32 = 11
    func next(_ below: Int) -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 8) % below
    }
    let (width, height) = (220, 160)
    var poster = [UInt8](repeating: 120, count: width * height)
    for _ in 0..<140 {
      let (x, y, w, h, level) = (next(width - 4), next(height - 4), 3 + next(20), 3 + next(20), UInt8(next(250)))
      for j in y..<min(height, y + h) { for i in x..<min(width, x + w) { poster[j * width + i] = level } }
    }
    try pgm(poster, width, height, folder + "/poster.pgm")
    try FileManager.default.createDirectory(atPath: folder + "/frames", withIntermediateDirectories: true)
    for k in 0..<3 {
      var frame = [UInt8](repeating: 70, count: 320 * 240)
      for j in 0..<height { for i in 0..<width { frame[(j + 30 + k) * 320 + i + 40 + 3 * k] = poster[j * width + i] } }
      try pgm(frame, 320, 240, folder + "/frames/\(k).pgm")
    }
  }

  private func pgm(_ pixels: [UInt8], _ width: Int, _ height: Int, _ path: String) throws {
    try (Data("P5\n\(width) \(height)\n255\n".utf8) + Data(pixels)).write(to: URL(fileURLWithPath: path))
  }

  private func object(_ line: Substring) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  @Test func `a target is built, rated, shown, recognised and followed`() async throws {
    try await Tool.inFolder { folder in
      try write(folder)
      try FileManager.default.createDirectory(atPath: folder + "/db", withIntermediateDirectories: true)
      for path in ["db/a.target", "b.target"] {
        let built = try await Tool.run(
          "target",
          "build",
          "poster.pgm",
          "-o",
          path,
          "--name",
          "plakat ü",
          "--width",
          "0.4",
          in: folder
        )
        #expect(built.status == 0 && built.errors.contains("stars"), "\(built.errors)")
      }
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: folder + "/db/a.target"))
          == Data(contentsOf: URL(fileURLWithPath: folder + "/b.target"))
      )
      let rated = try await Tool.run("target", "rate", "--format", "json", "poster.pgm", "b.target", in: folder)
      let ratings = try rated.output.split(separator: "\n").map(object)
      #expect(ratings.count == 2 && ratings[0]["stars"] as? Double == ratings[1]["stars"] as? Double)

      let read = try await Tool.run(
        "target",
        "recognize",
        "--database",
        "db",
        "--format",
        "json",
        "--intrinsics",
        "300,300,159.5,119.5",
        "frames/1.pgm",
        in: folder
      )
      let seen = try #require(try object(Substring(read.output))["targets"] as? [[String: Any]])
      #expect(seen.map { $0["name"] as? String } == ["plakat ü"])
      let upright = try #require(seen.first?["rotation"] as? [Double])
      #expect(abs(upright[1]) > 0.999 && upright[0] >= 0, "\(upright)")

      let tracked = try await Tool.run(
        "target",
        "track",
        "--target",
        "b.target",
        "--format",
        "json",
        "--intrinsics",
        "300,300,159.5,119.5",
        "--render",
        "drawn",
        "frames",
        in: folder
      )
      #expect(tracked.status == 0, "\(tracked.errors)")
      let frames = try tracked.output.split(separator: "\n").map(object)
      #expect(frames.map { $0["frame"] as? Int } == [0, 1, 2])
      for (k, frame) in frames.enumerated() {
        let target = try #require((frame["targets"] as? [[String: Any]])?.first)
        #expect(target["state"] as? String == (k == 0 ? "detected" : "tracked"))
        let corner = try #require((target["corners"] as? [[Double]])?.first)
        #expect(abs(corner[0] - (39.5 + 3 * Double(k))) < 0.3 && abs(corner[1] - (29.5 + Double(k))) < 0.3)
        // 0.4 m over 220 pixels at a focal length of 300 pixels.
        let translation = try #require(target["translation"] as? [Double])
        #expect(abs(translation[2] - 300 * 0.4 / 220) < 0.01)
        // Upright before the camera: half a turn about x, as for everything flat.
        let rotation = try #require(target["rotation"] as? [Double])
        #expect(abs(rotation[1]) > 0.999 && rotation[0] >= 0, "\(rotation)")
        #expect(try #require(target["reprojectionError"] as? Double) < 0.5)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/drawn").count == 3)
    }
  }

  @Test func `the lens enters the poses`() async throws {
    try await Tool.inFolder { folder in
      try write(folder)
      try FileManager.default.createDirectory(atPath: folder + "/db", withIntermediateDirectories: true)
      _ = try await Tool.run(
        "target",
        "build",
        "poster.pgm",
        "-o",
        "db/a.target",
        "--name",
        "a",
        "--width",
        "0.4",
        in: folder
      )
      for command in [
        ["track", "--target", "db/a.target", "frames"], ["recognize", "--database", "db", "frames/0.pgm"],
      ] {
        var distances: [Double] = []
        for distortion in ["0", "0.1"] {
          let arguments =
            ["target", command[0], "--format", "json", "--intrinsics", "300,300,159.5,119.5"]
            + ["--distortion", distortion] + command.dropFirst()
          let answer = try await Tool.run(arguments, in: folder)
          let line = try #require(answer.output.split(separator: "\n").first, "\(answer.errors)")
          let seen = try #require((try object(line)["targets"] as? [[String: Any]])?.first)
          let translation = try #require(seen["translation"] as? [Double])
          distances.append(translation[2])
        }
        // A lens that draws outwards shows things larger than they are: this one is farther away.
        #expect(
          distances[1] > 1.005 * distances[0] && distances[1] < 1.05 * distances[0],
          "\(command[0]): \(distances)"
        )
      }
    }
  }

  @Test func `what cannot be says what, where and what to do`() async throws {
    try await Tool.inFolder { folder in
      try write(folder)
      let none = try await Tool.run("target", "build", "none.png", "-o", "a.target", "--name", "a", in: folder)
      #expect(none.status == 2 && none.errors.contains("none.png"))
      try Data("no target".utf8).write(to: URL(fileURLWithPath: folder + "/x.target"))
      let bad = try await Tool.run("target", "track", "--target", "x.target", "frames", in: folder)
      #expect(bad.status != 0 && bad.errors.contains("x.target") && bad.errors.contains("sightline target build"))
      try Data("time,x,y\n1,2,3\n".utf8).write(to: URL(fileURLWithPath: folder + "/gyro.csv"))
      _ = try await Tool.run("target", "build", "poster.pgm", "-o", "p.target", "--name", "p", in: folder)
      let gyro = try await Tool.run(
        "target",
        "track",
        "--target",
        "p.target",
        "--gyro",
        "gyro.csv",
        "frames",
        in: folder
      )
      #expect(gyro.status != 0 && gyro.errors.contains("gyro.csv:1") && gyro.errors.contains("time,x,y,z"))
      let nowhere = try await Tool.run(
        "target",
        "build",
        "poster.pgm",
        "-o",
        "no/such/p.target",
        "--name",
        "p",
        in: folder
      )
      #expect(nowhere.status == 2 && nowhere.errors.contains("no/such/p.target: cannot be written"))
      let width = try await Tool.run(
        "target",
        "build",
        "poster.pgm",
        "-o",
        "p.target",
        "--name",
        "p",
        "--width",
        "-1",
        in: folder
      )
      #expect(width.status != 0 && width.errors.contains("--width"))
    }
  }
}
