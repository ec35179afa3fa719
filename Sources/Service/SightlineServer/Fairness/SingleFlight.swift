import Synchronization

/// Makes each thing once for all who want it at the same time.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let running = Mutex<[Key: Task<Value, any Error>]>([:])

  /// What is being made for this key, or what `make` makes.
  ///
  /// The work goes on when the caller that began it is cancelled: others may wait for it.
  func value(for key: Key, make: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = running.withLock { running in
      if let task = running[key] { return task }
      let task = Task {
        defer { self.running.withLock { $0[key] = nil } }
        return try await make()
      }
      running[key] = task
      return task
    }
    return try await task.value
  }

  /// Things that are being made.
  var count: Int { running.withLock { $0.count } }
}
