public import Foundation
public import SightlineTours

/// Where runs of tours are kept, with what was done, said and where in them: the teacher's side.
public protocol TourRunStore: Sendable {
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

  /// All that was done in a run, in the order of arrival.
  func events(of run: String) async throws -> [StoredEvent]

  /// Those of them with numbers from one to another, in the order of arrival.
  func events(of run: String, numbers: ClosedRange<Int64>) async throws -> [StoredEvent]

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
