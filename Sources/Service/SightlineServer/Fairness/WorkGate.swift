import HTTPTypes
import Synchronization

/// What a route costs the server; declared where the route is.
enum RouteCost: Sendable {
  /// Little: what is in memory or one look into the database.
  case usual
  /// An answer that is put together of stored content, and perhaps large.
  case render
  /// Fetching, reading documents, decoding pictures, printing.
  case heavy
}

/// Admits requests by what they cost: so many at a time and so often for a network, and so many in all.
final class WorkGate: Sendable {
  /// What is running: of rendering routes, and of heavy ones.
  private let counts: Mutex<[FairCount<String>]>
  private let heavyRate: RateLimiter

  /// A gate; the usual limits are meant for a school of thirty phones behind one address.
  init(
    render: FairShare = FairShare(all: 512, each: 96, part: 4),
    heavy: FairShare = FairShare(all: 96, each: 24, part: 4),
    heavyPerSecond: Double = 8,
    heavyBurst: Double = 120
  ) {
    counts = Mutex([FairCount(render), FairCount(heavy)])
    heavyRate = RateLimiter(
      perSecond: heavyPerSecond,
      burst: heavyBurst,
      code: "server.rate",
      advice: "do not repeat what was answered already"
    )
  }

  /// Runs a request's handler, or throws 429 or 503.
  func run<Result>(_ cost: RouteCost, for client: String, _ work: () async throws -> Result) async throws -> Result {
    let kind: Int
    switch cost {
    case .usual: return try await work()
    case .render: kind = 0
    case .heavy:
      kind = 1
      try heavyRate.check(client)
    }
    try counts.withLock { counts throws(RequestProblem) in
      guard !counts[kind].take(for: client) else { return }
      throw WorkGate.refusal(isFull: counts[kind].total >= counts[kind].share.all)
    }
    defer { counts.withLock { $0[kind].give(of: client) } }
    return try await work()
  }

  private static func refusal(isFull: Bool) -> RequestProblem {
    isFull
      ? RequestProblem(
        .serviceUnavailable,
        "server.busy",
        "The server has too much of this to do at the moment. Try again in a few seconds.",
        headers: [.retryAfter: "5"]
      )
      : RequestProblem(
        .tooManyRequests,
        "server.queue",
        "Too many requests of this kind are running for your address. Try again when some have ended.",
        headers: [.retryAfter: "2"]
      )
  }
}
