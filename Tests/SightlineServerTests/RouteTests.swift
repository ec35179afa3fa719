import Foundation
import HTTPTypes
import NIOCore
import SightlineContent
import SightlineStore
import Testing

@testable import SightlineServer

@Suite struct RouteTests {
  // MARK: Every answer

  @Test func `an unknown path is 404 with a problem document`() async throws {
    let fixture = try await ServerFixture()
    for path in ["/nope", "/api", "/api/v1/worlds/", "/api/v1/worlds/a/b", "//", "/%2e%2e/etc/passwd", "/worlds/.gddf"]
    {
      try expectProblem(try await fixture.request(path), 404, "route.unknown")
    }
  }

  @Test(arguments: [
    ("/api/v1/worlds", "DELETE", "GET, HEAD, OPTIONS"), ("/api/v1/nearby", "PUT", "GET, HEAD, OPTIONS, POST"),
    ("/api/v1/open", "GET", "OPTIONS, POST"), ("/health/live", "POST", "GET, HEAD, OPTIONS"),
    ("/worlds/ulm.gddf", "PATCH", "GET, HEAD, OPTIONS, POST"), ("/api/v1/worlds", "BREW", "GET, HEAD, OPTIONS"),
  ])
  func `a method that a path does not take is 405 with Allow`(
    path: String,
    method: String,
    allow: String
  )
    async throws
  {
    let fixture = try await ServerFixture()
    let response = try await fixture.request(path, try #require(HTTPRequest.Method(method)))
    try expectProblem(response, 405, "method.not-allowed")
    #expect(response.headers[.allow] == allow)
  }

  @Test func `OPTIONS lists the methods`() async throws {
    let fixture = try await ServerFixture()
    let response = try await fixture.request("/api/v1/open", .options)
    #expect(response.status == .noContent)
    #expect(response.headers[.allow] == "OPTIONS, POST")
  }

  @Test func `HEAD has the header fields of GET and no body`() async throws {
    let fixture = try await ServerFixture()
    try await fixture.add("ulm", [place("Minster", 48.3984, 9.9916)])
    for path in ["/api/v1/worlds", "/api/v1/worlds/ulm", "/health/live", "/nope"] {
      let get = try await fixture.request(path)
      let head = try await fixture.request(path, .head)
      #expect(head.status == get.status)
      #expect(head.body.readableBytes == 0)
      #expect(head.headers[.contentLength] == String(get.body.readableBytes))
      #expect(head.headers[.eTag] == get.headers[.eTag])
    }
  }

  @Test func `a well-formed request identifier is kept, any other is replaced`() async throws {
    let fixture = try await ServerFixture()
    let kept = try await fixture.request("/health/live", headers: [.requestID: "trace-12345678.A_b"])
    #expect(kept.headers[.requestID] == "trace-12345678.A_b")
    for id in ["short", String(repeating: "a", count: 65), "with blank 1", "quote\"quote", "ünïcödé-id"] {
      let response = try await fixture.request("/health/live", headers: [.requestID: id])
      let own = try #require(response.headers[.requestID])
      #expect(own != id)
      #expect(RequestIdentifier.isWellFormed(own))
    }
  }

  @Test func `every answer has the security header fields`() async throws {
    let fixture = try await ServerFixture(webClient: ["index.html": "<!doctype html>", "app.js": "1"])
    for path in ["/", "/client/dev/app.js", "/api/v1/worlds", "/health/live", "/nope", "/api/v1/settings"] {
      let headers = try await fixture.request(path).headers
      #expect(headers[.xContentTypeOptions] == "nosniff")
      #expect(headers[.referrerPolicy] == "strict-origin")
      let policy = try #require(headers[.contentSecurityPolicy])
      #expect(policy.hasPrefix("default-src 'none'"))
      #expect(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"))
      #expect(headers[values: .contentSecurityPolicy].count == 1)
    }
  }

  @Test func `a target that is too long is 414`() async throws {
    let fixture = try await ServerFixture()
    let long = "/api/v1/nearby?latitude=48&longitude=9&x=" + String(repeating: "a", count: 9000)
    try expectProblem(try await fixture.request(long), 414, "target.too-long")
  }

  // MARK: Health

  @Test func `the server is alive at once, ready after preparation, and not when it stops`() async throws {
    let fixture = try await ServerFixture(prepared: false)
    #expect(try await fixture.request("/health/live").status == .ok)
    #expect(try await fixture.request("/health/ready").status == .serviceUnavailable)
    try expectProblem(try await fixture.request("/api/v1/worlds"), 503, "server.starting")
    try expectProblem(
      try await fixture.request("/api/v1/nearby?latitude=1&longitude=2"),
      503,
      "server.starting"
    )
    try await fixture.server.prepare()
    let ready = try await fixture.request("/health/ready")
    #expect(ready.status == .ok)
    #expect(try JSONAnswer(ready)["status"] as? String == "ready")
    fixture.server.readiness.become(.stopping)
    #expect(try await fixture.request("/health/ready").status == .serviceUnavailable)
    #expect(try await fixture.request("/health/live").status == .ok)
    // There is no way back.
    fixture.server.readiness.become(.ready)
    #expect(try await fixture.request("/health/ready").status == .serviceUnavailable)
  }

  @Test func `a store that fails makes the server unready and its fault is not told to clients`() async throws {
    let fixture = try await ServerFixture()
    try await fixture.add("ulm", [])
    try fixture.database.close()
    let ready = try await fixture.request("/health/ready")
    #expect(ready.status == .serviceUnavailable)
    #expect(try JSONAnswer(ready).objects("failing").map { $0["check"] as? String } == ["database"])
    let response = try await fixture.request("/api/v1/worlds/ulm")
    try expectProblem(response, 500, "server.failed")
    #expect(!String(buffer: response.body).lowercased().contains("sqlite"))
    let requestID = try #require(response.headers[.requestID])
    #expect(fixture.logLines.all.contains { $0.contains(requestID) && $0.contains("request failed") })
  }

  // MARK: Worlds

  @Test func `the list of worlds shows what is stored and changes with it`() async throws {
    let fixture = try await ServerFixture()
    try await fixture.add("ulm", [place("Minster", 48.4, 10), place("Bridge", 48.4, 10)], name: "Ulm")
    let response = try await fixture.request("/api/v1/worlds")
    let world = try #require(try JSONAnswer(response).objects("worlds").first)
    #expect(world["id"] as? String == "ulm")
    #expect(world["title"] as? String == "Ulm")
    #expect(world["summary"] is NSNull)
    #expect(world["places"] as? Int == 2)
    #expect(world["overlays"] as? Int == 0)
    #expect(world["version"] as? Int == 1)
    #expect(world["format"] as? String == "gddf")
    #expect((world["center"] as? [String: Double]) == ["latitude": 48.4, "longitude": 10])
    let updated = try #require(world["updated"] as? String)
    let date = try Date(updated, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    #expect(abs(date.timeIntervalSinceNow) < 60)
    let etag = try #require(response.headers[.eTag])
    #expect(try await fixture.request("/api/v1/worlds", headers: [.ifNoneMatch: etag]).status == .notModified)
    // Another process imports something.
    _ = try await fixture.stores.worlds.save(WorldDraft(id: "neu", dimension: Dimension(), format: "area"))
    try await fixture.server.catalog.refresh()
    let changed = try await fixture.request("/api/v1/worlds", headers: [.ifNoneMatch: etag])
    #expect(changed.status == .ok)
    #expect(try JSONAnswer(changed).objects("worlds").compactMap { $0["id"] as? String } == ["neu", "ulm"])
  }

  @Test func `a world's JSON is the stored content with the reader's findings`() async throws {
    let fixture = try await ServerFixture()
    var dimension = Dimension()
    dimension.name = "Ulm"
    dimension.places = [place("Minster", 48.3984, 9.9916, 482)]
    let problem = Problem(.warning, "D020", line: 3, path: "dimension", message: "Twice.")
    _ = try await fixture.stores.worlds.save(
      WorldDraft(id: "ulm", dimension: dimension, problems: [problem], format: "gddf")
    )
    try await fixture.server.catalog.refresh()
    let response = try await fixture.request("/api/v1/worlds/ulm")
    #expect(response.headers[.contentType] == "application/json")
    #expect(response.headers[.cacheControl] == "no-cache")
    struct Answer: Decodable {
      struct World: Decodable {
        var id: String
        var version: Int
      }
      var world: World
      var dimension: SightlineContent.Dimension
      var problems: [Problem]
    }
    let answer = try JSONDecoder().decode(Answer.self, from: Data(response.body.readableBytesView))
    #expect(answer.world.id == "ulm")
    #expect(answer.world.version == 1)
    #expect(answer.dimension == dimension)
    #expect(answer.problems == [problem])
    let post = try await fixture.request(
      "/api/v1/worlds/ulm",
      .post,
      headers: [.contentType: "application/x-www-form-urlencoded"],
      body: "event=init&lat=48.4&lon=10&uid=x&"
    )
    #expect(post.body == response.body)
    #expect(post.headers[.cacheControl] == "no-store")
    try expectProblem(try await fixture.request("/api/v1/worlds/none"), 404, "world.unknown")
    try expectProblem(try await fixture.request("/api/v1/worlds/..%2Fx"), 404, "world.unknown")
    try expectProblem(
      try await fixture.request(
        "/api/v1/worlds/ulm",
        .post,
        headers: [.contentType: "application/json"],
        body: "{}"
      ),
      415,
      "body.media-type"
    )
  }

  @Test func `a world's entity tag changes with its version, and 304 needs a match`() async throws {
    let fixture = try await ServerFixture()
    try await fixture.add("ulm", [place("Minster", 48.3984, 9.9916)])
    let first = try #require(try await fixture.request("/api/v1/worlds/ulm").headers[.eTag])
    func status(_ tags: String) async throws -> Int {
      try await fixture.request("/api/v1/worlds/ulm", headers: [.ifNoneMatch: tags]).status.code
    }
    #expect(try await status(first) == 304)
    #expect(try await status("\"other\", \(first)") == 304)
    #expect(try await status(first.replacingOccurrences(of: "W/", with: "")) == 304)
    #expect(try await status("*") == 304)
    #expect(try await status("\"other\"") == 200)
    #expect(try await status("") == 200)
    try await fixture.add("ulm", [place("Minster", 48.3985, 9.9916)])
    #expect(try await status(first) == 200)
    // Going back to the old content is a third version, not the first again.
    try await fixture.add("ulm", [place("Minster", 48.3984, 9.9916)])
    #expect(try await status(first) == 200)
  }

  @Test func `large answers are compressed for those who take it`() async throws {
    let fixture = try await ServerFixture()
    try await fixture.add("ulm", (0..<200).map { place("Place \($0)", 48, 10) })
    let plain = try await fixture.request("/api/v1/worlds/ulm")
    #expect(plain.headers[.contentEncoding] == nil)
    #expect(plain.headers[.vary] == "Accept-Encoding")
    let zipped = try await fixture.request("/api/v1/worlds/ulm", headers: [.acceptEncoding: "gzip, br"])
    #expect(zipped.headers[.contentEncoding] == "gzip")
    #expect(zipped.body.readableBytes * 4 < plain.body.readableBytes)
    let unpacked = try await gunzip(Data(zipped.body.readableBytesView))
    #expect(unpacked == Data(plain.body.readableBytesView))
    let refused = try await fixture.request("/api/v1/worlds/ulm", headers: [.acceptEncoding: "gzip;q=0, *;q=0.5"])
    #expect(refused.headers[.contentEncoding] == nil)
  }

  @Test func `a removed world is gone at once`() async throws {
    let fixture = try await ServerFixture()
    try await fixture.add("ulm", [place("Minster", 48.3984, 9.9916)])
    #expect(try await fixture.stores.worlds.remove("ulm"))
    try await fixture.server.catalog.refresh()
    try expectProblem(try await fixture.request("/api/v1/worlds/ulm"), 404, "world.unknown")
    let near = try await fixture.request("/api/v1/nearby?latitude=48&longitude=10")
    #expect(String(buffer: near.body) == #"{"places":[]}"#)
  }

  // MARK: Files and settings

  @Test func `stored files are served for ever under their hash`() async throws {
    let fixture = try await ServerFixture()
    let bytes = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])
    let hash = try await fixture.stores.assets.saveAsset(bytes, mediaType: "image/png")
    let response = try await fixture.request("/assets/\(hash)")
    #expect(Data(response.body.readableBytesView) == bytes)
    #expect(response.headers[.contentType] == "image/png")
    #expect(response.headers[.cacheControl] == "public, max-age=31536000, immutable")
    #expect(response.headers[.contentSecurityPolicy] == SecurityHeaders.inertPolicy)
    let again = try await fixture.request("/assets/\(hash)", headers: [.ifNoneMatch: "\"\(hash)\""])
    #expect(again.status == .notModified)
    for other in [hash.uppercased(), "0", "..%2F..%2Fetc%2Fpasswd", String(repeating: "0", count: 64)] {
      try expectProblem(try await fixture.request("/assets/\(other)"), 404, "asset.unknown")
    }
  }

  @Test func `settings name the tiles, the languages and the version`() async throws {
    let none = try JSONAnswer(try await ServerFixture().request("/api/v1/settings"))
    #expect(none["tiles"] is NSNull)
    #expect(none["version"] as? String == Version.current)
    let files = ["index.html": "", "languages/sv.json": "{}", "languages/en.json": "{}", "languages/README.txt": ""]
    let fixture = try await ServerFixture(webClient: files) { options in
      options.tiles = TileSource(url: "https://{s}.tile.example.org/{z}/{x}/{y}.png", attribution: "© Map")
    }
    let settings = try JSONAnswer(try await fixture.request("/api/v1/settings"))
    #expect(settings["languages"] as? [String] == ["en", "sv"])
    let tiles = try #require(settings["tiles"] as? [String: Any])
    #expect(tiles["url"] as? String == "https://{s}.tile.example.org/{z}/{x}/{y}.png")
    #expect(tiles["attribution"] as? String == "© Map")
    #expect(tiles["maxZoom"] as? Int == 19)
    let policy = try await fixture.request("/").headers[.contentSecurityPolicy]
    #expect(policy?.contains("img-src 'self' data: blob: https://*.tile.example.org;") == true)
  }

  @Test(arguments: [
    "", "tiles", "/tiles/{z}/{x}/{y}.png", "ftp://a/{z}/{x}/{y}", "https://a.example/{z}/{x}.png",
    "https://a.example; script-src *//{z}/{x}/{y}", "https:///{z}/{x}/{y}", "https://a b/{z}/{x}/{y}",
    "https://{t}.example/{z}/{x}/{y}",
  ])
  func `a tile template that could change the page's policy is refused`(url: String) {
    #expect(TileSource(url: url) == nil)
  }
}

/// Unpacks gzip with the system's program, independent of the code under test.
func gunzip(_ data: Data) async throws -> Data {
  let file = NSTemporaryDirectory() + "sightline-\(UUID().uuidString)"
  defer { try? FileManager.default.removeItem(atPath: file) }
  try data.write(to: URL(fileURLWithPath: file + ".gz"))
  let output = try await command("gzip", "-d", file + ".gz")
  #expect(output.isEmpty)
  return try Data(contentsOf: URL(fileURLWithPath: file))
}
