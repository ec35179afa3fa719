import Foundation
import SightlineContent
import SightlineInput
import SightlineStore
import SightlineTours

/// A place on the Earth, degrees.
struct Coordinates: Codable, Described, Sendable {
  var latitude: Double
  var longitude: Double

  init(_ position: Position) {
    latitude = position.latitude
    longitude = position.longitude
  }
}

/// A run: its phase and times.
struct RunAnswer: Codable, Described, Sendable {
  var id: String
  var tour: String
  var title: String
  var trial: Bool
  var created: Date
  @OrNull var started: Date?
  @OrNull var ended: Date?
  /// When it is deleted with all that teams left; `null` while that is not known.
  @OrNull var deleted: Date?
  var keepDays: Int
  var phase: String
  var round: Int
  var rounds: Int
  var revision: Int
  @OrNull var secondsLeft: Int?

  static let schemaName = "Run"

  init(_ run: StoredRun, at time: Date) {
    id = run.id
    tour = run.tourID
    title = run.tour.title
    trial = run.isTrial
    created = run.created
    _started = OrNull(wrappedValue: run.schedule.started)
    _ended = OrNull(wrappedValue: run.schedule.ended)
    _deleted = OrNull(
      wrappedValue: run.schedule.ended == nil && !run.isTrial ? nil : run.expiry(lastEvent: nil)
    )
    keepDays = run.tour.keepDays
    let now = PhaseAnswer(run, at: time)
    phase = now.phase
    round = now.round
    rounds = now.rounds
    revision = now.revision
    _secondsLeft = OrNull(wrappedValue: now.secondsLeft)
  }
}

/// What can be done in a run now, for boards and phones alike.
struct PhaseAnswer: Sendable {
  let phase: String
  let round: Int
  let rounds: Int
  let revision: Int
  let secondsLeft: Int?

  init(_ run: StoredRun, at time: Date) {
    let phase = run.schedule.phase(at: time, minutes: run.tour.minutes)
    self.phase = phase.rawValue
    round = run.schedule.round
    rounds = run.tour.rounds
    revision = run.revision
    secondsLeft =
      phase == .ended
      ? nil
      : run.schedule.deadline(at: time, minutes: run.tour.minutes).map {
        Int(clamped: max(0, $0.timeIntervalSince(time)).rounded(.up))
      }
  }
}

/// Where a team was last, as boards show it.
struct BoardFix: Codable, Described, Sendable {
  var latitude: Double
  var longitude: Double
  /// Metres, 95 %.
  var accuracy: Double?
  /// Seconds.
  var age: Int
  /// Whether somebody chose it, on a virtual phone; only then there.
  var isVirtual: Bool?

  init(_ position: TourPositions.Position, at time: Date) {
    latitude = position.fix.position.latitude
    longitude = position.fix.position.longitude
    accuracy = position.fix.accuracy?.rounded()
    age = Int(clamped: max(0, time.timeIntervalSince(position.time)))
    isVirtual = position.fix.isVirtual ? true : nil
  }
}

/// Where a team is, as an event of a board.
struct BoardPosition: Codable, Described, Sendable {
  var number: Int
  var position: BoardFix
  var left: Bool

  init(_ position: TourPositions.Position, team: Int, at time: Date) {
    number = team
    self.position = BoardFix(position, at: time)
    left = position.hasLeft
  }
}

/// A team with its standing and position.
struct BoardTeam: Codable, Described, Sendable {
  /// What it has done at a station.
  struct Cell: Codable, Sendable {
    var state: String
    var points: Int
    var wrong: Int
    var hints: Int
  }

  var number: Int
  var name: String
  var color: String
  var score: Int
  var done: Int
  /// By station.
  var cells: [String: Cell]
  var position: BoardFix?
  /// Whether it has left the area.
  var left: Bool?

  init(_ team: TourTeam, _ progress: TourProgress, _ position: TourPositions.Position?, at time: Date) {
    number = team.number
    name = team.name
    color = team.color
    score = progress.score
    done = progress.doneCount
    cells = [:]
    for station in progress.tour.stations {
      let state = progress.at(station)
      guard state.isDone || state.wrong > 0 || !state.hints.isEmpty else { continue }
      cells[station.id] = Cell(
        state: BoardTeam.word(for: state),
        points: state.points,
        wrong: state.wrong,
        hints: state.hints.count
      )
    }
    self.position = position.map { BoardFix($0, at: time) }
    left = position?.hasLeft
  }

  /// `right`, `pending`, `wrong` (no tries left), `open`.
  static func word(for state: StationProgress) -> String {
    if state.isRight { return "right" }
    if state.isPending { return "pending" }
    return state.isDone ? "wrong" : "open"
  }
}

/// Something that a team did, as it is kept.
struct BoardEvent: Codable, Described, Sendable {
  var number: Int64
  var id: String
  var team: Int
  var station: String
  var kind: String
  var choices: [Int]?
  var text: String?
  var hint: Int?
  var verdict: String
  var refusal: String?
  var points: Int
  var place: String
  var late: Bool
  var received: Date
  var marked: Date?

  init(_ event: StoredEvent) {
    let record = event.record
    number = event.number
    id = record.id
    team = event.team
    station = record.station
    kind = record.kind.name
    switch record.kind {
    case .choice(let chosen): choices = chosen
    case .text(let text): self.text = text
    case .hint(let number): hint = number
    case .visit: break
    }
    verdict = record.verdict.rawValue
    refusal = record.refusal?.rawValue
    points = record.points
    place = record.place.rawValue
    late = record.isLate
    received = event.received
    marked = event.marked
  }
}

/// A line of a run's log.
struct BoardLogEntry: Codable, Described, Sendable {
  var number: Int64
  @OrNull var team: Int?
  var time: Date
  var kind: String
  var text: String

  init(_ entry: TourLogEntry) {
    number = entry.number
    _team = OrNull(wrappedValue: entry.team)
    time = entry.time
    kind = entry.kind.rawValue
    text = entry.text
  }
}

/// All that a board shows, as it is now.
struct Board: Codable, Described, Sendable {
  struct Stop: Codable, Sendable {
    var id: String
    var title: String
    var kind: String
    var round: Int
    var points: Int
    var radius: Double
    var text: String
    var options: [String]
    var position: Coordinates

    init(_ station: Station) {
      id = station.id
      title = station.title
      kind = station.kind.rawValue
      round = station.round
      points = station.points
      radius = station.radius
      text = station.text
      options = station.options
      position = Coordinates(station.position)
    }
  }

  var run: RunAnswer
  var stations: [Stop]
  var border: [Coordinates]
  /// Corners of the way that teams are led; empty when they are not.
  var route: [Coordinates]
  var teams: [BoardTeam]
  var answers: [BoardEvent]
  var log: [BoardLogEntry]

  init(
    _ found: TourService.RunWithTeams,
    events: [StoredEvent],
    log: [TourLogEntry],
    live: TourPositions,
    at time: Date
  ) {
    let run = found.run
    self.run = RunAnswer(run, at: time)
    stations = run.tour.stations.map(Stop.init)
    border = run.tour.border.map(Coordinates.init)
    route = run.tour.corners(by: run.tour.stations).map(Coordinates.init)
    let byTeam = Dictionary(grouping: events, by: \.team)
    teams = found.teams.map { team in
      let records = (byTeam[team.number] ?? []).map(\.record)
      let progress = TourProgress(tour: run.tour, seed: team.seed, records: records)
      return BoardTeam(team, progress, live[run.id, team.number], at: time)
    }
    // Old answers are in the tables; what waits for the teacher is all here.
    let recent = events.suffix(100)
    let waiting = events.filter { $0.record.verdict == .pending && $0.number < (recent.first?.number ?? 0) }
    answers = (waiting + recent).map(BoardEvent.init)
    self.log = log.suffix(200).map(BoardLogEntry.init)
  }
}
