import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import SightlineTestSupport
import SightlineTransit
import Synchronization
import Testing

@testable import SightlineServer

/// Which requests are answered at once, and that nobody can tell the difference.
@Suite(.timeLimit(.minutes(10))) struct PromptResponderTests {
  /// Says which way each request took.
  private final class Ways: Sendable {
    private let taken = Mutex<[String]>([])
    func note(_ way: String) { taken.withLock { $0.append(way) } }
    /// Those since the last call.
    func take() -> [String] {
      taken.withLock { taken in
        defer { taken = [] }
        return taken
      }
    }
  }

  private static func routes(_ ways: Ways, answer bytes: Int = 2) -> RouteTable {
    var routes = RouteTable()
    let body = ByteBuffer(repeating: UInt8(ascii: "a"), count: bytes)
    routes.add(
      .post,
      "/light",
      .init("light", answer: .nothing),
      isLight: true,
      prompt: { exchange, body in
        let text = String(buffer: body)
        if text == "wait" { return nil }
        ways.note("prompt \(text.prefix(20))")
        if text == "wrong" { throw RequestProblem.badRequest("test.wrong", "It is wrong.") }
        return .json(body)
      }
    ) { exchange in
      let text = String(buffer: try await exchange.body())
      ways.note("handler \(text.prefix(20))")
      if text == "wrong" { throw RequestProblem.badRequest("test.wrong", "It is wrong.") }
      return PromptAnswer.json(ByteBuffer(string: text)).response
    }
    routes.add(
      .get,
      "/large",
      .init("large", answer: .nothing),
      isLight: true,
      prompt: { _, _ in
        ways.note("prompt")
        return .json(body)
      }
    ) { _ in
      ways.note("handler")
      return PromptAnswer.json(body).response
    }
    routes.add(.get, "/slow", .init("slow", answer: .nothing)) { _ in
      try await Task.sleep(for: .milliseconds(200))
      ways.note("slow")
      return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "slow!")))
    }
    return routes
  }

  private func run(
    answer bytes: Int = 2,
    _ work: (Ways, Int) async throws -> Void
  ) async throws {
    let ways = Ways()
    let register = ConnectionRegister(connections: 64, perNetwork: 64)
    try await LoopServer.run(Self.routes(ways, answer: bytes), register: register) { try await work(ways, $0) }
  }

  private static func post(_ body: String, to path: String = "/light", _ fields: String = "") -> String {
    "POST \(path) HTTP/1.1\r\nHost: x\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  private static func read(_ client: RawClient, until end: String) async throws -> String {
    var text = ""
    while !text.hasSuffix(end), let more = try await client.readSome() { text += more }
    return text
  }

  @Test func `what came whole is answered at once, all else by the handler`() async throws {
    try await run { ways, port in
      let client = try await RawClient(port: port)
      try await client.send(Self.post("one"))
      #expect(try await Self.read(client, until: "\r\n\r\none").hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(ways.take() == ["prompt one"])
      // Something has to be waited for.
      try await client.send(Self.post("wait"))
      _ = try await Self.read(client, until: "\r\n\r\nwait")
      #expect(ways.take() == ["handler wait"])
      // A body that comes in pieces.
      let text = Self.post("two")
      try await client.send(text.dropLast(2))
      try await Task.sleep(for: .milliseconds(100))
      try await client.send(text.suffix(2))
      _ = try await Self.read(client, until: "\r\n\r\ntwo")
      #expect(ways.take() == ["handler two"])
      // And at once again on the same connection.
      try await client.send(Self.post("three", "Connection: Keep-Alive\r\n"))
      _ = try await Self.read(client, until: "\r\n\r\nthree")
      #expect(ways.take() == ["prompt three"])
    }
  }

  @Test func `answers have the order of the requests`() async throws {
    try await run { ways, port in
      let client = try await RawClient(port: port)
      try await client.send(
        Self.post("a") + "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n" + Self.post("b") + Self.post("wait") + Self.post("c")
      )
      let text = try await Self.read(client, until: "\r\n\r\nc")
      #expect(ways.take() == ["prompt a", "slow", "handler b", "handler wait", "handler c"])
      let bodies = text.components(separatedBy: "\r\n\r\n").dropFirst().map {
        $0.components(separatedBy: "HTTP/1.1")[0]
      }
      #expect(bodies == ["a", "slow!", "b", "wait", "c"])
    }
  }

  @Test func `of many requests at once the first few are answered at once, and all in their order`() async throws {
    try await run { ways, port in
      let client = try await RawClient(port: port)
      try await client.send((0..<50).map { Self.post("n\($0);") }.joined())
      let text = try await Self.read(client, until: "\r\n\r\nn49;")
      let bodies = text.components(separatedBy: "\r\n\r\n").dropFirst().map { $0.components(separatedBy: ";")[0] }
      #expect(bodies == (0..<50).map { "n\($0)" })
      let taken = ways.take()
      #expect(taken.count == 50)
      #expect(taken.prefix(PromptResponder.mostInARead).allSatisfy { $0.hasPrefix("prompt ") })
      // Another read may begin when all that went on are answered.
      #expect(taken.count { $0.hasPrefix("handler ") } >= 20, "\(taken)")
      try await client.send(Self.post("last"))
      _ = try await Self.read(client, until: "\r\n\r\nlast")
      #expect(ways.take() == ["prompt last"])
    }
  }

  @Test func `a server that stops lets an answer through that was given at once`() async throws {
    let ways = Ways()
    let register = ConnectionRegister(connections: 64, perNetwork: 64)
    var limits = ConnectionLimits()
    limits.quiesceTime = .seconds(60)
    // More than the kernel takes over for both ends.
    let bytes = 24 << 20
    try await LoopServer.run(Self.routes(ways, answer: bytes), register: register, limits: limits) { port, stop in
      let client = try await RawClient(port: port)
      try await client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
      var count = try #require(try await client.read(upTo: 1 << 16))
      #expect(ways.take() == ["prompt"])
      await stop()
      try await Task.sleep(for: .milliseconds(200))
      while let more = try await client.read(upTo: 1 << 20) { count += more }
      #expect(count > bytes, "the answer was cut off")
    }
  }

  @Test func `a server that stops waits no longer than it should for who does not read`() async throws {
    let ways = Ways()
    let register = ConnectionRegister(connections: 64, perNetwork: 64)
    var limits = ConnectionLimits()
    limits.quiesceTime = .milliseconds(300)
    let bytes = 24 << 20
    let client = Mutex<RawClient?>(nil)
    let stopped = Mutex<ContinuousClock.Instant?>(nil)
    try await LoopServer.run(Self.routes(ways, answer: bytes), register: register, limits: limits) { port, stop in
      let reader = try await RawClient(port: port)
      client.withLock { $0 = reader }
      try await reader.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
      try await waitUntil("it was answered") { ways.take() == ["prompt"] }
      stopped.withLock { $0 = .now }
      await stop()
    }
    let stop = try #require(stopped.withLock { $0 })
    // Less than the limit of a connection that takes nothing, 30 s.
    #expect(ContinuousClock.now - stop < .seconds(25))
  }

  @Test func `clients of a trusted server are answered at once too, each by his own limits`() async throws {
    let ways = Ways()
    let register = ConnectionRegister(connections: 64, perNetwork: 2)
    var routes = Self.routes(ways)
    routes.add(
      .get,
      "/who",
      .init("who", answer: .nothing),
      isLight: true,
      prompt: { exchange, _ in .json(ByteBuffer(string: "prompt \(exchange.client);")) }
    ) { exchange in PromptAnswer.json(ByteBuffer(string: "handler \(exchange.client);")).response }
    try await LoopServer.run(routes, register: register, trusted: try #require(TrustedProxies("127.0.0.2"))) { port in
      func ask(_ client: RawClient, _ forwarded: String) async throws -> String {
        try await client.send("GET /who HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: \(forwarded)\r\n\r\n")
        var text = ""
        while !text.hasSuffix(";"), !text.hasSuffix("}"), let more = try await client.readSome() { text += more }
        return text.components(separatedBy: "\r\n\r\n").last ?? ""
      }
      let proxy = try await RawClient(port: port, from: "127.0.0.2")
      let other = try await RawClient(port: port, from: "127.0.0.3")
      #expect(try await ask(proxy, "192.0.2.1") == "prompt 192.0.2.1;")
      #expect(try await ask(proxy, "1.1.1.1, 192.0.2.2") == "prompt 192.0.2.2;")
      #expect(try await ask(other, "192.0.2.1") == "prompt 127.0.0.3;", "nobody believes this one")
      #expect(register.requests == 0, "what is answered does not run any more")
      // One with too many requests is refused as ever.
      let running = (0..<2).compactMap { _ in register.begin(requestOf: "192.0.2.1") }
      #expect(running.count == 2)
      #expect(try await ask(proxy, "192.0.2.1").contains("connection.too-many"))
      #expect(try await ask(proxy, "192.0.2.2") == "prompt 192.0.2.2;")
      withExtendedLifetime(running) {}
    }
  }

  @Test func `a search of names for boards is done once, by the handler`() async throws {
    let service = StubProvider().service(perSecond: 0.001, burst: 100)
    let readiness = Readiness()
    readiness.become(.ready)
    var routes = RouteTable()
    TransitRoutes(transit: service, readiness: readiness).add(to: &routes)
    let prompt = try #require(routes.prompt("/api/v1/transit/stops", .post)).handler
    func ask(_ question: String) async throws -> PromptAnswer? {
      let body = ByteBuffer(string: question)
      let head = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/api/v1/transit/stops")
      let exchange = Exchange(
        request: Request(head: head, body: RequestBody(buffer: body)),
        requestID: "r",
        parameters: [],
        client: "c",
        log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      )
      return try prompt(exchange, body)
    }
    let place = #""latitude": 60.17, "longitude": 24.94"#
    // The boards are there, and what finds them by place is answered at once.
    _ = await service.hub.boards(
      ["A", "B", "C"].map { (desk: service.hub.desks[0], stop: $0) },
      BoardQuestion(from: service.hub.clock.now, window: 3600, limit: 5)
    )
    #expect(try await ask(#"{\#(place), "departures": 5}"#) != nil)
    #expect(try await ask(#"{\#(place), "query": "Asema"}"#) != nil)
    #expect(try await ask(#"{\#(place), "query": "Asema", "departures": 5}"#) == nil)
    // Of a hundred: one for the place, five for the name alone, and nothing for what the handler has to do.
    #expect(service.limiter.buckets.take(94, of: "c") == nil && service.limiter.buckets.take(of: "c") != nil)
  }

  @Test(arguments: ["right", "wrong"])
  func `both ways give the same answer`(body: String) async throws {
    try await run { ways, port in
      var answers: [String] = []
      for isPrompt in [true, false] {
        let client = try await RawClient(port: port)
        let text = Self.post(body, "X-Request-ID: the-same-id\r\nOrigin: https://example.org\r\n")
        if isPrompt {
          try await client.send(text)
        } else {
          try await client.send(text.dropLast())
          try await Task.sleep(for: .milliseconds(100))
          try await client.send(text.suffix(1))
        }
        let whole = try await Self.read(client, until: body == "wrong" ? "}" : body)
        let (head, rest) = (
          whole.components(separatedBy: "\r\n\r\n")[0], whole.components(separatedBy: "\r\n\r\n").last ?? ""
        )
        // The second may have changed between the two.
        let lines = head.components(separatedBy: "\r\n").map {
          $0.lowercased().hasPrefix("date: ") ? "date" : $0.lowercased()
        }
        answers.append((lines.sorted() + [rest]).joined(separator: "\n"))
      }
      #expect(answers[0] == answers[1])
      #expect(answers[0].contains("date\n"))
      #expect(ways.take() == ["prompt \(body)", "handler \(body)"])
    }
  }

  @Test func `who wants the connection closed gets it closed`() async throws {
    try await run { _, port in
      let client = try await RawClient(port: port)
      try await client.send(Self.post("one", "Connection: close\r\n"))
      #expect(try await client.readToEnd().hasSuffix("\r\n\r\none"))
    }
  }

  @Test func `a body beyond what is accepted is refused as ever`() async throws {
    try await run { ways, port in
      let client = try await RawClient(port: port)
      try await client.send(Self.post(String(repeating: "x", count: Exchange.maximumBodyBytes + 1)))
      #expect(try await client.readToEnd().hasPrefix("HTTP/1.1 413"))
      #expect(ways.take().isEmpty)
    }
  }

  @Test func `who does not read is waited for`() async throws {
    try await run(answer: 4 << 20) { ways, port in
      let client = try await RawClient(port: port)
      for _ in 0..<6 { try await client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n") }
      var left = 6 * (4 << 20)
      try await Task.sleep(for: .milliseconds(300))
      // The first filled the line; what comes after it lies in no buffer here.
      let begun = ways.take()
      #expect(begun.first == "prompt" && begun.count <= 2, "\(begun)")
      while left > 0, let count = try await client.read(upTo: 1 << 20) { left -= count }
      #expect(left <= 0)
    }
  }

  @Test func `a board that has to be fetched first counts as one request, like one that is there`() async throws {
    let service = StubProvider().service(perSecond: 0.001, burst: 5)
    let fixture = try await ServerFixture(prepared: false) { $0.transit = service }
    try await ServerSocketTests().run(fixture) { server in
      var statuses: [String] = []
      for (stop, limit) in [("A", 20), ("A", 20), ("B", 20), ("B", 5), ("C", 20), ("A", 20)] {
        let client = try await RawClient(port: server.port)
        let body = #"{"stops": ["stub:\#(stop)"], "limit": \#(limit)}"#
        try await client.send(Self.post(body, to: "/api/v1/transit/departures"))
        let text = try await Self.read(client, until: "}")
        statuses.append(String(text.dropFirst(9).prefix(3)))
      }
      #expect(statuses == ["200", "200", "200", "200", "200", "429"])
    }
  }

  @Test func `a date is written as HTTP has it`() {
    #expect(AnswerDate.text(of: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(AnswerDate.text(of: 0) == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(AnswerDate.text(of: 4_107_542_399) == "Sun, 28 Feb 2100 23:59:59 GMT")
    #expect(AnswerDate.text(of: .max).hasSuffix(" GMT"))
  }
}
