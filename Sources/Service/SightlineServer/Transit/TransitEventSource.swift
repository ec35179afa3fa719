import Hummingbird
import NIOCore

/// The events of one open board.
struct TransitEventSource: Sendable {
  let transit: TransitService
  let readiness: Readiness
  let name: String
  let wanted: TransitStreams.Subscription

  /// Writes events until the client has gone or the server stops.
  func run(_ writer: inout any ResponseBodyWriter, request: Request) async throws {
    // Only now, when there is somebody to write to: an answer whose body is never asked for would hold its subscription for ever.
    guard let line = transit.streams.open(name) else { return try await writer.finish(nil) }
    defer { transit.streams.close(name, line: line) }
    // A stream that only waits would not notice that its client has gone.
    try await request.body.consumeWithCancellationOnInboundClose { _ in try await write(to: &writer, line: line) }
    try await writer.finish(nil)
  }

  private func write(to writer: inout any ResponseBodyWriter, line: Int) async throws {
    // Without a wait that begins anew for all clients at one moment after a restart.
    try await writer.write(ByteBuffer(string: "retry: \(Int.random(in: 2000...6000))\n\n"))
    var last: ByteBuffer?
    var written = ContinuousClock.now
    var looked: ContinuousClock.Instant?
    var count = 0
    var kept = ContinuousClock.now
    while !Task.isCancelled, transit.streams.isOpen(name, line: line) {
      if readiness.state == .stopping {
        // All come back to the servers that are left, or to the next one here, but not at one moment.
        try await writer.write(ByteBuffer(string: EventHub.comeBack))
        try await writer.write(ByteBuffer(string: "event: end\ndata: {\"reason\":\"stopping\"}\n\n"))
        break
      }
      let now = ContinuousClock.now
      if looked.map({ now - $0 >= TransitStreams.interval }) ?? true {
        looked = now
        let answer = await StopsDraft(wanted, transit).fetched()
        let content = answer.body(isTimed: false)
        if content != last {
          last = content
          count += 1
          var event = ByteBuffer(string: "id: \(count)\nevent: board\ndata: ")
          // The writer escapes line ends: an answer is one line.
          event.writeImmutableBuffer(answer.body())
          event.writeStaticString("\n\n")
          try await writer.write(event)
          written = now
        }
      }
      if now - written >= TransitStreams.pulse {
        try await writer.write(ByteBuffer(string: ":\n\n"))
        written = now
      }
      if let shared = transit.streams.shared, now - kept >= SharedSubscriptions.renewal {
        kept = now
        // A database that is away for a moment costs nothing but the way back to another server.
        try? await shared.save(wanted, name: name)
      }
      try await Task.sleep(for: .milliseconds(500))
    }
  }
}
