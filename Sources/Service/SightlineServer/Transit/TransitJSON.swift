import NIOCore
import SightlineGeodesy
import SightlineInput
import SightlineTransit

/// Writes answers about transit; their form is in `Documentation/http-api.md`.
enum TransitJSON {
  // MARK: Parts

  static func time(_ time: Int, offset: Int, to json: inout JSONWriter) {
    json.value { bytes in
      bytes.append(0x22)
      InstantText.append(time, offset: offset, to: &bytes)
      bytes.append(0x22)
    }
  }

  /// A time as a text of its own.
  static func timeText(_ time: Int, offset: Int) -> String {
    var bytes: [UInt8] = []
    InstantText.append(time, offset: offset, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  static func time(_ name: StaticString, _ time: Int?, offset: Int, to json: inout JSONWriter) {
    json.name(name)
    if let time { self.time(time, offset: offset, to: &json) } else { json.null() }
  }

  /// Six hexadecimal digits.
  static func colorText(_ color: Int) -> String {
    var bytes: [UInt8] = []
    append(color, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  static func color(_ name: StaticString, _ color: Int, to json: inout JSONWriter) {
    json.name(name)
    json.value { bytes in
      bytes.append(0x22)
      append(color, to: &bytes)
      bytes.append(0x22)
    }
  }

  private static func append(_ color: Int, to bytes: inout [UInt8]) {
    for shift in stride(from: 20, through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: color >> shift & 15)
      bytes.append(digit < 10 ? 0x30 &+ digit : 0x37 &+ digit)
    }
  }

  static func text(_ name: StaticString, _ text: String, to json: inout JSONWriter) {
    json.name(name)
    if text.isEmpty { json.null() } else { json.value(text) }
  }

  static func flag(_ name: StaticString, _ flag: Bool?, to json: inout JSONWriter) {
    json.name(name)
    if let flag { json.value(flag) } else { json.null() }
  }

  static func number(_ name: StaticString, _ number: Double?, decimals: Double = 10, to json: inout JSONWriter) {
    json.name(name)
    if let number, number.isFinite { json.value((number * decimals).rounded() / decimals) } else { json.null() }
  }

  static func id(_ name: StaticString, _ id: String, provider: String, to json: inout JSONWriter) {
    json.name(name)
    if id.isEmpty { json.null() } else { json.value(id, of: provider) }
  }

  /// Members about a line; `null`s when it is unknown.
  static func lineMembers(_ line: TransitLine?, provider: String, to json: inout JSONWriter) {
    guard let line else {
      json.name("line")
      json.null()
      json.name("lineId")
      json.null()
      color("lineColor", 0xFFFFFF, to: &json)
      color("textColor", 0, to: &json)
      json.member("mode", TransitMode.other.rawValue)
      return
    }
    json.member("line", line.name)
    id("lineId", line.id, provider: provider, to: &json)
    color("lineColor", line.color, to: &json)
    color("textColor", line.textColor, to: &json)
    json.member("mode", line.mode.rawValue)
  }

  static func write(
    _ departure: TransitDeparture,
    provider: String,
    offset: inout OffsetMemory,
    to json: inout JSONWriter
  ) {
    json.beginObject()
    lineMembers(departure.line, provider: provider, to: &json)
    json.member("headsign", departure.headsign)
    json.name("direction")
    if let direction = departure.direction { json.value(direction) } else { json.null() }
    time("scheduled", departure.scheduled, offset: offset.at(departure.scheduled), to: &json)
    time("expected", departure.expected, offset: departure.expected.map { offset.at($0) } ?? 0, to: &json)
    json.name("delay")
    if departure.isScheduleKnown, departure.state != .added, let expected = departure.expected {
      json.value(expected.saturatingSubtract(departure.scheduled))
    } else {
      json.null()
    }
    json.member("state", departure.state.rawValue)
    flag("approximate", departure.isApproximate, to: &json)
    text("platform", departure.platform, to: &json)
    id("stop", departure.stop, provider: provider, to: &json)
    id("trip", departure.trip, provider: provider, to: &json)
    text("tripName", departure.tripName, to: &json)
    json.member("pickup", departure.pickup.rawValue)
    flag("wheelchair", departure.wheelchair, to: &json)
    flag("lowFloor", departure.lowFloor, to: &json)
    json.name("alerts")
    json.beginArray()
    for id in departure.alerts { json.value(id, of: provider) }
    json.endArray()
    json.endObject()
  }

  static func write(
    _ interval: TransitInterval,
    provider: String,
    offset: inout OffsetMemory,
    to json: inout JSONWriter
  ) {
    json.beginObject()
    lineMembers(interval.line, provider: provider, to: &json)
    json.member("headsign", interval.headsign)
    json.member("headway", interval.headway)
    let (from, to) = (interval.period.lowerBound, interval.period.upperBound)
    time("from", from, offset: offset.at(from), to: &json)
    time("to", to, offset: offset.at(to), to: &json)
    json.endObject()
  }

  /// Members of a stop that are the same wherever one asks from, without braces.
  static func stopMembers(
    _ number: Int,
    in directory: any StopDirectory,
    provider: String,
    language: String?,
    to json: inout JSONWriter
  ) {
    let stop = directory.stop(number, language: language)
    let lines = directory.lines(at: number)
    id("id", stop.id, provider: provider, to: &json)
    json.member("provider", provider)
    json.member("name", stop.name)
    text("code", stop.code, to: &json)
    text("platform", stop.platform, to: &json)
    flag("station", stop.isStation, to: &json)
    json.member("lat", stop.latitude)
    json.member("lon", stop.longitude)
    flag("wheelchair", stop.wheelchair, to: &json)
    json.name("modes")
    json.beginArray()
    var modes: [TransitMode] = []
    for line in lines where !modes.contains(line.mode) {
      modes.append(line.mode)
      json.value(line.mode.rawValue)
    }
    json.endArray()
    json.name("lines")
    json.beginArray()
    for line in lines {
      json.beginObject()
      id("id", line.id, provider: provider, to: &json)
      json.member("name", line.name)
      json.member("mode", line.mode.rawValue)
      color("color", line.color, to: &json)
      color("textColor", line.textColor, to: &json)
      json.endObject()
    }
    json.endArray()
  }

  /// Members of a stop that is served no more, after its id.
  static func retiredMembers(_ stop: TransitStop, provider: String, to json: inout JSONWriter) {
    json.member("provider", provider)
    json.member("name", stop.name)
    text("platform", stop.platform, to: &json)
    if stop.latitude.isFinite, stop.longitude.isFinite {
      json.member("lat", stop.latitude)
      json.member("lon", stop.longitude)
    }
  }

  static func attributions(_ desks: [ProviderDesk], to json: inout JSONWriter) {
    json.name("attributions")
    json.beginArray()
    for desk in desks where !desk.provider.info.attribution.isEmpty {
      let info = desk.provider.info
      json.beginObject()
      json.member("provider", info.id)
      json.member("text", info.attribution)
      text("url", info.attributionURL, to: &json)
      json.endObject()
    }
    json.endArray()
  }

  static func write(
    _ alert: TransitAlert,
    provider: String,
    language: String?,
    offset: inout OffsetMemory,
    to json: inout JSONWriter
  ) {
    json.beginObject()
    id("id", alert.id, provider: provider, to: &json)
    json.member("header", alert.header.text(in: language ?? ""))
    text("text", alert.text.text(in: language ?? ""), to: &json)
    text("url", alert.url.text(in: language ?? ""), to: &json)
    text("cause", alert.cause ?? "", to: &json)
    text("effect", alert.effect ?? "", to: &json)
    text("severity", alert.severity ?? "", to: &json)
    json.name("periods")
    json.beginArray()
    for period in alert.periods {
      json.beginObject()
      time("from", period.lowerBound > 0 ? period.lowerBound : nil, offset: offset.at(period.lowerBound), to: &json)
      let end = period.upperBound < 1 << 40 ? period.upperBound : nil
      time("to", end, offset: end.map { offset.at($0) } ?? 0, to: &json)
      json.endObject()
    }
    json.endArray()
    for (isLines, ids) in [(true, alert.lines), (false, alert.stops)] {
      json.name(isLines ? "lines" : "stops")
      json.beginArray()
      for id in ids { json.value("\(provider):\(id)") }
      json.endArray()
    }
    json.endObject()
  }
}
