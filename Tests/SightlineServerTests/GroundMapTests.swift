import Foundation
import HTTPTypes
import SightlineGround
import Testing

@testable import SightlineServer

/// The operator's own map, and ways to walk on it.
@Suite struct GroundMapTests {
  private static let extract = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/demo/ground/Helsinki.osm.pbf").path

  /// The ground of central Helsinki, made once; nobody changes it.
  private static let helsinki = Task {
    try await GroundFolder(path: NSTemporaryDirectory() + "sightline-grounds-\(UUID().uuidString)")
      .add(extract: extract, as: "helsinki")
  }

  /// A server with central Helsinki.
  private func fixture() async throws -> (ServerFixture, GroundFile) {
    let file = try await Self.helsinki.value
    let folder = URL(fileURLWithPath: file.path).deletingLastPathComponent().path
    return (try await ServerFixture { $0.groundFolder = folder }, file)
  }

  private func ask(
    _ fixture: ServerFixture,
    _ path: String,
    _ body: String
  ) async throws -> (status: Int, json: JSONAnswer) {
    let answer = try await fixture.request(path, .post, headers: [.contentType: "application/json"], body: body)
    return (answer.status.code, try JSONAnswer(answer))
  }

  @Test func `tiles come packed or plain, are named by a tag, and are empty where nothing is`() async throws {
    let (fixture, file) = try await fixture()
    let id = try #require(file.tileIDs.last)
    let path = "/api/v1/ground/tiles/\(id.zoom)/\(id.column)/\(id.row)"
    let content = try #require(file.tile(id).flatMap(GroundFile.content))
    let packed = try await fixture.request(path + "?version=1", headers: [.acceptEncoding: "gzip"])
    #expect(packed.headers[.contentEncoding] == "gzip")
    #expect(packed.headers[.cacheControl]?.contains("immutable") == true)
    #expect(GroundFile.content(Data(packed.body.readableBytesView)) == content)
    let plain = try await fixture.request(path)
    #expect(plain.headers[.contentEncoding] == nil && [UInt8](plain.body.readableBytesView) == content)
    let tag = try #require(plain.headers[.eTag])
    #expect(try await fixture.request(path, headers: [.ifNoneMatch: tag]).status == .notModified)
    #expect(try await fixture.request("/api/v1/ground/tiles/16/0/0").status == .noContent)
    let settings = try JSONAnswer(try await fixture.request("/api/v1/settings"))
    let ground = try #require(settings["ground"] as? [String: Any])
    #expect(ground["attribution"] as? String == "© OpenStreetMap contributors")
    #expect(ground["zooms"] as? [Int] == [10, 12, 14, 16])
    #expect((ground["areas"] as? [[Int]])?.first?.count == 4)
  }

  @Test(arguments: ["17/0/0", "11/0/0", "16/65536/0", "16/-1/0", "a/b/c", "16/1/99999999999999999999"])
  func `what is no tile is refused`(name: String) async throws {
    let (fixture, _) = try await fixture()
    let answer = try await fixture.request("/api/v1/ground/tiles/\(name)")
    #expect(answer.status == .notFound)
    #expect(String(buffer: answer.body).contains("ground.tile"))
  }

  @Test func `without a ground the server says so`() async throws {
    let fixture = try await ServerFixture()
    let tile = try await fixture.request("/api/v1/ground/tiles/16/1/1")
    #expect(tile.status == .notFound && String(buffer: tile.body).contains("ground.none"))
    let question = #"{"from":{"latitude":60.17,"longitude":24.94},"to":{"latitude":60.17,"longitude":24.94}}"#
    let (status, json) = try await ask(fixture, "/api/v1/routes/foot", question)
    #expect(status == 404 && json["code"] as? String == "foot.none")
  }

  @Test func `a way leads along streets from the station to the square, with what to do on it`() async throws {
    let (fixture, _) = try await fixture()
    let question = #"{"from":{"latitude":60.1712,"longitude":24.9415},"to":{"latitude":60.1690,"longitude":24.9500}}"#
    let (status, json) = try await ask(fixture, "/api/v1/routes/foot", question)
    #expect(status == 200)
    #expect(json["attribution"] as? String == "© OpenStreetMap contributors")
    let route = try #require(json.objects("routes").first)
    let metres = try #require(route["metres"] as? Double)
    // 530 m in a straight line.
    #expect((530...900).contains(metres))
    #expect((metres / 2...metres * 2).contains(try #require(route["seconds"] as? Double)))
    let line = try #require(route["line"] as? [Double])
    #expect(line.count >= 8 && line.count % 2 == 0)
    #expect(abs(line[0] - 60.1712) < 1e-6 && abs(line[line.count - 1] - 24.95) < 1e-6)
    let instructions = try #require(route["instructions"] as? [[String: Any]])
    #expect(instructions.first?["action"] as? String == "depart" && instructions.last?["action"] as? String == "arrive")
    #expect(instructions.contains { $0["name"] is String })
    let distances = try await ask(
      fixture,
      "/api/v1/routes/foot/distances",
      #"{"from":{"latitude":60.1712,"longitude":24.9415},"to":[{"latitude":60.1690,"longitude":24.9500},{"latitude":61,"longitude":25}]}"#
    )
    #expect(distances.status == 200)
    let list = try #require(distances.json["distances"] as? [Any])
    try #require(list.count == 2 && list[1] is NSNull)
    #expect(abs(try #require((list[0] as? [String: Any])?["metres"] as? Double) - metres) < 1)
  }

  @Test func `what is no question is refused, and says what is wrong`() async throws {
    let (fixture, _) = try await fixture()
    let here = #"{"latitude":60.1712,"longitude":24.9415}"#
    let many = Array(repeating: here, count: 101).joined(separator: ",")
    let cases: [(String, String, Int, String)] = [
      ("", "{}", 400, "from"), ("", #"{"from":\#(here),"to":{"latitude":91,"longitude":0}}"#, 400, "to"),
      ("", #"{"from":{"latitude":-90,"longitude":180},"to":\#(here)}"#, 404, "foot.none"),
      ("", #"{"from":\#(here),"to":{"latitude":48,"longitude":10}}"#, 200, #""routes":[]"#),
      ("", #"{"from":\#(here),"to":{"latitude":48,"longitude":10}}"#, 200, "metres of the destination"),
      ("", #"{"from":{"latitude":1e999,"longitude":0},"to":\#(here)}"#, 400, "JSON"),
      ("/distances", #"{"from":\#(here),"to":[\#(many)]}"#, 400, "at most 100"),
      ("/distances", #"{"from":\#(here),"to":7}"#, 400, "to"),
    ]
    for (path, body, status, word) in cases {
      let answer = try await fixture.request(
        "/api/v1/routes/foot" + path,
        .post,
        headers: [.contentType: "application/json"],
        body: body
      )
      #expect(
        answer.status.code == status && String(buffer: answer.body).contains(word),
        "\(body.prefix(80)): \(String(buffer: answer.body))"
      )
    }
    let empty = try await ask(fixture, "/api/v1/routes/foot/distances", #"{"from":\#(here),"to":[]}"#)
    #expect(empty.status == 200)
  }
}
