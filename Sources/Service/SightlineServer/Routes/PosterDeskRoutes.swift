import HTTPTypes
import Hummingbird
import NIOCore
import SightlineStore

/// The catalogue of posters for those who fill it: authors with their own, operators with all.
struct PosterDeskRoutes: Sendable {
  let desk: PosterDesk
  let accounts: Accounts

  func add(to routes: inout RouteTable) {
    routes.add(
      .get,
      "/api/v1/studio/posters",
      .init("One's posters", for: .author, query: ["all": .flag], answer: .json(OwnedPosterList.self)),
      accounts.author { try await list($0, $1) }
    )
    routes.add(
      .get,
      "/api/v1/studio/posters/{id}",
      .init("One of them", for: .author, answer: .json(OwnedPosterAnswer.self)),
      accounts.author { try await open($0, $1) }
    )
    routes.add(
      .post,
      PosterRoutes.path,
      .init(
        "Adds a poster",
        for: .author,
        body: .json(PosterRequest.self),
        answer: .json(OwnedPosterAnswer.self),
        success: 201,
        refusals: [409]
      ),
      cost: .heavy,
      accounts.author { try await add($0, $1) }
    )
    routes.add(
      .put,
      PosterRoutes.path + "/{id}",
      .init(
        "Changes it",
        for: .author,
        body: .json(PosterRequest.self),
        answer: .json(OwnedPosterAnswer.self),
        refusals: [409, 412, 428]
      ),
      cost: .heavy,
      accounts.author { try await replace($0, $1) }
    )
    routes.add(
      .delete,
      PosterRoutes.path + "/{id}",
      .init("Removes it", for: .author, answer: .nothing),
      accounts.author { try await remove($0, $1) }
    )
  }

  private func list(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let everybody = author.role == .operator && exchange.queryFields["all"] == "1"
    let found = try await desk.posters.ownedPosters(of: everybody ? nil : author.id)
    var owners: [Int64: String] = [:]
    for id in Set(found.compactMap(\.owner)) { owners[id] = try await accounts.store.account(id)?.name }
    return try Answers.json(OwnedPosterList(found, owners: owners, limit: desk.quotas.posters))
  }

  private func open(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let found = try await desk.poster(exchange.parameters[0], for: author)
    return try await answer(PosterDesk.Saved(poster: found, warnings: []))
  }

  private func add(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let request = try await exchange.json(PosterRequest.self, limit: PosterRequest.largestBody)
    return try await answer(try await desk.add(request, by: author, client: exchange.client), status: .created)
  }

  private func replace(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let known = try await desk.poster(exchange.parameters[0], for: author)
    guard let revision = exchange.request.headers[.ifMatch].flatMap(PosterDeskRoutes.revision) else {
      throw RequestProblem(
        .preconditionRequired,
        "poster.revision",
        "The field If-Match is missing: the ETag of the poster that was changed, such as \"p7\"."
      )
    }
    let request = try await exchange.json(PosterRequest.self, limit: PosterRequest.largestBody)
    let saved = try await desk.replace(known, revision: revision, with: request, by: author, client: exchange.client)
    return try await answer(saved)
  }

  private func remove(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let known = try await desk.poster(exchange.parameters[0], for: author)
    _ = try await desk.posters.removePoster(known.poster.id)
    return Response(status: .noContent)
  }

  private func answer(_ saved: PosterDesk.Saved, status: HTTPResponse.Status = .ok) async throws -> Response {
    var name: String?
    if let owner = saved.poster.owner { name = try await accounts.store.account(owner)?.name }
    var response = try Answers.json(
      OwnedPosterAnswer(saved.poster, owner: name, warnings: saved.warnings),
      status: status
    )
    response.headers[.eTag] = "\"p\(saved.poster.revision)\""
    return response
  }

  /// The revision that an entity tag names.
  static func revision(ofTag tag: String) -> Int64? {
    let text = tag.trimming()
    guard text.hasPrefix("\"p"), text.hasSuffix("\""), text.utf8.count > 3 else { return nil }
    return Int64(text.dropFirst(2).dropLast())
  }
}
