import Foundation
import SightlineInput
import SightlineReadWorkers
import SightlineTransit

/// What providers of public transport sent, as a worker read it: numbers in the ranges that their readers give, texts and
/// lists of the lengths that they leave.
extension ForeignAnswers {
  private static let numbers = 0...Int(UInt32.max)
  private static let colors = 0...0xFFFFFF
  /// Seconds of a service day: `999:59:59`.
  private static let secondsOfDay = 0...3_599_999
  private static let longestDelay = -RealtimeLimits.longestDelay...RealtimeLimits.longestDelay
  /// POSIX seconds; texts may name times before 1970.
  private static let instants = -Instant.range.upperBound...Instant.range.upperBound
  /// A text that was cut has three bytes more, for its mark.
  private static let longestNotice = ProviderText.noticeBytes + 3
  private static let longestLink = 2048
  private static let longestSentence = 2000

  // MARK: An answer, or why there is none

  /// Writes what came of reading a provider's answer.
  static func write<Content>(
    _ result: Result<Content, ProviderFailure>,
    content: (Content, inout WireWriter) -> Void
  ) -> [UInt8] {
    var writer = WireWriter(capacity: 1024)
    switch result {
    case .success(let value):
      writer.write(UInt8(0))
      content(value, &writer)
    case .failure(.unknownStop): writer.write(UInt8(1))
    case .failure(.malformed(let sentence)):
      writer.write(UInt8(2))
      writer.write(ProviderText.cut(sentence, longestSentence))
    case .failure(let failure):
      writer.write(UInt8(2))
      writer.write(ProviderText.cut(failure.detail, longestSentence))
    }
    return writer.bytes
  }

  /// Reads what came of it.
  static func provided<Content>(
    _ answer: [UInt8],
    content: (inout WireReader) throws(WireReader.Malformed) -> Content
  ) throws(WireReader.Malformed) -> Result<Content, ProviderFailure> {
    var reader = WireReader(answer)
    let result: Result<Content, ProviderFailure>
    switch try reader.number(UInt8.self) {
    case 0: result = .success(try content(&reader))
    case 1: result = .failure(.unknownStop)
    case 2: result = .failure(.malformed(try reader.text(limit: longestSentence)))
    default: throw WireReader.Malformed()
    }
    try reader.end()
    return result
  }

  private static func list<Element>(
    _ reader: inout WireReader,
    most: Int,
    _ element: (inout WireReader) throws(WireReader.Malformed) -> Element
  ) throws(WireReader.Malformed) -> [Element] {
    let count = try reader.compact(in: 0...most)
    // No room ahead: the count is a claim until the elements have come.
    var list: [Element] = []
    for _ in 0..<count { list.append(try element(&reader)) }
    return list
  }

  private static func write(_ flag: Bool?, _ writer: inout WireWriter) {
    writer.write(compact: flag.map { $0 ? 1 : 0 })
  }

  private static func flag(_ reader: inout WireReader) throws(WireReader.Malformed) -> Bool? {
    try reader.optionalCompact(in: 0...1).map { $0 == 1 }
  }

  private static func write(_ day: ServiceDay?, _ writer: inout WireWriter) { writer.write(compact: day?.number) }

  private static func day(_ reader: inout WireReader) throws(WireReader.Malformed) -> ServiceDay? {
    try reader.optionalCompact(in: ServiceDay.numbers).map { ServiceDay(number: $0) }
  }

  private static func write(_ number: Double?, _ writer: inout WireWriter) {
    writer.write(number != nil)
    if let number { writer.write(number) }
  }

  private static func number(
    _ reader: inout WireReader,
    within most: Double
  ) throws(WireReader.Malformed) -> Double? {
    guard try reader.flag() else { return nil }
    let number = try reader.double()
    guard abs(number) <= most else { throw WireReader.Malformed() }
    return number
  }

  private static func id(_ reader: inout WireReader) throws(WireReader.Malformed) -> String {
    try reader.compactText(limit: RealtimeLimits.idBytes)
  }

  private static func name(_ reader: inout WireReader) throws(WireReader.Malformed) -> String {
    try reader.compactText(limit: ProviderText.nameBytes)
  }

  private static func write(_ text: RealtimeMessage.Text, _ writer: inout WireWriter) {
    writer.write(compact: text.translations.count)
    for translation in text.translations {
      writer.write(compact: translation.language)
      writer.write(compact: translation.text)
    }
  }

  private static func text(_ reader: inout WireReader) throws(WireReader.Malformed) -> RealtimeMessage.Text {
    var text = RealtimeMessage.Text()
    text.translations = try list(&reader, most: RealtimeLimits.translations) {
      reader throws(WireReader.Malformed) in
      (language: try id(&reader), text: try reader.compactText(limit: longestNotice))
    }
    return text
  }

  private static func write(_ periods: [Range<Int>], _ writer: inout WireWriter) {
    writer.write(compact: periods.count)
    for period in periods {
      writer.write(compact: period.lowerBound)
      writer.write(compact: period.upperBound == .max ? nil : period.upperBound)
    }
  }

  private static func periods(_ reader: inout WireReader) throws(WireReader.Malformed) -> [Range<Int>] {
    try list(&reader, most: RealtimeLimits.periods) { reader throws(WireReader.Malformed) in
      let start = try reader.compact(in: instants)
      let end = try reader.optionalCompact(in: instants) ?? .max
      guard start < end else { throw WireReader.Malformed() }
      return start..<end
    }
  }

  // MARK: GTFS-Realtime

  /// Writes a realtime message.
  static func write(_ message: RealtimeMessage, _ writer: inout WireWriter) {
    writer.write(compact: message.timestamp)
    writer.write(compact: message.ignored)
    writer.write(compact: message.tripUpdates.count)
    for update in message.tripUpdates {
      write(update.trip, &writer)
      writer.write(compact: update.calls.count)
      for call in update.calls { write(call, &writer) }
      writer.write(compact: update.timestamp)
      write(update.copyDay, &writer)
      writer.write(compact: update.copyStart)
      writer.write(compact: update.vehicle)
    }
    writer.write(compact: message.vehicles.count)
    for vehicle in message.vehicles { write(vehicle, &writer) }
    writer.write(compact: message.alerts.count)
    for alert in message.alerts {
      writer.write(compact: alert.id)
      write(alert.periods, &writer)
      writer.write(compact: alert.selectors.count)
      for selector in alert.selectors { write(selector, &writer) }
      for number in [alert.cause, alert.effect, alert.severity] { writer.write(compact: number) }
      for text in [alert.url, alert.header, alert.body] { write(text, &writer) }
    }
  }

  /// Reads a realtime message.
  static func realtime(_ reader: inout WireReader) throws(WireReader.Malformed) -> RealtimeMessage {
    var message = RealtimeMessage()
    message.timestamp = try reader.compact(in: Instant.range)
    message.ignored = try reader.compact(in: 0...RealtimeLimits.entities)
    var calls = RealtimeLimits.calls
    message.tripUpdates = try list(&reader, most: RealtimeLimits.entities) { reader throws(WireReader.Malformed) in
      var update = RealtimeMessage.TripUpdate()
      update.trip = try trip(&reader)
      update.calls = try list(&reader, most: min(calls, RealtimeLimits.callsOfUpdate)) {
        reader throws(WireReader.Malformed) in try call(&reader)
      }
      calls -= update.calls.count
      update.timestamp = try reader.optionalCompact(in: Instant.range)
      update.copyDay = try day(&reader)
      update.copyStart = try reader.optionalCompact(in: secondsOfDay)
      update.vehicle = try id(&reader)
      return update
    }
    message.vehicles = try list(&reader, most: RealtimeLimits.entities) {
      reader throws(WireReader.Malformed) in try vehicle(&reader)
    }
    var parts = RealtimeLimits.partsOfAlerts
    message.alerts = try list(&reader, most: RealtimeLimits.entities) { reader throws(WireReader.Malformed) in
      let alert = try alert(&reader)
      parts -= alert.periods.count + alert.selectors.count
      parts -= [alert.url, alert.header, alert.body].reduce(0) { $0 + $1.translations.count }
      guard parts >= 0 else { throw WireReader.Malformed() }
      return alert
    }
    return message
  }

  private static func alert(_ reader: inout WireReader) throws(WireReader.Malformed) -> RealtimeMessage.Alert {
    var alert = RealtimeMessage.Alert()
    alert.id = try id(&reader)
    alert.periods = try periods(&reader)
    alert.selectors = try list(&reader, most: RealtimeLimits.selectors) {
      reader throws(WireReader.Malformed) in try selector(&reader)
    }
    alert.cause = try reader.optionalCompact(in: numbers)
    alert.effect = try reader.optionalCompact(in: numbers)
    alert.severity = try reader.optionalCompact(in: numbers)
    alert.url = try text(&reader)
    alert.header = try text(&reader)
    alert.body = try text(&reader)
    return alert
  }

  private static func write(_ trip: RealtimeMessage.Trip, _ writer: inout WireWriter) {
    writer.write(compact: trip.id)
    writer.write(compact: trip.route)
    writer.write(compact: trip.direction)
    write(trip.day, &writer)
    writer.write(compact: trip.start)
    writer.write(compact: trip.relationship?.rawValue)
  }

  private static func trip(_ reader: inout WireReader) throws(WireReader.Malformed) -> RealtimeMessage.Trip {
    var trip = RealtimeMessage.Trip()
    trip.id = try id(&reader)
    trip.route = try id(&reader)
    trip.direction = try reader.optionalCompact(in: numbers)
    trip.day = try day(&reader)
    trip.start = try reader.optionalCompact(in: secondsOfDay)
    trip.relationship = try reader.optionalCompact(in: numbers).flatMap { .init(rawValue: $0) }
    return trip
  }

  private static func write(_ call: RealtimeMessage.Call, _ writer: inout WireWriter) {
    writer.write(compact: call.sequence)
    writer.write(compact: call.stop)
    for event in [call.arrival, call.departure] {
      writer.write(event != nil)
      guard let event else { continue }
      writer.write(compact: event.delay)
      writer.write(compact: event.time)
    }
    writer.write(compact: call.relationship?.rawValue)
    writer.write(compact: call.assignedStop)
  }

  private static func call(_ reader: inout WireReader) throws(WireReader.Malformed) -> RealtimeMessage.Call {
    var call = RealtimeMessage.Call()
    call.sequence = try reader.optionalCompact(in: numbers)
    call.stop = try id(&reader)
    call.arrival = try event(&reader)
    call.departure = try event(&reader)
    call.relationship = try reader.optionalCompact(in: numbers).flatMap { .init(rawValue: $0) }
    call.assignedStop = try id(&reader)
    return call
  }

  private static func event(_ reader: inout WireReader) throws(WireReader.Malformed) -> RealtimeMessage.Event? {
    guard try reader.flag() else { return nil }
    var event = RealtimeMessage.Event()
    event.delay = try reader.optionalCompact(in: longestDelay)
    event.time = try reader.optionalCompact(in: Instant.range)
    return event
  }

  private static func write(_ vehicle: RealtimeMessage.Vehicle, _ writer: inout WireWriter) {
    writer.write(compact: vehicle.id)
    writer.write(compact: vehicle.label)
    writer.write(vehicle.trip != nil)
    if let trip = vehicle.trip { write(trip, &writer) }
    for number in [vehicle.latitude, vehicle.longitude, vehicle.bearing, vehicle.speed] { write(number, &writer) }
    writer.write(compact: vehicle.stop)
    writer.write(compact: vehicle.sequence)
    writer.write(compact: vehicle.status.rawValue)
    writer.write(compact: vehicle.occupancy)
    writer.write(compact: vehicle.timestamp)
  }

  private static func vehicle(_ reader: inout WireReader) throws(WireReader.Malformed) -> RealtimeMessage.Vehicle {
    var vehicle = RealtimeMessage.Vehicle()
    vehicle.id = try id(&reader)
    vehicle.label = try id(&reader)
    vehicle.trip = try reader.flag() ? try trip(&reader) : nil
    vehicle.latitude = try number(&reader, within: 90)
    vehicle.longitude = try number(&reader, within: 180)
    vehicle.bearing = try number(&reader, within: 360)
    vehicle.speed = try number(&reader, within: 200)
    vehicle.stop = try id(&reader)
    vehicle.sequence = try reader.optionalCompact(in: numbers)
    guard let status = RealtimeMessage.Vehicle.Status(rawValue: try reader.compact(in: numbers)) else {
      throw WireReader.Malformed()
    }
    vehicle.status = status
    vehicle.occupancy = try reader.optionalCompact(in: numbers)
    vehicle.timestamp = try reader.optionalCompact(in: Instant.range)
    return vehicle
  }

  private static func write(_ selector: RealtimeMessage.Alert.Selector, _ writer: inout WireWriter) {
    for id in [selector.agency, selector.route, selector.stop] { writer.write(compact: id) }
    writer.write(compact: selector.routeType)
    writer.write(compact: selector.direction)
    writer.write(selector.trip != nil)
    if let trip = selector.trip { write(trip, &writer) }
  }

  private static func selector(
    _ reader: inout WireReader
  ) throws(WireReader.Malformed) -> RealtimeMessage.Alert.Selector {
    var selector = RealtimeMessage.Alert.Selector()
    selector.agency = try id(&reader)
    selector.route = try id(&reader)
    selector.stop = try id(&reader)
    selector.routeType = try reader.optionalCompact(in: numbers)
    selector.direction = try reader.optionalCompact(in: numbers)
    selector.trip = try reader.flag() ? try trip(&reader) : nil
    return selector
  }

  // MARK: SIRI

  /// Writes a SIRI delivery.
  static func write(_ delivery: SIRIDelivery, _ writer: inout WireWriter) {
    writer.write(compact: delivery.updated)
    writer.write(compact: delivery.ignored)
    writer.write(compact: delivery.visits.count)
    for visit in delivery.visits {
      for text in [
        visit.line, visit.lineName, visit.mode, visit.headsign, visit.stop, visit.trip, visit.tripName, visit.platform,
      ] { writer.write(compact: text) }
      writer.write(compact: visit.direction)
      writer.write(compact: visit.aimed)
      writer.write(compact: visit.expected)
      writer.write(visit.isCancelled)
      writer.write(visit.isAdded)
      write(visit.wheelchair, &writer)
      write(visit.lowFloor, &writer)
    }
    writer.write(compact: delivery.alerts.count)
    for alert in delivery.alerts {
      writer.write(compact: alert.id)
      for text in [alert.header, alert.text, alert.url] { write(text, &writer) }
      writer.write(alert.severity)
      write(alert.periods, &writer)
      for names in [alert.lines, alert.stops] {
        writer.write(compact: names.count)
        for name in names { writer.write(compact: name) }
      }
    }
  }

  /// Reads a SIRI delivery.
  static func siri(_ reader: inout WireReader) throws(WireReader.Malformed) -> SIRIDelivery {
    var delivery = SIRIDelivery()
    delivery.updated = try reader.optionalCompact(in: instants)
    delivery.ignored = try reader.compact(in: numbers)
    delivery.visits = try list(&reader, most: ProviderText.mostDepartures) { reader throws(WireReader.Malformed) in
      try visit(&reader)
    }
    delivery.alerts = try list(&reader, most: ProviderText.mostAlerts) { reader throws(WireReader.Malformed) in
      try notice(&reader)
    }
    return delivery
  }

  private static func visit(_ reader: inout WireReader) throws(WireReader.Malformed) -> SIRIDelivery.Visit {
    var visit = SIRIDelivery.Visit()
    visit.line = try name(&reader)
    visit.lineName = try name(&reader)
    // Small letters may take more bytes than large ones.
    visit.mode = try reader.compactText(limit: 4 * ProviderText.nameBytes)
    visit.headsign = try name(&reader)
    visit.stop = try name(&reader)
    visit.trip = try name(&reader)
    visit.tripName = try name(&reader)
    visit.platform = try name(&reader)
    visit.direction = try reader.optionalCompact(in: 0...1)
    visit.aimed = try reader.optionalCompact(in: instants)
    visit.expected = try reader.optionalCompact(in: instants)
    visit.isCancelled = try reader.flag()
    visit.isAdded = try reader.flag()
    visit.wheelchair = try flag(&reader)
    visit.lowFloor = try flag(&reader)
    return visit
  }

  private static let severities = ["info", "warning", "severe"]

  private static func notice(_ reader: inout WireReader) throws(WireReader.Malformed) -> TransitAlert {
    var alert = TransitAlert(id: try name(&reader))
    alert.header = try text(&reader)
    alert.text = try text(&reader)
    alert.url = try text(&reader)
    alert.severity = try reader.optionalText(limit: 10)
    guard alert.severity.map(severities.contains) ?? true,
      alert.url.translations.allSatisfy({ $0.text.utf8.count <= longestLink })
    else { throw WireReader.Malformed() }
    alert.periods = try periods(&reader)
    alert.lines = try names(&reader)
    alert.stops = try names(&reader)
    return alert
  }

  private static func names(_ reader: inout WireReader) throws(WireReader.Malformed) -> [String] {
    try list(&reader, most: TransitAlert.mostNamed) { reader throws(WireReader.Malformed) in try name(&reader) }
  }

  // MARK: The plain form

  /// Writes an answer in the plain form.
  static func write(_ delivery: PlainDelivery, _ writer: inout WireWriter) {
    writer.write(compact: delivery.updated)
    writer.write(compact: delivery.departures.count)
    for departure in delivery.departures {
      for text in [
        departure.line, departure.mode.rawValue, departure.headsign, departure.platform, departure.trip,
      ] { writer.write(compact: text) }
      writer.write(compact: departure.color)
      writer.write(compact: departure.textColor)
      writer.write(compact: departure.scheduled)
      writer.write(compact: departure.expected)
      writer.write(departure.isCancelled)
      write(departure.wheelchair, &writer)
      write(departure.lowFloor, &writer)
    }
  }

  /// Reads an answer in the plain form.
  static func plain(_ reader: inout WireReader) throws(WireReader.Malformed) -> PlainDelivery {
    var delivery = PlainDelivery()
    delivery.updated = try reader.compact(in: instants)
    delivery.departures = try list(&reader, most: ProviderText.mostDepartures) {
      reader throws(WireReader.Malformed) in
      var departure = PlainDelivery.Departure()
      departure.line = try name(&reader)
      departure.mode = try mode(&reader)
      departure.headsign = try name(&reader)
      departure.platform = try name(&reader)
      departure.trip = try name(&reader)
      departure.color = try reader.optionalCompact(in: colors)
      departure.textColor = try reader.optionalCompact(in: colors)
      departure.scheduled = try reader.compact(in: instants)
      departure.expected = try reader.optionalCompact(in: instants)
      departure.isCancelled = try reader.flag()
      departure.wheelchair = try flag(&reader)
      departure.lowFloor = try flag(&reader)
      return departure
    }
    return delivery
  }

  private static func mode(_ reader: inout WireReader) throws(WireReader.Malformed) -> TransitMode {
    guard let mode = TransitMode(rawValue: try reader.compactText(limit: 20)) else { throw WireReader.Malformed() }
    return mode
  }

  // MARK: Lists of stops

  /// Writes a list of stops.
  static func write(_ entries: [ListDirectory.Entry], _ writer: inout WireWriter) {
    writer.write(compact: entries.count)
    for entry in entries {
      for text in [entry.stop.id, entry.stop.name, entry.stop.code, entry.stop.platform] { writer.write(compact: text) }
      writer.write(entry.stop.latitude)
      writer.write(entry.stop.longitude)
      write(entry.stop.wheelchair, &writer)
      writer.write(compact: entry.lines.count)
      for line in entry.lines {
        for text in [line.id, line.name, line.mode.rawValue] { writer.write(compact: text) }
        writer.write(compact: line.color)
        writer.write(compact: line.textColor)
      }
    }
  }

  /// Reads a list of stops.
  static func stops(_ reader: inout WireReader) throws(WireReader.Malformed) -> [ListDirectory.Entry] {
    try list(&reader, most: StopList.mostStops) { reader throws(WireReader.Malformed) in
      var stop = TransitStop(id: try name(&reader), name: try name(&reader), latitude: 0, longitude: 0)
      stop.code = try name(&reader)
      stop.platform = try name(&reader)
      stop.latitude = try reader.double()
      stop.longitude = try reader.double()
      guard abs(stop.latitude) <= 90, abs(stop.longitude) <= 180 else { throw WireReader.Malformed() }
      stop.wheelchair = try flag(&reader)
      let lines = try list(&reader, most: ScheduleDirectory.mostLines) { reader throws(WireReader.Malformed) in
        TransitLine(
          id: try name(&reader),
          name: try name(&reader),
          mode: try mode(&reader),
          color: try reader.compact(in: colors),
          textColor: try reader.compact(in: colors)
        )
      }
      return ListDirectory.Entry(stop: stop, lines: lines)
    }
  }
}
