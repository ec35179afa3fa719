import Foundation
import Hummingbird
import NIOCore
import Testing

@testable import SightlineServer

/// Connections of those who want more than their share, on real sockets.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ConnectionTests {
  private func served(_ change: (inout ServerOptions) -> Void = { _ in }) async throws -> ServerFixture {
    let fixture = try await ServerFixture(prepared: false, change)
    try await fixture.add("ulm", [place("Minster", 48.3984, 9.9916)])
    return fixture
  }

  private func run(
    _ fixture: ServerFixture,
    _ work: @escaping @Sendable (ServerSocketTests.Running) async throws -> Void
  ) async throws {
    try await ServerSocketTests().run(fixture, work)
  }

  private func health(_ port: Int, from source: String) async throws -> String {
    let client = try await RawClient(port: port, from: source)
    try await client.send("GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    return try await client.readToEnd()
  }

  @Test func `a network's connections beyond its share are refused fast, others' are not`() async throws {
    let fixture = try await served { $0.connectionsPerNetwork = 5 }
    try await run(fixture) { server in
      var held: [RawClient] = []
      for _ in 0..<5 {
        let client = try await RawClient(port: server.port, from: "127.0.0.2")
        try await client.send("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await client.readSome()?.hasPrefix("HTTP/1.1 200") == true)
        held.append(client)
      }
      let start = ContinuousClock.now
      let refused = try await health(server.port, from: "127.0.0.2")
      #expect(refused.hasPrefix("HTTP/1.1 503"), "\(refused.prefix(200))")
      #expect(refused.contains("Retry-After: ") && refused.contains("connection.too-many"))
      #expect(ContinuousClock.now - start < .seconds(5))
      #expect(try await health(server.port, from: "127.0.0.3").hasPrefix("HTTP/1.1 200"))
      // A place that is given back can be had again.
      held.removeLast()
      var again = ""
      for _ in 0..<200 where !again.hasPrefix("HTTP/1.1 200") {
        again = try await health(server.port, from: "127.0.0.2")
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(again.hasPrefix("HTTP/1.1 200"))
      withExtendedLifetime(held) {}
    }
  }

  @Test func `when it gets tight a network with few connections still gets in`() async throws {
    let fixture = try await served {
      $0.connections = 64
      $0.connectionsPerNetwork = 64
    }
    try await run(fixture) { server in
      var held: [RawClient] = []
      for _ in 0..<64 { held.append(try await RawClient(port: server.port, from: "127.0.0.2")) }
      #expect(try await health(server.port, from: "127.0.0.2").hasPrefix("HTTP/1.1 503"))
      #expect(try await health(server.port, from: "127.0.0.3").hasPrefix("HTTP/1.1 200"))
      withExtendedLifetime(held) {}
    }
  }

  @Test func `an answer before the body's end closes the connection, however slowly the rest comes`() async throws {
    let fixture = try await served {
      $0.connectionLimits.lingerTime = .milliseconds(100)
      $0.connectionLimits.drainTime = .milliseconds(800)
      $0.connectionLimits.lookTime = .milliseconds(100)
    }
    try await run(fixture) { server in
      for path in ["/x", "/api/v1/worlds", "/health/live"] {
        let client = try await RawClient(port: server.port)
        try await client.send("POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        var answer = try await client.readSome() ?? ""
        #expect(answer.lowercased().contains("connection: close"), "\(path): \(answer)")
        let start = ContinuousClock.now
        let dripping = Task {
          while !Task.isCancelled {
            try await client.send("1\r\na\r\n")
            try await Task.sleep(for: .milliseconds(50))
          }
        }
        answer += try await client.readToEnd()
        dripping.cancel()
        _ = await dripping.result
        #expect(answer.hasPrefix("HTTP/1.1 40"), "\(path)")
        #expect(ContinuousClock.now - start < .seconds(10))
        // The connection is gone from the server's side too.
        try await client.send("1\r\na\r\n")
        await #expect(throws: Never.self) { _ = try await client.readToEnd() }
      }
      // A body that has come whole costs nobody his connection.
      let client = try await RawClient(port: server.port)
      for _ in 0..<3 {
        try await client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}")
        let answer = try await client.readSome() ?? ""
        #expect(answer.hasPrefix("HTTP/1.1 404") && !answer.lowercased().contains("connection: close"))
      }
    }
  }

  @Test func `idle connections and slow headers end`() async throws {
    let fixture = try await served {
      $0.connectionLimits.idleTime = .milliseconds(500)
      $0.connectionLimits.lookTime = .milliseconds(100)
    }
    try await run(fixture) { server in
      let silent = try await RawClient(port: server.port)
      let slow = try await RawClient(port: server.port)
      let dripping = Task {
        try await slow.send("GET /health/live HTTP/1.1\r\n")
        for _ in 0..<200 where !Task.isCancelled {
          try await slow.send("X: y\r\n")
          try await Task.sleep(for: .milliseconds(100))
        }
      }
      #expect(try await silent.readToEnd().isEmpty)
      #expect(try await slow.readToEnd().isEmpty)
      dripping.cancel()
      _ = await dripping.result
    }
  }

  @Test func `a reader that takes a byte now and then is ended, a steady one is not`() async throws {
    let fixture = try await served {
      $0.connectionLimits.stallTime = .milliseconds(1500)
      $0.connectionLimits.lookTime = .milliseconds(100)
      $0.connectionLimits.idleTime = .milliseconds(700)
    }
    // More than the kernel takes over for both ends.
    let bytes = Data((0..<24 << 20).map { UInt8(truncatingIfNeeded: $0) })
    let hash = try await fixture.stores.assets.saveAsset(bytes, mediaType: "image/png")
    try await run(fixture) { server in
      let slow = try await RawClient(port: server.port)
      try await slow.send("GET /assets/\(hash) HTTP/1.1\r\nHost: x\r\n\r\n")
      var taken = 0
      let start = ContinuousClock.now
      // A few bytes at a time until the server has had enough, and then what still lies in the socket.
      while ContinuousClock.now - start < .seconds(6), let count = try await slow.read(upTo: 16), count > 0 {
        taken += count
        try await Task.sleep(for: .milliseconds(100))
      }
      while let count = try await slow.read(upTo: 1 << 20), count > 0 { taken += count }
      #expect(taken < bytes.count, "the answer was cut off")

      // This one needs longer than the idle time for its answer, but goes on taking.
      let steady = try await RawClient(port: server.port)
      try await steady.send("GET /assets/\(hash) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      taken = 0
      while let count = try await steady.read(upTo: 1 << 20), count > 0 {
        taken += count
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(taken > bytes.count)
    }
  }

  @Test(arguments: ["/health/ready", "/api/v1/nearby?latitude=48.4&longitude=10"])
  func `more requests at once than are taken end the connection after their answers`(path: String) async throws {
    let fixture = try await served { $0.connectionLimits.pipelined = 4 }
    try await run(fixture) { server in
      let client = try await RawClient(port: server.port)
      let one = "GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n"
      try await client.send(String(repeating: one, count: 50))
      let answers = try await client.readToEnd()
      let count = answers.components(separatedBy: "HTTP/1.1 200").count - 1
      #expect((4..<50).contains(count), "\(count)")
    }
  }

  @Test(arguments: ["", "Connection: keep-alive\r\n"])
  func `whoever speaks HTTP 1.0 gets his answer and the end of the connection`(fields: String) async throws {
    let fixture = try await served()
    try await run(fixture) { server in
      for path in ["/health/live", "/api/v1/nearby?latitude=48.4&longitude=10", "/nowhere"] {
        let client = try await RawClient(port: server.port)
        let start = ContinuousClock.now
        try await client.send("GET \(path) HTTP/1.0\r\n\(fields)\r\n")
        let answer = try await client.readToEnd()
        #expect(answer.hasPrefix("HTTP/1.0 ") && answer.hasSuffix("}"), "\(answer)")
        #expect(answer.lowercased().contains("connection: close\r\n"))
        #expect(ContinuousClock.now - start < .seconds(10), "not when it was idle for long enough")
      }
    }
  }

  @Test func `answers of unknown length end for HTTP 1.0 with the connection, and others before them are whole`()
    async throws
  {
    var routes = RouteTable()
    routes.add(.get, "/stream", .init("stream", answer: .nothing)) { _ in
      Response(
        status: .ok,
        body: ResponseBody { writer in
          for part in ["one ", "two ", "three"] { try await writer.write(ByteBuffer(string: part)) }
          try await writer.finish(nil)
        }
      )
    }
    try await LoopServer.run(routes, register: ConnectionRegister(connections: 8, perNetwork: 8)) { port in
      let client = try await RawClient(port: port)
      let request = "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n"
      try await client.send(request + request.replacingOccurrences(of: "1.1", with: "1.0") + request)
      let answers = try await client.readToEnd().components(separatedBy: "HTTP/1.").dropFirst()
      #expect(answers.map { $0.prefix(1) } == ["1", "0"])
      #expect(answers.first?.lowercased().contains("connection: close") == false)
      #expect(answers.first?.hasSuffix("\r\n0\r\n\r\n") == true, "in chunks")
      #expect(answers.last?.hasSuffix("\r\n\r\none two three") == true, "\(answers)")
    }
  }

  @Test(arguments: ["a b", "a/b", "<x>", String(repeating: "a", count: 256)])
  func `a host that is none is refused`(host: String) async throws {
    let fixture = try await served()
    try await run(fixture) { server in
      let client = try await RawClient(port: server.port)
      try await client.send("GET /worlds/ulm.gddf HTTP/1.1\r\nHost: \(host)\r\n\r\n")
      let answer = try await client.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains("host.malformed"), "\(answer.prefix(300))")
    }
  }

  // MARK: Forwarded addresses

  private func guess(_ client: RawClient, _ name: String, _ forwarded: String) async throws -> Int {
    let body = #"{"name":"\#(name)","password":"wrong password"}"#
    try await client.send(
      "POST /api/v1/session HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: \(forwarded)\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    )
    var answer = ""
    while !answer.contains("\r\n\r\n") || !answer.hasSuffix("}"), let more = try await client.readSome() {
      answer += more
    }
    return Int(answer.dropFirst("HTTP/1.1 ".count).prefix(3)) ?? 0
  }

  @Test func `made-up forwarded addresses free nobody from his limits`() async throws {
    let fixture = try await served {
      $0.passwordCost = 4
      $0.publicURL = "http://127.0.0.1:8080"
    }
    try await run(fixture) { server in
      let client = try await RawClient(port: server.port)
      var seen: Set<Int> = []
      for number in 0..<60 { seen.insert(try await guess(client, "n\(number)", "203.0.113.\(number)")) }
      #expect(seen == [401, 429])
    }
  }

  @Test func `behind a trusted server each client has his own limits, and the server none`() async throws {
    let fixture = try await served {
      $0.passwordCost = 4
      $0.trustedProxies = TrustedProxies("127.0.0.2")
      $0.connectionsPerNetwork = 3
    }
    try await run(fixture) { server in
      var held: [RawClient] = []
      for number in 0..<12 {
        let client = try await RawClient(port: server.port, from: "127.0.0.2")
        #expect(try await guess(client, "n\(number)", "1.1.1.1, 203.0.113.\(number)") == 401)
        held.append(client)
      }
      let first = try #require(held.first)
      var seen: Set<Int> = []
      for number in 0..<40 { seen.insert(try await guess(first, "m\(number)", "10.9.9.\(number), 198.51.100.7")) }
      #expect(seen == [401, 429])
      #expect(try await guess(first, "fresh", "198.51.100.8") == 401)
      withExtendedLifetime(held) {}
    }
  }

  @Test func `a client's streams through a trusted server are counted as his`() async throws {
    let register = ConnectionRegister(connections: 1000, perNetwork: 3)
    var running: [RunningRequest] = []
    while let one = register.begin(requestOf: "192.0.2.1") { running.append(one) }
    #expect(running.count == 3)
    #expect(register.begin(requestOf: "192.0.2.2") != nil)
    running.removeLast()
    #expect(register.requests == 2)
    #expect(register.begin(requestOf: "192.0.2.1") != nil)
  }

  @Test func `bytes that wait for a network's readers are bounded`() throws {
    let register = ConnectionRegister(connections: 1000, perNetwork: 100)
    let network = ClientNetwork(NetworkAddress(version4: 192, 0, 2, 1))
    let slots = (0..<20).compactMap { _ in register.open(network) }
    #expect(slots.count == 20 && !register.isCrowded(network))
    for slot in slots { slot.setUnsent(20 << 20) }
    #expect(register.isCrowded(network))
    #expect(register.unsentBytes == 400 << 20)
    for slot in slots.dropFirst() { slot.close() }
    #expect(!register.isCrowded(network))
    slots[0].setUnsent(0)
    slots[0].close()
    slots[0].close()
    #expect(register.unsentBytes == 0 && register.count == 0)
  }
}
