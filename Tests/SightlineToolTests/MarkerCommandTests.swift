import Foundation
import Testing

@Suite struct MarkerCommandTests {
  /// A line of `markers detect --format json`.
  private struct Line: Decodable {
    struct Pose: Decodable {
      var rotation: [Double]
      var translation: [Double]
      var reprojectionError: Double
    }
    struct Marker: Decodable {
      var id: Int
      var dictionary: String
      var corners: [[Double]]
      var confidence: Double
      var rotation: [Double]?
      var translation: [Double]?
      var reprojectionError: Double?
      var alternative: Pose?
    }
    var file: String
    var milliseconds: Double
    var markers: [Marker]
  }

  private func folder() throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Id 0 of 4x4 as a PGM: cells of 20 pixels, its border's outer edge from (49.5, 29.5) to (169.5, 149.5).
  private func picture() -> Data {
    let rows = [0b1011, 0b0101, 0b0011, 0b0010]
    var pixels = [UInt8](repeating: 255, count: 220 * 180)
    for y in 30..<150 {
      for x in 50..<170 {
        let (column, row) = ((x - 50) / 20 - 1, (y - 30) / 20 - 1)
        let isWhite = (0..<4).contains(column) && (0..<4).contains(row) && (rows[row] >> (3 - column)) & 1 == 1
        if !isWhite { pixels[y * 220 + x] = 0 }
      }
    }
    return Data("P5 220 180 255\n".utf8) + Data(pixels)
  }

  private func lines(_ output: String) throws -> [Line] {
    try output.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }

  @Test func `a perfect print is where it was put`() async throws {
    let folder = try folder()
    try picture().write(to: URL(fileURLWithPath: folder + "/a \"b\".pgm"))
    let outcome = try await Tool.run(
      "markers",
      "detect",
      "--dictionary",
      "4x4-50",
      "--dictionary",
      "6x6-250",
      "--intrinsics",
      "500,500,109.5,89.5",
      "--marker-length",
      "0.12",
      "--format",
      "json",
      "a \"b\".pgm",
      in: folder
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    let line = try #require(try lines(outcome.output).first)
    #expect(line.file == "a \"b\".pgm" && line.milliseconds > 0)
    let marker = try #require(line.markers.first)
    #expect(line.markers.count == 1 && marker.id == 0 && marker.dictionary == "4x4-50" && marker.confidence > 0.9)
    let corners = [[49.5, 29.5], [169.5, 29.5], [169.5, 149.5], [49.5, 149.5]]
    for (found, truth) in zip(marker.corners, corners) {
      #expect(abs(found[0] - truth[0]) < 0.05 && abs(found[1] - truth[1]) < 0.05, "\(marker.corners)")
    }
    // Straight ahead: half a turn about x, in either sign, as far away as the focal length says.
    let rotation = try #require(marker.rotation)
    #expect(abs(abs(rotation[1]) - 1) < 1e-3)
    let translation = try #require(marker.translation)
    #expect(abs(translation[2] - 0.5) < 1e-3 && abs(translation[0]) < 1e-3 && abs(translation[1]) < 1e-3)
    #expect(try #require(marker.reprojectionError) < 0.05)
  }

  @Test func `without a camera there is no pose`() async throws {
    let folder = try folder()
    try picture().write(to: URL(fileURLWithPath: folder + "/a.pgm"))
    let outcome = try await Tool.run(
      "markers",
      "detect",
      "--dictionary",
      "DICT_4X4_50",
      "--format",
      "json",
      "a.pgm",
      in: folder
    )
    let marker = try #require(try lines(outcome.output).first?.markers.first)
    #expect(marker.rotation == nil && marker.translation == nil && marker.alternative == nil)
  }

  @Test func `a file that cannot be read leaves no line and spoils only the status`() async throws {
    let folder = try folder()
    try picture().write(to: URL(fileURLWithPath: folder + "/a.pgm"))
    try Data("P5 220 180 255\n".utf8).write(to: URL(fileURLWithPath: folder + "/short.pgm"))
    try Data("P5 1 1 255 x".utf8).write(to: URL(fileURLWithPath: folder + "/one.pgm"))
    let outcome = try await Tool.run(
      "markers",
      "detect",
      "--dictionary",
      "4x4-50",
      "--format",
      "json",
      "short.pgm",
      "a.pgm",
      "none.png",
      "one.pgm",
      in: folder
    )
    #expect(outcome.status == 1)
    let found = try lines(outcome.output)
    #expect(found.map(\.file) == ["a.pgm", "one.pgm"])
    #expect(found.map(\.markers.count) == [1, 0])
    let errors = outcome.errors.split(separator: "\n")
    #expect(errors.count == 2 && errors[0].hasPrefix("short.pgm: PGM/PPM: the file ends too early"), "\(errors)")
    #expect(errors.count == 2 && errors[1].hasPrefix("none.png: there is no such file"))
  }

  @Test(arguments: [
    ["--dictionary", "6x6-251"], ["--dictionary", "4x4-50", "--intrinsics", "1,2,3"],
    ["--dictionary", "4x4-50", "--intrinsics", "0,2,3,4"], ["--dictionary", "4x4-50", "--distortion=-0.1"],
    ["--dictionary", "4x4-50", "--marker-length", "0"], ["--dictionary", "4x4-50", "--intrinsics", "a,b,c,d"], [],
  ])
  func `a command line that makes no sense is refused`(arguments: [String]) async throws {
    let folder = try folder()
    let outcome = try await Tool.onThread {
      let process = Tool.process(["markers", "detect"] + arguments + ["a.pgm"], in: folder)
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus
    }
    #expect(outcome == 64)
  }
}
