public import SightlineContent

public import struct Foundation.Data
public import struct Foundation.Date

/// One version of a world as lists show it: everything but the content itself.
public struct WorldRecord: Equatable, Sendable {
  /// Identifier, see ``WorldIdentifier``.
  public var id: String
  /// Counted from 1; a new one for every import that changed the content.
  public var version: Int
  /// The store's generation number of this change.
  ///
  /// Grows with every change of the store, is never used twice.
  public var generation: Int64
  /// Title for people.
  public var title: String
  /// A sentence or two about it.
  public var summary: String?
  /// Number of places.
  public var places: Int
  /// Number of overlays.
  public var overlays: Int
  /// Name of the format it was read from: `gddf`, `area`, `geojson`.
  public var format: String
  /// File name or address it came from, for people.
  public var source: String?
  /// When this version was saved.
  public var saved: Date
  /// Middle of the places that have a position; `nil` without any.
  public var center: Position?
  /// SHA-256 of the content's JSON, 64 hexadecimal digits.
  public var contentHash: String

  /// A record with every member given.
  public init(
    id: String,
    version: Int,
    generation: Int64,
    title: String,
    summary: String?,
    places: Int,
    overlays: Int,
    format: String,
    source: String?,
    saved: Date,
    center: Position?,
    contentHash: String
  ) {
    self.id = id
    self.version = version
    self.generation = generation
    self.title = title
    self.summary = summary
    self.places = places
    self.overlays = overlays
    self.format = format
    self.source = source
    self.saved = saved
    self.center = center
    self.contentHash = contentHash
  }
}

/// One version of a world with its content, in the JSON form that the server sends as it is.
public struct WorldContent: Equatable, Sendable {
  /// What lists show.
  public var record: WorldRecord
  /// The ``SightlineContent/Dimension`` as JSON (UTF-8, sorted members).
  public var dimensionJSON: Data
  /// The findings of the reader as a JSON array.
  public var problemsJSON: Data

  /// A version with its content.
  public init(record: WorldRecord, dimensionJSON: Data, problemsJSON: Data) {
    self.record = record
    self.dimensionJSON = dimensionJSON
    self.problemsJSON = problemsJSON
  }

  /// The content, decoded.
  public func dimension() throws -> Dimension { try ContentJSON.decode(Dimension.self, from: dimensionJSON) }

  /// The reader's findings, decoded.
  public func problems() throws -> [Problem] { try ContentJSON.decode([Problem].self, from: problemsJSON) }
}

/// A world to be saved.
public struct WorldDraft: Sendable {
  /// Identifier, see ``WorldIdentifier``.
  public var id: String
  /// The content.
  public var dimension: Dimension
  /// What the reader found.
  public var problems: [Problem]
  /// Name of the format it was read from.
  public var format: String
  /// File name or address it came from.
  public var source: String?

  /// A world to be saved.
  public init(id: String, dimension: Dimension, problems: [Problem] = [], format: String, source: String? = nil) {
    self.id = id
    self.dimension = dimension
    self.problems = problems
    self.format = format
    self.source = source
  }
}

/// What saving a world did.
public enum SaveOutcome: Equatable, Sendable {
  /// The content is the one already stored; nothing was written.
  case unchanged(WorldRecord)
  /// A new version was written and will survive a crash.
  case saved(WorldRecord)

  /// The current version after the call.
  public var record: WorldRecord {
    switch self {
    case .unchanged(let record), .saved(let record): record
    }
  }
}

/// One place of the current version of a world, as far as searching needs it.
public struct PlaceRecord: Equatable, Sendable {
  /// Index in ``SightlineContent/Dimension/places``.
  public var index: Int
  /// Identifier inside the world.
  public var id: String?
  /// Title for people.
  public var title: String
  /// Degrees.
  public var latitude: Double
  /// Degrees.
  public var longitude: Double
  /// Metres; `nil` when the source gives none.
  public var altitude: Double?

  /// A place.
  public init(index: Int, id: String?, title: String, latitude: Double, longitude: Double, altitude: Double?) {
    self.index = index
    self.id = id
    self.title = title
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }
}

/// The places of a world, read together with the generation they belong to.
public struct PlaceList: Equatable, Sendable {
  /// Generation of the world when the places were read.
  public var generation: Int64
  /// Places that have a position, by index.
  public var places: [PlaceRecord]

  /// A list of places.
  public init(generation: Int64, places: [PlaceRecord]) {
    self.generation = generation
    self.places = places
  }
}
