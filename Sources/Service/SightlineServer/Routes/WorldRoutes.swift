import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import SightlineFormats
import SightlineStore

/// The worlds stored here: list, content as JSON, GDDF, downloads.
struct WorldRoutes: Sendable {
  let worlds: any WorldStore
  let catalog: Catalog
  let cache: BodyCache
  let readiness: Readiness
  let isSecure: Bool
  let publicURL: String?
  let document: WorldDocument
  private let worker: BackgroundWorker
  private let nearby = NearbyWorld()
  private let origins = KnownOrigins()

  init(
    worlds: any WorldStore,
    catalog: Catalog,
    cache: BodyCache,
    worker: BackgroundWorker,
    readiness: Readiness,
    isSecure: Bool,
    publicURL: String?,
    document: WorldDocument = WorldDocument(sea: nil)
  ) {
    self.worlds = worlds
    self.catalog = catalog
    self.cache = cache
    self.worker = worker
    self.readiness = readiness
    self.isSecure = isSecure
    self.publicURL = publicURL
    self.document = document
  }

  func add(to routes: inout RouteTable) {
    routes.add(
      .get,
      "/api/v1/worlds",
      .init("The published worlds", answer: .json(WorldList.self), also: [304])
    ) { exchange in
      try readiness.require()
      let snapshot = catalog.snapshot
      return Answers.tagged(
        exchange,
        mediaType: "application/json",
        etag: "W/\"\(snapshot.etag)\"",
        cache: "no-cache",
        plain: snapshot.listing,
        gzip: snapshot.compressedListing,
        headers: Answers.sharedHeaders
      )
    }
    routes.add(
      .get,
      "/api/v1/worlds/{id}",
      .init("A world", answer: .json(StoredWorldAnswer.self), also: [304]),
      cost: .render
    ) { try await json($0) }
    // A refresh by the web client sends where it is, as a dimension request does; a stored world is the same for all.
    routes.add(
      .post,
      "/api/v1/worlds/{id}",
      .init(
        "The same, for clients that refresh",
        body: .form("DimensionRequest"),
        answer: .json(StoredWorldAnswer.self)
      ),
      cost: .render
    ) { exchange in
      _ = try await exchange.formFields()
      return try await json(exchange)
    }
    routes.add(
      .get,
      "/api/v1/worlds/{id}/export",
      .init(
        "A world as a file",
        query: ["format": .words(DocumentFormat.allCases.map(\.rawValue))],
        answer: .file("*/*"),
        also: [304]
      ),
      cost: .render
    ) { try await download($0) }
    routes.add(
      .get,
      "/worlds/{id}.gddf",
      .init("A world for GDDF browsers", answer: .gddf, also: [304]),
      cost: .render
    ) { try await gddf($0) }
    routes.add(
      .post,
      "/worlds/{id}.gddf",
      .init("The nearest places of it", body: .form("DimensionRequest"), answer: .gddf),
      cost: .render
    ) { exchange in
      let fields = try await exchange.formFields()
      if let part = try await nearestGDDF(exchange, fields) { return part }
      return try await gddf(exchange)
    }
  }

  private func record(_ id: String) throws -> WorldRecord {
    try readiness.require()
    guard let record = catalog.snapshot.byID[id] else { throw RequestProblem.unknownWorld(id) }
    return record
  }

  private func json(_ exchange: Exchange) async throws -> Response {
    let record = try record(exchange.parameters[0])
    let body = try await body("json", of: record) { try WorldJSON.stored($0) }
    return tagged(exchange, record, body, mediaType: "application/json")
  }

  private func gddf(_ exchange: Exchange) async throws -> Response {
    let record = try record(exchange.parameters[0])
    // Addresses of files inside the document are absolute, and so depend on the name the client uses.
    let origin = exchange.origin(secure: isSecure, configured: publicURL)
    let body = try await body("gddf", of: record, for: origin) { content in
      document.write(try content.dimension(), as: .gddf, origin: origin)
    }
    return tagged(exchange, record, body, mediaType: "application/gamaray-gddf; charset=utf-8")
  }

  /// What is near of a world with more places than the clients of this format can take; `nil` when all of it is to be sent.
  private func nearestGDDF(_ exchange: Exchange, _ fields: FormFields) async throws -> Response? {
    let record = try record(exchange.parameters[0])
    guard record.places > NearbyWorld.mostPlaces, let index = catalog.snapshot.indexes[record.id],
      let place = NearbyWorld.place(of: fields)
    else { return nil }
    let origin = exchange.origin(secure: isSecure, configured: publicURL)
    guard let dimension = try await nearby.dimension(record, in: worlds) else {
      throw RequestProblem.unknownWorld(record.id)
    }
    let body = try await worker.run {
      document.write(NearbyWorld.part(of: dimension, near: place, index), as: .gddf, origin: origin)
    }
    return Response(
      status: .ok,
      headers: [
        .contentType: "application/gamaray-gddf; charset=utf-8", .cacheControl: "no-store",
        .accessControlAllowOrigin: "*",
      ],
      body: .init(byteBuffer: body)
    )
  }

  private func download(_ exchange: Exchange) async throws -> Response {
    let name = exchange.queryFields["format"] ?? "gddf"
    guard let format = DocumentFormat(rawValue: name) else {
      let known = DocumentFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw RequestProblem.badRequest(
        "export.format",
        "Worlds are not written as \"\(name.prefix(40))\"; possible are \(known)."
      )
    }
    let record = try record(exchange.parameters[0])
    let origin = exchange.origin(secure: isSecure, configured: publicURL)
    let body = try await body(format.rawValue, of: record, for: origin) { content in
      document.write(try content.dimension(), as: format, origin: origin)
    }
    var response = tagged(exchange, record, body, mediaType: format.mediaType)
    // Identifiers of worlds need no quoting in a file name.
    response.headers[.contentDisposition] = "attachment; filename=\"\(record.id).\(format.fileEnding)\""
    return response
  }

  private func body(
    _ kind: String,
    of record: WorldRecord,
    for origin: String? = nil,
    _ make: @escaping @Sendable (WorldContent) throws -> ByteBuffer
  ) async throws -> BodyCache.Body {
    // Anybody can make up names of hosts; answers for those are not kept.
    let isKept = origin == nil || publicURL != nil || origin.map(origins.admits) == true
    // With the hash, for a database that lost its last changes gives their numbers to others.
    let key = "\(kind) \(origin ?? "") \(record.id) \(record.generation) \(record.contentHash.prefix(16))"
    let body = try await cache.body(for: key, isKept: isKept) {
      // The version that the tag names, even if a newer one was saved since the snapshot was taken.
      guard let content = try await worlds.world(record.id, version: record.version) else { return nil }
      return .work { try make(content) }
    }
    guard let body else { throw RequestProblem.unknownWorld(record.id) }
    return body
  }

  private func tagged(
    _ exchange: Exchange,
    _ record: WorldRecord,
    _ body: BodyCache.Body,
    mediaType: String
  ) -> Response {
    let isPost = exchange.request.method == .post
    // Weak: the compressed and the plain form share the tag. It is of what is sent, not of what is stored: a newer program may write the
    // same content differently, and whoever has the old form is to get the new one.
    let etag = "W/\"\(record.version)-\(body.tag)\""
    return Answers.tagged(
      exchange,
      mediaType: mediaType,
      etag: etag,
      cache: isPost ? "no-store" : "no-cache",
      plain: body.plain,
      gzip: body.gzip,
      headers: Answers.sharedHeaders
    )
  }
}
