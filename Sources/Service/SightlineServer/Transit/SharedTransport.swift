import Crypto
import Foundation
import SightlineStore
import SightlineTransit

/// Fetches realtime messages once for all servers of a database: whoever comes first when one is due asks the provider, the others
/// read from the database what came.
///
/// Servers look three times in the provider's interval, so that a message is on all of them within a third of it. While the database
/// is away each server asks the provider for itself.
final class SharedTransport: ProviderTransport {
  private let base: any ProviderTransport
  private let messages: any MessageStore
  private let leases: any LeaseStore
  private let provider: String
  /// Seconds between questions to the provider, by address; others are fetched by each server for itself.
  private let intervals: [String: Double]

  /// Part of an interval after which a message is asked for anew.
  private static let fresh = 0.9
  /// Intervals after which a message is too old to be passed on.
  private static let stale = 3.0
  /// Looks for what another server is fetching.
  private static let looks = 10
  private static let lookPause = Duration.milliseconds(200)
  /// How long a server that fetches may be silent before another one does, and how often it says that it still does, seconds: much
  /// less than messages are good for.
  private static let (term, renewal) = (6.0, 2.0)
  private static let mark = "sightline-"

  /// How often a server looks, for an interval of the provider, seconds.
  static func pause(_ interval: Double) -> Double { min(interval, max(1, interval / 3)) }

  init(_ base: any ProviderTransport, of provider: String, intervals: [String: Double], stores: Stores) {
    self.base = base
    self.provider = provider
    self.intervals = intervals
    messages = stores.messages
    leases = stores.leases
  }

  func download(_ request: ProviderRequest, to path: String) async throws(ProviderFailure) -> ProviderAnswer {
    try await base.download(request, to: path)
  }

  func fetch(_ request: ProviderRequest) async throws(ProviderFailure) -> ProviderAnswer {
    guard let interval = intervals[request.url] else { return try await base.fetch(request) }
    do {
      return try await shared(request, interval)
    } catch let failure as ProviderFailure {
      throw failure
    } catch is CancellationError {
      throw .timeout
    } catch {
      var own = request
      // Not the provider's.
      if Self.number(own.etag) != nil { (own.etag, own.lastModified) = ("", "") }
      return try await base.fetch(own)
    }
  }

  private func shared(_ request: ProviderRequest, _ interval: Double) async throws -> ProviderAnswer {
    // An address may have a key in it, which does not belong into the database.
    let key = Data(SHA256.hash(data: Data("\(provider) \(request.url)".utf8)))
    let held = Self.number(request.etag)
    let known = try await messages.message(key, unless: held)
    if let known, known.age < interval * Self.fresh { return Self.answer(known) }
    let work = LeasedWork(
      leases: leases,
      name: "realtime:\(key.prefix(16).base64EncodedString())",
      interval: interval,
      retryPause: 0,
      term: Self.term,
      renewal: Self.renewal
    )
    for look in 0...Self.looks {
      if look > 0 {
        try await Task.sleep(for: Self.lookPause)
        if let known = try await messages.message(key, unless: held), known.age < interval { return Self.answer(known) }
      }
      // It may become due while it is waited for what another server fetches.
      let turn: Result<ProviderAnswer, any Error>? = try await work.runIfDue { [self] in
        do {
          let answer = try await ask(request, known, key, held)
          return (value: .success(answer), pause: interval * Self.fresh)
        } catch {
          // A server that stops has not asked: the next one may at once.
          return (value: .failure(error), pause: Task.isCancelled ? 0 : interval)
        }
      }
      if let turn { return try turn.get() }
    }
    guard let known = try await messages.message(key, unless: held), known.age < interval * Self.stale else {
      throw ProviderFailure.connection("no server could fetch it")
    }
    return Self.answer(known)
  }

  /// Asks the provider, for all.
  private func ask(
    _ request: ProviderRequest,
    _ known: StoredMessage?,
    _ key: Data,
    _ held: Int64?
  ) async throws -> ProviderAnswer {
    var own = request
    (own.etag, own.lastModified) = (known?.etag ?? "", known?.lastModified ?? "")
    var answer = try await base.fetch(own)
    if answer.isUnchanged {
      try await messages.confirm(key)
      // It may have been another server that fetched it.
      if let message = try await messages.message(key, unless: held) { return Self.answer(message) }
      (own.etag, own.lastModified) = ("", "")
      answer = try await base.fetch(own)
    }
    let number = try await messages.save(
      Data(answer.body),
      etag: answer.etag,
      lastModified: answer.lastModified,
      key: key
    )
    answer.etag = Self.mark + String(number)
    answer.lastModified = ""
    return answer
  }

  private static func answer(_ message: StoredMessage) -> ProviderAnswer {
    var answer = ProviderAnswer()
    answer.etag = mark + String(message.number)
    guard let body = message.body else {
      answer.isUnchanged = true
      return answer
    }
    answer.body = [UInt8](body)
    return answer
  }

  private static func number(_ etag: String) -> Int64? {
    etag.hasPrefix(mark) ? Int64(etag.dropFirst(mark.count)) : nil
  }
}
