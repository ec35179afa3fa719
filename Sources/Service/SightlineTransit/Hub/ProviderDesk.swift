import SightlineInput
import Synchronization

/// How a provider is asked.
public struct DeskLimits: Sendable, Equatable {
  /// Seconds for which an answer is passed on without asking again.
  public var fresh = 45.0
  /// Seconds for which an old answer is passed on, marked, while the provider fails.
  public var stale = 600.0
  /// Seconds for which a failure is remembered.
  public var negative = 5.0
  /// Seconds of one try.
  public var tryLimit = 3.0
  /// Most tries.
  public var tries = 3
  /// Seconds of all tries together.
  public var total = 5.0
  /// Fetches at a time: the ten stops of a usual question in one go.
  public var concurrent = 10
  /// Departures held in the cache.
  public var cached = 200_000

  /// The usual limits.
  public init() {}
}

/// Stands before one provider: asks once for all who want the same, remembers answers and failures, tries again, and leaves
/// alone who fails.
package final class ProviderDesk: Sendable {
  /// What became of a question.
  package struct Outcome: Sendable {
    /// The board; `nil` when nothing is known.
    package var board: ProviderBoard?
    /// Why there is none, or why it is old.
    package var failure: ProviderFailure?
    /// Whether the board is older than it should be.
    package var isStale = false
    /// Seconds since it was fetched.
    package var age = 0.0
  }

  package let provider: any TransitProvider
  package let limits: DeskLimits
  package let metrics = ProviderMetrics()
  private let cache: BoardCache
  private let gate: FetchGate
  private let sharedGate: FetchGate
  private let breaker = CircuitBreaker()
  private let timer: any TransitTimer
  private let jitter: @Sendable () -> Double

  init(
    _ provider: any TransitProvider,
    limits: DeskLimits,
    sharedGate: FetchGate,
    timer: any TransitTimer,
    jitter: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.provider = provider
    self.limits = limits
    self.sharedGate = sharedGate
    self.timer = timer
    self.jitter = jitter
    cache = BoardCache(limit: limits.cached)
    gate = FetchGate(limits.concurrent)
  }

  package var isBreakerOpen: Bool { breaker.isOpen }
  package var breakerOpenings: Int { breaker.openings }
  package var cacheSize: (entries: Int, departures: Int) { cache.size }
  package var waiting: Int { gate.waiting }

  /// Windows that are fetched: a question gets the next larger one.
  static let windows = [3600, 10_800, 43_200, 86_400]

  private static func key(_ stop: String, _ question: BoardQuestion) -> BoardCache.Key {
    BoardCache.Key(stop: stop, window: windows.first { $0 >= question.window } ?? 86_400)
  }

  /// The answer that is there without asking, counted; `nil` when one has to be fetched.
  func known(_ stop: String, _ question: BoardQuestion) -> Outcome? {
    let outcome = held(stop, question)
    if let outcome { noteHit(outcome) }
    return outcome
  }

  /// Counts an answer that was there.
  func noteHit(_ outcome: Outcome) { metrics.noteHit(stale: outcome.isStale, failed: outcome.board == nil) }

  /// The answer that is there without asking; `nil` when one has to be fetched.
  func held(_ stop: String, _ question: BoardQuestion) -> Outcome? {
    let time = timer.seconds
    let edition = provider.edition
    guard let entry = cache.use(Self.key(stop, question), at: time) else { return nil }
    if entry.board != nil, isFresh(entry, edition, time) {
      return Outcome(board: entry.board, age: time - entry.fetched)
    }
    return entry.failure != nil && time - entry.failed < limits.negative ? fallback(entry, time) : nil
  }

  private func isFresh(_ entry: BoardCache.Entry, _ edition: Int, _ time: Double) -> Bool {
    time - entry.fetched < limits.fresh && entry.edition == edition
  }

  /// What can be said while the provider has no answer.
  private func fallback(_ entry: BoardCache.Entry, _ time: Double) -> Outcome {
    let age = time - entry.fetched
    guard let board = entry.board, age < limits.stale else { return Outcome(failure: entry.failure ?? .timeout) }
    return Outcome(board: board, failure: entry.failure ?? .timeout, isStale: age >= limits.fresh, age: age)
  }

  /// The last resort when nothing came in time.
  func late(_ stop: String, _ question: BoardQuestion) -> Outcome {
    metrics.noteLate()
    let time = timer.seconds
    var entry = cache.use(Self.key(stop, question), at: time) ?? BoardCache.Entry()
    if entry.failure == nil { entry.failure = .timeout }
    return fallback(entry, time)
  }

  /// Fetches, or joins the fetch under way; `done` is called once.
  func fetch(_ stop: String, _ question: BoardQuestion, done: @escaping @Sendable (Outcome) -> Void) {
    let key = Self.key(stop, question)
    let isFirst = cache.with(key) { entry in
      let isFirst = entry.waiting == nil
      entry.used = timer.seconds
      entry.waiting =
        (entry.waiting ?? []) + [
          { result in
            switch result {
            case .success(let board): done(Outcome(board: board))
            case .failure: done(self.afterFailure(key))
            }
          }
        ]
      return isFirst
    }
    guard isFirst else { return metrics.noteShared() }
    // The seconds that a board lives in the cache are part of what has to be in it.
    let wider = BoardQuestion(
      from: question.from,
      window: key.window + Int(clamped: limits.fresh) + 1,
      limit: max(question.limit, 128)
    )
    Task {
      let edition = provider.edition
      let result = await attempts(stop, wider)
      let time = timer.seconds
      let waiting = cache.with(key) { entry in
        switch result {
        case .success(let board):
          entry.board = board
          entry.fetched = time
          entry.edition = edition
          entry.failure = nil
        case .failure(let failure):
          entry.failure = failure
          entry.failed = time
          // These are answers too: what was known before does not hold any more.
          if failure.isAnswer { entry.board = nil }
        }
        defer { entry.waiting = nil }
        return entry.waiting ?? []
      }
      for done in waiting { done(result) }
    }
  }

  private func afterFailure(_ key: BoardCache.Key) -> Outcome {
    let time = timer.seconds
    return fallback(cache.use(key, at: time) ?? BoardCache.Entry(), time)
  }

  /// Tries as often as is sensible in the time there is.
  private func attempts(_ stop: String, _ question: BoardQuestion) async -> Result<ProviderBoard, ProviderFailure> {
    let start = timer.seconds
    guard provider.info.isRemote else { return await attempt(stop, question, limit: limits.total) }
    if breaker.refuses(at: start) { return refused(.resting) }
    do throws(ProviderFailure) { try await gate.enter() } catch { return refused(error) }
    defer { gate.leave() }
    do throws(ProviderFailure) { try await sharedGate.enter() } catch { return refused(error) }
    defer { sharedGate.leave() }
    // Others may have found out while this one waited in line.
    guard breaker.allows(at: timer.seconds) else { return refused(.resting) }
    var last = ProviderFailure.timeout
    for number in 1...max(1, limits.tries) {
      let left = limits.total - (timer.seconds - start)
      guard left > 0.05 else { return .failure(number == 1 ? .busy : last) }
      let result = await attempt(stop, question, limit: min(limits.tryLimit, left))
      guard case .failure(let failure) = result else {
        breaker.note(success: true, at: timer.seconds)
        return result
      }
      last = failure
      // An answer that says "no such stop" is one all the same.
      breaker.note(success: !failure.countsAgainstProvider, at: timer.seconds)
      guard failure.isTransient, number < limits.tries, !breaker.isOpen else { break }
      var pause = 0.1 * Double(1 << number) * (0.5 + jitter())
      if case .status(_, let wish?) = failure { pause = max(pause, wish) }
      guard timer.seconds - start + pause < limits.total else { break }
      do { try await timer.sleep(seconds: pause) } catch { break }
    }
    return .failure(last)
  }

  /// Nothing was asked.
  private func refused(_ failure: ProviderFailure) -> Result<ProviderBoard, ProviderFailure> {
    metrics.noteFailure(failure, seconds: 0)
    return .failure(failure)
  }

  private func attempt(
    _ stop: String,
    _ question: BoardQuestion,
    limit: Double
  ) async -> Result<ProviderBoard, ProviderFailure> {
    let start = timer.seconds
    let provider = provider
    let work: @Sendable () async -> Result<ProviderBoard, ProviderFailure> = {
      do throws(ProviderFailure) { return .success(try await provider.departures(at: stop, question)) } catch {
        return .failure(error)
      }
    }
    // What is at hand needs no alarm.
    let result =
      provider.info.isRemote ? await limited(toSeconds: limit, timer: timer, work) : await work()
    switch result {
    case .success: metrics.noteSuccess(seconds: timer.seconds - start)
    case .failure(let failure): metrics.noteFailure(failure, seconds: timer.seconds - start)
    }
    return result
  }
}
