import ArgumentParser
import SightlineStore

/// `sightline database`.
struct DatabaseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "database",
    abstract: "Look after the database.",
    subcommands: [
      DatabaseMigrate.self, DatabaseCopyCommand.self, DatabaseCheckCommand.self, DatabaseBackupCommand.self,
      DatabaseRestoreCommand.self,
    ]
  )
}

/// `sightline database migrate`.
struct DatabaseMigrate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Bring the database to the form that this program needs, or say what would be done.",
    discussion: """
      A server does this by itself when it starts; of several that start at once one does it and the others wait. The \
      command is for looking (--dry-run), and for doing it before, with a user who may change tables.
      """
  )

  @Flag(help: "List what would be done, and change nothing.") var dryRun = false
  @OptionGroup var database: DatabaseOption

  func run() async throws {
    let isNew = !dryRun && !database.exists
    let pending = isNew ? [] : try await database.pendingMigrations()
    if !dryRun { try await database.open(mustExist: false).close() }
    if isNew { return Console.say("Made \(database.name).") }
    guard !pending.isEmpty else { return Console.say("\(database.name) is in the form that this program needs.") }
    for name in pending { Console.say((dryRun ? "Would do " : "Done: ") + name) }
  }
}
