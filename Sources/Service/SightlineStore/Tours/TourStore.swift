public import Foundation
public import SightlineTours

/// Where tours, their runs and what teams did are kept.
///
/// When a call that writes has returned, what it wrote survives the end of the process and of the machine.
public protocol TourStore: Sendable {
  /// Tours of an author, or of everybody, the latest first.
  func tours(owner: Int64?) async throws -> [TourListing]

  /// A tour; `nil` when there is none.
  func tour(_ id: String) async throws -> StoredTour?

  /// Keeps a new tour; `nil` when its author has `limit` tours already, counted in the same transaction.
  func addTour(_ tour: Tour, owner: Int64?, limit: Int, at time: Date) async throws -> StoredTour?

  /// Replaces a tour's content if it still has the expected version.
  func saveTour(_ id: String, _ tour: Tour, expecting version: Int, at time: Date) async throws -> TourSaveOutcome

  /// Removes a tour with all its runs.
  ///
  /// - Returns: Whether there was one.
  func removeTour(_ id: String) async throws -> Bool

  /// Makes a run of a tour as it is now.
  ///
  /// - Returns: The run; `nil` when there is no such tour.
  /// - Throws: ``TourStoreError/tooManyRuns`` when the tour has ``TourLimits/runs`` already.
  func addRun(of tour: String, teams: [TeamDraft], isTrial: Bool, at time: Date) async throws -> StoredRun?

  /// Runs of a tour, the latest first.
  func runs(of tour: String) async throws -> [StoredRun]

  /// A run; `nil` when there is none.
  func run(_ id: String) async throws -> StoredRun?

  /// Removes a run and all that teams left in it.
  ///
  /// - Returns: Whether there was one.
  func removeRun(_ id: String) async throws -> Bool

  /// Carries out a teacher's command; a run that starts takes the tour as it is then.
  ///
  /// - Returns: The run after it, and whether the command was possible; `nil` when there is no such run.
  func command(_ command: TourCommand, run: String, at time: Date) async throws -> (run: StoredRun, isDone: Bool)?

  /// Teams of a run, by number.
  func teams(of run: String) async throws -> [TourTeam]

  /// Adds a team; `nil` when there is no such run, or it has ``TourLimits/teams``.
  func addTeam(_ draft: TeamDraft, run: String, at time: Date) async throws -> TourTeam?

  /// Changes name and colour of a team; with `newCode` its old code and all its phones lose their rights.
  func changeTeam(_ number: Int, run: String, _ draft: TeamDraft, newCode: Bool) async throws -> TourTeam?

  /// The run and team of a join code as a person wrote it; `nil` when there is none.
  func team(code: String) async throws -> TourTeam?

  /// Lets a phone in, known by the SHA-256 of its secret.
  ///
  /// - Returns: The line in the log; `nil` when the team has `limit` phones already.
  func addDevice(of team: TourTeam, token: Data, limit: Int, at time: Date) async throws -> TourLogEntry?

  /// The phone of a secret's hash; `nil` when there is none.
  func device(token: Data) async throws -> TourDevice?

  /// Judges and keeps events of one phone, in order, each once.
  func submit(_ submission: TourSubmission) async throws -> TourOutcome

  /// What a team has done.
  func records(run: String, team: Int) async throws -> [TourRecord]

  /// What a team has done at each station where it did something, added up.
  func tallies(run: String, team: Int) async throws -> [String: StationTally]

  /// What a phone asks for every few seconds, in one reading: what its team has done, and the latest messages to it or
  /// to all after a number.
  ///
  /// Costs as much as the tour has stations, however much the team has done.
  func standing(
    of team: TourTeam,
    after number: Int64
  ) async throws -> (
    tallies: [String: StationTally], messages: [TourLogEntry]
  )

  /// All that was done in a run, in the order of arrival.
  func events(of run: String) async throws -> [StoredEvent]

  /// Marks an answer in words.
  ///
  /// - Returns: The event after it; `nil` when there is no answer to be marked.
  func mark(event: Int64, run: String, points: Int, at time: Date) async throws -> StoredEvent?

  /// Adds a line to a run's log.
  func addLog(
    _ kind: TourLogEntry.Kind,
    run: String,
    team: Int?,
    text: String,
    at time: Date
  ) async throws
    -> TourLogEntry?

  /// Lines of a run's log after a number.
  func log(of run: String, after number: Int64) async throws -> [TourLogEntry]

  /// Keeps positions of teams; those that are no places on the Earth are passed over, and do not stop the others.
  func addTrack(_ points: [TourTrackPoint]) async throws

  /// Positions of a run's teams, in order.
  func track(of run: String) async throws -> [TourTrackPoint]

  /// Removes the runs whose time is over.
  ///
  /// - Returns: Their identifiers.
  func removeExpiredRuns(at time: Date) async throws -> [String]
}

/// A tour in a list.
public struct TourListing: Equatable, Sendable {
  /// Identifier.
  public var id: String
  /// Account of its author.
  public var owner: Int64?
  /// Title.
  public var title: String
  /// Number of stations.
  public var stations: Int
  /// Number of the content, from 1.
  public var version: Int
  /// When it was changed last.
  public var saved: Date
}

/// A tour as it is kept.
public struct StoredTour: Equatable, Sendable {
  /// Identifier.
  public var id: String
  /// Account of its author.
  public var owner: Int64?
  /// Number of the content, from 1.
  public var version: Int
  /// When it was changed last.
  public var saved: Date
  /// The content.
  public var tour: Tour
}

/// What became of a change.
public enum TourSaveOutcome: Equatable, Sendable {
  /// It is kept.
  case saved(StoredTour)
  /// Somebody else has changed the tour meanwhile; what is there now.
  case conflict(StoredTour)
  /// There is no such tour.
  case unknown
}

/// A run as it is kept.
public struct StoredRun: Equatable, Sendable {
  /// Identifier.
  public var id: String
  /// The tour it is of.
  public var tourID: String
  /// Account of the tour's author.
  public var owner: Int64?
  /// Whether it is the author's own try.
  public var isTrial: Bool
  /// When it was made.
  public var created: Date
  /// Number that grows with each change of schedule, teams or content.
  public var revision: Int
  /// Its times.
  public var schedule: TourSchedule
  /// The tour's content at the start, or now if it has not begun.
  public var tour: Tour
}

/// Name and colour of a team.
public struct TeamDraft: Codable, Equatable, Sendable {
  /// Name, 1 to 40 characters.
  public var name: String
  /// Colour, `#rrggbb`.
  public var color: String

  /// A draft.
  public init(name: String, color: String) {
    self.name = name
    self.color = color
  }

  /// Whether both can be used.
  public var isValid: Bool {
    let digits = color.utf8.dropFirst()
    return (1...40).contains(name.count) && color.utf8.first == UInt8(ascii: "#") && digits.count == 6
      && digits.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0 | 0x20)
      }
      && !name.unicodeScalars.contains { $0.value < 0x20 }
  }
}

/// A team of a run.
public struct TourTeam: Equatable, Sendable {
  /// Its run.
  public var run: String
  /// Number in the run, from 1.
  public var number: Int
  /// Name.
  public var name: String
  /// Colour, `#rrggbb`.
  public var color: String
  /// Code in its QR code, 13 characters of ``TourCode``.
  public var code: String
  /// Number for a random order.
  public var seed: UInt64
}

/// A phone that has joined a team.
public struct TourDevice: Equatable, Sendable {
  /// SHA-256 of its secret.
  public var token: Data
  /// Its team.
  public var team: TourTeam

  /// A phone.
  public init(token: Data, team: TourTeam) {
    self.token = token
    self.team = team
  }
}

/// Events of one phone on their way into the store.
public struct TourSubmission: Sendable {
  /// The phone.
  public var device: TourDevice
  /// What it tells, in order.
  public var events: [TourEvent]
  /// When the server got it.
  public var received: Date

  /// A submission.
  public init(device: TourDevice, events: [TourEvent], received: Date) {
    self.device = device
    self.events = events
    self.received = received
  }
}

/// What became of a submission.
public struct TourOutcome: Sendable {
  /// One for each event up to the first out of order: the event as it is kept, and whether it is new.
  public var events: [(event: StoredEvent, isNew: Bool)]
  /// Whether an event came after one that was made later; it and those after it are not kept.
  public var isOutOfOrder: Bool
  /// Whether the team has ``TourEvent/mostOfTeam`` events; those that did not fit are not kept.
  public var isFull = false
  /// What the team has done, by station.
  public var tallies: [String: StationTally]
}

/// How much is kept of tours.
public enum TourLimits {
  /// Most runs of a tour.
  public static let runs = 200
  /// Most teams of a run.
  public static let teams = 2000
  /// Most messages that a phone gets at a time, the latest.
  public static let messages = 200
}

extension TourStore {
  /// Keeps a new tour, however many there are.
  public func addTour(_ tour: Tour, owner: Int64?, at time: Date) async throws -> StoredTour {
    guard let stored = try await addTour(tour, owner: owner, limit: .max, at: time) else {
      throw StoreError.notEncodable("there are too many tours.")
    }
    return stored
  }
}

/// An event as it is kept.
public struct StoredEvent: Equatable, Sendable {
  /// Number in the order of arrival.
  public var number: Int64
  /// The team.
  public var team: Int
  /// When the server got it.
  public var received: Date
  /// When it was made.
  public var made: Date
  /// Where, rounded as the tour says.
  public var fix: TourFix?
  /// What it was and became.
  public var record: TourRecord
  /// When the teacher marked it.
  public var marked: Date?
}

/// A line of a run's log.
public struct TourLogEntry: Equatable, Sendable {
  /// What happened.
  public enum Kind: String, Sendable, CaseIterable {
    /// A phone joined a team.
    case joined
    /// The run began.
    case started
    /// The teacher paused it.
    case paused
    /// It went on.
    case resumed
    /// The teacher ended it.
    case ended
    /// A round was opened; the text is its number.
    case round
    /// A message of the teacher; to all when no team is named.
    case message
    /// A team asks for the teacher.
    case help
    /// A team left the area.
    case left
    /// A team came back.
    case returned
    /// The teacher marked an answer; the text is the event's number and the points.
    case marked
  }

  /// Number in the order of the log.
  public var number: Int64
  /// The team, if it concerns one.
  public var team: Int?
  /// When.
  public var time: Date
  /// What.
  public var kind: Kind
  /// Words that belong to it.
  public var text: String
}

/// Where a team was at a time.
public struct TourTrackPoint: Equatable, Sendable {
  /// The run.
  public var run: String
  /// The team.
  public var team: Int
  /// When.
  public var time: Date
  /// Where, rounded as the tour says.
  public var fix: TourFix

  /// A point.
  public init(run: String, team: Int, time: Date, fix: TourFix) {
    self.run = run
    self.team = team
    self.time = time
    self.fix = fix
  }
}
