import ArgumentParser
import SightlineContent
import SightlineImport
import SightlineStore

/// `sightline import`.
struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Read worlds from files into the database.",
    discussion: """
      Any format that Sightline reads is recognised by its content. A file whose world is already stored makes a new \
      version of it, unless nothing has changed; a running server shows it within a second. Pictures with relative \
      addresses are stored too when they lie beside the file. Files of one name, such as walk.gddf and walk.kml, make worlds \
      of their own: walk and walk-2.

      Exit status: 0 all files are stored; 1 at least one could not be read, the others are stored.
      """
  )

  @Argument(help: ArgumentHelp("Files to read.", valueName: "file"))
  var files: [String]

  @Option(help: "Identifier of the world (one file only; default: from the file's name).")
  var id: String?

  @OptionGroup var places: AssetsOption
  @OptionGroup var database: DatabaseOption

  func validate() throws {
    guard let id else { return }
    guard files.count == 1 else { throw ValidationError("--id names one world; give one file with it.") }
    guard WorldIdentifier.isValid(id) else { throw ValidationError(StoreError.badIdentifier(id).description) }
  }

  func run() async throws {
    let place = try places.place()
    let file = try await database.open(mustExist: false)
    defer { try? file.close() }
    let stores = Stores(file, files: place)
    let importer = WorldImporter(worlds: stores.worlds, assets: stores.assets)
    var refused = 0
    var names = WorldNames()
    for (number, file) in files.enumerated() {
      if files.count > 1, Console.isWatched { Console.note("[\(number + 1)/\(files.count)] \(file)") }
      do {
        let outcome = try await importer.importFile(at: file, id: id ?? names.next(for: file))
        for problem in outcome.problems where problem.severity != .info {
          Console.note(Console.line(for: problem, in: file))
        }
        guard let saved = outcome.saved else {
          Console.note("\(file): not imported. Correct what is named above; see: sightline validate \(file)")
          refused += 1
          continue
        }
        Console.say(describe(saved))
      } catch let error as LocalFile.Unreadable {
        Console.note(error.description)
        refused += 1
      } catch let error as StoreError {
        Console.note("\(file): \(error.description)")
        refused += 1
      }
    }
    if refused > 0 { throw ExitCode(1) }
  }

  private func describe(_ saved: SaveOutcome) -> String {
    let record = saved.record
    let content = "\(Console.count(record.places, "place")), \(Console.count(record.overlays, "overlay"))"
    return switch saved {
    case .saved: "\(record.id): version \(record.version), \(content) (\(record.format))"
    case .unchanged: "\(record.id): unchanged, version \(record.version), \(content) (\(record.format))"
    }
  }
}

/// Identifiers for the worlds of several files that are imported together: no two are the same.
struct WorldNames {
  private var taken: Set<String> = []

  /// The identifier from a file's name; with a number behind it where an earlier file has it.
  mutating func next(for file: String) -> String {
    let name = WorldIdentifier.derived(fromFileName: file)
    var id = name
    var number = 1
    while !taken.insert(id).inserted {
      number += 1
      let ending = "-\(number)"
      id = name.prefix(WorldIdentifier.maximumLength - ending.count) + ending
    }
    return id
  }
}
