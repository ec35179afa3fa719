import ArgumentParser
import Foundation
import SightlineFormats
import SightlineStore

/// `sightline export`.
struct Export: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a world of the database to a file.",
    discussion: """
      Without --output the document goes to standard output. Exit status: 0 written; 1 there is no such world, or the \
      file cannot be written.
      """
  )

  @Argument(help: ArgumentHelp("Identifier of the world; see: sightline worlds", valueName: "world"))
  var world: String

  @Option(help: "Format to write.")
  var format: DocumentFormat = .gddf

  @Option(help: "Version to write (default: the current one).")
  var version: Int?

  @Option(name: [.short, .customLong("output")], help: ArgumentHelp("File to write.", valueName: "file"))
  var output: String?

  @Option(help: "What addresses of stored pictures begin with, such as https://ar.example.org.")
  var publicURL: String?

  @OptionGroup var database: DatabaseOption

  func run() async throws {
    let file = try await database.open(mustExist: true)
    defer { try? file.close() }
    let stores = Stores(file)
    guard let content = try await stores.worlds.world(world, version: version) else {
      let known = try await stores.worlds.worlds().map(\.id).prefix(20).joined(separator: ", ")
      let which = version.map { "no version \($0) of a world" } ?? "no world"
      throw Failure("There is \(which) \"\(world)\" in \(database.name). There are: \(known.isEmpty ? "none" : known).")
    }
    let origin = Setting.text(publicURL, "public-url").map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    let options = WritingOptions(baseURL: origin, geoidHeight: Installation.geoidHeight())
    let writing = FormatRegistry.write(try content.dimension(), as: format, options: options)
    for problem in writing.problems { Console.note(Console.line(for: problem, in: world)) }
    let document = writing.bytes
    guard let output else {
      FileHandle.standardOutput.write(Data(document))
      return
    }
    do {
      try Data(document).write(to: URL(fileURLWithPath: output), options: .atomic)
    } catch {
      throw Failure("\(output) cannot be written. Check the path and the rights of its folder.")
    }
    Console.note("\(output): \(Console.count(content.record.places, "place")), version \(content.record.version)")
  }
}
