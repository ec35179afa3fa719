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
  let heavyRate: RateLimiter

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

  /// Runs a request's handler, or throws ``Overload`` or ``RateExceeded``.
  func run<Result>(_ cost: RouteCost, for client: String, _ work: () async throws -> Result) async throws -> Result {
    let kind: Int
    switch cost {
    case .usual: return try await work()
    case .render: kind = 0
    case .heavy:
      kind = 1
      try heavyRate.check(client)
    }
    try counts.withLock { counts throws(Overload) in
      guard !counts[kind].take(for: client) else { return }
      throw counts[kind].total >= counts[kind].share.all ? .running : .runningForNetwork
    }
    defer { counts.withLock { $0[kind].give(of: client) } }
    return try await work()
  }
}
