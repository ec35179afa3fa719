import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOSSL
import Synchronization
import Testing

@testable import SightlineServer

@Suite struct ProxyTests {
  /// Fetches with private addresses allowed; names under `.example` lead to this machine, but for some.
  private func fetcher(
    _ change: (inout ProxyPolicy) -> Void = { _ in },
    trustRoots: NIOSSLTrustRoots = .default
  )
    -> GuardedFetcher
  {
    var policy = ProxyPolicy()
    policy.allowsPrivateAddresses = true
    change(&policy)
    let resolver = HostResolver { host in
      switch host {
      case "metadata.example": [NetworkAddress("169.254.169.254")].compactMap { $0 }
      case "two.example": [NetworkAddress("127.0.0.2"), NetworkAddress("127.0.0.1")].compactMap { $0 }
      case "unknown.example": []
      default: [NetworkAddress(host) ?? NetworkAddress("127.0.0.1")].compactMap { $0 }
      }
    }
    return GuardedFetcher(policy: policy, resolver: resolver, trustRoots: trustRoots)
  }

  private func fetch(
    _ url: String,
    _ method: GuardedFetcher.Method = .get,
    with fetcher: GuardedFetcher
  ) async throws -> GuardedFetcher.Answer {
    try await fetcher.fetch(url, method, accept: "*/*", client: "test")
  }

  private func expectProblem(
    _ status: Int,
    _ code: String,
    _ url: String,
    _ method: GuardedFetcher.Method = .get,
    with fetcher: GuardedFetcher,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let problem = await #expect(throws: FetchError.self, sourceLocation: sourceLocation) {
      try await fetch(url, method, with: fetcher)
    }
    #expect(problem?.problem.code == code, "\(String(describing: problem))", sourceLocation: sourceLocation)
    #expect(problem?.problem.status.code == status, sourceLocation: sourceLocation)
  }

  @Test func `the host is reached at the checked address, under its own name, without anything of the user's`()
    async throws
  {
    try await TestHost.with { _ in
      .text("world", .ok, [.contentType: "text/x-world"])
    } _: { host in
      let fetcher = fetcher()
      // The name resolves nowhere but in the test's resolver: a second look-up would fail.
      let url = "http://world.example:\(host.port)/a%20b.gddf?session=1"
      let answer = try await fetch(url, .post(fields: "event=init&lat=48.4"), with: fetcher)
      #expect(String(buffer: answer.body) == "world")
      #expect(answer.url == url)
      #expect(answer.mediaType == "text/x-world")
      let seen = try #require(host.seen.all.first)
      #expect(seen.method == "POST")
      #expect(seen.target == "/a%20b.gddf?session=1")
      #expect(seen.host == "world.example:\(host.port)")
      #expect(seen.body == "event=init&lat=48.4")
      #expect(seen.headers[.contentType] == "application/x-www-form-urlencoded")
      #expect(seen.headers[.userAgent]?.hasPrefix("Sightline/") == true)
      let names = Set(seen.headers.map { $0.name.canonicalName })
      #expect(names.isSubset(of: ["accept", "accept-encoding", "content-length", "content-type", "user-agent"]))
      await fetcher.shutdown()
    }
  }

  @Test func `a host with one dead address is reached at the other`() async throws {
    try await TestHost.with { _ in
      .text("alive")
    } _: { host in
      let fetcher = fetcher()
      let answer = try await fetch("http://two.example:\(host.port)/", with: fetcher)
      #expect(String(buffer: answer.body) == "alive")
      await fetcher.shutdown()
    }
  }

  @Test(arguments: [
    (301, "GET", ""), (302, "GET", ""), (303, "GET", ""), (307, "POST", "event=init"), (308, "POST", "event=init"),
  ])
  func `redirects repeat the POST or become GET`(status: Int, method: String, body: String) async throws {
    try await TestHost.with { seen in
      seen.target == "/first" ? .redirect(.init(code: status), to: "second?x=1") : .text("there")
    } _: { host in
      let fetcher = fetcher()
      let answer = try await fetch("http://127.0.0.1:\(host.port)/first", .post(fields: "event=init"), with: fetcher)
      #expect(answer.url == "http://127.0.0.1:\(host.port)/second?x=1")
      #expect(host.seen.all.map(\.method) == ["POST", method])
      #expect(host.seen.all.last?.body == body)
      await fetcher.shutdown()
    }
  }

  @Test func `405 is repeated once as GET`() async throws {
    try await TestHost.with { seen in
      seen.method == "POST" || seen.target == "/never" ? .text("", .methodNotAllowed) : .text("static")
    } _: { host in
      let fetcher = fetcher()
      let base = "http://127.0.0.1:\(host.port)"
      let answer = try await fetch(base + "/", .post(fields: "a=1"), with: fetcher)
      #expect(String(buffer: answer.body) == "static")
      #expect(host.seen.all.map(\.method) == ["POST", "GET"])
      #expect(host.seen.all.last?.body == "")
      await expectProblem(502, "open.status", base + "/never", .post(fields: "a=1"), with: fetcher)
      await expectProblem(502, "open.status", base + "/never", with: fetcher)
      await fetcher.shutdown()
    }
  }

  @Test func `five redirects are followed, six are not`() async throws {
    try await TestHost.with { seen in
      let step = Int(seen.target.dropFirst()) ?? 0
      return step == 0 ? .text("end") : .redirect(.found, to: "/\(step - 1)")
    } _: { host in
      let fetcher = fetcher()
      let base = "http://127.0.0.1:\(host.port)"
      let answer = try await fetch(base + "/5", with: fetcher)
      #expect(String(buffer: answer.body) == "end")
      await expectProblem(502, "open.redirects", base + "/6", with: fetcher)
      await fetcher.shutdown()
    }
  }

  @Test(arguments: [
    ("http://metadata.example/latest", 403, "open.address-refused"),
    ("http://169.254.169.254/", 403, "open.address-refused"),
    ("http://[::ffff:127.0.0.1]/", 403, "open.address-refused"), ("file:///etc/passwd", 400, "open.scheme"),
    ("http://user:pass@127.0.0.1/", 400, "open.userinfo"), ("ftp://127.0.0.1/", 400, "open.scheme"),
    ("http://unknown.example/", 502, "open.unresolved"), ("http://0.0.0.0/", 403, "open.address-refused"),
    ("//metadata.example/", 403, "open.address-refused"), ("", 400, "open.url-malformed"),
  ])
  func `each redirect is checked like the first address`(location: String, status: Int, code: String) async throws {
    try await TestHost.with { _ in
      .redirect(.found, to: location)
    } _: { host in
      let fetcher = fetcher()
      await expectProblem(status, code, "http://127.0.0.1:\(host.port)/", with: fetcher)
      await fetcher.shutdown()
    }
  }

  @Test func `a redirect to the gamaray scheme goes on over HTTP`() async throws {
    let port = Mutex(0)
    try await TestHost.with { seen in
      seen.target == "/" ? .redirect(.found, to: "gamaray://127.0.0.1:\(port.withLock { $0 })/w") : .text("world")
    } _: { host in
      port.withLock { $0 = host.port }
      let fetcher = fetcher()
      let answer = try await fetch("gamaray://127.0.0.1:\(host.port)/", with: fetcher)
      #expect(answer.url == "http://127.0.0.1:\(host.port)/w")
      await fetcher.shutdown()
    }
  }

  @Test func `without leave nothing on this machine is reached`() async throws {
    try await TestHost.with { _ in
      .text("secret")
    } _: { host in
      let fetcher = fetcher { $0.allowsPrivateAddresses = false }
      for name in ["127.0.0.1", "world.example", "[::1]"] {
        await expectProblem(403, "open.address-refused", "http://\(name):\(host.port)/", with: fetcher)
      }
      #expect(host.seen.all.isEmpty)
      await fetcher.shutdown()
    }
  }

  @Test(arguments: [400, 401, 403, 404, 410, 500, 503, 304, 300])
  func `any other status is told to the user`(status: Int) async throws {
    try await TestHost.with { _ in
      Response(status: .init(code: status))
    } _: { host in
      let fetcher = fetcher()
      await expectProblem(502, "open.status", "http://127.0.0.1:\(host.port)/", with: fetcher)
      await fetcher.shutdown()
    }
  }

  @Test func `a redirect without address is told as a status`() async throws {
    try await TestHost.with { _ in
      Response(status: .found)
    } _: { host in
      let fetcher = fetcher()
      await expectProblem(502, "open.status", "http://127.0.0.1:\(host.port)/", with: fetcher)
      await fetcher.shutdown()
    }
  }

  @Test func `what is too large is broken off, announced or not, compressed or not`() async throws {
    let large = ByteBuffer(repeating: 0x20, count: 200_000)
    let zipped = try #require(Gzip.compress(large, level: 9))
    try await TestHost.with { seen in
      switch seen.target {
      case "/announced": return Response(status: .ok, body: .init(byteBuffer: large))
      case "/zipped":
        return Response(
          status: .ok,
          headers: [.contentEncoding: "gzip"],
          body: .init(byteBuffer: zipped)
        )
      default:
        return Response(
          status: .ok,
          body: .init { writer in
            for _ in 0..<20 { try await writer.write(ByteBuffer(repeating: 0x20, count: 10_000)) }
            try await writer.finish(nil)
          }
        )
      }
    } _: { host in
      let fetcher = fetcher { $0.largestBody = 100_000 }
      for path in ["announced", "chunked"] {
        await expectProblem(502, "open.too-large", "http://127.0.0.1:\(host.port)/\(path)", with: fetcher)
      }
      // The decompressor breaks off by itself.
      await #expect(throws: FetchError.self) {
        try await fetch("http://127.0.0.1:\(host.port)/zipped", with: fetcher)
      }
      #expect(zipped.readableBytes < 100_000)
      await fetcher.shutdown()
    }
  }

  @Test func `a host that does not answer in time is given up`() async throws {
    try await TestHost.with { seen in
      if seen.target == "/loop" { return .redirect(.found, to: "/loop2") }
      try await Task.sleep(for: .seconds(120))
      return .text("late")
    } _: { host in
      let fetcher = fetcher { $0.timeLimit = .milliseconds(300) }
      let start = ContinuousClock.now
      await expectProblem(504, "open.timeout", "http://127.0.0.1:\(host.port)/", with: fetcher)
      await expectProblem(504, "open.timeout", "http://127.0.0.1:\(host.port)/loop", with: fetcher)
      // The limit is 0.3 s and the host takes 120: a busy machine may take its time, but nobody waits for the host.
      #expect(ContinuousClock.now - start < .seconds(60))
      await fetcher.shutdown()
    }
  }

  @Test func `a port that nobody listens on is told`() async throws {
    let port = try await TestHost.with { _ in
      .text("")
    } _: {
      $0.port
    }
    let fetcher = fetcher()
    await expectProblem(502, "open.unreachable", "http://127.0.0.1:\(port)/", with: fetcher)
    await expectProblem(502, "open.unresolved", "http://unknown.example/", with: fetcher)
    await fetcher.shutdown()
  }

  @Test func `certificates are checked against the name`() async throws {
    let folder = NSTemporaryDirectory() + "sightline-tls-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let authority = try TestAuthority(in: folder)
    let files = try authority.issue(for: "world.example")
    try await TestHost.with(tls: try files.configuration()) { _ in
      .text("secure")
    } _: { host in
      let trusting = fetcher(trustRoots: .file(authority.certificateFile))
      let answer = try await fetch("https://world.example:\(host.port)/", with: trusting)
      #expect(String(buffer: answer.body) == "secure")
      await expectProblem(502, "open.tls", "https://other.example:\(host.port)/", with: trusting)
      await trusting.shutdown()
      let usual = fetcher()
      await expectProblem(502, "open.tls", "https://world.example:\(host.port)/", with: usual)
      await usual.shutdown()
    }
  }

  // MARK: The routes

  private func server(_ port: Int) async throws -> ServerFixture {
    try await ServerFixture { $0.proxy.allowsPrivateAddresses = true }
  }

  @Test func `pictures come through with the type that their bytes have`() async throws {
    try await TestHost.with { seen in
      switch seen.target {
      case "/picture":
        Response(
          status: .ok,
          headers: [.contentType: "text/html", .setCookie: "a=b"],
          body: .init(byteBuffer: ByteBuffer(bytes: Pictures.png))
        )
      case "/svg": .text("<svg xmlns='http://www.w3.org/2000/svg'/>", .ok, [.contentType: "image/svg+xml"])
      default: .text("<script>alert(1)</script>", .ok, [.contentType: "image/png"])
      }
    } _: { host in
      let fixture = try await server(host.port)
      let base = "/api/v1/asset?url=" + FormFields.encode("http://127.0.0.1:\(host.port)/")
      let picture = try await fixture.request(base + "picture")
      #expect(picture.status == .ok)
      #expect(picture.headers[.contentType] == "image/png")
      #expect(picture.headers[.setCookie] == nil)
      #expect(picture.headers[.contentSecurityPolicy] == SecurityHeaders.inertPolicy)
      #expect(picture.headers[.xContentTypeOptions] == "nosniff")
      #expect(Array(picture.body.readableBytesView) == Pictures.png)
      try SightlineServerTests.expectProblem(try await fixture.request(base + "svg"), 502, "asset.type")
      try SightlineServerTests.expectProblem(try await fixture.request(base + "html"), 502, "asset.type")
      let foreign = try await fixture.request(base + "picture", headers: [.fetchSite: "cross-site"])
      try SightlineServerTests.expectProblem(foreign, 403, "open.cross-site")
      let own = try await fixture.request(base + "picture", headers: [.fetchSite: "same-origin"])
      #expect(own.status == .ok)
      try SightlineServerTests.expectProblem(try await fixture.request("/api/v1/asset"), 400, "asset.missing")
      await fixture.server.fetcher.shutdown()
    }
  }

  @Test func `only the fields of a dimension request are passed on`() {
    let fields = FormFields("url=x&time=5&lat=48.4&cookie=secret&event=init&lon=10&roll=&password=y&uid=a%2Bb")
    let sent = FormFields(OpenRoutes.forwarded(fields))
    #expect(Set(sent.fields.map(\.name)) == ["event", "eventSrc", "lat", "lon", "uid", "time"])
    #expect(sent["uid"] == "a+b")
    #expect(sent["lat"].flatMap { Double($0) } == 48.4)
  }

  @Test(arguments: [
    ("", 400, "open.missing"), ("url=", 400, "open.url-malformed"),
    ("url=file%3A%2F%2F%2Fetc%2Fpasswd", 400, "open.scheme"),
    ("url=http%3A%2F%2F169.254.169.254%2F", 403, "open.address-refused"),
    ("url=http%3A%2F%2F127.0.0.1%3A22%2F", 403, "open.address-refused"),
  ])
  func `opening refuses what may not be opened`(body: String, status: Int, code: String) async throws {
    let fixture = try await ServerFixture()
    let response = try await fixture.request(
      "/api/v1/open",
      .post,
      headers: [.contentType: "application/x-www-form-urlencoded"],
      body: body
    )
    try SightlineServerTests.expectProblem(response, status, code)
    #expect(fixture.logLines.all.allSatisfy { !$0.contains("169.254") && !$0.contains("passwd") })
    await fixture.server.fetcher.shutdown()
  }
}
