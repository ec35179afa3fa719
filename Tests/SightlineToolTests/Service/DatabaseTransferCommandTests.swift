import Foundation
import SightlineTestSupport
import Testing

/// `sightline database copy`, `check`, `backup` and `restore` as an operator uses them.
@Suite(.timeLimit(.minutes(10))) struct DatabaseTransferCommandTests {
  private static let isLeftOut = ProcessInfo.processInfo.environment["SIGHTLINE_WITHOUT_POSTGRES"] == "1"

  /// A database file with a world.
  private static func fill(_ folder: String, places: Int) async throws {
    let world = Data(StorageCommandTests.gddf("Town", places: places).utf8)
    try world.write(to: URL(fileURLWithPath: folder + "/town.gddf"))
    let run = try await Tool.run("import", "town.gddf", in: folder)
    try #require(run.status == 0, "\(run.errors)")
  }

  private static func sightline(_ words: String..., in folder: String, fails: Bool = false) async throws -> String {
    let run = try await Tool.run(["database"] + words, in: folder)
    #expect((run.status != 0) == fails, "\(words): \(run.output)\(run.errors)")
    return run.output + run.errors
  }

  @Test(.enabled(if: !isLeftOut))
  func `a copy that is killed goes on, and a server waits for its end`() async throws {
    let postgres = try TestPostgres.shared()
    let address = postgres.address(try postgres.makeDatabase())
    try await Tool.inFolder { folder in
      try await Self.fill(folder, places: 20_000)
      let process = Tool.process(["database", "copy", "sightline.sqlite", address], in: folder)
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      let name = try #require(address.split(separator: "/").last.map(String.init))
      // Killed once something is there.
      for _ in 0..<2000 where process.isRunning {
        let count = try? postgres.run("SELECT count(*) FROM place", in: name)
        if count.flatMap({ Int($0) }) ?? 0 > 0 { break }
        try await Task.sleep(for: .milliseconds(10))
      }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      let started = try await Tool.run("serve", "--port", "0", "--database", address, in: folder)
      #expect(started.status != 0 && started.errors.contains("is a copy that is not finished"), "\(started.errors)")
      #expect(!started.errors.contains("d%2DGr"))
      let checked = try await Self.sightline("check", address, in: folder, fails: true)
      #expect(checked.contains("error: database: it is a copy of"), "\(checked)")
      let done = try await Self.sightline("copy", "sightline.sqlite", address, in: folder)
      #expect(done.contains("going on with what was there"), "\(done)")
      let whole = try await Self.sightline("check", address, in: folder)
      #expect(whole.contains("is whole"), "\(whole)")
      #expect(try postgres.run("SELECT count(*) FROM place", in: name) == "20000")
      let again = try await Self.sightline("copy", "sightline.sqlite", address, in: folder, fails: true)
      #expect(again.contains("is not empty"), "\(again)")
    }
  }

  @Test func `a backup is made while a server runs, and brought back`() async throws {
    try await Tool.inFolder { folder in
      try await Self.fill(folder, places: 2)
      let server = try await ServeProcess(["--port", "0", "--demo", "none"], in: folder)
      let saved = try await Self.sightline("backup", "sightline.sqlite", "saved.sqlite", in: folder)
      #expect(saved.contains("saved.sqlite: ") && saved.contains("checked"), "\(saved)")
      #expect(try await server.get("/api/v1/worlds").contains("Town"))
      server.signal(SIGTERM)
      #expect(try await server.wait() == 0)
      #expect(
        try await Self.sightline("backup", "sightline.sqlite", "saved.sqlite", in: folder, fails: true).contains(
          "already"
        )
      )
      #expect(try await Self.sightline("restore", "saved.sqlite", "new.sqlite", in: folder).contains("compared"))
      let worlds = try await Tool.run("worlds", "--database", "new.sqlite", in: folder)
      #expect(worlds.output.contains("Town"), "\(worlds.errors)")
      #expect(
        try await Self.sightline("restore", "saved.sqlite", "new.sqlite", in: folder, fails: true).contains("not empty")
      )
      let whole = try await Self.sightline("check", "new.sqlite", in: folder)
      #expect(whole.hasPrefix("new.sqlite is whole (form: "), "\(whole)")
      try Data("no database at all, but text".utf8).write(to: URL(fileURLWithPath: folder + "/text.sqlite"))
      let broken = try await Self.sightline("check", "text.sqlite", in: folder, fails: true)
      #expect(broken.contains("error: file: it cannot be read") && broken.contains("not whole"), "\(broken)")
      #expect(
        try await Self.sightline("check", "none.sqlite", in: folder, fails: true).contains("no database none.sqlite")
      )
    }
  }

  // MARK: Files outside

  @Test func `files of worlds lie in a folder, and move`() async throws {
    try await Tool.inFolder { folder in
      let demo = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../Fixtures/demo/museum.gddf"
      ).path
      let missing = try await Tool.run("import", demo, "--assets", "files", in: folder)
      #expect(missing.status != 0 && missing.errors.contains("no such folder"), "\(missing.errors)")
      try FileManager.default.createDirectory(atPath: folder + "/files", withIntermediateDirectories: true)
      let imported = try await Tool.run("import", demo, "--assets", "files", in: folder)
      #expect(imported.status == 0, "\(imported.errors)")
      func names() -> [String] {
        let all = FileManager.default.enumerator(atPath: folder + "/files")?.compactMap { $0 as? String } ?? []
        return all.filter { $0.contains("/") }
      }
      let count = names().count
      #expect(count > 0)
      let hash = String(names()[0].dropFirst(3).prefix(64))
      let server = try await ServeProcess(["--port", "0", "--demo", "none"], in: folder, ["SIGHTLINE_ASSETS": "files"])
      #expect(try await server.get("/assets/\(hash)").isEmpty == false)
      server.signal(SIGTERM)
      #expect(try await server.wait() == 0)
      let blind = try await Self.sightline("check", "sightline.sqlite", in: folder)
      #expect(blind.contains("note: asset: \(count) files lie outside"), "\(blind)")
      #expect(
        try await Self.sightline("check", "sightline.sqlite", "--assets", "files", in: folder).contains("is whole")
      )
      let refused = try await Self.sightline("backup", "sightline.sqlite", "b.sqlite", in: folder, fails: true)
      #expect(refused.contains("--without-assets"), "\(refused)")
      let moved = try await Tool.run("assets", "move", "database", "--assets", "files", in: folder)
      #expect(
        moved.output.hasPrefix("\(count) file") && moved.output.contains("moved to the database"),
        "\(moved.errors)"
      )
      #expect(names() == [])
      for (words, reason) in [
        (["assets", "move", "s3://files"], "no credentials"), (["assets", "move", "s3://f"], "bucket"),
        (["assets", "move", "files", "--assets", "files"], "Name another one"),
        (["assets", "move", "s3://files", "--to-credentials-file", "none"], "two lines"),
      ] {
        let run = try await Tool.run(words, in: folder, ["AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""])
        #expect(run.status != 0 && run.errors.contains(reason), "\(words): \(run.errors)")
      }
    }
  }
}
