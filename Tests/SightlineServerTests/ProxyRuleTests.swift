import Foundation
import Testing

@testable import SightlineServer

@Suite struct ProxyRuleTests {
  @Test(arguments: [
    "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
    "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0", "192.167.255.255",
    "192.169.0.0", "198.17.255.255", "198.20.0.0", "203.0.112.255", "203.0.114.0", "223.255.255.255",
    "2001:4860:4860::8888", "2a00:1450::1", "2001:200::1", "2003::1", "3ffe::1", "2001:db7::1", "2001:db9::1",
  ])
  func `public addresses are fetched from`(text: String) throws {
    #expect(try #require(NetworkAddress(text)).reach == .global)
  }

  @Test(arguments: [
    "127.0.0.1", "127.255.255.255", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1",
    "192.168.255.255", "100.64.0.1", "100.127.255.255", "::1", "fc00::1", "fd12:3456:789a::1", "fdff::1",
  ])
  func `private addresses need the operator's leave`(text: String) throws {
    #expect(try #require(NetworkAddress(text)).reach == .local)
  }

  @Test(arguments: [
    "0.0.0.0", "0.1.2.3", "169.254.0.1", "169.254.169.254", "192.0.0.1", "192.0.0.170", "192.0.2.1", "192.88.99.1",
    "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1",
    "255.255.255.255", "::", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1",
    "64:ff9b:1::a00:1", "100::1", "2001::1", "2001:0:4136:e378::1", "2001:10::1", "2001:20::1", "2001:db8::1",
    "2002:7f00:1::", "2002:c0a8:101::1", "3fff::1", "3fff:fff::1", "4000::1", "5f00::1", "8000::1", "fe80::1",
    "febf::1", "fec0::1", "fe00::1", "ff02::1", "ff0e::1",
  ])
  func `these addresses are never fetched from`(text: String) throws {
    guard case .never = try #require(NetworkAddress(text)).reach else {
      Issue.record("\(text) is reached")
      return
    }
  }

  @Test func `addresses are written and read in the usual notation`() {
    for text in ["127.0.0.1", "::1", "2001:db8::1", "fe80::1"] { #expect(NetworkAddress(text)?.description == text) }
    for text in ["", "127.1", "0x7f.0.0.1", "2130706433", "1.2.3.4.5", "localhost", "[::1]", "::1%eth0", "256.0.0.1"] {
      #expect(NetworkAddress(text) == nil, "\(text)")
    }
  }

  @Test(arguments: [
    ("http://example.org", "http://example.org/", 80),
    ("https://example.org/a?b=c#d", "https://example.org/a?b=c", 443),
    ("gamaray://example.org/x.gddf", "http://example.org/x.gddf", 80),
    ("HTTP://EXAMPLE.org:81/", "http://example.org:81/", 81),
    (" http://example.org/ ", "http://example.org/", 80), ("http://[2001:db8::1]/", "http://[2001:db8::1]/", 80),
    ("http://example.org/ä b".replacingOccurrences(of: " b", with: ""), "http://example.org/%C3%A4", 80),
    ("http://xn--mnster-3ya.example/", "http://xn--mnster-3ya.example/", 80),
    ("http://%31%32%37.0.0.1/", "http://127.0.0.1/", 80),
    ("http://Münster.example/", "http://xn--mnster-3ya.example/", 80),
  ])
  func `addresses are brought to one form`(text: String, absolute: String, port: Int) throws {
    let target = try ProxyTarget(text)
    #expect(target.absolute == absolute)
    #expect(target.port == port)
    #expect(target.isSecure == absolute.hasPrefix("https:"))
  }

  @Test(arguments: [
    ("", "open.url-malformed"), ("   ", "open.url-malformed"), ("http://", "open.host"), ("http:///path", "open.host"),
    ("example.org", "open.url-malformed"), ("/path", "open.url-malformed"), ("//example.org/", "open.url-malformed"),
    ("file:///etc/passwd", "open.scheme"), ("ftp://example.org/", "open.scheme"), ("data:text/plain,x", "open.scheme"),
    ("javascript:alert(1)", "open.scheme"), ("gopher://example.org:70/", "open.scheme"),
    ("http://user@example.org/", "open.userinfo"), ("http://user:pass@example.org/", "open.userinfo"),
    ("http://example.org@127.0.0.1/", "open.userinfo"), ("http://exa mple.org/", "open.url-malformed"),
    ("http://example.org/\r\nHost: other", "open.url-malformed"),
    ("http://example.org\\@127.0.0.1/", "open.url-malformed"),
    ("http://example.org:0/", "open.port"), ("http://example.org:99999/", "open.port"),
    ("http://" + String(repeating: "a", count: 5000), "open.url-malformed"), ("http://\u{0}/", "open.url-malformed"),
  ])
  func `addresses that are no web addresses are refused`(text: String, code: String) {
    let problem = #expect(throws: FetchError.self) { try ProxyTarget(text) }
    #expect(problem?.problem.code == code, "\(text): \(String(describing: problem))")
  }

  @Test func `only checked addresses and ports are left`() throws {
    let global = try #require(NetworkAddress("93.184.215.14"))
    let local = try #require(NetworkAddress("192.168.1.1"))
    let metadata = try #require(NetworkAddress("169.254.169.254"))
    var policy = ProxyPolicy()
    let web = try ProxyTarget("http://example.org/")
    let odd = try ProxyTarget("http://example.org:8080/")
    #expect(try web.permitted([global, local, metadata], by: policy) == [global])
    for addresses in [[local], [metadata], [local, metadata], []] {
      #expect(throws: FetchError.self) { try web.permitted(addresses, by: policy) }
    }
    #expect(throws: FetchError.self) { try odd.permitted([global], by: policy) }
    policy.ports = [80, 443, 8080]
    #expect(try odd.permitted([global], by: policy) == [global])
    policy = ProxyPolicy()
    policy.allowsPrivateAddresses = true
    #expect(try web.permitted([global, local, metadata], by: policy) == [global, local])
    // A private address may have any port, a public one may not.
    #expect(try odd.permitted([global, local, metadata], by: policy) == [local])
    #expect(throws: FetchError.self) { try web.permitted([metadata], by: policy) }
  }

  @Test(arguments: ["localhost", "127.0.0.1", "127.1", "0x7f000001", "2130706433", "017700000001", "::1"])
  func `other ways to write this machine's address resolve to what is refused`(host: String) async throws {
    let found = try await HostResolver.system.addresses(host)
    // A resolver may not know a form; what it knows must be recognised.
    #expect(found.allSatisfy { $0.reach == .local }, "\(host): \(found)")
  }

  @Test func `fetches are counted by client and in all`() async throws {
    var policy = ProxyPolicy()
    policy.concurrentFetches = 3
    policy.concurrentFetchesPerClient = 2
    let limiter = FetchLimiter(policy: policy)
    try await limiter.run(client: "a") { () async throws in
      try await limiter.run(client: "a") { () async throws in
        let own = await #expect(throws: FetchError.self) { try await limiter.run(client: "a") {} }
        #expect(own == .tooMany)
        try await limiter.run(client: "b") { () async throws in
          let all = await #expect(throws: FetchError.self) { try await limiter.run(client: "c") {} }
          #expect(all == .busy)
        }
        // A failure gives its place back as well.
        await #expect(throws: CancellationError.self) {
          try await limiter.run(client: "b") { throw CancellationError() }
        }
        try await limiter.run(client: "b") {}
      }
    }
    try await limiter.run(client: "a") {}
  }
}
