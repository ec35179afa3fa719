import Foundation
import SightlineTestSupport
import Testing

@testable import SightlineStore

/// Addresses of databases, and that nobody sees the password in them.
@Suite(.enabled(if: Backend.all.contains(.postgres))) struct PostgresLocationTests {
  private let secret = "hunter2-Straße"
  private var escaped: String { secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }

  /// Everything that could be printed of something.
  private func printed(_ value: Any) -> String {
    var text = "\(value) " + String(reflecting: value)
    dump(value, to: &text)
    return text
  }

  @Test func `an address is known by its beginning`() {
    for text in ["postgresql://", "postgres://a/b", "POSTGRESQL://x"] { #expect(PostgresLocation.isLocation(text)) }
    for text in ["sightline.sqlite", "/var/postgresql.sqlite", "postgresql:x", "http://x", "", "postgresqlx://"] {
      #expect(!PostgresLocation.isLocation(text))
    }
  }

  @Test func `an address is shown without its password`() throws {
    for (text, shown) in [
      (
        "postgresql://olga:\(escaped)@db.example.org:5433/ar?sslmode=verify-full&sslrootcert=/x.pem",
        "postgresql://olga@db.example.org:5433/ar"
      ),
      ("postgres://olga:\(escaped)@db/ar", "postgresql://olga@db/ar"),
      ("postgresql:///ar?host=/run/postgresql&user=olga&password=\(escaped)", "postgresql://olga@/run/postgresql/ar"),
      ("postgresql://localhost", "postgresql://localhost/"),
      ("postgresql://[::1]:5432/ar", "postgresql://::1:5432/ar"),
      ("postgresql://a,b:5433/ar?target_session_attrs=any", "postgresql://a,b:,5433/ar"),
    ] {
      let location = try PostgresLocation(text)
      #expect(location.description == shown)
      #expect(!printed(location).contains("hunter2"))
    }
    #expect(!printed(try PostgresLocation("postgresql://db/ar", password: secret)).contains("hunter2"))
  }

  @Test func `of several servers one can be first, or alone`() throws {
    for (text, count, first, alone) in [
      ("postgresql://a:1,b:2,c:3/ar", 3, "postgresql://b,a,c:2,1,3/ar", "postgresql://b:2/ar"),
      ("postgresql://a,b/ar?port=5433", 2, "postgresql://b,a:5433/ar", "postgresql://b:5433/ar"),
      ("postgresql://a,b:5433/ar", 2, "postgresql://b,a:5433,/ar", "postgresql://b:5433/ar"),
      ("postgresql://a:1/ar", 1, "postgresql://a:1/ar", "postgresql://a:1/ar"),
      ("postgresql:///ar", 1, "postgresql://localhost/ar", "postgresql://localhost/ar"),
    ] {
      let location = try PostgresLocation(text)
      #expect(location.hosts == count)
      #expect(location.with(host: 1, alone: false).description == first)
      #expect(location.with(host: 1, alone: true).description == alone)
    }
  }

  @Test(arguments: [
    ("postgresql://olga:hunter2/x@db:5432/ar", "%2F"), ("postgresql://olga:hunter2%zz@db/ar", "hexadecimal"),
    ("postgresql://olga:hunter2%0@db/ar", "hexadecimal"), ("postgresql://olga:hunter2@x@db/ar", "%40"),
    ("postgresql://olga:hunter2%00@db/ar", "hexadecimal"), ("postgresql://olga:hun ter2@db/ar", "blank"),
    ("postgresql://olga:hunter2@db:port/ar", "port"), ("postgresql://olga:hunter2@db:70000/ar", "port"),
    ("postgresql://olga:hunter2@db:0/ar", "port"), ("postgresql://olga:hunter2@[::1/ar", "not well formed"),
    ("postgresql://olga@db/ar?sslmode=maybe&password=hunter2", "sslmode"),
    ("postgresql://olga@db/ar?pasword=hunter2", "NAME=VALUE"), ("postgresql://olga@db/ar?hunter2", "NAME=VALUE"),
    ("mysql://olga:hunter2@db/ar", "postgresql://"), ("hunter2", "postgresql://"),
    ("postgresql://olga:hunter2#x@db/ar?x", "NAME=VALUE"),
  ])
  func `an address that is not well formed is refused with what to do, and without the password`(
    text: String,
    word: String
  ) throws {
    do {
      _ = try PostgresLocation(text)
      Issue.record("taken")
    } catch {
      let said = printed(error)
      #expect(said.contains(word), "\(said)")
      #expect(!said.contains("hunter2") && !said.contains("ter2"), "\(said)")
    }
  }

  @Test func `a password is taken from the address, or from elsewhere, and is in no error`() async throws {
    let server = try TestPostgres.shared()
    let name = try server.makeDatabase()
    try await TestStore.open(server.address(name)).close()
    let bare = server.address(name, password: nil)
    try await PostgresDatabase.open(PostgresLocation(bare, password: TestPostgres.password)).close()
    for location in [
      try PostgresLocation(server.address(name, password: secret)), try PostgresLocation(bare, password: secret),
      try PostgresLocation("postgresql://sightline:\(escaped)@127.0.0.1:1/\(name)"),
      try PostgresLocation("postgresql://sightline:\(escaped)@name.invalid/\(name)"),
      try PostgresLocation("postgresql://nobody:\(escaped)@127.0.0.1:\(server.port)/none"),
      try PostgresLocation(
        "postgresql://sightline:\(escaped)@127.0.0.1:\(server.port)/\(name)?sslmode=verify-full&sslrootcert=/none.pem"
      ),
    ] {
      do {
        _ = try await PostgresDatabase.open(location)
        Issue.record("opened \(location)")
      } catch {
        let said = printed(error)
        #expect(!said.contains("hunter2") && !said.contains(escaped), "\(said)")
        #expect(said.contains(location.description), "\(said)")
      }
    }
    // Nor does a server that is asked what it does show it.
    let activity = try server.run("SELECT string_agg(s::TEXT, ' ') FROM pg_stat_activity s", in: "postgres")
    #expect(!activity.contains(TestPostgres.password))
  }

  @Test func `a connection by TLS knows its server, and refuses another`() async throws {
    let server = try TestPostgres.shared()
    let address = server.address(try server.makeDatabase()) + "?sslmode=verify-full&sslrootcert="
    let database = try await PostgresDatabase.open(PostgresLocation(address + server.certificate))
    let isSecure = try await database.read { db in
      try db.value(Bool.self, sql: "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
    }
    #expect(isSecure == true)
    try database.close()
    // A certificate of somebody else's, and a name that is not in the right one.
    let folder = try TemporaryFolder()
    let other = folder.path + "/other.crt"
    let openssl = try ChildProgram.run([
      "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout",
      folder.path + "/other.key", "-out", other,
    ])
    try #require(openssl.status == 0)
    let elsewhere = address.replacing("@127.0.0.1:", with: "@db.example.org:")
    for location in [address + other, elsewhere + server.certificate + "&hostaddr=127.0.0.1"] {
      do {
        _ = try await PostgresDatabase.open(PostgresLocation(location))
        Issue.record("opened \(location)")
      } catch PostgresError.unreachable(_, let reason) {
        #expect(reason.contains("certificate"), "\(reason)")
      }
    }
  }

  @Test func `values of statements are in no error`() async throws {
    let store = try await TestStore(.postgres)
    _ = try await store.stores.accounts.addAccount(name: "olga", role: .author, password: secret)
    do {
      try await store.execute(
        "INSERT INTO account (name, role, password, created_milliseconds) VALUES ('olga', 'author', ?, 0)",
        [secret]
      )
      Issue.record("taken twice")
    } catch {
      #expect(!printed(error).contains("hunter2"))
      #expect("\(error)".contains("23505"))
    }
  }

  @Test func `who waits for the writers' lock is late before the wait ends, by more than the second between two looks`()
  {
    let settings = PostgresSettings()
    #expect(settings.silence + 1 < Double(settings.lockTimeout) / 1000)
  }
}
