import Foundation
import Synchronization

/// A database of a PostgreSQL server, 15 or later, that several processes may share.
///
/// **Readers** see one state from begin to end (`REPEATABLE READ READ ONLY`) and wait for nobody. **Writers** write one at
/// a time over all processes, as they do with SQLite: each begins with an advisory lock of its transaction and reads what was
/// committed before it got the lock (`READ COMMITTED`, whose every statement sees the latest). So what a writer has looked
/// at (that an answer is new, an invitation unused, a limit not reached) stays so until its end, without anything that would
/// have to be tried again, and numbers of rows and of the generation rise in the order of commits.
///
/// In a process one connection is the writers', so that those who wait for the lock keep none from a reader.
///
/// A commit is on the server's disk when its call returns (`synchronous_commit` is never off). A connection that has broken
/// off is thrown away, and what was begun on it and not yet made final is tried once more on a new one. Only where it broke
/// off during the commit nobody knows: that is an error, ``PostgresError/outcomeUnknown(_:)``, and nothing is repeated.
/// Nobody waits for a server that says nothing any more, and of several one that hangs, or that was replaced, is left for the one
/// that took over (``PostgresWatch``).
public final class PostgresDatabase: SQLDatabase {
  private let location: PostgresLocation
  private let settings: PostgresSettings
  private let readers: PostgresPool
  private let writers: PostgresPool
  private let watch: PostgresWatch
  let origin = Int64.random(in: 1 ... .max)
  /// What it is doing.
  public let metrics: StoreMetrics

  /// The stores over this database.
  public var stores: Stores { Stores(over: self) }

  /// What the connections are doing.
  public var counters: PostgresPoolCounters {
    readers === writers ? readers.counters : readers.counters + writers.counters
  }

  private init(_ location: PostgresLocation, _ settings: PostgresSettings) {
    self.location = location
    self.settings = settings
    watch = PostgresWatch(location, settings)
    let place = location.description
    writers = PostgresPool(place: place, limit: 1, patience: settings.patience)
    readers =
      settings.connections < 2
      ? writers : PostgresPool(place: place, limit: settings.connections - 1, patience: settings.patience)
    metrics = StoreMetrics { [readers, writers] in
      readers === writers ? readers.counters : readers.counters + writers.counters
    }
  }

  /// Connects, and brings the database to the present form.
  ///
  /// - Parameters:
  ///   - location: Where it is.
  ///   - settings: How it is connected to.
  ///   - mustExist: Whether a database without anything of this program in it is an error.
  /// - Returns: The database.
  /// - Throws: ``PostgresError``, ``StoreError/newerDatabase(_:)`` when a newer program has changed the database so that this
  ///   one must not use it,
  ///   ``StoreError/unfinishedCopy(_:)`` when the database is one.
  public static func open(
    _ location: PostgresLocation,
    settings: PostgresSettings = PostgresSettings(),
    mustExist: Bool = false
  ) async throws -> PostgresDatabase {
    try await open(location, settings: settings, mustExist: mustExist, mayBeUnfinished: false)
  }

  /// The same; what a copy has begun in it is left as it is, where that may be there.
  static func open(
    _ location: PostgresLocation,
    settings: PostgresSettings = PostgresSettings(),
    mustExist: Bool,
    mayBeUnfinished: Bool,
    steps: [PostgresMigrations.Step] = PostgresMigrations.all
  ) async throws -> PostgresDatabase {
    let database = PostgresDatabase(location, settings)
    do {
      let place = location.description
      try await database.withSession { session in
        if mustExist, try PostgresMigrations.form(session, place, steps).pending.count == steps.count {
          throw PostgresError.unfit(
            place,
            reason: "there is nothing of Sightline in it. Check the name, or begin with: sightline import FILE"
          )
        }
        if try UnfinishedCopy.find(PostgresConnection(session: session)) != nil {
          guard mayBeUnfinished else { throw StoreError.unfinishedCopy(place) }
          return
        }
        let isNewer = try PostgresMigrations.migrate(session, place, steps)
        database.newerForm.store(isNewer, ordering: .relaxed)
      }
    } catch {
      try? database.close()
      throw error
    }
    return database
  }

  /// Names of the migrations that opening a database would carry out; changes nothing.
  ///
  /// - Throws: ``PostgresError``, or ``StoreError/newerDatabase(_:)``.
  public static func pendingMigrations(
    _ location: PostgresLocation,
    settings: PostgresSettings = PostgresSettings()
  ) async throws -> [String] {
    let database = PostgresDatabase(location, settings)
    defer { try? database.close() }
    return try await database.withSession { session in
      try PostgresMigrations.form(session, location.description).pending.map(\.title)
    }
  }

  /// Ends the connections.
  ///
  /// Calls in flight end first; later ones fail. A second time does nothing.
  public func close() throws {
    defer { watch.stop() }
    readers.close()
    writers.close()
  }

  /// It is there to be shared.
  var isShared: Bool { true }

  private let newerForm = Atomic(false)

  /// Whether a newer program has changed it, in a way that leaves this one in.
  public var hasNewerForm: Bool { newerForm.load(ordering: .relaxed) }

  private let unknown = Atomic(0)

  /// How often a connection broke off during a commit.
  var unknownOutcomes: Int { unknown.load(ordering: .relaxed) }

  /// Listens on a connection of its own, beside those of the pool.
  func listen(_ onChange: @escaping @Sendable () -> Void) -> (any ChangeListener)? {
    PostgresListener(location, settings, watch: watch, onChange)
  }

  // MARK: Transactions

  /// Reads in one transaction: a state between two writers, never half of one.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws -> Value {
    try await metrics.measure(.read) { call in
      try await readers.run { session in
        call.begin()
        return try self.transaction(.read, &session, body)
      }
    }
  }

  /// Writes in one transaction, one at a time over all processes.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws -> Value {
    try await metrics.measure(.write) { call in
      try await writers.run { session in
        call.begin()
        return try self.transaction(.write, &session, body)
      }
    }
  }

  private enum Kind {
    case read, write

    var beginning: String {
      switch self {
      case .read: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
      // The number is this program's: "Sightlin", as bytes.
      case .write:
        "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT pg_advisory_xact_lock(\(PostgresDatabase.writerLock))"
      }
    }
  }

  /// The lock that the one who writes holds until the end of the transaction.
  static let writerLock: Int64 = 0x5369_6768_746C_696E

  /// How often a transaction is done again that the server took back for others' sake.
  private static let mostConflicts = 3

  private func transaction<Value>(
    _ kind: Kind,
    _ session: inout PostgresSession?,
    _ body: (any SQLConnection) throws -> Value
  ) throws -> Value {
    var (isRepeated, conflicts) = (false, 0)
    while true {
      do {
        return try attempt(kind, &session, body)
      } catch let error as PostgresError {
        if case .lost = error, !isRepeated {
          isRepeated = true
        } else if error.isConflict, conflicts < Self.mostConflicts {
          conflicts += 1
        } else {
          throw error
        }
      }
    }
  }

  private func attempt<Value>(
    _ kind: Kind,
    _ session: inout PostgresSession?,
    _ body: (any SQLConnection) throws -> Value
  ) throws -> Value {
    let current = try usable(kind, &session)
    current.line?.begin()
    defer { current.line?.end() }
    do {
      switch kind {
      case .read: current.begin(kind.beginning)
      // What a writer does before its first statement it does alone, too.
      case .write: try current.command(kind.beginning)
      }
      let value = try body(PostgresConnection(session: current, origin: origin, metrics: metrics))
      try commit(kind, current)
      return value
    } catch {
      if case PostgresError.outcomeUnknown = error {
        discard(kind, &session)
        throw error
      }
      current.forgetBeginning()
      // A server that ends a connection says so first, as it does of any other error.
      guard !current.isBroken, (try? current.command("ROLLBACK")) != nil else {
        discard(kind, &session)
        throw PostgresError.lost(location.description)
      }
      throw error
    }
  }

  private func commit(_ kind: Kind, _ session: PostgresSession) throws {
    guard !session.isBroken else { throw PostgresError.lost(location.description) }
    // Nothing was asked for: nothing has begun.
    guard !session.hasUnsentBeginning else { return session.forgetBeginning() }
    if kind == .read { return try session.endReading() }
    do {
      let command = try session.command("COMMIT").command
      guard command == "COMMIT" else {
        throw PostgresError.server(location.description, code: "25P02", message: "the transaction was taken back")
      }
    } catch let error as PostgresError where kind == .write && (session.isBroken || error.isEndOfConnection) {
      unknown.add(1, ordering: .relaxed)
      throw PostgresError.outcomeUnknown(location.description)
    }
  }

  /// The session, or a new one in its place when it has broken off at rest.
  private func usable(_ kind: Kind, _ session: inout PostgresSession?) throws -> PostgresSession {
    if let session, session.isUsable { return session }
    if session != nil { discard(kind, &session) }
    do {
      let new = try PostgresSession(watch.location, settings, watch: watch)
      pool(kind).count(connected: true)
      session = new
      return new
    } catch {
      pool(kind).count(connected: false)
      throw error
    }
  }

  private func discard(_ kind: Kind, _ session: inout PostgresSession?) {
    session = nil
    pool(kind).countBroken()
  }

  private func pool(_ kind: Kind) -> PostgresPool { kind == .read ? readers : writers }

  private func withSession<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresSession) throws -> Value
  ) async throws -> Value {
    try await writers.run { session in try body(self.usable(.write, &session)) }
  }

  // MARK: Room

  /// Does nothing: the server overwrites what was removed by itself (autovacuum), and its journal is its operator's.
  func forgetRemoved() async {}

  /// Says how large the database is: its server gives room back by itself (autovacuum).
  func shrink() async throws -> (before: Int, after: Int) {
    let size = try await read { db in
      try db.value(Int.self, sql: "SELECT pg_database_size(current_database())") ?? 0
    }
    return (size, size)
  }

  /// Writes all tables anew, without gaps (`VACUUM FULL`).
  ///
  /// Needs as much room on the disk again, and others wait for it: for a program of its own, not for a server.
  public func compact() async throws {
    let settings = settings
    try await withSession { session in
      try session.command("SET statement_timeout = 0")
      defer { _ = try? session.command("SET statement_timeout = \(settings.statementTimeout)") }
      try session.command("VACUUM (FULL)")
    }
  }
}
