import ArgumentParser
import Foundation
import SightlineStore

/// `sightline database copy`.
struct DatabaseCopyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Copy a database into a new one, of the same kind or of the other, and compare all rows.",
    discussion: """
      End the server first: what it writes meanwhile is not in the copy. FROM is only read. TO has to be new or empty. A copy \
      that was interrupted goes on by the same command; until it is finished no server starts on TO. See \
      Documentation/database.md.
      """
  )

  @Argument(help: ArgumentHelp("Database to read: a file, or postgresql://USER@HOST/DATABASE.", valueName: "from"))
  var from: String
  @Argument(help: ArgumentHelp("Database to fill: a file, or postgresql://USER@HOST/DATABASE.", valueName: "to"))
  var to: String
  @Option(help: ArgumentHelp("File whose first line is FROM's password.", valueName: "file"))
  var fromPasswordFile: String?
  @Option(help: ArgumentHelp("File whose first line is TO's password.", valueName: "file"))
  var toPasswordFile: String?

  func run() async throws {
    let source = try DatabaseOption.place(from, passwordFile: fromPasswordFile)
    let target = try DatabaseOption.place(to, passwordFile: toPasswordFile)
    let progress = TransferProgress()
    let report = try await TransferFailure.named {
      try await DatabaseCopy(from: source, to: target, progress: { progress.show($0) }).run()
    }
    progress.end()
    Console.say("\(target): \(report.summary) from \(source)")
  }
}

/// `sightline database check`.
struct DatabaseCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract:
      "Look through a database: its form, its file or constraints, every row, and what has to hold between them.",
    discussion: """
      Changes nothing, and may run beside a server. Prints what it finds.

      Exit status: 0 nothing is wrong; 1 something is.
      """
  )

  @Argument(help: ArgumentHelp("Database: a file, or postgresql://USER@HOST/DATABASE.", valueName: "database"))
  var database: String
  @Option(help: ArgumentHelp("File whose first line is the password.", valueName: "file"))
  var databasePasswordFile: String?

  @OptionGroup var files: AssetsOption

  func run() async throws {
    let location = try DatabaseOption.place(database, passwordFile: databasePasswordFile)
    let place = try files.place()
    let progress = TransferProgress()
    let report = try await TransferFailure.named {
      try await DatabaseCheck(location, files: place, progress: { progress.show($0) }).run()
    }
    progress.end()
    for finding in report.findings {
      Console.say("\(finding.isError ? "error" : "note"): \(finding.place): \(finding.message)")
    }
    if report.omitted > 0 { Console.say("… and \(report.omitted) more") }
    let rows = Console.count(Int(clamping: report.rows), "row")
    guard report.isWhole else {
      Console.note("\(location) is not whole (form: \(report.form); \(rows)).")
      throw ExitCode(1)
    }
    Console.say("\(location) is whole (form: \(report.form); \(rows)).")
  }
}

/// `sightline database backup`.
struct DatabaseBackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Save a database to a file, as it is at one moment, also while a server uses it.",
    discussion: """
      The file is a whole SQLite database, of a PostgreSQL database too; sightline database restore brings it back into \
      either kind. Files that lie outside the database are in it, too. It holds hashes of passwords and secrets, and may be read by nobody but its owner.
      """
  )

  @Argument(help: ArgumentHelp("Database: a file, or postgresql://USER@HOST/DATABASE.", valueName: "database"))
  var database: String
  @Argument(help: ArgumentHelp("File to make.", valueName: "file"))
  var file: String
  @Option(help: ArgumentHelp("File whose first line is the password.", valueName: "file"))
  var databasePasswordFile: String?

  @Flag(help: "Leave out the bytes of files that lie outside the database; their place is saved by itself then.")
  var withoutAssets = false
  @OptionGroup var files: AssetsOption

  func run() async throws {
    let location = try DatabaseOption.place(database, passwordFile: databasePasswordFile)
    let place = try files.place()
    let progress = TransferProgress()
    let rows = try await TransferFailure.named {
      let backup = DatabaseBackup(files: place, packsFiles: !withoutAssets, progress: { progress.show($0) })
      return try await backup.save(location, to: file)
    }
    progress.end()
    Console.say("\(file): \(Console.count(Int(clamping: rows), "row")) from \(location), checked")
  }
}

/// `sightline database restore`.
struct DatabaseRestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Bring a backup back into a new or empty database of either kind.",
    discussion: "What is in a database is never overwritten. One that was interrupted goes on by the same command."
  )

  @Argument(help: ArgumentHelp("File of sightline database backup.", valueName: "file"))
  var file: String
  @Argument(help: ArgumentHelp("Database to fill: a file, or postgresql://USER@HOST/DATABASE.", valueName: "database"))
  var database: String
  @Option(help: ArgumentHelp("File whose first line is the password.", valueName: "file"))
  var databasePasswordFile: String?
  @OptionGroup var files: AssetsOption

  func run() async throws {
    let place = try files.place()
    let target = try DatabaseOption.place(database, passwordFile: databasePasswordFile)
    let progress = TransferProgress()
    let report = try await TransferFailure.named {
      try await DatabaseBackup(files: place, progress: { progress.show($0) }).restore(file, to: target)
    }
    progress.end()
    Console.say("\(target): \(report.summary) from \(file)")
  }
}

extension CopyReport {
  /// What was done, in a few words.
  fileprivate var summary: String {
    let counts = "\(Console.count(Int(clamping: rows), "row")) copied, \(compared) compared"
    return isResumed ? counts + ", going on with what was there" : counts
  }
}

/// Errors of databases in words.
enum TransferFailure {
  static func named<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error as TransferError { throw Failure(error.description) } catch let error
      as StoreError
    {
      throw Failure(error.description)
    } catch let error as PostgresError {
      throw Failure(error.description)
    } catch let error as AssetPlaceError {
      throw Failure(error.description)
    } catch let error as any CustomStringConvertible & Error {
      throw Failure("The database could not be worked on: \(error)")
    }
  }
}

/// How far a copy or a check has come, on one line for whoever watches.
final class TransferProgress: Sendable {
  func show(_ progress: CopyProgress) {
    let part = progress.total > 0 ? " of \(progress.total)" : ""
    write("\(progress.isComparing ? "comparing" : "copying") \(progress.step): \(progress.rows)\(part)")
  }

  func show(_ table: String) { write("reading \(table)") }

  func end() { write("") }

  private func write(_ text: String) {
    guard Console.isWatched else { return }
    FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
  }
}
