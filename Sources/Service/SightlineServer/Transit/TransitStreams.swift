import Synchronization

/// Subscriptions to boards: made by a POST, opened by their address, which nobody can guess.
final class TransitStreams: Sendable {
  /// What is subscribed to.
  struct Subscription: Codable, Sendable {
    let stops: [String]
    let limit: Int
    let window: Int
    let language: String?
    let client: String
  }

  private struct Held {
    let subscription: Subscription
    /// The line that is open; `nil` without one.
    var line: Int?
    var isOpen: Bool { line != nil }
    /// Seconds of the timer after which it is forgotten, unless it is open.
    var expires: ContinuousClock.Instant
  }

  private let held = Mutex<[String: Held]>([:])
  private let lines = Mutex(0)
  private let most: Int
  private let mostPerClient: Int

  /// Time to open a new subscription.
  static let openingTime = Duration.seconds(60)
  /// Time to come back to one whose line broke.
  static let returnTime = Duration.seconds(600)
  /// Time between looks at the boards.
  static let interval = Duration.seconds(5)
  /// Time between signs of life.
  static let pulse = Duration.seconds(15)

  /// Where other servers find them; `nil` for a server that is alone.
  let shared: SharedSubscriptions?

  init(most: Int = 4096, mostPerClient: Int = 16, shared: SharedSubscriptions? = nil) {
    self.shared = shared
    self.most = most
    self.mostPerClient = mostPerClient
  }

  /// Makes a subscription; returns its name.
  ///
  /// - Throws: ``TransitStreamError/tooMany(_:)`` or ``TransitStreamError/full``.
  func add(_ subscription: Subscription) throws(TransitStreamError) -> String {
    var generator = SystemRandomNumberGenerator()
    let name = [generator.next(), generator.next()].map { (number: UInt64) in
      let text = String(number, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
    if let refusal = refusal(of: subscription, name: name) { throw refusal }
    return name
  }

  /// Keeps a subscription under a name; why not, when there is no room.
  private func refusal(of subscription: Subscription, name: String) -> TransitStreamError? {
    let now = ContinuousClock.now
    return held.withLock { held in
      held = held.filter { $0.value.isOpen || $0.value.expires > now }
      let own = held.count { $0.value.subscription.client == subscription.client }
      // Closed ones wait for their client to come back; when it makes new ones instead, they make room.
      if own >= mostPerClient || held.count >= most {
        let closed = held.filter { !$0.value.isOpen && $0.value.subscription.client == subscription.client }
        guard let oldest = closed.min(by: { $0.value.expires < $1.value.expires }) else {
          return own >= mostPerClient ? .tooMany(mostPerClient) : .full
        }
        held[oldest.key] = nil
      }
      held[name] = Held(subscription: subscription, expires: now + Self.openingTime)
      return nil
    }
  }

  /// Makes a subscription that every server knows; returns its name.
  ///
  /// - Throws: ``TransitStreamError``, and what the store throws.
  func addShared(_ subscription: Subscription) async throws -> String {
    let name = try add(subscription)
    try await shared?.save(subscription, name: name)
    return name
  }

  /// A subscription by its name, also one that another server was asked for.
  ///
  /// - Throws: ``TransitStreamError``, and what the store throws.
  func findShared(_ name: String) async throws -> Subscription {
    do { return try find(name) } catch let unknown {
      guard let subscription = try await shared?.subscription(name) else { throw unknown }
      if let refusal = refusal(of: subscription, name: name) { throw refusal }
      return subscription
    }
  }

  /// A subscription by its name, as long as it may be opened.
  ///
  /// It is not open by that: a `HEAD` has no body.
  func find(_ name: String) throws(TransitStreamError) -> Subscription {
    let found = held.withLock { held in held[name].flatMap { Self.isThere($0) ? $0.subscription : nil } }
    guard let found else {
      throw .unknown
    }
    return found
  }

  private static func isThere(_ entry: Held) -> Bool { entry.isOpen || entry.expires > ContinuousClock.now }

  /// Opens a subscription; returns the number of the line, `nil` when there is no such subscription any more.
  ///
  /// A subscription has one line. A client whose line broke may be back before the server has noticed: the new one counts, and the old
  /// one ends when it next looks, see ``isOpen(_:line:)``.
  func open(_ name: String) -> Int? {
    let line = lines.withLock { lines in
      lines &+= 1
      return lines
    }
    return held.withLock { held in
      guard let entry = held[name], Self.isThere(entry) else { return nil }
      held[name]?.line = line
      return line
    }
  }

  /// Whether a line is still the one of its subscription.
  func isOpen(_ name: String, line: Int) -> Bool { held.withLock { $0[name]?.line == line } }

  /// Notes that a line is gone; the client may come back.
  ///
  /// Nothing when another one has taken its place.
  func close(_ name: String, line: Int) {
    held.withLock {
      guard $0[name]?.line == line else { return }
      $0[name]?.line = nil
      $0[name]?.expires = .now + Self.returnTime
    }
  }

  /// Open streams.
  var openCount: Int { held.withLock { $0.count { $0.value.isOpen } } }
}
