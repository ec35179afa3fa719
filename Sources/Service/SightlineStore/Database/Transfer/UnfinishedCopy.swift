/// How far a copy is: a row in a table of the target, which is removed at the end.
///
/// It changes in the transactions that write rows, so that it says what is there. A database that has it belongs to no
/// server yet.
struct UnfinishedCopy: Equatable {
  static let table = "database_copy"

  /// Where it comes from; ``DatabaseLocation/identity``.
  var source: String
  /// The step that is being done.
  var step: String
  /// The key of the last row of it that is done; empty at its beginning.
  var position: String
  /// Rows that were copied.
  var rows: Int64

  /// What is left of a copy in a database; `nil` in a whole one.
  static func find(_ db: any SQLConnection) throws -> UnfinishedCopy? {
    guard try db.dialect.hasTable(table, db) else { return nil }
    let row = try db.row(sql: "SELECT source, step, position, copied FROM \(table) WHERE id = 1")
    return try row.map {
      UnfinishedCopy(source: try $0.value(0), step: try $0.value(1), position: try $0.value(2), rows: try $0.value(3))
    }
  }

  /// Writes down that a copy has begun.
  func begin(_ db: any SQLConnection) throws {
    try db.execute(
      sql: """
        CREATE TABLE \(Self.table) (
          id BIGINT PRIMARY KEY CHECK (id = 1),
          source TEXT NOT NULL,
          step TEXT NOT NULL,
          position TEXT NOT NULL,
          copied BIGINT NOT NULL
        )
        """
    )
    try db.execute(
      sql: "INSERT INTO \(Self.table) (id, source, step, position, copied) VALUES (1, ?, ?, ?, ?)",
      arguments: [source, step, position, rows]
    )
  }

  /// Goes on to another place.
  ///
  /// - Returns: Whether the copy was where this one thinks; otherwise somebody else goes on with it.
  func advance(to next: UnfinishedCopy, _ db: any SQLConnection) throws -> Bool {
    let changes = try db.execute(
      sql: "UPDATE \(Self.table) SET step = ?, position = ?, copied = ? WHERE id = 1 AND step = ? AND position = ?",
      arguments: [next.step, next.position, next.rows, step, position]
    )
    return changes == 1
  }

  static func end(_ db: any SQLConnection) throws { try db.execute(sql: "DROP TABLE \(table)") }
}
