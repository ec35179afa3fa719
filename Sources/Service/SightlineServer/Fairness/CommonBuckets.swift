import Crypto
import Foundation
import SightlineInput
import Synchronization

/// Token buckets that may be counted together over several servers.
///
/// A server that is alone pays nothing for that. Where several use one database, what was taken here is told every second
/// (``LimitSharing``), and what others told is taken from the buckets here, also below nothing. So over a time `t` all `N` servers
/// together give a client at most `N·burst + perSecond·(t + (N − 1)·d)`, where `d` is the time until the others know, two
/// seconds at most while the database answers: each may give a burst before it hears of the others', and a debt is paid
/// back before anything more is given. While the database is away each counts for itself.
final class CommonBuckets: Sendable {
  private struct State {
    var buckets: TokenBuckets
    /// What was taken here and is not told yet, by key; `nil` on a server that is alone.
    var untold: [String: Double]?
  }

  private let state: Mutex<State>
  private let clock: @Sendable () -> Double

  /// Most keys that are told at a time; those that took most come first, the others later.
  static let mostTold = 2000
  /// Keys that wait to be told; beyond, what newcomers take is not told.
  private static let mostUntold = 16_384
  /// Largest count of a line that is believed.
  private static let mostTaken = 1e6

  /// Buckets whose time is a clock's, in seconds.
  init(
    perSecond: Double,
    burst: Double,
    capacity: Int = 16_384,
    clock: @escaping @Sendable () -> Double
  ) {
    state = Mutex(State(buckets: TokenBuckets(perSecond: perSecond, burst: burst, capacity: capacity)))
    self.clock = clock
  }

  /// Counts together with other servers from now on.
  func share() { state.withLock { $0.untold = $0.untold ?? [:] } }

  /// Takes tokens, as ``TokenBuckets/take(_:of:at:)``.
  ///
  /// - Returns: The seconds to wait when there are too few; `nil` when they were taken.
  func take(_ cost: Double = 1, of client: String) -> Double? {
    let now = clock()
    return state.withLock { state in
      guard state.untold != nil else { return state.buckets.take(cost, of: client, at: now) }
      let key = Self.key(client)
      if let wait = state.buckets.take(cost, of: key, at: now) { return wait }
      if cost > 0, let count = state.untold?.count, count < Self.mostUntold || state.untold?[key] != nil {
        state.untold?[key, default: 0] += cost
      }
      return nil
    }
  }

  /// Gives tokens back that were taken a moment ago for nothing.
  func giveBack(_ cost: Double, of client: String) {
    state.withLock { state in
      guard let untold = state.untold else { return state.buckets.giveBack(cost, of: client) }
      let key = Self.key(client)
      state.buckets.giveBack(cost, of: key)
      if let told = untold[key] { state.untold?[key] = max(0, told - cost) }
    }
  }

  /// What was taken here since the last call, at most ``mostTold`` keys.
  func takeUntold() -> [String: Double] {
    state.withLock { state in
      guard let untold = state.untold, !untold.isEmpty else { return [:] }
      guard untold.count > Self.mostTold else {
        state.untold = [:]
        return untold
      }
      let most = untold.sorted { $0.value > $1.value }.prefix(Self.mostTold)
      for (key, _) in most { state.untold?[key] = nil }
      return Dictionary(most.map { ($0.key, $0.value) }, uniquingKeysWith: +)
    }
  }

  /// Gives back what could not be told.
  func putBack(_ untold: [String: Double]) {
    state.withLock { state in
      guard state.untold != nil else { return }
      for (key, count) in untold { state.untold?[key, default: 0] += count }
    }
  }

  /// Takes what others gave from the buckets here.
  func charge(_ taken: [String: Double]) {
    let now = clock()
    state.withLock { state in
      for (key, count) in taken where count > 0 && count <= Self.mostTaken {
        state.buckets.charge(count, of: key, at: now)
      }
    }
  }

  /// A client's key among servers: whoever sees the database sees no network.
  private static func key(_ client: String) -> String {
    Data(SHA256.hash(data: Data(client.utf8)).prefix(9)).base64EncodedString()
  }
}
