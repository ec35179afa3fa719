import Foundation
import GRDB
import Synchronization

/// Where a database is.
public enum DatabaseLocation: Sendable, CustomStringConvertible {
  /// A file of SQLite.
  case file(String)
  /// A database of a PostgreSQL server.
  case postgres(PostgresLocation)

  /// What people call it: a path, or an address without its password.
  public var description: String {
    switch self {
    case .file(let path): path
    case .postgres(let location): location.description
    }
  }

  /// The same for the same place, from whichever folder it is named.
  var identity: String {
    switch self {
    case .file(let path): URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    case .postgres(let location): location.description
    }
  }
}

/// A database as copying and checking use it: one connection of its own, on one thread, whose calls wait.
///
/// A copy reads its source in one transaction that may take hours, beside the writing transactions of its target; the
/// stores' connections are made for many short ones.
protocol TransferSide: AnyObject {
  /// What people call it.
  var name: String { get }

  /// Reads one state, however long it takes.
  func read<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value

  /// Writes in one transaction, all of it or nothing.
  func write<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value

  /// Names of the migrations that it has not been through.
  ///
  /// - Throws: ``StoreError/newerDatabase(_:)`` when it has been through others, which may have added what is not known here.
  func pendingMigrations() throws -> [String]
}

extension DatabaseLocation {
  /// Connects to what is there; changes nothing.
  func side(forWriting: Bool = false) throws -> any TransferSide {
    switch self {
    case .file(let path):
      guard FileManager.default.fileExists(atPath: path) else {
        throw TransferError.missing(path)
      }
      return try SQLiteSide(path, forWriting: forWriting)
    case .postgres(let location): return try PostgresSide(location)
    }
  }

  /// Makes the database where there is none, and brings it to the present form, unless a copy of it was begun already.
  func prepare() async throws {
    switch self {
    case .file(let path): try SQLiteDatabase(path: path, mayBeUnfinished: true).close()
    case .postgres(let location):
      try await PostgresDatabase.open(location, mustExist: false, mayBeUnfinished: true).close()
    }
  }
}

/// A file of SQLite.
final class SQLiteSide: TransferSide {
  let name: String
  let queue: DatabaseQueue

  init(_ path: String, forWriting: Bool) throws {
    name = path
    var configuration = Configuration()
    configuration.readonly = !forWriting
    configuration.busyMode = .timeout(30)
    configuration.foreignKeysEnabled = true
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA cache_size = -16384")
      guard forWriting else { return }
      try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
    }
    queue = try DatabaseQueue(path: path, configuration: configuration)
  }

  func read<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value {
    try queue.read { db in try body(SQLiteConnection(database: db)) }
  }

  func write<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value {
    var value: Value?
    try queue.writeWithoutTransaction { db in
      // At once the one who writes: what is read first stays so.
      try db.inTransaction(.immediate) {
        value = try body(SQLiteConnection(database: db))
        return .commit
      }
    }
    guard let value else { throw CancellationError() }
    return value
  }

  func pendingMigrations() throws -> [String] { try SQLiteDatabase.pendingMigrations(path: name, mayBeNewer: false) }

  deinit { try? queue.close() }
}

/// A database of a PostgreSQL server.
final class PostgresSide: TransferSide {
  let name: String
  private let session: PostgresSession

  init(_ location: PostgresLocation) throws {
    name = location.description
    var settings = PostgresSettings()
    // Of a table of any size; and the source rests while the target writes.
    settings.statementTimeout = 0
    settings.idleTimeout = 0
    settings.lockTimeout = 30_000
    session = try PostgresSession(location, settings)
  }

  func read<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value {
    try transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", body)
  }

  func write<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value {
    try transaction(
      "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT pg_advisory_xact_lock(\(PostgresDatabase.writerLock))",
      body
    )
  }

  private func transaction<Value>(_ begin: String, _ body: (any SQLConnection) throws -> Value) throws -> Value {
    try session.command(begin)
    do {
      let value = try body(PostgresConnection(session: session))
      guard try session.command("COMMIT").command == "COMMIT" else { throw PostgresError.lost(name) }
      return value
    } catch {
      if !session.isBroken { _ = try? session.command("ROLLBACK") }
      throw error
    }
  }

  func pendingMigrations() throws -> [String] {
    let form = try PostgresMigrations.form(session, name)
    guard !form.isNewer else { throw StoreError.newerDatabase(name) }
    return form.pending.map(\.title)
  }
}

/// Does something that waits on a thread of its own: Swift's tasks share few threads.
enum TransferThread {
  static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let thread = Thread { continuation.resume(with: Result { try body() }) }
      thread.name = "sightline-transfer"
      // Documents are decoded there, which goes deep.
      thread.stackSize = 8 << 20
      thread.start()
    }
  }
  /// Waits for what a task does, on such a thread.
  static func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let outcome = Outcome<Value>()
    Task {
      do { outcome.set(.success(try await body())) } catch { outcome.set(.failure(error)) }
    }
    return try outcome.get()
  }
}

/// What a task has come to, for the thread that waits for it.
private final class Outcome<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  func set(_ new: Result<Value, any Error>) {
    result.withLock { $0 = new }
    isThere.signal()
  }

  func get() throws -> Value {
    isThere.wait()
    guard let result = result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}
