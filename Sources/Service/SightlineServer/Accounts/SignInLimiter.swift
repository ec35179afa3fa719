import Foundation
import Hummingbird
import SightlineStore
import Synchronization

/// Slows down guessing: counts failures by name and address together, by address, and by name.
///
/// After a number of failures that honest people make, each further one doubles the time until the next try is looked
/// at. What a stranger can do to somebody's name from elsewhere is held apart from what that somebody does: the common
/// count of a name has the highest threshold.
final class SignInLimiter: Sendable {
  private struct Count {
    var failures: Int
    var last: Date
    var blockedUntil: Date
  }

  private let counts = Mutex<[String: Count]>([:])

  /// Failures that cost nothing, by kind of key.
  static let free = (pair: 5, address: 20, name: 50)
  /// Longest wait, seconds; failures are forgotten after as long.
  static let longestWait: TimeInterval = 15 * 60
  /// Most keys; beyond, the oldest are forgotten.
  static let capacity = 20_000

  /// Refuses a try that comes too early.
  func check(name: String, client: String, at time: Date) throws(RequestProblem) {
    let until = counts.withLock { counts in
      SignInLimiter.keys(name, client).compactMap { counts[$0.key]?.blockedUntil }.max()
    }
    guard let until, until > time else { return }
    let seconds = Int(until.timeIntervalSince(time).rounded(.up))
    throw RequestProblem(
      .tooManyRequests,
      "account.too-many",
      "There were too many attempts that failed. Try again in \(seconds) seconds.",
      headers: [.retryAfter: String(seconds)]
    )
  }

  /// Counts a failure.
  func failed(name: String, client: String, at time: Date) {
    counts.withLock { counts in
      if counts.count > SignInLimiter.capacity { SignInLimiter.forget(&counts, at: time) }
      for (key, free) in SignInLimiter.keys(name, client) {
        var count = counts[key] ?? Count(failures: 0, last: time, blockedUntil: time)
        if time.timeIntervalSince(count.last) > SignInLimiter.longestWait { count.failures = 0 }
        count.failures += 1
        count.last = time
        let excess = count.failures - free
        if excess >= 0 {
          count.blockedUntil = time.addingTimeInterval(min(SignInLimiter.longestWait, pow(2, Double(min(excess, 20)))))
        }
        counts[key] = count
      }
    }
  }

  /// Forgets a name's failures from an address.
  func succeeded(name: String, client: String) {
    counts.withLock { $0[SignInLimiter.keys(name, client)[0].key] = nil }
  }

  private static func forget(_ counts: inout [String: Count], at time: Date) {
    counts = counts.filter { time.timeIntervalSince($0.value.last) <= longestWait }
    guard counts.count > capacity else { return }
    let newest = counts.sorted { $0.value.last > $1.value.last }.prefix(capacity / 2)
    counts = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
  }

  private static func keys(_ name: String, _ client: String) -> [(key: String, free: Int)] {
    let address = network(client)
    return [
      ("b \(address) \(name.prefix(80))", free.pair), ("a \(address)", free.address),
      ("n \(name.prefix(80))", free.name),
    ]
  }

  /// An IPv4 address, or the first 64 bits of an IPv6 address: one household has all the rest.
  static func network(_ address: String) -> String {
    guard let parsed = NetworkAddress(address), parsed.bytes.count == 16 else { return address }
    // An IPv4 client of a socket for both kinds.
    let isMapped = parsed.bytes.prefix(10).allSatisfy { $0 == 0 }
    return isMapped ? address : Data(parsed.bytes.prefix(8)).hexadecimal
  }
}
