import Foundation
import Testing

/// What is typed nearly right, and what the README says to type.
struct CommandWordsTests {
  @Test(arguments: [
    (["serv"], "sightline serve"), (["vaildate", "x.gddf"], "sightline validate"),
    (["target", "biuld", "p.png"], "sightline target build"), (["user", "lst"], "sightline user list"),
  ])
  func `a word that is nearly a command is answered with the command`(words: [String], meant: String) async throws {
    try await Tool.inFolder { folder in
      let run = try await Tool.run(words, in: folder)
      #expect(run.status == 64)
      #expect(run.errors.contains("Did you mean `\(meant)`?"), "\(run.errors)")
    }
  }

  @Test(arguments: [["quaternions"], ["target", "zzzzzz"], ["validate", "serv"], ["--versoin"]])
  func `what is nothing like a command, or a file, is not guessed at`(words: [String]) async throws {
    try await Tool.inFolder { folder in
      let run = try await Tool.run(words, in: folder)
      #expect(run.status != 0 && !run.errors.contains("There is no command"), "\(run.errors)")
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `completions name the commands`(shell: String) async throws {
    try await Tool.inFolder { folder in
      let run = try await Tool.run("completions", shell, in: folder)
      #expect(run.status == 0 && run.output.contains("validate") && run.output.contains("sightline"))
    }
  }

  @Test func `the formats that can be written are all named`() async throws {
    try await Tool.inFolder { folder in
      let help = try await Tool.run("convert", "--help", in: folder)
      #expect(help.output.contains("arml"), "\(help.output)")
    }
  }

  @Test func `files of one name that are imported together make worlds of their own`() async throws {
    try await Tool.inFolder { folder in
      try FileManager.default.createDirectory(atPath: folder + "/other", withIntermediateDirectories: true)
      let world = { (name: String) in
        #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [10, 48]}, "properties": {"name": "\#(name)"}}"#
      }
      try world("One").write(toFile: folder + "/walk.geojson", atomically: true, encoding: .utf8)
      try world("Two").write(toFile: folder + "/other/walk.geojson", atomically: true, encoding: .utf8)
      for version in [1, 1] {
        let run = try await Tool.run("import", "walk.geojson", "other/walk.geojson", in: folder)
        let lines = run.output.split(separator: "\n")
        #expect(run.status == 0 && lines.count == 2, "\(run.output) \(run.errors)")
        #expect(lines.first?.hasPrefix("walk: ") == true && lines.last?.hasPrefix("walk-2: ") == true, "\(run.output)")
        #expect(lines.allSatisfy { $0.contains("version \(version)") }, "\(run.output)")
      }
    }
  }

  /// Where the sources lie.
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// What the README's files are here, and the commands that do not end by themselves.
  private static let files = [
    "walk.gddf": "Fixtures/demo/danube-walk.gddf", "castle.area.xml": "Fixtures/demo/ulm.area.xml",
    "poster.png": "Documentation/images/ar-view.png",
  ]
  private static let endless: Set<String> = ["serve"]
  /// Those that need the picture of a marker or a code, a timetable or a recording; suites of theirs run them.
  private static let elsewhere: Set<String> = ["markers detect", "qr read", "transit import", "replay walk.recording"]

  @Test func `the commands of the README run as they are printed`() async throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let commands = readme.split(separator: "\n").filter { $0.hasPrefix("sightline ") }.map { $0.dropFirst(10) }
    #expect(commands.count >= 8)
    try await Tool.inFolder { folder in
      for (name, file) in Self.files {
        try FileManager.default.copyItem(atPath: Self.root.appending(path: file).path, toPath: folder + "/" + name)
      }
      try #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [10, 48]}, "properties": {"name": "Oak"}}"#
        .write(toFile: folder + "/trees.geojson", atomically: true, encoding: .utf8)
      for command in commands {
        let words = command.split(separator: " ").map(String.init)
        if Self.endless.contains(words[0]) || Self.elsewhere.contains(words.prefix(2).joined(separator: " ")) {
          // Its words are understood, at least.
          let isAlone = words[0] == "serve" || words[0] == "replay"
          let help = try await Tool.run(words.prefix(isAlone ? 1 : 2) + ["--help"], in: folder)
          #expect(help.status == 0, "sightline \(command): \(help.errors)")
          for option in words where option.hasPrefix("--") {
            #expect(help.output.contains(option.prefix { $0 != "=" }), "sightline \(command)")
          }
          continue
        }
        let run = try await Tool.run(words, in: folder)
        #expect(run.status == 0, "sightline \(command): \(run.errors)")
      }
    }
  }
}
