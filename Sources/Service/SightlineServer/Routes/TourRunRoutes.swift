import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import SightlineContent
import SightlineStore
import SightlineTours

/// What teachers do with runs of their tours: teams and their codes, the live board, start to end, marks, tables,
/// deletion.
struct TourRunRoutes: Sendable {
  let tours: TourService
  let boards: TourBoards
  let accounts: Accounts
  let isSecure: Bool
  let publicURL: String?

  /// Most teams of a run.
  static let mostTeams = TourLimits.teams

  func add(to routes: inout RouteTable) {
    routes.add(
      .post,
      "/api/v1/tours/{tour}/runs",
      .init(
        "Makes a run",
        for: .author,
        body: .json(NewRun.self),
        answer: .json(TeamList.self),
        success: 201,
        refusals: [409]
      ),
      accounts.author { try await make($0, $1) }
    )
    addBoard(to: &routes)
    addTeams(to: &routes)
    routes.add(
      .get,
      TourRunRoutes.one + "/sheet.pdf",
      .init("Cards with the codes", for: .author, query: ["language": .string], answer: .file("application/pdf")),
      cost: .heavy,
      own { try sheet($0, $1) }
    )
    routes.add(
      .get,
      TourRunRoutes.one + "/tables/{table}",
      .init("Results, answers, log, positions", for: .author, answer: .file("text/csv", "application/json")),
      cost: .render,
      own { try await table($0, $1) }
    )
  }

  private static let one = "/api/v1/tour-runs/{run}"

  private func addBoard(to routes: inout RouteTable) {
    routes.add(
      .get,
      TourRunRoutes.one,
      .init("The board", for: .author, answer: .json(Board.self)),
      own { _, found in try Answers.json(try await board(found)) }
    )
    routes.add(
      .delete,
      TourRunRoutes.one,
      .init("Removes all that teams left", for: .author, answer: .nothing),
      own { _, found in
        _ = try await tours.runs.removeRun(found.run.id)
        tours.removed(found.run.id)
        return Response(status: .noContent)
      }
    )
    routes.add(
      .get,
      TourRunRoutes.one + "/events",
      .init("The board live", for: .author, answer: .events),
      accounts.guarded { try await events($0, $1) }
    )
    routes.add(
      .post,
      TourRunRoutes.one + "/command",
      .init(
        "Starts, pauses, ends",
        for: .author,
        body: .json(Command.self),
        answer: .json(RunAnswer.self),
        refusals: [409]
      ),
      own { try await command($0, $1) }
    )
    routes.add(
      .post,
      TourRunRoutes.one + "/messages",
      .init("Tells teams something", for: .author, body: .json(Message.self), answer: .nothing, refusals: [409]),
      own { try await message($0, $1) }
    )
    routes.add(
      .post,
      TourRunRoutes.one + "/marks",
      .init("Marks an answer in words", for: .author, body: .json(Mark.self), answer: .json(BoardEvent.self)),
      own { try await mark($0, $1) }
    )
  }

  private func addTeams(to routes: inout RouteTable) {
    routes.add(
      .get,
      TourRunRoutes.one + "/teams",
      .init("Teams with their codes", for: .author, answer: .json(TeamList.self)),
      own { _, found in try teams(found) }
    )
    routes.add(
      .post,
      TourRunRoutes.one + "/teams",
      .init("Adds a team", for: .author, body: .json(TeamDraft.self), answer: .json(TeamList.self), success: 201),
      own { try await addTeam($0, $1) }
    )
    routes.add(
      .put,
      TourRunRoutes.one + "/teams/{number}",
      .init("Changes it", for: .author, body: .json(TeamChange.self), answer: .json(TeamList.self)),
      own { try await changeTeam($0, $1) }
    )
  }

  typealias RunHandler = @Sendable (Exchange, TourService.RunWithTeams) async throws -> Response

  /// A handler for the author of a run's tour, and for operators.
  private func own(_ handler: @escaping RunHandler) -> Handler {
    accounts.author { exchange, author in try await handler(exchange, try await found(exchange, author)) }
  }

  /// The run that is asked for; somebody else's is answered like one that is not there.
  private func found(_ exchange: Exchange, _ author: Account) async throws -> TourService.RunWithTeams {
    guard let found = try await tours.run(exchange.parameters[0]), author.mayChange(ownedBy: found.run.owner) else {
      throw RequestProblem.unknownRun(exchange.parameters[0])
    }
    return found
  }

  // MARK: Runs and teams

  struct NewRun: Decodable, Described {
    var teams: [TeamDraft]
    var trial: Bool?
  }

  private func make(_ exchange: Exchange, _ author: Account) async throws -> Response {
    guard let stored = try await tours.store.tour(exchange.parameters[0]), author.mayChange(ownedBy: stored.owner)
    else { throw RequestProblem.unknownTour(exchange.parameters[0]) }
    let body = try await exchange.json(NewRun.self, limit: 512 * 1024)
    guard (1...TourRunRoutes.mostTeams).contains(body.teams.count), body.teams.allSatisfy(\.isValid) else {
      throw TourRunRoutes.badTeam
    }
    let isTrial = body.trial ?? false
    let added: StoredRun?
    do {
      added = try await tours.runs.addRun(of: stored.id, teams: body.teams, isTrial: isTrial, at: tours.clock())
    } catch TourStoreError.tooManyRuns {
      throw RequestProblem(
        .conflict,
        "tour.too-many-runs",
        "The tour has \(TourLimits.runs) runs, which is the most there can be. Delete runs that are over."
      )
    }
    guard let run = added else { throw RequestProblem.unknownTour(stored.id) }
    // An author's own try begins at once.
    if isTrial { _ = try await tours.runs.command(.start, run: run.id, at: tours.clock()) }
    guard let found = try await tours.run(run.id) else { throw RequestProblem.unknownRun(run.id) }
    var response = try teams(found, status: .created)
    response.headers[.location] = "/api/v1/tour-runs/\(run.id)"
    return response
  }

  private static let badTeam = RequestProblem(
    .unprocessableContent,
    "tour.team",
    "A run has 1 to \(mostTeams) teams, each with a name of 1 to 40 characters and a color such as \"#d33f49\"."
  )

  /// Teams with their codes: what is on the sheets.
  private func teams(_ found: TourService.RunWithTeams, status: HTTPResponse.Status = .ok) throws -> Response {
    try Answers.json(TeamList(found, at: tours.clock()), status: status)
  }

  private func addTeam(_ exchange: Exchange, _ found: TourService.RunWithTeams) async throws -> Response {
    let draft = try await exchange.json(TeamDraft.self)
    guard draft.isValid, found.teams.count < TourRunRoutes.mostTeams else { throw TourRunRoutes.badTeam }
    guard try await tours.teams.addTeam(draft, run: found.run.id, at: tours.clock()) != nil else {
      throw TourRunRoutes.badTeam
    }
    return try await afterTeamChange(found, status: .created)
  }

  struct TeamChange: Decodable, Described {
    var name: String
    var color: String
    var newCode: Bool?

    static var rules: [String: JSONSchema] { ["color": .color] }
  }

  private func changeTeam(_ exchange: Exchange, _ found: TourService.RunWithTeams) async throws -> Response {
    let body = try await exchange.json(TeamChange.self)
    let draft = TeamDraft(name: body.name, color: body.color)
    guard draft.isValid else { throw TourRunRoutes.badTeam }
    guard let number = Int(exchange.parameters[1]),
      try await tours.teams.changeTeam(number, run: found.run.id, draft, newCode: body.newCode ?? false) != nil
    else { throw RequestProblem.notFound("tour.team-unknown", "The run has no team with this number.") }
    return try await afterTeamChange(found, status: .ok)
  }

  private func afterTeamChange(
    _ found: TourService.RunWithTeams,
    status: HTTPResponse.Status
  ) async throws -> Response {
    // Boards begin anew: names and colours are everywhere on them.
    tours.forget(found.run.id)
    tours.audience.end(found.run.id)
    guard let changed = try await tours.run(found.run.id) else { throw RequestProblem.unknownRun(found.run.id) }
    return try teams(changed, status: status)
  }

  private func sheet(_ exchange: Exchange, _ found: TourService.RunWithTeams) throws -> Response {
    let words = TourWords(languages: exchange.queryFields["language"] ?? exchange.request.headers[.acceptLanguage])
    let origin = exchange.origin(secure: isSecure, configured: publicURL)
    let pdf = try TourSheet.pdf(found.run.tour.title, found.teams, origin: origin, words: words)
    return Response(
      status: .ok,
      headers: [
        .contentType: "application/pdf", .cacheControl: "no-store",
        .contentDisposition: "inline; filename=\"tour-\(found.run.id)-codes.pdf\"",
      ],
      body: .init(byteBuffer: ByteBuffer(bytes: pdf))
    )
  }

  // MARK: The board

  private func board(_ found: TourService.RunWithTeams) async throws -> Board {
    Board(
      found,
      events: try await tours.runs.events(of: found.run.id),
      log: try await tours.runs.log(of: found.run.id, after: 0),
      live: tours.live,
      at: tours.clock()
    )
  }

  private func events(_ exchange: Exchange, _ session: AccountSession) async throws -> Response {
    let found = try await found(exchange, session.account)
    // First the subscription, then the picture: what happens in between comes twice rather than not at all.
    guard let stream = boards.hub.subscribe(to: found.run.id) else {
      throw RequestProblem(
        .serviceUnavailable,
        "server.stopping",
        "The server is stopping. Try again in a moment.",
        headers: [.retryAfter: "5"]
      )
    }
    let current = try await tours.run(found.run.id) ?? found
    return Answers.events(
      exchange,
      first: EventHub.event("board", try JSONBytes.encode(try await board(current))),
      stream
    ) {
      // The session may have ended meanwhile, the account may have lost its rights, or the run its owner.
      guard let run = try await tours.run(found.run.id)?.run else { return false }
      return try await accounts.goesOn(session.id) { $0.mayChange(ownedBy: run.owner) }
    }
  }

  struct Command: Decodable, Described {
    var command: String
    var round: Int?

    static var rules: [String: JSONSchema] { ["command": .words(["start", "pause", "resume", "end", "round"])] }
  }

  private func command(_ exchange: Exchange, _ found: TourService.RunWithTeams) async throws -> Response {
    let body = try await exchange.json(Command.self)
    let command: TourCommand? =
      switch body.command {
      case "start": .start
      case "pause": .pause
      case "resume": .resume
      case "end": .end
      case "round": body.round.map { .round($0) }
      default: nil
      }
    guard let command else {
      throw RequestProblem.badRequest(
        "tour.command",
        "The command is one of start, pause, resume, end, and round with a round."
      )
    }
    let before = try await tours.runs.log(of: found.run.id, after: 0).last?.number ?? 0
    guard let (run, isDone) = try await tours.runs.command(command, run: found.run.id, at: tours.clock()) else {
      throw RequestProblem.unknownRun(found.run.id)
    }
    try await tours.changed(run.id)
    guard isDone else {
      let phase = run.schedule.phase(at: tours.clock(), minutes: run.tour.minutes)
      throw RequestProblem(
        .conflict,
        "tour.command-impossible",
        "The run is \(phase.rawValue), round \(run.schedule.round) of \(run.tour.rounds): \(body.command) is not possible now."
      )
    }
    for entry in try await tours.runs.log(of: run.id, after: before) { tours.publish(entry, run: run.id) }
    return try Answers.json(RunAnswer(run, at: tours.clock()))
  }

  struct Message: Decodable, Described {
    var text: String
    var team: Int?
  }

  private func message(_ exchange: Exchange, _ found: TourService.RunWithTeams) async throws -> Response {
    let body = try await exchange.json(Message.self)
    let text = String(body.text.trimming())
    guard (1...500).contains(text.count) else {
      throw RequestProblem(.unprocessableContent, "tour.message", "A message has 1 to 500 characters.")
    }
    if let team = body.team, !found.teams.contains(where: { $0.number == team }) {
      throw RequestProblem.notFound("tour.team-unknown", "The run has no team with this number.")
    }
    guard found.run.schedule.phase(at: tours.clock(), minutes: found.run.tour.minutes) != .ended else {
      throw RequestProblem(.conflict, "tour.ended", "The tour is over: its teams get no more messages.")
    }
    try await tours.log(.message, run: found.run.id, team: body.team, text: text)
    return Response(status: .noContent)
  }

  struct Mark: Decodable, Described {
    var event: Int64
    var points: Int
  }

  private func mark(_ exchange: Exchange, _ found: TourService.RunWithTeams) async throws -> Response {
    let body = try await exchange.json(Mark.self)
    let run = found.run
    guard (0...1000).contains(body.points) else {
      throw RequestProblem(.unprocessableContent, "tour.mark", "An answer brings 0 to 1000 points.")
    }
    guard let event = try await tours.runs.mark(event: body.event, run: run.id, points: body.points, at: tours.clock())
    else {
      throw RequestProblem.notFound("tour.event-unknown", "There is no answer in words with this number to be marked.")
    }
    tours.audience.show(.answer(event), of: run.id, at: tours.clock())
    if let team = found.teams.first(where: { $0.number == event.team }) {
      let tallies = try await tours.teams.tallies(run: run.id, team: team.number)
      tours.publish(team, run: run, tallies: tallies)
    }
    return try Answers.json(BoardEvent(event))
  }

  // MARK: Tables

  /// `results`, `answers`, `log`, `positions` as `.csv` or `.json`; `all.json` is everything that is stored of the run.
  private func table(_ exchange: Exchange, _ found: TourService.RunWithTeams) async throws -> Response {
    let name = exchange.parameters[1]
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, ["csv", "json"].contains(parts[1]) else { throw TourRunRoutes.unknownTable }
    let (run, teams, runs) = (found.run, found.teams, tours.runs)
    let disposition = "attachment; filename=\"tour-\(run.id)-\(parts[0]).\(parts[1])\""
    let tables: [(String, TourTable)]
    switch parts[0] {
    case "results": tables = [("results", .results(run, teams, try await runs.events(of: run.id)))]
    case "answers": tables = [("answers", .answers(run, teams, try await runs.events(of: run.id)))]
    case "log": tables = [("log", .log(teams, try await runs.log(of: run.id, after: 0)))]
    case "positions": tables = [("positions", .track(try await positions(of: run)))]
    case "all" where parts[1] == "json":
      let events = try await runs.events(of: run.id)
      tables = [
        ("results", .results(run, teams, events)), ("answers", .answers(run, teams, events)),
        ("log", .log(teams, try await runs.log(of: run.id, after: 0))),
        ("positions", .track(try await positions(of: run))),
      ]
    default: throw TourRunRoutes.unknownTable
    }
    if parts[1] == "csv" {
      return Response(
        status: .ok,
        headers: [
          .contentType: "text/csv; charset=utf-8", .cacheControl: "no-store", .contentDisposition: disposition,
        ],
        body: .init(byteBuffer: tables[0].1.csv())
      )
    }
    var response = try Answers.json(
      TablesAnswer(run: RunAnswer(run, at: tours.clock()), tables: Dictionary(tables) { first, _ in first })
    )
    response.headers[.contentDisposition] = disposition
    return response
  }

  /// A run with its tables, by name.
  private struct TablesAnswer: Encodable {
    let run: RunAnswer
    let tables: [String: TourTable]

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(run, forKey: Key(stringValue: "run"))
      for (name, table) in tables { try container.encode(table, forKey: Key(stringValue: name)) }
    }

    private struct Key: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }

      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
  }

  /// All positions, also those of the last seconds.
  private func positions(of run: StoredRun) async throws -> [TourTrackPoint] {
    try await tours.keepPositions()
    return try await tours.runs.track(of: run.id)
  }

  private static let unknownTable = RequestProblem.notFound(
    "tour.table-unknown",
    "Tables are results, answers, log and positions, each as .csv and .json, and all.json."
  )
}
