import Foundation
import SightlineStore

/// The time by which is removed what is over.
///
/// A server whose clock is months ahead must not delete what others still use: the earlier of its own clock and the database's counts,
/// and nothing is removed while the two are far apart.
struct RemovalClock: Sendable {
  let clock: @Sendable () -> Date
  let leases: any LeaseStore

  /// How far apart the two may be, seconds.
  static let tolerance: TimeInterval = 300

  /// The clocks are too far apart.
  struct Disagreement: Error, CustomStringConvertible {
    /// How far this server's clock is ahead, seconds.
    let ahead: TimeInterval

    var description: String {
      "this server's clock is \(abs(ahead.rounded())) s \(ahead > 0 ? "ahead of" : "behind") the database's. "
        + "Nothing is removed until both are right: set them by NTP."
    }
  }

  /// What time it is.
  ///
  /// - Throws: ``Disagreement``, or what the store throws.
  func now() async throws -> Date {
    let own = clock()
    guard let database = try await leases.time() else { return own }
    let ahead = own.timeIntervalSince(database)
    guard abs(ahead) <= RemovalClock.tolerance else { throw Disagreement(ahead: ahead) }
    return min(own, database)
  }
}
