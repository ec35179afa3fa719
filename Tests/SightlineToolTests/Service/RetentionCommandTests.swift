import Foundation
import Testing

/// `sightline retention` as an operator runs it.
@Suite struct RetentionCommandTests {
  private struct Answer: Decodable {
    struct Entry: Decodable {
      var kind: String
      var count: Int
    }
    var dryRun: Bool
    var entries: [Entry]
    var count: Int
    var databaseAfter: Int?
  }

  private func retention(_ arguments: String..., in folder: String) async throws -> Answer {
    let outcome = try await Tool.run(["retention", "--json"] + arguments, in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8))
  }

  @Test func `old versions go when that is meant, and not before`() async throws {
    try await Tool.inFolder { folder in
      for places in 1...4 {
        try Data(StorageCommandTests.gddf("Town", places: places).utf8)
          .write(to: URL(fileURLWithPath: folder + "/town.gddf"))
        #expect(try await Tool.run("import", "town.gddf", in: folder).status == 0)
      }
      // With the usual limits every version of this week stays.
      #expect(try await retention(in: folder).count == 0)
      let outlook = try await retention("--dry-run", "--keep-versions", "2", "--keep-version-days", "0", in: folder)
      #expect(outlook.dryRun)
      #expect(outlook.entries.first { $0.kind == "worldVersions" }?.count == 2)
      #expect(outlook.databaseAfter == nil)
      func versions() async throws -> [Int?] {
        let history = try await Tool.run("worlds", "--history", "town", "--format", "json", in: folder).output
        let list = try JSONSerialization.jsonObject(with: Data(history.utf8)) as? [[String: Any]]
        return (list ?? []).map { $0["version"] as? Int }
      }
      #expect(try await versions() == [4, 3, 2, 1], "a dry run changes nothing")
      let done = try await retention("--compact", "--keep-versions", "2", "--keep-version-days", "0", in: folder)
      #expect(done.entries.first { $0.kind == "worldVersions" }?.count == 2)
      #expect(done.databaseAfter ?? 0 > 0)
      #expect(try await versions() == [4, 3])
      let export = try await Tool.run("export", "town", "--format", "geojson", in: folder)
      #expect(export.status == 0 && export.output.contains("Place 3"))
    }
  }

  @Test(arguments: [
    (["--dry-run", "--compact"], "--compact changes the file"), (["--keep-versions", "0"], "keep-versions"),
    (["--keep-uploads", "99999999999"], "keep-uploads"), (["--database", "none.sqlite"], "There is no database"),
  ])
  func `what cannot be meant is refused with a reason`(arguments: [String], words: String) async throws {
    try await Tool.inFolder { folder in
      if !arguments.contains("--database") {
        try Data(StorageCommandTests.gddf("Town").utf8).write(to: URL(fileURLWithPath: folder + "/town.gddf"))
        #expect(try await Tool.run("import", "town.gddf", in: folder).status == 0)
      }
      let outcome = try await Tool.run(["retention"] + arguments, in: folder)
      #expect(outcome.status != 0)
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
  }
}
