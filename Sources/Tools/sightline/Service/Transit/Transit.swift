import ArgumentParser
import Foundation
import SightlineTransit

/// `sightline transit`.
struct Transit: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Public transport: import timetables, find stops, list departures.",
    subcommands: [
      TransitImport.self, TransitValidate.self, TransitRollBack.self, TransitNear.self, TransitDepartures.self,
    ]
  )
}

/// `sightline transit import`.
struct TransitImport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make a schedule file from a GTFS feed.",
    discussion: """
      All or nothing: the schedule in use stays until the new one is complete, and then as FILE.previous (see \
      "sightline transit rollback"). Rows that refer to nothing are left out and named; a feed of which more than one \
      stop time in a hundred is unusable is refused.

      With --provider instead of --into it goes into a PostgreSQL database, for that provider of all servers that use it: \
      they have it within seconds.
      """
  )

  @Argument(help: ArgumentHelp("GTFS feed: zip archive or folder.", valueName: "feed")) var feed: String
  @Option(help: ArgumentHelp("Schedule file to make.", valueName: "file")) var into: String?
  @OptionGroup var shared: SharedTimetableOption
  @Option(help: ArgumentHelp("Largest archive to read, in MiB.", valueName: "MiB")) var largestArchive = 512
  @Flag(help: "Take the feed although more than a fifth of the stops in use are not in it any more.") var force = false

  func validate() throws {
    try ArchiveSize.check(largestArchive)
    try shared.check(file: into, "--into")
  }

  func run() async throws {
    if let into { return try make(into) }
    try await shared.with { timetable in
      try await timetable.importFeed(feed) { try make(timetable.file) }
    }
  }

  private func make(_ file: String) throws {
    var importer = ScheduleImporter()
    importer.allowsLoss = force
    importer.largestArchive = largestArchive << 20
    let progress = TransitProgress()
    do {
      let report = try importer.importFeed(feed, into: file) { progress.show($0) }
      progress.end()
      report.print(feed: feed)
    } catch {
      progress.end()
      throw Failure("\(feed) was not imported. \(error)")
    }
  }
}

/// `sightline transit validate`.
struct TransitValidate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check a GTFS feed as an import would, without making anything."
  )

  @Argument(help: ArgumentHelp("GTFS feed: zip archive or folder.", valueName: "feed")) var feed: String
  @Option(help: ArgumentHelp("Largest archive to read, in MiB.", valueName: "MiB")) var largestArchive = 512

  func validate() throws { try ArchiveSize.check(largestArchive) }

  func run() throws {
    let progress = TransitProgress()
    var importer = ScheduleImporter()
    importer.largestArchive = largestArchive << 20
    do {
      let report = try importer.validate(feed: feed) { progress.show($0) }
      progress.end()
      report.print(feed: feed)
      if report.problems.contains(where: { $0.severity == .error }) { throw ExitCode(1) }
    } catch let code as ExitCode { throw code } catch {
      progress.end()
      throw Failure("\(feed) would be refused. \(error)")
    }
  }
}

/// `sightline transit rollback`.
struct TransitRollBack: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Take back the last import; a second call undoes the first."
  )

  @Argument(help: ArgumentHelp("Schedule file.", valueName: "file")) var file: String?
  @OptionGroup var shared: SharedTimetableOption

  func validate() throws { try shared.check(file: file, "a file") }

  func run() async throws {
    guard let file else {
      return try await shared.with { timetable in
        guard try await timetable.takeBack() else {
          throw Failure("Nothing was imported for \(timetable.provider) before what is in use.")
        }
      }
    }
    do { try ScheduleImporter.rollBack(file) } catch { throw Failure("\(error)") }
  }
}

/// The option of two commands.
private enum ArchiveSize {
  static func check(_ size: Int) throws {
    guard 1...1 << 20 ~= size else {
      throw ValidationError("--largest-archive is \(size); it has to be 1 to 1048576 MiB.")
    }
  }
}

/// How far an import has come, on one line for whoever watches.
final class TransitProgress {
  private var hasLine = false

  func show(_ progress: ScheduleImporter.Progress) {
    guard Console.isWatched else { return }
    let rows = progress.rows > 0 ? ": \(progress.rows) rows" : " …"
    FileHandle.standardError.write(Data("\r\u{1B}[K\(progress.step)\(rows)".utf8))
    hasLine = true
  }

  func end() {
    if hasLine { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
    hasLine = false
  }
}

extension ImportReport {
  /// Says what was found, on standard error.
  fileprivate func print(feed: String) {
    for problem in problems {
      Console.note(
        "\(problem.file):\(problem.line): \(problem.severity.rawValue): \(problem.message) [\(problem.code)]"
      )
    }
    for (code, count) in counts.sorted(by: { $0.key < $1.key }) {
      let shown = problems.count { $0.code == code }
      if count > shown { Console.note("… and \(count - shown) more of \(code)") }
    }
    let names = ["stops.txt": "stop", "routes.txt": "route", "trips.txt": "trip", "stop_times.txt": "stop time"]
    let parts = ["stops.txt", "routes.txt", "trips.txt", "stop_times.txt"].map {
      Console.count(rows[$0] ?? 0, names[$0] ?? $0)
    }
    let lost = leftOut.values.reduce(0, +)
    Console.note(
      "\(feed): \(parts.joined(separator: ", "))\(lost > 0 ? "; \(Console.count(lost, "row")) left out" : "")"
    )
  }
}
