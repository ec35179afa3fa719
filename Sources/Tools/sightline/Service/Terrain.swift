import ArgumentParser
import Foundation
import SightlineTerrain

/// `sightline terrain`.
struct Terrain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Heights of the ground: add, list and remove the tiles that the server answers from.",
    discussion: """
      Tiles are .hgt files of the Shuttle Radar Topography Mission or like them, one degree by one degree, every second or every \
      third second of arc. A server that runs has them within ten seconds. See Documentation/terrain.md.
      """,
    subcommands: [TerrainAdd.self, TerrainList.self, TerrainRemove.self]
  )
}

/// Where terrain is kept: the commands' option and the server's.
struct TerrainOption: ParsableArguments {
  @Option(
    name: .customLong("terrain"),
    help: ArgumentHelp(
      "Folder of the terrain (default: beside the database, under its name with the ending .terrain).",
      valueName: "folder"
    )
  )
  var folder: String?

  func folder(database: String) -> TerrainFolder {
    TerrainFolder(path: Setting.text(folder, "terrain") ?? (database as NSString).deletingPathExtension + ".terrain")
  }
}

/// `sightline terrain add`.
struct TerrainAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add tiles, all of them or, when one is wrong, none; a tile that is there is replaced."
  )

  @Argument(help: ArgumentHelp("Files like N48E009.hgt.", valueName: "file")) var files: [String]
  @OptionGroup var terrain: TerrainOption
  @OptionGroup var database: DatabaseOption

  func run() throws {
    let folder = terrain.folder(database: database.path)
    do {
      let added = try folder.add(files)
      Console.note("\(added.map(\.description).joined(separator: ", ")): added to \(folder.path)")
    } catch {
      throw Failure("Nothing was added. \(error)")
    }
  }
}

/// `sightline terrain list`.
struct TerrainList: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List the tiles that there are.")

  @Flag(help: "Print a JSON array instead of a table.") var json = false
  @OptionGroup var terrain: TerrainOption
  @OptionGroup var database: DatabaseOption

  private struct Row: Encodable {
    var tile: String
    var seconds: Int
    var bytes: Int
  }

  func run() throws {
    let folder = terrain.folder(database: database.path)
    let entries: [TerrainFolder.Entry]
    do { entries = try folder.list() } catch { throw Failure("\(error)") }
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      let rows = entries.map { Row(tile: "\($0.id)", seconds: $0.seconds, bytes: $0.bytes) }
      print(String(decoding: try encoder.encode(rows), as: UTF8.self))
      return
    }
    if entries.isEmpty {
      Console.note("There are no tiles in \(folder.path). Add some with: sightline terrain add FILES")
    }
    for entry in entries { print("\(entry.id)  \(entry.seconds)\"  \(entry.bytes) bytes") }
  }
}

/// `sightline terrain remove`.
struct TerrainRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove tiles, all of them or, when one is not there, none."
  )

  @Argument(help: ArgumentHelp("Tiles like N48E009.", valueName: "tile")) var tiles: [String]
  @OptionGroup var terrain: TerrainOption
  @OptionGroup var database: DatabaseOption

  func run() throws {
    do { try terrain.folder(database: database.path).remove(tiles) } catch {
      throw Failure("Nothing was removed. \(error)")
    }
  }
}
