import Crypto
import Foundation
import GRDB
import SightlineInput
import SightlineTours

/// Something that was found in a database.
public struct DatabaseFinding: Equatable, Sendable {
  /// Whether something is wrong; otherwise it is worth a look.
  public var isError: Bool
  /// Where: a table, or a table and the key of a row.
  public var place: String
  /// What is the matter, a sentence.
  public var message: String
}

/// What a check has found.
public struct DatabaseCheckReport: Equatable, Sendable {
  /// The last migration that the database has been through.
  public var form: String
  /// What was found, in the order of looking.
  public var findings: [DatabaseFinding]
  /// Findings beyond those that are listed.
  public var omitted: Int
  /// Rows that were read.
  public var rows: Int64

  /// Whether nothing is wrong.
  public var isWhole: Bool { !findings.contains { $0.isError } && omitted == 0 }
}

/// Looks through a database: its form, its file or constraints, the values of all rows, and what this program's rules say of
/// them.
///
/// Changes nothing, and reads one state, also beside a server.
public struct DatabaseCheck: Sendable {
  private let location: DatabaseLocation
  private let place: (any AssetPlace)?
  private let limits: TransferLimits
  private let progress: @Sendable (String) -> Void

  /// A check that has not begun.
  ///
  /// - Parameters:
  ///   - location: Where the database is.
  ///   - place: Where files lie that are not in it.
  ///   - progress: Is told which table is read, on any thread.
  public init(
    _ location: DatabaseLocation,
    files place: (any AssetPlace)? = nil,
    progress: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.location = location
    self.place = place
    self.progress = progress
    limits = TransferLimits()
  }

  /// Looks.
  ///
  /// - Throws: Where the database cannot be opened at all.
  public func run() async throws -> DatabaseCheckReport {
    let (location, place, limits, progress) = (location, place, limits, progress)
    return try await TransferThread.run {
      var run = CheckRun(place, limits, progress)
      do {
        let side = try location.side()
        let pending = try side.pendingMigrations()
        try side.read { db in try run.run(pending, db) }
        return run.report(form: try side.read { db in try Self.form(db) })
      } catch let error as DatabaseError where Self.damage.contains(error.resultCode) {
        run.list.add("file", "it cannot be read: \(error.message ?? "\(error.resultCode)").")
        return run.report(form: "unknown")
      }
    }
  }

  /// What SQLite says of a file that is no database, or a broken one.
  private static let damage: [ResultCode] = [.SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_FORMAT, .SQLITE_ERROR]

  private static func form(_ db: any SQLConnection) throws -> String {
    let sql =
      db.dialect is SQLiteDialect
      ? "SELECT identifier FROM grdb_migrations ORDER BY rowid DESC LIMIT 1"
      : "SELECT CAST(number AS TEXT) || ' ' || name FROM sightline_migration ORDER BY number DESC LIMIT 1"
    let table = db.dialect is SQLiteDialect ? "grdb_migrations" : "sightline_migration"
    return try db.dialect.hasTable(table, db) ? db.value(String.self, sql: sql) ?? "none" : "none"
  }
}

/// Findings, as many as somebody reads.
struct FindingList {
  private static let (most, mostOfOneRule) = (500, 20)

  private(set) var findings: [DatabaseFinding] = []
  private(set) var omitted = 0

  mutating func add(_ place: String, _ message: String, isError: Bool = true) {
    guard findings.count < Self.most else {
      if isError { omitted += 1 }
      return
    }
    findings.append(DatabaseFinding(isError: isError, place: place, message: message))
  }

  /// Adds what a rule has found: rows whose columns are texts that name the row.
  mutating func add(_ table: String, keys: [String], _ message: String, isError: Bool = true) {
    for key in keys.prefix(Self.mostOfOneRule) { add("\(table) \(key)", message, isError: isError) }
    if keys.count > Self.mostOfOneRule {
      add(table, "there are \(keys.count - Self.mostOfOneRule) more such rows: \(message)", isError: isError)
    }
  }
}

/// One check, on its thread.
private struct CheckRun {
  var list = FindingList()
  var rows: Int64 = 0
  /// Files whose place nobody named.
  private var filesNotSeen = 0
  private let place: (any AssetPlace)?
  private let limits: TransferLimits
  private let progress: @Sendable (String) -> Void

  init(_ place: (any AssetPlace)?, _ limits: TransferLimits, _ progress: @escaping @Sendable (String) -> Void) {
    self.place = place
    self.limits = limits
    self.progress = progress
  }

  func report(form: String) -> DatabaseCheckReport {
    DatabaseCheckReport(form: form, findings: list.findings, omitted: list.omitted, rows: rows)
  }

  mutating func run(_ pending: [String], _ db: any SQLConnection) throws {
    if let copy = try UnfinishedCopy.find(db) {
      list.add("database", "it is a copy of \(copy.source) that is not finished. Finish it by the same command again.")
    }
    for name in pending {
      let message = "it has not been through the migration \(name). See: sightline database migrate"
      list.add("database", message, isError: false)
    }
    // Of a form that this program does not know, it knows no rules either.
    if db.dialect is SQLiteDialect || pending.isEmpty { try integrity(db) }
    guard list.findings.isEmpty else { return }
    for table in StoredTable.all {
      progress(table.name)
      try references(of: table, db)
      try values(of: table, db)
    }
    try rules(db)
  }

  // MARK: The database's own

  private mutating func integrity(_ db: any SQLConnection) throws {
    guard db.dialect is SQLiteDialect else { return try constraints(db) }
    progress("file")
    for row in try db.rows(sql: "PRAGMA integrity_check(100)") {
      let text: String = try row.value(0)
      if text != "ok" { list.add("file", text) }
    }
  }

  private mutating func constraints(_ db: any SQLConnection) throws {
    progress("constraints")
    let schema = "(SELECT relnamespace FROM pg_class WHERE oid = to_regclass('sightline_migration'))"
    let invalid = try db.values(
      String.self,
      sql: """
        SELECT CAST(conname AS TEXT) FROM pg_constraint WHERE connamespace = \(schema) AND NOT convalidated
        UNION ALL SELECT CAST(c.relname AS TEXT) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
          WHERE c.relnamespace = \(schema) AND NOT i.indisvalid
        UNION ALL SELECT CAST(t.tgname AS TEXT) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
          WHERE c.relnamespace = \(schema) AND t.tgenabled = 'D'
        """
    )
    list.add("constraint", keys: invalid, "it is not in force.")
    for table in StoredTable.all {
      let known = try db.value(
        Int.self,
        sql: "SELECT count(*) FROM pg_constraint WHERE conrelid = to_regclass(?) AND contype = 'f'",
        arguments: [table.name]
      )
      if let known, known < table.references.count {
        list.add(table.name, "\(table.references.count - known) of its foreign keys are missing.")
      }
      guard let column = table.numbered else { continue }
      let last = try db.dialect.lastNumber(of: table.name, column, db) ?? 0
      let highest = try db.value(Int64.self, sql: "SELECT max(\(column)) FROM \(table.name)") ?? 0
      if highest > last {
        list.add(table.name, "the next number of \(column) would be \(last.saturatingAdd(1)), but there is \(highest).")
      }
    }
  }

  private mutating func references(of table: StoredTable, _ db: any SQLConnection) throws {
    for reference in table.references {
      let isGiven = reference.columns.map { "c.\($0) IS NOT NULL" }.joined(separator: " AND ")
      let matches = zip(reference.columns, reference.parents).map { "p.\($1) = c.\($0)" }.joined(separator: " AND ")
      let keys = try keys(
        of: table,
        "FROM \(table.name) c WHERE \(isGiven) AND NOT EXISTS (SELECT 1 FROM \(reference.table) p WHERE \(matches))",
        db
      )
      list.add(
        table.name,
        keys: keys,
        "\(reference.columns.joined(separator: ", ")) names a row of \(reference.table) that is not there."
      )
    }
  }

  /// Keys of rows, for people.
  private func keys(
    of table: StoredTable,
    _ rest: String,
    _ db: any SQLConnection
  ) throws -> [String] {
    let binary = db.dialect is SQLiteDialect ? "lower(hex(c.%))" : "encode(c.%, 'hex')"
    let columns = table.key.map { name in
      table.columns.first { $0.name == name }?.type == .blob
        ? binary.replacing("%", with: name) : "CAST(c.\(name) AS TEXT)"
    }
    return try db.rows(sql: "SELECT \(columns.joined(separator: " || '/' || ")) \(rest)").map { row in
      String(((try row.value(0) as String?) ?? "NULL").prefix(100))
    }
  }

  /// Reads all rows, and compares digests.
  private mutating func values(of table: StoredTable, _ db: any SQLConnection) throws {
    let reader = TableReader(table, limits, db)
    let digest = ["asset": ("hash", "bytes"), "world_version": ("content_hash", "dimension")][table.name]
    let places = digest.flatMap { names in
      table.columns.firstIndex { $0.name == names.0 }.flatMap { hash in
        table.columns.firstIndex { $0.name == names.1 }.map { (hash: hash, bytes: $0) }
      }
    }
    let outside = table.columns.firstIndex { $0.name == "outside" }
    var key: [SQLValue]?
    while true {
      let batch: [[SQLValue]]
      do { batch = try reader.rows(after: key, db) } catch let error as TransferError {
        // What comes after it is not known: the reader goes by keys.
        guard case .row(let name, let key, let reason) = error else { throw error }
        return list.add("\(name) \(key)", reason)
      }
      guard let last = batch.last else { return }
      key = reader.key(last)
      rows = rows.saturatingAdd(Int64(batch.count))
      guard let places else { continue }
      for row in batch {
        guard case .blob(let hash) = row[places.hash], case .blob(let bytes) = row[places.bytes] else { continue }
        if let outside, case .text(let name) = row[outside], case .integer(let size) = row[outside + 1] {
          try lookOutside(hash, name, Int(clamping: size))
          continue
        }
        guard hash != Data(SHA256.hash(data: bytes)) else { continue }
        list.add("\(table.name) \(TransferKey.text(reader.key(row)))", "its content is not what its digest says.")
      }
    }
  }

  /// Whether a file that lies outside is there and is the one that was sent.
  private mutating func lookOutside(_ hash: Data, _ name: String, _ size: Int) throws {
    guard let place else {
      filesNotSeen += 1
      return
    }
    let subject = "asset \(TransferKey.text([.blob(hash)]))"
    do {
      guard let bytes = try TransferThread.wait({ try await place.read(name, size: max(0, size)) }) else {
        return list.add(subject, "its bytes are not in \(place).")
      }
      if Data(SHA256.hash(data: bytes)) != hash {
        list.add(subject, "its content in \(place) is not what its digest says.")
      }
    } catch let error as AssetPlaceError where !error.isPassing {
      list.add(subject, "\(error)")
    }
  }

  // MARK: The program's rules

  private mutating func rules(_ db: any SQLConnection) throws {
    progress("rules")
    for rule in DatabaseRules.all {
      guard let table = StoredTable.all.first(where: { $0.name == rule.table }) else { continue }
      list.add(
        rule.table,
        keys: try keys(of: table, "FROM \(rule.table) c WHERE \(rule.condition(db.dialect))", db),
        rule.message,
        isError: rule.isError
      )
    }
    try tallies(db)
    try missingFiles(db)
    if filesNotSeen > 0 {
      list.add(
        "asset",
        "\(filesNotSeen) files lie outside and were not looked at. Say where with --assets.",
        isError: false
      )
    }
  }

  private mutating func tallies(_ db: any SQLConnection) throws {
    let teams = try db.rows(sql: "SELECT run, number FROM tour_team ORDER BY run, number").map { row in
      (run: try row.value(0) as String, number: try row.value(1) as Int)
    }
    for team in teams {
      let place = "tour_tally \(TransferKey.text([.text(team.run)]))/\(team.number)"
      do {
        let events = try TourEventTable.events("run = ? AND team = ?", [team.run, team.number], db)
        let kept = try TourTallyTable.tallies(run: team.run, team: team.number, db)
        let sums = StationTally.of(events.map(\.record))
        for station in Set(sums.keys).union(kept.keys).sorted() where kept[station] != sums[station] {
          list.add("\(place)/\(TransferKey.text([.text(station)]))", "the sums are not those of the team's events.")
        }
      } catch {
        list.add(place, "its events cannot be read: \(error).")
      }
    }
  }

  /// Documents that show a file which is not there.
  private mutating func missingFiles(_ db: any SQLConnection) throws {
    let rows = try db.rows(
      sql: """
        SELECT DISTINCT kind, CAST(key AS TEXT), hash FROM asset_reference r
        WHERE NOT EXISTS (SELECT 1 FROM asset a WHERE substr(a.hash, 1, \(AssetReferences.keptBytes)) = r.hash)
        """
    )
    for row in rows {
      guard let document = try DocumentKey(row), let content = try DocumentIndex.content(of: document, db) else {
        continue
      }
      let start = Data("/assets/\((try row.value(2) as Data).hexadecimal)".utf8)
      // A digest that only looks like a file's is no reference to one.
      guard content.range(of: start) != nil else { continue }
      list.add(
        "\(document.kind.table) \(TransferKey.text([document.key]))",
        "it shows the file \(String(decoding: start, as: UTF8.self))…, which is not there.",
        isError: false
      )
    }
  }
}
