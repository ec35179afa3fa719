import Foundation
import SightlineTestSupport
import Synchronization
import Testing

@testable import SightlineStore

/// What is PostgreSQL's alone: connections, transactions, time limits, migrations.
@Suite(.enabled(if: Backend.all.contains(.postgres))) struct PostgresDatabaseTests {
  private let noon = Date(timeIntervalSince1970: 1_790_000_000)

  private func open(
    _ location: String,
    password: String? = nil,
    _ change: (inout PostgresSettings) -> Void = { _ in }
  ) async throws -> PostgresDatabase {
    var settings = PostgresSettings.patient
    change(&settings)
    return try await PostgresDatabase.open(PostgresLocation(location, password: password), settings: settings)
  }

  // MARK: Connections

  @Test func `connections are bounded, calls wait for them in order, and not for ever`() async throws {
    let store = try await TestStore(.postgres)
    let database = try await open(store.location) {
      $0.connections = 3
      $0.patience = 0.5
    }
    #expect(database.counters.idle == 1 && database.counters.connects == 1)
    let gate = Gate()
    let holders = (0..<2).map { _ in Task { try await database.read { _ in gate.wait() } } }
    try await waitUntil("both are in use") { database.counters.inUse == 2 && gate.waiting == 2 }
    // The third comes in vain, and is told so in time.
    let start = ContinuousClock.now
    await #expect(throws: PostgresError.busy("\(try PostgresLocation(store.location))", seconds: 0.5)) {
      try await database.read { _ in }
    }
    #expect(ContinuousClock.now - start < .seconds(30))
    #expect(StoreBusy.isCause(of: PostgresError.busy("", seconds: 1)))
    #expect(database.counters.timeouts == 1 && database.counters.waiting == 0)
    // Whoever is cancelled waits no longer.
    let cancelled = Task { try await database.read { _ in } }
    try await waitUntil("it waits") { database.counters.waiting == 1 }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(database.counters.waiting == 0)
    gate.open()
    for holder in holders { try await holder.value }
    try await waitUntil("both rest") { database.counters.inUse == 0 }
    // One of three is the writers'.
    #expect(database.counters.limit == 3 && database.counters.idle == 3 && database.counters.connects == 3)
    #expect(try store.connections() <= 3 + 1)
    try database.close()
    await #expect(throws: PostgresError.closed("\(try PostgresLocation(store.location))")) {
      try await database.read { _ in }
    }
  }

  @Test func `calls get connections in the order of asking`() async throws {
    let store = try await TestStore(.postgres)
    let database = try await open(store.location) {
      $0.connections = 1
      $0.patience = 60
    }
    let gate = Gate()
    let holder = Task { try await database.read { _ in gate.wait() } }
    try await waitUntil("it is in use") { gate.waiting == 1 }
    let order = Log()
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<20 {
      let task: Task<Void, any Error> = Task { try await database.read { _ in _ = order.add(number) } }
      tasks.append(task)
      try await waitUntil("it waits") { database.counters.waiting == number + 1 }
    }
    // Closing lets those end that have begun or wait.
    let closing = Thread { try? database.close() }
    closing.start()
    gate.open()
    try await holder.value
    for task in tasks { _ = await task.result }
    #expect(order.numbers == Array(0..<20))
    #expect(database.counters.waits == 20)
  }

  @Test func `a hundred calls at once are served by eight connections, and nobody's thread is kept`() async throws {
    let store = try await TestStore(.postgres)
    let database = try await open(store.location) { $0.patience = 120 }
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask {
          try await database.read { db in _ = try db.row(sql: "SELECT CAST(pg_sleep(0.02) AS TEXT)") }
        }
      }
      // Swift's own threads are free meanwhile.
      group.addTask { for _ in 0..<100 { await Task.yield() } }
      try await group.waitForAll()
    }
    #expect(ContinuousClock.now - start >= .milliseconds(200))
    #expect(database.counters.connects <= 8)
    try database.close()
  }

  // MARK: Time limits and settings

  @Test func `a session's settings keep it from waiting for ever, and a commit waits for the disk`() async throws {
    let store = try await TestStore(.postgres)
    let database = try await open(store.location)
    let names = [
      "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "synchronous_commit",
      "application_name", "client_encoding", "transaction_isolation", "transaction_read_only",
    ]
    @Sendable func settings(_ db: any SQLConnection) throws -> [String] {
      try names.map { try db.value(String.self, sql: "SELECT current_setting(?)", arguments: [$0]) ?? "" }
    }
    let reading = try await database.read(settings)
    #expect(reading == ["1min", "5s", "20s", "on", "sightline", "UTF8", "repeatable read", "on"])
    let writing = try await database.write(settings)
    #expect(writing == ["1min", "5s", "20s", "on", "sightline", "UTF8", "read committed", "off"])
    try database.close()
  }

  @Test func `the server looks itself whether a line is dead, so that nobody keeps its lock`() async throws {
    let server = try TestPostgres.shared()
    let database = try await open(server.address(try server.makeDatabase()))
    let shown = try await database.write { db in
      try ["idle", "interval", "count"].map { name in
        try db.value(String.self, sql: "SELECT current_setting('tcp_keepalives_\(name)')") ?? ""
      }
    }
    #expect(shown == ["4", "2", "3"])
    try database.close()
  }

  @Test func `statements and locks that take too long are matters of waiting`() async throws {
    let store = try await TestStore(.postgres)
    let database = try await open(store.location) {
      $0.statementTimeout = 100
      $0.lockTimeout = 100
    }
    func refusal(_ work: () async throws -> Void) async -> (any Error)? {
      do {
        try await work()
        return nil
      } catch { return error }
    }
    let slow = await refusal {
      try await database.read { db in _ = try db.row(sql: "SELECT CAST(pg_sleep(30) AS TEXT)") }
    }
    #expect(slow.map(StoreBusy.isCause) == true, "\(slow.map { "\($0)" } ?? "")")
    // A writer of another process that takes its time.
    let gate = Gate()
    let holder = Task { try await store.database.write { _ in gate.wait() } }
    try await waitUntil("it writes") { gate.waiting == 1 }
    let blocked = await refusal { try await database.write { _ in } }
    #expect(blocked.map(StoreBusy.isCause) == true, "\(blocked.map { "\($0)" } ?? "")")
    // Readers wait for nobody, however many wait to write.
    let crowd = (0..<20).map { _ in Task { try? await database.write { _ in } } }
    #expect(try await database.stores.worlds.generation() == 0)
    gate.open()
    try await holder.value
    for task in crowd { await task.value }
    #expect(try await database.stores.worlds.remove("none") == false)
    #expect(database.counters.connects == 2, "a statement that was refused does not cost the connection")
    try database.close()
  }

  // MARK: Transactions

  @Test func `a reader sees one state, and cannot write`() async throws {
    let store = try await TestStore(.postgres)
    let gate = Gate()
    let reader = Task {
      try await store.database.read { db in
        let before = try Generation.current(db)
        gate.wait()
        return try [before, Generation.current(db)]
      }
    }
    try await waitUntil("it reads") { gate.waiting == 1 }
    _ = try await store.stores.worlds.save(WorldStoreConformance.draft("ulm", []))
    gate.open()
    #expect(try await reader.value == [0, 0])
    #expect(try await store.stores.worlds.generation() == 1)
    await #expect(throws: PostgresError.self) { try await store.database.read { db in _ = try Generation.next(db) } }
    #expect(try await store.stores.worlds.generation() == 1)
  }

  @Test func `a fault of a part takes back that part, one of the whole everything`() async throws {
    let store = try await TestStore(.postgres)
    let done = try await store.database.write { db in
      _ = try Generation.next(db)
      let parts = try [1, 0, 2].map { divisor in
        try db.savepoint {
          _ = try Generation.next(db)
          _ = try db.row(sql: "SELECT 10 / CAST(? AS BIGINT)", arguments: [divisor])
        }
      }
      return parts.map { if case .success = $0 { true } else { false } }
    }
    #expect(done == [true, false, true])
    #expect(try await store.stores.worlds.generation() == 3)
    // An error that is passed over does not let half a transaction be confirmed.
    await #expect(throws: PostgresError.self) {
      try await store.database.write { db in
        _ = try Generation.next(db)
        _ = try? db.execute(sql: "SELECT 1 / CAST(? AS BIGINT)", arguments: [0])
      }
    }
    #expect(try await store.stores.worlds.generation() == 3)
    await #expect(throws: PostgresError.self) {
      try await store.database.write { db in
        let rows = [1, 2, 0, 3].lazy.map { [$0] as SQLArguments }
        try db.executeEach(sql: "SELECT 10 / CAST(? AS BIGINT)", rows)
      }
    }
    #expect(try await store.stores.worlds.generation() == 3)
  }

  @Test func `rows are written in bulk and read one by one, many of them`() async throws {
    let store = try await TestStore(.postgres)
    let places = (0..<5000).map { WorldStoreConformance.place("Place \($0)", 48, 9) }
    _ = try await store.stores.worlds.save(WorldStoreConformance.draft("ulm", places))
    let list = try #require(try await store.stores.worlds.places(of: "ulm")).places
    #expect(list.map(\.title) == places.map(\.title))
    // A body that throws in the midst leaves the connection as it should be.
    struct Enough: Error {}
    await #expect(throws: Enough.self) {
      try await store.database.read { db in
        try db.forEachRow(sql: "SELECT position FROM place", arguments: []) { _ in throw Enough() }
      }
    }
    #expect(try await store.number("SELECT count(*) FROM place") == 5000)
  }

  @Test func `a value of another type is an error`() async throws {
    let store = try await TestStore(.postgres)
    for sql in [
      "SELECT 'x'", "SELECT NULL", "SELECT CAST('x' AS BYTEA)", "SELECT 1.5", "SELECT CAST(1 AS NUMERIC)",
      "SELECT CAST('2026-01-01' AS DATE)", "SELECT ARRAY[1]",
    ] {
      await #expect(throws: (any Error).self, "\(sql)") {
        try await store.database.read { db in _ = try #require(try db.row(sql: sql)).value(0) as Int }
      }
    }
    await #expect(throws: PostgresError.self) {
      try await store.database.read { db in _ = try #require(try db.row(sql: "SELECT 1")).value(7) as Int }
    }
    for sql in ["SELECT 1", "SELECT NULL"] {
      await #expect(throws: PostgresError.self, "\(sql)") {
        try await store.database.read { db in _ = try #require(try db.row(sql: sql)).value(0) as String }
      }
    }
  }

  @Test func `placeholders are found where they are, and nowhere else`() {
    for (sql, expected) in [
      ("SELECT ?, ?", "SELECT $1, $2"), ("?2 ?1 ?", "$2 $1 $3"), ("'?' \"?\" ?", "'?' \"?\" $1"),
      ("'it''s ?' ?", "'it''s ?' $1"), ("-- ?\n?", "-- ?\n$1"), ("?1 - ?1", "$1 - $1"), ("a - -? ", "a - -$1 "),
      ("", ""),
      ("ä ? 東 ?", "ä $1 東 $2"),
    ] { #expect(PostgresPlaceholders.translate(sql) == expected) }
  }

  // MARK: Faults of the connection

  @Test(.timeLimit(.minutes(5)))
  func `the server is killed and stopped under a running program, which goes on`() async throws {
    let server = try TestPostgres()
    let name = try server.makeDatabase()
    let database = try await open(server.localAddress(name))
    let stores = database.stores
    let account = try #require(try await stores.accounts.addAccount(name: "olga", role: .operator, password: "-"))
    // Several connections, all of which break off at rest.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await database.read { db in _ = try db.row(sql: "SELECT CAST(pg_sleep(0.1) AS TEXT)") }
        }
      }
      try await group.waitForAll()
    }
    // Its last changes may be lost, and their numbers given again.
    let before = try await stores.changes.latestChange()
    try server.crash()
    let after = try await stores.changes.latestChange()
    #expect(after.history != before.history)
    #expect(try await stores.changes.changes(after: before).hasGap)
    #expect(try await stores.accounts.account(account.id)?.name == "olga")
    #expect(try await stores.worlds.save(WorldStoreConformance.draft("ulm", [])).record.version == 1)
    try server.crash()
    #expect(try await stores.worlds.save(WorldStoreConformance.draft("ulm", [], name: "2")).record.version == 2)
    let latest = try await stores.changes.latestChange()
    try server.stop()
    for work in [{ _ = try await stores.worlds.worlds() }, { _ = try await stores.worlds.remove("ulm") }] {
      do {
        try await work()
        Issue.record("there is no server")
      } catch {
        #expect(StoreBusy.isCause(of: error), "\(error)")
      }
    }
    try server.start()
    #expect(try await stores.changes.latestChange() == latest, "an orderly stop loses nothing")
    #expect(try await stores.worlds.worlds().map(\.version) == [2])
    #expect(try await stores.worlds.remove("ulm"))
    #expect(database.counters.failures > 0)
    try database.close()
  }

  @Test func `a transaction that breaks off before its end is tried once more, and then given up`() async throws {
    let store = try await TestStore(.postgres)
    let runs = Log()
    // The first time its connection is ended from outside, as a server that goes does it.
    let value = try await store.database.write { db in
      let next = try Generation.next(db)
      if runs.add(1) == 1 {
        _ = try db.row(sql: "SELECT pg_terminate_backend(pg_backend_pid())")
        _ = try db.row(sql: "SELECT 1")
      }
      return next
    }
    #expect(value == 1 && runs.numbers.count == 2)
    await #expect(throws: PostgresError.lost("\(try PostgresLocation(store.location))")) {
      try await store.database.read { db in
        runs.add(1)
        _ = try db.row(sql: "SELECT pg_terminate_backend(pg_backend_pid())")
        _ = try db.row(sql: "SELECT 1")
      }
    }
    #expect(runs.numbers.count == 4)
    #expect(try await store.stores.worlds.generation() == 1)
  }

  @Test func `a commit of which nobody knows is an error, and is not repeated`() async throws {
    let store = try await TestStore(.postgres)
    // Ends the connection while the transaction is made final.
    try await store.execute(
      """
      CREATE FUNCTION end_connection() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END'
      """
    )
    try await store.execute(
      """
      CREATE CONSTRAINT TRIGGER end_connection AFTER INSERT ON asset DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION end_connection()
      """
    )
    let runs = Log()
    let error = PostgresError.outcomeUnknown("\(try PostgresLocation(store.location))")
    await #expect(throws: error) {
      try await store.database.write { db in
        runs.add(1)
        try db.execute(
          sql: "INSERT INTO asset (hash, media_type, saved_milliseconds, bytes) VALUES (?, 'x', 0, ?)",
          arguments: [Data(count: 32), Data()]
        )
      }
    }
    #expect(runs.numbers.count == 1)
    #expect(!StoreBusy.isCause(of: error))
    // And the next one gets a new connection.
    #expect(try await store.stores.worlds.generation() == 0)
  }

  @Test func `a transaction that the server took back for another's sake is done again`() async throws {
    let store = try await TestStore(.postgres)
    let runs = Log()
    let value = try await store.database.write { db in
      let next = try Generation.next(db)
      if runs.add(1) < 3 {
        try db.execute(sql: "DO 'BEGIN RAISE EXCEPTION ''again'' USING ERRCODE = ''40001''; END'")
      }
      return next
    }
    #expect(value == 1 && runs.numbers.count == 3)
  }

  // MARK: Migrations

  @Test func `many that open a new database at once make it once`() async throws {
    let server = try TestPostgres.shared()
    let name = try server.makeDatabase()
    let location = server.localAddress(name)
    #expect(
      try await PostgresDatabase.pendingMigrations(PostgresLocation(location), settings: .patient)
        == PostgresMigrations.all.map(\.title)
    )
    #expect(try server.run("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", in: name) == "0")
    let path = location
    async let other: Void = {
      await #expect(processExitsWith: .success) { [path = path as String] in
        try await TestStore.open(path).close()
      }
    }()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 { group.addTask { try await TestStore.open(location).close() } }
      try await group.waitForAll()
    }
    await other
    let count = try server.run("SELECT count(*) FROM sightline_migration", in: name)
    #expect(count == "\(PostgresMigrations.all.count)")
    #expect(try await PostgresDatabase.pendingMigrations(PostgresLocation(location), settings: .patient).isEmpty)
  }

  @Test func `a database of a newer program is refused and left as it is`() async throws {
    let store = try await TestStore(.postgres)
    try await store.execute("INSERT INTO sightline_migration (number, name) VALUES (9999, 'from the future')")
    let place = "\(try PostgresLocation(store.location))"
    await #expect(throws: StoreError.newerDatabase(place)) { try await store.another() }
    await #expect(throws: StoreError.newerDatabase(place)) {
      try await PostgresDatabase.pendingMigrations(PostgresLocation(store.location), settings: .patient)
    }
  }

  @Test func `a program from before a step that leaves it in starts and serves beside the newer one`() async throws {
    let server = try TestPostgres.shared()
    let name = try server.makeDatabase()
    let location = try PostgresLocation(server.localAddress(name))
    let old = try await TestStore.open(server.localAddress(name))
    #expect(!old.hasNewerForm)
    let last = try #require(PostgresMigrations.all.last).number
    func step(_ number: Int64, since: Int64?) -> PostgresMigrations.Step {
      .init(
        number: number,
        name: "colours",
        sql: "ALTER TABLE account ADD COLUMN colour\(number) TEXT; CREATE TABLE colours\(number) (id BIGINT)",
        since: since
      )
    }
    var steps = PostgresMigrations.all + [step(last + 1, since: last)]
    func newer() async throws -> PostgresDatabase {
      try await .open(location, settings: .patient, mustExist: true, mayBeUnfinished: false, steps: steps)
    }
    let new = try await newer()
    #expect(!new.hasNewerForm)
    // The one that ran goes on; one of the same form is started again.
    _ = try await old.stores.accounts.addAccount(name: "olga", role: .author, password: "-")
    try old.close()
    let again = try await PostgresDatabase.open(location, settings: .patient)
    #expect(again.hasNewerForm)
    _ = try await again.stores.accounts.addAccount(name: "otto", role: .author, password: "-")
    #expect(try await new.stores.accounts.accounts().map(\.name) == ["olga", "otto"])
    #expect(try await PostgresDatabase.pendingMigrations(location, settings: .patient).isEmpty)
    // What copies all tables has to know all of them.
    await #expect(throws: StoreError.newerDatabase("\(location)")) {
      try await DatabaseCheck(.postgres(location)).run()
    }
    try new.close()
    // Two steps on, of which the second one needs the first to be known.
    steps.append(step(last + 2, since: last + 1))
    try await newer().close()
    await #expect(throws: StoreError.newerDatabase("\(location)")) {
      try await PostgresDatabase.open(location, settings: .patient)
    }
    try again.close()
  }

  @Test func `a step that says nothing of older programs shuts them out`() async throws {
    let server = try TestPostgres.shared()
    let location = try PostgresLocation(server.localAddress(try server.makeDatabase()))
    let next = PostgresMigrations.Step(number: 1000, name: "everything else", sql: "DROP TABLE lease")
    let steps = PostgresMigrations.all + [next]
    try await PostgresDatabase.open(
      location,
      settings: .patient,
      mustExist: false,
      mayBeUnfinished: false,
      steps: steps
    ).close()
    await #expect(throws: StoreError.newerDatabase("\(location)")) {
      try await PostgresDatabase.open(location, settings: .patient)
    }
  }

  @Test func `a full disk is told from other faults`() async throws {
    let store = try await TestStore(.postgres)
    let error = await #expect(throws: PostgresError.self) {
      try await store.execute("DO 'BEGIN RAISE EXCEPTION ''no space'' USING ERRCODE = ''53100''; END'")
    }
    #expect(error.map(StoreFull.isCause) == true && error.map(StoreBusy.isCause) == false)
    #expect(!StoreFull.isCause(of: PostgresError.lost("")))
  }

  @Test func `a migration that fails leaves nothing behind`() async throws {
    let server = try TestPostgres.shared()
    let name = try server.makeDatabase()
    // One table of the many is there already.
    try server.run("CREATE TABLE tour_tally (x INTEGER)", in: name)
    await #expect(throws: PostgresError.self) { try await TestStore.open(server.localAddress(name)) }
    #expect(
      try server.run("SELECT string_agg(tablename, ' ') FROM pg_tables WHERE schemaname = 'public'", in: name)
        == "tour_tally"
    )
  }

  @Test func `a database with another encoding is refused`() async throws {
    let server = try TestPostgres.shared()
    let name = "ascii_\(UUID().uuidString.prefix(8).lowercased())"
    try server.run("CREATE DATABASE \(name) ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0", in: "postgres")
    do {
      _ = try await TestStore.open(server.localAddress(name))
      Issue.record("it was opened")
    } catch PostgresError.unfit(_, let reason) {
      #expect(reason.contains("SQL_ASCII") && reason.contains("UTF8"))
    }
  }

  @Test func `a large database says its size, and is written anew`() async throws {
    let store = try await TestStore(.postgres)
    let size = try await store.stores.retention.shrink()
    #expect(size.before > 1_000_000 && size.before == size.after)
    try await store.database.compact()
    #expect(try await store.stores.worlds.generation() == 0)
  }
}

/// Holds threads until it is opened.
final class Gate: Sendable {
  private let state = Mutex((isOpen: false, waiting: 0))

  /// How many are held.
  var waiting: Int { state.withLock { $0.waiting } }

  func wait() {
    state.withLock { $0.waiting += 1 }
    while !state.withLock({ $0.isOpen }) { usleep(1000) }
  }

  func open() { state.withLock { $0.isOpen = true } }
}

/// What happened, in order.
final class Log: Sendable {
  private let entries = Mutex<[Int]>([])

  var numbers: [Int] { entries.withLock { $0 } }

  /// Notes a number; how many there are then.
  @discardableResult
  func add(_ number: Int) -> Int {
    entries.withLock { entries in
      entries.append(number)
      return entries.count
    }
  }
}
