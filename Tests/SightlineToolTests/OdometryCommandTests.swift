import Foundation
import SightlinePictures
import SightlineTestSupport
import Testing

@Suite struct OdometryCommandTests {
  private static let description = """
    {"format": "sightline-odometry-1", "width": 240, "height": 320, "focal_guess": 270, "distortion_guess": [0, 0],
     "screen_angle": 0, "readout": "-x", "fps": 30, "frames": {"kind": "pgm", "pattern": "frames/%04d.pgm"}}
    """

  /// A folder with a sequence of drawn frames.
  private func sequence(frames count: Int) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder + "/frames", withIntermediateDirectories: true)
    try write(Self.description, folder + "/sequence.json")
    let room = DrawnRoom(.walk)
    var (imu, frames) = ("t,gx,gy,gz,ax,ay,az\n", "t,frame\n")
    for i in 1...(60 + 2 * count) {
      let end = Double(i) / 60
      let (w, f) = room.reading(from: end - 1.0 / 60, to: end)
      imu += "\(end),\(w.x),\(w.y),\(w.z),\(f.x),\(f.y),\(f.z)\n"
    }
    for i in 0..<count {
      let time = 0.6 + Double(i) / 30
      frames += "\(time + room.timeOffset),\(i)\n"
      let header = Data("P5\n\(DrawnRoom.width) \(DrawnRoom.height)\n255\n".utf8)
      let name = String(repeating: "0", count: 4 - String(i).count) + String(i)
      try (header + Data(room.picture(at: time))).write(to: URL(fileURLWithPath: "\(folder)/frames/\(name).pgm"))
    }
    try write(imu, folder + "/imu.csv")
    try write(frames, folder + "/frames.csv")
    return folder
  }

  private func write(_ text: String, _ path: String) throws {
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  private func rows(_ path: String) throws -> [[Substring]] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
  }

  @Test func `a row for each frame, and none depends on a later one`() async throws {
    let folder = try sequence(frames: 45)
    let whole = try await Tool.run("odometry", "track", "--input", ".", "--output", "all.csv", in: folder)
    #expect(whole.status == 0, "\(whole.errors)")
    let all = try rows(folder + "/all.csv")
    #expect(all.count == 46)
    #expect(
      all.first?.joined(separator: ",")
        == "t,px,py,pz,qw,qx,qy,qz,state,sigma_p,sigma_yaw,focal,offset,row_time,milliseconds"
    )
    for row in all.dropFirst() {
      #expect(row.count == 15)
      let q = row[4...7].compactMap { Double($0) }
      #expect(q.count == 4)
      #expect(abs(q.reduce(0) { $0 + $1 * $1 } - 1) < 1e-6)
      #expect(row[8] == "2" || row[8] == "3")
    }
    // The same without the last third: nothing before it may change.
    let frames = try String(contentsOfFile: folder + "/frames.csv", encoding: .utf8).split(separator: "\n").prefix(31)
    try write(frames.joined(separator: "\n") + "\n", folder + "/frames.csv")
    let part = try await Tool.run("odometry", "track", "--input", ".", "--output", "part.csv", in: folder)
    #expect(part.status == 0, "\(part.errors)")
    for (a, b) in zip(all, try rows(folder + "/part.csv")) { #expect(a.dropLast() == b.dropLast()) }
  }

  @Test func `what is known is drawn over each frame, and what cannot be written is said`() async throws {
    let folder = try sequence(frames: 75)
    try FileManager.default.createDirectory(atPath: folder + "/drawn", withIntermediateDirectories: true)
    let outcome = try await Tool.run(
      ["odometry", "render", "--input", ".", "--output", "drawn/%03d.png", "--scale", "0.5"],
      in: folder
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("75 frames drawn"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/drawn").count == 75)
    let png = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/drawn/074.png")))
    let last = try Picture(decoding: png, as: .rgb)
    #expect(last.width == 120 && last.height == 160)
    // The frames are grey: what has a colour was drawn over them, points in the picture as well as the line at its top.
    func coloured(_ rows: Range<Int>) -> Int {
      (rows.lowerBound * 120..<rows.upperBound * 120).count { pixel in
        let part = last.pixels[(3 * pixel)..<(3 * pixel + 3)].map(Int.init)
        return abs(part[0] - part[1]) + abs(part[1] - part[2]) > 60
      }
    }
    #expect(coloured(20..<100) > 100)
    for (arguments, status, words) in [
      (["--output", "nowhere/%03d.png"], Int32(1), "nowhere/000.png cannot be written"),
      (["--output", "a.png", "--scale", "99"], 64, "--scale is 99"),
      (["--output", "a.png", "--known-marker", "7:0.1"], 64, "7:0.1"),
    ] {
      let outcome = try await Tool.run(["odometry", "render", "--input", "."] + arguments, in: folder)
      #expect(outcome.status == status)
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
  }

  @Test func `what is wrong with a sequence is said, with file and line`() async throws {
    let folder = try sequence(frames: 3)
    func failure(_ file: String, _ text: String, _ words: String) async throws {
      let path = folder + "/" + file
      let good = try String(contentsOfFile: path, encoding: .utf8)
      try write(text, path)
      let outcome = try await Tool.run("odometry", "track", "--input", ".", "--output", "out.csv", in: folder)
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder + "/out.csv"))
      try write(good, path)
    }
    func changed(_ from: String, _ to: String) -> String { Self.description.replacingOccurrences(of: from, with: to) }
    try await failure("sequence.json", "{", "does not describe a sequence")
    try await failure("sequence.json", changed("\"width\": 240, ", ""), "width is missing")
    try await failure("sequence.json", changed("240", "1e300"), "does not describe a sequence")
    try await failure("sequence.json", changed("240", "-5"), "64 to 4096")
    try await failure("sequence.json", changed("240", "300"), "240 × 320 pixels; sequence.json says 300 × 320")
    try await failure("sequence.json", changed("270", "0"), "focal_guess")
    try await failure("sequence.json", changed("\"screen_angle\": 0", "\"screen_angle\": 45"), "screen_angle")
    try await failure("sequence.json", changed("-x", "x"), "readout")
    try await failure("sequence.json", changed("[0, 0]", "[0]"), "distortion_guess")
    try await failure("sequence.json", changed("\"fps\": 30", "\"fps\": -1"), "fps has to be")
    try await failure("sequence.json", changed("pgm\",", "gif\","), "frames.kind")
    try await failure("sequence.json", changed("%04d", "%n%s"), "frames.pattern")
    try await failure("sequence.json", changed("frames/%04d", "../%04d"), "frames.pattern")
    try await failure("imu.csv", "", "imu.csv:1")
    try await failure("imu.csv", "t,gx\n", "imu.csv:1: the header has to begin with t,gx,gy,gz,ax,ay,az")
    try await failure("imu.csv", "t,gx,gy,gz,ax,ay,az\n1,2,3,4,5,6\n", "imu.csv:2: 7 numbers")
    try await failure("imu.csv", "t,gx,gy,gz,ax,ay,az\n1,nan,3,4,5,6,7\n", "imu.csv:2: 7 numbers")
    try await failure("frames.csv", "t,frame\n", "no frame")
    try await failure("frames.csv", "t,frame\n1,0\n0.5,1\n", "frames.csv:3: the times have to rise")
    try await failure("frames.csv", "t,frame\n1,0.5\n", "frames.csv:2: frame has to be a whole number")
    try await failure("frames.csv", "t,frame\n1,1e19\n", "frames.csv:2: frame has to be a whole number")
    try await failure("frames.csv", "t,frame\n1,77\n", "0077.pgm")
  }

  @Test(
    arguments: [
      (#""distortion": [0], "readout_time": 0.02, "offset": 0.04"#, "learned_camera has to have"),
      (#""distortion": [1e308, 0], "readout_time": 0.02, "offset": 0.04"#, "learned_camera has to have"),
      (#""distortion": [0, -0.3], "readout_time": 0.02, "offset": 0.04"#, "learned_camera has to have"),
      (#""distortion": [0, 0], "readout_time": -1e308, "offset": 0.04"#, "learned_camera has to have"),
      (#""distortion": [0, 0], "readout_time": 0.02, "offset": 1e18"#, "learned_camera has to have"),
      (#""distortion": [0, 0], "readout_time": 0.02"#, "offset is missing"),
      (#""distortion": "none", "readout_time": 0.02, "offset": 0.04"#, "does not describe a sequence"),
      (#""distortion": [0.02, 0], "readout_time": 0.02, "offset": 0.04"#, nil),
    ] as [(String, String?)]
  )
  func `a learned camera that no phone has is refused`(fields: String, words: String?) async throws {
    let folder = try sequence(frames: 3)
    let learned = #""fps": 30, "learned_camera": {\#(fields)}"#
    try write(Self.description.replacingOccurrences(of: #""fps": 30"#, with: learned), folder + "/sequence.json")
    let outcome = try await Tool.run("odometry", "track", "--input", ".", "--output", "out.csv", in: folder)
    #expect(outcome.status == (words == nil ? 0 : 1))
    if let words { #expect(outcome.errors.contains(words), "\(outcome.errors)") }
    #expect(FileManager.default.fileExists(atPath: folder + "/out.csv") == (words == nil))
  }

  @Test func `readings of absurd size do not end the program`() async throws {
    let folder = try sequence(frames: 6)
    try write("t,gx,gy,gz,ax,ay,az\n1e-300,1e300,0,0,1e308,0,0\n1e18,0,0,0,0,0,9.8\n", folder + "/imu.csv")
    let outcome = try await Tool.run("odometry", "track", "--input", ".", "--output", "out.csv", in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try rows(folder + "/out.csv").count == 7)
  }

  @Test(arguments: [
    ["--known-marker", "6x6-250:7"], ["--known-marker", "7:0.1"], ["--known-marker", "6x6-250:-1:0.1"],
    ["--known-marker", "6x6-250:7:nan"], ["--known-marker", "6x6-250:7:1e300"], ["--known-target", "poster.jpg"],
    ["--known-target", ":0.5"], ["--known-target", "poster.jpg:-2"],
  ])
  func `a size that cannot be is refused`(arguments: [String]) async throws {
    let folder = FileManager.default.temporaryDirectory.path
    let outcome = try await Tool.run(
      ["odometry", "track", "--input", ".", "--output", "out.csv"] + arguments,
      in: folder
    )
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(arguments[1]), "\(outcome.errors)")
  }

  @Test func `a picture of known size that is not there is named`() async throws {
    let folder = try sequence(frames: 3)
    let outcome = try await Tool.run(
      "odometry",
      "track",
      "--input",
      ".",
      "--output",
      "out.csv",
      "--known-target",
      "poster.jpg:0.5",
      in: folder
    )
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("poster.jpg"), "\(outcome.errors)")
  }
}
