import Foundation
import NIOCore
import SightlineContent
import SightlineStore

/// The JSON in which worlds go to the web client: `{"world": {…}, "dimension": {…}, "problems": […]}`, the last two as they lie
/// in the store or came from who read them.
enum WorldJSON {
  /// A stored world; its content is sent as it lies in the store.
  static func stored(_ content: WorldContent) throws -> ByteBuffer {
    try JSONBytes.encode(
      StoredWorldAnswer(world: WorldRecordAnswer(content.record)),
      adding: ["dimension": content.dimensionJSON, "problems": content.problemsJSON]
    )
  }

  /// A world from elsewhere, as a worker read it; `nil` when it could not be read.
  static func foreign(_ world: ForeignAnswers.World, url: String) throws -> ByteBuffer? {
    guard let dimension = world.dimensionJSON else { return nil }
    return try JSONBytes.encode(
      ForeignWorldAnswer(
        world: ForeignWorldAnswer.Record(
          id: nil,
          title: world.title ?? url,
          url: url,
          format: world.format,
          version: nil
        )
      ),
      adding: ["dimension": Data(dimension), "problems": Data(world.problemsJSON)]
    )
  }

  /// The list of worlds, with the covers of those whose content has been read.
  static func listing(_ worlds: [WorldRecord], _ digests: [String: WorldDigest]) -> ByteBuffer {
    // Texts, whole numbers and a centre that is a place are always encodable.
    (try? JSONBytes.encode(WorldList(worlds: worlds.map { WorldRecordAnswer($0, digests[$0.id]) }))) ?? ByteBuffer()
  }
}

/// What is said of a world beside its content.
struct WorldRecordAnswer: Codable, Described, Sendable {
  struct Center: Codable, Sendable {
    var latitude: Double
    var longitude: Double
  }

  var id: String
  var title: String
  @OrNull var summary: String?
  var places: Int
  var overlays: Int
  var version: Int
  var updated: Date
  @OrNull var center: Center?
  var format: String
  /// Its first picture; missing until the content has been read, `null` when it has none.
  var cover: OrNull<String>?

  static let schemaName = "WorldRecord"
  static var rules: [String: JSONSchema] { ["cover": .string.orNull] }

  init(_ world: WorldRecord, _ digest: WorldDigest? = nil) {
    id = world.id
    title = world.title
    _summary = OrNull(wrappedValue: world.summary)
    places = world.places
    overlays = world.overlays
    version = world.version
    updated = world.saved
    _center = OrNull(
      wrappedValue: world.center.flatMap {
        $0.latitude.isFinite && $0.longitude.isFinite ? Center(latitude: $0.latitude, longitude: $0.longitude) : nil
      }
    )
    format = world.format
    cover = digest.map { OrNull(wrappedValue: $0.cover) }
  }
}

/// The published worlds.
struct WorldList: Codable, Described, Sendable {
  var worlds: [WorldRecordAnswer]
}

/// A world that is stored here, with its content.
struct StoredWorldAnswer: Codable, Described, Sendable {
  var world: WorldRecordAnswer

  static let schemaName = "World"
  static var rules: [String: JSONSchema] {
    ["dimension": .component("Dimension"), "problems": .list(.component("Finding"))]
  }
}

/// A world from elsewhere, with its content.
struct ForeignWorldAnswer: Codable, Described, Sendable {
  struct Record: Codable, Sendable {
    @OrNull var id: String?
    var title: String
    var url: String
    var format: String
    @OrNull var version: Int?
  }

  var world: Record

  static let schemaName = "ForeignWorld"
  static var rules: [String: JSONSchema] { StoredWorldAnswer.rules }
}
