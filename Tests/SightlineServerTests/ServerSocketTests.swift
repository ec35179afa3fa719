import Foundation
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle
import SightlineTestSupport
import Testing

@testable import SightlineServer

/// The server on a real socket, spoken to byte by byte.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ServerSocketTests {
  /// A running server and the way to stop it.
  struct Running: Sendable {
    let port: Int
    let url: String
    let stop: @Sendable () async -> Void
    /// Ends when the server has ended.
    let ended: @Sendable () async throws -> Void
  }

  func run<Result: Sendable>(
    _ fixture: ServerFixture,
    _ work: @escaping @Sendable (Running) async throws -> Result
  ) async throws -> Result {
    let (urls, source) = AsyncStream.makeStream(of: String.self)
    let service = Listening(server: fixture.server) { source.yield($0) }
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(services: [service], logger: fixture.server.log)
    )
    let task = Task { try await group.run() }
    let failure = Task {
      _ = await task.result
      source.finish()
    }
    defer { failure.cancel() }
    var iterator = urls.makeAsyncIterator()
    guard let url = await iterator.next(), let port = URL(string: url)?.port else {
      try await task.value
      throw CancellationError()
    }
    let running = Running(
      port: port,
      url: url,
      stop: { await group.triggerGracefulShutdown() },
      ended: { try await task.value }
    )
    do {
      let result = try await work(running)
      await group.triggerGracefulShutdown()
      try await task.value
      return result
    } catch {
      await group.triggerGracefulShutdown()
      _ = await task.result
      throw error
    }
  }

  private struct Listening: Service {
    let server: SightlineServer
    let onReady: @Sendable (String) -> Void

    func run() async throws { try await server.run(onReady: onReady) }
  }

  private func served() async throws -> ServerFixture {
    let fixture = try await ServerFixture(prepared: false)
    try await fixture.add("ulm", [place("Minster", 48.3984, 9.9916)])
    return fixture
  }

  @Test func `raw bytes over a socket, several requests in one packet, answers in order`() async throws {
    let fixture = try await served()
    try await run(fixture) { server in
      let client = try await RawClient(port: server.port)
      try await client.send(
        "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"
          + "POST /api/v1/nearby HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 34\r\n\r\n"
          + "{\"latitude\":48.398,\"longitude\":9.99}"
          .prefix(34)
          + "GET /nope HTTP/1.1\r\nHost: x\r\n\r\n"
          + "GET /api/v1/worlds HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
      )
      let answers = try await client.readToEnd()
      let statuses = answers.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
      #expect(statuses == ["200", "400", "404", "200"])
      #expect(answers.contains(#""status":"alive""#))
      #expect(answers.contains(#""id":"ulm""#))
    }
  }

  @Test(arguments: [
    ("GET / HTTP/3.7\r\n\r\n", "505"), ("NONSENSE\r\n\r\n", "400"), ("\0\u{1}\u{2}\r\n\r\n", "400"),
    ("GET /\r\n\r\n", "505"), ("GET /health/live HTTP/1.1\r\nBad Header\r\n\r\n", "400"),
    ("GET /health/live HTTP/1.1\r\nContent-Length: x\r\n\r\n", "400"),
    ("POST /api/v1/nearby HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400"),
    (
      "POST /api/v1/nearby HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "400"
    ),
    ("GET /health/live HTTP/1.1\r\nX: " + String(repeating: "a", count: 20_000) + "\r\n\r\n", "431"),
    ("GET /health/live HTTP/1.1\r\n" + String(repeating: "X: a\r\n", count: 200) + "\r\n", "431"),
    ("GET /" + String(repeating: "a", count: 30_000) + " HTTP/1.1\r\n\r\n", "4"),
    ("POST /api/v1/nearby HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n", "413"),
  ])
  func `what is no well-formed request is refused and the connection ended`(bytes: String, status: String) async throws
  {
    let fixture = try await served()
    try await run(fixture) { server in
      let client = try await RawClient(port: server.port)
      try await client.send(bytes)
      let answer = try await client.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer.prefix(200))")
      #expect(answer.contains("application/problem+json"), "\(answer.prefix(300))")
      #expect(!answer.contains("}HTTP/1.1 ") && !answer.contains("\r\nHTTP/1.1 "), "one answer: \(answer.prefix(900))")
      // The server is none the worse for it.
      let other = try await RawClient(port: server.port)
      try await other.send("GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n")
      #expect(try await other.readToEnd().hasPrefix("HTTP/1.1 200"))
    }
  }

  @Test func `a body that comes in drops is put together`() async throws {
    let fixture = try await served()
    try await run(fixture) { server in
      let client = try await RawClient(port: server.port)
      let body = #"{"latitude":48.3984,"longitude":9.9916}"#
      try await client.send(
        "POST /api/v1/nearby HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n"
      )
      for character in body {
        try await client.send(String(character))
        try await Task.sleep(for: .milliseconds(2))
      }
      #expect(try await client.readToEnd().contains("\"title\":\"Minster\""))
    }
  }

  @Test func `stopping ends idle connections at once and lets running requests finish`() async throws {
    let fixture = try await served()
    try await run(fixture) { server in
      let idle = try await RawClient(port: server.port)
      try await idle.send("GET /health/live HTTP/1.1\r\n\r\n")
      _ = try await idle.readSome()
      let silent = try await RawClient(port: server.port)
      let body = #"{"latitude":48.3984,"longitude":9.9916}"#
      let busy = try await RawClient(port: server.port)
      try await busy.send(
        "POST /api/v1/nearby HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n{"
      )
      try await Task.sleep(for: .milliseconds(100))
      let start = ContinuousClock.now
      await server.stop()
      #expect(try await idle.readToEnd().isEmpty)
      #expect(try await silent.readToEnd().isEmpty)
      #expect(fixture.server.readiness.state == .stopping)
      try await busy.send(String(body.dropFirst()))
      #expect(try await busy.readToEnd().hasPrefix("HTTP/1.1 200"))
      try await server.ended()
      #expect(ContinuousClock.now - start < .seconds(2))
      await #expect(throws: (any Error).self) { try await RawClient(port: server.port) }
    }
  }

  @Test func `stopping takes less than five seconds even when a client never finishes its request`() async throws {
    let fixture = try await served()
    try await run(fixture) { server in
      let stuck = try await RawClient(port: server.port)
      try await stuck.send(
        "POST /api/v1/nearby HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"
      )
      let half = try await RawClient(port: server.port)
      try await half.send("GET /health/live HT")
      try await Task.sleep(for: .milliseconds(100))
      let start = ContinuousClock.now
      await server.stop()
      try await server.ended()
      #expect(ContinuousClock.now - start < .seconds(4.5))
    }
  }

  @Test func `stopping does not wait for foreign hosts`() async throws {
    try await TestHost.with { _ in
      try await Task.sleep(for: .seconds(20))
      return .text("late")
    } _: { host in
      let fixture = try await ServerFixture(prepared: false) { $0.proxy.allowsPrivateAddresses = true }
      try await run(fixture) { server in
        let client = try await RawClient(port: server.port)
        let url = FormFields.encode("http://127.0.0.1:\(host.port)/slow.png")
        try await client.send("GET /api/v1/asset?url=\(url) HTTP/1.1\r\n\r\n")
        while host.seen.all.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        let start = ContinuousClock.now
        await server.stop()
        #expect(try await client.readToEnd().hasPrefix("HTTP/1.1 503"))
        try await server.ended()
        #expect(ContinuousClock.now - start < .seconds(2))
      }
    }
  }

  @Test func `the server speaks TLS with its own certificate, and only that`() async throws {
    let fixture = try await served()
    let certificate = try SelfSignedCertificate(in: fixture.folder)
    var options = fixture.server.options
    options.tls = certificate.files
    let server = try SightlineServer(options: options, stores: fixture.stores, log: fixture.server.log)
    let secure = try await ServerFixture(over: server, fixture)
    try await run(secure) { running in
      #expect(running.url.hasPrefix("https://127.0.0.1:"))
      let output = try await command(
        "curl",
        "-sS",
        "--cacert",
        certificate.files.certificate,
        running.url + "/health/ready"
      )
      #expect(output.contains(#""status":"ready""#), "\(output)")
      let plain = try await RawClient(port: running.port)
      try await plain.send("GET /health/live HTTP/1.1\r\n\r\n")
      #expect(!(try await plain.readToEnd().contains("alive")))
    }
  }

  @Test func `a port in use is an error, not a silent wait`() async throws {
    let fixture = try await served()
    try await run(fixture) { server in
      let second = try await ServerFixture { $0.port = server.port }
      await await #expect(throws: (any Error).self) { try await run(second) { _ in } }
    }
  }
}

/// A socket without any help, so that a test decides which bytes go when.
///
/// Its calls block, so they run on threads of their own: the few threads of Swift's tasks are needed by the server.
final class RawClient: Sendable {
  private let descriptor: Int32

  struct Failed: Error { let reason: String }

  /// A connection from an address of this machine: each of 127.0.0.0/8 is a network of its own.
  init(port: Int, from source: String = "127.0.0.1") async throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.descriptor = descriptor
    let status = try await NIOThreadPool.singleton.runIfActive { () -> Int32 in
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      var limit = timeval(tv_sec: 20, tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      var own = sockaddr_in()
      own.sin_family = sa_family_t(AF_INET)
      own.sin_addr.s_addr = inet_addr(source)
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let bound = withUnsafePointer(to: &own) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
      }
      guard bound == 0 else { return bound }
      return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
    guard status == 0 else { throw Failed(reason: "no connection") }
  }

  deinit { close(descriptor) }

  func send(_ text: some StringProtocol) async throws {
    let bytes = Array(text.utf8)
    try await NIOThreadPool.singleton.runIfActive { [descriptor] in
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        // The server may have ended the connection already; what it answered can still be read.
        guard count > 0 else { return }
        sent += count
      }
    }
  }

  /// What has come, waiting for the first byte; `nil` at the end of the connection.
  func readSome() async throws -> String? {
    try await NIOThreadPool.singleton.runIfActive { [descriptor] in
      var bytes = [UInt8](repeating: 0, count: 65536)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      if count == 0 || (count < 0 && errno == ECONNRESET) { return nil }
      guard count > 0 else { throw Failed(reason: String(cString: strerror(errno))) }
      return String(decoding: bytes[..<count], as: UTF8.self)
    }
  }

  /// How many bytes came of at most so many, waiting for the first; `nil` at the end of the connection.
  func read(upTo most: Int) async throws -> Int? {
    try await NIOThreadPool.singleton.runIfActive { [descriptor] in
      var bytes = [UInt8](repeating: 0, count: most)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      if count == 0 || (count < 0 && errno == ECONNRESET) { return nil }
      guard count > 0 else { throw Failed(reason: String(cString: strerror(errno))) }
      return count
    }
  }

  /// Everything until the server ends the connection.
  func readToEnd() async throws -> String {
    var all = ""
    while let some = try await readSome() { all += some }
    return all
  }
}

/// Runs a program and returns what it wrote to both outputs.
func command(_ arguments: String...) async throws -> String {
  try await NIOThreadPool.singleton.runIfActive {
    let ended = try ChildProgram.run(arguments)
    return ended.output + ended.errors
  }
}
