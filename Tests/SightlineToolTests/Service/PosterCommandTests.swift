import Foundation
import Testing

/// `posters import`, `list`, `remove` as a user runs them.
@Suite struct PosterCommandTests {
  @Test func `a folder of pictures becomes a catalogue, and each fault is named with its line`() async throws {
    try await Tool.inFolder { folder in
      let demo = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures/demo/posters")
      for name in ["harbour.png", "planets.png"] {
        try FileManager.default.copyItem(atPath: demo.path + "/" + name, toPath: folder + "/" + name)
      }
      let table = """
        file,title,artist,sizes
        harbour.png,Small Harbour,Studio,A3 24.00 EUR
        gone.png,Gone,Studio,A3
        planets.png,Eight,Studio,A9
        """
      try Data(table.utf8).write(to: URL(fileURLWithPath: folder + "/posters.csv"))
      let first = try await Tool.run("posters", "import", ".", in: folder)
      #expect(first.status == 1)
      #expect(first.output == "1 poster added, 0 changed, 0 unchanged, 2 refused\n")
      #expect(first.errors.contains("./posters.csv:3: error: gone.png cannot be opened"), "\(first.errors)")
      #expect(first.errors.contains("./posters.csv:4: error: \"A9\" is no size"), "\(first.errors)")
      let fixed = table.replacing("gone.png,Gone,Studio,A3\n", with: "").replacing("A9", with: "A2")
      try Data(fixed.utf8).write(to: URL(fileURLWithPath: folder + "/posters.csv"))
      let again = try await Tool.run("posters", "import", ".", in: folder)
      #expect(again.status == 0 && again.output == "1 poster added, 0 changed, 1 unchanged, 0 refused\n")
      let list = try await Tool.run("posters", "list", in: folder).output.split(separator: "\n")
      #expect(list.map { $0.split(separator: " ").first ?? "" } == ["POSTER", "planets", "harbour"])
      #expect(try await Tool.run("posters", "list", "--query", "harb", in: folder).output.contains("Small Harbour"))
      let removed = try await Tool.run("posters", "remove", "planets", "none", in: folder)
      #expect(removed.status == 1 && removed.errors.contains("no poster \"none\""))
      #expect(try await Tool.run("posters", "list", in: folder).output.split(separator: "\n").count == 2)
    }
  }

  @Test func `a folder without a table says so`() async throws {
    try await Tool.inFolder { folder in
      let result = try await Tool.run("posters", "import", ".", in: folder)
      #expect(result.status == 1 && result.errors.contains("posters.csv cannot be opened"), "\(result.errors)")
    }
  }
}
