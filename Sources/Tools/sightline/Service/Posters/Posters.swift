import ArgumentParser
import Foundation
import SightlineContent
import SightlineServer
import SightlineStore

/// `sightline posters`.
struct Posters: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fill and look after the catalogue of posters.",
    subcommands: [PostersImport.self, PostersList.self, PostersRemove.self]
  )
}

/// `sightline posters import`.
struct PostersImport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Read posters from a folder of pictures with a table into the database.",
    discussion: """
      The table is posters.csv in the folder, or the one given by --table: comma-separated, UTF-8, its first line the \
      names of the columns. Needed are file (a PNG, JPEG or WebP in the folder), title and sizes; there can be id, \
      artist, text, categories and shop. Categories and sizes are separated by semicolons. A size is a sheet (A3), or \
      width and height in millimetres (500x700, 50x70cm), with a name before it and a price after it if wanted: \
      "A3 24.90 EUR; Large 700x1000 49.00 EUR".

      A poster whose identifier is there already is replaced. What is stored of a picture is made anew from its \
      pixels, turned upright, in several widths; nothing else of the file is kept. A row with a fault is named with its \
      line and left out, the others are stored; a running server shows them at once.

      Exit status: 0 all rows are stored; 1 at least one is not, or there is no table.
      """
  )

  @Argument(help: ArgumentHelp("Folder with the pictures.", valueName: "folder"))
  var folder: String

  @Option(help: ArgumentHelp("The table (default: posters.csv in the folder).", valueName: "file"))
  var table: String?

  @OptionGroup var files: AssetsOption
  @OptionGroup var database: DatabaseOption

  func run() async throws {
    let place = try files.place()
    let file = try await database.open(mustExist: false)
    defer { try? file.close() }
    let stores = Stores(file, files: place)
    let name = table ?? folder + "/" + PosterImporter.tableName
    var counts = (added: 0, changed: 0, unchanged: 0, refused: 0)
    do {
      try await PosterImporter(posters: stores.posters, assets: stores.assets).importFolder(folder, table: table) {
        row in
        for problem in row.problems { Console.note(Console.line(for: problem, in: name)) }
        switch row.outcome {
        case .added: counts.added += 1
        case .changed: counts.changed += 1
        case .unchanged: counts.unchanged += 1
        case nil: counts.refused += 1
        }
        if Console.isWatched, let id = row.id, row.outcome != nil { Console.note("line \(row.line): \(id)") }
      }
    } catch let error as PosterImporter.Unreadable {
      throw Failure(error.description)
    }
    Console.say(
      "\(Console.count(counts.added, "poster")) added, \(counts.changed) changed, \(counts.unchanged) unchanged, "
        + "\(counts.refused) refused"
    )
    if counts.refused > 0 { throw ExitCode(1) }
  }
}

/// `sightline posters list`.
struct PostersList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List the posters of the database.")

  @Option(help: "Only posters with words that begin like these.")
  var query: String?

  @Option(help: "Only posters of this category.")
  var category: String?

  @OptionGroup var database: DatabaseOption

  func run() async throws {
    let file = try await database.open(mustExist: true)
    defer { try? file.close() }
    let stores = Stores(file)
    var rows: [[String]] = []
    var wanted = PosterQuery(words: query, category: category, order: .title, limit: 100)
    repeat {
      let page = try await stores.posters.posters(wanted)
      rows += page.posters.map { poster in
        [
          poster.id, poster.sizes.map(\.name).joined(separator: ", "), poster.artist ?? "",
          poster.title.replacing("\n", with: " "),
        ]
      }
      wanted.after = page.next
    } while wanted.after != nil
    for line in Table.lines(["POSTER", "SIZES", "ARTIST", "TITLE"], rows) { Console.say(line) }
  }
}

/// `sightline posters remove`.
struct PostersRemove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Take posters out of the catalogue.",
    discussion: "Exit status: 0 all are gone; 1 one of them was not there."
  )

  @Argument(help: ArgumentHelp("Identifiers of posters; see: sightline posters list", valueName: "poster"))
  var posters: [String]

  @OptionGroup var database: DatabaseOption

  func run() async throws {
    let file = try await database.open(mustExist: true)
    defer { try? file.close() }
    let stores = Stores(file)
    var missing = 0
    for id in posters where try await !stores.posters.removePoster(id) {
      Console.note("There is no poster \"\(id)\" in \(database.name).")
      missing += 1
    }
    if missing > 0 { throw ExitCode(1) }
  }
}
