import SightlineStore

/// Work that only one of several servers does, when it is due.
struct LeasedWork: Sendable {
  let leases: any LeaseStore
  /// Names it in the store.
  let name: String
  /// Seconds until it is due again once it is done.
  let interval: Double
  /// Seconds until it is tried again when it failed.
  var retryPause = 300.0

  /// How long it stays this process' own without being renewed, and how often it is, seconds.
  static let (term, renewal) = (120.0, 40.0)

  /// Does the work if it is due and nobody else does it.
  ///
  /// - Parameter work: Does it; says whether it came to its end. Cancelled when somebody else has it by now: it must be so
  ///   that two who do it at once do no harm.
  /// - Returns: Whether it was done here.
  /// - Throws: What the store throws.
  func runIfDue(_ work: @escaping @Sendable () async -> Bool) async throws -> Bool {
    let (interval, retryPause) = (interval, retryPause)
    return try await runIfDue { await work() ? (true, interval) : (false, retryPause) } ?? false
  }

  /// Does the work if it is due and nobody else does it.
  ///
  /// - Parameter work: As above; says what it came to, and in how many seconds it is due again.
  /// - Returns: What it came to; `nil` when it was not done here, or somebody else has it by now.
  /// - Throws: What the store throws.
  func runIfDue<Value: Sendable>(
    _ work: @escaping @Sendable () async -> (value: Value, pause: Double)
  ) async throws -> Value? {
    guard try await leases.claim(name, for: LeasedWork.term) else { return nil }
    let done = await withTaskGroup(of: (value: Value, pause: Double)?.self) { group in
      group.addTask { await work() }
      group.addTask {
        while (try? await Task.sleep(for: .seconds(LeasedWork.renewal))) != nil {
          // A database that is away for a moment is no reason to stop: the work will notice by itself.
          if (try? await leases.renew(name, for: LeasedWork.term)) == false { return nil }
        }
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    try await leases.finish(name, dueAfter: done?.pause ?? retryPause)
    return done?.value
  }
}
