import Foundation
import NIOCore
import SightlineContent
import SightlineInput
import SightlineStore
import SightlineTours

/// The JSON forms of tours that boards and phones get.
enum TourJSON {
  // MARK: Boards

  /// A run: its phase and times.
  static func run(_ run: StoredRun, at time: Date) -> ByteBuffer {
    var json = JSONWriter(capacity: 512)
    write(run, at: time, to: &json)
    return json.buffer
  }

  static func write(_ run: StoredRun, at time: Date, to json: inout JSONWriter) {
    json.beginObject()
    json.member("id", run.id)
    json.member("tour", run.tourID)
    json.member("title", run.tour.title)
    json.name("trial")
    json.value(run.isTrial)
    json.member("created", Timestamp.iso8601(run.created))
    optional("started", run.schedule.started, to: &json)
    optional("ended", run.schedule.ended, to: &json)
    optional("deleted", run.schedule.ended == nil && !run.isTrial ? nil : run.expiry(lastEvent: nil), to: &json)
    json.member("keepDays", run.tour.keepDays)
    writePhase(run, at: time, to: &json)
    json.endObject()
  }

  /// Members that say what can be done now, for boards and phones alike.
  static func writePhase(_ run: StoredRun, at time: Date, to json: inout JSONWriter) {
    let phase = run.schedule.phase(at: time, minutes: run.tour.minutes)
    json.member("phase", phase.rawValue)
    json.member("round", run.schedule.round)
    json.member("rounds", run.tour.rounds)
    json.member("revision", run.revision)
    json.name("secondsLeft")
    if phase != .ended, let end = run.schedule.deadline(at: time, minutes: run.tour.minutes) {
      json.value(Int(clamped: max(0, end.timeIntervalSince(time)).rounded(.up)))
    } else {
      json.null()
    }
  }

  /// A team with its standing and position.
  static func writeTeam(
    _ team: TourTeam,
    _ progress: TourProgress,
    _ position: TourPositions.Position?,
    at time: Date,
    to json: inout JSONWriter
  ) {
    json.beginObject()
    json.member("number", team.number)
    json.member("name", team.name)
    json.member("color", team.color)
    json.member("score", progress.score)
    json.member("done", progress.doneCount)
    json.name("cells")
    json.beginObject()
    for station in progress.tour.stations {
      let state = progress.at(station)
      guard state.isDone || state.wrong > 0 || !state.hints.isEmpty else { continue }
      json.dynamicName(station.id)
      json.beginObject()
      json.member("state", word(for: state))
      json.member("points", state.points)
      json.member("wrong", state.wrong)
      json.member("hints", state.hints.count)
      json.endObject()
    }
    json.endObject()
    if let position { write(position, at: time, to: &json) }
    json.endObject()
  }

  /// `right`, `pending`, `wrong` (no tries left), `open`.
  static func word(for state: StationProgress) -> String {
    if state.isRight { return "right" }
    if state.isPending { return "pending" }
    return state.isDone ? "wrong" : "open"
  }

  /// Members `position` and `left`.
  static func write(_ position: TourPositions.Position, at time: Date, to json: inout JSONWriter) {
    json.name("position")
    json.beginObject()
    json.member("latitude", position.fix.position.latitude)
    json.member("longitude", position.fix.position.longitude)
    if let accuracy = position.fix.accuracy { json.member("accuracy", accuracy.rounded()) }
    json.member("age", Int(clamped: max(0, time.timeIntervalSince(position.time))))
    if position.fix.isVirtual {
      json.name("isVirtual")
      json.value(true)
    }
    json.endObject()
    json.name("left")
    json.value(position.hasLeft)
  }

  /// An event as it is kept.
  static func write(_ event: StoredEvent, to json: inout JSONWriter) {
    let record = event.record
    json.beginObject()
    json.member("number", Int(event.number))
    json.member("id", record.id)
    json.member("team", event.team)
    json.member("station", record.station)
    json.member("kind", record.kind.name)
    switch record.kind {
    case .choice(let chosen):
      json.name("choices")
      json.beginArray()
      for number in chosen { json.value(number) }
      json.endArray()
    case .text(let text): json.member("text", text)
    case .hint(let number): json.member("hint", number)
    case .visit: break
    }
    json.member("verdict", record.verdict.rawValue)
    if let refusal = record.refusal { json.member("refusal", refusal.rawValue) }
    json.member("points", record.points)
    json.member("place", record.place.rawValue)
    json.name("late")
    json.value(record.isLate)
    json.member("received", Timestamp.iso8601(event.received))
    if let marked = event.marked { json.member("marked", Timestamp.iso8601(marked)) }
    json.endObject()
  }

  static func write(_ entry: TourLogEntry, to json: inout JSONWriter) {
    json.beginObject()
    json.member("number", Int(entry.number))
    json.name("team")
    if let team = entry.team { json.value(team) } else { json.null() }
    json.member("time", Timestamp.iso8601(entry.time))
    json.member("kind", entry.kind.rawValue)
    json.member("text", entry.text)
    json.endObject()
  }

  static func optional(_ name: StaticString, _ date: Date?, to json: inout JSONWriter) {
    json.name(name)
    if let date { json.value(Timestamp.iso8601(date)) } else { json.null() }
  }

  static func optional(_ name: StaticString, _ text: String?, to json: inout JSONWriter) {
    json.name(name)
    if let text { json.value(text) } else { json.null() }
  }

  static func write(_ position: Position, to json: inout JSONWriter) {
    json.beginObject()
    json.member("latitude", position.latitude)
    json.member("longitude", position.longitude)
    json.endObject()
  }

  /// All that a board shows, as it is now.
  static func board(
    _ found: TourService.RunWithTeams,
    events: [StoredEvent],
    log: [TourLogEntry],
    live: TourPositions,
    at time: Date
  ) -> ByteBuffer {
    let run = found.run
    var json = JSONWriter(capacity: 16 * 1024)
    json.beginObject()
    json.name("run")
    write(run, at: time, to: &json)
    json.name("stations")
    json.beginArray()
    for station in run.tour.stations {
      json.beginObject()
      json.member("id", station.id)
      json.member("title", station.title)
      json.member("kind", station.kind.rawValue)
      json.member("round", station.round)
      json.member("points", station.points)
      json.member("radius", station.radius)
      json.member("text", station.text)
      json.name("options")
      json.beginArray()
      for option in station.options { json.value(option) }
      json.endArray()
      json.name("position")
      write(station.position, to: &json)
      json.endObject()
    }
    json.endArray()
    json.name("border")
    json.beginArray()
    for corner in run.tour.border { write(corner, to: &json) }
    json.endArray()
    let byTeam = Dictionary(grouping: events, by: \.team)
    json.name("teams")
    json.beginArray()
    for team in found.teams {
      let records = (byTeam[team.number] ?? []).map(\.record)
      let progress = TourProgress(tour: run.tour, seed: team.seed, records: records)
      writeTeam(team, progress, live[run.id, team.number], at: time, to: &json)
    }
    json.endArray()
    // Old answers are in the tables; what waits for the teacher is all here.
    json.name("answers")
    json.beginArray()
    let recent = events.suffix(100)
    for event in events where event.record.verdict == .pending && event.number < (recent.first?.number ?? 0) {
      write(event, to: &json)
    }
    for event in recent { write(event, to: &json) }
    json.endArray()
    json.name("log")
    json.beginArray()
    for entry in log.suffix(200) { write(entry, to: &json) }
    json.endArray()
    json.endObject()
    return json.buffer
  }
}
