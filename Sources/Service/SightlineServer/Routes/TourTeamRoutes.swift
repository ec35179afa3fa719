import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import SightlineFormats
import SightlineStore
import SightlineTours

/// What teams' phones ask: joining by a code, the tour, where they stand, and what they send in.
///
/// A phone has no account. Joining gives it a secret, sent in `Authorization`; no cookie is involved, so that other
/// sites' pages cannot send anything in a team's name.
struct TourTeamRoutes: Sendable {
  let tours: TourService
  let rankings: TourRankings
  let limiter: GuessLimiter
  let isSecure: Bool
  let publicURL: String?

  func add(to routes: inout RouteTable) {
    routes.add(
      .post,
      "/api/v1/tour-team/join",
      .init(
        "A secret for a code",
        body: .json(Join.self),
        answer: .json(PhoneAnswer.self),
        refusals: [404, 409, 410]
      )
    ) { try await join($0) }
    routes.add(
      .get,
      "/api/v1/tour-team",
      .init("The tour and where the team stands", for: .team, answer: .json(PhoneAnswer.self))
    ) { try await all(try await phone($0), secret: nil) }
    routes.add(
      .post,
      "/api/v1/tour-team/state",
      .init("Where the team stands", for: .team, body: .json(TeamState.self), answer: .json(PhoneState.self))
    ) { try await state($0) }
    routes.add(
      .post,
      "/api/v1/tour-team/events",
      .init("What the team did", for: .team, body: .json(TeamEvents.self), answer: .json(PhoneOutcome.self))
    ) { try await events($0) }
    routes.add(
      .get,
      "/api/v1/tour-team/ranking",
      .init("All teams by their points, once the tour is over", for: .team, answer: .json(RankingAnswer.self))
    ) { try await ranking(try await phone($0)) }
    routes.add(
      .post,
      "/api/v1/tour-team/help",
      .init("Asks the teacher to come", for: .team, answer: .nothing)
    ) { exchange in
      try await tours.help(try await phone(exchange))
      return Response(status: .noContent)
    }
    addOldClients(to: &routes)
  }

  /// The phone that asks, within what one may ask for.
  private func phone(_ exchange: Exchange) async throws -> TourDevice {
    let device = try await tours.device(secret: try exchange.bearer())
    try tours.spend(device)
    return device
  }

  /// The teams by their points, once the tour is over and where teams see points at all.
  private func ranking(_ device: TourDevice) async throws -> Response {
    let run = try await tours.run(of: device)
    guard run.schedule.phase(at: tours.clock(), minutes: run.tour.minutes) == .ended else {
      throw RequestProblem(.conflict, "tour.not-ended", "The ranking is there once the tour is over.")
    }
    guard run.tour.showsScore else {
      throw RequestProblem(.conflict, "tour.ranking-kept", "In this tour the teacher keeps the points.")
    }
    let ranking = try await rankings.ranking(of: run, at: tours.clock())
    return try Answers.json(RankingAnswer(ranking, for: device.team.number))
  }

  struct Join: Decodable, Described { var code: String }

  private func join(_ exchange: Exchange) async throws -> Response {
    let body = try await exchange.json(Join.self)
    try limiter.check(exchange.client)
    do {
      let (device, secret) = try await tours.join(code: body.code)
      return try await all(device, secret: secret)
    } catch TourError.codeUnknown {
      limiter.count(exchange.client)
      throw TourError.codeUnknown
    }
  }

  /// The tour and where the team stands; with the secret for a phone that has just joined.
  private func all(_ device: TourDevice, secret: String?) async throws -> Response {
    let run = try await tours.run(of: device)
    let (tallies, messages) = try await tours.teams.standing(of: device.team, after: 0)
    let time = tours.clock()
    return try Answers.json(
      PhoneAnswer(
        secret: secret,
        content: PhoneTour(run, team: device.team, at: time),
        state: PhoneState(run, team: device.team, tallies: tallies, messages: messages, at: time)
      )
    )
  }

  struct TeamState: Decodable, Described {
    var position: TeamPosition?
    var after: Int64?
  }

  private func state(_ exchange: Exchange) async throws -> Response {
    let device = try await phone(exchange)
    let body = try await exchange.json(TeamState.self)
    let run = try await tours.run(of: device)
    if let fix = body.position?.fix { try await tours.note(fix, of: device.team, run: run) }
    let (tallies, messages) = try await tours.teams.standing(of: device.team, after: body.after ?? 0)
    return try Answers.json(
      PhoneState(run, team: device.team, tallies: tallies, messages: messages, at: tours.clock())
    )
  }

  private func events(_ exchange: Exchange) async throws -> Response {
    let device = try await tours.device(secret: try exchange.bearer())
    let body = try await exchange.json(TeamEvents.self, limit: 512 * 1024)
    let events = try body.checked(at: tours.clock())
    try tours.spend(device, events: events.count)
    let outcome = try await tours.submit(events, of: device)
    let run = try await tours.run(of: device)
    if let fix = events.last?.fix { try await tours.note(fix, of: device.team, run: run) }
    let messages = try await tours.teams.standing(of: device.team, after: body.after ?? 0).messages
    return try Answers.json(
      PhoneOutcome(outcome, run, team: device.team, messages: messages, at: tours.clock())
    )
  }
}

// MARK: Clients of 2010

extension TourTeamRoutes {
  private static let mediaType = "application/gamaray-gddf; charset=utf-8"

  /// `/t/{code}`, the address in a team's code: a browser is led to the page, a GDDF client gets a document.
  private func addOldClients(to routes: inout RouteTable) {
    let gone = [404, 409, 410, 415]
    let document = APIOperation("The tour as GDDF", answer: .gddf, refusals: gone)
    let asked = APIOperation("The same", body: .form("DimensionRequest"), answer: .gddf, refusals: gone)
    routes.add(.get, "/t/{code}.gddf", document) { try await begin($0, code: $0.parameters[0]) }
    routes.add(.post, "/t/{code}.gddf", asked) { try await begin($0, code: $0.parameters[0]) }
    routes.add(.post, "/t/{code}", asked) { try await begin($0, code: $0.parameters[0]) }
    routes.add(
      .get,
      "/t/{code}",
      .init("The address in a team's code", answer: .gddf, also: [302], refusals: gone)
    ) { exchange in
      if exchange.request.headers[.accept]?.contains("application/gamaray-gddf") == true {
        return try await begin(exchange, code: exchange.parameters[0])
      }
      // What follows the # never leaves the browser, and so stands in no log.
      let code = TourCode.normalized(exchange.parameters[0]) ?? ""
      return Response(status: .found, headers: [.location: "/#/join/\(code)", .cacheControl: "no-store"])
    }
    let play = "/tours/play/{secret}.gddf"
    routes.add(.get, play, .init("The tour as GDDF", answer: .gddf, refusals: gone + [401])) { try await self.play($0) }
    routes.add(
      .post,
      play,
      .init("The same", body: .form("DimensionRequest"), answer: .gddf, refusals: gone + [401])
    ) { try await self.play($0) }
  }

  private func gddf(_ exchange: Exchange) async throws -> (GDDFRequest, FormFields) {
    guard exchange.request.method == .post else { return (GDDFRequest(event: nil), exchange.queryFields) }
    // The originals name the form's media type or none.
    let fields = FormFields(String(buffer: try await exchange.body()))
    let pairs = fields.fields.map { ($0.name, $0.value) }
    return (GDDFRequest.decode(Dictionary(pairs) { first, _ in first }).request, exchange.queryFields)
  }

  /// A scanned code: the client joins, once for each installation.
  private func begin(_ exchange: Exchange, code: String) async throws -> Response {
    let (request, query) = try await gddf(exchange)
    try limiter.check(exchange.client)
    do {
      guard let normalized = TourCode.normalized(code) else { throw TourError.codeUnknown }
      let seed = "old client \(normalized) \(request.userID ?? "")"
      let (device, secret) = try await tours.join(code: normalized, secret: TourService.hash(seed).hexadecimal)
      return try await document(exchange, device, secret, request, query)
    } catch TourError.codeUnknown {
      limiter.count(exchange.client)
      throw TourError.codeUnknown
    }
  }

  private func play(_ exchange: Exchange) async throws -> Response {
    let (request, query) = try await gddf(exchange)
    let secret = exchange.parameters[0]
    let device = try await tours.device(secret: secret)
    try tours.spend(device)
    return try await document(exchange, device, secret, request, query)
  }

  private func document(
    _ exchange: Exchange,
    _ device: TourDevice,
    _ secret: String,
    _ request: GDDFRequest,
    _ query: FormFields
  ) async throws -> Response {
    let run = try await tours.run(of: device)
    let fix = request.latitude.flatMap { latitude in
      request.longitude.flatMap { longitude in
        TeamPosition(latitude: latitude, longitude: longitude, accuracy: nil).fix
      }
    }
    let time = tours.clock()
    var outcome: TourRecord?
    // Only what a client asks for with its position counts: a link that is followed answers nothing.
    if exchange.request.method == .post, let fix {
      try await tours.note(fix, of: device.team, run: run)
      if let event = TourDocument.event(query, team: device.team, fix: fix, at: time) {
        outcome = try await tours.submit([event], of: device).events.first?.event.record
      }
      let tallies = try await tours.teams.tallies(run: run.id, team: device.team.number)
      let visits = TourDocument.visits(run, team: device.team, tallies: tallies, fix: fix, at: time)
      if !visits.isEmpty { _ = try await tours.submit(visits, of: device) }
    }
    let (tallies, messages) = try await tours.teams.standing(of: device.team, after: 0)
    let document = TourDocument(
      run: run,
      team: device.team,
      tallies: tallies,
      messages: messages,
      fix: exchange.request.method == .post ? fix : nil,
      hasLeft: tours.live[run.id, device.team.number]?.hasLeft ?? false,
      outcome: outcome,
      words: TourWords(languages: exchange.request.headers[.acceptLanguage]),
      origin: exchange.origin(secure: isSecure, configured: publicURL),
      secret: secret,
      time: time
    )
    return Response(
      status: .ok,
      headers: [.contentType: TourTeamRoutes.mediaType, .cacheControl: "no-store"],
      body: .init(byteBuffer: document.gddf())
    )
  }
}
