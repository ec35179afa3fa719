import GRDB

/// Texts in other languages, where the feed's translations have them.
extension Schedule {
  /// Languages in which there are texts.
  func languages() throws -> Set<String> {
    try bulkQueue.read { db in
      try String.fetchSet(
        db,
        sql:
          "SELECT DISTINCT language FROM translations WHERE language IS NOT NULL LIMIT \(ScheduleFormat.mostLanguages)"
      )
    }
  }

  /// A text in another language: that of the record, else that of the value wherever it stands.
  public func translation(
    of text: String,
    table: String,
    field: String,
    record: String,
    language: String
  ) throws -> String? {
    try queue.read { db in
      let own = try String.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT text FROM translations WHERE record = ? AND language = ? AND "table" = ? AND field = ? AND record <> '' LIMIT 1
            """
        ),
        arguments: [record, language, table, field]
      )
      if let own { return own }
      return try String.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT text FROM translations WHERE value = ? AND language = ? AND "table" = ? AND field = ? AND value <> '' LIMIT 1
            """
        ),
        arguments: [text, language, table, field]
      )
    }
  }

  /// What a vehicle shows in another language.
  ///
  /// `text` is what ``headsign(trip:place:)`` gave for some call of the trip. When the trip is not known, the text itself is left to go by.
  func headsign(_ text: String, trip number: Int?, language: String) throws -> String? {
    func find(_ table: String, _ field: String, _ record: String = "") throws -> String? {
      try translation(of: text, table: table, field: field, record: record, language: language)
    }
    let trip = try number.map(trip)
    let last = try trip.flatMap { try pattern($0.pattern).calls.last }.map { stops[Int($0.stop)] }
    if let found = try find("stop_times", "stop_headsign") { return found }
    if let found = try find("trips", "trip_headsign", trip?.headsign == text ? trip?.id ?? "" : "") { return found }
    // Without a headsign it is the last stop's name, of a loop the line's.
    if let found = try find("stops", "stop_name", last?.name == text ? last?.id ?? "" : "") { return found }
    let route = trip.map { routes[$0.route] }
    return try find("routes", "route_long_name", route?.longName == text ? route?.id ?? "" : "")
  }
}
