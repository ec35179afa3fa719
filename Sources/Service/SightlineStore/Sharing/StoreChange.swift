/// One line of the outbox: what another process that serves the same database has to know at once.
///
/// Written in the transaction of the change itself, so that there is neither one without the other.
public struct StoreChange: Equatable, Sendable {
  /// What has changed.
  public enum Kind: String, Sendable {
    /// Published worlds or posters; ``StoreChange/key`` is empty.
    case worlds
    /// Schedule or content of a run.
    case run
    /// Teams of a run, or their phones' rights.
    case teams
    /// A run is gone.
    case removedRun
    /// A line of a run's log, by number.
    case log
    /// What a team did in a run, or its mark, by number.
    case answer
    /// Where teams of a run are.
    case positions
    /// The timetable of a provider, whose id is ``StoreChange/key``.
    case timetable
  }

  /// Rises in the order of commits; some are left out.
  public var number: Int64
  /// The process that made it (``ChangeStore/origin``).
  public var origin: Int64
  /// What has changed.
  public var kind: Kind
  /// Identifier of the run.
  public var key: String
  /// Number of the log's line or of the event.
  public var item: Int64?

  /// A change.
  public init(number: Int64, origin: Int64, kind: Kind, key: String, item: Int64? = nil) {
    self.number = number
    self.origin = origin
    self.kind = kind
    self.key = key
    self.item = item
  }
}

/// The outbox after a number.
public struct StoreChanges: Sendable {
  /// Changes in order; of kinds that this program knows.
  public var changes: [StoreChange]
  /// The number up to which it was read.
  public var through: Int64
  /// Whether there is nothing after it.
  public var isWhole: Bool
  /// Whether something in between is not there any more, or the database is not the one that the number is of: what was
  /// read before has to be forgotten.
  public var hasGap: Bool
}

/// Where a reader of the outbox is.
public struct ChangePosition: Equatable, Sendable {
  /// The last number that was read.
  public var number: Int64
  /// Names the history that numbers belong to: that of a server that took over another's place is a new one.
  public var history: String

  /// A place in a history.
  public init(number: Int64, history: String) {
    self.number = number
    self.history = history
  }
}
