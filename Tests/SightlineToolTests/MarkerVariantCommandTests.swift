import Foundation
import Testing

/// Inverted and mirrored prints, boards and maps, by the command line.
@Suite struct MarkerVariantCommandTests {
  /// A line of `markers detect --format json`.
  private struct Line: Decodable {
    struct Marker: Decodable {
      var id: Int
      var corners: [[Double]]
      var inverted: Bool?
      var mirrored: Bool?
    }
    struct Board: Decodable {
      var rotation: [Double]
      var translation: [Double]
      var reprojectionError: Double
      var markers: Int
      var fitting: Int
    }
    var markers: [Marker]
    var board: Board?
  }

  private func line(_ outcome: Tool.Outcome) throws -> Line {
    try JSONDecoder().decode(Line.self, from: Data(outcome.output.utf8))
  }

  /// Id 0 of 4x4 as a PGM with cells of 20 pixels, from (50, 30) on.
  private func picture(isInverted: Bool, isMirrored: Bool) -> Data {
    let rows = [0b1011, 0b0101, 0b0011, 0b0010]
    var pixels = [UInt8](repeating: isInverted ? 0 : 255, count: 220 * 180)
    for y in 30..<150 {
      for x in 50..<170 {
        let (column, row) = ((x - 50) / 20 - 1, (y - 30) / 20 - 1)
        let seen = isMirrored ? 3 - column : column
        let isWhite = (0..<4).contains(column) && (0..<4).contains(row) && (rows[row] >> (3 - seen)) & 1 == 1
        pixels[y * 220 + x] = isWhite != isInverted ? 255 : 0
      }
    }
    return Data("P5 220 180 255\n".utf8) + Data(pixels)
  }

  @Test(arguments: [(true, false), (false, true)])
  func `inverted and mirrored prints are found when asked for, and say so`(
    isInverted: Bool,
    isMirrored: Bool
  ) async throws {
    try await Tool.inFolder { folder in
      try picture(isInverted: isInverted, isMirrored: isMirrored).write(to: URL(fileURLWithPath: folder + "/a.pgm"))
      let command = ["markers", "detect", "--dictionary", "4x4-50", "--format", "json", "a.pgm"]
      let without = try line(try await Tool.run(command, in: folder))
      #expect(without.markers.isEmpty && without.board == nil)
      let with = try line(try await Tool.run(command + [isInverted ? "--inverted" : "--mirrored"], in: folder))
      let marker = try #require(with.markers.first)
      #expect(with.markers.count == 1 && marker.id == 0)
      #expect(marker.inverted == (isInverted ? true : nil) && marker.mirrored == (isMirrored ? true : nil))
      // Its own top left is at the top right of a mirrored print.
      #expect(abs(marker.corners[0][0] - (isMirrored ? 169.5 : 49.5)) < 0.1, "\(marker.corners)")
      let text = try await Tool.run(
        ["markers", "detect", "--dictionary", "4x4-50", "--inverted", "--mirrored", "a.pgm"],
        in: folder
      )
      #expect(text.output.contains(isInverted ? ", inverted" : ", mirrored"))
    }
  }

  /// A board on paper, seen by a camera of 1000 pixels that looks straight at it: ten pixels a millimetre are half a metre and
  /// more away.
  private func board(in folder: String) async throws {
    let made = try await Tool.run(
      ["markers", "make", "--dictionary", "5x5-100", "--board", "5x4", "--square", "0.03", "--length", "0.02"]
        + ["--paper", "a5", "--dpi", "101.6", "-o", "b.png"],
      in: folder
    )
    #expect(made.status == 0, "\(made.errors)")
  }

  @Test func `a board has one pose of all its markers`() async throws {
    try await Tool.inFolder { folder in
      try await board(in: folder)
      // A5 lying at four dots a millimetre is 840 × 592 pixels; f of 1000 pixels sees 4 pixels a millimetre at 0.25 m.
      let camera = ["--intrinsics", "1000,1000,419.5,295.5"]
      let found = try line(
        try await Tool.run(
          [
            "markers", "detect", "--dictionary", "5x5-100", "--board", "5x4", "--square", "0.03", "--marker-length",
            "0.02",
          ]
            + camera + ["--format", "json", "b.png"],
          in: folder
        )
      )
      let pose = try #require(found.board)
      #expect(pose.markers == 10 && pose.fitting == 10 && pose.reprojectionError < 0.1)
      #expect(abs(abs(pose.rotation[1]) - 1) < 1e-4, "\(pose.rotation)")
      #expect(abs(pose.translation[2] - 0.25) < 2e-4, "\(pose.translation)")
      #expect(abs(pose.translation[0]) < 2e-4 && abs(pose.translation[1]) < 2e-4, "\(pose.translation)")

      // The same by a map: the first two white squares of the upper row, one of them told twice as far out as it is.
      let map = """
        {"markers": [{"dictionary": "5x5-100", "id": 0, "length": 0.02, "position": [-0.03, 0.045, 0.1]},
        {"dictionary": "5x5-100", "id": 1, "length": 0.02, "position": [0.03, 0.045, 0.1], "rotation": [2, 0, 0, 0]},
        {"dictionary": "6x6-250", "id": 77, "length": 0.02, "position": [0, 0, 0]}]}
        """
      try Data(map.utf8).write(to: URL(fileURLWithPath: folder + "/map.json"))
      let mapped = try line(
        try await Tool.run(
          ["markers", "detect", "--map", "map.json"] + camera + ["--format", "json", "b.png"],
          in: folder
        )
      )
      let other = try #require(mapped.board)
      #expect(other.markers == 2 && other.fitting == 2)
      // The thing's origin is 0.1 m behind the print.
      #expect(abs(other.translation[2] - 0.35) < 2e-3, "\(other.translation)")

      let text = try await Tool.run(["markers", "detect", "--map", "map.json"] + camera + ["b.png"], in: folder)
      #expect(text.output.contains("board: 0.35") && text.output.contains("2 of 2 markers fit"), "\(text.output)")
    }
  }

  @Test func `a map without its markers in the picture has no pose`() async throws {
    try await Tool.inFolder { folder in
      try Data("P5 1 1 255 x".utf8).write(to: URL(fileURLWithPath: folder + "/one.pgm"))
      let map = #"{"markers": [{"dictionary": "5x5-100", "id": 0, "length": 0.02, "position": [0, 0, 0]}]}"#
      try Data(map.utf8).write(to: URL(fileURLWithPath: folder + "/map.json"))
      let outcome = try await Tool.run(
        ["markers", "detect", "--map", "map.json", "--intrinsics", "1,1,0,0", "--format", "json", "one.pgm"],
        in: folder
      )
      #expect(outcome.status == 0 && outcome.output.contains(#""markers": [], "board": null"#), "\(outcome.output)")
    }
  }

  @Test(arguments: [
    ("", "this is no JSON"), ("{}", "\"markers\" is missing"), (#"{"markers": []}"#, "there is no marker"),
    (#"{"markers": [{"id": 1}]}"#, "markers[0]: \"dictionary\" is missing"),
    (#"{"markers": [{"dictionary": "5x5-100", "id": "1"}]}"#, "markers[0].id: another kind of value"),
    (#"{"markers": [{"dictionary": "9x9", "id": 1, "length": 1, "position": [0,0,0]}]}"#, "there is no dictionary 9x9"),
    (
      #"{"markers": [{"dictionary": "5x5-50", "id": 50, "length": 1, "position": [0,0,0]}]}"#,
      "5x5-50 has ids 0 to 49, not 50"
    ),
    (#"{"markers": [{"dictionary": "5x5-50", "id": 5, "length": 0, "position": [0,0,0]}]}"#, "length has to be"),
    (#"{"markers": [{"dictionary": "5x5-50", "id": 5, "length": 1, "position": [0,0]}]}"#, "three numbers"),
    (
      #"{"markers": [{"dictionary": "5x5-50", "id": 5, "length": 1, "position": [0,0,0], "rotation": [0,0,0,0]}]}"#,
      "rotation has to be"
    ),
    (
      #"{"markers": [{"dictionary": "5x5-50", "id": 5, "length": 1, "position": [0,0,0]}, {"dictionary": "5x5-100", "id": 5, "length": 1, "position": [0,0,0]}]}"#,
      "markers[1]: 5x5-100 5 was there before"
    ),
  ])
  func `a map that makes no sense says where`(map: String, message: String) async throws {
    try await Tool.inFolder { folder in
      try Data(map.utf8).write(to: URL(fileURLWithPath: folder + "/map.json"))
      let outcome = try await Tool.run(
        ["markers", "detect", "--map", "map.json", "--intrinsics", "1,1,0,0", "a.pgm"],
        in: folder
      )
      #expect(outcome.status == 1 && outcome.errors.contains("map.json: "), "\(outcome.errors)")
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
  }

  @Test(arguments: [
    (["--board", "5x4"], "--intrinsics"), (["--square", "0.1"], "without --board"),
    (["--board", "5x4", "--intrinsics", "1,1,0,0"], "needs --square"),
    (["--map", "m.json", "--board", "5x4"], "not both"), (["--map", "m.json"], "--intrinsics"),
  ])
  func `options that do not go together are refused`(arguments: [String], message: String) async throws {
    try await Tool.inFolder { folder in
      let outcome = try await Tool.run(
        ["markers", "detect", "--dictionary", "5x5-50"] + arguments + ["a.pgm"],
        in: folder
      )
      #expect(outcome.status == 64 && outcome.errors.contains(message), "\(outcome.errors)")
    }
  }
}
