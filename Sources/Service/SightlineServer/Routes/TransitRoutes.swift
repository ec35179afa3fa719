import HTTPTypes
import Hummingbird
import NIOCore
import SightlineGeodesy
import SightlineTransit

/// `/api/v1/transit/…`: stops, departures, vehicles and lines.
struct TransitRoutes: Sendable {
  let transit: TransitService?
  let readiness: Readiness

  static let path = "/api/v1/transit"
  private static let mostStops = 50
  private static let mostDepartures = 100

  func add(to routes: inout RouteTable) {
    add(
      to: &routes,
      "/stops",
      asked("Stops nearest to a position", "StopsQuestion", "Stops")
    ) { try nearestStops($0, $1, $2) }
    add(
      to: &routes,
      "/departures",
      asked("Departures from stops", "DeparturesQuestion", "Stops")
    ) { StopsDraft(try TransitRoutes.subscription($0, $1), $2) }
    add(
      to: &routes,
      .post,
      "/stream",
      .init(
        "Subscribe to departures",
        body: .json("DeparturesQuestion"),
        answer: .json(TransitSubscription.self),
        success: 201,
        refusals: [404]
      )
    ) { try await subscribe($0, $1) }
    add(
      to: &routes,
      .get,
      "/stream/{id}",
      .init("Events of a subscription: `board`, with a Stops, and `end`", answer: .events)
    ) { try await stream($0, $1) }
    add(to: &routes, .post, "/vehicles", asked("Vehicles round a position", "VehiclesQuestion", "Vehicles")) {
      try await vehicles($0, $1)
    }
    add(to: &routes, .post, "/shapes", asked("Lines round a position as paths", "ShapesQuestion", "Shapes")) {
      try await shapes($0, $1)
    }
    add(to: &routes, .post, "/streets", asked("Streets round a position, as paths", "StreetsQuestion", "Streets")) {
      try await streets($0, $1)
    }
    add(
      to: &routes,
      .get,
      "/providers",
      .init("Providers and how they are", answer: .json("Providers"), refusals: [404])
    ) { _, transit in Answers.json(TransitJSON.providers(transit)) }
    TransitForecastRoutes(transit: transit, readiness: readiness).add(to: &routes)
  }

  /// A question in JSON; 404 where there are no timetables.
  private func asked(_ summary: String, _ question: String, _ answer: String) -> APIOperation {
    APIOperation(summary, body: .json(question), answer: .json(answer), refusals: [404])
  }

  private func add(
    to routes: inout RouteTable,
    _ method: HTTPRequest.Method,
    _ path: String,
    _ operation: APIOperation,
    _ answer: @escaping @Sendable (Exchange, TransitService) async throws -> Response
  ) {
    routes.add(method, TransitRoutes.path + path, operation) { exchange in
      try await answer(exchange, try TransitRoutes.required(transit, readiness, exchange))
    }
  }

  /// Adds a light route about stops: answered at once where all boards are in the cache.
  ///
  /// A search of names for boards is not: it costs too much to be done again where one of them is missing.
  private func add(
    to routes: inout RouteTable,
    _ path: String,
    _ operation: APIOperation,
    _ draft: @escaping @Sendable (TransitQuestion, Exchange, TransitService) throws -> StopsDraft
  ) {
    routes.add(
      .post,
      TransitRoutes.path + path,
      operation,
      isLight: true,
      prompt: { exchange, body in
        let transit = try TransitRoutes.required(transit, readiness, exchange)
        let question = try TransitQuestion(exchange, body: body)
        guard !question.looksForNamedBoards, let answer = try draft(question, exchange, transit).held() else {
          transit.limiter.giveBack(exchange.client)
          return nil
        }
        return .json(answer.body())
      }
    ) { exchange in
      let transit = try TransitRoutes.required(transit, readiness, exchange)
      let draft = try draft(try await TransitQuestion.read(exchange), exchange, transit)
      return PromptAnswer.json(await draft.fetched().body()).response
    }
  }

  /// The service, for a client that has not asked too often.
  static func required(
    _ transit: TransitService?,
    _ readiness: Readiness,
    _ exchange: Exchange
  ) throws -> TransitService {
    try readiness.require()
    guard let transit else {
      throw RequestProblem.notFound(
        "transit.off",
        "This server has no timetables. Its operator can add some with sightline serve --transit."
      )
    }
    try transit.limiter.check(exchange.client)
    return transit
  }

  // MARK: Stops and departures

  private func nearestStops(
    _ question: TransitQuestion,
    _ exchange: Exchange,
    _ transit: TransitService
  ) throws -> StopsDraft {
    let place = try question.place()
    let limit = try question.integer("limit", in: 1...TransitRoutes.mostStops, default: 10)
    let radius = try question.number("radius", in: 0...21_000_000, "metres")
    let count = try question.integer("departures", in: 0...TransitRoutes.mostDepartures, default: 0)
    let window = try question.window()
    let language = try question.language()
    let found: [TransitHub.FoundStop]
    if let query = try question.query() {
      // All names are looked through.
      try transit.limiter.check(exchange.client, cost: 4)
      found = transit.hub.named(query, limit: limit, near: place).filter { $0.distance <= radius ?? .infinity }
    } else {
      found = transit.hub.nearest(limit, to: place, radius: radius)
    }
    return StopsDraft(found, round: place, departures: count, window: window, language: language, transit)
  }

  private static func subscription(
    _ question: TransitQuestion,
    _ exchange: Exchange
  ) throws(RequestProblem) -> TransitStreams.Subscription {
    let stops = try question.list("stops", limit: mostStops)
    guard !stops.isEmpty else {
      throw RequestProblem.badRequest(
        "transit.missing",
        "stops is missing. Send the ids of stops, such as {\"stops\": [\"hsl:1020453\"]}."
      )
    }
    return TransitStreams.Subscription(
      stops: stops,
      limit: try question.integer("limit", in: 1...mostDepartures, default: 20),
      window: try question.window(),
      language: try question.language(),
      client: exchange.client
    )
  }

  // MARK: Stream

  private func subscribe(_ exchange: Exchange, _ transit: TransitService) async throws -> Response {
    let wanted = try TransitRoutes.subscription(try await TransitQuestion.read(exchange), exchange)
    let name = try await transit.streams.addShared(wanted)
    // Of the demonstration's clock, like all times: it tells how long, not when.
    let expires = transit.hub.clock.now + Int(TransitStreams.openingTime.components.seconds)
    return try Answers.json(
      TransitSubscription(
        url: "\(TransitRoutes.path)/stream/\(name)",
        expires: TransitJSON.timeText(expires, offset: 0)
      ),
      status: .created
    )
  }

  private func stream(_ exchange: Exchange, _ transit: TransitService) async throws -> Response {
    let name = exchange.parameters[0]
    let wanted = try await transit.streams.findShared(name)
    let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
    let source = TransitEventSource(transit: transit, readiness: readiness, name: name, wanted: wanted)
    return Response(
      status: .ok,
      headers: headers,
      body: ResponseBody { writer in try await source.run(&writer, request: exchange.request) }
    )
  }

  // MARK: Vehicles and lines

  private func vehicles(_ exchange: Exchange, _ transit: TransitService) async throws -> Response {
    let question = try await TransitQuestion.read(exchange)
    let place = try question.place()
    let radius = try question.number("radius", in: 10...20_000, "metres") ?? 2000
    let limit = try question.integer("limit", in: 1...500, default: 200)
    let lines = Set(try question.list("lines", limit: 100))
    let now = transit.hub.clock.now
    var found: [(desk: ProviderDesk, vehicle: TransitVehicle, distance: Double)] = []
    for desk in transit.hub.desks {
      for vehicle in desk.provider.vehicles(at: now) {
        if !lines.isEmpty {
          guard let line = vehicle.line, lines.contains("\(desk.provider.info.id):\(line.id)") else { continue }
        }
        let distance = greatCircleDistance(
          from: place,
          to: Geodetic(latitudeDegrees: vehicle.latitude, longitudeDegrees: vehicle.longitude)
        )
        if distance <= radius { found.append((desk, vehicle, distance)) }
      }
    }
    found.sort { ($0.distance, $0.vehicle.id) < ($1.distance, $1.vehicle.id) }
    return Answers.json(TransitJSON.vehicles(found.prefix(limit), now: now))
  }

  private func shapes(_ exchange: Exchange, _ transit: TransitService) async throws -> Response {
    let question = try await TransitQuestion.read(exchange)
    let place = try question.place()
    let radius = try question.number("radius", in: 50...10_000, "metres") ?? 1000
    // Costs more than the others: streets full of lines are read and thinned.
    try transit.limiter.check(exchange.client, cost: 4)
    var found: [(desk: ProviderDesk, lines: [LinePaths])] = []
    for desk in transit.hub.desks {
      do throws(ProviderFailure) {
        let lines = try desk.provider.schedule.paths(around: place, radius: radius)
        if !lines.isEmpty { found.append((desk, lines)) }
      } catch {
        exchange.log.error("lines cannot be read", metadata: ["provider": .string(desk.provider.info.id)])
      }
    }
    return Answers.json(TransitJSON.shapes(found), cache: "private, max-age=3600")
  }

  private func streets(_ exchange: Exchange, _ transit: TransitService) async throws -> Response {
    let question = try await TransitQuestion.read(exchange)
    let place = try question.place()
    let radius = try question.number("radius", in: 50...5_000, "metres") ?? 1000
    try transit.limiter.check(exchange.client, cost: 4)
    let paths = transit.streets?.paths(around: place, radius: radius) ?? []
    return Answers.json(TransitJSON.streets(paths, of: transit.streets), cache: "private, max-age=3600")
  }
}

/// Where the events of a subscription are.
struct TransitSubscription: Codable, Described, Sendable {
  var url: String
  /// Until when they have to be asked for.
  var expires: String

  static let schemaName = "Subscription"
  static var rules: [String: JSONSchema] { ["expires": .date] }
}
