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

  /// A street of Helsinki between two rows of houses, and a landmark in it and one in the next street.
  private let town = """
    place 60.16900 24.94200
    phone native-100
    display 120 200
    camera 60 80 rate 1
    sky perfect
    ticks 4
    town helsinki.ground reach 120
    landmark "Here" 0 8 height 1.6
    landmark "Behind" 0 100 height 1.6
    start 0 0 1.6 heading 0
    hold 2

    """

  @Test func `a ground file is the town: its houses hide, are drawn and are in the recording`() async throws {
    let town = town
    let extract = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures/demo/ground/Helsinki.osm.pbf").path
    try await Tool.inFolder { folder in
      let added = try await Tool.run("ground", "add", extract, "--ground", ".", "--name", "helsinki", in: folder)
      #expect(added.status == 0, "\(added.errors)")
      try town.write(toFile: folder + "/a.sim", atomically: true, encoding: .utf8)
      let plain = town.split(separator: "\n").filter { !$0.hasPrefix("town") }.joined(separator: "\n")
      try plain.write(toFile: folder + "/b.sim", atomically: true, encoding: .utf8)
      var pictures: [Int] = []
      for (name, isVisible) in [("a", [true, false]), ("b", [true, true])] {
        let run = ["simulate", name + ".sim", "-o", name + ".slrec", "--truth", name + ".jsonl"]
        let result = try await Tool.run(run, in: folder)
        #expect(result.status == 0, "\(result.errors)")
        let truth = try String(contentsOfFile: folder + "/\(name).jsonl", encoding: .utf8).split(separator: "\n")
        let line = try JSONSerialization.jsonObject(with: Data(try #require(truth.last).utf8)) as? [String: Any]
        let landmarks = try #require(line?["landmarks"] as? [[String: Any]])
        #expect(landmarks.map { $0["visible"] as? Bool } == isVisible)
        pictures.append(try #require(FileManager.default.contents(atPath: folder + "/\(name).slrec")).count)
        // What the engine says of the same houses.
        let frames = try await Tool.run("replay", name + ".slrec", in: folder)
        let last = try #require(frames.output.split(separator: "\n").last)
        #expect(last.contains("\"text\":\"Behind\"") && last.contains("\"visibility\":\"hidden\"") == (name == "a"))
      }
      // Walls with windows take more bytes than a plain.
      #expect(pictures[0] > pictures[1] + 1000)
      let far = town.replacing("60.16900", with: "61")
      for (name, text, error) in [
        ("c", far, "c.sim:7: town: "), ("d", town.replacing("helsinki.ground", with: "no.ground"), "d.sim:7: town: "),
        ("e", town.replacing("reach 120", with: "reach 9"), "e.sim:7: town: reach has to be 20 to 1500"),
      ] {
        try text.write(toFile: folder + "/\(name).sim", atomically: true, encoding: .utf8)
        let result = try await Tool.run("simulate", name + ".sim", "-o", name + ".slrec", in: folder)
        #expect(result.status == 1 && result.errors.contains(error), "\(result.errors)")
      }
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

  private let hand: String = {
    var text = "t,px,py,pz,qw,qx,qy,qz\n"
    for k in 0..<60 {
      let t = Double(k) / 20
      text += "\(t),\(0.2 * sin(2 * t)),\(0.1 * cos(3 * t)),1.4,\(cos(0.75)),\(sin(0.75)),0,0\n"
    }
    return text
  }()
  private let room = """
    seed 4
    phone ios-safari
    camera 64 80 rate 10 noise 1
    room 5 5 2.5
    marker 6x6-250 7 0 2.4 1.4 side 0.3
    follow hand.csv

    """

  @Test func `a sequence has the files and columns of the contract, the same bytes each time, and is tracked`()
    async throws
  {
    let (room, hand) = (room, hand)
    try await Tool.inFolder { folder in
      try room.write(toFile: folder + "/room.sim", atomically: true, encoding: .utf8)
      try hand.write(toFile: folder + "/hand.csv", atomically: true, encoding: .utf8)
      for name in ["a", "b"] {
        let result = try await Tool.run("simulate", "room.sim", "--sequence", name, in: folder)
        #expect(result.status == 0 && result.errors.contains("frames and"), "\(result.errors)")
      }
      func data(_ name: String) throws -> Data {
        try #require(FileManager.default.contents(atPath: folder + "/" + name))
      }
      func lines(_ name: String) throws -> [String] {
        try String(decoding: data(name), as: UTF8.self).split(separator: "\n").map(String.init)
      }
      let headers = [
        "imu.csv": "t,gx,gy,gz,ax,ay,az,ux,uy,uz", "frames.csv": "t,frame",
        "truth/poses.csv": "frame,t,px,py,pz,qw,qx,qy,qz,vx,vy,vz,exposure,blur,covered",
        "truth/motion.csv": "t,px,py,pz,qw,qx,qy,qz",
        "truth/imu.csv": "t,gx,gy,gz,ax,ay,az,bgx,bgy,bgz,bax,bay,baz",
      ]
      for (name, header) in headers {
        let rows = try lines("a/" + name)
        #expect(rows.first == header)
        let width = header.split(separator: ",").count
        #expect(
          rows.count > 20
            && rows.dropFirst().allSatisfy { $0.split(separator: ",").compactMap { Double($0) }.count == width }
        )
      }
      let frames = try lines("a/frames.csv").count - 1
      #expect(try lines("a/truth/poses.csv").count - 1 == frames)
      for name in Array(headers.keys) + ["sequence.json", "truth/truth.json", "frames/000000.pgm", "frames/000012.pgm"]
      {
        #expect(try data("a/" + name) == data("b/" + name) || name == "truth/truth.json", "\(name)")
      }
      let picture = try data("a/frames/000012.pgm")
      #expect(picture.prefix(13) == Data("P5\n64 80\n255\n".utf8).prefix(13) && picture.count == 13 + 64 * 80)
      let sequence = try #require(try JSONSerialization.jsonObject(with: data("a/sequence.json")) as? [String: Any])
      #expect(sequence["readout"] as? String == "-x" && sequence["format"] as? String == "sightline-odometry-1")
      let truth = try #require(try JSONSerialization.jsonObject(with: data("a/truth/truth.json")) as? [String: Any])
      for key in [
        "name", "kind", "seed", "seconds", "epoch", "focal", "centre", "distortion", "offset", "row_time", "readout",
        "readout_direction",
        "exposure", "lever_device", "misalignment_deg", "device_from_camera", "sensor", "gravity", "events", "rest",
        "known", "planes",
      ] { #expect(truth[key] != nil, "\(key)") }
      let guess = try #require(sequence["focal_guess"] as? Double)
      let focal = try #require(truth["focal"] as? Double)
      #expect(abs(guess / focal - 1) < 0.121 && guess != focal)
      let marker = (truth["known"] as? [String: Any])?["marker"] as? [String: Any]
      #expect(marker?["side"] as? Double == 0.3 && (marker?["down"] as? [Double])?[2] ?? 0 < -0.999)

      let tracked = try await Tool.run("odometry", "track", "--input", "a", "--output", "poses.csv", in: folder)
      #expect(tracked.status == 0, "\(tracked.errors)")
      #expect(try lines("poses.csv").count == frames + 1)
    }
  }

  @Test func `what is wrong with a path or a sequence is said with its place`() async throws {
    let (room, hand) = (room, hand)
    try await Tool.inFolder { folder in
      try room.write(toFile: folder + "/room.sim", atomically: true, encoding: .utf8)
      let missing = try await Tool.run("simulate", "room.sim", "--sequence", "a", in: folder)
      #expect(
        missing.status == 1 && missing.errors.contains("room.sim:6: follow: hand.csv cannot be read"),
        "\(missing.errors)"
      )
      try (hand + "3.1,0,0,zero,1,0,0,0\n").write(toFile: folder + "/hand.csv", atomically: true, encoding: .utf8)
      let bad = try await Tool.run("simulate", "room.sim", "--sequence", "a", in: folder)
      #expect(bad.status == 1 && bad.errors.contains("room.sim:6: follow: hand.csv:62: eight numbers"), "\(bad.errors)")
      try "hold 2\n".write(toFile: folder + "/b.sim", atomically: true, encoding: .utf8)
      let blind = try await Tool.run("simulate", "b.sim", "--sequence", "a", in: folder)
      #expect(blind.status == 1 && blind.errors.contains("b.sim: a sequence needs a camera"), "\(blind.errors)")
      let nothing = try await Tool.run("simulate", "b.sim", in: folder)
      #expect(nothing.status == 64 && nothing.errors.contains("--sequence"), "\(nothing.errors)")
      let truth = try await Tool.run("simulate", "b.sim", "--sequence", "a", "--truth", "t.jsonl", in: folder)
      #expect(truth.status == 64 && truth.errors.contains("--truth belongs to a recording"), "\(truth.errors)")
    }
  }
}
