/// A GTFS-Realtime message, as far as it is used.
///
/// Field numbers and meanings: the GTFS Realtime reference, version 2.0. Times are POSIX seconds.
public struct RealtimeMessage: Sendable, Equatable {
  /// A run of a trip, as the producer names it.
  public struct Trip: Sendable, Equatable {
    /// How the run stands to the schedule.
    public enum Relationship: Int, Sendable {
      case scheduled = 0
      case added = 1
      case unscheduled = 2
      case canceled = 3
      case replacement = 5
      case duplicated = 6
      case deleted = 7
      case new = 8
    }

    /// trip_id; empty when not given.
    public var id = ""
    /// route_id; empty when not given.
    public var route = ""
    /// direction_id.
    public var direction: Int?
    /// start_date.
    public var day: ServiceDay?
    /// start_time, seconds of the service day.
    public var start: Int?
    /// `nil` for a number that is not known.
    public var relationship: Relationship? = .scheduled

    package init() {}
  }

  /// A prediction at a stop.
  public struct Event: Sendable, Equatable {
    /// Seconds late.
    public var delay: Int?
    /// Time.
    public var time: Int?

    package init(delay: Int? = nil, time: Int? = nil) {
      self.delay = delay
      self.time = time
    }
  }

  /// What is said about one call.
  public struct Call: Sendable, Equatable {
    /// How the call stands to the schedule.
    public enum Relationship: Int, Sendable {
      case scheduled = 0
      case skipped = 1
      case noData = 2
      case unscheduled = 3
    }

    /// stop_sequence.
    public var sequence: Int?
    /// stop_id; empty when not given.
    public var stop = ""
    /// Arrival.
    public var arrival: Event?
    /// Departure.
    public var departure: Event?
    /// `nil` for a number that is not known.
    public var relationship: Relationship? = .scheduled
    /// The platform it was moved to; empty when it was not.
    public var assignedStop = ""

    package init() {}
  }

  /// Predictions for a run.
  public struct TripUpdate: Sendable, Equatable {
    /// The run.
    public var trip = Trip()
    /// In the order given.
    public var calls: [Call] = []
    /// When the vehicle was measured.
    public var timestamp: Int?
    /// For a copy of a trip: its start_date and start_time.
    public var copyDay: ServiceDay?
    /// Second of the service day.
    public var copyStart: Int?
    /// Label of the vehicle; empty when not given.
    public var vehicle = ""

    package init() {}
  }

  /// Where a vehicle is.
  public struct Vehicle: Sendable, Equatable {
    /// What it does at its stop.
    public enum Status: Int, Sendable {
      case incoming = 0
      case stopped = 1
      case underWay = 2
    }

    /// Id, or the entity's id.
    public var id = ""
    /// What riders can read on it.
    public var label = ""
    /// The run; `nil` when not given.
    public var trip: Trip?
    /// Degrees.
    public var latitude: Double?
    /// Degrees.
    public var longitude: Double?
    /// Degrees clockwise from north.
    public var bearing: Double?
    /// Metres per second.
    public var speed: Double?
    /// stop_id; empty when not given.
    public var stop = ""
    /// current_stop_sequence.
    public var sequence: Int?
    /// What it does there.
    public var status = Status.underWay
    /// occupancy_status as given.
    public var occupancy: Int?
    /// When it was measured.
    public var timestamp: Int?

    package init() {}
  }

  /// A text in several languages.
  public struct Text: Sendable, Equatable {
    /// Language (empty: not said) and text.
    public var translations: [(language: String, text: String)] = []

    package init() {}

    /// The text in a language, else the one without a language, else the first.
    public func text(in language: String) -> String {
      (translations.first { $0.language.lowercased().hasPrefix(language.lowercased()) && !$0.language.isEmpty }
        ?? translations.first { $0.language.isEmpty } ?? translations.first)?.text ?? ""
    }

    /// Same translations.
    public static func == (a: Text, b: Text) -> Bool {
      a.translations.elementsEqual(b.translations) { $0.language == $1.language && $0.text == $1.text }
    }
  }

  /// A notice.
  public struct Alert: Sendable, Equatable {
    /// What it is about: everything given has to fit.
    public struct Selector: Sendable, Equatable {
      /// agency_id; empty: any.
      public var agency = ""
      /// route_id; empty: any.
      public var route = ""
      /// route_type; `nil`: any.
      public var routeType: Int?
      /// direction_id; `nil`: any.
      public var direction: Int?
      /// stop_id; empty: any.
      public var stop = ""
      /// The run; `nil`: any.
      public var trip: Trip?

      package init() {}
    }

    /// Entity id.
    public var id = ""
    /// When it applies; none: as long as it is in the feed.
    public var periods: [Range<Int>] = []
    /// Alternatives.
    public var selectors: [Selector] = []
    /// cause as given.
    public var cause: Int?
    /// effect as given.
    public var effect: Int?
    /// severity_level as given.
    public var severity: Int?
    /// Page.
    public var url = Text()
    /// Heading.
    public var header = Text()
    /// Description.
    public var body = Text()

    package init() {}

    /// Whether it applies at a time.
    public func isActive(at time: Int) -> Bool { periods.isEmpty || periods.contains { $0.contains(time) } }
  }

  /// When the message was made.
  public var timestamp = 0
  /// Whether it only says what changed since another message: such a message cannot be used.
  public var isDifferential = false
  /// Predictions.
  public var tripUpdates: [TripUpdate] = []
  /// Vehicles.
  public var vehicles: [Vehicle] = []
  /// Notices.
  public var alerts: [Alert] = []
  /// Entities that could not be read or are marked as deleted.
  public var ignored = 0

  package init() {}
}

/// Why a realtime message was refused.
public enum RealtimeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Not a message, or cut off.
  case malformed
  /// More than 64 MiB.
  case tooLarge
  /// More than 500,000 entities.
  case tooManyEntities
  /// DIFFERENTIAL: what it builds on is not defined.
  case differential

  /// A sentence for people.
  public var description: String {
    switch self {
    case .malformed: "This is no GTFS-Realtime message, or it is cut off."
    case .tooLarge: "The message is over 64 MiB."
    case .tooManyEntities: "The message has over 500,000 entities."
    case .differential: "The message gives differences only, for which there is no agreed meaning."
    }
  }
}
