public import Foundation
import SightlineInput

/// How long what nobody needs any more is kept: the one place for all these limits.
///
/// What is in use is never removed, whatever stands here.
public struct RetentionRules: Equatable, Sendable {
  /// Days that an uploaded file stays to which nothing refers, so that it can be put into a world.
  public var uploadDays = 7
  /// Days that a removed world stays in the database.
  public var removedWorldDays = 30
  /// Versions of a world that stay however old they are, the live one among them.
  public var versions = 50
  /// Days that every version stays, also beyond ``versions``.
  public var versionDays = 30
  /// Days that a position of a team stays.
  public var positionDays = 30
  /// Most days that a run stays after its end, also where its tour says more.
  public var runDays = 30
  /// Days that the lines of the security log stay.
  public var securityLogDays = 180
  /// Days that a timetable file stays that no configuration names.
  public var timetableDays = 30
  /// Seconds without use after which a session has ended.
  public var sessionIdleTime: TimeInterval = 2 * 3600
  /// Seconds after which a session has ended in any case.
  public var sessionLongestTime: TimeInterval = 12 * 3600

  /// The usual limits.
  public init() {}

  /// Days that can be set.
  public static let days = 0...36_500

  func milliseconds(_ days: Int, before time: Date) -> Int64 {
    time.milliseconds.saturatingSubtract(Int64(days.clamped(to: RetentionRules.days)) &* 86_400_000)
  }
}

/// What a retention run removed, or would.
public struct RetentionReport: Codable, Equatable, Sendable {
  /// One kind of things.
  public enum Kind: String, Codable, CaseIterable, Sendable {
    /// Removed worlds with all that is left of them.
    case removedWorlds
    /// Old versions of published worlds.
    case worldVersions
    /// Old drafts that were published once.
    case drafts
    /// Uploaded files that nothing refers to.
    case files
    /// Sessions that have ended.
    case sessions
    /// One-time links that have ended.
    case links
    /// Runs of tours with all that teams left in them.
    case runs
    /// Positions of teams.
    case positions
    /// Lines of the security log.
    case securityLog
    /// Timetable files that no configuration names.
    case timetables
  }

  /// How many of a kind, and how many bytes of content.
  public struct Entry: Codable, Equatable, Sendable {
    /// The kind.
    public var kind: Kind
    /// How many.
    public var count: Int
    /// Bytes of documents and files; 0 for kinds that are only rows.
    public var bytes: Int

    /// An entry.
    public init(kind: Kind, count: Int, bytes: Int) {
      self.kind = kind
      self.count = count
      self.bytes = bytes
    }
  }

  /// Whether nothing was removed, only looked for.
  public var isDryRun: Bool
  /// One for each kind, in the order of ``Kind``.
  public var entries: [Entry] = []
  /// Identifiers of the runs of tours.
  public var runs: [String] = []

  /// A report without entries.
  public init(isDryRun: Bool) { self.isDryRun = isDryRun }

  /// The entry of a kind; zero when there is none.
  public subscript(kind: Kind) -> Entry {
    entries.first { $0.kind == kind } ?? Entry(kind: kind, count: 0, bytes: 0)
  }

  /// Adds to the entry of a kind.
  public mutating func add(_ kind: Kind, count: Int = 1, bytes: Int = 0) {
    if let index = entries.firstIndex(where: { $0.kind == kind }) {
      entries[index].count = entries[index].count.saturatingAdd(count)
      entries[index].bytes = entries[index].bytes.saturatingAdd(bytes)
    } else {
      entries.append(Entry(kind: kind, count: count, bytes: bytes))
      let order = Kind.allCases
      entries.sort { (order.firstIndex(of: $0.kind) ?? 0) < (order.firstIndex(of: $1.kind) ?? 0) }
    }
  }
}
