import Foundation
import GRDB
import Synchronization

/// One SQLite file with all that a server keeps: its connections, its form, and its transactions.
///
/// The stores lie over it, one for each aggregate (``Stores/init(_:)``). What spans several of them in one transaction is
/// a function of the one whose operation it is, which hands its transaction to the others'.
///
/// WAL journal with `synchronous = FULL`: a transaction is on the disk when its call returns, so nothing confirmed is
/// lost on kill -9 or a power cut; readers never wait for the writer. Other processes (`sightline import`) may write
/// at the same time; a writer waits for another for up to five seconds. The file and its journal may be read by nobody
/// but the user it belongs to.
public final class SQLiteDatabase: SQLDatabase {
  let pool: DatabasePool
  private let isClosed = Atomic(false)
  let origin = Int64.random(in: 1 ... .max)
  /// What it is doing.
  public let metrics = StoreMetrics()
  /// Whether a newer program has changed the file, in a way that leaves this one in.
  public let hasNewerForm: Bool
  /// The stores over this file.
  public var stores: Stores { Stores(over: self) }

  /// Opens the file, makes it when there is none, and brings it to the present form.
  ///
  /// - Throws: ``StoreError/newerDatabase(_:)`` when a newer program has changed the file so that this one must not use it,
  ///   ``StoreError/unfinishedCopy(_:)`` when the file is one.
  public convenience init(path: String) throws { try self.init(path: path, mayBeUnfinished: false) }

  /// Opens the file; what a copy has begun in it is left as it is, where that may be there.
  init(path: String, mayBeUnfinished: Bool, migrations: DatabaseMigrator = Migrations.all) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.foreignKeysEnabled = true
    configuration.maximumReaderCount = 4
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA cache_size = -16384; PRAGMA mmap_size = 268435456")
      // Those that only read may not even ask for it.
      guard !db.configuration.readonly else { return }
      // What is deleted is overwritten; a new file gives its free pages back (an old one's form stays as it is).
      try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA secure_delete = ON")
    }
    // It holds hashes of passwords, secrets and positions: it is for the one who runs the server.
    try PrivateFile.prepare(path)
    pool = try DatabasePool(path: path, configuration: configuration)
    // After the pool has turned on the write-ahead log, for it then sets NORMAL, where a power cut may take back the
    // last transactions. The pool keeps its one writing connection for ever.
    try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
    hasNewerForm = try pool.read { db in try CompatibleMigration.isNewer(db, than: migrations, path) }
    if try pool.read({ db in try UnfinishedCopy.find(SQLiteConnection(database: db)) }) != nil {
      guard mayBeUnfinished else { throw StoreError.unfinishedCopy(path) }
      return
    }
    // One that is newer has been through all of them.
    if !hasNewerForm { try migrations.migrate(pool) }
  }

  /// Names of the migrations that opening a file would carry out; changes nothing.
  ///
  /// - Throws: ``StoreError/newerDatabase(_:)`` when a newer program has changed the file so that this one must not use it.
  public static func pendingMigrations(path: String) throws -> [String] {
    try pendingMigrations(path: path, mayBeNewer: true)
  }

  /// The same; what reads all tables that there are must know all of them.
  static func pendingMigrations(path: String, mayBeNewer: Bool) throws -> [String] {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let migrations = Migrations.all
    return try queue.read { db in
      if try CompatibleMigration.isNewer(db, than: migrations, path), !mayBeNewer {
        throw StoreError.newerDatabase(path)
      }
      let done = try migrations.appliedIdentifiers(db)
      return migrations.migrations.filter { !done.contains($0) }
    }
  }

  /// Writes the journal into the file and closes it.
  ///
  /// Calls in flight end first; later ones fail. A second time does nothing.
  public func close() throws {
    guard !isClosed.exchange(true, ordering: .sequentiallyConsistent) else { return }
    // A checkpoint that another process's reader prevents is no loss: the journal is read at the next start.
    _ = try? pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
    try pool.close()
  }

  /// A file is for one server; others that use it beside are noticed by asking.
  var isShared: Bool { false }

  /// A file is written or it is not.
  var unknownOutcomes: Int { 0 }

  /// SQLite tells other processes nothing.
  func listen(_ onChange: @escaping @Sendable () -> Void) -> (any ChangeListener)? { nil }

  // MARK: Transactions

  /// Reads in one transaction: a state between two writers, never half of one.
  func read<Value: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> Value) async throws -> Value {
    try checkOpen()
    return try await metrics.measure(.read) { call in
      try await pool.read { [metrics, origin] db in
        call.begin()
        return try body(SQLiteConnection(database: db, origin: origin, metrics: metrics))
      }
    }
  }

  /// Writes in one transaction; all of it is on the disk when the call returns, or nothing is done when it throws.
  func write<Value: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> Value) async throws -> Value {
    try checkOpen()
    return try await metrics.measure(.write) { call in
      try await pool.write { [metrics, origin] db in
        call.begin()
        return try body(SQLiteConnection(database: db, origin: origin, metrics: metrics))
      }
    }
  }

  /// A closed connection is one that must not be touched: SQLite does not look.
  private func checkOpen() throws {
    guard !isClosed.load(ordering: .sequentiallyConsistent) else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the database was closed")
    }
  }

  // MARK: The file

  /// What was deleted is to be gone from the journal too, as far as readers let it.
  func forgetRemoved() async {
    _ = try? await pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
  }

  /// Most pages that are given back in one transaction.
  private static let pagesAtOnce = 1000

  /// Gives the database's free pages back to the disk, as far as the file was made for it.
  ///
  /// Files of older programs keep theirs and use them again; see ``compact()``.
  func shrink() async throws -> (before: Int, after: Int) {
    func size() async throws -> (bytes: Int, free: Int, mode: Int) {
      try await pool.writeWithoutTransaction { db in
        let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        let page = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
        return (
          pages.saturatingMultiply(page), try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0,
          try Int.fetchOne(db, sql: "PRAGMA auto_vacuum") ?? 0
        )
      }
    }
    let before = try await size()
    var now = before
    while now.mode == 2, now.free > 0 {
      try Task.checkCancellation()
      try await pool.writeWithoutTransaction { db in
        _ = try Row.fetchAll(db, sql: "PRAGMA incremental_vacuum(\(Self.pagesAtOnce))")
      }
      let next = try await size()
      guard next.free < now.free else { break }
      now = next
    }
    await forgetRemoved()
    return (before.bytes, now.bytes)
  }

  /// Writes the whole file anew, without free pages and in the form that gives them back by itself from then on.
  ///
  /// Needs as much room on the disk again, and others who write wait for it: for a program of its own, not for a server.
  public func compact() async throws {
    try await pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
      try db.execute(sql: "VACUUM")
    }
    await forgetRemoved()
  }
}
