import NIOCore
import SightlineInput
import SightlineTransit

extension TransitJSON {
  /// Vehicles, nearest first.
  static func vehicles(
    _ found: some Collection<(desk: ProviderDesk, vehicle: TransitVehicle, distance: Double)>,
    now: Int
  ) -> ByteBuffer {
    var json = JSONWriter(capacity: 256 + found.count * 400)
    json.beginObject()
    let first = found.first?.desk.provider.schedule
    time("now", now, offset: first?.offset(at: now) ?? 0, to: &json)
    var desks: [ProviderDesk] = []
    for entry in found where !desks.contains(where: { $0 === entry.desk }) { desks.append(entry.desk) }
    attributions(desks, to: &json)
    json.name("vehicles")
    json.beginArray()
    for (desk, vehicle, distance) in found {
      let provider = desk.provider.info.id
      json.beginObject()
      id("id", vehicle.id, provider: provider, to: &json)
      text("label", vehicle.label, to: &json)
      json.member("lat", vehicle.latitude)
      json.member("lon", vehicle.longitude)
      number("bearing", vehicle.bearing, to: &json)
      number("speed", vehicle.speed, to: &json)
      lineMembers(vehicle.line, provider: provider, to: &json)
      text("headsign", vehicle.headsign, to: &json)
      id("trip", vehicle.trip, provider: provider, to: &json)
      id("stop", vehicle.stop, provider: provider, to: &json)
      switch vehicle.status {
      case .incoming: json.member("status", "incoming")
      case .stopped: json.member("status", "stopped")
      case .underWay: json.member("status", "underway")
      }
      text("occupancy", vehicle.occupancy ?? "", to: &json)
      time("updated", vehicle.measured, offset: desk.provider.schedule.offset(at: vehicle.measured), to: &json)
      json.member("age", max(0, now.saturatingSubtract(vehicle.measured)))
      json.name("distance")
      json.thousandths((distance * 10).rounded() / 10)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    return json.buffer
  }

  /// Lines as paths.
  static func shapes(_ found: [(desk: ProviderDesk, lines: [LinePaths])]) -> ByteBuffer {
    var json = JSONWriter(capacity: 64 * 1024)
    json.beginObject()
    attributions(found.map(\.desk), to: &json)
    json.name("lines")
    json.beginArray()
    for (desk, lines) in found {
      for entry in lines {
        json.beginObject()
        id("id", entry.line.id, provider: desk.provider.info.id, to: &json)
        json.member("name", entry.line.name)
        json.member("mode", entry.line.mode.rawValue)
        color("color", entry.line.color, to: &json)
        color("textColor", entry.line.textColor, to: &json)
        json.member("source", entry.isExact ? "shapes" : "stops")
        write(entry.paths, to: &json)
        json.endObject()
      }
    }
    json.endArray()
    json.endObject()
    return json.buffer
  }

  /// Latitudes and longitudes by turns.
  private static func write(_ paths: [[(latitude: Double, longitude: Double)]], to json: inout JSONWriter) {
    json.name("paths")
    json.beginArray()
    for path in paths {
      json.beginArray()
      for point in path {
        // Six decimals: a tenth of a metre.
        json.value((point.latitude * 1e6).rounded() / 1e6)
        json.value((point.longitude * 1e6).rounded() / 1e6)
      }
      json.endArray()
    }
    json.endArray()
  }

  /// Streets as paths.
  static func streets(_ paths: [[(latitude: Double, longitude: Double)]], of map: StreetMap?) -> ByteBuffer {
    var json = JSONWriter(capacity: 64 * 1024)
    json.beginObject()
    json.name("attribution")
    credit(map, to: &json)
    write(paths, to: &json)
    json.endObject()
    return json.buffer
  }

  /// Whom to credit for streets; `null` without streets.
  private static func credit(_ map: StreetMap?, to json: inout JSONWriter) {
    guard let map else { return json.null() }
    json.beginObject()
    text("text", map.attribution, to: &json)
    text("url", map.attributionURL, to: &json)
    json.endObject()
  }

  /// What there is, and how it is.
  static func providers(_ transit: TransitService) -> ByteBuffer {
    let now = transit.hub.clock.now
    var json = JSONWriter(capacity: 1024)
    json.beginObject()
    let first = transit.hub.desks.first?.provider.schedule
    time("now", now, offset: first?.offset(at: now) ?? 0, to: &json)
    flag("demonstration", transit.hub.clock.isSet, to: &json)
    json.name("center")
    if let center = transit.center {
      json.beginObject()
      json.member("lat", center.latitude)
      json.member("lon", center.longitude)
      json.endObject()
    } else {
      json.null()
    }
    json.name("streets")
    credit(transit.streets, to: &json)
    json.name("providers")
    json.beginArray()
    for desk in transit.hub.desks { write(desk, now: now, to: &json) }
    json.endArray()
    json.endObject()
    return json.buffer
  }

  private static func write(_ desk: ProviderDesk, now: Int, to json: inout JSONWriter) {
    let info = desk.provider.info
    let directory = desk.provider.schedule
    let status = desk.provider.status(at: now)
    json.beginObject()
    json.member("id", info.id)
    json.member("name", info.name)
    json.name("kinds")
    json.beginArray()
    for kind in info.kinds { json.value(kind) }
    json.endArray()
    json.member("timeZone", directory.timeZone.identifier)
    json.member("stops", directory.count)
    json.name("attribution")
    if info.attribution.isEmpty {
      json.null()
    } else {
      json.beginObject()
      json.member("text", info.attribution)
      text("url", info.attributionURL, to: &json)
      json.endObject()
    }
    text("validFrom", directory.days?.lowerBound.description ?? "", to: &json)
    text("validTo", directory.days?.upperBound.description ?? "", to: &json)
    json.name("bounds")
    if let bounds = directory.bounds {
      json.beginArray()
      for value in [bounds.south, bounds.west, bounds.north, bounds.east] { json.value(value) }
      json.endArray()
    } else {
      json.null()
    }
    json.member("state", state(desk, status))
    text("detail", desk.isBreakerOpen ? ProviderFailure.resting.detail : status.failure?.detail ?? "", to: &json)
    flag("vehicles", desk.provider.hasVehicles(at: now), to: &json)
    flag("alerts", info.kinds.contains("gtfs-rt") || info.kinds.contains("siri"), to: &json)
    json.name("realtime")
    if let realtime = status.realtime {
      json.beginObject()
      let updated = realtime.updated == 0 ? nil : realtime.updated
      time("updated", updated, offset: directory.offset(at: now), to: &json)
      json.name("age")
      if let updated { json.value(max(0, now.saturatingSubtract(updated))) } else { json.null() }
      json.member("matched", realtime.matched)
      json.member("unmatched", realtime.unmatched)
      json.endObject()
    } else {
      json.null()
    }
    json.name("timetable")
    if let timetable = status.timetable {
      json.beginObject()
      // Of the system's clock, whatever riders are told: it is about when something was fetched.
      time("checked", timetable.checked == 0 ? nil : timetable.checked, offset: 0, to: &json)
      time("taken", timetable.taken == 0 ? nil : timetable.taken, offset: 0, to: &json)
      text("result", timetable.outcome?.rawValue ?? "", to: &json)
      json.endObject()
    } else {
      json.null()
    }
    json.endObject()
  }

  static func state(_ desk: ProviderDesk, _ status: ProviderStatus) -> String {
    if desk.isBreakerOpen { return "failing" }
    switch status.failure {
    case nil: return "ok"
    case .outsideValidity: return "outside_validity"
    default: return "stale"
    }
  }
}
