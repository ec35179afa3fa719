import Foundation
import Logging
import SightlineGround
import SightlineServer
import SightlineStore

/// The worlds, posters and ground that a new database begins with.
enum Demonstration {
  /// Imports every document of the folder into a store that has never held anything.
  ///
  /// A database whose worlds were all removed stays empty: that was somebody's wish.
  static func load(from folder: String?, into stores: Stores, ground: String?, log: Logger) async throws {
    guard let folder, try await stores.worlds.generation() == 0 else { return }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      throw Failure("The folder \(folder) with the demonstration worlds cannot be read. Correct --demo.")
    }
    let importer = WorldImporter(worlds: stores.worlds, assets: stores.assets)
    for name in names where [".gddf", ".xml", ".geojson"].contains(where: { name.hasSuffix($0) }) {
      let outcome = try await importer.importFile(at: "\(folder)/\(name)")
      guard let saved = outcome.saved else {
        log.error("a demonstration world could not be read", metadata: ["file": .string(name)])
        continue
      }
      log.notice(
        "loaded demonstration world",
        metadata: ["world": .string(saved.record.id), "places": .stringConvertible(saved.record.places)]
      )
    }
    try await loadPosters(from: folder + "/posters", into: stores, log: log)
    if let ground { await loadGround(from: folder + "/ground", into: GroundFolder(path: ground), log: log) }
  }

  /// Makes grounds of the extracts beside the worlds, if there are any and the operator has none.
  private static func loadGround(from folder: String, into grounds: GroundFolder, log: Logger) async {
    guard grounds.names.isEmpty, let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      return
    }
    for name in names.sorted() where name.hasSuffix(".osm.pbf") {
      let ground = GroundFolder.name(ofExtract: name)
      do {
        let file = try await grounds.add(extract: "\(folder)/\(name)", as: ground)
        log.notice(
          "loaded demonstration ground",
          metadata: ["ground": .string(ground), "buildings": .stringConvertible(file.info.counts.buildings)]
        )
      } catch {
        log.error(
          "a demonstration ground could not be made",
          metadata: ["file": .string(name), "reason": .string("\(error)")]
        )
      }
    }
  }

  /// Imports the posters beside the worlds, if there are any.
  private static func loadPosters(from folder: String, into stores: Stores, log: Logger) async throws {
    guard FileManager.default.fileExists(atPath: folder + "/" + PosterImporter.tableName) else { return }
    var count = 0
    do {
      try await PosterImporter(posters: stores.posters, assets: stores.assets).importFolder(folder) { row in
        if row.outcome != nil { count += 1 }
        for problem in row.problems where problem.severity == .error {
          log.error("a demonstration poster could not be read", metadata: ["reason": .string(problem.message)])
        }
      }
    } catch let error as PosterImporter.Unreadable {
      throw Failure(error.description)
    }
    log.notice("loaded demonstration posters", metadata: ["posters": .stringConvertible(count)])
  }
}
