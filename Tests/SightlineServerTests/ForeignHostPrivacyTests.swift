import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import SightlineServer

/// What other hosts hear of a visitor: pages in frames, and positions on redirects (M12, M13 of the security review).
@Suite struct ForeignHostPrivacyTests {
  @Test(arguments: [307, 308])
  func `a redirect to another host takes no position along`(status: Int) async throws {
    try await TestHost.with { _ in
      .text("elsewhere")
    } _: { other in
      try await TestHost.with { seen in
        switch seen.target {
        case "/here": .redirect(.init(code: status), to: "/there")
        case "/back": .redirect(.init(code: status), to: "http://localhost:\(other.port)/back")
        default: .redirect(.init(code: status), to: "http://127.0.0.1:\(other.port)/world")
        }
      } _: { host in
        let fetcher = GuardedFetcher(policy: ForeignHostPrivacyTests.policy)
        let fields = "event=refreshOnTime&lat=48.1&lon=10.2&alt=480&bearing=12&pitch=1&roll=2&width=390&uid=me&time=5"
        let form = FormFields(fields)
        let method = GuardedFetcher.Method.post(
          fields: OpenRoutes.forwarded(form),
          elsewhere: OpenRoutes.forwarded(form, withPosition: false)
        )
        let base = "http://127.0.0.1:\(host.port)"
        _ = try await fetcher.fetch(base + "/away", method, accept: "*/*", client: "test")
        let away = FormFields(try #require(other.seen.all.last).body)
        #expect(Set(away.fields.map(\.name)) == ["event", "eventSrc", "width", "time"])
        #expect(away["event"] == "refreshOnTime")
        // The same host hears it again, and another name for the same machine is another host.
        _ = try await fetcher.fetch(base + "/here", method, accept: "*/*", client: "test")
        #expect(
          host.seen.all.filter { $0.target == "/there" }.allSatisfy { FormFields($0.body)["lat"] == "48.1000000" }
        )
        _ = try await fetcher.fetch(base + "/back", method, accept: "*/*", client: "test")
        #expect(FormFields(try #require(other.seen.all.last).body)["lat"] == nil)
        await fetcher.shutdown()
      }
    }
  }

  private static var policy: ProxyPolicy {
    var policy = ProxyPolicy()
    policy.allowsPrivateAddresses = true
    return policy
  }

  @Test func `a form of the operator's own goes along to where his server redirects`() async throws {
    try await TestHost.with { _ in
      .text("elsewhere")
    } _: { other in
      try await TestHost.with { _ in
        .redirect(.init(code: 307), to: "http://127.0.0.1:\(other.port)/map")
      } _: { host in
        let fetcher = GuardedFetcher(policy: ForeignHostPrivacyTests.policy)
        _ = try await fetcher.fetch(
          "http://127.0.0.1:\(host.port)/",
          .post(fields: "data=x"),
          accept: "*/*",
          client: "t"
        )
        #expect(other.seen.all.last?.body == "data=x")
        await fetcher.shutdown()
      }
    }
  }

  @Test(arguments: [
    ("https://a.example/x", "https://a.example/y", true), ("http://a.example/x", "https://a.example/", true),
    ("https://a.example/x", "http://a.example/", false), ("http://a.example/", "http://a.example:8080/", false),
    ("http://a.example:8080/", "https://a.example/", false), ("https://a.example/", "https://b.a.example/", false),
    ("gamaray://a.example/", "http://A.EXAMPLE/", true), ("http://a.example:8080/", "https://a.example:8080/", false),
  ])
  func `the same host is the same name and port, or its secure one`(from: String, to: String, same: Bool) throws {
    #expect(try ProxyTarget(to).isSameHost(as: ProxyTarget(from)) == same)
  }

  @Test func `a foreign host hears the place to a metre`() throws {
    let sent = FormFields(OpenRoutes.forwarded(FormFields("lat=48.123456789&lon=-9.98765432&alt=480.123")))
    #expect(sent["lat"].flatMap { Double($0) } == 48.12346)
    #expect(sent["lon"].flatMap { Double($0) } == -9.98765)
    for text in ["1e308", "-1e308", "nan", "inf", "9".repeated(400)] {
      let odd = FormFields(
        OpenRoutes.forwarded(FormFields("lat=\(text)&lon=10&alt=\(text)&roll=\(text)&width=\(text)"))
      )
      #expect(odd["lat"] == nil && odd["lon"] == nil && odd["width"] == nil)
    }
  }

  @Test func `a framed page stands under a policy that knows its host alone`() async throws {
    let fixture = try await ServerFixture()
    let path = "/frame?url=" + FormFields.encode("https://pages.example:8443/a?b=1&c=\"<x>'#y")
    let answer = try await fixture.request(path, headers: [.fetchSite: "same-origin", .fetchDestination: "iframe"])
    #expect(answer.status == .ok)
    let policy = try #require(answer.headers[.contentSecurityPolicy])
    #expect(policy.contains("default-src 'none'") && policy.contains("frame-src https://pages.example:8443;"))
    #expect(policy.contains("frame-ancestors 'self'") && policy.hasSuffix("; sandbox"))
    #expect(policy.contains("'\(FrameRoutes.styleHash)'") && !policy.contains("script"))
    #expect(answer.headers[values: .referrerPolicy] == ["no-referrer"])
    #expect(answer.headers[.permissionsPolicy]?.contains("geolocation=()") == true)
    #expect(answer.headers[.cacheControl] == "no-store")
    let body = String(buffer: answer.body)
    #expect(body.contains(#"<iframe sandbox="" allow="" referrerpolicy="no-referrer""#))
    #expect(body.contains("https://pages.example:8443/a?b=1&amp;c=%22%3Cx%3E") && !body.contains("<x>"))
    await fixture.server.fetcher.shutdown()
  }

  @Test(arguments: [
    ("", 400, "frame.missing"), ("?url=", 400, "open.url-malformed"),
    ("?url=javascript%3Aalert(1)", 400, "open.scheme"),
    ("?url=data%3Atext%2Fhtml%2Cx", 400, "open.scheme"), ("?url=http%3A%2F%2Fa%40b.example%2F", 400, "open.userinfo"),
    ("?url=http%3A%2F%2F%5B%3A%3A1%5D%2F", 400, "frame.host"), ("?url=%2F%2Fa.example", 400, "open.url-malformed"),
    ("?url=https%3A%2F%2Fa.example%3Bscript-src%20*%2F", 400, "open.url-malformed"),
  ])
  func `what cannot be framed is refused`(query: String, status: Int, code: String) async throws {
    let fixture = try await ServerFixture()
    let answer = try await fixture.request("/frame" + query)
    #expect(answer.status.code == status, "\(String(buffer: answer.body))")
    #expect(String(buffer: answer.body).contains("\"\(code)\""))
    await fixture.server.fetcher.shutdown()
  }

  @Test func `a frame is no page of its own, and none of other sites`() async throws {
    let fixture = try await ServerFixture()
    let path = "/frame?url=https%3A%2F%2Fa.example%2F"
    for destination in ["document", "embed", "object", "frame", "empty"] {
      let answer = try await fixture.request(path, headers: [.fetchDestination: destination])
      try SightlineServerTests.expectProblem(answer, 403, "frame.destination")
    }
    let foreign = try await fixture.request(path, headers: [.fetchSite: "cross-site", .fetchDestination: "iframe"])
    try SightlineServerTests.expectProblem(foreign, 403, "open.cross-site")
    await fixture.server.fetcher.shutdown()
  }

  @Test func `the client's own policy frames nothing foreign`() {
    let policy = SecurityHeaders.pagePolicy(tileOrigin: "https://tiles.example")
    #expect(policy.contains("; frame-src 'self';"))
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
