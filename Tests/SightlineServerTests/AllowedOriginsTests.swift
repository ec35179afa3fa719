import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import SightlineServer

@Suite struct AllowedOriginsTests {
  private static let elsewhere = "https://example.org"

  private func fixture(_ text: String) async throws -> ServerFixture {
    let allowed = try #require(AllowedOrigins(text))
    return try await ServerFixture(webClient: WebClientTests.files) { $0.allowedOrigins = allowed }
  }

  @Test(arguments: ["/client/dev/app/main.js", "/api/v1/settings", "/api/v1/worlds/none"])
  func `a page of an allowed origin may read what everybody may`(path: String) async throws {
    let fixture = try await fixture("http://localhost:3000, https://Example.org:443")
    let answer = try await fixture.request(path, headers: [.origin: AllowedOriginsTests.elsewhere])
    #expect(answer.headers[.accessControlAllowOrigin] == AllowedOriginsTests.elsewhere)
    #expect(answer.headers[.crossOriginResourcePolicy] == "cross-origin")
    #expect(answer.headers[.accessControlAllowCredentials] == nil)
    #expect(answer.headers[.vary]?.contains("Origin") == true)
  }

  @Test(arguments: ["https://example.org.evil.example", "http://example.org", "https://example.org:8443", "null", ""])
  func `other origins may not`(origin: String) async throws {
    let fixture = try await fixture("https://example.org")
    let answer = try await fixture.request("/client/dev/app/main.js", headers: [.origin: origin])
    #expect(answer.headers[.accessControlAllowOrigin] == nil)
    #expect(answer.headers[.crossOriginResourcePolicy] == "same-origin")
    // A cache between must not hand this answer to an origin that may.
    #expect(answer.headers[.vary]?.contains("Origin") == true)
  }

  @Test func `styles and pictures are loaded without an origin, and not with a cookie`() async throws {
    let fixture = try await fixture("https://example.org")
    let open = try await fixture.request("/client/dev/style.css")
    #expect(open.headers[.crossOriginResourcePolicy] == "cross-origin")
    #expect(open.headers[.accessControlAllowOrigin] == nil)
    let own = try await fixture.request("/client/dev/style.css", headers: [.cookie: "sightline=x"])
    #expect(own.headers[.crossOriginResourcePolicy] == "same-origin")
  }

  @Test func `what comes with a cookie is not opened`() async throws {
    let fixture = try await fixture("*")
    let session = "/api/v1/session"
    let open = try await fixture.request(session, headers: [.origin: AllowedOriginsTests.elsewhere])
    #expect(open.headers[.accessControlAllowOrigin] == "*")
    let own = try await fixture.request(
      session,
      headers: [.origin: AllowedOriginsTests.elsewhere, .cookie: "sightline=x"]
    )
    #expect(own.headers[.accessControlAllowOrigin] == nil)
    #expect(own.headers[.crossOriginResourcePolicy] == "same-origin")
  }

  @Test func `without an allowed origin nothing is different`() async throws {
    let fixture = try await ServerFixture(webClient: WebClientTests.files)
    let answer = try await fixture.request(
      "/client/dev/app/main.js",
      headers: [.origin: AllowedOriginsTests.elsewhere]
    )
    #expect(answer.headers[.accessControlAllowOrigin] == nil)
    #expect(answer.headers[.vary]?.contains("Origin") != true)
    let beforehand = try await fixture.request("/api/v1/open", .options, headers: [.accessControlRequestMethod: "POST"])
    #expect(beforehand.headers[.accessControlAllowMethods] == nil)
  }

  @Test func `a browser that asks beforehand is told methods and fields`() async throws {
    let fixture = try await fixture(AllowedOriginsTests.elsewhere)
    let answer = try await fixture.request(
      "/api/v1/nearby",
      .options,
      headers: [.origin: AllowedOriginsTests.elsewhere, .accessControlRequestMethod: "POST"]
    )
    #expect(answer.status == .noContent)
    #expect(answer.headers[.accessControlAllowOrigin] == AllowedOriginsTests.elsewhere)
    #expect(answer.headers[.accessControlAllowMethods] == "GET, HEAD, OPTIONS, POST")
    #expect(answer.headers[.accessControlAllowHeaders]?.contains("Content-Type") == true)
  }

  @Test(arguments: [
    "example.org", "https://", "https://example.org/", "https://example.org/path", "ftp://example.org", "https://a b",
    "**",
    "https://*.example.org", "https://user@example.org", "https://example.org,", "", "https://exämple.org",
  ])
  func `what is no origin is refused`(text: String) {
    #expect(AllowedOrigins(text) == nil)
  }

  @Test func `none is nobody`() {
    #expect(AllowedOrigins("none")?.isEmpty == true)
    #expect(AllowedOrigins("*")?.isEmpty == false)
  }
}
