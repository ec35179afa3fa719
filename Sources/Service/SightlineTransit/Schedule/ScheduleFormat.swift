/// The tables of a schedule file.
///
/// An SQLite file that is never changed after it was made. Rows refer to each other by number; what a query at a stop needs
/// is packed, so that one row holds all trips of a pattern:
///
/// - `stops.patterns`: pairs (pattern, place in it).
/// - `patterns.calls`: for each call stop, stop_sequence, text number of the headsign (-1: none), flags (pickup_type 2 bits,
///   drop_off_type 2 bits, 1 bit for an approximate time).
/// - `patterns.profiles`: for each profile and call, as variable-length numbers with the sign lowest: seconds from the departure
///   before to the arrival, then to the departure. The first departure is second 0.
/// - `patterns.timed`: trips ordered by first departure: trip, service, profile, second of the first departure.
/// - `patterns.repeated`: runs of frequencies: trip, service, profile, first start, end (not included), headway, 1 if exact.
/// - `services.days`: bits from day `first-day`, lowest first.
/// - `retired`: stops of earlier feeds that are not in this one, with the time (POSIX seconds) of the import that missed them.
/// - `shapes.points`: steps of latitude and longitude in millionths of a degree.
///
/// Integers are of 32 bits, little endian.
enum ScheduleFormat {
  static let version = 2

  /// The latest second of a service day that a feed can write, and more than that: `999:59:59`.
  static let longestTime: Int32 = 3_600_000
  /// Days that a file may be for.
  static let mostDays = ServiceCalendarBuilder.longestSpan
  /// Patterns, used or not: their numbers are indexes of an array.
  static let mostPatterns = 20_000_000
  /// Languages of translations that are offered.
  static let mostLanguages = 100

  static let tables = """
    CREATE TABLE notes (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE agencies (number INTEGER PRIMARY KEY, id TEXT, name TEXT, url TEXT, language TEXT);
    CREATE TABLE routes (number INTEGER PRIMARY KEY, id TEXT, agency INTEGER, short TEXT, long TEXT, kind INTEGER,
      color INTEGER, textColor INTEGER, sortOrder INTEGER);
    CREATE TABLE texts (number INTEGER PRIMARY KEY, text TEXT);
    CREATE TABLE services (number INTEGER PRIMARY KEY, id TEXT, days BLOB);
    CREATE TABLE trips (number INTEGER PRIMARY KEY, id TEXT, route INTEGER, service INTEGER, headsign INTEGER,
      shortName INTEGER, block INTEGER, shape INTEGER, flags INTEGER, pattern INTEGER);
    CREATE TABLE patterns (number INTEGER PRIMARY KEY, calls BLOB, profiles BLOB, timed BLOB, repeated BLOB);
    CREATE TABLE stops (number INTEGER PRIMARY KEY, id TEXT, code TEXT, name TEXT, latitude REAL, longitude REAL,
      kind INTEGER, parent INTEGER, timezone TEXT, wheelchair INTEGER, platform TEXT, patterns BLOB);
    CREATE TABLE shapes (number INTEGER PRIMARY KEY, id TEXT, points BLOB);
    CREATE TABLE transfers ("from" INTEGER, "to" INTEGER, kind INTEGER, seconds INTEGER);
    CREATE TABLE translations ("table" TEXT, field TEXT, language TEXT, record TEXT, subRecord TEXT, value TEXT, text TEXT);
    CREATE TABLE credits (name TEXT, url TEXT);
    CREATE TABLE retired (id TEXT PRIMARY KEY, name TEXT, platform TEXT, latitude REAL, longitude REAL, since INTEGER);
    """

  /// Made after the rows: sorting once is faster than keeping order.
  static let indexes = """
    CREATE UNIQUE INDEX trips_id ON trips (id);
    CREATE INDEX trips_route ON trips (route);
    CREATE UNIQUE INDEX stops_id ON stops (id);
    CREATE INDEX translations_record ON translations (record, language) WHERE record <> '';
    CREATE INDEX translations_value ON translations (value, language) WHERE value <> '';
    """
}
