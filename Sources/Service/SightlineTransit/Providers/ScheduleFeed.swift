import Foundation
import SightlineInput
import Synchronization

/// Where a timetable is fetched from.
public struct ScheduleSource: Sendable, Equatable {
  /// An address.
  public var url: String
  /// Header fields, keys among them.
  public var headers: [String: String]
  /// Seconds between checks.
  public var interval: Double

  /// The usual time between checks, seconds: six hours.
  public static let usualInterval = 21_600.0

  /// A source.
  public init(url: String, headers: [String: String] = [:], interval: Double = ScheduleSource.usualInterval) {
    self.url = url
    self.headers = headers
    self.interval = interval
  }
}

/// Servers that have their timetables in common: one of them asks for a feed, and the others load what it made.
public protocol ScheduleSharing: Sendable {
  /// Makes a check of a feed when it is due and no other server makes it, and puts what was taken into use for all.
  ///
  /// - Returns: What it came to; `nil` when it was not due here.
  func takeTurn(_ feed: ScheduleFeed) async -> ScheduleFeed.Report?
}

/// Keeps a schedule file up to date from a GTFS feed at an address.
///
/// Requests are conditional. A feed that is new is written beside the schedule file, imported, and put in its place only when it
/// passed; whatever goes wrong, the schedule in use stays. What was last fetched is noted beside the schedule file, so that a
/// restart fetches nothing anew, and a feed that was refused is not fetched again until it is another one.
public final class ScheduleFeed: Sendable {
  /// Why a feed was not taken.
  public enum Refusal: Error, Sendable {
    /// The feed is not fit for use; a sentence.
    case feed(String)
    /// It could not be looked at for now; a sentence.
    case later(String)
  }

  /// What a check came to, for the log.
  public struct Report: Sendable {
    /// Id of the provider.
    public let provider: String
    /// What it came to.
    public let outcome: ProviderStatus.Timetable.Outcome
    /// Why, when it failed; a sentence, without the path of a file.
    public let reason: String
    /// Seconds until the next check.
    public let pause: Double
  }

  /// Imports a feed file into a schedule file.
  public typealias Importing = @Sendable (_ feed: String, _ file: String) async throws(Refusal) -> Void

  /// What is noted beside the schedule file.
  private struct Note: Codable {
    /// Of the address, which may have a key in it and so is not written down.
    var source: UInt64 = 0
    /// Of the feed in use.
    var etag = ""
    var lastModified = ""
    var checked = 0
    var taken = 0
    /// Of the feed that was refused last, and why.
    var refused: Refused?

    struct Refused: Codable {
      var etag: String
      var lastModified: String
      var reason: String
    }
  }

  private struct Contents {
    var note: Note
    var status: ProviderStatus.Timetable
  }

  let source: ScheduleSource
  /// The schedule file.
  public let file: String
  private let provider: String
  private let transport: any ProviderTransport
  private let timer: any TransitTimer
  private let importing: Importing
  private let report: @Sendable (Report) -> Void
  private let sharing: (any ScheduleSharing)?
  private let contents: Mutex<Contents>

  /// Largest feed that is fetched, bytes.
  public static let largest = 512 << 20
  /// Seconds that fetching one may take.
  package static let longest = 1800.0
  /// Seconds after which a check that failed is made again; doubled with each one that fails, up to the interval.
  static let firstPause = 300.0
  private static let mostDoublings = 12
  /// Seconds between looks whether a check is due that any of several servers may make.
  static let turnPause = 30.0

  private let largest: Int
  private let longest: Double

  /// A keeper of a provider's schedule file.
  ///
  /// - Parameters:
  ///   - provider: id of the provider.
  ///   - source: where the feed is.
  ///   - file: the schedule file; it may be missing, then ``check()`` makes it.
  ///   - transport: what fetches.
  ///   - importing: what makes a schedule file of a feed, and puts it in the place of the one in use when it is fit for that.
  ///   - report: told what each check came to.
  ///   - sharing: the servers that have the timetable in common; `nil` for this one alone.
  public convenience init(
    of provider: String,
    source: ScheduleSource,
    file: String,
    transport: any ProviderTransport,
    importing: @escaping Importing,
    report: @escaping @Sendable (Report) -> Void = { _ in },
    sharing: (any ScheduleSharing)? = nil
  ) {
    self.init(
      of: provider,
      source: source,
      file: file,
      transport: transport,
      timer: SystemTimer(),
      importing: importing,
      report: report,
      sharing: sharing
    )
  }

  package init(
    of provider: String,
    source: ScheduleSource,
    file: String,
    transport: any ProviderTransport,
    timer: any TransitTimer,
    largest: Int = ScheduleFeed.largest,
    longest: Double = ScheduleFeed.longest,
    importing: @escaping Importing,
    report: @escaping @Sendable (Report) -> Void = { _ in },
    sharing: (any ScheduleSharing)? = nil
  ) {
    self.sharing = sharing
    self.provider = provider
    self.source = source
    self.file = file
    self.transport = transport
    self.timer = timer
    self.largest = largest
    self.longest = longest
    self.importing = importing
    self.report = report
    // A damaged note, or one of another address, says nothing.
    let note = Self.note(FileManager.default.contents(atPath: file + ".source"), of: source)
    var status = ProviderStatus.Timetable()
    status.checked = Instant.clamped(note.checked)
    status.taken = Instant.clamped(note.taken)
    contents = Mutex(Contents(note: note, status: status))
  }

  private static func note(_ data: Data?, of source: ScheduleSource) -> Note {
    let mark = TextHash.of(source.url)
    let note = data.flatMap { try? JSONDecoder().decode(Note.self, from: $0) }
    return note.flatMap { $0.source == mark ? $0 : nil } ?? Note(source: mark)
  }

  /// What is known of the feed, for another server to go on with; without the address, which may have a key in it.
  public var knowledge: Data { (try? JSONEncoder().encode(contents.withLock { $0.note })) ?? Data() }

  /// Goes on with what another server knows of the feed; what is damaged, or of another address, says nothing.
  public func adopt(_ knowledge: Data?) {
    let note = Self.note(knowledge, of: source)
    contents.withLock {
      $0.note = note
      $0.status.checked = Instant.clamped(note.checked)
      $0.status.taken = Instant.clamped(note.taken)
    }
  }

  /// How it is.
  public var status: ProviderStatus.Timetable { contents.withLock { $0.status } }

  /// Whether there is a schedule file that can be opened.
  public var hasSchedule: Bool { (try? Schedule(path: file)) != nil }

  /// Checks until the task is cancelled; `taken` is called when the schedule file is a new one.
  public func run(_ taken: @Sendable () -> Void) async {
    while !Task.isCancelled {
      let pause = sharing == nil ? pause : min(source.interval, Self.turnPause)
      do { try await timer.sleep(seconds: pause * Double.random(in: 0.95...1.05)) } catch { return }
      let report = if let sharing { await sharing.takeTurn(self) } else { await check() }
      if report?.outcome == .taken { taken() }
    }
  }

  /// Seconds until the next check is due.
  package var pause: Double {
    contents.withLock { contents in
      if contents.status.failuresInARow > 0 { return Self.pause(contents.status.failuresInARow, source.interval) }
      // What a server before this one fetched lately need not be asked for at the start.
      guard contents.status.outcome == nil else { return source.interval }
      let age = Double(TransitClock.real.saturatingSubtract(contents.note.checked))
      return (source.interval - max(0, age)).clamped(to: 0...source.interval)
    }
  }

  private static func pause(_ failures: Int, _ interval: Double) -> Double {
    min(interval, firstPause * Double(1 << min(failures - 1, mostDoublings)))
  }

  /// Asks once whether there is a new feed, and takes it when it is fit for use.
  @discardableResult public func check() async -> Report {
    let note = contents.withLock { $0.note }
    let download = file + ".feed"
    defer { try? FileManager.default.removeItem(atPath: download) }
    var request = ProviderRequest(
      url: source.url,
      headers: source.headers,
      accept: "application/zip, application/octet-stream;q=0.9, */*;q=0.5"
    )
    // Without a schedule nothing is held that could be the newest.
    if hasSchedule {
      request.etag = note.refused?.etag ?? note.etag
      request.lastModified = note.refused?.lastModified ?? note.lastModified
    }
    request.limit = largest
    request.timeLimit = longest
    let answer: ProviderAnswer
    do throws(ProviderFailure) { answer = try await transport.download(request, to: download) } catch {
      return end(.unreachable, Self.sentence(error))
    }
    guard !answer.isUnchanged else {
      if let refused = note.refused { return end(.refused, refused.reason) }
      return end(.unchanged)
    }
    if let reason = Self.fault(of: download) { return refuse(answer, reason) }
    do throws(Refusal) { try await importing(download, file) } catch {
      switch error {
      case .later(let reason): return end(.unreachable, reason)
      case .feed(let reason): return refuse(answer, reason.replacing(download, with: "The feed"))
      }
    }
    contents.withLock {
      $0.note.etag = answer.etag
      $0.note.lastModified = answer.lastModified
      $0.note.refused = nil
      $0.note.taken = TransitClock.real
    }
    return end(.taken)
  }

  private func refuse(_ answer: ProviderAnswer, _ reason: String) -> Report {
    let reason = ProviderText.cut(reason, 1000)
    contents.withLock {
      $0.note.refused = Note.Refused(etag: answer.etag, lastModified: answer.lastModified, reason: reason)
    }
    return end(.refused, reason)
  }

  private func end(_ outcome: ProviderStatus.Timetable.Outcome, _ reason: String = "") -> Report {
    let (note, pause) = contents.withLock { contents -> (Note, Double) in
      contents.status.outcome = outcome
      contents.status.checks[outcome, default: 0] += 1
      switch outcome {
      case .taken, .unchanged:
        contents.note.checked = TransitClock.real
        contents.status.failuresInARow = 0
      case .unreachable, .refused:
        contents.status.failuresInARow = min(contents.status.failuresInARow + 1, 1000)
      }
      contents.status.checked = contents.note.checked
      contents.status.taken = contents.note.taken
      let failures = contents.status.failuresInARow
      return (contents.note, failures > 0 ? Self.pause(failures, source.interval) : source.interval)
    }
    // A note that cannot be written costs a fetch at the next start.
    if let data = try? JSONEncoder().encode(note) {
      try? data.write(to: URL(fileURLWithPath: file + ".source"), options: .atomic)
    }
    let report = Report(provider: provider, outcome: outcome, reason: reason, pause: pause)
    self.report(report)
    return report
  }

  private static func sentence(_ failure: ProviderFailure) -> String {
    guard case .status(let status, _) = failure, 300...399 ~= status else { return failure.detail }
    return
      "The provider answered with status \(status): the feed is at another address. Put that one in the configuration."
  }

  /// What is wrong with a file at first sight, before it is imported: a page that says so is the commonest answer of a server that
  /// has no feed any more.
  private static func fault(of path: String) -> String? {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      return "The feed could not be kept: is the disk full?"
    }
    defer { try? handle.close() }
    guard let start = try? handle.read(upToCount: 512), !start.isEmpty else { return "The feed is empty." }
    if start.starts(with: [0x50, 0x4B]) { return nil }
    let text = String(decoding: start, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
    if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") {
      return "A web page came in place of the feed. Is the address right, and is a key needed?"
    }
    return "What came is no zip archive, as a GTFS feed is. Is the address right?"
  }
}
