import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Subscribers of server-sent events, by topic.
///
/// An event is encoded once and handed to every subscriber of its topic. A subscriber that does not keep up is ended:
/// the browser connects again and begins with a fresh picture, which is shorter than what it has missed.
final class EventHub: Sendable {
  private struct State {
    var topics: [String: [Int: AsyncStream<ByteBuffer>.Continuation]] = [:]
    var nextNumber = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Events that may wait for a subscriber.
  static let bufferedEvents = 512

  /// A new subscriber's events; `nil` when the server stops.
  func subscribe(to topic: String) -> AsyncStream<ByteBuffer>? {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ByteBuffer.self,
      bufferingPolicy: .bufferingOldest(EventHub.bufferedEvents)
    )
    let number: Int? = state.withLock { state in
      guard !state.isClosed else { return nil }
      state.nextNumber += 1
      state.topics[topic, default: [:]][state.nextNumber] = continuation
      return state.nextNumber
    }
    guard let number else { return nil }
    continuation.onTermination = { [weak self] _ in self?.remove(number, from: topic) }
    return stream
  }

  private func remove(_ number: Int, from topic: String) {
    state.withLock { state in
      state.topics[topic]?[number] = nil
      if state.topics[topic]?.isEmpty == true { state.topics[topic] = nil }
    }
  }

  /// Whether anybody listens: who does not has no need of an event.
  func hasSubscribers(_ topic: String) -> Bool { state.withLock { $0.topics[topic] != nil } }

  /// Subscribers in all.
  var subscriberCount: Int { state.withLock { $0.topics.values.reduce(0) { $0 + $1.count } } }

  /// Hands an event to the topic's subscribers.
  func publish(_ name: StaticString, _ json: ByteBuffer, to topic: String) {
    send(EventHub.event(name, json), to: state.withLock { $0.topics[topic].map { Array($0.values) } ?? [] })
  }

  /// Keeps lines through proxies open, and finds those that are dead.
  func beat() {
    send(EventHub.ping, to: state.withLock { $0.topics.values.flatMap(\.values) })
  }

  /// A line that means nothing.
  static let ping = ByteBuffer(string: ":\n\n")

  private func send(_ event: ByteBuffer, to subscribers: [AsyncStream<ByteBuffer>.Continuation]) {
    for subscriber in subscribers {
      if case .dropped = subscriber.yield(event) { subscriber.finish() }
    }
  }

  /// Ends the subscribers of a topic.
  func end(_ topic: String) {
    for subscriber in state.withLock({ $0.topics[topic].map { Array($0.values) } ?? [] }) { subscriber.finish() }
  }

  /// Ends the subscribers of all topics, who may come again.
  func endAll() {
    for subscriber in state.withLock({ $0.topics.values.flatMap(\.values) }) { subscriber.finish() }
  }

  /// Ends all subscribers, for an open stream would hold up the end of the server.
  func close() {
    let all = state.withLock { state in
      state.isClosed = true
      return state.topics.values.flatMap(\.values)
    }
    for subscriber in all { subscriber.finish() }
  }

  /// When a browser whose stream was ended is to connect again: not all at one moment.
  static var comeBack: String { "retry: \(Int.random(in: 1000...5000))\n\n" }

  /// One event in the form of the stream.
  static func event(_ name: StaticString, _ json: ByteBuffer) -> ByteBuffer {
    var event = ByteBufferAllocator().buffer(capacity: json.readableBytes + 32)
    event.writeStaticString("event: ")
    event.writeStaticString(name)
    event.writeStaticString("\ndata: ")
    event.writeImmutableBuffer(json)
    event.writeStaticString("\n\n")
    return event
  }
}

extension Answers {
  /// A stream of server-sent events that begins with one and goes on until the client leaves or the stream ends.
  ///
  /// `goesOn` is asked at every beat whether the client may still have it; the stream ends when it may not.
  static func events(
    _ exchange: Exchange,
    first: ByteBuffer,
    _ events: AsyncStream<ByteBuffer>,
    goesOn: @escaping @Sendable () async throws -> Bool
  ) -> Response {
    let body = exchange.request.body
    return Response(
      status: .ok,
      // The last one is for nginx, which would gather events.
      headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .accelBuffering: "no"],
      body: ResponseBody { writer in
        // Without it a client that has gone would be noticed only by the next event.
        try await body.consumeWithCancellationOnInboundClose { _ in
          // How long a browser waits before it connects again, milliseconds.
          try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
          try await writer.write(first)
          for await event in events {
            if event == EventHub.ping, try await !goesOn() { return }
            try await writer.write(event)
          }
          // The server stops, or the client was too slow: it comes back.
          try await writer.write(ByteBuffer(string: EventHub.comeBack))
        }
        try await writer.finish(nil)
      }
    )
  }
}

extension HTTPField.Name {
  // swift-format-ignore: NeverForceUnwrap
  static let accelBuffering = HTTPField.Name("X-Accel-Buffering")!
}
