import Foundation
import Testing

/// `sightline user`, and the link that a first start prints.
@Suite(.timeLimit(.minutes(10))) struct UserCommandTests {
  /// Runs `sightline user add NAME --password-stdin`.
  private func add(_ name: String, _ password: String, _ more: [String] = [], in folder: String) async throws -> Int32 {
    let input = folder + "/password-\(UUID().uuidString)"
    try Data((password + "\n").utf8).write(to: URL(fileURLWithPath: input))
    return try await Tool.onThread {
      let process = Tool.process(
        ["user", "add", name, "--password-stdin", "--database", "d.sqlite"] + more,
        in: folder
      )
      process.standardInput = FileHandle(forReadingAtPath: input)
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  @Test func `accounts are made, listed, closed, and the only operator stays`() async throws {
    try await Tool.inFolder { folder in
      #expect(try await add("Chief", "correct horse 9", ["--role", "operator"], in: folder) == 0)
      #expect(try await add("olga", "correct horse 9", in: folder) == 0)
      #expect(try await add("olga", "correct horse 9", in: folder) == 1)
      #expect(try await add("otto", "short", in: folder) == 1)
      #expect(try await add("two words", "correct horse 9", in: folder) == 1)
      let list = try await Tool.run("user", "list", "--database", "d.sqlite", in: folder).output
      let lines = list.split(separator: "\n").map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
      #expect(lines.dropFirst() == ["chief operator active", "olga author active"])
      let closed = try await Tool.run("user", "change", "olga", "--no-active", "--database", "d.sqlite", in: folder)
      #expect(closed.output == "olga: author, closed\n")
      let last = try await Tool.run("user", "change", "chief", "--role", "author", "--database", "d.sqlite", in: folder)
      #expect(last.status == 1)
      #expect(last.errors.contains("the only operator"))
      let link = try await Tool.run(
        "user",
        "reset",
        "olga",
        "--url",
        "https://a.example",
        "--database",
        "d.sqlite",
        in: folder
      )
      #expect(link.output.hasPrefix("https://a.example/#/account/link/"))
    }
  }

  @Test func `a start without accounts prints a link, one with an account does not`() async throws {
    try await Tool.inFolder { folder in
      let first = try await ServeProcess(["--port", "0", "--database", "d.sqlite", "--demo", "none"], in: folder)
      var log = ""
      for _ in 0..<100 where !log.contains("/#/account/link/") {
        try await Task.sleep(for: .milliseconds(50))
        log = first.log
      }
      #expect(log.contains("\(first.url)/#/account/link/"))
      first.signal(SIGTERM)
      #expect(try await first.wait() == 0)
      #expect(try await add("chief", "correct horse 9", ["--role", "operator"], in: folder) == 0)
      let second = try await ServeProcess(["--port", "0", "--database", "d.sqlite", "--demo", "none"], in: folder)
      #expect(try await second.get("/api/v1/session").contains("\"needsFirstAccount\":false"))
      #expect(!second.log.contains("/#/account/link/"))
      second.signal(SIGTERM)
      #expect(try await second.wait() == 0)
    }
  }
}
