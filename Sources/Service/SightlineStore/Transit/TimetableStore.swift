public import Foundation

/// Timetables that all servers of a database have in common: one imports a feed, the others load what it made.
///
/// A schedule file lies there once, in parts, under its SHA-256. What is in use is one row for each provider, which is changed in one
/// transaction once all parts are there; the one before stays as well, to be taken back.
public protocol TimetableStore: Sendable {
  /// What is in use for a provider; `nil` when nobody has imported anything for it.
  func timetable(of provider: String) async throws -> StoredTimetable?

  /// One part of a schedule file, ``StoredTimetable/partBytes`` long but for the last; `nil` when it is not there.
  func part(_ number: Int, of hash: Data) async throws -> Data?

  /// Keeps one part of a schedule file; what is kept is not in use before ``publish(_:for:)``.
  func keep(_ bytes: Data, part number: Int, of hash: Data) async throws

  /// Puts a schedule file whose parts are kept into use, and tells all servers.
  ///
  /// - Throws: ``TimetableStoreError/incomplete`` when parts are missing.
  func publish(_ timetable: StoredTimetable, for provider: String) async throws

  /// Notes what was found out about the feed at an address, without changing the timetable.
  func note(_ note: Data, for provider: String) async throws

  /// Takes the timetable before the one in use back, and tells all servers; a second call undoes the first.
  ///
  /// - Returns: Whether there was one.
  func takeBack(_ provider: String) async throws -> Bool

  /// Removes parts that belong to no timetable and were kept before a time: of an import that was broken off.
  func removeLeft(before time: Date) async throws
}

/// Why a timetable was not put into use.
public enum TimetableStoreError: Error, CustomStringConvertible {
  /// Parts of it are missing.
  case incomplete

  /// A sentence.
  public var description: String { "parts of the timetable are missing in the database: import it again." }
}

/// A timetable in the store.
public struct StoredTimetable: Equatable, Sendable {
  /// SHA-256 of the schedule file.
  public var hash: Data
  /// Its length.
  public var bytes: Int
  /// When it was put into use.
  public var saved: Date
  /// SHA-256 of the feed that it was made of; `nil` for one that was fetched from an address.
  public var feedHash: Data?
  /// When that feed was changed last, by the clock of the machine it lay on.
  public var feedChanged: Date?
  /// What is known of the feed at an address.
  public var note: Data?

  /// Length of parts.
  public static let partBytes = 1 << 20

  /// A timetable.
  public init(
    hash: Data,
    bytes: Int,
    saved: Date,
    feedHash: Data? = nil,
    feedChanged: Date? = nil,
    note: Data? = nil
  ) {
    self.hash = hash
    self.bytes = bytes
    self.saved = saved
    self.feedHash = feedHash
    self.feedChanged = feedChanged
    self.note = note
  }

  /// How many parts it has.
  public var parts: Int { max(0, bytes - 1) / Self.partBytes + (bytes > 0 ? 1 : 0) }
}
