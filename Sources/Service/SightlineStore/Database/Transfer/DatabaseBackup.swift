import Foundation
import GRDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Saves a database to a file of SQLite, and brings one back.
///
/// The file is a whole database: it is looked through before it has its name, may be read by nobody but its owner, and can be
/// brought back into a database of either kind.
public struct DatabaseBackup: Sendable {
  private let place: (any AssetPlace)?
  private let packsFiles: Bool
  private let progress: @Sendable (CopyProgress) -> Void

  /// - Parameters:
  ///   - place: Where files lie that are not in the database.
  ///   - packsFiles: Whether the backup has those in it; without, it has their names alone.
  ///   - progress: Is told how far it is, on any thread.
  public init(
    files place: (any AssetPlace)? = nil,
    packsFiles: Bool = true,
    progress: @escaping @Sendable (CopyProgress) -> Void = { _ in }
  ) {
    self.place = place
    self.packsFiles = packsFiles
    self.progress = progress
  }

  /// Saves a database, also one that a server uses: as it was at one moment.
  ///
  /// - Parameters:
  ///   - source: The database.
  ///   - path: The file, which must not be there.
  /// - Returns: Rows in the file.
  /// - Throws: ``TransferError``, ``AssetPlaceError``, or what a database says; then there is no file.
  public func save(_ source: DatabaseLocation, to path: String) async throws -> Int64 {
    guard !FileManager.default.fileExists(atPath: path) else { throw TransferError.inTheWay(path) }
    // Beside it, for a name that is only given to what is whole; an interrupted one's is written over.
    let part = path + ".part"
    Self.remove(part)
    defer { Self.remove(part) }
    try PrivateFile.prepare(part)
    switch source {
    case .file(let file): try await TransferThread.run { try Self.copyPages(of: file, to: part) }
    case .postgres: _ = try await DatabaseCopy(from: source, to: .file(part), progress: progress).run()
    }
    if packsFiles { try await pack(part) }
    try await TransferThread.run { try Self.closeJournal(of: part) }
    let report = try await DatabaseCheck(.file(part), files: place).run()
    guard report.isWhole else {
      throw TransferError.damaged(
        source.description,
        findings: report.findings.filter(\.isError).prefix(5).map { "\($0.place): \($0.message)" }
      )
    }
    Self.removeJournal(of: part)
    try Self.rename(part, to: path)
    return report.rows
  }

  /// Brings a file back into a new or empty database.
  ///
  /// - Parameters:
  ///   - path: The file; it is not changed. One of an older program is brought to the present form in a copy.
  ///   - target: The database.
  /// - Returns: What was copied.
  /// - Throws: ``TransferError``, ``StoreError``, or what a database says.
  public func restore(_ path: String, to target: DatabaseLocation) async throws -> CopyReport {
    guard FileManager.default.fileExists(atPath: path) else { throw TransferError.missing(path) }
    if try SQLiteDatabase.pendingMigrations(path: path, mayBeNewer: false).isEmpty {
      try await check(path)
      return try await DatabaseCopy(from: .file(path), to: target, progress: progress).run()
    }
    // The name says whose it is, so that an interrupted copy goes on.
    let working = path + ".present"
    Self.remove(working)
    defer { Self.remove(working) }
    try PrivateFile.prepare(working)
    try await TransferThread.run { try Self.copyPages(of: path, to: working) }
    try SQLiteDatabase(path: working).close()
    try await check(working)
    return try await DatabaseCopy(from: .file(working), to: target, progress: progress).run()
  }

  /// Brings files that lie outside into a database.
  private func pack(_ part: String) async throws {
    // A database of an older program has none outside.
    guard try SQLiteDatabase.pendingMigrations(path: part, mayBeNewer: false).isEmpty else { return }
    let database = try SQLiteDatabase(path: part)
    defer { try? database.close() }
    let count = try await database.read { db in
      try db.value(Int64.self, sql: "SELECT count(*) FROM asset WHERE outside IS NOT NULL") ?? 0
    }
    guard count > 0 else { return }
    guard place != nil else {
      throw AssetPlaceError.refused(
        "a place outside the database",
        reason: "\(count) files lie there. Say where with --assets, or leave them out with --without-assets."
      )
    }
    guard let move = AssetMove(database, from: place, to: nil, sweeps: false) else { return }
    let progress = progress
    let report = try await move.run { files in
      progress(CopyProgress(step: "files", isComparing: false, rows: Int64(files), total: count))
    }
    guard report.failures.isEmpty else {
      throw TransferError.damaged("the files", findings: Array(report.failures.prefix(5)))
    }
    // They are another database's to remove.
    _ = try await database.write { db in try db.execute(sql: "DELETE FROM asset_leftover") }
  }

  private func check(_ path: String) async throws {
    let report = try await DatabaseCheck(.file(path), files: place).run()
    guard report.isWhole else {
      throw TransferError.damaged(
        path,
        findings: report.findings.filter(\.isError).prefix(5).map { "\($0.place): \($0.message)" }
      )
    }
  }

  // MARK: Files

  /// All pages in one step, which reads one state; those who write meanwhile are not kept waiting.
  private static func copyPages(of source: String, to path: String) throws {
    guard FileManager.default.fileExists(atPath: source) else { throw TransferError.missing(source) }
    let from = try SQLiteSide(source, forWriting: false)
    if let copy = try from.read({ db in try UnfinishedCopy.find(db) }) {
      throw TransferError.unfinishedSource(source, of: copy.source)
    }
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    let to = try DatabaseQueue(path: path, configuration: configuration)
    try from.queue.backup(to: to)
    try to.close()
  }

  /// One file alone, without a journal beside it, so that it can be moved and read anywhere.
  private static func closeJournal(of path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE") }
    try queue.close()
  }

  private static func removeJournal(of path: String) {
    for ending in ["-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + ending) }
  }

  private static func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
    removeJournal(of: path)
  }

  /// On the disk first, then under its name, never over another file.
  private static func rename(_ part: String, to path: String) throws {
    try sync(part)
    guard link(part, path) == 0 else {
      if errno == EEXIST { throw TransferError.inTheWay(path) }
      // A file system without links.
      guard !FileManager.default.fileExists(atPath: path) else { throw TransferError.inTheWay(path) }
      try FileManager.default.moveItem(atPath: part, toPath: path)
      return
    }
    try? sync(URL(fileURLWithPath: path).deletingLastPathComponent().path)
  }

  private static func sync(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}
