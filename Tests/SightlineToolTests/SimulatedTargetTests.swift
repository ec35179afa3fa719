import Foundation
import Testing

/// A poster on a simulated wall: a recorded session is followed with its own gyroscope and lens, and the truth says where the corners are.
@Suite struct SimulatedTargetTests {
  private static let script = """
    seed 4
    place 57.7 11.97
    phone native-100
    display 390 844
    camera 180 240 fov 60 rate 15 noise 2 samples 4 grey
    start 0 0 heading 0
    picture poster.pgm 0 1.5 1.6 facing 180 width 0.6
    tremor 0.5
    hold 0.3
    turn 45 in 0.6
    turn -45 in 0.6
    hold 0.3
    """

  private func poster(_ path: String) throws {
    var state: UInt32 = 23
    func next(_ below: Int) -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 8) % below
    }
    let (width, height) = (320, 240)
    var pixels = [UInt8](repeating: 120, count: width * height)
    for _ in 0..<170 {
      let (x, y, w, h, level) = (next(width - 4), next(height - 4), 4 + next(28), 4 + next(28), UInt8(next(250)))
      for j in y..<min(height, y + h) { for i in x..<min(width, x + w) { pixels[j * width + i] = level } }
    }
    try (Data("P5\n\(width) \(height)\n255\n".utf8) + Data(pixels)).write(to: URL(fileURLWithPath: path))
  }

  private func objects(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private func error(_ a: [[Double]], _ b: [[Double]]) -> Double {
    zip(a, b).map { hypot($0[0] - $1[0], $0[1] - $1[1]) }.reduce(0, +) / 4
  }

  /// What comes of following the recording, by milliseconds: state and error against the truth, pixels.
  private func followed(
    _ more: String...,
    truth: [Int: [[Double]]],
    in folder: String
  ) async throws
    -> [(state: String, error: Double, distance: Double)]
  {
    let run = try await Tool.run(
      ["target", "track", "--target", "p.target", "--format", "json"] + more + ["a.slrec"],
      in: folder
    )
    #expect(run.status == 0, "\(run.errors)")
    return try objects(run.output).flatMap { frame -> [(state: String, error: Double, distance: Double)] in
      let time = try #require(frame["time"] as? Double)
      // The first picture is taken before the first frame whose truth is told.
      guard let quad = truth[Int((time * 1000).rounded())] else { return [] }
      return try #require(frame["targets"] as? [[String: Any]]).map { target in
        let translation = try #require(target["translation"] as? [Double])
        return (
          try #require(target["state"] as? String), error(try #require(target["corners"] as? [[Double]]), quad),
          translation[2]
        )
      }
    }
  }

  @Test func `a recorded session is followed with its gyroscope and its lens`() async throws {
    try await Tool.inFolder { folder in
      try poster(folder + "/poster.pgm")
      try Self.script.write(toFile: folder + "/a.sim", atomically: true, encoding: .utf8)
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
      _ = try await Tool.run(
        "target",
        "build",
        "poster.pgm",
        "-o",
        "p.target",
        "--name",
        "p",
        "--width",
        "0.6",
        in: folder
      )
      var truth: [Int: [[Double]]] = [:]
      for line in try objects(String(contentsOfFile: folder + "/a.jsonl", encoding: .utf8)) {
        let time = try #require(line["t"] as? Double)
        if let quad = (line["pictures"] as? [Any])?.first as? [[Double]] { truth[Int((time * 1000).rounded())] = quad }
      }
      let rows = try await followed(truth: truth, in: folder)
      #expect(rows.count >= 20)
      #expect(rows.last?.state == "tracked")
      // At rest: exact corners, and the metres of the recording's lens; the arm swings the camera about the body, 1.15 m away.
      for row in rows.prefix(4) + rows.suffix(3) {
        #expect(row.error < 0.3)
        #expect(abs(row.distance - 1.15) < 0.02)
      }
      let carried = rows.filter { $0.state == "extrapolated" }.map(\.error)
      try #require(carried.count >= 4)
      // One that says that the phone did not turn: what carries the poster on is the recording's.
      let zeros = "time,x,y,z\n" + (0..<300).map { "\(Double($0) / 100),0,0,0\n" }.joined()
      try zeros.write(toFile: folder + "/zero.csv", atomically: true, encoding: .utf8)
      let still = try await followed("--gyro", "zero.csv", truth: truth, in: folder).filter {
        $0.state == "extrapolated"
      }
      let (own, others) = (carried.sorted()[carried.count / 2], still.map(\.error).max() ?? 0)
      #expect(own < 70, "\(own) px with the gyroscope")
      #expect(others > 3 * own, "\(others) px without, \(own) px with it")

      // Readings until the turn only: what comes more than 0.2 s after the last is not carried on as a turn at its rate.
      let text = "time,x,y,z\n" + (0..<35).map { "\(Double($0) / 100),0,3,0\n" }.joined()
      try text.write(toFile: folder + "/short.csv", atomically: true, encoding: .utf8)
      let short = try await followed("--gyro", "short.csv", truth: truth, in: folder)
      #expect(short.count { $0.state == "extrapolated" } <= 3, "frames of a fifteenth of a second")

      // Cut: followed up to there, which is said.
      let whole = try Data(contentsOf: URL(fileURLWithPath: folder + "/a.slrec"))
      try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: folder + "/cut.slrec"))
      let cut = try await Tool.run(
        "target",
        "track",
        "--target",
        "p.target",
        "--format",
        "json",
        "cut.slrec",
        in: folder
      )
      #expect(cut.status == 2 && !cut.errors.isEmpty, "\(cut.status) \(cut.errors)")
      #expect(try objects(cut.output).count > 5)
    }
  }
}
