import Foundation
import HTTPTypes
import SightlineTerrain
import Testing

@testable import SightlineServer

/// Heights of the ground, from tiles in a folder.
@Suite struct GroundTests {
  /// A server with a tile around Ulm: 478 m at its north rim, 2 m less each row southwards, and a void in the middle.
  private func fixture() async throws -> ServerFixture {
    let folder = NSTemporaryDirectory() + "sightline-ground-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var bytes = [UInt8](repeating: 0, count: 2 * 1201 * 1201)
    for index in 0..<(1201 * 1201) {
      let row = index / 1201
      let height = index == 600 * 1201 + 600 ? Int16.min : Int16(478 + 2 * row)
      (bytes[2 * index], bytes[2 * index + 1]) = (
        UInt8(UInt16(bitPattern: height) >> 8), UInt8(truncatingIfNeeded: height)
      )
    }
    try Data(bytes).write(to: URL(fileURLWithPath: folder + "/N48E009.hgt"))
    try TerrainFolder(path: folder + "/terrain").add([folder + "/N48E009.hgt"])
    return try await ServerFixture { $0.terrainFolder = folder + "/terrain" }
  }

  private func ask(
    _ fixture: ServerFixture,
    _ body: String,
    type: String = "application/json",
    headers: HTTPFields = [:]
  ) async throws -> (status: Int, body: String) {
    var fields = headers
    fields[.contentType] = type
    let answer = try await fixture.request("/api/v1/ground", .post, headers: fields, body: body)
    return (answer.status.code, String(buffer: answer.body))
  }

  @Test func `places have the ground's height over the sea, or none`() async throws {
    let fixture = try await fixture()
    let question = """
      {"places": [{"latitude": 49, "longitude": 9.5}, {"latitude": 48.99958333333333, "longitude": 9.123}, {"latitude": 48.5, "longitude": 9.5},
        {"latitude": 48.4, "longitude": 10.2}, {"latitude": -90, "longitude": 180}]}
      """
    let (status, body) = try await ask(fixture, question)
    #expect(status == 200 && body == #"{"heights":[null,479,null,null,null]}"#, "\(status) \(body)")
    let empty = try await ask(fixture, #"{"places": []}"#)
    #expect(empty == (200, #"{"heights":[]}"#))
    let settings = try await fixture.request("/api/v1/settings")
    #expect(String(buffer: settings.body).contains(#""hasTerrain":true"#))
  }

  @Test func `without terrain the server says so`() async throws {
    let fixture = try await ServerFixture()
    let (status, body) = try await ask(fixture, #"{"places": []}"#)
    #expect(status == 404 && body.contains("ground.off"))
    #expect(String(buffer: try await fixture.request("/api/v1/settings").body).contains(#""hasTerrain":false"#))
  }

  @Test func `what is no question is refused, and says what is wrong`() async throws {
    let fixture = try await fixture()
    let many = Array(repeating: #"{"latitude":1,"longitude":1}"#, count: 501).joined(separator: ",")
    let cases: [(String, Int, String)] = [
      ("", 400, "body"), ("[]", 400, "body"), (#"{"places": 7}"#, 400, "places"),
      (#"{"places": [{"latitude": 1}]}"#, 400, "longitude"),
      (#"{"places": [{"latitude": 48, "longitude": 9}, {"latitude": 91, "longitude": 9}]}"#, 400, "Place 1"),
      (#"{"places": [{"latitude": 48, "longitude": -180.001}]}"#, 400, "Place 0"),
      (#"{"places": [{"latitude": 1e999, "longitude": 9}]}"#, 400, "JSON"),
      ("{\"places\": [\(many)]}", 400, "at most 500"),
    ]
    for (question, status, word) in cases {
      let answer = try await ask(fixture, question)
      #expect(answer.status == status && answer.body.contains(word), "\(question.prefix(60)): \(answer)")
    }
    #expect(try await ask(fixture, String(repeating: " ", count: 70_000)).status == 413)
    #expect(try await ask(fixture, #"{"places": []}"#, type: "text/plain").status == 415)
    #expect(try await ask(fixture, #"{"places": []}"#, headers: [.init("Sec-Fetch-Site")!: "cross-site"]).status == 403)
    // As deep as a body can be, and still an answer.
    let deep = String(repeating: "[", count: 30_000)
    #expect(try await ask(fixture, deep).status == 400)
  }
}
