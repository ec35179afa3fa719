import Crypto
import Foundation
import SightlineInput
import SightlineStore

/// Slows down guessing: counts failures by name and network together, by network, and by name.
///
/// After a number of failures that honest people make, each further one doubles the time until the next try is looked
/// at. A try counts as a failure from its beginning, so that tries at the same time are not free, and is taken back when it
/// was none.
///
/// Nobody can lock others out: what strangers do to a name from elsewhere does not count where somebody has signed in by
/// that name before; there only that network's own failures do.
///
/// Counts are in the store: all servers of a database count together, and a new start forgives nothing.
struct SignInLimiter: Sendable {
  let store: any SignInFailureStore

  /// Failures that cost nothing, by kind of key.
  static let free = (pair: 5, address: 20, name: 50)
  /// Longest wait, seconds; failures are forgotten after as long.
  static let longestWait: TimeInterval = 15 * 60
  /// How long a network is known for a name after a success, seconds.
  static let knownTime: TimeInterval = 90 * 86_400

  /// Not blocked at all; the store rounds times to milliseconds, and now might become a little later.
  private static let never = Date(timeIntervalSince1970: 0)

  /// What is counted together, and how much of it costs nothing.
  private struct Key {
    let hash: Data
    let free: Int

    init(_ text: String, free: Int) {
      // Whoever sees the database sees neither names that nobody has nor networks.
      hash = Data(SHA256.hash(data: Data(text.utf8)))
      self.free = free
    }
  }

  /// Refuses a try that comes too early, and counts any other as a failure until ``succeeded(name:client:at:)``.
  ///
  /// `name` is `nil` where there is none to guess for, as with secrets of 256 bits: then the network alone counts.
  ///
  /// - Throws: ``AccountError/tooManyAttempts(wait:)``, and what the store throws.
  func attempt(name: String?, client: String, at time: Date) async throws {
    let keys = SignInLimiter.keys(name, client)
    let hashes = keys.map(\.hash)
    // Whoever is refused anyway writes nothing.
    try SignInLimiter.check(SignInLimiter.counting(keys, try await store.failures(of: hashes), time), time)
    let wait = try await store.update(hashes) { known -> TimeInterval? in
      let counting = SignInLimiter.counting(keys, known, time)
      if let until = counting.compactMap({ $0.count?.blockedUntil }).max(), until > time {
        return until.timeIntervalSince(time)
      }
      for (key, count) in counting { known.counts[key.hash] = SignInLimiter.counted(count, key.free, time) }
      return nil
    }
    if let wait { throw AccountError.tooManyAttempts(wait: Int(clamped: wait.rounded(.up))) }
  }

  /// Takes a try back, for it was a success.
  ///
  /// Forgets the name's failures from this network, and knows the network from now on.
  ///
  /// - Throws: What the store throws.
  func succeeded(name: String?, client: String, at time: Date) async throws {
    let keys = SignInLimiter.keys(name, client)
    _ = try await store.update(keys.map(\.hash)) { known in
      for (place, (key, count)) in SignInLimiter.counting(keys, known, time).enumerated() {
        guard var count else { continue }
        count.failures -= 1
        // The first key is that of name and network together, when there is a name.
        if count.failures <= 0 || name != nil && place == 0 {
          known.counts[key.hash] = nil
        } else {
          count.blockedUntil = SignInLimiter.never
          known.counts[key.hash] = count
        }
      }
      if name != nil, let own = keys.first { known.networks[own.hash] = time }
    }
  }

  /// Forgets what counts no more.
  ///
  /// - Throws: What the store throws.
  func forget(at time: Date) async throws {
    try await store.forget(
      failuresBefore: time.addingTimeInterval(-SignInLimiter.longestWait),
      networksBefore: time.addingTimeInterval(-SignInLimiter.knownTime)
    )
  }

  private static func check(_ counting: [(key: Key, count: SignInFailures.Count?)], _ time: Date) throws {
    guard let until = counting.compactMap({ $0.count?.blockedUntil }).max(), until > time else { return }
    throw AccountError.tooManyAttempts(wait: Int(clamped: until.timeIntervalSince(time).rounded(.up)))
  }

  /// A count with a failure more.
  private static func counted(_ before: SignInFailures.Count?, _ free: Int, _ time: Date) -> SignInFailures.Count {
    var count = before ?? SignInFailures.Count(failures: 0, last: time, blockedUntil: never)
    if time.timeIntervalSince(count.last) > longestWait { count.failures = 0 }
    count.failures = count.failures.saturatingAdd(1)
    count.last = time
    let excess = count.failures - free
    if excess >= 0 {
      count.blockedUntil = time.addingTimeInterval(min(longestWait, pow(2, Double(min(excess, 20)))))
    }
    return count
  }

  /// All keys that may count for a try; the first is that of name and network together, when there is a name.
  private static func keys(_ name: String?, _ client: String) -> [Key] {
    let address = Key("a \(client)", free: free.address)
    guard let name else { return [address] }
    return [
      Key("b \(client) \(name.prefix(80))", free: free.pair), address, Key("n \(name.prefix(80))", free: free.name),
    ]
  }

  /// Those that do count, with what is known of them.
  private static func counting(
    _ keys: [Key],
    _ known: SignInFailures,
    _ time: Date
  ) -> [(key: Key, count: SignInFailures.Count?)] {
    // Where its owner is known to be, neither others' failures nor those at other names count.
    let isKnown =
      keys.first.flatMap { known.networks[$0.hash] }.map { time.timeIntervalSince($0) < knownTime } ?? false
    return (isKnown ? Array(keys.prefix(1)) : keys).map { ($0, known.counts[$0.hash]) }
  }
}
