import Synchronization

/// Does one thing after the other, in the order in which they come.
final class WaitingLine: Sendable {
  private let last = Mutex<Task<Void, Never>?>(nil)

  /// Does something once all that came before is done.
  ///
  /// - Throws: What it throws.
  func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = last.withLock { last in
      let before = last
      let task = Task {
        await before?.value
        return try await work()
      }
      last = Task { _ = try? await task.value }
      return task
    }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
