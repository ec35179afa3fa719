import Foundation
import NIOCore
import SightlineStore
import SightlineTours

/// What a team's phone gets.
///
/// Right answers, accepted words and other teams are never among it; stations come when their round begins, and the
/// words of a hint when the team has taken it. A phone is read by whoever holds it.
enum TourPhoneJSON {
  /// A tour as a team plays it: the stations of the rounds that have begun, in the team's order, questions without their
  /// answers.
  ///
  /// Each of the teacher's commands moves the run's revision on, by which phones know to ask again.
  static func writeContent(_ run: StoredRun, team: TourTeam, at time: Date, to json: inout JSONWriter) {
    let tour = run.tour
    let hasBegun = run.schedule.phase(at: time, minutes: tour.minutes) != .prepared
    json.beginObject()
    json.member("run", run.id)
    json.member("revision", run.revision)
    json.member("title", tour.title)
    TourJSON.optional("summary", tour.summary, to: &json)
    json.name("sequential")
    json.value(tour.order != .free)
    json.name("showsScore")
    json.value(tour.showsScore)
    json.name("showsVerdict")
    json.value(tour.showsVerdict)
    json.member("rounds", tour.rounds)
    json.member("rounding", tour.rounding)
    json.member("keepDays", tour.keepDays)
    json.name("trial")
    json.value(run.isTrial)
    json.name("allowsVirtualPhones")
    json.value(tour.allowsVirtualPhones || run.isTrial)
    json.name("border")
    json.beginArray()
    for corner in tour.border { TourJSON.write(corner, to: &json) }
    json.endArray()
    json.member("stationCount", tour.stations.count)
    json.name("stations")
    json.beginArray()
    // As on the board, whatever order the team has.
    let numbers = Dictionary(tour.stations.enumerated().map { ($1.id, $0 + 1) }) { first, _ in first }
    for station in TourProgress.order(of: tour, seed: team.seed) where hasBegun && station.round <= run.schedule.round {
      write(station, number: numbers[station.id] ?? 0, to: &json)
    }
    json.endArray()
    json.endObject()
  }

  private static func write(_ station: Station, number: Int, to json: inout JSONWriter) {
    json.beginObject()
    json.member("id", station.id)
    json.member("number", number)
    json.member("kind", station.kind.rawValue)
    json.member("title", station.title)
    json.member("text", station.text)
    json.name("position")
    TourJSON.write(station.position, to: &json)
    json.member("radius", station.radius)
    json.name("visibleRadius")
    if let visible = station.visibleRadius { json.value(visible) } else { json.null() }
    TourJSON.optional("picture", station.picture, to: &json)
    json.name("options")
    json.beginArray()
    for option in station.options { json.value(option) }
    json.endArray()
    json.name("multiple")
    json.value(station.correct.count > 1)
    json.member("points", station.points)
    json.member("tries", station.tries)
    json.name("hints")
    json.beginArray()
    for hint in station.hints {
      json.beginObject()
      json.member("cost", hint.cost)
      json.endObject()
    }
    json.endArray()
    json.member("round", station.round)
    json.endObject()
  }

  /// Where a team stands: phase, score, what it has done, and messages after a number.
  static func writeState(
    _ run: StoredRun,
    team: TourTeam,
    tallies: [String: StationTally],
    messages: [TourLogEntry],
    at time: Date,
    to json: inout JSONWriter
  ) {
    let progress = TourProgress(tour: run.tour, seed: team.seed, tallies: tallies)
    json.beginObject()
    TourJSON.writePhase(run, at: time, to: &json)
    json.name("team")
    json.beginObject()
    json.member("number", team.number)
    json.member("name", team.name)
    json.member("color", team.color)
    json.endObject()
    json.name("score")
    if run.tour.showsScore { json.value(progress.score) } else { json.null() }
    json.member("done", progress.doneCount)
    json.name("stations")
    json.beginObject()
    for station in run.tour.stations {
      let state = progress.at(station)
      guard state.isDone || state.wrong > 0 || !state.hints.isEmpty else { continue }
      json.dynamicName(station.id)
      json.beginObject()
      json.member("state", word(for: state, run.tour))
      json.name("triesLeft")
      if let left = state.triesLeft(of: station) { json.value(left) } else { json.null() }
      if run.tour.showsScore { json.member("points", state.points) }
      json.name("hints")
      json.beginArray()
      for number in state.hints.sorted() { json.value(number) }
      json.endArray()
      json.name("hintTexts")
      json.beginObject()
      for number in state.hints.sorted() where station.hints.indices.contains(number) {
        json.dynamicName("\(number)")
        json.value(station.hints[number].text)
      }
      json.endObject()
      json.endObject()
    }
    json.endObject()
    json.name("messages")
    json.beginArray()
    for message in messages where message.kind == .message && (message.team == nil || message.team == team.number) {
      json.beginObject()
      json.member("number", Int(message.number))
      json.member("time", Timestamp.iso8601(message.time))
      json.member("text", message.text)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }

  /// `right`, `wrong`, `pending`, `open`; `answered` where the teacher keeps the verdict.
  private static func word(for state: StationProgress, _ tour: Tour) -> String {
    let word = TourJSON.word(for: state)
    return !tour.showsVerdict && word != "open" ? "answered" : word
  }

  /// What became of events, and where the team stands after them.
  static func outcome(
    _ outcome: TourOutcome,
    _ run: StoredRun,
    team: TourTeam,
    messages: [TourLogEntry],
    at time: Date
  ) -> ByteBuffer {
    var json = JSONWriter(capacity: 1024)
    json.beginObject()
    json.name("events")
    json.beginArray()
    for (event, isNew) in outcome.events {
      let record = event.record
      json.beginObject()
      json.member("id", record.id)
      json.name("new")
      json.value(isNew)
      let hides = !run.tour.showsVerdict && (record.verdict == .right || record.verdict == .wrong)
      json.member("verdict", hides ? "answered" : record.verdict.rawValue)
      if let refusal = record.refusal { json.member("refusal", refusal.rawValue) }
      if run.tour.showsScore, !hides { json.member("points", record.points) }
      json.member("place", record.place.rawValue)
      json.name("late")
      json.value(record.isLate)
      json.endObject()
    }
    json.endArray()
    json.name("inOrder")
    json.value(!outcome.isOutOfOrder)
    json.name("state")
    writeState(run, team: team, tallies: outcome.tallies, messages: messages, at: time, to: &json)
    json.endObject()
    return json.buffer
  }
}
