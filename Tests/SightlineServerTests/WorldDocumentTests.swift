import Foundation
import HTTPTypes
import NIOCore
import SightlineContent
import SightlineFormats
import SightlineImport
import SightlineStore
import Testing

@testable import SightlineServer

/// Documents on their way in and out: import, GDDF, downloads, foreign worlds.
@Suite struct WorldDocumentTests {
  static let gddf = """
    <?xml version="1.0" encoding="UTF-8"?>
    <dimension version="1.0">
      <name>Old town</name>
      <assets>
        <asset id="logo"><url>pictures/logo.png</url><format>PNG</format></asset>
        <asset id="far"><url>http://example.org/far.png</url><format>PNG</format></asset>
        <asset id="lost"><url>pictures/lost.png</url><format>PNG</format></asset>
      </assets>
      <features>
        <featureImg id="a"><location><lat>48.3984</lat><lon>9.9916</lon><alt>480</alt></location>
          <anchor>BC</anchor><showInRadar>true</showInRadar><assetId>logo</assetId></featureImg>
        <featureTxt id="b"><location><lat>48.3971</lat><lon>9.9933</lon><alt>480</alt></location>
          <anchor>BC</anchor><showInRadar>true</showInRadar><text>Town &amp; hall</text></featureTxt>
      </features>
    </dimension>
    """

  private func folder(_ files: [String: Data]) throws -> String {
    let folder = NSTemporaryDirectory() + "sightline-import-\(UUID().uuidString)"
    for (path, bytes) in files {
      let file = URL(fileURLWithPath: folder + "/" + path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try bytes.write(to: file)
    }
    return folder
  }

  private func imported(_ fixture: ServerFixture, id: String? = nil) async throws -> WorldImporter.Outcome {
    let folder = try folder(["town.gddf": Data(WorldDocumentTests.gddf.utf8), "pictures/logo.png": Data(Pictures.png)])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let outcome = try await WorldImporter(worlds: fixture.stores.worlds, assets: fixture.stores.assets).importFile(
      at: folder + "/town.gddf",
      id: id
    )
    try await fixture.server.catalog.refresh()
    return outcome
  }

  @Test func `an imported file brings its pictures along`() async throws {
    let fixture = try await ServerFixture()
    let outcome = try await imported(fixture)
    #expect(outcome.format == "gddf")
    #expect(outcome.saved?.record.id == "town")
    #expect(outcome.problems.contains { $0.code == "asset.missing" && $0.path == "assets/lost" })
    let dimension = try #require(try await fixture.stores.worlds.world("town", version: nil)?.dimension())
    let urls = dimension.assets.map(\.url)
    #expect(urls[0].hasPrefix("/assets/") && urls[0].utf8.count == 8 + 64)
    #expect(urls[1] == "http://example.org/far.png")
    #expect(urls[2] == "pictures/lost.png")
    let picture = try await fixture.request(urls[0])
    #expect(Array(picture.body.readableBytesView) == Pictures.png)
    #expect(picture.headers[.contentType] == "image/png")
    // The same file again, from another folder, changes nothing.
    guard case .unchanged = try await imported(fixture).saved else {
      Issue.record("the same content makes no new version")
      return
    }
  }

  @Test func `GDDF goes out by GET and by POST, with absolute addresses of its files`() async throws {
    let fixture = try await ServerFixture()
    _ = try await imported(fixture)
    let get = try await fixture.request("/worlds/town.gddf")
    #expect(get.headers[.contentType] == "application/gamaray-gddf; charset=utf-8")
    let reading = FormatRegistry.read(Array(get.body.readableBytesView)).reading
    #expect(reading.dimension?.name == "Old town")
    #expect(reading.dimension?.places.map(\.id) == ["a", "b"])
    let url = try #require(reading.dimension?.assets.first?.url)
    #expect(url.hasPrefix("http://localhost/assets/"), "\(url)")
    let body =
      "event=init&eventSrc=NULL&lat=48.4&lon=10.0&alt=480.0&bearing=359&pitch=-2&width=320&height=480&uid=UID1&time=1&"
    let post = try await fixture.request(
      "/worlds/town.gddf",
      .post,
      headers: [.contentType: "application/x-www-form-urlencoded"],
      body: body
    )
    #expect(post.status == .ok)
    #expect(post.body == get.body)
    #expect(post.headers[.cacheControl] == "no-store")
    // The oldest clients name no type.
    #expect(try await fixture.request("/worlds/town.gddf", .post, body: body).body == get.body)
    let etag = try #require(get.headers[.eTag])
    #expect(try await fixture.request("/worlds/town.gddf", headers: [.ifNoneMatch: etag]).status == .notModified)
    try expectProblem(try await fixture.request("/worlds/none.gddf"), 404, "world.unknown")
  }

  @Test func `an entity tag is of the bytes that are sent, so that another writer sends anew`() async throws {
    let (fixture, other) = (try await ServerFixture(), try await ServerFixture())
    for one in [fixture, other] { _ = try await imported(one) }
    let downloads = DocumentFormat.allCases.map { "/api/v1/worlds/town/export?format=\($0.rawValue)" }
    for path in downloads + ["/worlds/town.gddf", "/api/v1/worlds/town"] {
      let sent = try await fixture.request(path)
      let tag = try #require(sent.headers[.eTag])
      #expect(tag == "W/\"1-\(ContentTag.of(sent.body.readableBytesView))\"", "\(path)")
      #expect(try await fixture.request(path, headers: [.ifNoneMatch: tag]).status == .notModified, "\(path)")
      // Of the same version of the same content, as another writer has written it.
      let former = "W/\"1-\(ContentTag.of(sent.body.readableBytesView + [0x20]))\""
      #expect(try await fixture.request(path, headers: [.ifNoneMatch: former]).status == .ok, "\(path)")
      // A copy of the same program writes the same; the JSON of a world has the time when it was stored.
      if path != "/api/v1/worlds/town" { #expect(try await other.request(path).headers[.eTag] == tag, "\(path)") }
    }
  }

  @Test func `behind another server the configured address is used`() async throws {
    let fixture = try await ServerFixture { $0.publicURL = "https://ar.example.org/sightline" }
    _ = try await imported(fixture)
    let text = String(buffer: try await fixture.request("/worlds/town.gddf").body)
    #expect(
      text.contains("https://ar.example.org/assets/") || text.contains("https://ar.example.org/sightline/assets/")
    )
    #expect(!text.contains("localhost"))
  }

  @Test(arguments: DocumentFormat.allCases)
  func `a download reads back as the same places`(format: DocumentFormat) async throws {
    let fixture = try await ServerFixture()
    _ = try await imported(fixture)
    let response = try await fixture.request("/api/v1/worlds/town/export?format=\(format.rawValue)")
    #expect(response.status == .ok)
    #expect(response.headers[.contentType] == format.mediaType)
    #expect(response.headers[.contentDisposition] == "attachment; filename=\"town.\(format.fileEnding)\"")
    let (detected, reading) = FormatRegistry.read(Array(response.body.readableBytesView))
    #expect(detected == format)
    let places = try #require(reading.dimension).places
    #expect(places.map(\.position?.latitude) == [48.3984, 48.3971])
    #expect(places.map(\.position?.longitude) == [9.9916, 9.9933])
  }

  @Test func `a download has heights over what its format counts from, by the page's own geoid`() async throws {
    let geoid = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("WebClient/data/egm96.geoid")
    let fixture = try await ServerFixture(webClient: ["index.html": "<!doctype html>"]) { options in
      let folder = (options.webClientFolder ?? "") + "/data"
      try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try? FileManager.default.copyItem(atPath: geoid.path, toPath: folder + "/egm96.geoid")
    }
    var minster = place("Minster", 48.3984, 9.9912)
    minster.position?.altitude = 530
    minster.altitudeMode = .ellipsoid
    try await fixture.add("ulm", [minster])
    for address in ["/worlds/ulm.gddf", "/api/v1/worlds/ulm/export?format=kml"] {
      let bytes = Array(try await fixture.request(address).body.readableBytesView)
      let place = try #require(FormatRegistry.read(bytes).reading.dimension?.places.first)
      #expect(abs((place.position?.altitude ?? 0) - 482.7) < 0.3 && place.altitudeMode == .seaLevel, "\(address)")
    }
  }

  @Test func `an unknown export format is refused`() async throws {
    let fixture = try await ServerFixture()
    _ = try await imported(fixture)
    try expectProblem(
      try await fixture.request("/api/v1/worlds/town/export?format=kmz"),
      400,
      "export.format"
    )
    #expect(try await fixture.request("/api/v1/worlds/town/export").status == .ok)
  }

  @Test func `files that lead out of the folder are not taken in`() async throws {
    let fixture = try await ServerFixture()
    let secret = NSTemporaryDirectory() + "sightline-secret-\(UUID().uuidString).png"
    try Data(Pictures.png).write(to: URL(fileURLWithPath: secret))
    defer { try? FileManager.default.removeItem(atPath: secret) }
    let name = secret.split(separator: "/").last ?? ""
    for url in ["../\(name)", "pictures/../../\(name)", "..%2F\(name)", secret, "file://\(secret)", "link.png"] {
      let text = WorldDocumentTests.gddf.replacingOccurrences(of: "pictures/logo.png", with: url)
      let folder = try folder(["town.gddf": Data(text.utf8)])
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try FileManager.default.createSymbolicLink(atPath: folder + "/link.png", withDestinationPath: secret)
      _ = try await WorldImporter(worlds: fixture.stores.worlds, assets: fixture.stores.assets).importFile(
        at: folder + "/town.gddf"
      )
      let stored = try await fixture.stores.worlds.world("town", version: nil)?.dimension().assets.first?.url
      #expect(stored?.hasPrefix("/assets/") != true, "\(url)")
    }
  }

  @Test func `a file that is no world is an outcome with reasons, one that cannot be read an error`() async throws {
    let fixture = try await ServerFixture()
    let folder = try folder(["bad.gddf": Data("<dimension".utf8), "dir/x": Data()])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let importer = WorldImporter(worlds: fixture.stores.worlds, assets: fixture.stores.assets)
    let outcome = try await importer.importFile(at: folder + "/bad.gddf")
    #expect(outcome.saved == nil)
    #expect(outcome.problems.contains { $0.severity == .error && $0.code == "D001" })
    // Readable, but nothing that could be written again for everybody.
    let far =
      "<dimension version=\"1.0\"><features><featureTxt><text>t</text><location><lat>1</lat><lon>2</lon>"
      + "<alt>1e300</alt></location></featureTxt></features></dimension>"
    try Data(far.utf8).write(to: URL(fileURLWithPath: folder + "/far.gddf"))
    let refused = try await importer.importFile(at: folder + "/far.gddf")
    #expect(refused.saved == nil && refused.problems.contains { $0.code == "position.range" })
    for path in [folder + "/none.gddf", folder + "/dir", "/dev/null", ""] {
      await #expect(throws: LocalFile.Unreadable.self) { try await importer.importFile(at: path) }
    }
    #expect(try await fixture.stores.worlds.generation() == 0)
  }

  // MARK: Foreign worlds

  private func open(_ fixture: ServerFixture, _ url: String, fields: String = "") async throws -> JSONAnswer {
    let response = try await fixture.request(
      "/api/v1/open",
      .post,
      headers: [.contentType: "application/x-www-form-urlencoded"],
      body: "url=\(FormFields.encode(url))&\(fields)"
    )
    #expect(response.status == .ok, "\(String(buffer: response.body))")
    #expect(response.headers[.cacheControl] == "no-store")
    return try JSONAnswer(response)
  }

  @Test func `a foreign world comes as JSON, its addresses made absolute`() async throws {
    try await TestHost.with { seen in
      seen.target == "/first" ? .redirect(.temporaryRedirect, to: "/w/town.gddf") : .text(WorldDocumentTests.gddf)
    } _: { host in
      let fixture = try await ServerFixture { $0.proxy.allowsPrivateAddresses = true }
      let base = "http://127.0.0.1:\(host.port)"
      let answer = try await open(
        fixture,
        base + "/first",
        fields: "event=init&lat=48.4&lon=10&bearing=359&uid=u&evil=1"
      )
      let world = try #require(answer["world"] as? [String: Any])
      #expect(world["url"] as? String == base + "/w/town.gddf")
      #expect(world["title"] as? String == "Old town")
      #expect(world["format"] as? String == "gddf")
      #expect(world["id"] is NSNull)
      let dimension = try #require(answer["dimension"] as? [String: Any])
      let assets = try #require(dimension["assets"] as? [[String: Any]])
      #expect(assets[0]["url"] as? String == base + "/w/pictures/logo.png")
      #expect((dimension["places"] as? [Any])?.count == 2)
      let sent = try #require(host.seen.all.last)
      #expect(sent.method == "POST")
      let fields = FormFields(sent.body)
      #expect(fields["event"] == "init")
      #expect(fields["lat"].flatMap { Double($0) } == 48.4)
      #expect(fields["uid"] == "u")
      #expect(fields["evil"] == nil)
      #expect(fields["url"] == nil)
      await fixture.server.fetcher.shutdown()
    }
  }

  @Test func `what is no world is told with the reader's findings`() async throws {
    try await TestHost.with { seen in
      .text(seen.target == "/empty" ? "" : "<html><body>Not here</body></html>", .ok, [.contentType: "text/html"])
    } _: { host in
      let fixture = try await ServerFixture { $0.proxy.allowsPrivateAddresses = true }
      for path in ["empty", "page"] {
        let response = try await fixture.request(
          "/api/v1/open",
          .post,
          headers: [.contentType: "application/x-www-form-urlencoded"],
          body: "url=" + FormFields.encode("http://127.0.0.1:\(host.port)/\(path)")
        )
        try expectProblem(response, 422, "open.unreadable")
        #expect(try JSONAnswer(response).objects("problems").isEmpty == false)
      }
      await fixture.server.fetcher.shutdown()
    }
  }

  @Test func `a GDDF client that says where it is gets the nearest 500 places of a larger world`() async throws {
    let fixture = try await ServerFixture()
    // A row of places to the north, a thousandth of a degree apart, stored from the far end.
    try await fixture.add("row", (0..<700).reversed().map { place("P\($0)", 48 + Double($0) * 0.001, 10) })
    try await fixture.add("small", (0..<500).map { place("P\($0)", 48 + Double($0) * 0.001, 10) })
    let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
    let near = try await fixture.request("/worlds/row.gddf", .post, headers: form, body: "event=init&lat=48.1&lon=10")
    let text = String(buffer: near.body)
    #expect(near.headers[.contentType] == "application/gamaray-gddf; charset=utf-8")
    #expect(near.headers[.cacheControl] == "no-store")
    let reading = GDDFReader.read(Array(near.body.readableBytesView))
    let places = reading.dimension?.places ?? []
    #expect(places.count == 500, "\(text.prefix(300))")
    // The nearest are the first 500 of the row; in the order of the world.
    #expect(places.map(\.title) == (0..<500).reversed().map { "P\($0)" })
    let far = try await fixture.request("/worlds/row.gddf", .post, headers: form, body: "lat=49&lon=10")
    #expect(GDDFReader.read(Array(far.body.readableBytesView)).dimension?.places.last?.title == "P200")
    for body in ["event=init", "lat=91&lon=10", "lat=45&lon=-85&alt=0"] {
      let all = try await fixture.request("/worlds/row.gddf", .post, headers: form, body: body)
      #expect(GDDFReader.read(Array(all.body.readableBytesView)).dimension?.places.count == 700, "\(body)")
    }
    let whole = try await fixture.request("/worlds/small.gddf", .post, headers: form, body: "lat=48.1&lon=10")
    #expect(GDDFReader.read(Array(whole.body.readableBytesView)).dimension?.places.count == 500)
    #expect(whole.headers[.eTag] != nil)
  }
}
