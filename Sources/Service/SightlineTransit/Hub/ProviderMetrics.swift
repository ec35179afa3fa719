import Synchronization

/// Counts what a provider was asked and what came of it.
package final class ProviderMetrics: Sendable {
  /// The counts at a moment.
  package struct Counts: Sendable {
    package var hits = 0
    package var staleHits = 0
    package var negativeHits = 0
    /// Joined a fetch that was under way.
    package var shared = 0
    /// Not answered when the request had to be.
    package var late = 0
    package var successes = 0
    /// By a closed set of words.
    package var failures: [String: Int] = [:]
    /// Fetches that took at most so long; cumulative, see ``ProviderMetrics/bounds``.
    package var buckets = [Int](repeating: 0, count: ProviderMetrics.bounds.count)
    package var seconds = 0.0
    package var fetches = 0
  }

  /// Upper bounds of the histogram, seconds.
  package static let bounds = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 3, 5]

  private let counts = Mutex(Counts())
  // Hits come thousands a second: counted apart, so that readers do not meet at one lock.
  private let hits = Atomic(0)

  func noteHit(stale: Bool, failed: Bool) {
    if !stale, !failed {
      hits.add(1, ordering: .relaxed)
    } else {
      counts.withLock { if stale { $0.staleHits += 1 } else { $0.negativeHits += 1 } }
    }
  }

  func noteShared() { counts.withLock { $0.shared += 1 } }
  func noteLate() { counts.withLock { $0.late += 1 } }

  func noteSuccess(seconds: Double) {
    counts.withLock {
      $0.successes += 1
      Self.note(seconds, &$0)
    }
  }

  func noteFailure(_ failure: ProviderFailure, seconds: Double) {
    counts.withLock {
      $0.failures[Self.word(failure), default: 0] += 1
      Self.note(seconds, &$0)
    }
  }

  private static func note(_ seconds: Double, _ counts: inout Counts) {
    counts.fetches += 1
    counts.seconds += seconds
    for (place, bound) in bounds.enumerated() where seconds <= bound { counts.buckets[place] += 1 }
  }

  /// A word from a closed set: labels must not grow with what others send.
  private static func word(_ failure: ProviderFailure) -> String {
    switch failure {
    case .timeout: "timeout"
    case .connection: "connection"
    case .status(let status, _): status == 429 ? "status_429" : status >= 500 ? "status_5xx" : "status_other"
    case .malformed: "malformed"
    case .tooLarge: "too_large"
    case .unknownStop, .retiredStop: "unknown_stop"
    case .outsideValidity: "outside_validity"
    case .outdated: "outdated"
    case .resting: "resting"
    case .busy: "busy"
    case .broken: "broken"
    }
  }

  /// The counts now.
  package var current: Counts {
    var result = counts.withLock { $0 }
    result.hits = hits.load(ordering: .relaxed)
    return result
  }
}
