import SightlineTours

/// Gathers submissions while a transaction runs and writes them together in the next.
actor SubmissionQueue {
  private typealias Waiting = (submission: TourSubmission, done: CheckedContinuation<TourOutcome, any Error>)
  private var waiting: [Waiting] = []
  private var isWriting = false

  /// Most submissions in one transaction.
  private static let largestBatch = 256

  func submit(_ submission: TourSubmission, to store: SQLTourTeamStore) async throws -> TourOutcome {
    try await withCheckedThrowingContinuation { continuation in
      waiting.append((submission, continuation))
      guard !isWriting else { return }
      isWriting = true
      Task { await write(to: store) }
    }
  }

  private func write(to store: SQLTourTeamStore) async {
    while !waiting.isEmpty {
      let batch = Array(waiting.prefix(Self.largestBatch))
      waiting.removeFirst(batch.count)
      do {
        let outcomes = try await store.write(batch.map(\.submission))
        for (entry, outcome) in zip(batch, outcomes) { entry.done.resume(with: outcome) }
      } catch {
        for entry in batch { entry.done.resume(throwing: error) }
      }
    }
    isWriting = false
  }
}
