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
  let assets: any AssetStore
  let quotas: Quotas
  let documents: ForeignDocuments
  let document: WorldDocument

  /// Largest file that is read, bytes; an archive holds pictures, too.
  private static let largestFile = 32 * 1024 * 1024
  private static let path = "/api/v1/studio/worlds"
  private static let one = path + "/{id}"

  private var studio: any StudioStore { service.studio }

  func add(to routes: inout RouteTable) {
    addWorlds(to: &routes)
    addDrafts(to: &routes)
    routes.add(
      .get,
      StudioRoutes.one + "/export",
      .init(
        "A draft as a file",
        for: .author,
        query: ["format": .words(["sightline"] + DocumentFormat.allCases.map(\.rawValue))],
        answer: .file("*/*")
      ),
      cost: .render,
      accounts.author { try await export($0, $1) }
    )
    routes.add(
      .post,
      "/api/v1/studio/read",
      .init(
        "Reads a file in any format",
        for: .author,
        query: ["name": .string],
        body: .file(["application/octet-stream", "application/xml", "application/json", "application/zip"]),
        answer: .json(StudioReading.self),
        refusals: [422]
      ),
      cost: .heavy,
      accounts.author { try await read($0, $1) }
    )
  }

  private func addWorlds(to routes: inout RouteTable) {
    routes.add(
      .get,
      StudioRoutes.path,
      .init("One's worlds in the making", for: .author, query: ["all": .flag], answer: .json(StudioWorldList.self)),
      accounts.author { try await list($0, $1) }
    )
    routes.add(
      .post,
      StudioRoutes.path,
      .init(
        "Makes a world",
        for: .author,
        body: .json(NewWorld.self),
        answer: .json(StudioDraftAnswer.self),
        success: 201,
        refusals: [404, 409]
      ),
      accounts.author { try await make($0, $1) }
    )
    routes.add(
      .get,
      StudioRoutes.one,
      .init("The latest draft", for: .author, answer: .json(StudioDraftAnswer.self), also: [304]),
      accounts.author { try await open($0, $1) }
    )
    routes.add(
      .put,
      StudioRoutes.one,
      .init(
        "Saves a draft",
        for: .author,
        body: .json("Dimension"),
        answer: .json(StudioSaved.self),
        refusals: [409, 412, 428]
      ),
      accounts.author { try await save($0, $1) }
    )
    routes.add(
      .delete,
      StudioRoutes.one,
      .init("Removes a world", for: .author, answer: .nothing),
      accounts.author { try await remove($0, $1) }
    )
    routes.add(
      .post,
      StudioRoutes.one + "/publish",
      .init(
        "Publishes a draft",
        for: .author,
        body: .json(Publication.self),
        answer: .json(StudioPublished.self),
        refusals: [409]
      ),
      accounts.author { try await publish($0, $1) }
    )
    routes.add(
      .delete,
      StudioRoutes.one + "/publish",
      .init("Takes it out of the lists", for: .author, answer: .nothing),
      accounts.author { try await withdraw($0, $1) }
    )
    routes.add(
      .put,
      StudioRoutes.one + "/members",
      .init("Who else may edit", for: .author, body: .json(Members.self), answer: .json(StudioDraftAnswer.self)),
      accounts.author { try await share($0, $1) }
    )
  }

  private func addDrafts(to routes: inout RouteTable) {
    routes.add(
      .get,
      StudioRoutes.one + "/history",
      .init("All drafts", for: .author, answer: .json(StudioHistory.self)),
      accounts.author { try await history($0, $1) }
    )
    routes.add(
      .get,
      StudioRoutes.one + "/history/{version}",
      .init("One of them", for: .author, answer: .json(StudioEarlier.self)),
      accounts.author { try await earlier($0, $1) }
    )
    routes.add(
      .get,
      StudioRoutes.one + "/copies/{number}",
      .init("A draft that could not be joined", for: .author, answer: .json(StudioEarlier.self)),
      accounts.author { try await copy($0, $1) }
    )
    routes.add(
      .delete,
      StudioRoutes.one + "/copies/{number}",
      .init("Drops it", for: .author, answer: .nothing),
      accounts.author { try await removeCopy($0, $1) }
    )
  }

  // MARK: Worlds

  private func list(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let everybody = author.role == .operator && exchange.queryFields["all"] == "1"
    let worlds = try await studio.studioWorlds(for: everybody ? nil : author.id)
    return try Answers.json(StudioWorldList(worlds: worlds.map { StudioWorldAnswer($0, for: author) }))
  }

  struct NewWorld: Decodable, Described {
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
      guard let content = try await service.worlds.world(from, version: nil) else {
        throw RequestProblem.unknownWorld(from)
      }
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
      ContentCoding.matches(field, etag: StudioWorldAnswer.etag(world.version))
    {
      return Response(status: .notModified, headers: [.eTag: StudioWorldAnswer.etag(world.version)])
    }
    return try await answer(world, author, exchange)
  }

  private func answer(_ world: StudioWorld, _ author: Account, _ exchange: Exchange) async throws -> Response {
    guard let draft = try await studio.draft(world.version, of: world.id) else {
      throw RequestProblem.notFound("studio.unknown", "The draft of this world is missing in the store.")
    }
    let copies = try await studio.copies(of: world.id)
    var response = try Answers.json(
      StudioDraftAnswer(
        world: StudioWorldAnswer(world, for: author),
        version: world.version,
        copies: copies.map(StudioCopyAnswer.init)
      ),
      adding: ["dimension": draft]
    )
    response.headers[.eTag] = StudioWorldAnswer.etag(world.version)
    return response
  }

  private func remove(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let world = try await service.world(exchange.parameters[0], for: author, ownerOnly: true)
    if world.published != nil { try await service.withdraw(world) }
    try await studio.removeStudioWorld(world.id)
    return Response(status: .noContent)
  }

  // MARK: Drafts

  private func save(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let world = try await service.world(exchange.parameters[0], for: author)
    guard let base = exchange.request.headers[.ifMatch].flatMap(StudioWorldAnswer.version(ofTag:)) else {
      throw RequestProblem(
        .preconditionRequired,
        "studio.version",
        "The field If-Match is missing: the version that the draft was made from, such as \"v7\"."
      )
    }
    let json = try await exchange.jsonBytes(limit: quotas.worldBytes + 65_536)
    switch try await service.save(json, of: world, base: base, author: author) {
    case .saved(let version, let joined):
      let answer = StudioSaved(version: version)
      var response =
        if let joined { try Answers.json(answer, adding: ["dimension": joined]) } else { try Answers.json(answer) }
      response.headers[.eTag] = StudioWorldAnswer.etag(version)
      return response
    case .conflict(let version, let by, let joined, let copy, let conflicts):
      let conflict = StudioConflict(
        version: version,
        by: by,
        copy: copy,
        conflicts: conflicts,
        requestID: exchange.requestID
      )
      var response = try Answers.json(conflict, adding: ["dimension": joined], status: .conflict)
      response.headers[.contentType] = "application/problem+json"
      response.headers[.eTag] = StudioWorldAnswer.etag(version)
      return response
    }
  }

  struct Publication: Decodable, Described {
    var version: Int?

    static var rules: [String: JSONSchema] { ["version": .integer(in: 1...)] }
  }

  private func publish(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let world = try await service.world(exchange.parameters[0], for: author)
    let version = try await exchange.json(Publication.self).version ?? world.version
    let record = try await service.publish(version, of: world, author: author)
    return try Answers.json(
      StudioPublished(published: version, version: record.version, address: "/#/world/\(record.id)")
    )
  }

  private func withdraw(_ exchange: Exchange, _ author: Account) async throws -> Response {
    try await service.withdraw(try await service.world(exchange.parameters[0], for: author))
    return Response(status: .noContent)
  }

  struct Members: Decodable, Described { var names: [String] }

  private func share(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let world = try await service.world(exchange.parameters[0], for: author, ownerOnly: true)
    let names = try await exchange.json(Members.self).names
    guard names.count <= 50 else {
      throw RequestProblem.badRequest("studio.members", "At most 50 others may edit a world.")
    }
    var members: [Int64] = []
    for text in names {
      guard let name = AccountName.normalized(text), let known = try await accounts.store.credentials(of: name) else {
        throw RequestProblem(
          .unprocessableContent,
          "studio.member-unknown",
          "There is no account \"\(text.prefix(64))\". Ask an operator for a link that makes one."
        )
      }
      if known.account.id != world.owner { members.append(known.account.id) }
    }
    try await studio.setMembers(members, of: world.id)
    return try await answer(try await service.world(world.id, for: author), author, exchange)
  }

  // MARK: History

  private func history(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let world = try await service.world(exchange.parameters[0], for: author)
    let drafts = try await studio.drafts(of: world.id)
    return try Answers.json(
      StudioHistory(
        drafts: drafts.map { StudioHistory.Entry($0, published: world.published) },
        copies: try await studio.copies(of: world.id).map(StudioCopyAnswer.init)
      )
    )
  }

  private func earlier(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let world = try await service.world(exchange.parameters[0], for: author)
    guard let version = Int(exchange.parameters[1]), let draft = try await studio.draft(version, of: world.id) else {
      throw RequestProblem.notFound("studio.version", "There is no such version of this world (any more).")
    }
    return try Answers.json(StudioEarlier(), adding: ["dimension": draft])
  }

  private func copy(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let world = try await service.world(exchange.parameters[0], for: author)
    guard let number = Int64(exchange.parameters[1]), let copy = try await studio.copy(number, of: world.id) else {
      throw RequestProblem.notFound("studio.copy", "There is no such copy of this world (any more).")
    }
    return try Answers.json(StudioEarlier(), adding: ["dimension": copy])
  }

  private func removeCopy(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let world = try await service.world(exchange.parameters[0], for: author)
    if let number = Int64(exchange.parameters[1]) { try await studio.removeCopy(number, of: world.id) }
    return Response(status: .noContent)
  }

  // MARK: Files

  private func export(_ exchange: Exchange, _ author: Account) async throws -> Response {
    let world = try await service.world(exchange.parameters[0], for: author)
    let name = exchange.queryFields["format"] ?? "sightline"
    guard let draft = try await studio.draft(world.version, of: world.id) else {
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
      body = document.write(try StudioDocument(json: draft).dimension, as: format, origin: origin)
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
    let answer = StudioReading(format: world.format)
    // What names no files needs not be taken apart here.
    if world.files.isEmpty {
      return try Answers.json(answer, adding: ["dimension": Data(read), "problems": Data(world.problemsJSON)])
    }
    let taken: (dimension: SightlineContent.Dimension, problems: [Problem])
    do {
      guard let dimension = try world.dimension else { throw WireReader.Malformed() }
      taken = (dimension, try world.problems)
    } catch {
      throw ReadFailure.garbage
    }
    var dimension = taken.dimension
    let problems = try await PackedPictures(assets: assets, quotas: quotas)
      .keepAll(world.files, of: &dimension, for: author, findings: taken.problems)
    return try Answers.json(
      answer,
      adding: [
        "dimension": try ContentJSON.encode(dimension), "problems": try ContentJSON.encode(problems),
      ]
    )
  }
}
