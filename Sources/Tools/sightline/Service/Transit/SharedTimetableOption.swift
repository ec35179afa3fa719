import ArgumentParser
import Foundation
import SightlineServer
import SightlineStore
import SightlineTransit

/// The timetable that all servers of a database have in common, for commands.
struct SharedTimetableOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Id of the provider whose timetable all servers of a PostgreSQL database have in common (--database).",
      valueName: "id"
    )
  )
  var provider: String?

  @OptionGroup var database: DatabaseOption

  /// Looks whether either a file or a provider was named.
  func check(file: String?, _ name: String) throws {
    guard (file == nil) != (provider == nil) else {
      throw ValidationError("Name either \(name) or --provider with the --database that all servers use.")
    }
    if let provider, !ProviderInfo.isID(provider) {
      throw ValidationError("--provider is \"\(provider)\"; an id has letters, digits and hyphens.")
    }
  }

  /// Does something with it; what it needs of files lies in a folder that goes with it.
  func with(_ work: @Sendable (SharedTimetable) async throws -> Void) async throws {
    guard PostgresLocation.isLocation(database.location) else {
      throw Failure(
        "Servers have their timetables in common in a PostgreSQL database only. Name it with --database, or make a schedule file "
          + "with --into."
      )
    }
    let open = try await database.open(mustExist: true)
    let folder = NSTemporaryDirectory() + "sightline-timetable-\(UUID().uuidString)"
    defer {
      try? FileManager.default.removeItem(atPath: folder)
      try? open.close()
    }
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    let id = provider ?? ""
    do {
      try await work(SharedTimetable(of: id, file: "\(folder)/\(id).schedule", stores: open.stores))
    } catch let failure as Failure { throw failure } catch { throw Failure("\(error)") }
  }
}
