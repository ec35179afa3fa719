import NIOCore
import Synchronization

/// Answers that cost time to make, by what they are made of; the least recently used go when it is full.
final class BodyCache: Sendable {
  /// An answer, plain and compressed.
  struct Body: Sendable {
    let plain: ByteBuffer
    let gzip: ByteBuffer?

    var bytes: Int { plain.readableBytes + (gzip?.readableBytes ?? 0) }
  }

  private struct Entry {
    var body: Body
    var used: UInt64
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var bytes = 0
    var clock: UInt64 = 0
  }

  private let limit: Int
  private let state = Mutex(State())

  /// A cache of at most so many bytes.
  init(limit: Int) { self.limit = limit }

  /// The kept answer, or a new one.
  ///
  /// Two callers at once may both make it; both get the same bytes. What does not get smaller by it need not be compressed.
  func body(for key: String, isCompressed: Bool = true, make: () async throws -> ByteBuffer?) async throws -> Body? {
    let known = state.withLock { state -> Body? in
      state.clock += 1
      state.entries[key]?.used = state.clock
      return state.entries[key]?.body
    }
    if let known { return known }
    guard let plain = try await make() else { return nil }
    let body = Body(plain: plain, gzip: isCompressed ? Gzip.compress(plain, level: 5) : nil)
    // One answer must not drive out all the others.
    guard body.bytes <= limit / 4 else { return body }
    state.withLock { state in
      state.bytes += body.bytes - (state.entries[key]?.body.bytes ?? 0)
      state.entries[key] = Entry(body: body, used: state.clock)
      while state.bytes > limit, let oldest = state.entries.min(by: { $0.value.used < $1.value.used }) {
        state.bytes -= oldest.value.body.bytes
        state.entries[oldest.key] = nil
      }
    }
    return body
  }
}
