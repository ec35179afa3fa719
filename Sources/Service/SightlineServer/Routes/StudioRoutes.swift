import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import SightlineContent
import SightlineFormats
import SightlineReadWorkers
import SightlineStore

/// `/api/v1/studio/…`: worlds in the making, for their authors.
struct StudioRoutes: Sendable {
  let service: StudioService
  let accounts: Accounts
  let quotas: Quotas
  let documents: ForeignDocuments

  /// Largest file that is read, bytes; an archive holds pictures, too.
  private static let largestFile = 32 * 1024 * 1024
  private static let path = "/api/v1/studio/worlds"
  private static let one = path + "/{id}"

  private var store: any ServerStore { service.store }

  func add(to routes: inout RouteTable) {
    routes.add(.get, StudioRoutes.path, accounts.author { try await list($0, $1) })
    routes.add(.post, StudioRoutes.path, accounts.author { try await make($0, $1) })
    routes.add(.get, StudioRoutes.one, accounts.author { try await open($0, $1) })
    routes.add(.put, StudioRoutes.one, accounts.author { try await save($0, $1) })
    routes.add(.delete, StudioRoutes.one, accounts.author { try await remove($0, $1) })
    routes.add(.post, StudioRoutes.one + "/publish", accounts.author { try await publish($0, $1) })
    routes.add(.delete, StudioRoutes.one + "/publish", accounts.author { try await withdraw($0, $1) })
    routes.add(.put, StudioRoutes.one + "/members", accounts.author { try await share($0, $1) })
    routes.add(.get, StudioRoutes.one + "/history", accounts.author { try await history($0, $1) })
    routes.add(.get, StudioRoutes.one + "/history/{version}", accounts.author { try await earlier($0, $1) })
    routes.add(.get, StudioRoutes.one + "/copies/{number}", accounts.author { try await copy($0, $1) })
    routes.add(.delete, StudioRoutes.one + "/copies/{number}", accounts.author { try await removeCopy($0, $1) })
    routes.add(.get, StudioRoutes.one + "/export", cost: .render, accounts.author { try await export($0, $1) })
    routes.add(.post, "/api/v1/studio/read", cost: .heavy, accounts.author { try await read($0, $1) })
  }

  // MARK: Worlds

  private func list(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let everybody = author.role == .operator && exchange.queryFields["all"] == "1"
    let worlds = try await store.studioWorlds(for: everybody ? nil : author.id)
    var json = JSONWriter(capacity: 64 + worlds.count * 320)
    json.beginObject()
    json.name("worlds")
    json.beginArray()
    for world in worlds { StudioJSON.write(world, for: author, to: &json) }
    json.endArray()
    json.endObject()
    return Answers.json(json.buffer)
  }

  private struct NewWorld: Decodable {
    var id: String?
    var title: String?
    var language: String?
    /// A published world to begin with.
    var from: String?
    /// Takes the world `from` over, under its own identifier; for operators.
    var adopt: Bool?
    var dimension: SightlineContent.Dimension?
  }

  private func make(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let given = try await exchange.json(NewWorld.self, limit: quotas.worldBytes + 65_536)
    let isAdopting = given.adopt ?? false
    var dimension = given.dimension ?? SightlineContent.Dimension()
    if let from = given.from {
      guard let content = try await store.world(from, version: nil) else { throw RequestProblem.unknownWorld(from) }
      dimension = try content.dimension()
      if isAdopting { try author.require(owner: nil) }
    } else if isAdopting {
      throw RequestProblem.badRequest("studio.adopt", "adopt needs the member from: the world that is taken over.")
    }
    if let title = given.title { dimension.name = title }
    if let language = given.language { dimension.language = language }
    if (dimension.name ?? "").trimming().isEmpty {
      throw RequestProblem(.unprocessableContent, "studio.title", "A world needs a title. Give it one.")
    }
    let world = try await service.make(
      id: isAdopting ? given.from : given.id,
      StudioDocument(dimension),
      owner: author,
      adopting: isAdopting
    )
    var response = try await answer(world, author, exchange)
    response.status = .created
    return response
  }

  private func open(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let world = try await service.world(exchange.parameters[0], for: author)
    // Asked for every few seconds by open editors, to see whether somebody else has saved.
    if let field = exchange.request.headers[.ifNoneMatch],
      ContentCoding.matches(field, etag: StudioJSON.etag(world))
    {
      return Response(status: .notModified, headers: [.eTag: StudioJSON.etag(world)])
    }
    return try await answer(world, author, exchange)
  }

  private func answer(_ world: StudioWorld, _ author: Account, _ exchange: Exchange) async throws -> Response {
    guard let draft = try await store.draft(world.version, of: world.id) else {
      throw RequestProblem.notFound("studio.unknown", "The draft of this world is missing in the store.")
    }
    let copies = try await store.copies(of: world.id)
    var json = JSONWriter(capacity: draft.count + 1024)
    json.beginObject()
    json.name("world")
    StudioJSON.write(world, for: author, to: &json)
    json.member("version", world.version)
    json.name("dimension")
    json.raw(draft)
    json.name("copies")
    StudioJSON.write(copies, to: &json)
    json.endObject()
    var response = Answers.json(json.buffer)
    response.headers[.eTag] = StudioJSON.etag(world)
    return response
  }

  private func remove(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let world = try await service.world(exchange.parameters[0], for: author, ownerOnly: true)
    if world.published != nil { try await service.withdraw(world) }
    try await store.removeStudioWorld(world.id)
    return Response(status: .noContent)
  }

  // MARK: Drafts

  private func save(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let world = try await service.world(exchange.parameters[0], for: author)
    guard let base = exchange.request.headers[.ifMatch].flatMap(StudioJSON.version(ofTag:)) else {
      throw RequestProblem(
        .preconditionRequired,
        "studio.version",
        "The field If-Match is missing: the version that the draft was made from, such as \"v7\"."
      )
    }
    let json = try await exchange.jsonBytes(limit: quotas.worldBytes + 65_536)
    switch try await service.save(json, of: world, base: base, author: author) {
    case .saved(let version, let joined):
      var json = JSONWriter(capacity: 64 + (joined?.count ?? 0))
      json.beginObject()
      json.member("version", version)
      if let joined {
        json.name("dimension")
        json.raw(joined)
      }
      json.endObject()
      var response = Answers.json(json.buffer)
      response.headers[.eTag] = "\"v\(version)\""
      return response
    case .conflict(let version, let by, let joined, let copy, let conflicts):
      let body = try StudioJSON.conflict(
        version: version,
        by: by,
        joined: joined,
        copy: copy,
        conflicts: conflicts,
        requestID: exchange.requestID
      )
      return Response(
        status: .conflict,
        headers: [.contentType: "application/problem+json", .cacheControl: "no-store", .eTag: "\"v\(version)\""],
        body: .init(byteBuffer: body)
      )
    }
  }

  private struct Publication: Decodable { var version: Int? }

  private func publish(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let world = try await service.world(exchange.parameters[0], for: author)
    let version = try await exchange.json(Publication.self).version ?? world.version
    let record = try await service.publish(version, of: world, author: author)
    var json = JSONWriter(capacity: 128)
    json.beginObject()
    json.member("published", version)
    json.member("version", record.version)
    json.member("address", "/#/world/\(record.id)")
    json.endObject()
    return Answers.json(json.buffer)
  }

  private func withdraw(_ exchange: Exchange, _ author: Account) async throws -> Response {
    try await service.withdraw(try await service.world(exchange.parameters[0], for: author))
    return Response(status: .noContent)
  }

  private struct Members: Decodable { var names: [String] }

  private func share(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let world = try await service.world(exchange.parameters[0], for: author, ownerOnly: true)
    let names = try await exchange.json(Members.self).names
    guard names.count <= 50 else {
      throw RequestProblem.badRequest("studio.members", "At most 50 others may edit a world.")
    }
    var members: [Int64] = []
    for text in names {
      guard let name = AccountName.normalized(text), let known = try await store.credentials(of: name) else {
        throw RequestProblem(
          .unprocessableContent,
          "studio.member-unknown",
          "There is no account \"\(text.prefix(64))\". Ask an operator for a link that makes one."
        )
      }
      if known.account.id != world.owner { members.append(known.account.id) }
    }
    try await store.setMembers(members, of: world.id)
    return try await answer(try await service.world(world.id, for: author), author, exchange)
  }

  // MARK: History

  private func history(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let world = try await service.world(exchange.parameters[0], for: author)
    let drafts = try await store.drafts(of: world.id)
    var json = JSONWriter(capacity: 64 + drafts.count * 160)
    json.beginObject()
    json.name("drafts")
    json.beginArray()
    for draft in drafts { StudioJSON.write(draft, published: world.published, to: &json) }
    json.endArray()
    json.name("copies")
    StudioJSON.write(try await store.copies(of: world.id), to: &json)
    json.endObject()
    return Answers.json(json.buffer)
  }

  private func earlier(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let world = try await service.world(exchange.parameters[0], for: author)
    guard let version = Int(exchange.parameters[1]), let draft = try await store.draft(version, of: world.id) else {
      throw RequestProblem.notFound("studio.version", "There is no such version of this world (any more).")
    }
    return StudioRoutes.draft(draft)
  }

  private func copy(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let world = try await service.world(exchange.parameters[0], for: author)
    guard let number = Int64(exchange.parameters[1]), let copy = try await store.copy(number, of: world.id) else {
      throw RequestProblem.notFound("studio.copy", "There is no such copy of this world (any more).")
    }
    return StudioRoutes.draft(copy)
  }

  private func removeCopy(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let world = try await service.world(exchange.parameters[0], for: author)
    if let number = Int64(exchange.parameters[1]) { try await store.removeCopy(number, of: world.id) }
    return Response(status: .noContent)
  }

  private static func draft(_ dimension: Data) -> Response {
    var json = JSONWriter(capacity: dimension.count + 32)
    json.beginObject()
    json.name("dimension")
    json.raw(dimension)
    json.endObject()
    return Answers.json(json.buffer)
  }

  // MARK: Files

  private func export(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let world = try await service.world(exchange.parameters[0], for: author)
    let name = exchange.queryFields["format"] ?? "sightline"
    guard let draft = try await store.draft(world.version, of: world.id) else {
      throw RequestProblem.notFound("studio.version", "The draft of this world is missing in the store.")
    }
    let body: ByteBuffer
    let mediaType: String
    let ending: String
    if name == "sightline" {
      body = ByteBuffer(data: StudioService.complete(draft))
      (mediaType, ending) = ("application/json", "sightline.json")
    } else if let format = DocumentFormat(rawValue: name) {
      let origin = exchange.origin(secure: accounts.isSecure, configured: accounts.publicURL)
      body = WorldDocument.write(try StudioDocument(json: draft).dimension, as: format, origin: origin)
      (mediaType, ending) = (format.mediaType, format.fileEnding)
    } else {
      let known = (["sightline"] + DocumentFormat.allCases.map(\.rawValue)).joined(separator: ", ")
      throw RequestProblem.badRequest(
        "export.format",
        "Worlds are not written as \"\(name.prefix(40))\"; possible are \(known)."
      )
    }
    return Response(
      status: .ok,
      headers: [
        .contentType: mediaType, .cacheControl: "no-store",
        .contentDisposition: "attachment; filename=\"\(world.id).\(ending)\"",
      ],
      body: .init(byteBuffer: body)
    )
  }

  private func read(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let name = String((exchange.queryFields["name"] ?? "").prefix(200))
    let bytes = Array(try await exchange.body(limit: StudioRoutes.largestFile).readableBytesView)
    let world = try await documents.draft(
      bytes,
      name: name,
      fileBytes: quotas.uploadBytes,
      allBytes: quotas.assetBytes,
      client: exchange.client
    )
    guard let read = world.dimensionJSON else {
      let problems = (try? world.problems) ?? []
      throw RequestProblem(
        .unprocessableContent,
        "open.unreadable",
        "The file could not be read as a world: " + (problems.first?.message ?? "its format is not known."),
        findings: problems
      )
    }
    var json = JSONWriter(capacity: 4096)
    json.beginObject()
    json.member("format", world.format)
    // What names no files needs not be taken apart here.
    if world.files.isEmpty {
      json.name("dimension")
      json.raw(read)
      json.name("problems")
      json.raw(world.problemsJSON)
    } else {
      let taken: (dimension: SightlineContent.Dimension, problems: [Problem])
      do {
        guard let dimension = try world.dimension else { throw WireReader.Malformed() }
        taken = (dimension, try world.problems)
      } catch {
        throw ReadFailure.garbage.problem
      }
      var dimension = taken.dimension
      let problems = try await PackedPictures(store: store, quotas: quotas)
        .keepAll(world.files, of: &dimension, for: author, findings: taken.problems)
      json.name("dimension")
      json.raw(try ContentJSON.encode(dimension))
      json.name("problems")
      json.raw(try ContentJSON.encode(problems))
    }
    json.endObject()
    return Answers.json(json.buffer)
  }
}
