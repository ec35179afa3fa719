import Foundation
import Logging
import NIOCore
import SightlineInput
import Synchronization

/// Asks the operator's geocoder, as seldom as possible: equal questions that run are asked once, answers are kept for a day, and what
/// failed is left alone for a while.
actor Geocoder {
  /// What is looked for.
  struct Question: Hashable, Sendable {
    /// As typed, without blanks round it.
    let text: String
    /// Where near places are wanted, tenths of a degree: neighbours share an answer, and the service learns where somebody looks to
    /// about ten kilometres.
    let latitudeTenths: Int?
    let longitudeTenths: Int?
    /// Two letters.
    let language: String?

    /// Longest text, characters.
    static let longest = 200

    /// A question; `nil` when the text is empty or too long.
    init?(text: String, latitude: Double?, longitude: Double?, language: String?) {
      let text = text.split { $0.isWhitespace }.joined(separator: " ")
      guard !text.isEmpty, text.count <= Question.longest, text.utf8.count <= 4 * Question.longest else { return nil }
      self.text = text
      if let latitude, let longitude {
        latitudeTenths = Int(clamped: (latitude * 10).rounded())
        longitudeTenths = Int(clamped: (longitude * 10).rounded())
      } else {
        (latitudeTenths, longitudeTenths) = (nil, nil)
      }
      let code = language?.prefix { $0 != "-" && $0 != "_" }.lowercased()
      let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
      self.language = code.flatMap { $0.utf8.count == 2 && $0.utf8.allSatisfy(letters.contains) ? $0 : nil }
    }
  }

  private struct Answer {
    let found: [FoundAddress]
    let time: Date
  }

  let options: GeocoderOptions
  private let fetcher: GuardedFetcher
  let limiter: RateLimiter
  private let clock: @Sendable () -> Date
  private let log: Logger
  private var answers: [Question: Answer] = [:]
  private var running: [Question: Task<[FoundAddress], any Error>] = [:]
  private var failure: (time: Date, error: any Error)?
  /// Questions of all clients together.
  let budget: CommonBuckets
  /// Seconds after a failure for which the service is not asked again.
  private static let patience = 5.0

  init(options: GeocoderOptions, resolver: HostResolver, log: Logger, clock: @escaping @Sendable () -> Date) {
    self.options = options
    self.log = log
    self.clock = clock
    // The operator named this address: it may be on the operator's own network. Where it redirects to the operator did not name.
    var policy = ProxyPolicy()
    policy.allowsPrivateAddresses = true
    policy.redirectLimit = 0
    policy.timeLimit = options.timeLimit
    policy.largestBody = options.largestBody
    if let target = try? ProxyTarget(options.url.absoluteString) { policy.ports = [80, 443, target.port] }
    policy.concurrentFetches = 8
    policy.concurrentFetchesPerClient = 8
    fetcher = GuardedFetcher(policy: policy, resolver: resolver)
    let perMinute = options.questionsPerMinuteOfClient
    limiter = RateLimiter(
      perSecond: perMinute / 60,
      burst: max(1, perMinute / 2),
      code: "geocode.rate",
      advice: "search for what you mean in one go"
    )
    budget = CommonBuckets(perSecond: options.questionsPerMinute / 60, burst: options.questionsPerMinute, capacity: 1) {
      clock().timeIntervalSinceReferenceDate
    }
  }

  func shutdown() async { await fetcher.shutdown() }

  /// What the service finds, best first, for a network that limits are counted by.
  ///
  /// - Throws: ``FetchError``, ``ServiceError`` or ``RateExceeded`` when it does not answer or has been asked too often.
  func find(_ question: Question, client: String) async throws -> [FoundAddress] {
    let now = clock()
    if let known = answers[question], now.timeIntervalSince(known.time) < options.freshSeconds { return known.found }
    try limiter.check(client)
    if let task = running[question] { return try await task.value }
    if let failure, now.timeIntervalSince(failure.time) < Geocoder.patience { throw failure.error }
    try takeToken()
    let task = Task { try await fetch(question) }
    running[question] = task
    defer { running[question] = nil }
    do {
      let found = try await task.value
      failure = nil
      keep(found, for: question, now)
      return found
    } catch {
      // A question that was broken off by a server that stops says nothing about the service.
      guard !(error is CancellationError) else { throw error }
      log.warning("the geocoder failed", metadata: ["reason": .string("\(error)")])
      // From now, not from the question: one that ended with the time limit took longer than the patience.
      failure = (clock(), error)
      throw error
    }
  }

  /// What the service is asked.
  nonisolated func address(of question: Question) -> String {
    var parts = URLComponents(url: options.url, resolvingAgainstBaseURL: false) ?? URLComponents()
    var items = parts.queryItems ?? []
    items.append(URLQueryItem(name: "q", value: question.text))
    items.append(URLQueryItem(name: "limit", value: String(FoundAddress.most)))
    let near = question.latitudeTenths.flatMap { latitude in
      question.longitudeTenths.map { (Double(latitude) / 10, Double($0) / 10) }
    }
    switch options.form {
    case .photon:
      if let near {
        items.append(URLQueryItem(name: "lat", value: String(near.0)))
        items.append(URLQueryItem(name: "lon", value: String(near.1)))
      }
      if let language = question.language { items.append(URLQueryItem(name: "lang", value: language)) }
    case .nominatim:
      items.append(URLQueryItem(name: "format", value: "jsonv2"))
      if let near {
        let (west, east) = (max(-180, near.1 - 1), min(180, near.1 + 1))
        let (south, north) = (max(-90, near.0 - 1), min(90, near.0 + 1))
        items.append(URLQueryItem(name: "viewbox", value: "\(west),\(south),\(east),\(north)"))
      }
      if let language = question.language { items.append(URLQueryItem(name: "accept-language", value: language)) }
    }
    parts.queryItems = items
    // A plus sign in what was typed is one; in a query it would be a blank.
    parts.percentEncodedQuery = parts.percentEncodedQuery?.replacing("+", with: "%2B")
    return parts.string ?? options.url.absoluteString
  }

  private func fetch(_ question: Question) async throws -> [FoundAddress] {
    let answer = try await fetcher.fetch(address(of: question), .get, accept: "application/json", client: "geocoder")
    guard let found = FoundAddress.read(answer.body) else {
      throw ServiceError.geocoderUnreadable
    }
    return found
  }

  private func takeToken() throws(ServiceError) {
    guard budget.take(of: "all") == nil else {
      throw .geocoderBusy
    }
  }

  private func keep(_ found: [FoundAddress], for question: Question, _ now: Date) {
    if answers.count >= options.mostAnswers, answers[question] == nil,
      let oldest = answers.min(by: { $0.value.time < $1.value.time })?.key
    {
      answers[oldest] = nil
    }
    answers[question] = Answer(found: found, time: now)
  }
}
