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
