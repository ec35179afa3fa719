import CPostgreSQL
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One connection to a server; belongs to one thread, whose calls wait for the answers.
final class PostgresSession {
  private struct Statement: Hashable {
    var sql: String
    var types: [Oid]
  }

  private let connection: OpaquePointer
  private let place: String
  private var statements: [Statement: String] = [:]
  private var made = 0
  /// What begins the transaction, while nothing of it has been sent.
  private var unsent: String?
  /// Whether the answer to what ended the last transaction has not been read.
  private var isEnding = false
  /// For whoever has to end it from another thread.
  let line: PostgresLine?

  /// Most statements that are kept prepared.
  ///
  /// A program has a few hundred texts; null arguments have types, so that they make
  /// no others.
  private static let mostStatements = 1000
  /// Most statements, and bytes of them, that are sent before their answers are read: the answers of so many fit between.
  private static let (pipelineStatements, pipelineBytes) = (200, 256 * 1024)
  /// The oldest server.
  private static let oldestVersion: Int32 = 150_000

  /// Connects, and sees to it that the server is fit and never waits for ever.
  ///
  /// - Parameters:
  ///   - location: Where it is.
  ///   - settings: How it is connected to.
  ///   - watch: Who looks whether it still answers, from its first statement on.
  /// - Throws: ``PostgresError``.
  init(_ location: PostgresLocation, _ settings: PostgresSettings, watch: PostgresWatch? = nil) throws {
    place = location.description
    guard let connection = location.connect(settings) else {
      throw PostgresError.unreachable(place, reason: "There is no memory for a connection.")
    }
    self.connection = connection
    line = PQstatus(connection) == CONNECTION_OK ? PostgresLine(connection) : nil
    // Notices are for people at a terminal; libpq would write them to standard error.
    PQsetNoticeReceiver(connection, { _, _ in }, nil)
    guard PQstatus(connection) == CONNECTION_OK else {
      throw PostgresError.unreachable(
        place,
        reason: location.withoutPassword(String(cString: PQerrorMessage(connection)))
      )
    }
    let version = PQserverVersion(connection)
    guard version >= Self.oldestVersion else {
      throw PostgresError.unfit(
        place,
        reason: "it is PostgreSQL \(version / 10_000); 15 or a later one is needed."
      )
    }
    let encoding = PQparameterStatus(connection, "server_encoding").map { String(cString: $0) }
    guard encoding == "UTF8" else {
      throw PostgresError.unfit(
        place,
        reason:
          "its encoding is \(encoding ?? "unknown"). Make one with: createdb --encoding=UTF8 --template=template0 NAME"
      )
    }
    if let line { watch?.add(line) }
    line?.begin()
    defer { line?.end() }
    // The server is to notice soon a line that is cut in silence: the writers' lock may be held on it.
    // A transaction that was confirmed is on the disk, also where the server's configuration is laxer; a stricter one stays.
    try command(
      """
      SET client_min_messages = warning;
      SET statement_timeout = \(settings.statementTimeout);
      SET lock_timeout = \(settings.lockTimeout);
      SET idle_in_transaction_session_timeout = \(settings.idleTimeout);
      SET tcp_keepalives_idle = 4;
      SET tcp_keepalives_interval = 2;
      SET tcp_keepalives_count = 3;
      SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
      """
    )
  }

  deinit { PQfinish(connection) }

  /// Whether the connection is broken for good.
  var isBroken: Bool { PQstatus(connection) != CONNECTION_OK }

  /// Whether it can be used after a rest: a server that has gone meanwhile has closed it.
  var isUsable: Bool {
    guard !isBroken, (try? settle()) != nil else { return false }
    var descriptor = pollfd(fd: PQsocket(connection), events: Int16(clamping: POLLIN), revents: 0)
    guard poll(&descriptor, 1, 0) != 0 else { return true }
    return PQconsumeInput(connection) == 1 && !isBroken && PQtransactionStatus(connection) == PQTRANS_IDLE
  }

  /// Waits until the server has sent something.
  func waitForInput(milliseconds: Int32) -> Bool {
    var descriptor = pollfd(fd: PQsocket(connection), events: Int16(clamping: POLLIN), revents: 0)
    return poll(&descriptor, 1, milliseconds) > 0
  }

  /// Takes in what the server has sent.
  ///
  /// - Returns: Whether the connection still is one.
  func consumeInput() -> Bool { PQconsumeInput(connection) == 1 && !isBroken }

  /// Sends statements without arguments, whose answers ``takeAnswers()`` takes in when they have come.
  func send(_ sql: String) throws {
    try sendBeginning()
    guard PQsendQuery(connection, sql) == 1 else { throw failure(nil) }
  }

  /// Takes in answers to what was sent, as far as they have come.
  ///
  /// - Returns: Whether there was no error among them.
  func takeAnswers() -> Bool {
    var isGood = true
    while PQisBusy(connection) == 0, let pointer = PQgetResult(connection) {
      if PostgresResult(pointer).status != PGRES_COMMAND_OK { isGood = false }
    }
    return isGood
  }

  /// The channels of the notifications that have come in (`LISTEN`), each handed out once.
  func heard() -> Set<String> {
    var channels: Set<String> = []
    while let notification = PQnotifies(connection) {
      channels.insert(String(cString: notification.pointee.relname))
      PQfreemem(notification)
    }
    return channels
  }

  /// Runs statements without arguments.
  ///
  /// - Returns: The answer to the last one.
  @discardableResult
  func command(_ sql: String) throws -> PostgresResult {
    try sendBeginning()
    return try checked(PQexec(connection, sql))
  }

  // MARK: Transactions

  /// Begins a transaction with a statement that is sent together with its first one: each answer that is waited for wakes two threads.
  func begin(_ statement: String) { unsent = statement }

  /// Whether a transaction was begun of which nothing has been sent: there is nothing to end.
  var hasUnsentBeginning: Bool { unsent != nil }

  /// Forgets a transaction of which nothing has been sent.
  func forgetBeginning() { unsent = nil }

  /// Ends a transaction that only read, without waiting for the answer: what was read is known, whatever comes.
  func endReading() throws {
    guard PQsendQuery(connection, "COMMIT") == 1 else { throw failure(nil) }
    isEnding = true
  }

  /// Reads the answer to what ended the last transaction.
  private func settle() throws {
    guard isEnding else { return }
    isEnding = false
    // At rest nobody else looks whether the server still answers.
    line?.begin()
    defer { line?.end() }
    var error: PostgresError?
    while let pointer = PQgetResult(connection) {
      let result = PostgresResult(pointer)
      if result.status != PGRES_COMMAND_OK { error = error ?? failure(result) }
    }
    if let error { throw error }
  }

  /// Sends what begins the transaction, where that cannot go along with its first statement.
  private func sendBeginning() throws {
    try settle()
    guard let statement = unsent else { return }
    unsent = nil
    _ = try checked(PQexec(connection, statement))
  }

  // MARK: Statements

  /// Runs a statement.
  func run(_ sql: String, _ arguments: SQLArguments) throws -> PostgresResult {
    try settle()
    let parameters = try PostgresParameters(arguments)
    let name = try prepare(sql, parameters.types)
    if let beginning = unsent {
      unsent = nil
      return try run(name, parameters, after: beginning)
    }
    return try checked(
      parameters.with { count, values, lengths, formats in
        PQexecPrepared(connection, name, count, values, lengths, formats, 1)
      }
    )
  }

  /// Runs the first statement of a transaction together with the one that begins it.
  private func run(_ name: String, _ parameters: PostgresParameters, after beginning: String) throws -> PostgresResult {
    guard PQenterPipelineMode(connection) == 1 else { throw failure(nil) }
    defer { PQexitPipelineMode(connection) }
    let isSent =
      PQsendQueryParams(connection, beginning, 0, nil, nil, nil, nil, 1) == 1
      && parameters.with { count, values, lengths, formats in
        PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1)
      } == 1
    let unsendable = isSent ? nil : failure(nil)
    guard PQpipelineSync(connection) == 1 else { throw unsendable ?? failure(nil) }
    let last = try answers()
    if let unsendable { throw unsendable }
    guard let last else { throw failure(nil) }
    return last
  }

  /// Reads the answers of a pipeline up to its end.
  ///
  /// - Returns: The last one.
  /// - Throws: The first error among them.
  private func answers() throws -> PostgresResult? {
    var (last, error): (PostgresResult?, PostgresError?)
    // Each statement's answers end with none; the last one is that of the synchronisation.
    var ends = 0
    while !isBroken, ends < 2 {
      guard let pointer = PQgetResult(connection) else {
        ends += 1
        continue
      }
      ends = 0
      line?.hear()
      let result = PostgresResult(pointer)
      switch result.status {
      case PGRES_PIPELINE_SYNC:
        if let error { throw error }
        return last
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK: last = result
      case PGRES_PIPELINE_ABORTED: continue
      default: error = error ?? failure(result)
      }
    }
    throw error ?? failure(nil)
  }

  /// Runs a statement for each list of arguments without waiting for each answer.
  func runEach(_ sql: String, _ arguments: some Sequence<SQLArguments>) throws {
    try sendBeginning()
    var waiting: [(name: String, parameters: PostgresParameters)] = []
    var bytes = 0
    for arguments in arguments {
      let parameters = try PostgresParameters(arguments)
      waiting.append((try prepare(sql, parameters.types), parameters))
      bytes += parameters.size
      guard waiting.count >= Self.pipelineStatements || bytes >= Self.pipelineBytes else { continue }
      try send(waiting)
      (waiting, bytes) = ([], 0)
    }
    if !waiting.isEmpty { try send(waiting) }
  }

  private func send(_ batch: [(name: String, parameters: PostgresParameters)]) throws {
    guard PQenterPipelineMode(connection) == 1 else { throw failure(nil) }
    defer { PQexitPipelineMode(connection) }
    var sent = 0
    for (name, parameters) in batch {
      let isSent = parameters.with { count, values, lengths, formats in
        PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1)
      }
      guard isSent == 1 else { break }
      sent += 1
    }
    let unsendable = sent < batch.count ? failure(nil) : nil
    guard PQpipelineSync(connection) == 1 else { throw unsendable ?? failure(nil) }
    _ = try answers()
    if let unsendable { throw unsendable }
  }

  /// Goes through the rows of a statement as they arrive.
  func forEachRow(_ sql: String, _ arguments: SQLArguments, _ body: (SQLRow) throws -> Void) throws {
    try sendBeginning()
    let parameters = try PostgresParameters(arguments)
    let name = try prepare(sql, parameters.types)
    let isSent = parameters.with { count, values, lengths, formats in
      PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1)
    }
    guard isSent == 1, PQsetSingleRowMode(connection) == 1 else { throw failure(nil) }
    var error: (any Error)?
    // To the end in any case: before it the connection takes no other statement.
    while let pointer = PQgetResult(connection) {
      line?.hear()
      let result = PostgresResult(pointer)
      guard [PGRES_SINGLE_TUPLE, PGRES_TUPLES_OK, PGRES_COMMAND_OK].contains(result.status) else {
        error = error ?? failure(result)
        continue
      }
      guard error == nil else { continue }
      do {
        for row in result.rows { try body(row) }
      } catch let thrown {
        error = thrown
      }
    }
    if let error { throw error }
  }

  private func prepare(_ sql: String, _ types: [Oid]) throws -> String {
    let key = Statement(sql: sql, types: types)
    if let name = statements[key] { return name }
    if statements.count >= Self.mostStatements {
      _ = try checked(PQexec(connection, "DEALLOCATE ALL"))
      statements = [:]
    }
    made += 1
    let name = "s\(made)"
    let text = PostgresPlaceholders.translate(sql)
    _ = try checked(PQprepare(connection, name, text, Int32(clamping: types.count), types))
    statements[key] = name
    return name
  }

  private func checked(_ pointer: OpaquePointer?) throws -> PostgresResult {
    guard let pointer else { throw failure(nil) }
    line?.hear()
    let result = PostgresResult(pointer)
    switch result.status {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return result
    default: throw failure(result)
    }
  }

  /// The error of an answer, or of none.
  private func failure(_ result: PostgresResult?) -> PostgresError {
    if isBroken { return .lost(place) }
    guard let (code, message) = result?.error else {
      return .server(place, code: "", message: String(cString: PQerrorMessage(connection)))
    }
    return .server(place, code: code, message: message)
  }
}

/// A session inside a transaction, for the stores.
struct PostgresConnection: SQLConnection {
  let session: PostgresSession
  var origin: Int64 = 0
  /// Where statements are counted.
  var metrics: StoreMetrics?

  var dialect: any SQLDialect { PostgresDialect() }

  @discardableResult
  func execute(sql: String, arguments: SQLArguments) throws -> Int {
    metrics?.countStatement()
    return try session.run(sql, arguments).changes
  }

  func executeEach(sql: String, _ arguments: some Sequence<SQLArguments>) throws {
    let arguments = Array(arguments)
    metrics?.countStatement(arguments.count)
    try session.runEach(sql, arguments)
  }

  func rows(sql: String, arguments: SQLArguments) throws -> [SQLRow] {
    metrics?.countStatement()
    return try session.run(sql, arguments).rows
  }

  func forEachRow(sql: String, arguments: SQLArguments, _ body: (SQLRow) throws -> Void) throws {
    metrics?.countStatement()
    try session.forEachRow(sql, arguments, body)
  }

  func savepoint<Value>(_ body: () throws -> Value) throws -> Result<Value, any Error> {
    try session.command("SAVEPOINT part")
    do {
      let value = try body()
      try session.command("RELEASE SAVEPOINT part")
      return .success(value)
    } catch {
      // A transaction that was broken off, or taken back for others' sake, is lost as a whole.
      if session.isBroken || (error as? PostgresError)?.isConflict == true { throw error }
      try session.command("ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part")
      return .failure(error)
    }
  }
}
