import SightlineTours

/// The table `tour_tally`: sums of what teams have done, by station.
enum TourTallyTable {
  /// What a team has done at each station where it did something.
  static func tallies(run: String, team: Int, _ db: any SQLConnection) throws -> [String: StationTally] {
    var tallies: [String: StationTally] = [:]
    let rows = try db.rows(
      sql: "SELECT station, wrong, hints, points, pending, done_right FROM tour_tally WHERE run = ? AND team = ?",
      arguments: [run, team]
    )
    for row in rows { tallies[try row.value(0)] = try tally(row, from: 1) }
    return tallies
  }

  /// A tally of five columns: `wrong, hints, points, pending, done_right`.
  static func tally(_ row: SQLRow, from column: Int) throws -> StationTally {
    var tally = StationTally()
    tally.wrong = try row.value(column)
    let hints: Int64 = try row.value(column + 1)
    tally.hints = Set((0..<mostHints).filter { hints >> Int64($0) & 1 == 1 })
    tally.points = try row.value(column + 2)
    tally.isPending = try row.value(column + 3)
    tally.isRight = try row.value(column + 4)
    return tally
  }

  /// Hints are kept as bits of one number; a station has five at most.
  private static let mostHints = 62

  static func write(_ tally: StationTally, run: String, team: Int, station: String, _ db: any SQLConnection) throws {
    let hints = tally.hints.filter { (0..<mostHints).contains($0) }.reduce(into: Int64(0)) { $0 |= 1 << Int64($1) }
    try db.execute(
      sql: """
        INSERT INTO tour_tally (run, team, station, wrong, hints, points, pending, done_right)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        ON CONFLICT (run, team, station) DO UPDATE SET wrong = ?4, hints = ?5, points = ?6, pending = ?7, done_right = ?8
        """,
      arguments: [run, team, station, tally.wrong, hints, tally.points, tally.isPending, tally.isRight]
    )
  }
}

/// How many events of a team are kept.
struct TeamCounts: Equatable {
  /// All of them.
  var events = 0
  /// Those that were refused.
  var refused = 0

  init(run: String, team: Int, _ db: any SQLConnection) throws {
    let sql = "SELECT events, refused FROM tour_team WHERE run = ? AND number = ?"
    guard let row = try db.row(sql: sql, arguments: [run, team]) else { return }
    (events, refused) = try (row.value(0), row.value(1))
  }

  func write(run: String, team: Int, _ db: any SQLConnection) throws {
    try db.execute(
      sql: "UPDATE tour_team SET events = ?, refused = ? WHERE run = ? AND number = ?",
      arguments: [events, refused, run, team]
    )
  }
}
