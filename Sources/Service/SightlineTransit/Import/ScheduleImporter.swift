import Foundation
import SightlineArchive

/// Makes a schedule file from a GTFS feed.
///
/// All or nothing: the new file is written beside the old one, checked, and takes its place by one rename; the old one stays as
/// `FILE.previous` until the next import, see ``rollBack(_:)``.
public struct ScheduleImporter: Sendable {
  /// How far an import has come.
  public struct Progress: Sendable {
    /// What is being done, for example `stop_times.txt`.
    public let step: String
    /// Rows so far.
    public let rows: Int
  }

  /// Largest archive that is read, in bytes.
  public var largestArchive = 512 << 20

  /// Whether an import may take away more than a fifth of the stops in use.
  public var allowsLoss = false

  /// The time that counts for stops that are retired, POSIX seconds; `nil` for now.
  var time: Int?

  /// An importer with the usual limits.
  public init() {}

  /// Reads the feed and checks it, without writing.
  ///
  /// - Throws: ``TransitImportError`` or `ArchiveError` when it would be refused.
  public func validate(feed path: String, progress: (Progress) -> Void = { _ in }) throws -> ImportReport {
    try read(path, temporaryPath: NSTemporaryDirectory() + "sightline-validate", progress: progress).feed.report
  }

  /// Imports a feed (zip archive or folder) into a schedule file.
  ///
  /// Stops that are not in the feed any more become ``RetiredStop``s; when they are more than a fifth, the feed is refused (see
  /// ``allowsLoss``). Identifiers of stops are the feed's and so stay the same.
  ///
  /// - Throws: ``TransitImportError`` or `ArchiveError` when the feed is refused, a database error when the file cannot be
  ///   written; the file is then as it was.
  public func importFeed(
    _ path: String,
    into file: String,
    progress: (Progress) -> Void = { _ in }
  ) throws -> ImportReport {
    let fresh = file + ".new"
    try? FileManager.default.removeItem(atPath: fresh)
    do {
      let report = try make(fresh, of: path, inPlaceOf: file, progress: progress)
      try Self.put(fresh, inPlaceOf: file)
      return report
    } catch {
      try? FileManager.default.removeItem(atPath: fresh)
      throw error
    }
  }

  /// Makes a schedule file `fresh` of a feed, which is to follow `file`, and leaves that as it is; its temporary files lie
  /// beside the new one.
  package func make(
    _ fresh: String,
    of path: String,
    inPlaceOf file: String,
    progress: (Progress) -> Void = { _ in }
  ) throws -> ImportReport {
    var reading = try read(path, temporaryPath: fresh, progress: progress)
    if let old = try? Schedule(path: file), !old.stops.isEmpty {
      if !allowsLoss { try checkLoss(reading.feed.tables, old) }
      reading.retire(RetiredStop.list(after: old, at: time ?? TransitClock.real, isInUse: reading.hasStop))
    }
    progress(Progress(step: "writing", rows: 0))
    try ScheduleWriter(reading: reading).write(to: fresh)
    return reading.feed.report
  }

  /// Puts a new schedule file in the place of one that is in use, which becomes `FILE.previous`.
  ///
  /// - Throws: when the new one is none that can be opened, or the old one cannot be replaced.
  package static func put(_ fresh: String, inPlaceOf file: String) throws {
    // The last check before it counts: it opens, and holds what was read. What was read is not in memory any more.
    _ = try Schedule(path: fresh)
    let manager = FileManager.default
    if manager.fileExists(atPath: file) {
      let previous = file + ".previous"
      try? manager.removeItem(atPath: previous)
      try manager.linkItem(atPath: file, toPath: previous)
    }
    try replace(file, with: fresh)
  }

  /// A feed that lost its stops by mistake must not take them from riders.
  private func checkLoss(_ tables: FeedTables, _ old: Schedule) throws {
    let kept = Set(tables.stops.map(\.id))
    let lost = old.stops.count { !kept.contains($0.id) }
    guard lost * 5 > old.stops.count else { return }
    throw TransitImportError(
      "\(lost) of \(old.stops.count) stops in use are not in the feed any more. If that is meant, import it with --force."
    )
  }

  /// Takes the schedule before the last import back; a second call undoes the first.
  ///
  /// - Throws: ``TransitImportError`` when there is none.
  public static func rollBack(_ file: String) throws {
    let previous = file + ".previous"
    guard FileManager.default.fileExists(atPath: previous) else {
      throw TransitImportError("\(previous) is not there: nothing was imported before what is in use.")
    }
    _ = try Schedule(path: previous)
    let aside = file + ".aside"
    try? FileManager.default.removeItem(atPath: aside)
    try FileManager.default.linkItem(atPath: file, toPath: aside)
    try replace(file, with: previous)
    try replace(previous, with: aside)
  }

  private static func replace(_ file: String, with fresh: String) throws {
    guard rename(fresh, file) == 0 else {
      throw TransitImportError("\(file) cannot be replaced (\(String(cString: strerror(errno)))).")
    }
  }

  private func read(
    _ path: String,
    temporaryPath: String,
    progress: (Progress) -> Void
  ) throws -> StopTimesReader {
    var limits = FeedFiles.Limits()
    limits.archive = largestArchive
    var feed = FeedReader(files: try FeedFiles(path: path, limits: limits))
    for (step, read) in Self.steps {
      progress(Progress(step: step, rows: 0))
      try read(&feed)
    }
    return try withoutActuallyEscaping(progress) { progress in
      var times = StopTimesReader(feed: feed, temporaryPath: temporaryPath) {
        progress(Progress(step: "stop_times.txt", rows: $0))
      }
      try times.read()
      times.release()
      return times
    }
  }

  private static var steps: [(String, (inout FeedReader) throws -> Void)] {
    [
      ("agency.txt", { try $0.readAgencies() }), ("feed_info.txt", { try $0.readNotes() }),
      ("routes.txt", { try $0.readRoutes() }), ("calendar.txt", { try $0.readCalendars() }),
      ("stops.txt", { try $0.readStops() }), ("trips.txt", { try $0.readTrips() }),
      ("frequencies.txt", { try $0.readFrequencies() }), ("transfers.txt", { try $0.readTransfers() }),
      ("translations.txt", { try $0.readTranslations() }),
    ]
  }
}
