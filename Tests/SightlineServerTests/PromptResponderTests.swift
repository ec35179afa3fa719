import HTTPTypes
import Hummingbird
import NIOCore
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
