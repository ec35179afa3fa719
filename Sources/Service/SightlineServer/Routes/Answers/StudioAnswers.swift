import Foundation
import SightlineContent
import SightlineInput
import SightlineStore

/// A world in the making.
struct StudioWorldAnswer: Codable, Described, Sendable {
  var id: String
  var title: String
  var owner: String
  /// Whether who asks may say who else edits it.
  var mayShare: Bool
  var members: [String]
  var version: Int
  /// The version that is published.
  @OrNull var published: Int?
  var places: Int
  var saved: Date
  var savedBy: String

  static let schemaName = "StudioWorld"

  init(_ world: StudioWorld, for account: Account) {
    id = world.id
    title = world.title
    owner = world.ownerName
    mayShare = account.mayChange(ownedBy: world.owner)
    members = world.members.values.sorted()
    version = world.version
    _published = OrNull(wrappedValue: world.published)
    places = world.places
    saved = world.saved
    savedBy = world.savedBy
  }

  /// Names the latest draft.
  static func etag(_ version: Int) -> String { "\"v\(version)\"" }

  /// `"v12"` is 12.
  static func version(ofTag tag: String) -> Int? {
    let text = tag.trimming()
    guard text.hasPrefix("\"v"), text.hasSuffix("\""), text.count > 3 else { return nil }
    return Int(text.dropFirst(2).dropLast())
  }
}

/// One's worlds in the making.
struct StudioWorldList: Codable, Described, Sendable {
  var worlds: [StudioWorldAnswer]
}

/// A draft that could not be joined with what somebody else had saved.
struct StudioCopyAnswer: Codable, Described, Sendable {
  var number: Int64
  var base: Int
  var saved: Date
  var author: String
  var places: Int

  static let schemaName = "StudioCopy"

  init(_ copy: StudioCopy) {
    number = copy.id
    base = copy.base
    saved = copy.saved
    author = copy.author
    places = copy.places
  }
}

/// A world with its latest draft, which lies in the store as `dimension`.
struct StudioDraftAnswer: Codable, Described, Sendable {
  var world: StudioWorldAnswer
  var version: Int
  var copies: [StudioCopyAnswer]

  static let schemaName = "StudioDraft"
  static var rules: [String: JSONSchema] { ["dimension": .component("Dimension")] }
}

/// A draft that was saved; `dimension` is there when somebody else's changes are in it too.
struct StudioSaved: Codable, Described, Sendable {
  var version: Int
  var dimension: JSONValue?

  static var rules: [String: JSONSchema] { ["dimension": .component("Dimension")] }
}

/// What was published.
struct StudioPublished: Codable, Described, Sendable {
  var published: Int
  /// Of the published world.
  var version: Int
  var address: String
}

/// All drafts of a world, and those that could not be joined.
struct StudioHistory: Codable, Described, Sendable {
  struct Entry: Codable, Sendable {
    var version: Int
    var saved: Date
    var author: String
    var title: String
    var places: Int
    var published: Bool
    var wasPublished: Bool

    init(_ draft: StudioDraft, published: Int?) {
      version = draft.version
      saved = draft.saved
      author = draft.author
      title = draft.title
      places = draft.places
      self.published = draft.version == published
      wasPublished = draft.wasPublished
    }
  }

  var drafts: [Entry]
  var copies: [StudioCopyAnswer]
}

/// An earlier draft, which lies in the store as `dimension`.
struct StudioEarlier: Codable, Described, Sendable {
  static var rules: [String: JSONSchema] { ["dimension": .component("Dimension")] }

  private enum CodingKeys: CodingKey {}

  init() {}
  init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: CodingKeys.self) }
  func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: CodingKeys.self) }
}

/// A file that was read: `dimension`, and what its reader found as `problems`.
struct StudioReading: Codable, Described, Sendable {
  var format: String

  static var rules: [String: JSONSchema] {
    ["dimension": .component("Dimension"), "problems": .list(.component("Finding"))]
  }
}

/// The problem document of a conflict: what somebody else saved, with both sides' changes as `dimension`, and what contradicts
/// each other.
struct StudioConflict: Encodable, Sendable {
  struct Place: Encodable, Sendable {
    var path: String
    var base: JSONValue?
    var mine: JSONValue?
    var theirs: JSONValue?
  }

  var type = "about:blank"
  var title = "Conflict"
  var status = 409
  var code = "studio.conflict"
  var detail: String
  var instance: String
  var version: Int
  var by: String
  /// Number of the copy that the draft was kept as.
  var copy: Int64
  var conflicts: [Place]

  init(version: Int, by: String, copy: Int64, conflicts: [DraftMerge.Conflict], requestID: String) {
    detail = "\(by) has changed the same things meanwhile. Both drafts are kept; choose what is to stand."
    instance = "urn:sightline:request:\(requestID)"
    self.version = version
    self.by = by
    self.copy = copy
    self.conflicts = conflicts.prefix(500).map {
      Place(path: $0.path, base: $0.base, mine: $0.mine, theirs: $0.theirs)
    }
  }
}

/// One's files.
struct AssetList: Codable, Described, Sendable {
  struct Entry: Codable, Sendable {
    var hash: String
    var url: String
    var mediaType: String
    var bytes: Int
    var saved: Date
    var inUse: Bool

    init(_ file: OwnedAsset) {
      hash = file.hash
      url = "/assets/\(file.hash)"
      mediaType = file.mediaType
      bytes = file.bytes
      saved = file.saved
      inUse = file.isUsed
    }
  }

  var files: [Entry]
  var used: Int
  var limit: Int
}

/// A file that was kept.
struct NewAsset: Codable, Described, Sendable {
  var hash: String
  var url: String
  var mediaType: String
  var bytes: Int
  /// Pixels of a picture.
  var width: Int?
  var height: Int?
  /// Bytes of all one's files, and how many there may be.
  var used: Int
  var limit: Int
}
