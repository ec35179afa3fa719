import Foundation
import SightlineInput

/// Drafts and their history in the database.
struct SQLStudioStore: StudioStore {
  let database: any SQLDatabase

  private static let worldQuery = """
    SELECT w.id, w.owner, o.name, w.version, w.published, d.title, d.places, d.saved_milliseconds, a.name
    FROM studio_world w JOIN account o ON o.id = w.owner
    JOIN studio_draft d ON d.world = w.id AND d.version = w.version
    JOIN account a ON a.id = d.author
    WHERE w.removed = 0
    """

  private static func world(_ row: SQLRow, _ db: any SQLConnection) throws -> StudioWorld {
    let id: String = try row.value(0)
    let members = try db.rows(
      sql: "SELECT m.account, a.name FROM studio_member m JOIN account a ON a.id = m.account WHERE m.world = ?",
      arguments: [id]
    )
    return StudioWorld(
      id: id,
      owner: try row.value(1),
      ownerName: try row.value(2),
      members: try Dictionary(members.map { try ($0.value(0), $0.value(1)) }) { first, _ in first },
      version: try row.value(3),
      published: try row.value(4),
      title: try row.value(5),
      places: try row.value(6),
      saved: Date(milliseconds: try row.value(7)),
      savedBy: try row.value(8)
    )
  }

  /// Worlds that an account made or may edit.
  func studioWorlds(for account: Int64?) async throws -> [StudioWorld] {
    try await database.read { db in
      var sql = Self.worldQuery
      var arguments = SQLArguments()
      if let account {
        sql += " AND (w.owner = ?1 OR w.id IN (SELECT world FROM studio_member WHERE account = ?1))"
        arguments = [account]
      }
      return try db.rows(sql: sql + " ORDER BY d.saved_milliseconds DESC, w.id", arguments: arguments)
        .map { try Self.world($0, db) }
    }
  }

  private static func world(_ id: String, _ db: any SQLConnection) throws -> StudioWorld? {
    try db.row(sql: worldQuery + " AND w.id = ?", arguments: [id]).map { try world($0, db) }
  }

  /// A world.
  func studioWorld(_ id: String) async throws -> StudioWorld? { try await database.read { try Self.world(id, $0) } }

  /// Makes a world with its first draft.
  func addStudioWorld(
    _ id: String,
    owner: Int64,
    content: StudioContent,
    adopting: Bool,
    room: StudioRoom
  ) async throws -> StudioAddition {
    guard WorldIdentifier.isValid(id) else { throw StoreError.badIdentifier(id) }
    let now = Date().milliseconds
    return try await database.write { db in
      // An identifier that was ever used here stays with its history.
      let own = try db.value(Bool.self, sql: "SELECT 1 FROM studio_world WHERE id = ?", arguments: [id])
      let imported = try db.value(Bool.self, sql: "SELECT 1 FROM world WHERE id = ? AND removed = 0", arguments: [id])
      guard own == nil, imported == nil || adopting else { return .taken }
      let count = "SELECT count(*) FROM studio_world WHERE owner = ? AND removed = ?"
      let live = try db.value(Int.self, sql: count, arguments: [owner, false]) ?? 0
      guard live < room.worlds else { return .full(live) }
      // Who makes and removes worlds in a loop has as many removed ones as live ones at most.
      while try (db.value(Int.self, sql: count, arguments: [owner, true]) ?? 0) >= room.worlds {
        guard try Self.purgeOldest(of: owner, db) else { break }
      }
      do {
        try Self.makeRoom(content.json.count, for: owner, saving: nil, room, db)
      } catch let full as StudioRoom.Full {
        return .noRoom(full.used)
      }
      try db.execute(
        sql: "INSERT INTO studio_world (id, owner, version, published) VALUES (?, ?, 1, ?)",
        arguments: [id, owner, imported == nil ? nil : 1]
      )
      try Self.insertDraft(content, id, 1, owner, now, db)
      return try Self.world(id, db).map(StudioAddition.added) ?? .taken
    }
  }

  /// Bytes of all worlds of an author, removed ones too.
  private static func room(of owner: Int64, _ db: any SQLConnection) throws -> Int {
    let sql = "SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM studio_world WHERE owner = ?"
    return try db.value(Int.self, sql: sql, arguments: [owner]) ?? 0
  }

  /// Removes an author's world that was removed first, for good.
  ///
  /// - Returns: Whether there was one.
  private static func purgeOldest(of owner: Int64, _ db: any SQLConnection) throws -> Bool {
    let sql =
      "SELECT id FROM studio_world WHERE owner = ? AND removed = 1 ORDER BY removed_milliseconds NULLS FIRST, id LIMIT 1"
    guard let id = try db.value(String.self, sql: sql, arguments: [owner]) else { return false }
    return try SQLRetentionStore.purge(id, removedBefore: .max, bytes: .max, db).isDone
  }

  /// Sees to it that so many bytes more have room in an author's worlds.
  private static func makeRoom(
    _ bytes: Int,
    for owner: Int64,
    saving id: String?,
    _ room: StudioRoom,
    _ db: any SQLConnection
  ) throws {
    var used = try self.room(of: owner, db)
    while used.saturatingAdd(bytes) > room.bytes, try purgeOldest(of: owner, db) {
      used = try self.room(of: owner, db)
    }
    guard used.saturatingAdd(bytes) > room.bytes else { return }
    if let id {
      // The oldest drafts first, never the latest ones nor what is published.
      let rows = try db.rows(
        sql: """
          SELECT d.version, length(d.dimension) FROM studio_draft d JOIN studio_world w ON w.id = d.world
          WHERE d.world = ? AND d.version <> w.version AND d.version IS DISTINCT FROM w.published ORDER BY d.version
          """,
        arguments: [id]
      )
      for row in rows.dropLast(StudioHistory.fewestDrafts) where used.saturatingAdd(bytes) > room.bytes {
        let version: Int = try row.value(0)
        try db.execute(sql: "DELETE FROM studio_draft WHERE world = ? AND version = ?", arguments: [id, version])
        used = used.saturatingSubtract(try row.value(1))
      }
    }
    guard used.saturatingAdd(bytes) <= room.bytes else { throw StudioRoom.Full(used: used) }
  }

  private static func owner(of id: String, _ db: any SQLConnection) throws -> Int64? {
    try db.value(Int64.self, sql: "SELECT owner FROM studio_world WHERE id = ? AND removed = 0", arguments: [id])
  }

  private static func insertDraft(
    _ content: StudioContent,
    _ id: String,
    _ version: Int,
    _ author: Int64,
    _ now: Int64,
    _ db: any SQLConnection
  ) throws {
    try db.execute(
      sql: """
        INSERT INTO studio_draft (world, version, saved_milliseconds, author, title, places, dimension)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        id, version, now, author, content.title.replacing("\0", with: "\u{FFFD}"), content.places, content.json,
      ]
    )
  }

  /// Saves a draft as the next version.
  func saveDraft(
    _ content: StudioContent,
    of id: String,
    base: Int,
    author: Int64,
    room: StudioRoom
  ) async throws -> Int? {
    let now = Date().milliseconds
    return try await database.write { db in
      let changed = try db.execute(
        sql: "UPDATE studio_world SET version = version + 1 WHERE id = ? AND version = ? AND removed = 0",
        arguments: [id, base]
      )
      guard changed == 1, let owner = try Self.owner(of: id, db) else { return nil }
      try Self.makeRoom(content.json.count, for: owner, saving: id, room, db)
      try Self.insertDraft(content, id, base.saturatingAdd(1), author, now, db)
      try Self.thinOut(id, db)
      return base.saturatingAdd(1)
    }
  }

  /// Removes the oldest drafts beyond what history is to hold: of those that were never published, and of those that
  /// were, never the latest and the one that is published.
  private static func thinOut(_ id: String, _ db: any SQLConnection) throws {
    for wasPublished in [false, true] {
      let rows = try db.rows(
        sql: """
          SELECT d.version, length(d.dimension), d.version = w.version OR d.version IS NOT DISTINCT FROM w.published
          FROM studio_draft d JOIN studio_world w ON w.id = d.world
          WHERE d.world = ? AND d.was_published = ? ORDER BY d.version DESC
          """,
        arguments: [id, wasPublished]
      )
      var (count, bytes) = (0, 0)
      for row in rows {
        count += 1
        bytes = bytes.saturatingAdd(try row.value(1) as Int)
        guard count > StudioHistory.drafts || (count > 1 && bytes > StudioHistory.bytes), try row.value(2) == false
        else {
          continue
        }
        let version: Int = try row.value(0)
        try db.execute(sql: "DELETE FROM studio_draft WHERE world = ? AND version = ?", arguments: [id, version])
      }
    }
  }

  /// A draft's content.
  func draft(_ version: Int, of id: String) async throws -> Data? {
    try await database.read { db in
      try db.value(
        Data.self,
        sql: "SELECT dimension FROM studio_draft WHERE world = ? AND version = ?",
        arguments: [id, version]
      )
    }
  }

  /// Drafts that are kept.
  func drafts(of id: String) async throws -> [StudioDraft] {
    try await database.read { db in
      try db.rows(
        sql: """
          SELECT d.version, d.saved_milliseconds, a.name, d.title, d.places, d.was_published
          FROM studio_draft d JOIN account a ON a.id = d.author WHERE d.world = ? ORDER BY d.version DESC
          """,
        arguments: [id]
      ).map {
        StudioDraft(
          version: try $0.value(0),
          saved: Date(milliseconds: try $0.value(1)),
          author: try $0.value(2),
          title: try $0.value(3),
          places: try $0.value(4),
          wasPublished: try $0.value(5)
        )
      }
    }
  }

  /// Notes which draft is published.
  func markPublished(_ version: Int?, of id: String) async throws {
    try await database.write { db in
      try db.execute(sql: "UPDATE studio_world SET published = ? WHERE id = ?", arguments: [version, id])
      try db.execute(
        sql: "UPDATE studio_draft SET was_published = 1 WHERE world = ? AND version = ?",
        arguments: [id, version]
      )
    }
  }

  /// Sets who else may edit a world.
  func setMembers(_ accounts: [Int64], of id: String) async throws {
    try await database.write { db in
      try db.execute(sql: "DELETE FROM studio_member WHERE world = ?", arguments: [id])
      for account in Set(accounts) {
        try db.execute(sql: "INSERT INTO studio_member (world, account) VALUES (?, ?)", arguments: [id, account])
      }
    }
  }

  /// Takes a world out of the lists.
  func removeStudioWorld(_ id: String) async throws {
    _ = try await database.write { db in
      try db.execute(
        sql: "UPDATE studio_world SET removed = 1, removed_milliseconds = ?, published = NULL WHERE id = ?",
        arguments: [Date().milliseconds, id]
      )
    }
  }
}

// MARK: Copies

extension SQLStudioStore {
  /// Keeps a draft beside the history.
  func keepCopy(
    _ content: StudioContent,
    of id: String,
    base: Int,
    author: Int64,
    room: StudioRoom
  ) async throws -> Int64 {
    let now = Date().milliseconds
    return try await database.write { db in
      // The same words kept again are the same copy.
      let known = try db.value(
        Int64.self,
        sql: "SELECT id FROM studio_copy WHERE world = ? AND base = ? AND author = ? AND dimension = ?",
        arguments: [id, base, author, content.json]
      )
      if let known { return known }
      if let owner = try Self.owner(of: id, db) {
        try Self.makeRoom(content.json.count, for: owner, saving: id, room, db)
      }
      let number = try db.insertedNumber(
        sql: """
          INSERT INTO studio_copy (world, base, saved_milliseconds, author, places, dimension)
          VALUES (?, ?, ?, ?, ?, ?) RETURNING id
          """,
        arguments: [id, base, now, author, content.places, content.json]
      )
      try db.execute(
        sql: """
          DELETE FROM studio_copy WHERE world = ?1 AND id NOT IN
            (SELECT id FROM studio_copy WHERE world = ?1 ORDER BY id DESC LIMIT ?2)
          """,
        arguments: [id, StudioHistory.copies]
      )
      return number
    }
  }

  /// Copies kept beside the history.
  func copies(of id: String) async throws -> [StudioCopy] {
    try await database.read { db in
      try db.rows(
        sql: """
          SELECT c.id, c.base, c.saved_milliseconds, a.name, c.places
          FROM studio_copy c JOIN account a ON a.id = c.author WHERE c.world = ? ORDER BY c.id DESC
          """,
        arguments: [id]
      ).map {
        StudioCopy(
          id: try $0.value(0),
          base: try $0.value(1),
          saved: Date(milliseconds: try $0.value(2)),
          author: try $0.value(3),
          places: try $0.value(4)
        )
      }
    }
  }

  /// A copy's content.
  func copy(_ number: Int64, of id: String) async throws -> Data? {
    try await database.read { db in
      try db.value(
        Data.self,
        sql: "SELECT dimension FROM studio_copy WHERE world = ? AND id = ?",
        arguments: [id, number]
      )
    }
  }

  /// Removes a copy.
  func removeCopy(_ number: Int64, of id: String) async throws {
    _ = try await database.write { db in
      try db.execute(sql: "DELETE FROM studio_copy WHERE world = ? AND id = ?", arguments: [id, number])
    }
  }
}

// MARK: In others' transactions

extension SQLStudioStore {
  /// Hands an account's worlds to another one, which need not be their member any more.
  static func transfer(from id: Int64, to heir: Int64, _ db: any SQLConnection) throws {
    try db.execute(
      sql: """
        DELETE FROM studio_member WHERE account = ?2 AND world IN (SELECT id FROM studio_world WHERE owner = ?1)
        """,
      arguments: [id, heir]
    )
    try db.execute(sql: "UPDATE studio_world SET owner = ? WHERE owner = ?", arguments: [heir, id])
  }

  /// Removes an account's worlds with all that was published of them.
  static func removeAll(of id: Int64, _ db: any SQLConnection) throws {
    for world in try db.values(String.self, sql: "SELECT id FROM studio_world WHERE owner = ?", arguments: [id]) {
      for table in ["studio_copy", "studio_member", "studio_draft"] {
        try db.execute(sql: "DELETE FROM \(table) WHERE world = ?", arguments: [world])
      }
      try db.execute(sql: "DELETE FROM studio_world WHERE id = ?", arguments: [world])
      try SQLWorldStore.removeContent(of: world, db)
    }
  }

  /// What an account has drafted in worlds that stay is nobody's from now on.
  static func forget(author account: Account, _ db: any SQLConnection) throws {
    let isAuthor = try db.value(
      Bool.self,
      sql: """
        SELECT EXISTS (SELECT 1 FROM studio_draft WHERE author = ?1)
          OR EXISTS (SELECT 1 FROM studio_copy WHERE author = ?1)
        """,
      arguments: [account.id]
    )
    guard isAuthor == true else { return }
    // One row for all who ever were deleted: it cannot sign in, and no list shows it.
    try db.execute(
      sql: """
        INSERT INTO account (name, role, active, password, created_milliseconds) VALUES (?, 'author', 0, '', 0)
        ON CONFLICT (name) DO NOTHING
        """,
      arguments: [AccountName.deleted]
    )
    for table in ["studio_draft", "studio_copy"] {
      try db.execute(
        sql: "UPDATE \(table) SET author = (SELECT id FROM account WHERE name = ?) WHERE author = ?",
        arguments: [AccountName.deleted, account.id]
      )
    }
  }
}
