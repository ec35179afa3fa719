/// What a feed may hold at most, whatever its archive's size; a few times what feeds of large countries hold.
///
/// A row of a packed file costs a fraction of a byte in the archive and hundreds in memory.
enum FeedLimits {
  /// Rows of each file that is held in memory while it is read.
  static let rows: [String: Int] = [
    "agency.txt": 20_000, "attributions.txt": 20_000, "routes.txt": 500_000, "stops.txt": 3_000_000,
    "calendar.txt": 1_000_000, "calendar_dates.txt": 30_000_000, "trips.txt": 20_000_000, "frequencies.txt": 500_000,
    "transfers.txt": 5_000_000, "translations.txt": 3_000_000, "stop_times.txt": 400_000_000,
    "shapes.txt": 1_000_000_000,
  ]
  /// Bytes of the texts of all those files together.
  static let textBytes = 1 << 30
  /// Services times days of service: the bits of the calendar, which is held in memory.
  static let serviceDays = 800_000_000
  /// Rows of frequencies of one trip that may run at one time.
  static let frequenciesAtOnce = 3
  /// Rows of frequencies of one trip.
  static let frequenciesOfTrip = 500
  /// Calls of trips whose rows lie apart that are sorted at a time.
  static let scatteredCalls = 10_000_000
  /// Points of one shape.
  static let pointsOfShape = 100_000
  /// Points of shapes whose rows lie apart.
  static let scatteredPoints = 20_000_000
}
