import Foundation
import SightlineStore

/// Subscriptions to departures as every server of a database knows them: the one that opens a stream need not be the one that was
/// asked for it, and a client whose server is gone comes back to another.
struct SharedSubscriptions: Sendable {
  let store: any SubscriptionStore

  /// Seconds for which one is kept that is not open.
  static let kept = 600.0
  /// Time after which one that is open is kept for longer.
  static let renewal = Duration.seconds(300)
  /// Longest name that is looked for.
  private static let longestName = 64

  func save(_ subscription: TransitStreams.Subscription, name: String) async throws {
    try await store.save(try JSONEncoder().encode(subscription), name: name, seconds: Self.kept)
  }

  /// A subscription; `nil` when nobody knows it, or its time is over.
  func subscription(_ name: String) async throws -> TransitStreams.Subscription? {
    guard name.utf8.count <= Self.longestName, let document = try await store.subscription(name) else { return nil }
    return try? JSONDecoder().decode(TransitStreams.Subscription.self, from: document)
  }
}
