import Foundation
import GRDB

/// A store in one SQLite file.
///
/// WAL journal with `synchronous = FULL`: a transaction is on the disk when its call returns, so nothing confirmed is
/// lost on kill -9 or a power cut; readers never wait for the writer. Other processes (`sightline import`) may write
/// at the same time; a writer waits for another for up to five seconds. The file and its journal may be read by nobody
/// but the user it belongs to.
public final class SQLiteStore: ServerStore {
  let pool: DatabasePool
  let submissions = SubmissionQueue()

  /// Opens the file, makes it when there is none, and brings it to the present form.
  ///
  /// - Throws: ``StoreError/newerDatabase(_:)`` when a newer program has changed the file.
  public init(path: String) throws {
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
    let migrations = Migrations.all
    if try pool.read(migrations.hasBeenSuperseded) { throw StoreError.newerDatabase(path) }
    try migrations.migrate(pool)
  }

  /// Writes the journal into the file and closes it.
  ///
  /// Calls in flight end first; later ones fail.
  public func close() throws {
    // A checkpoint that another process's reader prevents is no loss: the journal is read at the next start.
    _ = try? pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
    try pool.close()
  }

  /// The next generation number, inside the writer's transaction.
  static func nextGeneration(_ db: Database) throws -> Int64 {
    try db.execute(sql: "UPDATE generation SET value = value + 1 WHERE id = 1")
    return try generation(db)
  }

  static func generation(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(db, sql: "SELECT value FROM generation WHERE id = 1") ?? 0
  }

  /// Number of the store's latest change.
  public func generation() async throws -> Int64 { try await pool.read { db in try Self.generation(db) } }
}
