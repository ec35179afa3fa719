import Foundation
import SightlineTestSupport
import Synchronization
import Testing

@testable import SightlineStore

/// The databases that every store test runs on.
enum Backend: String, CaseIterable, CustomTestStringConvertible {
  case sqlite, postgres

  var testDescription: String { rawValue }

  /// All that are here.
  ///
  /// `SIGHTLINE_WITHOUT_POSTGRES=1` leaves PostgreSQL out; without it a machine that has none fails.
  static let all: [Backend] =
    ProcessInfo.processInfo.environment["SIGHTLINE_WITHOUT_POSTGRES"] == "1" ? [.sqlite] : allCases
}

/// An empty store of its own for a test, gone afterwards.
final class TestStore: Sendable {
  private enum Place: Sendable {
    case folder(String)
    case postgres(TestPostgres, name: String)
  }

  private static let template = Mutex<Task<String, any Error>?>(nil)

  private let place: Place
  /// Where it is: a path, or an address.
  let location: String
  private let opened: Mutex<any SQLDatabase>

  /// The database, to look into it and to change it behind the stores' back.
  var database: any SQLDatabase { opened.withLock { $0 } }
  var stores: Stores { database.stores }

  init(_ backend: Backend) async throws {
    let location: String
    switch backend {
    case .sqlite:
      let folder = NSTemporaryDirectory() + "sightline-store-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      place = .folder(folder)
      location = folder + "/test.sqlite"
    case .postgres:
      let server = try TestPostgres.shared()
      let name = try server.makeDatabase(copying: try await Self.migrated(server))
      place = .postgres(server, name: name)
      location = server.localAddress(name)
    }
    self.location = location
    opened = Mutex(try await Self.open(location))
  }

  /// A database in the present form, to be copied; it is made once, however many ask for it at the same time.
  private static func migrated(_ server: TestPostgres) async throws -> String {
    try await template.withLock { template in
      let task =
        template
        ?? Task {
          let name = try server.makeDatabase()
          try await PostgresDatabase.open(PostgresLocation(server.localAddress(name)), settings: .patient).close()
          // PostgreSQL copies nothing that somebody is connected to, and its own end of the connection takes its time.
          let others = "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(name)'"
          try await waitUntil("nobody is connected") { try server.run(others, in: "postgres") == "0" }
          return name
        }
      template = task
      return task
    }.value
  }

  /// Opens what is there, in whatever process.
  static func open(_ location: String) async throws -> any SQLDatabase {
    guard PostgresLocation.isLocation(location) else { return try SQLiteDatabase(path: location) }
    var settings = PostgresSettings.patient
    settings.lockTimeout = 120_000
    settings.statementTimeout = 300_000
    return try await PostgresDatabase.open(PostgresLocation(location), settings: settings)
  }

  /// Another process's view of it.
  func another() async throws -> any SQLDatabase { try await Self.open(location) }

  /// Closes it and opens it again.
  func reopen() async throws {
    try database.close()
    let new = try await Self.open(location)
    opened.withLock { $0 = new }
  }

  /// Runs SQL in a transaction.
  func execute(_ sql: String, _ arguments: SQLArguments = []) async throws {
    _ = try await database.write { db in try db.execute(sql: sql, arguments: arguments) }
  }

  /// The number that a query gives.
  func number(_ sql: String) async throws -> Int? {
    try await database.read { db in try db.value(Int.self, sql: sql) }
  }

  /// How many connections PostgreSQL has to it.
  func connections() throws -> Int {
    guard case .postgres(let server, let name) = place else { return 0 }
    return Int(try server.run("SELECT count(*) FROM pg_stat_activity WHERE datname = '\(name)'", in: "postgres")) ?? -1
  }

  deinit {
    try? database.close()
    switch place {
    case .folder(let folder): try? FileManager.default.removeItem(atPath: folder)
    case .postgres(let server, let name):
      _ = try? server.run("DROP DATABASE IF EXISTS \(name) WITH (FORCE)", in: "postgres")
    }
  }
}

extension PostgresSettings {
  /// The usual ones, but for the waits for a connection.
  ///
  /// Hundreds of tests begin theirs at once, and a busy machine takes its time. What the limits are is looked at elsewhere.
  static var patient: PostgresSettings {
    var settings = PostgresSettings()
    settings.patience = 120
    settings.connectTimeout = 120
    return settings
  }
}
