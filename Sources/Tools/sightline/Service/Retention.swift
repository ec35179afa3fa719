import ArgumentParser
import Foundation
import SightlineInput
import SightlineStore

/// `sightline retention`.
struct Retention: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Remove what nobody needs any more from the database, or say what would go.",
    discussion: """
      A server does this by itself once a day; the command is for looking (--dry-run), for a timer of one's own \
      (sightline serve --no-retention), and for making a file smaller (--compact). It may run beside a server. What is in \
      use is never removed. See Documentation/retention.md.
      """
  )

  @Flag(help: "Say what would go, and change nothing.") var dryRun = false

  @Flag(help: "Print a JSON object instead of a table.") var json = false

  @Flag(
    help: """
      Afterwards write the whole file anew, without gaps; needs its size on the disk again, and whoever writes meanwhile \
      has to wait.
      """
  )
  var compact = false

  @OptionGroup var limits: RetentionOptions
  @OptionGroup var files: AssetsOption
  @OptionGroup var database: DatabaseOption

  private struct Answer: Encodable {
    var dryRun: Bool
    var entries: [RetentionReport.Entry]
    var count: Int
    var bytes: Int
    /// Bytes of the database file; not for a dry run.
    var databaseBefore: Int?
    var databaseAfter: Int?
  }

  func validate() throws {
    if dryRun, compact { throw ValidationError("--compact changes the file; leave it out with --dry-run.") }
  }

  func run() async throws {
    let rules = try limits.rules()
    let place = try files.place()
    let file = try await database.open(mustExist: true)
    defer { try? file.close() }
    let stores = Stores(file, files: place)
    let report: RetentionReport
    var size: (before: Int, after: Int)?
    do {
      report = try await stores.retention.retain(rules, at: Date(), isDryRun: dryRun)
      if !dryRun {
        var shrunk = try await stores.retention.shrink()
        if compact {
          try await file.compact()
          shrunk.after = try await stores.retention.shrink().after
        }
        size = shrunk
      }
    } catch {
      throw Failure(
        "The database \(database.name) could not be worked on: \(error). What was done until then stays done."
      )
    }
    let answer = Answer(
      dryRun: dryRun,
      entries: report.entries,
      count: report.entries.reduce(0) { $0.saturatingAdd($1.count) },
      bytes: report.entries.reduce(0) { $0.saturatingAdd($1.bytes) },
      databaseBefore: size?.before,
      databaseAfter: size?.after
    )
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      return Console.say(String(decoding: try encoder.encode(answer), as: UTF8.self))
    }
    let rows = report.entries.map { [$0.kind.rawValue, "\($0.count)", "\($0.bytes)"] }
    for line in Table.lines([dryRun ? "WOULD GO" : "GONE", "COUNT", "BYTES"], rows) { Console.say(line) }
    if let size { Console.say("The database has \(size.after) bytes; it had \(size.before).") }
  }
}
