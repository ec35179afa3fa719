import Foundation

/// Agencies, stops, routes and what describes the feed.
extension FeedReader {
  mutating func readAgencies() throws {
    guard
      let reader = try open("agency.txt", columns: ["agency_name", "agency_timezone"], isRequired: true)
    else { return }
    let id = reader.column("agency_id")
    let name = reader.column("agency_name")
    let url = reader.column("agency_url")
    let zone = reader.column("agency_timezone")
    let language = reader.column("agency_lang")
    try forEachRow(reader) { feed in
      let agency = FeedTables.Agency(
        id: feed.text(reader, id),
        name: feed.text(reader, name),
        url: feed.text(reader, url),
        timeZone: feed.text(reader, zone),
        language: feed.text(reader, language)
      )
      if feed.tables.agencyNumbers[agency.id] != nil {
        feed.report.note(.error, "duplicate", reader, "There is another agency \"\(agency.id)\".")
        return false
      }
      if let first = feed.tables.agencies.first, first.timeZone != agency.timeZone {
        feed.report.note(
          .warning,
          "time-zone",
          reader,
          "All agencies of a feed share a time zone; \(agency.timeZone) is not \(first.timeZone), which is used."
        )
      }
      feed.tables.agencyNumbers[agency.id] = feed.tables.agencies.count
      feed.tables.agencies.append(agency)
      return true
    }
    guard let zone = tables.agencies.first?.timeZone else { throw TransitImportError("agency.txt lists no agency.") }
    guard TimeZone(identifier: zone) != nil else {
      throw TransitImportError("agency.txt:2: agency_timezone \"\(zone)\" is no time zone of the tz database.")
    }
  }

  mutating func readRoutes() throws {
    guard let reader = try open("routes.txt", columns: ["route_id", "route_type"], isRequired: true) else { return }
    let id = reader.column("route_id")
    let agency = reader.column("agency_id")
    let short = reader.column("route_short_name")
    let long = reader.column("route_long_name")
    let kind = reader.column("route_type")
    let color = reader.column("route_color")
    let textColor = reader.column("route_text_color")
    let order = reader.column("route_sort_order")
    try forEachRow(reader) { feed in
      let identifier = feed.text(reader, id)
      guard !identifier.isEmpty, feed.tables.routeNumbers[identifier] == nil else {
        feed.report.note(.error, "duplicate", reader, "route_id \"\(identifier)\" is empty or used before.")
        return false
      }
      for column in [color, textColor] where !reader[column].isEmpty && reader[column].color == nil {
        feed.report.note(.warning, "color", reader, "\(reader.columns[column]) is not six hex digits; it is left out.")
      }
      feed.tables.routeNumbers[identifier] = feed.tables.routes.count
      let agencyID = feed.text(reader, agency)
      feed.tables.routes.append(
        FeedTables.Route(
          id: identifier,
          agency: feed.tables.agencyNumbers[agencyID] ?? 0,
          shortName: feed.text(reader, short),
          longName: feed.text(reader, long),
          kind: feed.choice(reader, kind, most: 1800, default: 3),
          color: reader[color].color,
          textColor: reader[textColor].color,
          sortOrder: reader[order].digits
        )
      )
      return true
    }
  }

  mutating func readStops() throws {
    guard let reader = try open("stops.txt", columns: ["stop_id"], isRequired: true) else { return }
    let id = reader.column("stop_id")
    let code = reader.column("stop_code")
    let name = reader.column("stop_name")
    let latitude = reader.column("stop_lat")
    let longitude = reader.column("stop_lon")
    let kind = reader.column("location_type")
    let parent = reader.column("parent_station")
    let zone = reader.column("stop_timezone")
    let wheelchair = reader.column("wheelchair_boarding")
    let platform = reader.column("platform_code")
    var zones: Set<String> = []
    try forEachRow(reader) { feed in
      let field = reader[id]
      guard !field.isEmpty, feed.tables.stopIDs.find(field) == nil else {
        feed.report.note(.error, "duplicate", reader, "stop_id is empty or used before.")
        return false
      }
      var stop = FeedTables.Stop(
        id: feed.text(reader, id),
        code: feed.text(reader, code),
        name: feed.text(reader, name),
        latitude: reader[latitude].decimal ?? .nan,
        longitude: reader[longitude].decimal ?? .nan,
        kind: feed.choice(reader, kind, most: 4),
        parentID: feed.text(reader, parent),
        timeZone: feed.text(reader, zone),
        wheelchair: feed.choice(reader, wheelchair, most: 2),
        platform: feed.text(reader, platform),
        line: reader.line
      )
      let hasPlace = abs(stop.latitude) <= 90 && abs(stop.longitude) <= 180
      if !hasPlace && stop.kind <= 2 {
        feed.report.note(.error, "position", reader, "stop \"\(stop.id)\" has no position of degrees.")
        return false
      }
      if hasPlace, stop.latitude == 0, stop.longitude == 0 {
        feed.report.note(.warning, "position", reader, "stop \"\(stop.id)\" lies at 0, 0; is that meant?")
      }
      if !hasPlace { (stop.latitude, stop.longitude) = (.nan, .nan) }
      if !stop.timeZone.isEmpty, !zones.contains(stop.timeZone) {
        if TimeZone(identifier: stop.timeZone) == nil {
          feed.report.note(
            .warning,
            "time-zone",
            reader,
            "stop_timezone \"\(stop.timeZone)\" is no time zone of the tz database; times are shown in the feed's."
          )
          stop.timeZone = ""
        } else {
          zones.insert(stop.timeZone)
        }
      }
      _ = feed.tables.stopIDs.insert(field)
      feed.tables.stops.append(stop)
      return true
    }
    for index in tables.stops.indices where !tables.stops[index].parentID.isEmpty {
      let stop = tables.stops[index]
      var parentID = stop.parentID
      let number = parentID.withUTF8 { tables.stopIDs.find($0) }
      // Only a station, or for a boarding area a platform, has no parent of the same kind: so no stop can be its own ancestor.
      let wanted = stop.kind == 4 ? 0 : 1
      if let number, stop.kind != 1, tables.stops[number].kind == wanted {
        tables.stops[index].parent = number
      } else {
        let problem =
          number == nil
          ? "is not there" : stop.kind == 1 ? "is not for stations" : wanted == 0 ? "is no platform" : "is no station"
        report.note(
          .warning,
          "parent",
          file: "stops.txt",
          line: stop.line,
          "parent_station \"\(stop.parentID)\" of \"\(stop.id)\" \(problem); the stop stands for itself."
        )
      }
    }
  }

  /// feed_info, attributions: what is said about the feed and whom to credit.
  mutating func readNotes() throws {
    if let reader = try open("feed_info.txt", columns: []), try reader.next() {
      for (index, column) in reader.columns.enumerated() { tables.notes.append((column, text(reader, index))) }
      report.rows[reader.name] = 1
    }
    if let reader = try open("attributions.txt", columns: ["organization_name"]) {
      let name = reader.column("organization_name")
      let url = reader.column("attribution_url")
      try forEachRow(reader) { feed in
        feed.tables.credits.append((feed.text(reader, name), feed.text(reader, url)))
        return true
      }
    }
  }
}
