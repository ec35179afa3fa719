import Foundation
import SightlineInput
import SightlineStore
import Synchronization

/// Slows down guessing: counts failures by name and network together, by network, and by name.
///
/// After a number of failures that honest people make, each further one doubles the time until the next try is looked
/// at. A try counts as a failure from its beginning, so that tries at the same time are not free, and is taken back when it
/// was none.
///
/// Nobody can lock others out: what strangers do to a name from elsewhere does not count where somebody has signed in by
/// that name before; there only that network's own failures do.
final class SignInLimiter: Sendable {
  private struct Count {
    var failures: Int
    var last: Date
    var blockedUntil: Date
  }

  private struct State {
    var counts: [String: Count] = [:]
    /// Names and networks that belong together, with the time of the last success.
    var known: [String: Date] = [:]
  }

  private let state = Mutex(State())

  /// Failures that cost nothing, by kind of key.
  static let free = (pair: 5, address: 20, name: 50)
  /// Longest wait, seconds; failures are forgotten after as long.
  static let longestWait: TimeInterval = 15 * 60
  /// How long a network is known for a name after a success, seconds.
  static let knownTime: TimeInterval = 90 * 86_400
  /// Most keys; beyond, the oldest are forgotten.
  static let capacity = 20_000

  /// Refuses a try that comes too early, and counts any other as a failure until ``succeeded(name:client:at:)``.
  ///
  /// `name` is `nil` where there is none to guess for, as with secrets of 256 bits: then the network alone counts.
  func attempt(name: String?, client: String, at time: Date) throws(AccountError) {
    let wait: TimeInterval? = state.withLock { state in
      let keys = SignInLimiter.keys(name, client, state.known)
      if let until = keys.compactMap({ state.counts[$0.key]?.blockedUntil }).max(), until > time {
        return until.timeIntervalSince(time)
      }
      if state.counts.count > SignInLimiter.capacity { SignInLimiter.forget(&state.counts, at: time) }
      for (key, free) in keys { SignInLimiter.count(&state.counts, key, free, time) }
      return nil
    }
    if let wait { throw .tooManyAttempts(wait: Int(clamped: wait.rounded(.up))) }
  }

  /// Takes a try back, for it was a success.
  ///
  /// Forgets the name's failures from this network, and knows the network from now on.
  func succeeded(name: String?, client: String, at time: Date) {
    state.withLock { state in
      for (place, (key, _)) in SignInLimiter.keys(name, client, state.known).enumerated() {
        guard var count = state.counts[key] else { continue }
        count.failures -= 1
        // The first key is that of name and network together, when there is a name.
        if count.failures <= 0 || name != nil && place == 0 {
          state.counts[key] = nil
        } else {
          count.blockedUntil = time
          state.counts[key] = count
        }
      }
      guard let name else { return }
      if state.known.count >= SignInLimiter.capacity {
        let oldest = state.known.sorted { $0.value < $1.value }.prefix(SignInLimiter.capacity / 4)
        for entry in oldest { state.known[entry.key] = nil }
      }
      state.known[SignInLimiter.pair(name, client)] = time
    }
  }

  private static func count(_ counts: inout [String: Count], _ key: String, _ free: Int, _ time: Date) {
    var count = counts[key] ?? Count(failures: 0, last: time, blockedUntil: time)
    if time.timeIntervalSince(count.last) > longestWait { count.failures = 0 }
    count.failures += 1
    count.last = time
    let excess = count.failures - free
    if excess >= 0 {
      count.blockedUntil = time.addingTimeInterval(min(longestWait, pow(2, Double(min(excess, 20)))))
    }
    counts[key] = count
  }

  private static func forget(_ counts: inout [String: Count], at time: Date) {
    counts = counts.filter { time.timeIntervalSince($0.value.last) <= longestWait }
    guard counts.count > capacity else { return }
    let newest = counts.sorted { $0.value.last > $1.value.last }.prefix(capacity / 2)
    counts = Dictionary(newest.map { ($0.key, $0.value) }) { first, _ in first }
  }

  private static func pair(_ name: String, _ client: String) -> String { "b \(client) \(name.prefix(80))" }

  private static func keys(_ name: String?, _ client: String, _ known: [String: Date]) -> [(key: String, free: Int)] {
    let address = ("a \(client)", free.address)
    guard let name else { return [address] }
    let own = (pair(name, client), free.pair)
    // Where its owner is known to be, neither others' failures nor those at other names count.
    if known[own.0] != nil { return [own] }
    return [own, address, ("n \(name.prefix(80))", free.name)]
  }
}
