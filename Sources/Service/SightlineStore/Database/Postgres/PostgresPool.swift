import Foundation
import SightlineInput
import Synchronization

/// What the connections of a database are doing.
public struct PostgresPoolCounters: Equatable, Sendable {
  /// Most connections.
  public var limit: Int
  /// Connections that are in use.
  public var inUse = 0
  /// Connections that rest.
  public var idle = 0
  /// Calls that wait for one.
  public var waiting = 0
  /// Calls that had to wait, since the start.
  public var waits: UInt64 = 0
  /// Calls that waited in vain.
  public var timeouts: UInt64 = 0
  /// Connections that were made.
  public var connects: UInt64 = 0
  /// Connections that broke off, or were not made.
  public var failures: UInt64 = 0

  static func + (first: Self, second: Self) -> Self {
    PostgresPoolCounters(
      limit: first.limit + second.limit,
      inUse: first.inUse + second.inUse,
      idle: first.idle + second.idle,
      waiting: first.waiting + second.waiting,
      waits: first.waits &+ second.waits,
      timeouts: first.timeouts &+ second.timeouts,
      connects: first.connects &+ second.connects,
      failures: first.failures &+ second.failures
    )
  }
}

/// A thread with a connection of its own, for calls that wait for answers.
///
/// Swift's tasks share few threads, which must not be kept waiting.
final class PostgresWorker: Sendable {
  typealias Job = @Sendable (inout PostgresSession?) -> Void

  /// Jobs for the thread; none ends it.
  private final class Queue: Sendable {
    private let jobs = Mutex<[Job?]>([])
    private let ready = DispatchSemaphore(value: 0)

    func add(_ job: Job?) {
      jobs.withLock { $0.append(job) }
      ready.signal()
    }

    func next() -> Job? {
      ready.wait()
      return jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
  }

  private let queue = Queue()

  init() {
    let thread = Thread { [queue] in
      var session: PostgresSession?
      while let job = queue.next() { job(&session) }
    }
    thread.name = "sightline-database"
    // Documents are decoded there, which goes deep.
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Does something on the thread.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable (inout PostgresSession?) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.add { session in continuation.resume(with: Result { try body(&session) }) }
    }
  }

  /// Ends the thread and its connection.
  func stop() { queue.add(nil) }
}

/// A bounded number of connections, lent in the order of asking.
final class PostgresPool: Sendable {
  private struct Waiting {
    var number: UInt64
    var deadline: ContinuousClock.Instant
    var continuation: CheckedContinuation<PostgresWorker, any Error>
  }

  private struct State {
    var counters: PostgresPoolCounters
    var idle: [PostgresWorker] = []
    var waiting: [Waiting] = []
    var number: UInt64 = 0
    var hasTimer = false
    var isClosed = false
  }

  private let state: Mutex<State>
  private let isEmptied = DispatchSemaphore(value: 0)
  private let place: String
  private let patience: Duration

  init(place: String, limit: Int, patience: Double) {
    self.place = place
    self.patience = .milliseconds(Int(clamped: (patience * 1000).rounded()).clamped(to: 1...86_400_000))
    state = Mutex(State(counters: PostgresPoolCounters(limit: max(1, limit))))
  }

  /// What the connections are doing.
  var counters: PostgresPoolCounters {
    state.withLock { state in
      var counters = state.counters
      counters.idle = state.idle.count
      counters.waiting = state.waiting.count
      return counters
    }
  }

  /// Counts a connection that was made, or was not.
  func count(connected: Bool) {
    state.withLock { state in
      if connected { state.counters.connects &+= 1 } else { state.counters.failures &+= 1 }
    }
  }

  /// Counts a connection that broke off.
  func countBroken() { state.withLock { $0.counters.failures &+= 1 } }

  /// Does something on a connection's thread.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable (inout PostgresSession?) throws -> Value
  ) async throws -> Value {
    let worker = try await acquire()
    defer { release(worker) }
    return try await worker.run(body)
  }

  private enum Grant {
    case now(PostgresWorker), refused(any Error), later(startsTimer: Bool)
  }

  private func acquire() async throws -> PostgresWorker {
    try Task.checkCancellation()
    let number = state.withLock { state in
      state.number &+= 1
      return state.number
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        switch grant(number, continuation) {
        case .now(let worker): continuation.resume(returning: worker)
        case .refused(let error): continuation.resume(throwing: error)
        case .later(let startsTimer):
          if startsTimer { Task { await watch() } }
          // It may have been cancelled before it could be found among those that wait.
          if Task.isCancelled { cancel(number) }
        }
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func grant(_ number: UInt64, _ continuation: CheckedContinuation<PostgresWorker, any Error>) -> Grant {
    state.withLock { state in
      guard !state.isClosed else { return .refused(PostgresError.closed(place)) }
      if state.waiting.isEmpty {
        // The one that was used last: those that are not needed rest.
        if let worker = state.idle.popLast() {
          state.counters.inUse += 1
          return .now(worker)
        }
        if state.counters.inUse < state.counters.limit {
          state.counters.inUse += 1
          return .now(PostgresWorker())
        }
      }
      state.counters.waits &+= 1
      let deadline = ContinuousClock.now.advanced(by: patience)
      state.waiting.append(Waiting(number: number, deadline: deadline, continuation: continuation))
      defer { state.hasTimer = true }
      return .later(startsTimer: !state.hasTimer)
    }
  }

  private func cancel(_ number: UInt64) {
    let waiting = state.withLock { state in
      state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
    }
    waiting?.continuation.resume(throwing: CancellationError())
  }

  /// Refuses those that have waited too long.
  ///
  /// All wait equally long, so that the first one's turn is the next.
  private func watch() async {
    while true {
      let (late, next) = state.withLock { state -> ([Waiting], ContinuousClock.Instant?) in
        let now = ContinuousClock.now
        let late = Array(state.waiting.prefix { $0.deadline <= now })
        state.waiting.removeFirst(late.count)
        state.counters.timeouts &+= UInt64(clamping: late.count)
        if state.waiting.isEmpty { state.hasTimer = false }
        return (late, state.waiting.first?.deadline)
      }
      let seconds = patience / .seconds(1)
      for waiting in late { waiting.continuation.resume(throwing: PostgresError.busy(place, seconds: seconds)) }
      guard let next else { return }
      try? await Task.sleep(until: next, clock: .continuous)
    }
  }

  private func release(_ worker: PostgresWorker) {
    let (next, isLast) = state.withLock { state -> (Waiting?, Bool) in
      if !state.waiting.isEmpty { return (state.waiting.removeFirst(), false) }
      state.counters.inUse -= 1
      if state.isClosed {
        worker.stop()
      } else {
        state.idle.append(worker)
      }
      return (nil, state.isClosed && state.counters.inUse == 0)
    }
    next?.continuation.resume(returning: worker)
    if isLast { isEmptied.signal() }
  }

  /// How long closing waits for calls in flight, seconds: those of a server that is away may take longer, and end by
  /// themselves then.
  private static let longestClosing = 10.0

  /// Ends all connections; waits for calls in flight, those that wait for one among them.
  func close() {
    let (isFirst, isBusy) = state.withLock { state -> (Bool, Bool) in
      guard !state.isClosed else { return (false, false) }
      state.isClosed = true
      for worker in state.idle { worker.stop() }
      state.idle = []
      return (true, state.counters.inUse > 0)
    }
    guard isFirst, isBusy else { return }
    _ = isEmptied.wait(timeout: .now() + Self.longestClosing)
  }
}
