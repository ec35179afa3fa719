import Crypto
import Foundation
import SightlineContent

/// Published worlds in the database.
struct SQLWorldStore: WorldStore {
  let database: any SQLDatabase

  private static let recordColumns = """
    v.world, v.version, v.generation, v.title, v.summary, v.places, v.overlays, v.format, v.source,
    v.saved_milliseconds, v.latitude, v.longitude, v.content_hash
    """

  private static func record(_ row: SQLRow) throws -> WorldRecord {
    let latitude: Double? = try row.value(10)
    let longitude: Double? = try row.value(11)
    let milliseconds: Int64 = try row.value(9)
    let hash: Data = try row.value(12)
    var center: Position?
    if let latitude, let longitude { center = Position(latitude: latitude, longitude: longitude) }
    return WorldRecord(
      id: try row.value(0),
      version: try row.value(1),
      generation: try row.value(2),
      title: try row.value(3),
      summary: try row.value(4),
      places: try row.value(5),
      overlays: try row.value(6),
      format: try row.value(7),
      source: try row.value(8),
      saved: Date(milliseconds: milliseconds),
      center: center,
      contentHash: hash.hexadecimal
    )
  }

  /// Current versions of all worlds, by identifier.
  func worlds() async throws -> [WorldRecord] {
    try await database.read { db in
      try db.rows(
        sql: """
          SELECT \(Self.recordColumns) FROM world w
          JOIN world_version v ON v.world = w.id AND v.version = w.version
          WHERE w.removed = 0 ORDER BY w.id
          """
      ).map(Self.record)
    }
  }

  /// A world's current version, or the given earlier one.
  func world(_ id: String, version: Int?) async throws -> WorldContent? {
    try await database.read { db in
      let row = try db.row(
        sql: """
          SELECT \(Self.recordColumns), v.dimension, v.problems FROM world w
          JOIN world_version v ON v.world = w.id AND v.version = coalesce(?, w.version)
          WHERE w.id = ? AND w.removed = 0
          """,
        arguments: [version, id]
      )
      return try row.map {
        try WorldContent(record: Self.record($0), dimensionJSON: $0.value(13), problemsJSON: $0.value(14))
      }
    }
  }

  /// All versions of a world, newest first.
  func versions(of id: String) async throws -> [WorldRecord] {
    try await database.read { db in
      try db.rows(
        sql: """
          SELECT \(Self.recordColumns) FROM world w JOIN world_version v ON v.world = w.id
          WHERE w.id = ? AND w.removed = 0 ORDER BY v.version DESC
          """,
        arguments: [id]
      ).map(Self.record)
    }
  }

  /// Saves content as a new version, unless it equals the current one.
  func save(_ draft: WorldDraft) async throws -> SaveOutcome {
    guard WorldIdentifier.isValid(draft.id) else { throw StoreError.badIdentifier(draft.id) }
    // All the work that needs no lock is done before the transaction begins.
    let dimensionJSON = try ContentJSON.encode(draft.dimension)
    let problemsJSON = try ContentJSON.encode(draft.problems)
    let hash = Data(SHA256.hash(data: dimensionJSON))
    let center = PlaceCenter.of(draft.dimension.places)
    let milliseconds = Date().milliseconds
    let title = (draft.dimension.name ?? draft.id).replacing("\0", with: "\u{FFFD}")
    let summary = draft.dimension.summary?.replacing("\0", with: "\u{FFFD}")
    return try await database.write { db in
      let current = try db.row(
        sql: """
          SELECT \(Self.recordColumns), v.problems, w.removed FROM world w
          JOIN world_version v ON v.world = w.id AND v.version = w.version WHERE w.id = ?
          """,
        arguments: [draft.id]
      )
      if let current, try current.value(14) == 0 as Int, try current.value(12) == hash,
        try current.value(13) == problemsJSON,
        try current.value(7) == draft.format
      {
        return .unchanged(try Self.record(current))
      }
      // History counts on after a removal, so that a version number never means two contents.
      let former: Int? = try current?.value(1)
      let version = former?.saturatingAdd(1) ?? 1
      let generation = try Generation.next(db)
      try db.execute(
        sql: """
          INSERT INTO world (id, version, generation) VALUES (?1, ?2, ?3)
          ON CONFLICT (id) DO UPDATE SET version = ?2, generation = ?3, removed = 0, removed_milliseconds = NULL
          """,
        arguments: [draft.id, version, generation]
      )
      try db.execute(
        sql: """
          INSERT INTO world_version (world, version, generation, title, summary, places, overlays, format, source,
            saved_milliseconds, latitude, longitude, content_hash, dimension, problems)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          draft.id, version, generation, title, summary,
          draft.dimension.places.count, draft.dimension.overlays.count, draft.format, draft.source, milliseconds,
          center?.latitude, center?.longitude, hash, dimensionJSON, problemsJSON,
        ]
      )
      try Self.replacePlaces(of: draft.id, with: draft.dimension.places, in: db)
      try Self.thinOutVersions(of: draft.id, db)
      return .saved(
        WorldRecord(
          id: draft.id,
          version: version,
          generation: generation,
          title: title,
          summary: summary,
          places: draft.dimension.places.count,
          overlays: draft.dimension.overlays.count,
          format: draft.format,
          source: draft.source,
          saved: Date(milliseconds: milliseconds),
          center: center,
          contentHash: hash.hexadecimal
        )
      )
    }
  }

  /// Takes a world out of the lists.
  func remove(_ id: String) async throws -> Bool {
    try await database.write { db in
      let known = try db.value(Bool.self, sql: "SELECT 1 FROM world WHERE id = ? AND removed = 0", arguments: [id])
      guard known != nil else { return false }
      let generation = try Generation.next(db)
      try db.execute(
        sql: "UPDATE world SET removed = 1, removed_milliseconds = ?, generation = ? WHERE id = ?",
        arguments: [Date().milliseconds, generation, id]
      )
      try db.execute(sql: "DELETE FROM place WHERE world = ?", arguments: [id])
      return true
    }
  }

  /// Number of the store's latest change.
  func generation() async throws -> Int64 { try await database.read { db in try Generation.current(db) } }

  /// Places of a world's current version that have a position.
  func places(of id: String) async throws -> PlaceList? {
    try await database.read { db in
      let sql = "SELECT generation FROM world WHERE id = ? AND removed = 0"
      guard let generation = try db.value(Int64.self, sql: sql, arguments: [id]) else { return nil }
      var places: [PlaceRecord] = []
      try db.forEachRow(
        sql: "SELECT position, id, title, latitude, longitude, altitude FROM place WHERE world = ? ORDER BY position",
        arguments: [id]
      ) { row in
        places.append(
          PlaceRecord(
            index: try row.value(0),
            id: try row.value(1),
            title: try row.value(2),
            latitude: try row.value(3),
            longitude: try row.value(4),
            altitude: try row.value(5)
          )
        )
      }
      return PlaceList(generation: generation, places: places)
    }
  }

  /// Removes the oldest versions of a world beyond what its history may hold, never the live one: what a loop that
  /// publishes takes between two runs of the retention is bounded.
  private static func thinOutVersions(of id: String, _ db: any SQLConnection) throws {
    var (count, bytes) = (0, 0)
    var doomed: [Int64] = []
    try db.forEachRow(
      sql: "SELECT rowid, length(dimension) FROM world_version WHERE world = ? ORDER BY version DESC",
      arguments: [id]
    ) { row in
      count += 1
      bytes = bytes.saturatingAdd(try row.value(1))
      if count > WorldHistory.versions || (count > 1 && bytes > WorldHistory.bytes) { doomed.append(try row.value(0)) }
    }
    for row in doomed { try db.execute(sql: "DELETE FROM world_version WHERE rowid = ?", arguments: [row]) }
  }

  private static func replacePlaces(of world: String, with places: [Place], in db: any SQLConnection) throws {
    try db.execute(sql: "DELETE FROM place WHERE world = ?", arguments: [world])
    let rows = places.lazy.enumerated().compactMap { index, place -> SQLArguments? in
      guard let position = place.position else { return nil }
      // SQLite's text ends at a zero character for most who read it; the content itself is kept whole.
      let id = place.id?.replacing("\0", with: "\u{FFFD}")
      let title = place.title.replacing("\0", with: "\u{FFFD}")
      return [world, index, id, title, position.latitude, position.longitude, position.altitude]
    }
    try db.executeEach(
      sql: """
        INSERT INTO place (world, position, id, title, latitude, longitude, altitude) VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
      rows
    )
  }
}

// MARK: In others' transactions

extension SQLWorldStore {
  /// Removes all versions of a world at once.
  static func removeContent(of world: String, _ db: any SQLConnection) throws {
    for table in ["place", "world_version"] {
      try db.execute(sql: "DELETE FROM \(table) WHERE world = ?", arguments: [world])
    }
    // The number of its last version stays, so that a later world of that name counts on from it.
    try db.execute(
      sql: "UPDATE world SET removed = 1, generation = ? WHERE id = ?",
      arguments: [try Generation.next(db), world]
    )
  }

  /// What an account has published in worlds that stay is nobody's from now on.
  static func forget(author account: Account, _ db: any SQLConnection) throws {
    try db.execute(
      sql: "UPDATE world_version SET source = ? WHERE format = 'studio' AND source = ?",
      arguments: [AccountName.deleted, account.name]
    )
  }
}
