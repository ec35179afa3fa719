import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import SightlineServer

@Suite struct WebClientTests {
  static let page = """
    <!doctype html><link rel="stylesheet" href="/client/dev/style.css"><script type="module" src="/client/dev/app/main.js">
    </script>
    """
  static let files = [
    "index.html": page, "style.css": "body {}", "app/main.js": String(repeating: "import './x.js';\n", count: 200),
    "engine.wasm": "\0asm",
    "places.wasm": "\0asm", "tsconfig.json": "{}", "types.d.ts": "x", "secret.key": "x", ".hidden.js": "x",
    "node_modules/a.js": "x", "examples/index.html": "<!doctype html>", "examples/place.html": "<!doctype html>",
    "embed/view.js": "x", "languages/embed/en.json": "{}",
  ]

  private func build(_ fixture: ServerFixture) async throws -> String {
    let page = String(buffer: try await fixture.request("/").body)
    let prefix = try #require(page.range(of: "href=\"/client/"))
    return String(page[prefix.upperBound...].prefix { $0 != "/" })
  }

  @Test func `the page names files of its build, and they may be kept for ever`() async throws {
    let fixture = try await ServerFixture(webClient: WebClientTests.files)
    let response = try await fixture.request("/")
    let text = String(buffer: response.body)
    #expect(response.headers[.contentType] == "text/html; charset=utf-8")
    #expect(response.headers[.cacheControl] == "no-cache")
    #expect(!text.contains("/client/dev/"))
    let build = try await build(fixture)
    #expect(build.count == 16)
    #expect(text.contains("src=\"/client/\(build)/app/main.js\""))
    let script = try await fixture.request("/client/\(build)/app/main.js")
    #expect(String(buffer: script.body) == WebClientTests.files["app/main.js"])
    #expect(script.headers[.cacheControl] == "public, max-age=31536000, immutable")
    let etag = try #require(response.headers[.eTag])
    #expect(try await fixture.request("/", headers: [.ifNoneMatch: etag]).status == .notModified)
  }

  @Test(arguments: [("", "index.html"), ("/", "index.html"), ("/place.html", "place.html")])
  func `examples lead to where their modules are, and are not kept with the page`(
    path: String,
    file: String
  )
    async throws
  {
    let fixture = try await ServerFixture(webClient: WebClientTests.files)
    let build = try await build(fixture)
    let answer = try await fixture.request("/examples" + path)
    #expect(answer.status == .found)
    #expect(answer.headers[.location] == "/client/\(build)/examples/\(file)")
    let page = try await fixture.request(try #require(answer.headers[.location]))
    #expect(page.headers[.contentType] == "text/html; charset=utf-8")
    #expect(try await fixture.request("/examples/nothing.html").status == .notFound)
    #expect(try await fixture.request("/embed/view.js").headers[.location] == "/client/\(build)/embed/view.js")
    #expect(try await fixture.request("/embed/../app/main.js").status == .notFound)
    let kept = String(buffer: try await fixture.request("/api/v1/client").body)
    #expect(!kept.contains("examples/") && !kept.contains("embed/") && kept.contains("app/main.js"))
    #expect(!kept.contains("places.wasm"), "an engine that the page itself has no use for")
  }

  @Test(arguments: [
    ("app/main.js", "text/javascript; charset=utf-8"), ("style.css", "text/css; charset=utf-8"),
    ("engine.wasm", "application/wasm"), ("tsconfig.json", "application/json"),
  ])
  func `files have their exact media type`(path: String, mediaType: String) async throws {
    let fixture = try await ServerFixture(webClient: WebClientTests.files)
    let response = try await fixture.request("/client/dev/\(path)")
    #expect(response.headers[.contentType] == mediaType)
    #expect(response.headers[.cacheControl] == "no-cache")
  }

  @Test(arguments: [
    "../test.sqlite", "..%2Ftest.sqlite", "%2e%2e/test.sqlite", "app/../../test.sqlite", "app%2Fmain.js", "/etc/passwd",
    "app//main.js", "app/./main.js", "types.d.ts", "secret.key", ".hidden.js", "node_modules/a.js", "app", "app/",
    "link.js", "linked/passwd.txt", "app/main.js%00", "index.html", "APP/MAIN.JS",
  ])
  func `nothing outside the client's own files is served`(path: String) async throws {
    let fixture = try await ServerFixture(webClient: WebClientTests.files) { options in
      let folder = options.webClientFolder ?? ""
      try? FileManager.default.createSymbolicLink(atPath: folder + "/link.js", withDestinationPath: "/etc/passwd")
      try? FileManager.default.createSymbolicLink(atPath: folder + "/linked", withDestinationPath: "/etc")
    }
    let response = try await fixture.request("/client/dev/\(path)")
    #expect(response.status == .notFound, "\(path)")
    #expect(!String(buffer: response.body).contains("root:"))
  }

  @Test func `compressed forms are ready made`() async throws {
    let fixture = try await ServerFixture(webClient: WebClientTests.files)
    let zipped = try await fixture.request("/client/dev/app/main.js", headers: [.acceptEncoding: "gzip"])
    #expect(zipped.headers[.contentEncoding] == "gzip")
    #expect(zipped.headers[.vary] == "Accept-Encoding")
    let unpacked = try await gunzip(Data(zipped.body.readableBytesView))
    #expect(unpacked == Data((WebClientTests.files["app/main.js"] ?? "").utf8))
    // Too small to be worth it.
    let small = try await fixture.request("/client/dev/style.css", headers: [.acceptEncoding: "gzip"])
    #expect(small.headers[.contentEncoding] == nil)
  }

  @Test func `a changed file makes a new build, and the one before goes on working`() async throws {
    let fixture = try await ServerFixture(webClient: WebClientTests.files)
    let old = try await build(fixture)
    let path = fixture.folder + "/client/style.css"
    try Data("body { color: red }".utf8).write(to: URL(fileURLWithPath: path))
    try await Task.sleep(for: .milliseconds(1100))
    let new = try await build(fixture)
    #expect(new != old)
    #expect(String(buffer: try await fixture.request("/client/\(new)/style.css").body) == "body { color: red }")
    #expect(String(buffer: try await fixture.request("/client/\(old)/style.css").body) == "body {}")
    try expectProblem(
      try await fixture.request("/client/0123456789abcdef/style.css"),
      404,
      "client.file-unknown"
    )
  }

  @Test func `the engine may come from another place`() async throws {
    let folder = NSTemporaryDirectory() + "sightline-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let wasm = "\(folder)/sightline.wasm"
    try Data("\0asm new".utf8).write(to: URL(fileURLWithPath: wasm))
    try Data("\0asm places".utf8).write(to: URL(fileURLWithPath: "\(folder)/places.wasm"))
    try Data("\0asm eyes".utf8).write(to: URL(fileURLWithPath: "\(folder)/vision.wasm"))
    try Data("\0asm fronts".utf8).write(to: URL(fileURLWithPath: "\(folder)/walls.wasm"))
    try Data("\0asm forms".utf8).write(to: URL(fileURLWithPath: "\(folder)/models.wasm"))
    try Data("\0asm ways".utf8).write(to: URL(fileURLWithPath: "\(folder)/odometry.wasm"))
    let fixture = try await ServerFixture(webClient: WebClientTests.files) { $0.wasmFile = wasm }
    let response = try await fixture.request("/client/dev/engine.wasm")
    #expect(String(buffer: response.body) == "\0asm new")
    #expect(response.headers[.contentType] == "application/wasm")
    let places = try await fixture.request("/client/dev/places.wasm")
    #expect(places.status == .ok)
    let vision = try await fixture.request("/client/dev/vision.wasm")
    #expect(String(buffer: vision.body) == "\0asm eyes")
    let walls = try await fixture.request("/client/dev/walls.wasm")
    #expect(String(buffer: walls.body) == "\0asm fronts")
    let models = try await fixture.request("/client/dev/models.wasm")
    #expect(String(buffer: models.body) == "\0asm forms")
    let odometry = try await fixture.request("/client/dev/odometry.wasm")
    #expect(String(buffer: odometry.body) == "\0asm ways")
  }

  @Test func `without a web client the start page says so`() async throws {
    let fixture = try await ServerFixture()
    try expectProblem(try await fixture.request("/"), 404, "client.missing")
    await #expect(throws: WebClientFiles.Unreadable.self) {
      try await ServerFixture { $0.webClientFolder = "/nonexistent/client" }
    }
  }
}
