public import Foundation

/// A world that is made in the studio.
public struct StudioWorld: Equatable, Sendable {
  /// Identifier, the one it is published under.
  public var id: String
  /// Who made it; their files and quota.
  public var owner: Int64
  /// Name of the owner's account.
  public var ownerName: String
  /// Others who may edit it, by account, with their names.
  public var members: [Int64: String]
  /// The latest draft's number.
  public var version: Int
  /// The draft that is published; `nil` when none is.
  public var published: Int?
  /// Title of the latest draft.
  public var title: String
  /// Places of the latest draft.
  public var places: Int
  /// When the latest draft was saved.
  public var saved: Date
  /// Who saved it.
  public var savedBy: String

  /// A world with every member given.
  public init(
    id: String,
    owner: Int64,
    ownerName: String,
    members: [Int64: String],
    version: Int,
    published: Int?,
    title: String,
    places: Int,
    saved: Date,
    savedBy: String
  ) {
    self.id = id
    self.owner = owner
    self.ownerName = ownerName
    self.members = members
    self.version = version
    self.published = published
    self.title = title
    self.places = places
    self.saved = saved
    self.savedBy = savedBy
  }
}

/// One saved draft, without its content.
public struct StudioDraft: Equatable, Sendable {
  /// Number, counted from 1.
  public var version: Int
  /// When it was saved.
  public var saved: Date
  /// Who saved it.
  public var author: String
  /// Title of the world in it.
  public var title: String
  /// Places in it.
  public var places: Int
  /// Whether it was published at some time.
  public var wasPublished: Bool

  /// A draft with every member given.
  public init(version: Int, saved: Date, author: String, title: String, places: Int, wasPublished: Bool) {
    self.version = version
    self.saved = saved
    self.author = author
    self.title = title
    self.places = places
    self.wasPublished = wasPublished
  }
}

/// A draft that could not be joined with what somebody else had saved meanwhile: it is kept beside the history.
public struct StudioCopy: Equatable, Sendable {
  /// Number in the store.
  public var id: Int64
  /// The draft it was made from.
  public var base: Int
  /// When it was kept.
  public var saved: Date
  /// Whose it is.
  public var author: String
  /// Places in it.
  public var places: Int

  /// A copy with every member given.
  public init(id: Int64, base: Int, saved: Date, author: String, places: Int) {
    self.id = id
    self.base = base
    self.saved = saved
    self.author = author
    self.places = places
  }
}

/// Content to be saved, with what lists show of it.
public struct StudioContent: Sendable {
  /// The world as JSON (UTF-8, sorted members).
  public var json: Data
  /// Title for lists.
  public var title: String
  /// Number of places.
  public var places: Int

  /// Content with every member given.
  public init(json: Data, title: String, places: Int) {
    self.json = json
    self.title = title
    self.places = places
  }
}

/// Where drafts and their history are kept.
///
/// A draft that was saved is never changed; a new one has the next number.
public protocol StudioStore: Sendable {
  /// Worlds that an account made or may edit, all for `nil`; latest first.
  func studioWorlds(for account: Int64?) async throws -> [StudioWorld]

  /// A world; `nil` when there is none.
  func studioWorld(_ id: String) async throws -> StudioWorld?

  /// Makes a world with its first draft, if its owner may have one more: looked at and written in one transaction.
  func addStudioWorld(
    _ id: String,
    owner: Int64,
    content: StudioContent,
    adopting: Bool,
    room: StudioRoom
  ) async throws -> StudioAddition

  /// Saves a draft as the next version if `base` is still the latest; `nil` when it is not, or there is no such world.
  ///
  /// - Throws: ``StudioRoom/Full`` when the owner's worlds have no room for it.
  func saveDraft(
    _ content: StudioContent,
    of id: String,
    base: Int,
    author: Int64,
    room: StudioRoom
  ) async throws -> Int?

  /// A draft's content; `nil` when there is none, or it has been thinned out.
  func draft(_ version: Int, of id: String) async throws -> Data?

  /// Drafts that are kept, newest first.
  func drafts(of id: String) async throws -> [StudioDraft]

  /// Notes which draft is published; `nil` for none.
  func markPublished(_ version: Int?, of id: String) async throws

  /// Sets who else may edit a world.
  func setMembers(_ accounts: [Int64], of id: String) async throws

  /// Takes a world out of the lists; its drafts stay for a while (``RetentionRules/removedWorldDays``), or until their
  /// owner needs the room.
  func removeStudioWorld(_ id: String) async throws

  /// Keeps a draft beside the history.
  ///
  /// - Throws: ``StudioRoom/Full`` when the owner's worlds have no room for it.
  func keepCopy(
    _ content: StudioContent,
    of id: String,
    base: Int,
    author: Int64,
    room: StudioRoom
  ) async throws -> Int64

  /// Copies kept beside the history, newest first.
  func copies(of id: String) async throws -> [StudioCopy]

  /// A copy's content.
  func copy(_ number: Int64, of id: String) async throws -> Data?

  /// Removes a copy.
  func removeCopy(_ number: Int64, of id: String) async throws
}

/// How much room the worlds of one author may take.
public struct StudioRoom: Equatable, Sendable {
  /// Most worlds, and as many removed ones that can still be brought back: of more the oldest go at once.
  public var worlds: Int
  /// Most bytes of all drafts, copies and published versions, those of removed worlds among them: before it is full
  /// removed worlds go, then old drafts of the world that is saved.
  public var bytes: Int

  /// A room.
  public init(worlds: Int, bytes: Int) {
    self.worlds = worlds
    self.bytes = bytes
  }

  /// Room for anything.
  public static let unlimited = StudioRoom(worlds: .max, bytes: .max)

  /// There is no room, also after everything was removed that may be.
  public struct Full: Error, Equatable {
    /// Bytes that the author's worlds take.
    public var used: Int
  }
}

/// What became of a world that was to be made.
public enum StudioAddition: Equatable, Sendable {
  /// It is there.
  case added(StudioWorld)
  /// The identifier is taken, here or by a world that was imported.
  case taken
  /// The owner has as many worlds as one may have: this many.
  case full(Int)
  /// The owner's worlds take this many bytes, and there is no room for another.
  case noRoom(Int)
}

extension StudioStore {
  /// Makes a world, however many there are; `nil` when the identifier is taken.
  public func addStudioWorld(
    _ id: String,
    owner: Int64,
    content: StudioContent,
    adopting: Bool
  ) async throws -> StudioWorld? {
    let addition = try await addStudioWorld(id, owner: owner, content: content, adopting: adopting, room: .unlimited)
    guard case .added(let world) = addition else { return nil }
    return world
  }

  /// Saves a draft, however much there is.
  public func saveDraft(_ content: StudioContent, of id: String, base: Int, author: Int64) async throws -> Int? {
    try await saveDraft(content, of: id, base: base, author: author, room: .unlimited)
  }

  /// Keeps a copy, however much there is.
  public func keepCopy(_ content: StudioContent, of id: String, base: Int, author: Int64) async throws -> Int64 {
    try await keepCopy(content, of: id, base: base, author: author, room: .unlimited)
  }
}

/// How much history is kept for a world.
public enum StudioHistory {
  /// Fewest drafts that stay when their owner's room is full.
  public static let fewestDrafts = 10
  /// Most drafts.
  public static let drafts = 300
  /// Most bytes.
  public static let bytes = 64 * 1024 * 1024
  /// Most copies.
  public static let copies = 50
}
