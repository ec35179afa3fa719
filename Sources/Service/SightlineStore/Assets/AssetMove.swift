import Crypto
import Foundation
import SightlineInput

/// Brings the bytes of all files to one place, from the database or from another place.
///
/// Each file is one change: its bytes are there, looked at and safe before its row says so, and are removed from where they were
/// after that. One that is interrupted goes on when it is begun again. Between the database and a place it may run beside servers
/// that know the place; from place to place it may not, as a server knows one.
public struct AssetMove: Sendable {
  private let database: any SQLDatabase
  private let source: (any AssetPlace)?
  private let target: (any AssetPlace)?
  private let sweeps: Bool

  /// What was moved.
  public struct Report: Equatable, Sendable {
    /// Files that were moved.
    public var files = 0
    /// Their bytes.
    public var bytes = 0
    /// What could not be moved, a sentence for each.
    public var failures: [String] = []
  }

  /// - Parameters:
  ///   - database: Where the files' rows are.
  ///   - source: Where files are that lie outside it; `nil` when all are in it.
  ///   - target: Where they are to be; `nil` for the database.
  public init?(_ database: any StoreDatabase, from source: (any AssetPlace)?, to target: (any AssetPlace)?) {
    self.init(database, from: source, to: target, sweeps: true)
  }

  /// The same; without sweeping, files stay where they were too: a backup's are another database's.
  init?(
    _ database: any StoreDatabase,
    from source: (any AssetPlace)?,
    to target: (any AssetPlace)?,
    sweeps: Bool
  ) {
    guard let database = database as? any SQLDatabase else { return nil }
    self.database = database
    self.source = source
    self.target = target
    self.sweeps = sweeps
  }

  /// Moves them.
  ///
  /// - Parameter progress: Is told how many files were moved.
  /// - Returns: What was moved, and what could not be.
  /// - Throws: What keeps the database from it; what was moved until then stays moved.
  public func run(progress: @escaping @Sendable (Int) -> Void = { _ in }) async throws -> Report {
    var report = Report()
    var last = Data()
    // What arrives meanwhile may sort before; whoever sends it knows where it belongs.
    while true {
      try Task.checkCancellation()
      let former = last
      let isInside = target != nil && source == nil
      let condition = target == nil ? "outside IS NOT NULL AND" : isInside ? "outside IS NULL AND" : ""
      let row = try await database.read { db in
        try db.row(
          sql: """
            SELECT hash, outside, coalesce(outside_bytes, length(bytes)) FROM asset WHERE \(condition) hash > ?
            ORDER BY hash LIMIT 1
            """,
          arguments: [former]
        ).map { (hash: try $0.value(0) as Data, name: try $0.value(1) as String?, size: try $0.value(2) as Int) }
      }
      guard let row else { break }
      last = row.hash
      do {
        guard try await move(row.hash, row.name, row.size) else { continue }
        report.files += 1
        report.bytes = report.bytes.saturatingAdd(row.size)
        progress(report.files)
      } catch let error as AssetPlaceError {
        report.failures.append("\(error)")
        // A place that is away is away for all.
        if error.isPassing { break }
      }
    }
    if sweeps, let source { try await AssetLeftovers.sweep(database, source, at: Date()) }
    return report
  }

  /// - Returns: Whether it was moved; it may have been removed meanwhile.
  private func move(_ hash: Data, _ name: String?, _ size: Int) async throws -> Bool {
    let bytes: Data?
    if let name {
      guard let source else { throw AssetPlaceError.notNamed(hash.hexadecimal) }
      guard let found = try await source.read(name, size: size) else {
        // An earlier run has brought it there.
        if let target, try await target.read(name, size: size) != nil { return false }
        throw AssetPlaceError.lost(hash.hexadecimal, place: source.description)
      }
      bytes = found
    } else {
      bytes = try await database.read { db in
        try db.value(Data.self, sql: "SELECT bytes FROM asset WHERE hash = ? AND outside IS NULL", arguments: [hash])
      }
    }
    guard let bytes else { return false }
    guard Data(SHA256.hash(data: bytes)) == hash else {
      throw AssetPlaceError.damaged(hash.hexadecimal, place: name == nil ? "the database" : source?.description ?? "")
    }
    var new: String?
    if let target {
      let made = AssetName.new(for: hash)
      new = made
      try await database.write { db in try AssetLeftovers.add([made], at: Date().milliseconds, db) }
      try await target.write(bytes, name: made)
    }
    let place = new
    return try await database.write { db in
      let changed = try db.execute(
        sql: """
          UPDATE asset SET bytes = ?, outside = ?, outside_bytes = ?
          WHERE hash = ? AND outside IS NOT DISTINCT FROM ?
          """,
        arguments: [place == nil ? bytes : Data(), place, place == nil ? nil : bytes.count, hash, name]
      )
      guard changed == 1 else { return false }
      if let place { try AssetLeftovers.takeOut(place, db) }
      if let name { try AssetLeftovers.add([name], at: 0, db) }
      return true
    }
  }
}
