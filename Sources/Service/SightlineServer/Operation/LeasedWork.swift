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

  /// How long it stays this process' own without being renewed, seconds: that long nobody does it when the process ends in the midst
  /// of it.
  var term = 120.0
  /// How often it is renewed, seconds: some times in a term.
  var renewal = 40.0

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
    let (leases, name, term, renewal) = (leases, name, term, renewal)
    guard try await leases.claim(name, for: term) else { return nil }
    let done = await withTaskGroup(of: Step<Value>.self) { group in
      group.addTask { .ended(await work()) }
      group.addTask {
        while (try? await Task.sleep(for: .seconds(renewal))) != nil {
          // A database that is away for a moment is no reason to stop: the work will notice by itself.
          if (try? await leases.renew(name, for: term)) == false { return .lost }
        }
        return .unneeded
      }
      var done: (value: Value, pause: Double)?
      var isLost = false
      for await step in group {
        switch step {
        case .ended(let end): done = end
        case .lost: isLost = true
        // Whoever runs it was cancelled; the work says itself how far it came.
        case .unneeded: continue
        }
        group.cancelAll()
      }
      return isLost ? nil : done
    }
    // In a task of its own: a server that stops gives back what it has, or the others would wait for the end of the term.
    try await Task { try await leases.finish(name, dueAfter: done?.pause ?? retryPause) }.value
    return done?.value
  }

  /// What ends first of the work and its renewal.
  private enum Step<Value: Sendable>: Sendable {
    case ended((value: Value, pause: Double))
    /// Somebody else has it by now.
    case lost
    case unneeded
  }
}
