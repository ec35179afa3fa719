import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import SightlineContent
import SightlineStore
import SightlineTours

/// What teachers do with their tours: list, make, change, remove.
struct TourRoutes: Sendable {
  let tours: TourService
  let accounts: Accounts

  /// Largest tour as JSON, bytes.
  static let largestTour = 1024 * 1024
  /// Most tours of an author.
  static let mostTours = 500

  func add(to routes: inout RouteTable) {
    routes.add(
      .get,
      "/api/v1/tours",
      accounts.author { exchange, author in
        // An operator asks for everybody's; the list of one's own is what one wants to see at first.
        let isAll = author.role == .operator && exchange.queryFields["all"] == "1"
        return try await list(owner: isAll ? nil : author.id)
      }
    )
    routes.add(
      .post,
      "/api/v1/tours",
      accounts.author { exchange, author in
        let tour = try await checked(exchange)
        let limit = TourRoutes.mostTours
        guard
          let stored = try await tours.store.addTour(tour, owner: author.id, limit: limit, at: tours.clock())
        else {
          throw RequestProblem(
            .conflict,
            "tour.too-many",
            "You have \(TourRoutes.mostTours) tours, which is the most there can be. Remove one that you do not need."
          )
        }
        return try await answer(stored, status: .created)
      }
    )
    routes.add(.get, "/api/v1/tours/{tour}", own { _, stored in try await answer(stored) })
    routes.add(
      .put,
      "/api/v1/tours/{tour}",
      own { exchange, stored in try await save(exchange, stored) }
    )
    routes.add(
      .delete,
      "/api/v1/tours/{tour}",
      own { _, stored in
        let runs = try await tours.store.runs(of: stored.id)
        _ = try await tours.store.removeTour(stored.id)
        for run in runs { tours.removed(run.id) }
        return Response(status: .noContent)
      }
    )
  }

  /// A handler for a tour's author, and for operators.
  private func own(_ handler: @escaping @Sendable (Exchange, StoredTour) async throws -> Response) -> Handler {
    accounts.author { exchange, author in
      // Somebody else's is answered like one that is not there.
      guard let stored = try await tours.store.tour(exchange.parameters[0]), author.mayChange(ownedBy: stored.owner)
      else { throw RequestProblem.unknownTour(exchange.parameters[0]) }
      return try await handler(exchange, stored)
    }
  }

  private func list(owner: Int64?) async throws -> Response {
    var json = JSONWriter(capacity: 4096)
    json.beginObject()
    json.name("tours")
    json.beginArray()
    for tour in try await tours.store.tours(owner: owner) {
      json.beginObject()
      json.member("id", tour.id)
      json.member("title", tour.title)
      json.member("stations", tour.stations)
      json.member("version", tour.version)
      json.member("saved", Timestamp.iso8601(tour.saved))
      json.name("runs")
      json.beginArray()
      for run in try await tours.store.runs(of: tour.id) { TourJSON.write(run, at: tours.clock(), to: &json) }
      json.endArray()
      json.endObject()
    }
    json.endArray()
    json.endObject()
    return Answers.json(json.buffer)
  }

  private func checked(_ exchange: Exchange) async throws -> Tour {
    let tour = try await exchange.json(Tour.self, limit: TourRoutes.largestTour)
    let errors = tour.problems().filter { $0.severity == .error }
    guard errors.isEmpty else {
      throw RequestProblem(
        .unprocessableContent,
        "tour.content",
        errors[0].message,
        findings: errors
      )
    }
    return tour
  }

  private func save(_ exchange: Exchange, _ stored: StoredTour) async throws -> Response {
    let tour = try await checked(exchange)
    let field = exchange.request.headers[.ifMatch]?.filter(\.isNumber) ?? ""
    guard let version = Int(field) else {
      throw RequestProblem(
        .preconditionRequired,
        "tour.version-missing",
        "Send the version you have changed as If-Match: \"\(stored.version)\", so that nobody's work is lost."
      )
    }
    switch try await tours.store.saveTour(stored.id, tour, expecting: version, at: tours.clock()) {
    case .saved(let saved):
      // Runs that have not begun have followed it.
      for run in try await tours.store.runs(of: stored.id) where run.schedule.started == nil {
        try await tours.changed(run.id)
      }
      return try await answer(saved)
    case .conflict(let current):
      throw RequestProblem(
        .preconditionFailed,
        "tour.conflict",
        "The tour was changed elsewhere meanwhile (version \(current.version)). Load it again, or save yours as a new tour."
      )
    case .unknown: throw RequestProblem.unknownTour(stored.id)
    }
  }

  private func answer(_ stored: StoredTour, status: HTTPResponse.Status = .ok) async throws -> Response {
    var json = JSONWriter(capacity: 8192)
    json.beginObject()
    json.member("id", stored.id)
    json.member("version", stored.version)
    json.member("saved", Timestamp.iso8601(stored.saved))
    json.name("tour")
    json.raw(try ContentJSON.encode(stored.tour))
    json.name("problems")
    json.raw(try ContentJSON.encode(stored.tour.problems()))
    json.name("runs")
    json.beginArray()
    for run in try await tours.store.runs(of: stored.id) { TourJSON.write(run, at: tours.clock(), to: &json) }
    json.endArray()
    json.endObject()
    var response = Answers.json(json.buffer, status: status)
    response.headers[.eTag] = "\"\(stored.version)\""
    if status == .created { response.headers[.location] = "/api/v1/tours/\(stored.id)" }
    return response
  }
}

extension RequestProblem {
  /// 404 for a tour.
  static func unknownTour(_ id: String) -> RequestProblem {
    .notFound("tour.unknown", "There is no tour \"\(id.prefix(40))\" here, or no more. GET /api/v1/tours lists yours.")
  }

  /// 404 for a run.
  static func unknownRun(_ id: String) -> RequestProblem {
    .notFound(
      "tour.run-unknown",
      "There is no run \"\(id.prefix(40))\" here. Runs are deleted some days after their end; GET /api/v1/tours lists yours."
    )
  }
}
