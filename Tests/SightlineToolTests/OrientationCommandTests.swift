import Foundation
import Testing

@Suite struct OrientationCommandTests {
  private static let header = "t,gx,gy,gz,ax,ay,az,mx,my,mz\n"

  private func folder() throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  /// A device lying still, screen up, its top edge to the east, in a field of 48 µT.
  ///
  /// The field trembles: one that never changes is that of a magnetometer that has stopped.
  private func samples(_ count: Int, ending: String = "\n") -> String {
    (0..<count).reduce(Self.header) { text, number in
      let tremor = 0.05 * Double(number % 3 - 1)
      return text + "\(Double(number) / 100),0,0,0,0,0,9.81,\(-20.3 + tremor),\(tremor),-43.5\(ending)"
    }
  }

  @Test(arguments: ["sightline", "low-pass", "derivative-smoothing", "spherical-mean", "matrix-mean"])
  func `a resting device gets a row for each row`(filter: String) async throws {
    let folder = try folder()
    try samples(200).write(toFile: folder + "/in.csv", atomically: true, encoding: .utf8)
    let outcome = try await Tool.run(
      "orientation",
      "--input",
      "in.csv",
      "--output",
      "out.csv",
      "--filter",
      filter,
      in: folder
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    let rows = try String(contentsOfFile: folder + "/out.csv", encoding: .utf8).split(separator: "\n")
    #expect(rows.count == 201)
    #expect(rows.first == "t,qw,qx,qy,qz")
    // A quarter turn clockwise about "up": the top edge, y, points east.
    let last = try #require(rows.last).split(separator: ",").compactMap { Double($0) }
    #expect(last.count == 5)
    let half = 0.5.squareRoot()
    #expect(abs(abs(last[1] * half - last[4] * half) - 1) < 1e-4)
  }

  @Test(arguments: ["--filter=sightline", "--no-magnetometer", "--no-gyroscope"])
  func `bounds stand behind the quaternion`(option: String) async throws {
    let folder = try folder()
    try samples(200).write(toFile: folder + "/in.csv", atomically: true, encoding: .utf8)
    let outcome = try await Tool.run(
      "orientation",
      "--input",
      "in.csv",
      "--output",
      "out.csv",
      "--bounds",
      option,
      in: folder
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    let rows = try String(contentsOfFile: folder + "/out.csv", encoding: .utf8).split(separator: "\n")
    #expect(rows.first == "t,qw,qx,qy,qz,tilt95,heading95")
    let last = try #require(rows.last).split(separator: ",").compactMap { Double($0) }
    #expect(last.count == 7 && last[5] > 0 && last[5] < 10)
    #expect(option == "--no-magnetometer" ? last[6] == 180 : last[6] < 30)
  }

  @Test func `files with carriage returns are read too`() async throws {
    let folder = try folder()
    try samples(10, ending: "\r\n").write(toFile: folder + "/in.csv", atomically: true, encoding: .utf8)
    let outcome = try await Tool.run(
      "orientation",
      "--input",
      "in.csv",
      "--output",
      "out.csv",
      "--no-magnetometer",
      in: folder
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func `a clock that runs backwards is told, and its row changes nothing`() async throws {
    let folder = try folder()
    var rows = samples(20).split(separator: "\n").map(String.init)
    // Ten rows in, half a second early and with the phone upside down.
    rows.insert("-0.4,0,0,0,0,0,-9.81,20,0,43", at: 11)
    try rows.joined(separator: "\n").write(toFile: folder + "/in.csv", atomically: true, encoding: .utf8)
    let outcome = try await Tool.run("orientation", "--input", "in.csv", "--output", "out.csv", in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("in.csv:12: the clock runs backwards, -0.4 s after 0.09 s"), "\(outcome.errors)")
    let written = try String(contentsOfFile: folder + "/out.csv", encoding: .utf8).split(separator: "\n")
    #expect(written.count == 22)
    #expect(written[11].split(separator: ",").dropFirst() == written[10].split(separator: ",").dropFirst())
  }

  @Test(arguments: [
    ("a,b\n1,2\n", ":1:"), ("t,gx,gy,gz,ax,ay,az,mx,my,mz\n0,0,0\n", ":2:"),
    ("t,gx,gy,gz,ax,ay,az,mx,my,mz\n0,0,0,0,0,0,9.8,1,2,x\n", ":2:"), ("", ":1:"),
  ])
  func `a broken file is refused with its line`(text: String, place: String) async throws {
    let folder = try folder()
    try text.write(toFile: folder + "/in.csv", atomically: true, encoding: .utf8)
    let outcome = try await Tool.run("orientation", "--input", "in.csv", "--output", "out.csv", in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("in.csv\(place)"), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder + "/out.csv"))
  }
}
