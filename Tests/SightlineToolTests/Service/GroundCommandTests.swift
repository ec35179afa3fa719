import Foundation
import Testing

/// `ground` as an operator runs it.
@Suite struct GroundCommandTests {
  private static let extract = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
      "Fixtures/demo/ground/Helsinki.osm.pbf"
    ).path

  @Test func `a ground is added, listed, shown, replaced, taken back and removed`() async throws {
    try await Tool.inFolder { folder in
      let added = try await Tool.run("ground", "add", Self.extract, in: folder)
      #expect(added.status == 0, "\(added.errors)")
      #expect(added.errors.contains("24260 nodes, 5130 ways, 620 relations"))
      let list = try await Tool.run("ground", "list", in: folder)
      #expect(list.output.hasPrefix("Helsinki  "))
      #expect(!list.output.contains("earlier"))
      let info = try await Tool.run("ground", "info", "Helsinki", in: folder)
      let json = try #require(try JSONSerialization.jsonObject(with: Data(info.output.utf8)) as? [String: Any])
      #expect((json["counts"] as? [String: Any])?["nodes"] as? Int == 24_260)
      #expect(try await Tool.run("ground", "rollback", "Helsinki", in: folder).status == 1)
      #expect(try await Tool.run("ground", "add", Self.extract, in: folder).status == 0)
      #expect(try await Tool.run("ground", "list", in: folder).output.contains("an earlier one is kept"))
      #expect(try await Tool.run("ground", "rollback", "Helsinki", in: folder).status == 0)
      #expect(try await Tool.run("ground", "remove", "Helsinki", in: folder).status == 0)
      #expect(try await Tool.run("ground", "list", "--json", in: folder).output == "[\n\n]\n")
      let gone = try await Tool.run("ground", "info", "Helsinki", in: folder)
      #expect(gone.status == 1 && gone.errors.contains("no ground called Helsinki"))
    }
  }

  @Test func `a damaged extract says which block, and what is there stays`() async throws {
    try await Tool.inFolder { folder in
      #expect(try await Tool.run("ground", "add", Self.extract, "--name", "town", in: folder).status == 0)
      let before = try await Tool.run("ground", "info", "town", in: folder).output
      let bytes = try Data(contentsOf: URL(fileURLWithPath: Self.extract))
      try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: folder + "/town.osm.pbf"))
      let broken = try await Tool.run("ground", "add", "town.osm.pbf", in: folder)
      #expect(broken.status == 1)
      #expect(broken.errors.contains("Nothing was added. Block "))
      #expect(broken.errors.contains("at byte "))
      #expect(try await Tool.run("ground", "info", "town", in: folder).output == before)
      try Data("hello".utf8).write(to: URL(fileURLWithPath: folder + "/x.txt"))
      #expect(try await Tool.run("ground", "add", "x.txt", in: folder).errors.contains("no OpenStreetMap extract"))
      #expect(try await Tool.run("ground", "add", "none.osm.pbf", in: folder).errors.contains("cannot be read"))
    }
  }
}
