import Foundation
import SightlineInput
import SightlineStore
import SightlineTours

// What a team's phone gets.
//
// Right answers, accepted words and other teams are never among it; stations come when their round begins, and the words of
// a hint when the team has taken it. A phone is read by whoever holds it.

/// A tour as a team plays it: the stations of the rounds that have begun, in the team's order, questions without their answers.
///
/// Each of the teacher's commands moves the run's revision on, by which phones know to ask again.
struct PhoneTour: Codable, Described, Sendable {
  struct Hint: Codable, Sendable {
    var cost: Int
  }

  struct Stop: Codable, Sendable {
    var id: String
    /// As on the board, whatever order the team has.
    var number: Int
    var kind: String
    var title: String
    var text: String
    var position: Coordinates
    var radius: Double
    @OrNull var visibleRadius: Double?
    @OrNull var picture: String?
    var options: [String]
    /// Whether several options may be right.
    var multiple: Bool
    var points: Int
    var tries: Int
    var hints: [Hint]
    var round: Int

    init(_ station: Station, number: Int) {
      id = station.id
      self.number = number
      kind = station.kind.rawValue
      title = station.title
      text = station.text
      position = Coordinates(station.position)
      radius = station.radius
      _visibleRadius = OrNull(wrappedValue: station.visibleRadius)
      _picture = OrNull(wrappedValue: station.picture)
      options = station.options
      multiple = station.correct.count > 1
      points = station.points
      tries = station.tries
      hints = station.hints.map { Hint(cost: $0.cost) }
      round = station.round
    }
  }

  var run: String
  var revision: Int
  var title: String
  @OrNull var summary: String?
  var sequential: Bool
  var showsScore: Bool
  var showsVerdict: Bool
  var rounds: Int
  var rounding: Double
  var keepDays: Int
  var trial: Bool
  var allowsVirtualPhones: Bool
  var border: [Coordinates]
  /// How teams are led: `none`, `stations` (from one that they know to the next), `drawn` (along `route`).
  var way: String
  var route: [Coordinates]
  /// Of all rounds.
  var stationCount: Int
  var stations: [Stop]

  init(_ run: StoredRun, team: TourTeam, at time: Date) {
    let tour = run.tour
    self.run = run.id
    revision = run.revision
    title = tour.title
    _summary = OrNull(wrappedValue: tour.summary)
    sequential = tour.order != .free
    showsScore = tour.showsScore
    showsVerdict = tour.showsVerdict
    rounds = tour.rounds
    rounding = tour.rounding
    keepDays = tour.keepDays
    trial = run.isTrial
    allowsVirtualPhones = tour.allowsVirtualPhones || run.isTrial
    border = tour.border.map(Coordinates.init)
    stationCount = tour.stations.count
    let numbers = Dictionary(tour.stations.enumerated().map { ($1.id, $0 + 1) }) { first, _ in first }
    let hasBegun = run.schedule.phase(at: time, minutes: tour.minutes) != .prepared
    way = tour.way.rawValue
    // A drawn way tells where the stations are: it comes with them.
    route = hasBegun && tour.way == .drawn ? tour.route.map(Coordinates.init) : []
    stations = TourProgress.order(of: tour, seed: team.seed)
      .filter { hasBegun && $0.round <= run.schedule.round }
      .map { Stop($0, number: numbers[$0.id] ?? 0) }
  }
}

/// Where a team stands: phase, score, what it has done, and messages after a number.
struct PhoneState: Codable, Described, Sendable {
  struct Team: Codable, Sendable {
    var number: Int
    var name: String
    var color: String
  }

  struct Done: Codable, Sendable {
    /// `right`, `wrong`, `pending`, `open`; `answered` where the teacher keeps the verdict.
    var state: String
    @OrNull var triesLeft: Int?
    var points: Int?
    /// Hints that were taken, and their words by number.
    var hints: [Int]
    var hintTexts: [String: String]
  }

  struct Message: Codable, Sendable {
    var number: Int64
    var time: Date
    var text: String
  }

  var phase: String
  var round: Int
  var rounds: Int
  var revision: Int
  @OrNull var secondsLeft: Int?
  var team: Team
  @OrNull var score: Int?
  var done: Int
  /// By station.
  var stations: [String: Done]
  var messages: [Message]

  init(
    _ run: StoredRun,
    team: TourTeam,
    tallies: [String: StationTally],
    messages: [TourLogEntry],
    at time: Date
  ) {
    let progress = TourProgress(tour: run.tour, seed: team.seed, tallies: tallies)
    let now = PhaseAnswer(run, at: time)
    phase = now.phase
    round = now.round
    rounds = now.rounds
    revision = now.revision
    _secondsLeft = OrNull(wrappedValue: now.secondsLeft)
    self.team = Team(number: team.number, name: team.name, color: team.color)
    _score = OrNull(wrappedValue: run.tour.showsScore ? progress.score : nil)
    done = progress.doneCount
    stations = [:]
    for station in run.tour.stations {
      let state = progress.at(station)
      guard state.isDone || state.wrong > 0 || !state.hints.isEmpty else { continue }
      let word = BoardTeam.word(for: state)
      let taken = state.hints.sorted()
      let texts = taken.filter(station.hints.indices.contains).map { ("\($0)", station.hints[$0].text) }
      stations[station.id] = Done(
        state: !run.tour.showsVerdict && word != "open" ? "answered" : word,
        triesLeft: state.triesLeft(of: station),
        points: run.tour.showsScore ? state.points : nil,
        hints: taken,
        hintTexts: Dictionary(texts) { first, _ in first }
      )
    }
    self.messages = messages.filter { $0.kind == .message && ($0.team == nil || $0.team == team.number) }
      .map { Message(number: $0.number, time: $0.time, text: $0.text) }
  }
}

/// The tour and where the team stands; with the secret for a phone that has just joined.
struct PhoneAnswer: Codable, Described, Sendable {
  var secret: String?
  var content: PhoneTour
  var state: PhoneState
}

/// What became of events, and where the team stands after them.
struct PhoneOutcome: Codable, Described, Sendable {
  struct Entry: Codable, Sendable {
    var id: String
    /// Whether it was not known before.
    var new: Bool
    var verdict: String
    var refusal: String?
    var points: Int?
    var place: String
    var late: Bool
  }

  var events: [Entry]
  var inOrder: Bool
  var state: PhoneState

  init(_ outcome: TourOutcome, _ run: StoredRun, team: TourTeam, messages: [TourLogEntry], at time: Date) {
    events = outcome.events.map { event, isNew in
      let record = event.record
      let hides = !run.tour.showsVerdict && (record.verdict == .right || record.verdict == .wrong)
      return Entry(
        id: record.id,
        new: isNew,
        verdict: hides ? "answered" : record.verdict.rawValue,
        refusal: record.refusal?.rawValue,
        points: run.tour.showsScore && !hides ? record.points : nil,
        place: record.place.rawValue,
        late: record.isLate
      )
    }
    inOrder = !outcome.isOutOfOrder
    state = PhoneState(run, team: team, tallies: outcome.tallies, messages: messages, at: time)
  }
}
