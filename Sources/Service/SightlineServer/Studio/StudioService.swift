import Foundation
import SightlineArchive
import SightlineContent
import SightlineFormats
import SightlineStore

/// What the studio does, apart from how it is asked for; what it does not do it says by ``StudioError``.
struct StudioService: Sendable {
  let studio: any StudioStore
  let worlds: any WorldStore
  let catalog: Catalog
  let quotas: Quotas

  /// What became of a draft.
  enum Saved: Sendable {
    /// It is the latest; `joined` is the content when somebody else's changes are in it too.
    case saved(version: Int, joined: Data?)
    /// It contradicts what somebody else saved meanwhile; it is kept as a copy.
    ///
    /// `joined` has the changes of both, and theirs where they contradict each other.
    case conflict(version: Int, by: String, joined: Data, copy: Int64, conflicts: [DraftMerge.Conflict])
  }

  // MARK: Rights

  /// A world that an account may edit.
  func world(_ id: String, for account: Account, ownerOnly: Bool = false) async throws -> StudioWorld {
    let found = try await studio.studioWorld(id)
    let isMember = found?.members[account.id] != nil
    // A stranger's world is answered like one that is not there: names of what is not published are nobody's business.
    guard let world = found, isMember || account.mayChange(ownedBy: world.owner) else {
      throw StudioError.unknown(id)
    }
    // Who edits it with others knows of it, and learns why not.
    if ownerOnly { try account.require(owner: world.owner) }
    return world
  }

  // MARK: Making

  /// Makes a world.
  ///
  /// Without an identifier that is wanted one is made of the title; with `adopting` a world that was imported is taken
  /// over under its own.
  func make(
    id wanted: String?,
    _ document: StudioDocument,
    owner: Account,
    adopting: Bool = false
  ) async throws -> StudioWorld {
    let content = try document.content(quotas)
    if let wanted {
      guard WorldIdentifier.isValid(wanted) else {
        throw StudioError.badIdentifier(wanted)
      }
      if let made = try await add(wanted, owner, content, adopting: adopting) { return made }
      throw StudioError.taken(wanted)
    }
    let stem = String(WorldIdentifier.derived(fromFileName: content.title.replacing(".", with: " ")).prefix(48))
    for number in 1...1000 {
      let id = number == 1 ? stem : "\(stem)-\(number)"
      if let made = try await add(id, owner, content, adopting: false) { return made }
    }
    throw StudioError.titleTaken(stem)
  }

  /// Adds a world under an identifier; `nil` when it is taken.
  private func add(
    _ id: String,
    _ owner: Account,
    _ content: StudioContent,
    adopting: Bool
  ) async throws -> StudioWorld? {
    let room = quotas.room
    switch try await studio.addStudioWorld(id, owner: owner.id, content: content, adopting: adopting, room: room) {
    case .added(let world): return world
    case .taken: return nil
    case .full(let count): throw StudioError.tooManyWorlds(count)
    case .noRoom(let used): throw StudioError.noRoom(used: used, limit: quotas.studioBytes)
    }
  }

  // MARK: Saving

  /// Saves a draft that was made from version `base`.
  ///
  /// When somebody else has saved meanwhile, the changes of both are joined where they do not touch each other.
  func save(_ json: Data, of world: StudioWorld, base: Int, author: Account) async throws -> Saved {
    do {
      return try await join(json, of: world, base: base, author: author)
    } catch let full as StudioRoom.Full {
      throw StudioError.noRoom(used: full.used, limit: quotas.studioBytes)
    }
  }

  private func join(_ json: Data, of world: StudioWorld, base: Int, author: Account) async throws -> Saved {
    let mine = try StudioDocument(json: json).content(quotas)
    let room = quotas.room
    if let version = try await studio.saveDraft(mine, of: world.id, base: base, author: author.id, room: room) {
      return .saved(version: version, joined: nil)
    }
    // Others may go on saving: a few rounds, each with what is the latest then.
    for _ in 0..<5 {
      guard let latest = try await studio.studioWorld(world.id),
        let theirs = try await studio.draft(latest.version, of: world.id)
      else { throw StudioError.removed }
      guard base < latest.version else { throw StudioError.futureVersion(base) }
      let tree = try JSONDecoder().decode(JSONValue.self, from: theirs)
      let own = try JSONDecoder().decode(JSONValue.self, from: mine.json)
      // A base that was thinned out makes every difference a conflict, which loses nothing.
      let origin = try await studio.draft(base, of: world.id)
      let merge = DraftMerge(
        base: try origin.map { try JSONDecoder().decode(JSONValue.self, from: $0) } ?? .null,
        mine: own,
        theirs: tree
      )
      guard merge.conflicts.isEmpty else {
        let copy = try await studio.keepCopy(mine, of: world.id, base: base, author: author.id, room: room)
        return .conflict(
          version: latest.version,
          by: latest.savedBy,
          joined: try ContentJSON.encode(merge.result),
          copy: copy,
          conflicts: merge.conflicts
        )
      }
      let joined = try StudioDocument(json: try ContentJSON.encode(merge.result)).content(quotas)
      if joined.json == theirs { return .saved(version: latest.version, joined: theirs) }
      let saved = try await studio.saveDraft(joined, of: world.id, base: latest.version, author: author.id, room: room)
      if let version = saved {
        return .saved(version: version, joined: joined.json)
      }
    }
    throw StudioError.busy
  }

  // MARK: Publishing

  /// Publishes a draft under the world's identifier.
  func publish(_ version: Int, of world: StudioWorld, author: Account) async throws -> WorldRecord {
    guard let json = try await studio.draft(version, of: world.id) else {
      throw StudioError.unknownVersion(version)
    }
    let dimension = try StudioDocument(json: json).dimension
    let outcome = try await worlds.save(
      WorldDraft(id: world.id, dimension: dimension, format: "studio", source: author.name)
    )
    try await studio.markPublished(version, of: world.id)
    try await catalog.refresh()
    return outcome.record
  }

  /// Takes the published world out of the lists; the drafts stay.
  func withdraw(_ world: StudioWorld) async throws {
    _ = try await worlds.remove(world.id)
    try await studio.markPublished(nil, of: world.id)
    try await catalog.refresh()
  }

  // MARK: Files

  /// A document in any format that worlds are read from, or in the studio's own complete one.
  static func read(_ bytes: Data, name: String) -> (format: String, reading: Reading) {
    struct Complete: Decodable {
      var sightline: Int
      var dimension: SightlineContent.Dimension
    }
    if let complete = try? JSONDecoder().decode(Complete.self, from: bytes) {
      return ("sightline", Reading(dimension: complete.dimension, problems: []))
    }
    var options = ReadingOptions(fileName: name)
    // An archive is mostly pictures; the document in it is held by the studio's own limits.
    if ZipArchive.isArchive(bytes) { options.limits.bytes = max(options.limits.bytes, bytes.count) }
    let (format, reading) = FormatRegistry.read(Array(bytes), options: options)
    return (format?.rawValue ?? "unknown", reading)
  }

  /// The studio's own complete form of a world.
  static func complete(_ json: Data) -> Data { Data(#"{"sightline":1,"dimension":"#.utf8) + json + Data("}\n".utf8) }
}
