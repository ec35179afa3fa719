import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing

@testable import SightlineServer

/// Where requests are answered.
@Suite(.timeLimit(.minutes(10))) struct LoopChannelTests {
  @Test func `light routes answer on the connection's event loop, all others elsewhere`() async throws {
    @Sendable func answer(_ exchange: Exchange) async throws -> Response {
      // A body is waited for, and what follows the wait is where it was before.
      _ = try await exchange.body()
      let place = MultiThreadedEventLoopGroup.currentEventLoop == nil ? "elsewhere" : "on a loop"
      return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: place)))
    }
    var routes = RouteTable()
    routes.add(.post, "/light", .init("light", answer: .nothing), isLight: true, answer)
    routes.add(.post, "/heavy", .init("heavy", answer: .nothing), answer)
    try await LoopServer.run(routes) { port in
      let client = try await RawClient(port: port)
      // Twice and by turns over one connection: a route does not change where the next one is answered.
      for (path, place) in [
        ("light", "on a loop"), ("heavy", "elsewhere"), ("light", "on a loop"), ("heavy", "elsewhere"),
      ] {
        try await client.send("POST /\(path) HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n")
        try await client.send("{}")
        var text = ""
        while !text.hasSuffix(place), let more = try await client.readSome() { text += more }
        #expect(text.hasSuffix("\r\n\r\n\(place)"), "\(path)")
      }
    }
  }
}

/// A server of nothing but routes, on connections that run on their event loops.
enum LoopServer {
  /// Runs one while the work runs; with a register it looks after its connections, and answers promptly what it can.
  static func run(
    _ routes: RouteTable,
    register: ConnectionRegister? = nil,
    limits: ConnectionLimits = ConnectionLimits(),
    trusted: TrustedProxies = .none,
    _ work: (_ port: Int) async throws -> Void
  ) async throws {
    try await run(routes, register: register, limits: limits, trusted: trusted) { port, _ in try await work(port) }
  }

  /// Runs one until the work has ended or stopped it.
  static func run(
    _ routes: RouteTable,
    register: ConnectionRegister?,
    limits: ConnectionLimits = ConnectionLimits(),
    trusted: TrustedProxies = .none,
    _ work: (_ port: Int, _ stop: @Sendable () async -> Void) async throws -> Void
  ) async throws {
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let readiness = Readiness()
    readiness.become(.ready)
    let (ports, source) = AsyncStream.makeStream(of: Int.self)
    let responder = Responder(routes: routes, readiness: readiness, log: log, trusted: trusted, register: register)
    let application = Application(
      responder: responder,
      server: HTTPServerBuilder {
        LoopChannel(
          base: HTTP1Channel(responder: $0),
          responder: responder,
          limits: limits,
          register: register,
          trusted: trusted
        )
      },
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in
        source.yield(channel.localAddress?.port ?? 0)
        source.finish()
      },
      logger: log
    )
    let group = ServiceGroup(services: [application], logger: log)
    async let ended: Void = group.run()
    var iterator = ports.makeAsyncIterator()
    let port = try #require(await iterator.next())
    try await work(port) { await group.triggerGracefulShutdown() }
    await group.triggerGracefulShutdown()
    try await ended
  }
}
