import Foundation
import HTTPTypes
import ServiceLifecycle
import SightlineTransit
import Testing

@testable import SightlineServer

/// Streams over a real socket: what comes, when it changes, and when it ends.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TransitStreamTests {
  private struct Listening: Service {
    let server: SightlineServer
    let onReady: @Sendable (String) -> Void

    func run() async throws { try await server.run(onReady: onReady) }
  }

  private func served(
    _ transit: TransitService,
    _ change: @escaping (inout ServerOptions) -> Void = { _ in },
    _ work: (Int, @escaping @Sendable () async -> Void) async throws -> Void
  ) async throws {
    let fixture = try await ServerFixture(prepared: false) {
      $0.transit = transit
      change(&$0)
    }
    let (urls, source) = AsyncStream.makeStream(of: String.self)
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [Listening(server: fixture.server) { source.yield($0) }],
        logger: fixture.server.log
      )
    )
    let task = Task {
      defer { source.finish() }
      try await group.run()
    }
    var iterator = urls.makeAsyncIterator()
    let port = try #require(await iterator.next().flatMap { URL(string: $0)?.port })
    do {
      try await work(port) { await group.triggerGracefulShutdown() }
    } catch {
      await group.triggerGracefulShutdown()
      _ = await task.result
      throw error
    }
    await group.triggerGracefulShutdown()
    try await task.value
  }

  private func post(_ path: String, _ body: String, port: Int) async throws -> String {
    let client = try await RawClient(port: port)
    try await client.send(
      "POST \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    )
    return try await client.readToEnd()
  }

  /// Reads until a text has come.
  private func read(_ client: RawClient, until text: String, _ all: inout String) async throws {
    while !all.contains(text) {
      guard let some = try await client.readSome() else {
        throw RawClient.Failed(reason: "the stream ended after: \(all)")
      }
      all += some
    }
  }

  @Test func `a board at once, another when it changes, and an end before the server stops`() async throws {
    let provider = StubProvider()
    let hub = TransitHub(
      [
        (
          provider: provider,
          limits: {
            var limits = DeskLimits(); limits.fresh = 0.5; return limits
          }()
        )
      ],
      clock: TransitClock(startingAt: StubProvider.now, repeatingAfter: 1)
    )
    let transit = TransitService(hub: hub)
    try await served(transit) { port, stop in
      let made = try await post("/api/v1/transit/stream", #"{"stops": ["stub:A"]}"#, port: port)
      #expect(made.hasPrefix("HTTP/1.1 201"), "\(made)")
      let path = try #require(made.firstMatch(of: /"url":"([^"]+)"/)).1
      let client = try await RawClient(port: port)
      try await client.send("GET \(path) HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n")
      var all = ""
      try await read(client, until: "event: board", &all)
      #expect(all.contains("content-type: text/event-stream") || all.contains("Content-Type: text/event-stream"))
      #expect(all.contains("retry: "))
      try await read(client, until: "}]}\n\n", &all)
      let data = try #require(all.firstMatch(of: /data: (.*)\n/)).1
      let answer = try JSONAnswer(Data(data.utf8))
      #expect(try SchemaCheck().faults(answer.value, "Stops") == [])
      #expect(transit.streams.openCount == 1)
      // The same board again is no event; another one is.
      provider.set { _ in ProviderBoard(departures: [], source: "json", updated: StubProvider.now) }
      try await read(client, until: "id: 2\n", &all)
      try await read(client, until: "\"departures\":[]", &all)
      #expect(!all.contains("id: 3\n"))
      await stop()
      try await read(client, until: "event: end\ndata: {\"reason\":\"stopping\"}\n\n", &all)
      #expect(try await client.readToEnd().count < 10)
    }
    #expect(transit.streams.openCount == 0)
  }

  @Test func `a client that has gone is noticed, and may come back`() async throws {
    let transit = StubProvider().service()
    try await served(transit) { port, _ in
      let made = try await post("/api/v1/transit/stream", #"{"stops": ["stub:A"]}"#, port: port)
      let path = try #require(made.firstMatch(of: /"url":"([^"]+)"/)).1
      for _ in 0..<2 {
        var client: RawClient? = try await RawClient(port: port)
        try await client?.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
        var all = ""
        if let client { try await read(client, until: "event: board", &all) }
        #expect(transit.streams.openCount == 1)
        // Closes the socket.
        client = nil
        while transit.streams.openCount > 0 { try await Task.sleep(for: .milliseconds(20)) }
      }
      let unknown = try await RawClient(port: port)
      try await unknown.send("GET /api/v1/transit/stream/0123 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(try await unknown.readToEnd().contains("transit.stream-unknown"))
    }
  }

  @Test func `metrics have a port of their own, and nothing else is there`() async throws {
    let port = Int.random(in: 20_000..<30_000)
    try await served(StubProvider().service(), { $0.metricsPort = port }) { main, _ in
      _ = try await post("/api/v1/transit/departures", #"{"stops": ["stub:A"]}"#, port: main)
      func get(_ path: String, _ port: Int) async throws -> String {
        let client = try await RawClient(port: port)
        try await client.send("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        return try await client.readToEnd()
      }
      let text = try await get("/metrics", port)
      #expect(text.contains("sightline_ready 1\n"))
      #expect(text.contains("sightline_transit_fetch_seconds_count{provider=\"stub\"} 1\n"))
      #expect(try await get("/api/v1/worlds", port).hasPrefix("HTTP/1.1 404"))
      #expect(try await get("/metrics", main).hasPrefix("HTTP/1.1 404"))
    }
  }
}
