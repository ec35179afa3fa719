import SightlineInput

/// A source of departures: a timetable, a timetable with realtime messages, or a service that is asked stop by stop.
///
/// `Documentation/providers.md` shows how to write one. What a provider throws is told to riders as the reason for what is
/// missing; time limits, repeated tries and caching are not its business but those of ``ProviderDesk``.
public protocol TransitProvider: Sendable {
  /// Who it is.
  var info: ProviderInfo { get }

  /// Its stops and lines, without asking anybody.
  ///
  /// May be another one from call to call, after an import.
  var schedule: any StopDirectory { get }

  /// Departures from a stop.
  ///
  /// - Parameters:
  ///   - stop: id of a stop of ``schedule``.
  ///   - question: which departures.
  /// - Returns: departures in the order of the time to go by.
  /// - Throws: why there are none to be had.
  func departures(at stop: String, _ question: BoardQuestion) async throws(ProviderFailure) -> ProviderBoard

  /// Notices that apply at a time (POSIX seconds), those for all stops included, as far as they are known: nobody is asked.
  func alerts(at time: Int) -> [TransitAlert]

  /// Grows when ``departures(at:_:)`` may answer otherwise than before without time having passed.
  var edition: Int { get }

  /// Vehicles that said where they are, at most two minutes before a time (POSIX seconds).
  func vehicles(at time: Int) -> [TransitVehicle]

  /// Whether ``vehicles(at:)`` would name any.
  func hasVehicles(at time: Int) -> Bool

  /// How it is at a time (POSIX seconds).
  func status(at time: Int) -> ProviderStatus

  /// Keeps it up to date until the task is cancelled.
  func run() async
}

extension TransitProvider {
  /// Nothing changes by itself.
  public var edition: Int { 0 }
  /// No notices.
  public func alerts(at time: Int) -> [TransitAlert] { [] }
  /// No vehicles.
  public func vehicles(at time: Int) -> [TransitVehicle] { [] }
  /// Asks for them.
  public func hasVehicles(at time: Int) -> Bool { !vehicles(at: time).isEmpty }
  /// All well.
  public func status(at time: Int) -> ProviderStatus { ProviderStatus() }
  /// There is nothing to be done.
  public func run() async {}
}

/// Who a provider is.
public struct ProviderInfo: Sendable, Equatable {
  /// Comes before the ids of its stops: letters, digits and hyphens.
  public var id: String
  /// For people.
  public var name: String
  /// `gtfs`, `gtfs-rt`, `siri`, `json`.
  public var kinds: [String]
  /// Whom to credit.
  public var attribution: String
  /// Page of those to be credited; empty when there is none.
  public var attributionURL: String
  /// Whether answers come from elsewhere and so may fail or take their time.
  public var isRemote: Bool

  /// A provider's particulars.
  public init(
    id: String,
    name: String,
    kinds: [String],
    attribution: String,
    attributionURL: String = "",
    isRemote: Bool
  ) {
    self.id = id
    self.name = name
    self.kinds = kinds
    self.attribution = attribution
    self.attributionURL = attributionURL
    self.isRemote = isRemote
  }

  /// Whether a text can be a provider's id.
  public static func isID(_ text: String) -> Bool {
    (1...40).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
      }
  }
}

/// How a provider is.
public struct ProviderStatus: Sendable, Equatable {
  /// Realtime messages.
  public struct Realtime: Sendable, Equatable {
    /// When the newest was made, POSIX seconds; 0 when none has come.
    public var updated = 0
    /// Runs of the timetable with predictions.
    public var matched = 0
    /// Predictions that fit no run.
    public var unmatched = 0
    /// How long the last merge took, seconds.
    public var mergeSeconds = 0.0
    /// Fetches that failed since the start.
    public var failures = 0
  }

  /// A timetable that is fetched from an address.
  public struct Timetable: Sendable, Equatable {
    /// What the checks of it came to; raw values are words of answers and metrics.
    public enum Outcome: String, Sendable, CaseIterable, Codable {
      /// There was a new one, and it was taken.
      case taken
      /// There was none.
      case unchanged
      /// It could not be fetched.
      case unreachable
      /// It was fetched, but is not fit for use.
      case refused
    }

    /// When it was last known to be the newest, POSIX seconds of the system's clock; 0 for never.
    public var checked = 0
    /// When the one in use was taken, POSIX seconds of the system's clock; 0 for before anything was noted.
    public var taken = 0
    /// What the last check came to; `nil` before the first one since the start.
    public var outcome: Outcome?
    /// Checks that failed since the last good one.
    public var failuresInARow = 0
    /// Checks since the start, by what came of them.
    public var checks: [Outcome: Int] = [:]
  }

  /// What is wrong, or `nil`.
  public var failure: ProviderFailure?
  /// Realtime messages, where there are some.
  public var realtime: Realtime?
  /// The timetable, where it is fetched from an address.
  public var timetable: Timetable?

  /// All well.
  public init(failure: ProviderFailure? = nil, realtime: Realtime? = nil) {
    self.failure = failure
    self.realtime = realtime
  }
}

/// Which departures are asked for.
public struct BoardQuestion: Sendable, Equatable {
  /// POSIX seconds.
  public var from: Int
  /// Seconds.
  public var window: Int
  /// Most departures.
  public var limit: Int

  /// A question.
  public init(from: Int, window: Int, limit: Int) {
    self.from = from
    self.window = window
    self.limit = limit
  }

  /// From and to, POSIX seconds.
  public var period: Range<Int> { from..<max(from, from.saturatingAdd(window)) }
}
