import NIOCore
import SightlineGeodesy
import SightlineInput
import SightlineTransit

/// Puts an answer about stops together.
struct TransitAnswer: Sendable {
  /// A stop of the answer.
  struct Entry: Sendable {
    /// Its provider; `nil` for an id that is nobody's.
    var desk: ProviderDesk?
    var directory: (any StopDirectory)?
    /// Number in the directory; `nil` when there is no such stop.
    var number: Int?
    /// What is remembered of a stop that is served no more.
    var retired: TransitStop?
    /// The id as asked for.
    var id: String
    /// Metres; `nil` when no position was given.
    var distance: Double?
    /// What came of asking for departures; `nil` when that was not wanted.
    var outcome: ProviderDesk.Outcome?
  }

  /// Notices whose texts one answer holds.
  private static let mostAlerts = 200

  let now: Int
  let language: String?
  let window: Int
  let limit: Int
  let place: Geodetic?
  var entries: [Entry]

  /// Ids of the notices that are named, by provider, in the order of the providers in the answer.
  private func namedAlerts(_ renderings: [RenderedBoard?]) -> [(desk: ProviderDesk, ids: Set<String>)] {
    var named: [(desk: ProviderDesk, ids: Set<String>)] = []
    for (index, rendered) in renderings.enumerated() {
      guard let rendered, !rendered.alerts.isEmpty, let desk = entries[index].desk else { continue }
      if let place = named.firstIndex(where: { $0.desk === desk }) {
        named[place].ids.formUnion(rendered.alerts)
      } else {
        named.append((desk, Set(rendered.alerts)))
      }
    }
    return named
  }

  private func rendered(_ entry: Entry) -> RenderedBoard? {
    guard let desk = entry.desk, let directory = entry.directory, let number = entry.number,
      let board = entry.outcome?.board
    else { return nil }
    return RenderedBoard.of(
      board,
      provider: desk.provider.info.id,
      directory: directory,
      number: number,
      language: language
    )
  }

  /// The answer's bytes, `isTimed` with what changes by itself: `now` and `age`.
  func body(isTimed: Bool = true) -> ByteBuffer {
    var json = JSONWriter(capacity: 512 + entries.count * (entries.first?.outcome == nil ? 800 : 4096))
    json.beginObject()
    let renderings = entries.map(rendered)
    let offset = entries.first { $0.directory != nil }?.directory?.offset(at: now) ?? 0
    if isTimed { TransitJSON.time("now", now, offset: offset, to: &json) }
    TransitJSON.flag("partial", entries.contains { $0.outcome != nil && $0.outcome?.board == nil }, to: &json)
    var desks: [ProviderDesk] = []
    for entry in entries { if let desk = entry.desk, !desks.contains(where: { $0 === desk }) { desks.append(desk) } }
    TransitJSON.attributions(desks, to: &json)
    json.name("alerts")
    json.beginArray()
    var named = 0
    for (desk, ids) in namedAlerts(renderings) {
      var offset = OffsetMemory(desk.provider.schedule)
      for alert in desk.provider.alerts(at: now) where ids.contains(alert.id) {
        named += 1
        guard named <= Self.mostAlerts else { break }
        TransitJSON.write(alert, provider: desk.provider.info.id, language: language, offset: &offset, to: &json)
      }
    }
    json.endArray()
    json.name("stops")
    json.beginArray()
    var zone: (desk: ProviderDesk, offset: Int)?
    for (index, rendered) in renderings.enumerated() {
      // Asking a time zone costs more than the rest of a stop; neighbours have the same one.
      if let desk = entries[index].desk, zone?.desk !== desk {
        zone = (desk, entries[index].directory?.offset(at: now) ?? 0)
      }
      write(entries[index], rendered, offset: zone?.offset ?? 0, isTimed: isTimed, to: &json)
    }
    json.endArray()
    json.endObject()
    return json.buffer
  }

  private func write(
    _ entry: Entry,
    _ rendered: RenderedBoard?,
    offset: Int,
    isTimed: Bool,
    to json: inout JSONWriter
  ) {
    json.beginObject()
    guard let desk = entry.desk, let directory = entry.directory, let number = entry.number else {
      json.member("id", entry.id)
      if let desk = entry.desk, let stop = entry.retired {
        TransitJSON.retiredMembers(stop, provider: desk.provider.info.id, to: &json)
      } else {
        json.name("name")
        json.null()
      }
      reason(entry.retired == nil ? .unknownStop : .retiredStop, to: &json)
      json.name("forecast")
      json.null()
      return json.endObject()
    }
    if let rendered {
      json.members(rendered.stop)
    } else {
      let provider = desk.provider.info.id
      TransitJSON.stopMembers(number, in: directory, provider: provider, language: language, to: &json)
    }
    if let distance = entry.distance, let place {
      json.name("distance")
      json.thousandths((distance * 100).rounded() / 100)
      let at: (latitude: Double, longitude: Double)
      if let rendered {
        at = rendered.place
      } else {
        let stop = directory.stop(number, language: nil)
        at = (stop.latitude, stop.longitude)
      }
      let bearing = initialBearing(
        from: place,
        to: Geodetic(latitudeDegrees: at.latitude, longitudeDegrees: at.longitude)
      )
      var degrees = bearing.map { ($0.degrees * 10).rounded() / 10 }
      if let value = degrees, value < 0 { degrees = value + 360 }
      TransitJSON.number("bearing", degrees, to: &json)
    }
    if let outcome = entry.outcome, let rendered, let board = outcome.board, outcome.failure == nil, !outcome.isStale,
      board.shortfall == nil
    {
      json.members(rendered.plainHead)
      if isTimed { age(board, to: &json) }
      rendered.writeTail(from: now, window: window, limit: limit, to: &json)
    } else if let outcome = entry.outcome {
      reason(outcome.failure ?? outcome.board?.shortfall, to: &json)
      json.name("forecast")
      if let board = outcome.board, let rendered {
        forecast(outcome, board, rendered, offset: offset, isTimed: isTimed, to: &json)
      } else {
        json.null()
      }
    }
    json.endObject()
  }

  private func age(_ board: ProviderBoard, to json: inout JSONWriter) {
    json.name("age")
    if let updated = board.updated { json.value(max(0, now.saturatingSubtract(updated))) } else { json.null() }
  }

  private func reason(_ failure: ProviderFailure?, to json: inout JSONWriter) {
    TransitJSON.text("reason", failure?.reason ?? "", to: &json)
    TransitJSON.text("detail", failure?.detail ?? "", to: &json)
  }

  private func forecast(
    _ outcome: ProviderDesk.Outcome,
    _ board: ProviderBoard,
    _ rendered: RenderedBoard,
    offset: Int,
    isTimed: Bool,
    to json: inout JSONWriter
  ) {
    let isStale = outcome.isStale || board.shortfall != nil
    json.beginObject()
    json.member("state", isStale ? "stale" : board.isLive ? "live" : "scheduled")
    json.member("source", board.source)
    TransitJSON.time("updated", board.updated, offset: offset, to: &json)
    if isTimed { age(board, to: &json) }
    TransitJSON.flag("stale", isStale, to: &json)
    rendered.write(from: now, window: window, limit: limit, to: &json)
    json.endObject()
  }
}
