import GRDB
import SightlineInput
import Synchronization

/// What a database is doing, for the operator; counted without locks.
public final class StoreMetrics: Sendable {
  /// What a transaction is for.
  public enum Kind: String, CaseIterable, Sendable { case read, write }

  /// Transactions of a kind.
  public struct Counts: Equatable, Sendable {
    /// Those that came to an end, also where the program refused what was wanted.
    public var done = 0
    /// Those that the database had no room for: locked too long, away, or no connection in time.
    public var busy = 0
    /// Those that failed in another way.
    public var failed = 0
    /// Seconds before they had a connection.
    public var waitSeconds = 0.0
    /// Seconds of all, waiting included.
    public var seconds = 0.0
    /// How many took no longer than each of ``StoreMetrics/bounds``, and longer than the one before.
    public var buckets: [Int] = []
    /// All of them.
    public var count: Int { done &+ busy &+ failed }
  }

  /// All of it at a moment.
  public struct Snapshot: Sendable {
    /// By kind.
    public var calls: [(kind: Kind, counts: Counts)]
    /// SQL statements.
    public var statements: Int
    /// Transactions that wait for a connection.
    public var waiting: Int
    /// Transactions that are running.
    public var running: Int
    /// The connections; `nil` for a file.
    public var pool: PostgresPoolCounters?
  }

  /// Upper bounds of times, seconds.
  public static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

  /// Counts of a kind.
  fileprivate final class Cell: Sendable {
    let done = Atomic<Int>(0)
    let busy = Atomic<Int>(0)
    let failed = Atomic<Int>(0)
    let waitedMicroseconds = Atomic<Int>(0)
    let microseconds = Atomic<Int>(0)
    let buckets: [12 of Atomic<Int>] = .init { _ in Atomic(0) }

    var counts: Counts {
      var counts = Counts()
      counts.done = done.load(ordering: .relaxed)
      counts.busy = busy.load(ordering: .relaxed)
      counts.failed = failed.load(ordering: .relaxed)
      counts.waitSeconds = Double(waitedMicroseconds.load(ordering: .relaxed)) / 1e6
      counts.seconds = Double(microseconds.load(ordering: .relaxed)) / 1e6
      for index in StoreMetrics.bounds.indices { counts.buckets.append(buckets[index].load(ordering: .relaxed)) }
      return counts
    }
  }

  private let (reads, writes) = (Cell(), Cell())
  private let statements = Atomic<Int>(0)
  private let waiting = Atomic<Int>(0)
  private let running = Atomic<Int>(0)
  private let pool: @Sendable () -> PostgresPoolCounters?

  init(pool: @escaping @Sendable () -> PostgresPoolCounters? = { nil }) { self.pool = pool }

  /// The counts now.
  public var snapshot: Snapshot {
    Snapshot(
      calls: [(.read, reads.counts), (.write, writes.counts)],
      statements: statements.load(ordering: .relaxed),
      waiting: waiting.load(ordering: .relaxed),
      running: running.load(ordering: .relaxed),
      pool: pool()
    )
  }

  /// Counts a statement.
  func countStatement(_ number: Int = 1) { statements.wrappingAdd(number, ordering: .relaxed) }

  /// One transaction, from the wish for a connection on.
  final class Call: Sendable {
    private let metrics: StoreMetrics
    private let hasBegun = Atomic(false)
    private let start = ContinuousClock.now
    private let waited = Atomic<Int>(0)

    fileprivate init(_ metrics: StoreMetrics) {
      self.metrics = metrics
      metrics.waiting.wrappingAdd(1, ordering: .relaxed)
    }

    /// It has a connection.
    ///
    /// Counts once, however often the transaction is tried.
    func begin() {
      guard !hasBegun.exchange(true, ordering: .relaxed) else { return }
      waited.store(Self.microseconds(ContinuousClock.now - start), ordering: .relaxed)
      metrics.waiting.wrappingSubtract(1, ordering: .relaxed)
      metrics.running.wrappingAdd(1, ordering: .relaxed)
    }

    fileprivate func end(_ cell: Cell, _ error: (any Error)?) {
      let took = Self.microseconds(ContinuousClock.now - start)
      if hasBegun.load(ordering: .relaxed) {
        metrics.running.wrappingSubtract(1, ordering: .relaxed)
        cell.waitedMicroseconds.wrappingAdd(waited.load(ordering: .relaxed), ordering: .relaxed)
      } else {
        metrics.waiting.wrappingSubtract(1, ordering: .relaxed)
        cell.waitedMicroseconds.wrappingAdd(took, ordering: .relaxed)
      }
      switch error {
      case let error? where StoreBusy.isCause(of: error): cell.busy.wrappingAdd(1, ordering: .relaxed)
      case is DatabaseError, is PostgresError: cell.failed.wrappingAdd(1, ordering: .relaxed)
      default: cell.done.wrappingAdd(1, ordering: .relaxed)
      }
      cell.microseconds.wrappingAdd(took, ordering: .relaxed)
      if let index = StoreMetrics.bounds.firstIndex(where: { Double(took) <= $0 * 1e6 }) {
        cell.buckets[index].wrappingAdd(1, ordering: .relaxed)
      }
    }

    private static func microseconds(_ duration: Duration) -> Int {
      let (seconds, attoseconds) = duration.components
      return Int(seconds).saturatingMultiply(1_000_000).saturatingAdd(Int(attoseconds / 1_000_000_000_000))
    }
  }

  /// Measures a transaction.
  func measure<Value: Sendable>(_ kind: Kind, _ work: (Call) async throws -> Value) async throws -> Value {
    let cell = kind == .read ? reads : writes
    let call = Call(self)
    do {
      let value = try await work(call)
      call.end(cell, nil)
      return value
    } catch {
      call.end(cell, error)
      throw error
    }
  }
}
