import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import NIOCore
import SightlineStore
import Testing

@testable import SightlineServer

/// What holds networks to their share, apart from sockets.
@Suite(.timeLimit(.minutes(10))) struct FairnessTests {
  // MARK: Networks

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8:1:2::5", "2001:db8:1:2::/64"),
    ("2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"), ("::1", "0:0:0:0::/64"),
    ("255.255.255.255", "255.255.255.255"),
  ])
  func `an address counts as its network`(address: String, network: String) throws {
    #expect(ClientNetwork(try #require(NetworkAddress(address))).description == network)
  }

  @Test(arguments: [
    // Not from a trusted server: nobody's word counts.
    ("203.0.113.9", "192.0.2.1", "203.0.113.9"),
    ("10.0.0.7", "192.0.2.1", "192.0.2.1"),
    ("::ffff:10.0.0.7", "192.0.2.1", "192.0.2.1"),
    // The one that the nearest server has seen counts, not what came before it.
    ("10.0.0.7", "1.2.3.4, 192.0.2.1", "192.0.2.1"),
    // A chain of trusted ones is followed.
    ("10.0.0.7", "1.2.3.4, 192.0.2.1, 192.168.1.9", "192.0.2.1"),
    ("10.0.0.7", "192.168.1.9, 10.0.0.7", "192.168.1.9"),
    ("10.0.0.7", "[2001:db8::5]:4711", "2001:db8::5"), ("10.0.0.7", "\"[2001:db8::5]\"", "2001:db8::5"),
    ("10.0.0.7", "192.0.2.1:4711", "192.0.2.1"), ("10.0.0.7", " 192.0.2.1 ", "192.0.2.1"),
    // What is no address is nobody's.
    ("10.0.0.7", "17000.1.1.1", "10.0.0.7"), ("10.0.0.7", "", "10.0.0.7"), ("10.0.0.7", "unknown", "10.0.0.7"),
    ("10.0.0.7", "192.0.2.1, x", "10.0.0.7"), ("10.0.0.7", ",", "10.0.0.7"),
    ("10.0.0.7", String(repeating: "9", count: 500), "10.0.0.7"),
  ])
  func `a forwarded address is believed from trusted servers alone`(peer: String, field: String, client: String) throws
  {
    let trusted = try #require(TrustedProxies("10.0.0.7, 192.168.0.0/16,2001:db8:ff::/48"))
    let found = trusted.client(peer: try #require(NetworkAddress(peer)), forwarded: field)
    #expect(found.description == client)
  }

  @Test func `lists of trusted servers are read strictly`() throws {
    for bad in [
      "", "x", "10.0.0.0/33", "10.0.0.0/0", "10.0.0.0/-1", "10.0.0.0/", "10.0.0", "::1/129", "10.0.0.1,,10.0.0.2",
    ] {
      #expect(TrustedProxies(bad) == nil, "\(bad)")
    }
    #expect(TrustedProxies("none")?.isEmpty == true)
    let local = try #require(TrustedProxies("loopback"))
    #expect(local.contains(try #require(NetworkAddress("127.9.9.9"))))
    #expect(local.contains(try #require(NetworkAddress("::1"))))
    #expect(!local.contains(try #require(NetworkAddress("128.0.0.1"))))
  }

  @Test func `without being told, only a server that must have one in front of it believes this machine`() {
    var options = ServerOptions()
    #expect(options.believedProxies == .none)
    options.publicURL = "http://127.0.0.1:8080"
    #expect(options.believedProxies == .none)
    options.publicURL = "https://ar.example.org"
    #expect(options.believedProxies == .loopback)
    options.host = "0.0.0.0"
    #expect(options.believedProxies == .none)
    options.trustedProxies = .loopback
    #expect(options.believedProxies == .loopback)
  }

  // MARK: Shares

  @Test func `one network cannot take the last places`() {
    var count = FairCount<String>(FairShare(all: 1000, each: 1000))
    while count.take(for: "a") {}
    #expect(count.held(by: "a") < 120)
    // However many networks have taken their share, who has nothing yet gets in, until all is taken.
    for number in 0..<20 { while count.take(for: "n\(number)") {} }
    #expect((850..<1000).contains(count.total))
    var others = 0
    while count.take(for: "new\(others)") { others += 1 }
    #expect(count.total == 1000 && others > 0)
    // What is given back can be had again.
    count.give(of: "a")
    let late = count.take(for: "late")
    #expect(late)
    var each = FairCount<String>(FairShare(all: 1000, each: 3))
    while each.take(for: "a") {}
    #expect(each.held(by: "a") == 3)
    let other = each.take(for: "b")
    #expect(other)
  }

  @Test func `token buckets in bounded memory evict nobody who is using theirs`() {
    var buckets = TokenBuckets(perSecond: 1, burst: 4, capacity: 100)
    for _ in 0..<4 { #expect(buckets.take(of: "busy", at: 0) == nil) }
    #expect(buckets.take(of: "busy", at: 0) == 1)
    // A flood of addresses, each with one request.
    var refused = 0
    for number in 0..<10_000 where buckets.take(of: "n\(number)", at: 0.5) != nil { refused += 1 }
    #expect(buckets.count == 100)
    // Those who found no room shared one bucket.
    #expect(refused > 9000)
    #expect(buckets.take(of: "busy", at: 0.5) == 0.5)
    // Full buckets make room.
    #expect(buckets.take(of: "late", at: 100) == nil)
    #expect(buckets.count == 100)
    #expect(buckets.take(0, of: "late", at: 100) == nil)
  }

  @Test func `a clock that was set back gives nothing, and takes nothing away for long`() {
    var buckets = TokenBuckets(perSecond: 1, burst: 2, capacity: 100)
    #expect(buckets.take(2, of: "a", at: 3600) == nil)
    #expect(buckets.take(of: "a", at: 0) == 1)
    #expect(buckets.take(of: "a", at: 1) == nil && buckets.take(of: "a", at: 1) == 1)
    // Out of order, as threads come.
    #expect(buckets.take(of: "a", at: 2) == nil && buckets.take(of: "a", at: 1.999) == 1)
    #expect(buckets.take(of: "a", at: 2) == 1)
  }

  @Test func `a token that is given back can be taken again, and no more than the burst`() {
    var buckets = TokenBuckets(perSecond: 1, burst: 2, capacity: 100)
    #expect(buckets.take(of: "a", at: 0) == nil && buckets.take(of: "a", at: 0) == nil)
    buckets.giveBack(1, of: "a")
    #expect(buckets.take(of: "a", at: 0) == nil && buckets.take(of: "a", at: 0) == 1)
    buckets.giveBack(50, of: "a")
    buckets.giveBack(1, of: "nobody")
    #expect(buckets.take(2, of: "a", at: 0) == nil && buckets.take(of: "a", at: 0) == 1)
    #expect(buckets.count == 1)
    // Who found no room gets back what he took from the newcomers' bucket, and that is never more than full.
    var full = TokenBuckets(perSecond: 1, burst: 2, capacity: 1)
    #expect(full.take(2, of: "a", at: 0) == nil)
    func takeAll() -> Int {
      var count = 0
      while full.take(of: "new\(count)", at: 0) == nil { count += 1 }
      return count
    }
    let all = takeAll()
    full.giveBack(3, of: "somebody new")
    #expect(takeAll() == 3)
    full.giveBack(1000, of: "somebody new")
    #expect(takeAll() == all)
    let shared = CommonBuckets(perSecond: 1, burst: 4, capacity: 100) { 0 }
    shared.share()
    #expect(shared.take(3, of: "a") == nil)
    shared.giveBack(2, of: "a")
    // Other servers hear of what was taken, not of what was given back.
    #expect(Array(shared.takeUntold().values) == [1])
    #expect(shared.take(3, of: "a") == nil && shared.take(1, of: "a") == 1)
  }

  @Test func `queued work is taken round-robin by network, and one network gets a part of the queue`() async throws {
    let worker = BackgroundWorker(label: "test", limit: 30)
    let (order, refused) = (LogLines(), LogLines())
    let held = DispatchSemaphore(value: 0)
    @Sendable func work(_ client: String) async {
      do {
        try await ClientNetwork.scope.withValue(client) { try await worker.run { order.append(client) } }
      } catch {
        refused.append("\((error as? any ProblemConvertible)?.problem.status.code ?? 0)")
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await worker.run { held.wait() } }
      var begun = 1
      for client in [String](repeating: "a", count: 20) + ["b", "c"] {
        while worker.count + refused.all.count < begun { try await Task.sleep(for: .milliseconds(1)) }
        group.addTask { await work(client) }
        begun += 1
      }
      while worker.count + refused.all.count < begun { try await Task.sleep(for: .milliseconds(1)) }
      #expect(worker.count < 20)
      held.signal()
      try await group.waitForAll()
    }
    #expect(order.all.prefix(3) == ["a", "b", "c"])
    #expect(order.all.count { $0 == "a" } <= 10 && order.all.count { $0 == "a" } >= 5)
    #expect(!refused.all.isEmpty && refused.all.allSatisfy { $0 == "429" })
    #expect(worker.count == 0)
  }

  @Test func `single flight: what several want at once is made once`() async throws {
    let flights = SingleFlight<String, Int>()
    let made = LogLines()
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let asked = LogLines()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 {
        group.addTask {
          asked.append("")
          return try await flights.value(for: "x") {
            made.append("")
            for await _ in gate {}
            return 7
          }
        }
      }
      while asked.all.count < 20 || made.all.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
      #expect(made.all.count == 1 && flights.count == 1)
      open.finish()
      for try await value in group { #expect(value == 7) }
    }
    #expect(flights.count == 0)
    await #expect(throws: CancellationError.self) {
      _ = try await flights.value(for: "x") { throw CancellationError() }
    }
    let later = try await flights.value(for: "x") { 8 }
    #expect(later == 8)
  }

  @Test func `costly requests are held for a network and in all, and say when to come again`() async throws {
    let gate = WorkGate(
      render: FairShare(all: 8, each: 2),
      heavy: FairShare(all: 8, each: 8),
      heavyPerSecond: 1,
      heavyBurst: 3
    )
    try await gate.run(.render, for: "a") {
      try await gate.run(.render, for: "a") {
        let refused = await #expect(throws: Overload.self) { try await gate.run(.render, for: "a") {} }
        #expect(refused == .runningForNetwork && refused?.problem.headers[.retryAfter] != nil)
        try await gate.run(.render, for: "b") {}
      }
    }
    for _ in 0..<3 { try await gate.run(.heavy, for: "a") {} }
    let refused = await #expect(throws: RateExceeded.self) { try await gate.run(.heavy, for: "a") {} }
    #expect(refused?.problem.status == .tooManyRequests && refused?.problem.headers[.retryAfter] != nil)
    try await gate.run(.heavy, for: "b") {}
    for _ in 0..<100 { try await gate.run(.usual, for: "a") {} }
  }

  @Test func `a least-recently-used cache keeps to its bytes, keys included`() {
    var recent = RecentEntries<Int>(limit: 10_000)
    for number in 0..<1000 { recent.set("k\(number)" + String(repeating: "x", count: 500), to: number, bytes: 0) }
    #expect(recent.bytes <= 10_000)
    #expect(recent.count > 5 && recent.count < 20)
    recent = RecentEntries(limit: 10_000)
    for number in 0..<10 { recent.set("\(number)", to: number, bytes: 600) }
    #expect(recent["0"] == 0)
    for number in 10..<15 { recent.set("\(number)", to: number, bytes: 600) }
    #expect(recent["0"] == 0 && recent["1"] == nil && recent["14"] == 14)
    recent.set("14", to: 99, bytes: 20_000)
    #expect(recent["14"] == nil && recent.bytes == 0 && recent.count == 0)
    recent.set("a", to: 1, bytes: 1)
    #expect(recent["a"] == 1 && recent.count == 1)
  }

  // MARK: Hosts

  @Test func `made-up hosts are neither believed nor kept`() async throws {
    let fixture = try await ServerFixture()
    try await fixture.add("ulm", [place("Minster", 48.3984, 9.9916)])
    for host in [String(repeating: "a", count: 256), "a b", "a/b", "<x>", ""] { #expect(!HostName.isWellFormed(host)) }
    for host in ["a", "ar.example.org:8443", "[2001:db8::1]:80", String(repeating: "a", count: 255)] {
      #expect(HostName.isWellFormed(host))
    }
    let cache = BodyCache(limit: 4 << 20)
    var table = RouteTable()
    WorldRoutes(
      worlds: fixture.stores.worlds,
      catalog: fixture.server.catalog,
      cache: cache,
      worker: BackgroundWorker(label: "test", limit: 32),
      readiness: fixture.server.readiness,
      isSecure: false,
      publicURL: nil
    ).add(to: &table)
    let (route, parameters) = try #require(table.match("/worlds/ulm.gddf"))
    let handler = try #require(route.handler(for: .get))
    func ask(_ host: String) async throws -> Response {
      let head = HTTPRequest(method: .get, scheme: "http", authority: host, path: "/worlds/ulm.gddf")
      let request = Request(head: head, body: .init(buffer: ByteBuffer()))
      return try await handler(
        Exchange(request: request, requestID: "1", parameters: parameters, client: "-", log: fixture.server.log)
      )
    }
    for number in 0..<200 {
      let answer = try await ask("h\(number)" + String(repeating: "a", count: 200))
      #expect(answer.status == .ok)
    }
    #expect(cache.use.count == 16)
  }

  @Test func `known origins are few, and make room for those that are used`() async throws {
    let origins = KnownOrigins(most: 2, rest: .milliseconds(20))
    #expect(origins.admits("a") && origins.admits("b") && !origins.admits("c"))
    try await Task.sleep(for: .milliseconds(30))
    #expect(origins.admits("b"))
    #expect(origins.admits("c") && !origins.admits("a"))
  }

  // MARK: Answers

  @Test func `a busy database and a full disk are a matter of waiting, another fault is not`() async throws {
    let fixture = try await ServerFixture()
    let known: [(ResultCode, Int)] = [
      (.SQLITE_BUSY, 503), (.SQLITE_LOCKED, 503), (.SQLITE_FULL, 503), (.SQLITE_CORRUPT, 500),
    ]
    for (code, status) in known {
      var routes = RouteTable()
      routes.add(.get, "/x", .init("test", answer: .nothing)) { _ in throw DatabaseError(resultCode: code) }
      let answer = try await fixture.request("/x", routes: routes)
      let name = code == .SQLITE_FULL ? "store.full" : status == 503 ? "store.busy" : "server.failed"
      try expectProblem(answer, status, name)
      #expect((answer.headers[.retryAfter] != nil) == (status == 503))
    }
  }

  @Test func `whoever is refused is told when to come again`() async throws {
    let fixture = try await ServerFixture(prepared: false)
    var routes = RouteTable()
    routes.add(.get, "/x", .init("test", answer: .nothing)) { _ in
      throw RequestProblem(.tooManyRequests, "x", "Not so many, please.")
    }
    #expect(try await fixture.request("/x", routes: routes).headers[.retryAfter] != nil)
    let ready = try await fixture.request("/health/ready")
    #expect(ready.status == .serviceUnavailable && ready.headers[.retryAfter] != nil)
  }

  @Test func `only a server that is reached by TLS asks for nothing else`() async throws {
    var headers = HTTPFields()
    SecurityHeaders.complete(&headers)
    #expect(headers[.strictTransportSecurity] == nil)
    SecurityHeaders.complete(&headers, isSecure: true)
    #expect(headers[.strictTransportSecurity] == "max-age=31536000")
    var options = ServerOptions()
    #expect(!options.isSecure)
    options.publicURL = "https://ar.example.org"
    #expect(options.isSecure)
  }

  @Test func `signing out takes what the browser has kept of the pages`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let author = try await fixture.signedIn("olga")
    let answer = try await author.request("/api/v1/session", .delete)
    #expect(answer.status == .noContent)
    #expect(answer.headers[.clearSiteData] == "\"cache\"")
  }
}
