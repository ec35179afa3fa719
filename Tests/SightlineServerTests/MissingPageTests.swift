import Foundation
import HTTPTypes
import Testing

@testable import SightlineServer

/// What a browser is shown at an address that leads to nothing.
@Suite struct MissingPageTests {
  private static func words(_ title: String, _ start: String) -> String {
    #"{"missing.page": "\#(title)", "missing.text": "Perhaps: {address}", "missing.start": "\#(start)"}"#
  }

  private static let files = [
    "index.html": "<!doctype html>", "styles/tokens.css": ":root {}",
    "languages/en.json": words("Not here", "To the start"), "languages/de.json": words("Gibt es nicht", "Zum Anfang"),
  ]

  private static let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]

  @Test func `a page asked for at an unknown path is a page, in the reader's language, without scripts`() async throws {
    let fixture = try await ServerFixture(webClient: MissingPageTests.files)
    var headers = MissingPageTests.browser
    headers[.acceptLanguage] = "xx, de-AT;q=0.9, en;q=0.8"
    let answer = try await fixture.request("/stra%C3%9Fe", headers: headers)
    let text = String(buffer: answer.body)
    #expect(answer.status == .notFound)
    #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
    #expect(text.contains("<html lang=\"de\">") && text.contains("Gibt es nicht") && text.contains("Perhaps: /straße"))
    #expect(text.contains("/styles/controls.css\""), "the button's looks")
    #expect(text.contains("href=\"/\"") && !text.contains("<script") && !text.contains("style=\""))
    let policy = try #require(answer.headers[.contentSecurityPolicy])
    #expect(policy.hasPrefix("default-src 'none'") && !policy.contains("script-src") && !policy.contains("unsafe"))
    #expect(answer.headers[.xContentTypeOptions] == "nosniff")
    // The style sheets that it names are there.
    let sheet = try #require(text.firstMatch(of: /href="(\/client\/[0-9a-f]{16}\/styles\/tokens\.css)"/))
    #expect(try await fixture.request(String(sheet.1)).status == .ok)
    let english = try await fixture.request("/nope", headers: MissingPageTests.browser)
    #expect(String(buffer: english.body).contains("Not here"))
    let head = try await fixture.request("/nope", .head, headers: MissingPageTests.browser)
    #expect(head.status == .notFound && head.body.readableBytes == 0)
  }

  @Test(arguments: ["/%3Cscript%3Ealert(1)%3C/script%3E", "/\"><img src=x onerror=1>", "/%7Baddress%7D%27%26"])
  func `what was asked for stays text`(path: String) async throws {
    let fixture = try await ServerFixture(webClient: MissingPageTests.files)
    let answer = try await fixture.request(path, headers: MissingPageTests.browser)
    let text = String(buffer: answer.body)
    #expect(answer.status == .notFound)
    #expect(!text.contains("<script") && !text.contains("<img src=x") && !text.contains("'&"))
  }

  @Test func `a long address is not repeated whole`() async throws {
    let fixture = try await ServerFixture(webClient: MissingPageTests.files)
    let path = "/" + String(repeating: "a", count: 4000)
    let answer = try await fixture.request(path, headers: MissingPageTests.browser)
    #expect(answer.body.readableBytes < 2500)
  }

  @Test(arguments: [
    ("/posters", "/#/posters"), ("/join/7K2QX-40BNM-9TZ", "/#/join/7K2QX-40BNM-9TZ"),
    ("/world/ulm?at=48.4,9.99", "/#/world/ulm?at=48.4,9.99"), ("/open?url=%0D%0Ax", "/#/open?url=%0D%0Ax"),
  ])
  func `an address of the client without its # leads there`(typed: String, location: String) async throws {
    let fixture = try await ServerFixture(webClient: MissingPageTests.files)
    let answer = try await fixture.request(typed, headers: MissingPageTests.browser)
    #expect(answer.status == .found && answer.headers[.location] == location)
    // A program is told that there is nothing.
    try expectProblem(try await fixture.request(typed), 404, "route.unknown")
  }

  @Test(arguments: ["/postersx", "/nope/posters", "//posters", "/Posters%2F", "/"])
  func `what only resembles one does not`(target: String) {
    #expect(TypedAddress.location(of: target) == nil)
  }

  @Test func `every part of the client is known by its name`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../WebClient/app/parts.js")
    let text = try String(contentsOf: file.standardized, encoding: .utf8)
    let names = text.matches(of: /(?m)^  ([a-z]+): \{$/).map(\.1)
    #expect(names.count > 8 && TypedAddress.parts == Set(names).union(["open", "world"]))
  }

  @Test func `programs and the interface keep their problem documents`() async throws {
    let fixture = try await ServerFixture(webClient: MissingPageTests.files)
    try expectProblem(try await fixture.request("/nope"), 404, "route.unknown")
    for accept in ["*/*", "application/json", "text/html;q=0, */*", "image/avif,image/*"] {
      try expectProblem(try await fixture.request("/nope", headers: [.accept: accept]), 404, "route.unknown")
    }
    for path in ["/api/v1/nope", "/api", "/api/"] {
      try expectProblem(try await fixture.request(path, headers: MissingPageTests.browser), 404, "route.unknown")
    }
    try expectProblem(
      try await fixture.request("/nope", .post, headers: MissingPageTests.browser),
      404,
      "route.unknown"
    )
    // Without a web client there is nothing that the page could link to.
    let bare = try await ServerFixture()
    try expectProblem(try await bare.request("/nope", headers: MissingPageTests.browser), 404, "route.unknown")
  }
}
