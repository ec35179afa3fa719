import Foundation
import SightlineArchive
import SightlineInput

/// Reads stop_times and packs each trip as soon as its rows have ended.
///
/// Producers write a trip's rows together, so one pass is enough, whatever the size of the feed. Trips whose rows lie
/// apart are read in a second pass through ``CallSpill``; when there are many of them, all trips are.
struct StopTimesReader {
  private struct Columns {
    let trip, arrival, departure, stop, sequence, headsign, pickup, dropOff, timepoint, distance: Int

    init(_ reader: CSVReader) {
      trip = reader.column("trip_id")
      arrival = reader.column("arrival_time")
      departure = reader.column("departure_time")
      stop = reader.column("stop_id")
      sequence = reader.column("stop_sequence")
      headsign = reader.column("stop_headsign")
      pickup = reader.column("pickup_type")
      dropOff = reader.column("drop_off_type")
      timepoint = reader.column("timepoint")
      distance = reader.column("shape_dist_traveled")
    }
  }

  private static let name = "stop_times.txt"
  /// Share of rows that may be left out before the feed is refused.
  private static let mostLeftOut = 0.01

  private(set) var feed: FeedReader
  private(set) var timetable: TimetableBuilder
  private let temporaryPath: String
  private var progress: (Int) -> Void
  private let tripCount: Int
  private var calls: [Call] = []
  private var rows = 0
  private var taken = 0
  private var leftOut = 0
  /// Trips whose rows lie apart.
  private var isScattered: [Bool]

  init(feed: FeedReader, temporaryPath: String, progress: @escaping (Int) -> Void) {
    self.feed = feed
    self.temporaryPath = temporaryPath
    self.progress = progress
    tripCount = feed.tables.trips.ids.count
    timetable = TimetableBuilder(tripCount: tripCount)
    isScattered = Array(repeating: false, count: tripCount)
  }

  /// Reads all rows.
  ///
  /// - Throws: ``TransitImportError`` when the file is unusable or more than 1 % of its rows are.
  mutating func read() throws {
    if try !readTogether() {
      // Too many lie apart for it to be an exception: begin again, with all of them.
      timetable = TimetableBuilder(tripCount: tripCount)
      isScattered = Array(repeating: true, count: tripCount)
    }
    if isScattered.contains(true) { try readScattered() }
    feed.report.rows[Self.name] = taken
    let all = taken + leftOut
    if all == 0 { throw TransitImportError("stop_times.txt has no rows.") }
    if Double(leftOut) > Self.mostLeftOut * Double(all) {
      let first = feed.report.problems.first { $0.file == Self.name && $0.severity == .error }
      let example = first.map { " The first is on line \($0.line): \($0.message)" } ?? ""
      throw TransitImportError("\(leftOut) of \(all) rows of stop_times.txt are unusable, more than 1 %.\(example)")
    }
  }

  /// Whether the feed has a stop of this id.
  func hasStop(_ id: String) -> Bool {
    var id = id
    return id.withUTF8 { feed.tables.stopIDs.find($0) } != nil
  }

  /// Takes the stops that are to be known although the feed has them no more.
  mutating func retire(_ stops: [RetiredStop]) { feed.tables.retired = stops }

  /// Lets go of what belongs to the caller.
  mutating func release() { progress = { _ in } }

  private func open() throws -> CSVReader {
    let columns = ["trip_id", "arrival_time", "departure_time", "stop_id", "stop_sequence"]
    guard let reader = try feed.open(Self.name, columns: columns, isRequired: true) else {
      throw TransitImportError("stop_times.txt is empty.")
    }
    return reader
  }

  /// One pass over rows that belong together; false when too many do not.
  private mutating func readTogether() throws -> Bool {
    let reader = try open()
    let columns = Columns(reader)
    var current = -1
    var currentID: [UInt8] = []
    var scattered = 0
    calls.removeAll(keepingCapacity: true)
    do {
      while try reader.next() {
        let id = reader[columns.trip]
        if current < 0 || !id.isEqual(to: currentID) {
          if current >= 0 { endTrip(current, calls) }
          calls.removeAll(keepingCapacity: true)
          current = feed.tables.trips.ids.find(id) ?? -1
          currentID.removeAll(keepingCapacity: true)
          currentID.append(contentsOf: id)
          if current >= 0, timetable.has(trip: current), !isScattered[current] {
            isScattered[current] = true
            scattered += 1
            if scattered > 1000 + tripCount / 100 {
              (taken, leftOut) = (0, 0)
              feed.report.forget(file: Self.name)
              return false
            }
          }
        }
        if current < 0 {
          refuse("unknown-trip", reader, "The trip is not in trips.txt, or its row was left out.")
          continue
        }
        try countRow()
        if let call = call(reader, columns), calls.count <= TripPattern.mostCalls { calls.append(call) }
      }
    } catch let error as CSVError { throw TransitImportError(error) }
    if current >= 0 { endTrip(current, calls) }
    progress(taken)
    return true
  }

  /// A second pass over the rows of scattered trips.
  private mutating func readScattered() throws {
    let spill = try CallSpill(beside: temporaryPath, tripCount: tripCount)
    let reader = try open()
    let columns = Columns(reader)
    let isFirst = !timetable.hasAny
    do {
      while try reader.next() {
        guard let trip = feed.tables.trips.ids.find(reader[columns.trip]) else {
          if isFirst { refuse("unknown-trip", reader, "The trip is not in trips.txt, or its row was left out.") }
          continue
        }
        guard isScattered[trip] else { continue }
        // What is wrong with a row was noted in the first pass, if there was one.
        let (before, report) = ((taken, leftOut), isFirst ? nil : feed.report)
        let call = call(reader, columns)
        if let report {
          feed.report = report
          (taken, leftOut) = before
        }
        if let call { try spill.append(trip: trip, call) }
      }
    } catch let error as CSVError { throw TransitImportError(error) }
    try spill.forEachTrip { trip, calls in endTrip(trip, calls) }
    progress(taken)
  }

  private mutating func countRow() throws {
    rows += 1
    let most = FeedLimits.rows[Self.name] ?? .max
    guard rows <= most else { throw TransitImportError("\(Self.name) has more than \(most) rows. Split the feed.") }
  }

  /// The row as a call; `nil` when it is left out.
  private mutating func call(_ reader: CSVReader, _ columns: Columns) -> Call? {
    guard let stop = feed.tables.stopIDs.find(reader[columns.stop]) else {
      let id = String(decoding: reader[columns.stop], as: UTF8.self)
      refuse("unknown-stop", reader, "stop \"\(id)\" is not in stops.txt, or its row was left out.")
      return nil
    }
    guard let sequence = reader[columns.sequence].digits else {
      refuse("sequence", reader, "stop_sequence has to be a whole number.")
      return nil
    }
    let arrivalField = reader[columns.arrival]
    let departureField = reader[columns.departure]
    var arrival = Call.unknownTime
    var departure = Call.unknownTime
    if !arrivalField.isEmpty {
      guard let time = arrivalField.time else { return refuseTime(reader, arrivalField) }
      arrival = time
    }
    if !departureField.isEmpty {
      guard let time = departureField.time else { return refuseTime(reader, departureField) }
      departure = time
    }
    // One of the two missing means equal.
    if arrival == Call.unknownTime { arrival = departure }
    if departure == Call.unknownTime { departure = arrival }
    if departure < arrival {
      feed.report.note(.warning, "times", reader, "The departure lies before the arrival; it was set to it.")
      departure = arrival
    }
    var flags = UInt32(clamping: reader[columns.pickup].digits ?? 0) & 3
    flags |= (UInt32(clamping: reader[columns.dropOff].digits ?? 0) & 3) << 2
    if reader[columns.timepoint].digits == 0 { flags |= Call.isApproximate }
    let headsign = reader[columns.headsign].isEmpty ? -1 : feed.pooled(reader, columns.headsign)
    taken += 1
    if taken & 0xFFFFF == 0 { progress(taken) }
    return Call(
      sequence: Int32(clamped: sequence),
      stop: Int32(clamped: stop),
      arrival: arrival,
      departure: departure,
      headsign: headsign,
      flags: flags,
      distance: reader[columns.distance].distance
    )
  }

  private mutating func refuse(_ code: String, _ reader: CSVReader, _ message: @autoclosure () -> String) {
    leftOut += 1
    feed.report.note(.error, code, reader, message())
  }

  private mutating func refuseTime(_ reader: CSVReader, _ field: FieldBytes) -> Call? {
    refuse("time", reader, "\"\(String(decoding: field, as: UTF8.self))\" is no time as 7:05:00 or 25:10:00.")
    return nil
  }

  /// Orders, completes and packs a trip's calls.
  private mutating func endTrip(_ trip: Int, _ given: [Call]) {
    guard !given.isEmpty else { return }
    guard given.count <= TripPattern.mostCalls else {
      taken -= given.count
      leftOut += given.count
      return noteTrip(.error, "many-calls", trip, "has more than \(TripPattern.mostCalls) calls; the trip was left out")
    }
    var calls = given
    if !zip(calls, calls.dropFirst()).allSatisfy({ $0.sequence < $1.sequence }) {
      calls.sort { $0.sequence < $1.sequence }
      var kept: [Call] = []
      for call in calls where kept.last?.sequence != call.sequence { kept.append(call) }
      if kept.count < calls.count {
        noteTrip(.warning, "duplicate", trip, "uses a stop_sequence twice; the later rows were left out")
      }
      calls = kept
    }
    guard let first = calls.first, let last = calls.last, first.departure != Call.unknownTime,
      last.departure != Call.unknownTime
    else {
      taken -= given.count
      leftOut += given.count
      noteTrip(.error, "no-times", trip, "has no time at its first or last stop; the trip was left out")
      return
    }
    Self.interpolate(&calls)
    if !zip(calls, calls.dropFirst()).allSatisfy({ $0.departure <= $1.arrival }) {
      noteTrip(.warning, "backwards", trip, "goes back in time between two stops")
    }
    timetable.add(trip: trip, calls: calls[...])
  }

  private mutating func noteTrip(_ severity: FeedProblem.Severity, _ code: String, _ trip: Int, _ what: String) {
    let id = feed.tables.trips.ids.text(trip)
    feed.report.note(severity, code, file: Self.name, line: 1, "Trip \"\(id)\" \(what).")
  }

  /// Spreads times over the calls that have none: by distance along the shape if both ends have it, else evenly.
  static func interpolate(_ calls: inout [Call]) {
    var from = 0
    for index in calls.indices.dropFirst() where calls[index].arrival != Call.unknownTime {
      if index - from > 1 {
        let start = calls[from].departure
        let span = Double(calls[index].arrival.saturatingSubtract(start))
        let along = Double(calls[index].distance - calls[from].distance)
        for inner in (from + 1)..<index {
          var share = Double(inner - from) / Double(index - from)
          if along > 0, !calls[inner].distance.isNaN {
            share = min(1, max(0, Double(calls[inner].distance - calls[from].distance) / along))
          }
          let time = start.saturatingAdd(Int32(clamped: (span * share).rounded()))
          calls[inner].arrival = time
          calls[inner].departure = time
          calls[inner].flags |= Call.isApproximate
        }
      }
      from = index
    }
  }
}
