import ArgumentParser
import Foundation
import SightlineGround
import SightlineOpenStreetMap
import SightlineTerrain

/// `sightline ground`.
struct Ground: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "The ground out of OpenStreetMap: map, ways to walk, buildings.",
    discussion: """
      An extract of an area (.osm.pbf, or .osm) becomes a ground, which the server draws its map from; it asks nobody else. A \
      server that runs has it within ten seconds. See Documentation/ground.md.
      """,
    subcommands: [GroundAdd.self, GroundList.self, GroundShow.self, GroundRemove.self, GroundRollback.self]
  )
}

/// Where grounds are kept: the commands' option and the server's.
struct GroundOption: ParsableArguments {
  @Option(
    name: .customLong("ground"),
    help: ArgumentHelp(
      "Folder of the grounds (default: beside the database, under its name with the ending .grounds).",
      valueName: "folder"
    )
  )
  var folder: String?

  func folder(database: String) -> GroundFolder {
    GroundFolder(path: Setting.text(folder, "ground") ?? (database as NSString).deletingPathExtension + ".grounds")
  }
}

/// `sightline ground add`.
struct GroundAdd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Make a ground of an extract; the one of that name before is kept for going back."
  )

  @Argument(help: ArgumentHelp("The extract, .osm.pbf or .osm.", valueName: "file")) var extract: String
  @Option(help: "Its name (default: that of the file).") var name: String?
  @OptionGroup var ground: GroundOption
  @OptionGroup var terrain: TerrainOption
  @OptionGroup var database: DatabaseOption

  func run() async throws {
    let folder = ground.folder(database: database.path)
    let name = name ?? GroundFolder.name(ofExtract: extract)
    let terrain = terrain.folder(database: database.path)
    let heights = terrain.isEmpty ? nil : TerrainHeights(terrain)
    var last = ""
    do {
      let file = try await folder.add(
        extract: extract,
        as: name,
        heights: heights.map { heights in
          { heights.height(latitudeDegrees: $0, longitudeDegrees: $1) }
        },
        progress: { stage, share in
          let text = "\(Self.words(stage)) \(Int(clamped: share * 100)) %"
          if text != last, Console.isWatched { Console.progress(text) }
          last = text
        }
      )
      if Console.isWatched { Console.progress("") }
      Console.note("\(name): \(Self.summary(file.info)); \(file.size) bytes in \(folder.path)")
      for line in Self.omissions(file.info.omissions) { Console.note("  \(line)") }
    } catch {
      if Console.isWatched { Console.progress("") }
      throw Failure("Nothing was added. \(error)")
    }
  }

  private static func words(_ stage: GroundStage) -> String {
    switch stage {
    case .reading: "reading"
    case .shapes: "shapes"
    case .tiles: "tiles"
    case .walking: "ways to walk"
    }
  }

  static func summary(_ info: GroundInfo) -> String {
    let counts = info.counts
    return "\(counts.nodes) nodes, \(counts.ways) ways, \(counts.relations) relations; \(counts.buildings) buildings, "
      + "\(counts.streets) streets, \(counts.tiles) tiles"
  }

  /// What could not be used, one line each.
  private static func omissions(_ omissions: GroundInfo.Omissions) -> [String] {
    [
      (omissions.openAreas, "areas are not closed, mostly at the edge of the extract; what closes is shown"),
      (omissions.missingNodes, "nodes of ways are not in the extract: these ways end there"),
      (omissions.missingWays, "ways of areas are not in the extract"),
      (omissions.openCoasts, "pieces of coast end within the extract: the sea is not drawn there"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
  }
}

/// `sightline ground list`.
struct GroundList: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List the grounds that there are.")

  @Flag(help: "Print a JSON array instead of a table.") var json = false
  @OptionGroup var ground: GroundOption
  @OptionGroup var database: DatabaseOption

  private struct Row: Encodable {
    var name: String
    var bytes: Int
    var hasPrevious: Bool
    var info: GroundInfo
  }

  func run() throws {
    let folder = ground.folder(database: database.path)
    var rows: [Row] = []
    for name in folder.names {
      do {
        let file = try folder.open(name)
        rows.append(Row(name: name, bytes: file.size, hasPrevious: folder.hasPrevious(name), info: file.info))
      } catch { Console.note("\(name): \(error)") }
    }
    if json {
      print(try GroundShow.text(rows))
      return
    }
    if rows.isEmpty {
      Console.note("There are no grounds in \(folder.path). Add one with: sightline ground add EXTRACT.osm.pbf")
    }
    for row in rows {
      print(
        "\(row.name)  \(row.bytes) bytes  \(GroundAdd.summary(row.info))\(row.hasPrevious ? "  (an earlier one is kept)" : "")"
      )
    }
  }
}

/// `sightline ground info`.
struct GroundShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show what a ground holds, and check every byte of it."
  )

  @Argument(help: "Name of the ground.") var name: String
  @OptionGroup var ground: GroundOption
  @OptionGroup var database: DatabaseOption

  static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  func run() throws {
    do {
      let file = try ground.folder(database: database.path).open(name)
      try file.check()
      print(try Self.text(file.info))
    } catch let problem as GroundProblem { throw Failure("\(problem)") }
  }
}

/// `sightline ground remove`.
struct GroundRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a ground, and the earlier one that is kept with it."
  )

  @Argument(help: "Name of the ground.") var name: String
  @OptionGroup var ground: GroundOption
  @OptionGroup var database: DatabaseOption

  func run() throws {
    do { try ground.folder(database: database.path).remove(name) } catch {
      throw Failure("Nothing was removed. \(error)")
    }
  }
}

/// `sightline ground rollback`.
struct GroundRollback: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Go back to the ground before; what is there now is kept in its place."
  )

  @Argument(help: "Name of the ground.") var name: String
  @OptionGroup var ground: GroundOption
  @OptionGroup var database: DatabaseOption

  func run() throws {
    do { try ground.folder(database: database.path).rollBack(name) } catch {
      throw Failure("Nothing was changed. \(error)")
    }
  }
}
