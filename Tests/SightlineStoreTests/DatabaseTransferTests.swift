import Foundation
import GRDB
import SightlineContent
import SightlineTestSupport
import Testing

@testable import SightlineStore

/// Copying databases of both kinds into one another.
@Suite(.timeLimit(.minutes(10))) struct DatabaseTransferTests {
  /// Both ways, and each to itself.
  static let ways = Backend.all.flatMap { from in Backend.all.map { (from, $0) } }

  /// What stands for a zero character in PostgreSQL; Swift has no notation for it.
  private static let mark = String(decoding: [0xEF, 0xB7, 0x90], as: UTF8.self)
  private static let hostile = "a\0b\(mark)\(mark)'\"\\\r\n\u{202E}e\u{301}\u{10FFFF}"

  /// Rows in every table, among them what databases keep differently.
  static func fill(_ store: TestStore) async throws {
    try await DamagedDatabaseTests.fill(store.stores)
    // A number that is gone is not given again.
    let gone = try #require(try await store.stores.accounts.addAccount(name: "gone", role: .author, password: "-"))
    _ = try await store.stores.accounts.deleteAccount(gone.id, transferringTo: nil)
    for bytes in [Data(), Data(repeating: 0xA7, count: 3_000_000)] {
      _ = try await store.stores.assets.saveAsset(bytes, mediaType: "model/gltf-binary")
      _ = try await store.stores.assets.saveAsset(bytes, mediaType: "model/gltf-binary")
    }
    let run = try await store.database.read { db in try db.value(String.self, sql: "SELECT id FROM tour_run") } ?? ""
    try await store.database.write { db in
      let events = (1...40).map { (index: Int64) -> [SQLValue] in
        let account: SQLValue = index == 1 ? .null(.integer) : .integer(.min)
        let start: [SQLValue] = [.integer(9_000_000_000_000_000_000 + index), .integer(index == 1 ? .max : .min)]
        return start + [.text("k"), .integer(0), account, .integer(.max), .text(""), .text("\0"), .text(hostile)]
      }
      try write("security_event", events, db)
      let numbers: [Double] = [
        0, -0.0, .leastNonzeroMagnitude, 1.797_693_134_862_315_7e308, .infinity, -.infinity, 0.1,
      ]
      let places = numbers.enumerated().map { index, number -> [SQLValue] in
        let start: [SQLValue] = [.text("ulm"), .integer(100 + Int64(index)), .null(.text), .text(hostile)]
        return start + [.real(number), .real(-number), .null(.real)]
      }
      try write("place", places, db)
      let outside = AssetName.new(for: Data(repeating: 9, count: 32))
      let asset: [SQLValue] = [.blob(Data(repeating: 9, count: 32)), .text("image/png"), .integer(0), .blob(Data())]
      try write("asset", [asset + [.text(outside), .integer(5)]], db)
      try write("asset_leftover", [[.text(AssetName.new(for: Data(count: 32))), .integer(.min)]], db)
      // In another order on the other side.
      let names = ["a\0z", "a\u{1}z", "a\(mark)", "a\u{FFFD}", "a\u{10000}", hostile]
      try write("poster_category", names.map { name -> [SQLValue] in [.integer(1), .text(name)] }, db)
      let sums: [SQLValue] = [.integer(7), .integer(7), .integer(7), .integer(0), .integer(0)]
      try write("tour_tally", names.map { name -> [SQLValue] in [.text(run), .integer(1), .text(name)] + sums }, db)
      // More than one transaction of large rows.
      let copies = (0..<4).map { (index: Int64) -> [SQLValue] in
        let start: [SQLValue] = [.integer(50 + index), .text("draft"), .integer(1), .integer(0), .integer(1)]
        return start + [.integer(0), .blob(Data(repeating: UInt8(clamping: index), count: 300_000))]
      }
      try write("studio_copy", copies, db)
      let (old, new) = (Data(repeating: 3, count: 32), Data(repeating: 0xFC, count: 32))
      let known: [SQLValue] = [.text(hostile), .blob(new), .integer(.max), .blob(old), .integer(1), .integer(.min)]
      let first: [SQLValue] = [.text(""), .blob(old), .integer(1), .null(.blob), .null(.integer), .integer(0)]
      try write(
        "timetable",
        [
          known + [.blob(new), .integer(.max), .blob(Data())], first + [.null(.blob), .null(.integer), .null(.blob)],
        ],
        db
      )
      let parts = (0..<3).map { (index: Int64) -> [SQLValue] in
        [.blob(new), .integer(index), .integer(.min), .blob(Data(repeating: UInt8(clamping: index), count: 200_000))]
      }
      try write("timetable_part", parts, db)
      for table in StoredTable.all {
        #expect(try db.row(sql: "SELECT 1 FROM \(table.name)") != nil, "\(table.name) has no rows")
      }
    }
  }

  private static func write(_ name: String, _ rows: [[SQLValue]], _ db: any SQLConnection) throws {
    let table = try #require(StoredTable.all.first { $0.name == name })
    try TableWriter(table, db).write(rows, db)
  }

  /// What is wrong beyond what ``fill(_:)`` writes behind the stores' back: places, and sums without events.
  private static func unexpected(_ report: DatabaseCheckReport) -> [DatabaseFinding] {
    report.findings.filter { $0.isError && !$0.place.hasPrefix("world ulm") && !$0.place.hasPrefix("tour_tally") }
  }

  static func location(_ store: TestStore) throws -> DatabaseLocation { try location(store.location) }

  static func location(_ text: String) throws -> DatabaseLocation {
    PostgresLocation.isLocation(text) ? .postgres(try PostgresLocation(text)) : .file(text)
  }

  /// All rows of all tables, in an order that is the same everywhere.
  private static func rows(_ store: TestStore) async throws -> [String: [[SQLValue]]] {
    try await store.database.read { db in
      var tables: [String: [[SQLValue]]] = [:]
      for table in StoredTable.all {
        var stream = RowStream(table, TransferLimits(rows: 7), db)
        while let row = try stream.next() { tables[table.name, default: []].append(row.values) }
      }
      return tables
    }
  }

  private static func expectSame(_ first: TestStore, _ second: TestStore) async throws {
    let (one, other) = (try await rows(first), try await rows(second))
    #expect(one.keys == other.keys)
    for (name, rows) in one {
      let others = other[name] ?? []
      #expect(rows.count == others.count, "\(name)")
      for (row, copy) in zip(rows, others) where !zip(row, copy).allSatisfy({ $0.isSame(as: $1) }) {
        Issue.record("\(name): \(row.prefix(3)) is \(copy.prefix(3))")
      }
    }
  }

  // MARK: The description

  @Test(arguments: Backend.all) func `the description has every table, column and key`(_ backend: Backend) async throws
  {
    let store = try await TestStore(backend)
    let schema: [(table: String, columns: Set<String>, keys: Int)] = try await store.database.read { db in
      switch backend {
      case .sqlite:
        try db.values(
          String.self,
          sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        )
        .map { table in
          let columns = try db.rows(sql: "SELECT name FROM pragma_table_info('\(table)')")
          let keys = try db.value(Int.self, sql: "SELECT count(DISTINCT id) FROM pragma_foreign_key_list('\(table)')")
          return (table, Set(try columns.map { try $0.value(0) as String }), keys ?? 0)
        }
      case .postgres:
        try db.values(
          String.self,
          sql: "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = 'public'"
        ).map { table in
          let columns = try db.values(
            String.self,
            sql: "SELECT CAST(attname AS TEXT) FROM pg_attribute WHERE attrelid = to_regclass(?) AND attnum > 0",
            arguments: [table]
          )
          let keys = try db.value(
            Int.self,
            sql: "SELECT count(*) FROM pg_constraint WHERE conrelid = to_regclass(?) AND contype = 'f'",
            arguments: [table]
          )
          return (table, Set(columns), keys ?? 0)
        }
      }
    }
    #expect(schema.count > 25)
    for (table, columns, keys) in schema {
      if StoredTable.own.contains(table) || StoredTable.rebuilt.contains(where: { table.hasPrefix($0) })
        || StoredTable.passing.contains(table)
      {
        continue
      }
      guard let description = StoredTable.all.first(where: { $0.name == table }) else {
        Issue.record("The table \(table) is not described in StoredTable: it would be lost in a copy.")
        continue
      }
      var described = Set(description.columns.map(\.name))
      // Every table of SQLite has it, unless it is made without.
      if backend == .sqlite { described.remove("rowid") }
      #expect(columns == described, "\(table)")
      #expect(keys == description.references.count, "foreign keys of \(table)")
    }
    #expect(Set(StoredTable.all.map(\.name)).isSubset(of: schema.map(\.table)))
    let names = StoredTable.all.map(\.name)
    for table in StoredTable.all {
      #expect(table.keyPlaces.count == table.key.count && !table.key.isEmpty)
      for reference in table.references {
        let place = try #require(names.firstIndex(of: reference.table))
        #expect(place < names.firstIndex(of: table.name) ?? 0, "\(table.name) is filled before \(reference.table)")
      }
    }
    guard backend == .postgres else { return }
    let identities = try await store.database.read { db in
      try db.values(
        String.self,
        sql: """
          SELECT CAST(attrelid::regclass AS TEXT) || '.' || CAST(attname AS TEXT) FROM pg_attribute
          WHERE attidentity <> '' AND attrelid IN (SELECT oid FROM pg_class WHERE relkind = 'r')
          """
      )
    }
    #expect(
      Set(identities).subtracting(StoredTable.passing.map { "\($0).number" })
        == Set(StoredTable.all.compactMap { table in table.numbered.map { "\(table.name).\($0)" } })
    )
  }

  // MARK: Copies

  @Test(arguments: ways) func `a copy is equal, and goes on where the source was`(
    _ from: Backend,
    _ to: Backend
  ) async throws {
    let (source, target, back) = (try await TestStore(from), try await TestStore(to), try await TestStore(from))
    try await Self.fill(source)
    // References are looked up when somebody asks.
    _ = try await source.stores.assets.ownAssets(of: 1)
    let report = try await DatabaseCopy(from: Self.location(source), to: Self.location(target)).run()
    #expect(report.rows > 60 && report.compared == report.rows && !report.isResumed)
    try await Self.expectSame(source, target)
    _ = try await DatabaseCopy(from: Self.location(target), to: Self.location(back)).run()
    try await Self.expectSame(source, back)
    for store in [target, back] {
      try await store.reopen()
      let checked = try await DatabaseCheck(Self.location(store)).run()
      #expect(Self.unexpected(checked) == [])
      let found = try await store.stores.posters.posters(PosterQuery(words: "words", order: .relevance, limit: 5))
      #expect(found.posters.map(\.id) == ["poster"])
      let references = "SELECT count(*) FROM asset_reference"
      _ = try await store.stores.assets.ownAssets(of: 1)
      #expect(try await store.number(references) == source.number(references))
      #expect(try await store.number("SELECT count(*) FROM document_change") == 0)
      // Numbers that were given to what is gone are not given again.
      let account = try #require(try await store.stores.accounts.addAccount(name: "new", role: .author, password: "-"))
      #expect(account.id == 3)
      _ = try await store.stores.studio.keepCopy(RetentionStoreTests.content(["z"]), of: "draft", base: 1, author: 1)
      #expect(try await store.number("SELECT max(id) FROM studio_copy") == 54)
    }
  }

  @Test(arguments: ways) func `a copy that is cut off anywhere goes on`(_ from: Backend, _ to: Backend) async throws {
    let (source, target) = (try await TestStore(from), try await TestStore(to))
    try await Self.fill(source)
    let place = try Self.location(target)
    var limits = TransferLimits(rows: 5, bytes: 400_000)
    limits.transactions = 15
    var runs = 0
    while true {
      runs += 1
      try #require(runs < 100)
      do {
        let report = try await DatabaseCopy(from: Self.location(source), to: place, limits: limits).run()
        #expect(report.isResumed == (runs > 1) && report.rows == report.compared)
        break
      } catch is CancellationError {
        // No server, and no other copy, takes it for a database.
        await #expect(throws: StoreError.self) { _ = try await TestStore.open(target.location) }
        if runs == 2 {
          let other = try await TestStore(.sqlite)
          await #expect { _ = try await DatabaseCopy(from: .file(other.location), to: place).run() } throws: { error in
            guard case TransferError.otherCopy = error else { return false }
            return true
          }
          await #expect { _ = try await DatabaseCopy(from: place, to: .file(other.location)).run() } throws: { error in
            guard case TransferError.unfinishedSource = error else { return false }
            return true
          }
          let found = try await DatabaseCheck(place).run().findings.first
          #expect(found?.message.contains("not finished") == true)
        }
      }
    }
    #expect(runs > 3)
    try await target.reopen()
    try await Self.expectSame(source, target)
    #expect(try await Self.unexpected(DatabaseCheck(place).run()) == [])
  }

  @Test(arguments: Backend.all) func `what changed between two runs is found and named`(_ backend: Backend) async throws
  {
    let (source, target) = (try await TestStore(backend), try await TestStore(.sqlite))
    try await Self.fill(source)
    var limits = TransferLimits(rows: 5)
    limits.transactions = 30
    await #expect(throws: CancellationError.self) {
      _ = try await DatabaseCopy(from: Self.location(source), to: .file(target.location), limits: limits).run()
    }
    try await source.execute("UPDATE account SET password = 'other' WHERE name = 'olga'")
    try await source.execute("DELETE FROM one_time_link")
    let error = await #expect(throws: TransferError.self) {
      _ = try await DatabaseCopy(from: Self.location(source), to: .file(target.location)).run()
    }
    let words = error.map { "\($0)" } ?? ""
    #expect(words.contains("2 rows") && words.contains("account 1 differs in password"), "\(words)")
    #expect(words.contains("one_time_link 1 is in the target alone"), "\(words)")
    await #expect(throws: StoreError.self) { _ = try await TestStore.open(target.location) }
  }

  @Test(arguments: Backend.all) func `only one goes on with a copy`(_ backend: Backend) async throws {
    let store = try await TestStore(backend)
    try await store.database.write { db in
      let first = UnfinishedCopy(source: "here", step: "account", position: "", rows: 0)
      try first.begin(db)
      let next = UnfinishedCopy(source: "here", step: "account", position: "i7", rows: 7)
      #expect(try first.advance(to: next, db))
      #expect(try !first.advance(to: next, db))
      #expect(try UnfinishedCopy.find(db)?.rows == 7)
      try UnfinishedCopy.end(db)
      #expect(try UnfinishedCopy.find(db) == nil)
    }
  }

  @Test func `keys are written down and read again`() throws {
    let key: [SQLValue] = [.integer(.min), .text("a\0,\u{10FFFF}"), .blob(Data([0, 255])), .text("")]
    #expect(TransferKey.decode(TransferKey.encode(key)) == key)
    for text in ["", "i", "ix", "tzz", "tff", "b0", "x1", "i1,", "i99999999999999999999"] {
      #expect(TransferKey.decode(text) == nil, "\(text)")
    }
  }

  @Test(arguments: Backend.all) func `what is in a target stays`(_ backend: Backend) async throws {
    let (source, target) = (try await TestStore(.sqlite), try await TestStore(backend))
    _ = try await target.stores.accounts.addAccount(name: "olga", role: .operator, password: "-")
    let error = await #expect(throws: TransferError.self) {
      _ = try await DatabaseCopy(from: Self.location(source), to: Self.location(target)).run()
    }
    #expect(error.map { "\($0)" }?.contains("not empty: there are rows in the table account") == true)
    try await target.reopen()
    #expect(try await target.stores.accounts.accounts().count == 1)
    await #expect(throws: TransferError.missing("/nowhere/x")) {
      _ = try await DatabaseCopy(from: .file("/nowhere/x"), to: Self.location(target)).run()
    }
  }

  @Test(arguments: [
    ("UPDATE place SET title = x'FF' WHERE position = 100", "place ulm/100", "title does not hold a text"),
    (
      "UPDATE place SET title = CAST(x'61FF' AS TEXT) WHERE position = 101", "place ulm/101",
      "title does not hold a text"
    ),
    ("UPDATE place SET latitude = 'x' WHERE position = 102", "place ulm/102", "latitude does not hold a number"),
    (
      "UPDATE tour_log SET milliseconds = 1.5 WHERE number = 1", "tour_log 1",
      "milliseconds does not hold a whole number"
    ),
    ("UPDATE tour_device SET sequence = 'x'", "tour_device 0707070707070707…", "sequence does not hold a whole number"),
    ("UPDATE poster SET document = x'7B'", "poster 1", "document cannot be read"),
    ("UPDATE account SET role = 'king'", "account 1", "constraint"),
    ("UPDATE tour_device SET team = 99", "tour_device 0707070707070707…", "constraint"),
  ])
  func `a damaged row is named, and the copy goes on once it is corrected`(
    _ damage: String,
    _ place: String,
    _ reason: String
  ) async throws {
    let source = try await TestStore(.sqlite)
    try await Self.fill(source)
    try source.database.close()
    let queue = try DatabaseQueue(path: source.location)
    try await queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
      try db.execute(sql: damage)
    }
    try queue.close()
    for backend in Backend.all {
      let target = try await TestStore(backend)
      let error = await #expect(throws: TransferError.self) {
        _ = try await DatabaseCopy(from: .file(source.location), to: Self.location(target)).run()
      }
      let words = error.map { "\($0)" } ?? ""
      let parts = place.split(separator: " ")
      #expect(words.contains("The row \(parts[1]) of the table \(parts[0])"), "\(words)")
      #expect(words.contains(reason), "\(words)")
    }
  }

  @Test(.enabled(if: Backend.all.contains(.postgres)))
  func `what the other side cannot hold is named`() async throws {
    let (source, target) = (try await TestStore(.postgres), try await TestStore(.sqlite))
    try await Self.fill(source)
    let small = TransferLimits(rowBytes: 1_000_000)
    let large = await #expect(throws: TransferError.self) {
      _ = try await DatabaseCopy(from: Self.location(source), to: .file(target.location), limits: small).run()
    }
    #expect(large.map { "\($0)" }?.contains("it has 3000000 bytes, more than the 1000000") == true)
    try await source.execute("UPDATE place SET longitude = 'NaN' WHERE position = 103")
    let other = try await TestStore(.sqlite)
    let error = await #expect(throws: TransferError.self) {
      _ = try await DatabaseCopy(from: Self.location(source), to: .file(other.location)).run()
    }
    #expect(
      error.map { "\($0)" }?.contains(
        "ulm/103 of the table place cannot be copied: its column longitude is not a number"
      ) == true
    )
    // PostgreSQL can.
    let same = try await TestStore(.postgres)
    _ = try await DatabaseCopy(from: Self.location(source), to: Self.location(same)).run()
  }

  // MARK: Checks

  @Test(arguments: Backend.all) func `a check finds what does not hold`(_ backend: Backend) async throws {
    let store = try await TestStore(backend)
    try await DamagedDatabaseTests.fill(store.stores)
    let place = try Self.location(store)
    let before = try await DatabaseCheck(place).run()
    #expect(before.isWhole && before.rows > 20, "\(before.findings)")
    #expect(before.form.hasSuffix("use of limits of several servers"), "\(before.form)")
    let damages = [
      ("UPDATE asset SET bytes = BYTES", "asset "), ("UPDATE account_asset SET bytes = 5", "account_asset "),
      ("UPDATE generation SET value = 0", "generation 1"),
      ("UPDATE world SET version = 7 WHERE id = 'ulm'", "world ulm"),
      ("UPDATE world_version SET dimension = BYTES", "world_version "),
      ("UPDATE studio_world SET bytes = bytes + 1", "studio_world draft"), ("DELETE FROM poster_words", "poster 1"),
      ("UPDATE tour SET owner = 77", "tour "), ("UPDATE tour_team SET events = 9", "tour_team "),
      ("INSERT INTO tour_tally SELECT run, number, 'x', 1, 0, 0, 0, 0 FROM tour_team", "tour_tally "),
    ]
    let bytes = backend == .sqlite ? "x'78'" : "'\\x78'"
    for (sql, _) in damages { try await store.execute(sql.replacing("BYTES", with: bytes)) }
    let after = try await DatabaseCheck(place).run()
    #expect(!after.isWhole)
    for (sql, start) in damages {
      #expect(after.findings.contains { $0.place.hasPrefix(start) }, "\(sql): \(after.findings.map(\.place))")
    }
  }

  @Test func `a check finds broken references and a broken file`() async throws {
    let store = try await TestStore(.sqlite)
    try await DamagedDatabaseTests.fill(store.stores)
    try store.database.close()
    let queue = try DatabaseQueue(path: store.location)
    try await queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      try db.execute(sql: "DELETE FROM account")
    }
    try queue.close()
    let report = try await DatabaseCheck(.file(store.location)).run()
    #expect(report.findings.contains { $0.place == "account_session 1" && $0.message.contains("row of account") })
    let file = try #require(FileHandle(forWritingAtPath: store.location))
    try file.seek(toOffset: 4096)
    try file.write(contentsOf: Data(repeating: 0x5A, count: 60_000))
    try file.close()
    let broken = try? await DatabaseCheck(.file(store.location)).run()
    #expect(broken?.isWhole != true)
    let text = store.location + ".txt"
    try Data("no database, but long enough to look like one ".utf8).write(to: URL(fileURLWithPath: text))
    #expect(try await DatabaseCheck(.file(text)).run().findings.first?.place == "file")
  }

  // MARK: Backups

  @Test(arguments: Backend.all) func `a backup is whole, private, and comes back into both`(
    _ backend: Backend
  ) async throws {
    let store = try await TestStore(backend)
    try await DamagedDatabaseTests.fill(store.stores)
    let folder = NSTemporaryDirectory() + "sightline-backup-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = folder + "/backup.sqlite"
    // Somebody writes meanwhile.
    let writer = Task { [stores = store.stores] in
      for index in 0..<20 {
        let world = WorldStoreConformance.draft("w\(index)", [WorldStoreConformance.place("p", 1, 2)])
        _ = try await stores.worlds.save(world)
      }
    }
    let rows = try await DatabaseBackup().save(Self.location(store), to: file)
    try await writer.value
    #expect(rows > 20)
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["backup.sqlite"])
    await #expect(throws: TransferError.inTheWay(file)) {
      _ = try await DatabaseBackup().save(Self.location(store), to: file)
    }
    for kind in Backend.all {
      let target = try await TestStore(kind)
      let report = try await DatabaseBackup().restore(file, to: Self.location(target))
      #expect(report.compared == rows)
      try await target.reopen()
      #expect(try await target.stores.accounts.accounts().map(\.name) == ["olga"])
      await #expect(throws: TransferError.self) {
        _ = try await DatabaseBackup().restore(file, to: Self.location(target))
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["backup.sqlite"])
    let queue = try DatabaseQueue(path: file)
    try await queue.write { db in try db.execute(sql: "UPDATE asset SET bytes = CAST('x' AS BLOB)") }
    try queue.close()
    let target = try await TestStore(.sqlite)
    let error = await #expect(throws: TransferError.self) {
      _ = try await DatabaseBackup().restore(file, to: .file(target.location))
    }
    #expect(error.map { "\($0)" }?.contains("its content is not what its digest says") == true)
  }

  @Test func `a backup of an older program is brought to the present form beside it`() async throws {
    let folder = NSTemporaryDirectory() + "sightline-backup-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = folder + "/old.sqlite"
    let queue = try DatabaseQueue(path: file)
    let migrations = Migrations.all
    try migrations.migrate(queue, upTo: "accounts, sessions, one-time links, authors' files")
    try await queue.write { db in
      try db.execute(
        sql: "INSERT INTO account (name, role, password, created_milliseconds) VALUES ('olga', 'operator', '-', 0)"
      )
    }
    try queue.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    let target = folder + "/new.sqlite"
    _ = try await DatabaseBackup().restore(file, to: .file(target))
    #expect(try await SQLiteDatabase(path: target).stores.accounts.accounts().map(\.name) == ["olga"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
    #expect(try !FileManager.default.fileExists(atPath: file + ".present"))
    await #expect(throws: TransferError.outdated(file)) {
      _ = try await DatabaseCopy(from: .file(file), to: .file(folder + "/other.sqlite")).run()
    }
  }
}
