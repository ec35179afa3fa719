public import Foundation

/// What several processes that serve one database tell each other through it.
///
/// Numbers rise in the order of commits, because writers write one at a time over all processes. So a reader that asks for
/// what comes after the last number it knows misses nothing, whatever became of notifications.
public protocol ChangeStore: Sendable {
  /// Names this process in the outbox; chosen at random when the database is opened.
  var origin: Int64 { get }

  /// Whether it is a database that several servers use as a rule: positions of teams are handed on through it then.
  var isShared: Bool { get }

  /// How often nobody knew whether a change was made, because its line broke off at its end: it may stand in the outbox
  /// as this process' own, though this process believes that it failed.
  var unknownOutcomes: Int { get }

  /// The latest place in the outbox.
  func latestChange() async throws -> ChangePosition

  /// What comes after a place, at most ``SQLChangeStore/largestPage`` changes.
  func changes(after position: ChangePosition) async throws -> StoreChanges

  /// Removes changes before a time; the latest one stays, by which a reader knows where it is.
  ///
  /// - Returns: How many.
  func removeChanges(before time: Date) async throws -> Int

  /// Hands on where teams are now; those of runs and teams that are gone are passed over. A crash of the database may lose
  /// them: the next ones come soon.
  func save(_ positions: [SharedPosition]) async throws

  /// Where teams of all runs are, as far as it was told after a change, and the latest change that tells it.
  func positions(after number: Int64) async throws -> (positions: [SharedPosition], latest: Int64)

  /// Removes positions before a time.
  func removePositions(before time: Date) async throws

  /// Begins to listen for changes of any process.
  ///
  /// - Parameter onChange: Called when there is something to be read, or may be: also when a line that had broken off is
  ///   there again. On a thread of its own; it must not wait.
  /// - Returns: What ends it; `nil` where a database cannot tell, and has to be asked.
  func listen(_ onChange: @escaping @Sendable () -> Void) -> (any ChangeListener)?
}

/// A line on which a database tells that it was changed.
public protocol ChangeListener: Sendable {
  /// Whether the line works, as far as is known: it was tried out within the last half minute.
  var isLive: Bool { get }
  /// How often it was made anew.
  var reconnections: Int { get }
  /// Ends it.
  func stop()
}

/// Where a team of a run is.
public struct SharedPosition: Equatable, Sendable {
  /// The run.
  public var run: String
  /// Number of the team.
  public var team: Int
  /// When.
  public var time: Date
  /// Degrees.
  public var latitude: Double
  /// Degrees.
  public var longitude: Double
  /// Radius within which it lies 95 % of the time, metres.
  public var accuracy: Double?
  /// Whether somebody chose it, and it was not measured.
  public var isVirtual: Bool
  /// Whether the team has left the area.
  public var hasLeft: Bool
  /// Number of the change that told it; 0 for one that was not told yet.
  public var change: Int64 = 0

  /// How much earlier than what is known a position is for being late, seconds.
  ///
  /// What is still earlier comes after a clock was set back, and counts.
  public static let longestDelay: TimeInterval = 120

  /// A team's position.
  public init(
    run: String,
    team: Int,
    time: Date,
    latitude: Double,
    longitude: Double,
    accuracy: Double?,
    isVirtual: Bool,
    hasLeft: Bool
  ) {
    self.run = run
    self.team = team
    self.time = time
    self.latitude = latitude
    self.longitude = longitude
    self.accuracy = accuracy
    self.isVirtual = isVirtual
    self.hasLeft = hasLeft
  }
}
