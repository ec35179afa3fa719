import Foundation
import Logging
import NIOCore
import SightlineContent
import SightlineInput
import SightlineReadWorkers
import Synchronization

/// Where the server asks OpenStreetMap, and how much.
public struct MapSourceOptions: Sendable {
  /// Address of an Overpass interpreter, such as `https://overpass.example.org/api/interpreter`.
  public var url: String
  /// Metres around the middle of a square that are asked for.
  public var radius = 1500
  /// Seconds for which an answer is used again.
  public var freshSeconds = 6.0 * 3600
  /// Seconds for which an old answer stands in when the service fails.
  public var staleSeconds = 7.0 * 24 * 3600
  /// Questions a minute, for all clients together: public services are for everybody.
  public var questionsPerMinute = 20.0
  /// Answers that are kept.
  public var mostAnswers = 400

  /// A source; `nil` when the address is not an http or https one.
  public init?(url: String) {
    guard let parts = URL(string: url), ["http", "https"].contains(parts.scheme?.lowercased()),
      parts.host?.isEmpty == false
    else { return nil }
    self.url = url
  }
}

/// Asks an Overpass service for worlds, as seldom as possible.
///
/// Questions are asked on a grid of hundredths of a degree: neighbours share an answer, and the service learns where
/// somebody is to about a kilometre. Equal questions that run are asked once.
actor MapSource {
  /// A world as it came, and when.
  struct Answer: Sendable {
    let world: ForeignAnswers.World
    let time: Date
  }

  private struct Key: Hashable {
    let topic: String
    /// Hundredths of a degree.
    let latitude: Int
    let longitude: Int
  }

  let options: MapSourceOptions
  private let fetcher: GuardedFetcher
  private let documents: ForeignDocuments
  private let clock: @Sendable () -> Date
  private let log: Logger
  private var answers: [Key: Answer] = [:]
  private var running: [Key: Task<Answer, any Error>] = [:]
  private var failures: [Key: (time: Date, error: any Error)] = [:]
  /// Questions of all clients together.
  let budget: CommonBuckets
  /// Seconds for which a failed question is not repeated.
  private static let patience = 30.0

  init(
    options: MapSourceOptions,
    documents: ForeignDocuments,
    resolver: HostResolver,
    log: Logger,
    clock: @escaping @Sendable () -> Date
  ) {
    self.options = options
    self.documents = documents
    self.log = log
    self.clock = clock
    // The operator named this address: it may be on the operator's own network. Where it redirects to the operator did not name.
    var policy = ProxyPolicy()
    policy.allowsPrivateAddresses = true
    policy.redirectLimit = 0
    if let target = try? ProxyTarget(options.url) { policy.ports = [80, 443, target.port] }
    policy.concurrentFetches = 4
    policy.concurrentFetchesPerClient = 4
    fetcher = GuardedFetcher(policy: policy, resolver: resolver)
    let perMinute = options.questionsPerMinute
    budget = CommonBuckets(perSecond: perMinute / 60, burst: perMinute, capacity: 1) {
      clock().timeIntervalSinceReferenceDate
    }
  }

  func shutdown() async { await fetcher.shutdown() }

  /// The world of a topic around a position, degrees.
  ///
  /// - Throws: ``FetchError``, `ReadFailure` or ``ServiceError`` when there is none, not even an old one.
  func world(_ topic: MapTopic, latitude: Double, longitude: Double) async throws -> Answer {
    let key = Key(
      topic: topic.id,
      latitude: Int(clamped: (latitude * 100).rounded()),
      longitude: Int(clamped: (longitude * 100).rounded())
    )
    let now = clock()
    let known = answers[key]
    if let known, now.timeIntervalSince(known.time) < options.freshSeconds { return known }
    do {
      return try await ask(key, topic, now)
    } catch {
      guard let known, now.timeIntervalSince(known.time) < options.staleSeconds else { throw error }
      log.warning("the map service failed, an old answer stands in", metadata: ["reason": .string("\(error)")])
      return known
    }
  }

  private func ask(_ key: Key, _ topic: MapTopic, _ now: Date) async throws -> Answer {
    if let task = running[key] { return try await task.value }
    if let failure = failures[key], now.timeIntervalSince(failure.time) < Self.patience { throw failure.error }
    try takeToken()
    let task = Task { try await fetch(key, topic) }
    running[key] = task
    defer { running[key] = nil }
    do {
      let answer = try await task.value
      failures[key] = nil
      keep(answer, for: key)
      return answer
    } catch {
      // A question that was broken off by a server that stops says nothing about the service.
      guard !(error is CancellationError) else { throw error }
      if failures.count >= options.mostAnswers { failures = [:] }
      failures[key] = (clock(), error)
      throw error
    }
  }

  private func fetch(_ key: Key, _ topic: MapTopic) async throws -> Answer {
    let query = topic.query(
      latitude: Double(key.latitude) / 100,
      longitude: Double(key.longitude) / 100,
      radius: options.radius,
      limit: MapWorld.mostPlaces
    )
    let form = "data=" + (query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    let answer = try await fetcher.fetch(options.url, .post(fields: form), accept: "application/json", client: "osm")
    let world = try await documents.map(answer.body, topic: topic, client: "osm")
    guard world.dimensionJSON != nil else {
      throw ServiceError.mapUnreadable
    }
    return Answer(world: world, time: clock())
  }

  private func takeToken() throws(ServiceError) {
    guard budget.take(of: "all") == nil else {
      throw .mapBusy
    }
  }

  private func keep(_ answer: Answer, for key: Key) {
    if answers.count >= options.mostAnswers, answers[key] == nil,
      let oldest = answers.min(by: { $0.value.time < $1.value.time })?.key
    {
      answers[oldest] = nil
    }
    answers[key] = answer
  }
}
