import Synchronization

/// Runs as they were read last: their definitions are long, and change once in a run that has thousands of answers.
///
/// What a run is judged by (its tour, its schedule) changes only together with its revision.
final class KnownRuns: Sendable {
  private let runs = Mutex<[String: StoredRun]>([:])

  /// Most that are kept.
  private static let most = 500

  /// The run of a revision that was read in this transaction.
  ///
  /// - Throws: ``TourStoreError/gone`` when there is none, and what the database throws.
  func run(_ id: String, revision: Int, _ db: any SQLConnection) throws -> StoredRun {
    if let known = runs.withLock({ $0[id] }), known.revision == revision { return known }
    guard let found = try SQLTourRunStore.runs("r.id = ?", [id], db).first else { throw TourStoreError.gone }
    runs.withLock { runs in
      if runs.count >= Self.most { runs.removeAll() }
      runs[id] = found
    }
    return found
  }

  /// Makes the next reader of anything ask the database.
  func forgetAll() { runs.withLock { $0.removeAll() } }
}
