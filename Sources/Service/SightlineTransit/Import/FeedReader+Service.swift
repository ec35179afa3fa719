import SightlineInput

/// Service days, trips, frequencies and what belongs to them.
extension FeedReader {
  mutating func readCalendars() throws {
    let week = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    if let reader = try open("calendar.txt", columns: ["service_id", "start_date", "end_date"] + week) {
      let id = reader.column("service_id")
      let days = week.map { reader.column($0) }
      let first = reader.column("start_date")
      let last = reader.column("end_date")
      try forEachRow(reader) { feed in
        guard let firstDay = reader[first].day, let lastDay = reader[last].day else {
          feed.report.note(.error, "date", reader, "start_date and end_date have to be dates as 20261121.")
          return false
        }
        let service = feed.tables.services.number(of: feed.text(reader, id))
        let flags = days.map { reader[$0].digits == 1 }
        guard feed.tables.services.setWeek(service, days: flags, first: firstDay, last: lastDay) else {
          feed.report.note(.error, "duplicate", reader, "The service has a row already.")
          return false
        }
        return true
      }
    }
    if let reader = try open("calendar_dates.txt", columns: ["service_id", "date", "exception_type"]) {
      let id = reader.column("service_id")
      let date = reader.column("date")
      let kind = reader.column("exception_type")
      try forEachRow(reader) { feed in
        guard let day = reader[date].day, let type = reader[kind].digits, type == 1 || type == 2 else {
          feed.report.note(.error, "value", reader, "date has to be a date as 20261121, exception_type 1 or 2.")
          return false
        }
        let service = feed.tables.services.number(of: feed.text(reader, id))
        feed.tables.services.addException(service, day: day, isAdded: type == 1)
        return true
      }
    }
    guard let span = tables.services.span else {
      throw TransitImportError(
        "The feed has no day of service: calendar.txt and calendar_dates.txt are missing or empty."
      )
    }
    let count = min(ServiceCalendarBuilder.longestSpan, span.upperBound.number - span.lowerBound.number + 1)
    guard tables.services.ids.count.saturatingMultiply(count) <= FeedLimits.serviceDays else {
      throw TransitImportError(
        "The feed has \(tables.services.ids.count) services over \(count) days, more than are kept. Split the feed."
      )
    }
    if span.upperBound.number - span.lowerBound.number >= ServiceCalendarBuilder.longestSpan {
      report.note(
        .warning,
        "span",
        file: "calendar.txt",
        line: 1,
        "Service from \(span.lowerBound.description) to \(span.upperBound.description): only 20 years are kept."
      )
    }
  }

  mutating func readTrips() throws {
    guard
      let reader = try open("trips.txt", columns: ["route_id", "service_id", "trip_id"], isRequired: true)
    else { return }
    let id = reader.column("trip_id")
    let route = reader.column("route_id")
    let service = reader.column("service_id")
    let headsign = reader.column("trip_headsign")
    let shortName = reader.column("trip_short_name")
    let direction = reader.column("direction_id")
    let block = reader.column("block_id")
    let shape = reader.column("shape_id")
    let wheelchair = reader.column("wheelchair_accessible")
    let bikes = reader.column("bikes_allowed")
    try forEachRow(reader) { feed in
      let routeID = String(decoding: reader[route], as: UTF8.self)
      guard let routeNumber = feed.tables.routeNumbers[routeID] else {
        feed.report.note(.error, "route", reader, "route \"\(routeID)\" is not in routes.txt.")
        return false
      }
      let serviceID = String(decoding: reader[service], as: UTF8.self)
      guard let serviceNumber = feed.tables.services.numbers[serviceID] else {
        feed.report.note(.error, "service", reader, "service \"\(serviceID)\" is in neither calendar file.")
        return false
      }
      let field = reader[id]
      guard !field.isEmpty, feed.tables.trips.ids.insert(field).isNew else {
        feed.report.note(.error, "duplicate", reader, "trip_id is empty or used before.")
        return false
      }
      feed.tables.trips.route.append(Int32(clamping: routeNumber))
      feed.tables.trips.service.append(Int32(clamping: serviceNumber))
      feed.tables.trips.headsign.append(feed.pooled(reader, headsign))
      feed.tables.trips.shortName.append(feed.pooled(reader, shortName))
      feed.tables.trips.block.append(feed.pooled(reader, block))
      let shapeField = reader[shape]
      feed.tables.trips.shape.append(
        shapeField.isEmpty ? -1 : Int32(clamping: feed.tables.shapes.insert(shapeField).number)
      )
      let directionID = feed.choice(reader, direction, most: 1, default: 3)
      let access = feed.choice(reader, wheelchair, most: 2)
      let bicycles = feed.choice(reader, bikes, most: 2)
      feed.tables.trips.flags.append(UInt8(truncatingIfNeeded: directionID | access << 2 | bicycles << 4))
      return true
    }
  }

  mutating func readFrequencies() throws {
    let columns = ["trip_id", "start_time", "end_time", "headway_secs"]
    guard let reader = try open("frequencies.txt", columns: columns) else { return }
    let trip = reader.column("trip_id")
    let start = reader.column("start_time")
    let end = reader.column("end_time")
    let headway = reader.column("headway_secs")
    let exact = reader.column("exact_times")
    var lines: [Int] = []
    try forEachRow(reader) { feed in
      guard let number = feed.tables.trips.ids.find(reader[trip]) else {
        feed.report.note(.error, "trip", reader, "The trip is not in trips.txt.")
        return false
      }
      guard let from = reader[start].time, let to = reader[end].time, from < to, let every = reader[headway].digits,
        every > 0
      else {
        feed.report.note(.error, "value", reader, "Times have to be HH:MM:SS in order, headway_secs at least 1.")
        return false
      }
      feed.tables.frequencies.append(
        FeedTables.Frequency(
          trip: Int32(clamping: number),
          start: from,
          end: to,
          headway: Int32(clamping: every),
          isExact: feed.choice(reader, exact, most: 1) == 1
        )
      )
      lines.append(reader.line)
      return true
    }
    refuseOverlaps(lines)
  }

  /// Leaves out rows of a trip of which too many run at one time: the departures of a few kilobytes of such rows are more than memory
  /// holds.
  ///
  /// Rows that overlap a little, mostly by one run, are in many feeds.
  private mutating func refuseOverlaps(_ lines: [Int]) {
    let rows = tables.frequencies
    let order = rows.indices.sorted { a, b in
      (rows[a].trip, rows[a].start, a) < (rows[b].trip, rows[b].start, b)
    }
    var isKept = [Bool](repeating: true, count: rows.count)
    var ofTrip = 0
    var running: [Int] = []
    for (place, row) in order.enumerated() {
      if place == 0 || rows[order[place - 1]].trip != rows[row].trip { (running, ofTrip) = ([], 0) }
      running.removeAll { rows[$0].end <= rows[row].start }
      if running.count >= FeedLimits.frequenciesAtOnce || ofTrip >= FeedLimits.frequenciesOfTrip {
        isKept[row] = false
        report.note(
          .error,
          "overlap",
          file: "frequencies.txt",
          line: lines[row],
          "The trip has more than \(FeedLimits.frequenciesAtOnce) rows for one time, or more than "
            + "\(FeedLimits.frequenciesOfTrip) in all."
        )
        continue
      }
      if let before = running.last {
        report.note(
          .warning,
          "overlap-kept",
          file: "frequencies.txt",
          line: lines[row],
          "It overlaps another row of its trip, that of line \(lines[before]); both are kept."
        )
      }
      running.append(row)
      ofTrip += 1
    }
    tables.frequencies = rows.indices.filter { isKept[$0] }.map { rows[$0] }
    report.rows["frequencies.txt"] = tables.frequencies.count
  }

  mutating func readTransfers() throws {
    guard let reader = try open("transfers.txt", columns: ["transfer_type"]) else { return }
    let from = reader.column("from_stop_id")
    let to = reader.column("to_stop_id")
    let kind = reader.column("transfer_type")
    let time = reader.column("min_transfer_time")
    try forEachRow(reader) { feed in
      // Between trips or routes only: no matter of stops.
      if reader[from].isEmpty || reader[to].isEmpty { return false }
      guard let a = feed.tables.stopIDs.find(reader[from]), let b = feed.tables.stopIDs.find(reader[to]) else {
        feed.report.note(.error, "stop", reader, "A stop of the transfer is not in stops.txt.")
        return false
      }
      let type = feed.choice(reader, kind, most: 5)
      feed.tables.transfers.append(FeedTables.Transfer(from: a, to: b, kind: type, seconds: reader[time].digits))
      return true
    }
  }

  mutating func readTranslations() throws {
    let columns = ["table_name", "field_name", "language", "translation"]
    guard let source = try files.open("translations.txt") else { return }
    let reader: CSVReader
    do { reader = try CSVReader(source, name: "translations.txt") } catch let error as CSVError {
      throw TransitImportError(error)
    }
    guard columns.allSatisfy({ reader.column($0) >= 0 }) else {
      report.note(.warning, "columns", reader, "It has an older form (trans_id) and is passed over.")
      return
    }
    let table = reader.column("table_name")
    let field = reader.column("field_name")
    let language = reader.column("language")
    let translation = reader.column("translation")
    let record = reader.column("record_id")
    let subRecord = reader.column("record_sub_id")
    let value = reader.column("field_value")
    // Of two for one text the first counts: a question then never looks through more than a few rows.
    var known = ByteTable(expecting: 1024)
    var key: [UInt8] = []
    try forEachRow(reader) { feed in
      let isOfRecord = !reader[record].isEmpty
      key.removeAll(keepingCapacity: true)
      key.append(isOfRecord ? 1 : 0)
      for field in [reader[table], reader[field], reader[language], isOfRecord ? reader[record] : reader[value]] {
        key.append(contentsOf: field)
        key.append(0)
      }
      guard key.withUnsafeBufferPointer({ known.insert($0).isNew }) else { return false }
      feed.tables.translations.append(
        FeedTables.Translation(
          table: feed.text(reader, table),
          field: feed.text(reader, field),
          language: feed.text(reader, language),
          record: feed.text(reader, record),
          subRecord: feed.text(reader, subRecord),
          value: feed.text(reader, value),
          text: feed.text(reader, translation)
        )
      )
      return true
    }
  }
}
