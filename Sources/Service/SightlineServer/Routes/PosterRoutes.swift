import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import SightlineStore

/// `/api/v1/posters`, `/api/v1/posters/{id}`, `/api/v1/posters/{id}/target`, `/api/v1/poster-categories`: the catalogue of posters.
struct PosterRoutes: Sendable {
  let posters: any PosterStore
  let assets: any AssetStore
  let documents: ForeignDocuments
  /// Target files that were built.
  let targets: BodyCache

  static let path = "/api/v1/posters"
  static let longestWords = 200
  static let largestLimit = 100
  static let similarPosters = 8

  func add(to routes: inout RouteTable) {
    routes.add(
      .get,
      PosterRoutes.path,
      .init(
        "One page of the catalogue",
        query: [
          "query": .string(longest: PosterRoutes.longestWords), "category": .string, "artist": .string,
          "order": .words(PosterOrder.allCases.map(\.rawValue)),
          "limit": .integer(in: 1...PosterRoutes.largestLimit), "after": .string, "ids": .string,
        ],
        answer: .json(PosterList.self),
        also: [304]
      )
    ) { exchange in
      let fields = exchange.queryFields
      if let ids = fields["ids"] {
        return try answer(
          exchange,
          PosterList(try await posters.posters(withIDs: try PosterRoutes.identifiers(ids)))
        )
      }
      let query = try PosterRoutes.query(fields)
      do {
        return try answer(exchange, PosterList(try await posters.posters(query)))
      } catch PosterStoreError.badCursor {
        throw RequestProblem.badRequest("poster.cursor", "The field after: \(PosterStoreError.badCursor.description)")
      }
    }
    routes.add(
      .get,
      PosterRoutes.path + "/{id}",
      .init("A poster and similar ones", answer: .json(PosterDetail.self), also: [304])
    ) { exchange in
      let id = exchange.parameters[0]
      guard let poster = try await posters.poster(id) else { throw PosterError.unknown(id) }
      let similar = try await posters.posters(similarTo: poster, limit: PosterRoutes.similarPosters)
      return try answer(exchange, PosterDetail(poster, similar: similar))
    }
    routes.add(
      .get,
      PosterRoutes.path + "/{id}/target",
      .init("What its picture is found by", answer: .file("application/octet-stream"), also: [304]),
      cost: .render
    ) { exchange in
      let id = exchange.parameters[0]
      guard let poster = try await posters.poster(id) else { throw PosterError.unknown(id) }
      // Whoever has it already is told so before anything is built.
      let tag = PosterTarget.tag(poster)
      let etag = "\"\(tag)\""
      let isKnown = exchange.request.headers[.ifNoneMatch].map { ContentCoding.matches($0, etag: etag) } ?? false
      let file =
        isKnown
        ? nil
        : try await targets.body(for: "\(tag) \(id)", isCompressed: false) {
          let target = try await PosterTarget(assets: assets).file(
            poster,
            documents: documents,
            client: exchange.client
          )
          return .bytes(ByteBuffer(bytes: target), mediaType: "")
        }
      return Answers.tagged(
        exchange,
        mediaType: "application/octet-stream",
        etag: etag,
        cache: "no-cache",
        plain: file?.plain ?? ByteBuffer(),
        gzip: nil,
        headers: Answers.sharedHeaders
      )
    }
    routes.add(
      .get,
      "/api/v1/poster-categories",
      .init("Categories with their numbers of posters", answer: .json(PosterCategories.self), also: [304])
    ) { exchange in
      try answer(exchange, PosterCategories(categories: try await posters.posterCategories()))
    }
  }

  /// Asked for again each time, but sent again only when something has changed.
  private func answer(_ exchange: Exchange, _ value: some Encodable) throws -> Response {
    let body = try JSONBytes.encode(value)
    let isWorthIt = body.readableBytes > 1024 && exchange.acceptsGzip
    return Answers.tagged(
      exchange,
      mediaType: "application/json",
      etag: "\"\(ContentTag.of(Data(body.readableBytesView)))\"",
      cache: "no-cache",
      plain: body,
      gzip: isWorthIt ? Gzip.compress(body, level: 5) : nil,
      headers: Answers.sharedHeaders
    )
  }

  // MARK: Reading the question

  static func query(_ fields: FormFields) throws(RequestProblem) -> PosterQuery {
    var query = PosterQuery()
    if let words = fields["query"] {
      guard words.count <= longestWords else {
        throw RequestProblem.badRequest("poster.query", "The field query has more than \(longestWords) characters.")
      }
      query.words = words
      query.order = .relevance
    }
    query.category = fields["category"].flatMap { $0.isEmpty ? nil : $0 }
    query.artist = fields["artist"].flatMap { $0.isEmpty ? nil : $0 }
    if let text = fields["order"] {
      guard let order = PosterOrder(rawValue: text) else {
        let names = PosterOrder.allCases.map(\.rawValue).joined(separator: ", ")
        throw RequestProblem.badRequest(
          "poster.order",
          "The field order is \"\(text.prefix(40))\"; it can be \(names)."
        )
      }
      query.order = order
    }
    if let text = fields["limit"] {
      guard let limit = Int(text), (1...largestLimit).contains(limit) else {
        throw RequestProblem.badRequest(
          "poster.limit",
          "The field limit is \"\(text.prefix(40))\"; it has to be a whole number from 1 to \(largestLimit)."
        )
      }
      query.limit = limit
    }
    query.after = fields["after"].flatMap { $0.isEmpty ? nil : $0 }
    return query
  }

  static func identifiers(_ text: String) throws(RequestProblem) -> [String] {
    let ids = text.split(separator: ",").map(String.init)
    guard ids.count <= largestLimit else {
      throw RequestProblem.badRequest(
        "poster.ids",
        "The field ids names \(ids.count) posters; at most \(largestLimit)."
      )
    }
    return ids.filter(WorldIdentifier.isValid)
  }
}
