import Foundation
import Testing

/// `import`, `export`, `worlds` as a user runs them.
@Suite struct StorageCommandTests {
  static func gddf(_ title: String, places: Int = 1) -> String {
    let features = (0..<places).map { index in
      """
      <featureTxt id="p\(index)"><location><lat>\(48 + Double(index) / 1000)</lat><lon>10</lon><alt>0</alt></location>
        <anchor>BC</anchor><showInRadar>true</showInRadar><text>Place \(index)</text></featureTxt>
      """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <dimension version="1.0"><name>\(title)</name><features>\(features.joined())</features></dimension>
      """
  }

  private func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  @Test func `what is imported is listed, exported, and known again`() async throws {
    try await Tool.inFolder { folder in
      try write(StorageCommandTests.gddf("Town", places: 3), folder + "/town.gddf")
      let first = try await Tool.run("import", "town.gddf", in: folder)
      #expect(first.status == 0, "\(first.errors)")
      #expect(first.output == "town: version 1, 3 places, 0 overlays (gddf)\n")
      let again = try await Tool.run("import", "town.gddf", in: folder)
      #expect(again.output == "town: unchanged, version 1, 3 places, 0 overlays (gddf)\n")
      try write(StorageCommandTests.gddf("Town", places: 1), folder + "/town.gddf")
      let changed = try await Tool.run("import", "town.gddf", in: folder)
      #expect(changed.output == "town: version 2, 1 place, 0 overlays (gddf)\n")

      let table = try await Tool.run("worlds", in: folder).output.split(separator: "\n")
      #expect(table.count == 2)
      #expect(table.first?.split(separator: " ") == ["WORLD", "VERSION", "PLACES", "FORMAT", "UPDATED", "TITLE"])
      #expect(table.last?.split(separator: " ").prefix(4) == ["town", "2", "1", "gddf"])
      let history = try await Tool.run("worlds", "--history", "town", "--format", "json", in: folder).output
      let versions = try #require(try JSONSerialization.jsonObject(with: Data(history.utf8)) as? [[String: Any]])
      #expect(versions.map { $0["version"] as? Int } == [2, 1])

      let old = try await Tool.run("export", "town", "--version", "1", "-o", "old.gddf", in: folder)
      #expect(old.status == 0, "\(old.errors)")
      #expect(old.output.isEmpty)
      let back = try await Tool.run("import", "old.gddf", "--id", "other", in: folder)
      #expect(back.output == "other: version 1, 3 places, 0 overlays (gddf)\n", "\(back.errors)")
      let document = try await Tool.run("export", "town", "--format", "geojson", in: folder).output
      #expect(document.contains("\"FeatureCollection\""))
    }
  }

  @Test func `good files are imported even when others are not`() async throws {
    try await Tool.inFolder { folder in
      try write(StorageCommandTests.gddf("A"), folder + "/a.gddf")
      try write("<dimension version=\"1.0\">\n<name>", folder + "/b.gddf")
      try write(StorageCommandTests.gddf("C"), folder + "/c.gddf")
      let outcome = try await Tool.run("import", "a.gddf", "b.gddf", "none.gddf", "c.gddf", in: folder)
      #expect(outcome.status == 1)
      #expect(outcome.output.split(separator: "\n").map { $0.prefix(2) } == ["a:", "c:"])
      #expect(outcome.errors.contains("b.gddf:2: error: "), "\(outcome.errors)")
      #expect(outcome.errors.contains("[D001]"))
      #expect(outcome.errors.contains("none.gddf cannot be opened"))
    }
  }

  @Test(arguments: [
    (["worlds"], 1, "There is no database"), (["export", "x"], 1, "There is no database"),
    (["import"], 64, "Missing expected argument"), (["import", "a", "--id", "Bad Id"], 64, "lower-case"),
    (["import", "a", "b", "--id", "x"], 64, "one file"),
    (["import", "a", "--database", "/none/x"], 1, "cannot be opened"),
    (["serve", "--port", "70000"], 64, "0 to 65535"), (["serve", "--tls-key", "k"], 64, "belong together"),
    (["serve", "--tiles", "x"], 64, "{z}"), (["serve", "--log-level", "loud"], 64, "possible are"),
    (["serve", "--public-url", "x"], 64, "--public-url"), (["serve", "--proxy-ports", "a"], 64, "numbers"),
    (["serve", "--trusted-proxy", "x"], 64, "--trusted-proxy"), (["serve", "--connections", "1"], 64, "16 to"),
    (["serve", "--connections-per-network", "0"], 64, "1 to"),
    (["serve", "--port", "0", "--web-client", "/none"], 1, "--web-client"),
    (["serve", "--port", "0", "--demo", "/none"], 1, "--demo"),
    (["serve", "--port", "0", "--tls-cert", "/none", "--tls-key", "/none"], 1, "/none cannot be read"),
    (["nonsense"], 64, "nonsense"),
  ])
  func `errors go to standard error, say what to do, and have their exit status`(
    arguments: [String],
    status: Int32,
    words: String
  ) async throws {
    try await Tool.inFolder { folder in
      let process = try await Tool.onThread { () -> (Int32, String, String) in
        let process = Tool.process(arguments, in: folder)
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = errors.fileHandleForReading.readDataToEndOfFile()
        let out = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: out, as: UTF8.self), String(decoding: text, as: UTF8.self))
      }
      #expect(process.0 == status, "\(process.2)")
      #expect(process.1.isEmpty)
      #expect(process.2.contains(words), "\(process.2)")
      // A command that only reads leaves nothing behind.
      if arguments.first == "worlds" || arguments.first == "export" {
        #expect(!FileManager.default.fileExists(atPath: folder + "/sightline.sqlite"))
      }
    }
  }
}
