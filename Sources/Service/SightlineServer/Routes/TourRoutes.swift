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
      .init("One's tours", for: .author, query: ["all": .flag], answer: .json(TourList.self)),
      accounts.author { exchange, author in
        // An operator asks for everybody's; the list of one's own is what one wants to see at first.
        let isAll = author.role == .operator && exchange.queryFields["all"] == "1"
        return try await list(owner: isAll ? nil : author.id)
      }
    )
    routes.add(
      .post,
      "/api/v1/tours",
      .init(
        "Keeps a tour",
        for: .author,
        body: .json("Tour"),
        answer: .json(TourAnswer.self),
        success: 201,
        refusals: [409]
      ),
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
    routes.add(
      .get,
      "/api/v1/tours/{tour}",
      .init("A tour", for: .author, answer: .json(TourAnswer.self)),
      own { _, stored in try await answer(stored) }
    )
    routes.add(
      .put,
      "/api/v1/tours/{tour}",
      .init(
        "Changes it",
        for: .author,
        body: .json("Tour"),
        answer: .json(TourAnswer.self),
        refusals: [412, 428]
      ),
      own { exchange, stored in try await save(exchange, stored) }
    )
    routes.add(
      .delete,
      "/api/v1/tours/{tour}",
      .init("Removes it with its runs", for: .author, answer: .nothing),
      own { _, stored in
        let runs = try await tours.runs.runs(of: stored.id)
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
    var found: [TourList.Entry] = []
    for tour in try await tours.store.tours(owner: owner) {
      found.append(
        TourList.Entry(
          id: tour.id,
          title: tour.title,
          stations: tour.stations,
          version: tour.version,
          saved: tour.saved,
          runs: try await runs(of: tour.id)
        )
      )
    }
    return try Answers.json(TourList(tours: found))
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
      for run in try await tours.runs.runs(of: stored.id) where run.schedule.started == nil {
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

  private func runs(of tour: String) async throws -> [RunAnswer] {
    try await tours.runs.runs(of: tour).map { RunAnswer($0, at: tours.clock()) }
  }

  private func answer(_ stored: StoredTour, status: HTTPResponse.Status = .ok) async throws -> Response {
    let answer = TourAnswer(
      id: stored.id,
      version: stored.version,
      saved: stored.saved,
      runs: try await runs(of: stored.id)
    )
    var response = try Answers.json(
      answer,
      adding: [
        "tour": try ContentJSON.encode(stored.tour), "problems": try ContentJSON.encode(stored.tour.problems()),
      ],
      status: status
    )
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
