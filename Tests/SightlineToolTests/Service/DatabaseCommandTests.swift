import Foundation
import SightlineTestSupport
import Testing

/// `--database postgresql://…` and `sightline database` as an operator uses them.
@Suite(.timeLimit(.minutes(10))) struct DatabaseCommandTests {
  private static let isLeftOut = ProcessInfo.processInfo.environment["SIGHTLINE_WITHOUT_POSTGRES"] == "1"

  private func world(in folder: String) throws {
    try Data(StorageCommandTests.gddf("Town").utf8).write(to: URL(fileURLWithPath: folder + "/town.gddf"))
  }

  @Test func `a file's migrations are listed, and done`() async throws {
    try await Tool.inFolder { folder in
      let none = try await Tool.run("database", "migrate", "--dry-run", in: folder)
      #expect(none.status != 0 && none.errors.contains("There is no database"))
      let made = try await Tool.run("database", "migrate", in: folder)
      #expect(made.status == 0 && made.output.contains("Made sightline.sqlite"), "\(made.errors)")
      let again = try await Tool.run("database", "migrate", "--dry-run", in: folder)
      #expect(again.status == 0 && again.output.contains("in the form that this program needs"), "\(again.errors)")
    }
  }

  @Test(arguments: [
    "postgresql://olga:hunter2@127.0.0.1:1/ar", "postgresql://olga:hunter2/x@127.0.0.1/ar",
    "postgresql://olga:hunter2@127.0.0.1:port/ar", "postgresql://olga@127.0.0.1:1/ar?password=hunter2&sslmode=x",
  ])
  func `a database that cannot be opened is named without its password`(address: String) async throws {
    try await Tool.inFolder { folder in
      try world(in: folder)
      for words in [["worlds"], ["import", "town.gddf"], ["database", "migrate"], ["serve", "--port", "0"]] {
        let run = try await Tool.run(words + ["--database", address], in: folder)
        #expect(run.status != 0 && run.errors.contains("database"), "\(words): \(run.errors)")
        #expect(!(run.errors + run.output).contains("hunter2"), "\(words): \(run.errors)")
      }
      let missing = try await Tool.run(
        "worlds",
        "--database",
        "postgresql://olga@127.0.0.1:1/ar",
        "--database-password-file",
        "none.txt",
        in: folder
      )
      #expect(missing.status != 0 && missing.errors.contains("none.txt"), "\(missing.errors)")
    }
  }

  @Test(.enabled(if: !isLeftOut))
  func `a PostgreSQL database is migrated, filled, served, and survives the end of both`() async throws {
    let postgres = try TestPostgres()
    let address = postgres.address(try postgres.makeDatabase(), password: nil)
    try await Tool.inFolder { folder in
      try world(in: folder)
      try Data("\(TestPostgres.password)\n".utf8).write(to: URL(fileURLWithPath: folder + "/password.txt"))
      let options = ["--database", address, "--database-password-file", "password.txt"]
      let empty = try await Tool.run(["worlds"] + options, in: folder)
      #expect(empty.status != 0 && empty.errors.contains("nothing of Sightline"), "\(empty.errors)")
      let outlook = try await Tool.run(["database", "migrate", "--dry-run"] + options, in: folder)
      #expect(outlook.output.hasPrefix("Would do 0001"), "\(outlook.errors)")
      let done = try await Tool.run(["database", "migrate"] + options, in: folder)
      #expect(done.output.hasPrefix("Done: 0001"), "\(done.errors)")
      #expect(try await Tool.run(["import", "town.gddf"] + options, in: folder).status == 0)

      let server = try await ServeProcess(["--port", "0", "--demo", "none"] + options, in: folder)
      #expect(try await server.get("/api/v1/worlds").contains("\"title\":\"Town\""))
      try await Tool.onThread { try postgres.crash() }
      #expect(try await server.get("/api/v1/worlds/town").contains("Place 0"))
      server.signal(SIGTERM)
      #expect(try await server.wait() == 0)
      #expect(!server.log.contains(TestPostgres.password))
      // From the environment, too; other files lie in the folder and not at an address.
      let second = try await ServeProcess(
        ["--port", "0", "--demo", "none", "--database", address],
        in: folder,
        ["SIGHTLINE_DATABASE_PASSWORD": TestPostgres.password]
      )
      #expect(try await second.get("/api/v1/worlds").contains("\"title\":\"Town\""))
      second.signal(SIGTERM)
      #expect(try await second.wait() == 0)
      let files = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(!files.contains { $0.hasPrefix("postgresql") || $0.hasSuffix(".sqlite") }, "\(files)")
    }
  }

  #if os(Linux)
  @Test(.enabled(if: !isLeftOut))
  func `the list of processes does not show a password`() async throws {
    let postgres = try TestPostgres.shared()
    let address = postgres.address(try postgres.makeDatabase())
    try await Tool.inFolder { folder in
      let server = try await ServeProcess(["--port", "0", "--demo", "none", "--database", address], in: folder)
      let words = try String(contentsOfFile: "/proc/\(server.identifier)/cmdline", encoding: .utf8)
      #expect(words.contains("postgresql://sightline:***"), "\(words)")
      #expect(!words.contains("d%2DGr"), "\(words)")
      server.signal(SIGTERM)
      #expect(try await server.wait() == 0)
    }
  }
  #endif
}
