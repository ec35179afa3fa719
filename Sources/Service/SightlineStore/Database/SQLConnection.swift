import Foundation

/// One database with all that a server keeps, as whoever opens it knows it.
public protocol StoreDatabase: Sendable {
  /// The stores over it.
  var stores: Stores { get }

  /// What it is doing.
  var metrics: StoreMetrics { get }

  /// Whether a newer program has changed it, in a way that leaves this one in.
  var hasNewerForm: Bool { get }

  /// Ends its connections.
  ///
  /// Calls in flight end first; later ones fail. A second time does nothing.
  func close() throws

  /// Writes all of it anew, without gaps: for a program of its own, not for a server, as whoever writes waits for it.
  func compact() async throws
}

/// A database that the stores' SQL runs on.
///
/// The stores lie over it, one for each aggregate (``Stores``), and their SQL is written once, in what all databases
/// have in common; where they differ, ``SQLDialect`` says how. What spans several stores in one transaction is a function of
/// the one whose operation it is, which hands its connection to the others'.
protocol SQLDatabase: StoreDatabase {
  /// Names this process among those that use the database; chosen at random when it is opened.
  var origin: Int64 { get }

  /// Whether several servers use it as a rule.
  var isShared: Bool { get }

  /// How often a commit's outcome stayed unknown.
  var unknownOutcomes: Int { get }

  /// Begins to listen for changes; see ``ChangeStore/listen(_:)``.
  func listen(_ onChange: @escaping @Sendable () -> Void) -> (any ChangeListener)?

  /// Reads in one transaction: a state between two writers, never half of one.
  func read<Value: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> Value) async throws -> Value

  /// Writes in one transaction, one at a time over all processes: what the body has read stays so until its end. All of it
  /// is on the disk when the call returns, or nothing is done when it throws.
  ///
  /// The body may run twice, where its first transaction was taken back by the database: it does nothing but read and
  /// write there.
  func write<Value: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> Value) async throws -> Value

  /// What was deleted is to be gone from the disk too, as far as the database and its readers let it.
  func forgetRemoved() async

  /// Gives free room back to the disk, as far as the database can while it is in use.
  ///
  /// - Returns: Its bytes before and after.
  func shrink() async throws -> (before: Int, after: Int)
}

/// A connection inside a transaction.
///
/// Statements are written with `?` for each argument in turn, or `?1`, `?2` … for arguments by number, and are kept
/// prepared: their texts come from the program, and there are only so many of them.
protocol SQLConnection {
  /// Where this database's SQL differs from others'.
  var dialect: any SQLDialect { get }

  /// Names this process in the outbox.
  var origin: Int64 { get }

  /// Runs a statement.
  ///
  /// - Returns: How many rows it changed.
  @discardableResult
  func execute(sql: String, arguments: SQLArguments) throws -> Int

  /// Runs a statement once for each list of arguments, in order.
  func executeEach(sql: String, _ arguments: some Sequence<SQLArguments>) throws

  /// The rows of a statement.
  func rows(sql: String, arguments: SQLArguments) throws -> [SQLRow]

  /// Goes through the rows of a statement without keeping them; the body runs no other statement meanwhile.
  func forEachRow(sql: String, arguments: SQLArguments, _ body: (SQLRow) throws -> Void) throws

  /// Does something whose failure takes back nothing but itself.
  ///
  /// - Returns: What it gave, or the error it failed with.
  /// - Throws: When the whole transaction is lost.
  func savepoint<Value>(_ body: () throws -> Value) throws -> Result<Value, any Error>
}

extension SQLConnection {
  @discardableResult
  func execute(sql: String) throws -> Int { try execute(sql: sql, arguments: []) }

  func rows(sql: String) throws -> [SQLRow] { try rows(sql: sql, arguments: []) }

  /// The first row.
  func row(sql: String, arguments: SQLArguments = []) throws -> SQLRow? {
    try rows(sql: sql, arguments: arguments).first
  }

  /// The first column of the first row; `nil` without a row, and for NULL.
  func value<Value: SQLColumn>(_ type: Value.Type, sql: String, arguments: SQLArguments = []) throws -> Value? {
    guard let row = try row(sql: sql, arguments: arguments) else { return nil }
    return try row.value(0)
  }

  /// The first column of every row.
  func values<Value: SQLColumn>(_ type: Value.Type, sql: String, arguments: SQLArguments = []) throws -> [Value] {
    try rows(sql: sql, arguments: arguments).map { try $0.value(0) }
  }

  /// The number that a row was given by a statement that returns it.
  func insertedNumber(sql: String, arguments: SQLArguments) throws -> Int64 {
    guard let number = try value(Int64.self, sql: sql, arguments: arguments) else {
      throw StoreError.notEncodable("the row was not written.")
    }
    return number
  }
}

/// The counter of changes, the same for all stores of a database.
enum Generation {
  /// The next number, inside the writer's transaction.
  static func next(_ db: any SQLConnection) throws -> Int64 {
    try SQLChangeStore.add(.worlds, "", db)
    return try db.value(Int64.self, sql: "UPDATE generation SET value = value + 1 WHERE id = 1 RETURNING value") ?? 0
  }

  /// Number of the latest change.
  static func current(_ db: any SQLConnection) throws -> Int64 {
    try db.value(Int64.self, sql: "SELECT value FROM generation WHERE id = 1") ?? 0
  }
}
