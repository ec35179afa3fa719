import Synchronization

/// A line as riders know it.
public final class TransitLine: Sendable {
  /// Id at its provider.
  public let id: String
  /// Number or name.
  public let name: String
  /// Means of transport.
  public let mode: TransitMode
  /// 0xRRGGBB.
  public let color: Int
  /// 0xRRGGBB, readable on the colour.
  public let textColor: Int
  /// Place in the order in which lines are listed.
  public let rank: Int

  /// A line.
  public init(id: String, name: String, mode: TransitMode, color: Int?, textColor: Int?, rank: Int = 0) {
    let colors = LineColors(color: color, textColor: textColor)
    self.id = id
    self.name = name
    self.mode = mode
    self.color = colors.color
    self.textColor = colors.textColor
    self.rank = rank
  }
}

/// A stop as riders know it: a station with its platforms, or a stop by itself.
public struct TransitStop: Sendable, Equatable {
  /// Id at its provider.
  public var id: String
  /// Name.
  public var name: String
  /// What is written on the pole; empty when there is nothing.
  public var code = ""
  /// Platform; empty when there is none.
  public var platform = ""
  /// Degrees.
  public var latitude: Double
  /// Degrees.
  public var longitude: Double
  /// Whether it stands for several platforms.
  public var isStation = false
  /// Whether a wheelchair can board: `nil` unknown.
  public var wheelchair: Bool?

  /// A stop.
  public init(id: String, name: String, latitude: Double, longitude: Double) {
    self.id = id
    self.name = name
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A departure as riders see it.
public struct TransitDeparture: Sendable {
  /// Whether one gets on as usual.
  public enum Pickup: String, Sendable {
    /// As usual.
    case regular
    /// Call the agency before.
    case phone
    /// Ask the driver.
    case driver
  }

  /// The line; `nil` unknown.
  public var line: TransitLine?
  /// What the vehicle shows.
  public var headsign = ""
  /// 0 or 1; `nil` unknown.
  public var direction: Int?
  /// POSIX seconds.
  public var scheduled: Int
  /// Whether the timetable says so; a provider that only predicts puts its prediction there.
  public var isScheduleKnown = true
  /// POSIX seconds; `nil` unknown.
  public var expected: Int?
  /// How it stands.
  public var state = BoardDeparture.State.scheduled
  /// Whether the scheduled time is approximate.
  public var isApproximate = false
  /// Platform; empty when there is none.
  public var platform = ""
  /// Id of the stop or platform.
  public var stop = ""
  /// Id of the trip; empty unknown.
  public var trip = ""
  /// Train number or the like; empty when there is none.
  public var tripName = ""
  /// Whether one gets on as usual.
  public var pickup = Pickup.regular
  /// Whether it takes wheelchairs here: `nil` unknown.
  public var wheelchair: Bool?
  /// Whether the floor is low: `nil` unknown.
  public var lowFloor: Bool?
  /// Ids of notices.
  public var alerts: [String] = []

  /// A departure.
  public init(scheduled: Int) { self.scheduled = scheduled }

  /// The time to go by.
  public var time: Int { expected ?? scheduled }
}

/// A line that comes every so often without stated times.
public struct TransitInterval: Sendable {
  /// The line.
  public var line: TransitLine
  /// What the vehicle shows.
  public var headsign: String
  /// Seconds.
  public var headway: Int
  /// POSIX seconds.
  public var period: Range<Int>

  /// A line at intervals.
  public init(line: TransitLine, headsign: String, headway: Int, period: Range<Int>) {
    self.line = line
    self.headsign = headsign
    self.headway = headway
    self.period = period
  }
}

/// A vehicle.
public struct TransitVehicle: Sendable {
  /// Id at its provider.
  public var id: String
  /// What riders can read on it; empty when there is nothing.
  public var label = ""
  /// Degrees.
  public var latitude: Double
  /// Degrees.
  public var longitude: Double
  /// Degrees clockwise from north; `nil` unknown.
  public var bearing: Double?
  /// Metres per second; `nil` unknown.
  public var speed: Double?
  /// The line; `nil` unknown.
  public var line: TransitLine?
  /// What it shows; empty unknown.
  public var headsign = ""
  /// Id of the trip; empty unknown.
  public var trip = ""
  /// Id of the stop it is at or goes to; empty unknown.
  public var stop = ""
  /// What it does there.
  public var status = RealtimeMessage.Vehicle.Status.underWay
  /// How full it is, in the words of GTFS-Realtime in small letters; `nil` unknown.
  public var occupancy: String?
  /// POSIX seconds.
  public var measured: Int

  /// A vehicle.
  public init(id: String, latitude: Double, longitude: Double, measured: Int) {
    self.id = id
    self.latitude = latitude
    self.longitude = longitude
    self.measured = measured
  }
}

/// The departures from a stop as a provider gave them.
public final class ProviderBoard: Sendable {
  /// In the order of the time to go by.
  public let departures: [TransitDeparture]
  /// Lines without stated times.
  public let intervals: [TransitInterval]
  /// Ids of notices about the stop as a whole.
  public let alerts: [String]
  /// `gtfs`, `gtfs-rt`, `siri`, `json`.
  public let source: String
  /// When the provider made it, POSIX seconds; `nil` for a timetable alone.
  public let updated: Int?
  /// Why it is less than it should be; `nil` when it is not.
  public let shortfall: ProviderFailure?
  /// Whether some departure has a prediction.
  public let isLive: Bool
  private let held = Mutex<(any AnyObject & Sendable)?>(nil)

  /// What is made of this board for all who ask: made at the first call, and gone with the board.
  ///
  /// Two who ask at the same moment may both make it; one is kept.
  package func derived<Value: AnyObject & Sendable>(_ make: () -> Value) -> Value {
    if let known = held.withLock({ $0 }) as? Value { return known }
    let made = make()
    held.withLock { $0 = made }
    return made
  }

  /// A board.
  public init(
    departures: [TransitDeparture],
    intervals: [TransitInterval] = [],
    alerts: [String] = [],
    source: String,
    updated: Int? = nil,
    shortfall: ProviderFailure? = nil
  ) {
    self.departures = departures
    self.intervals = intervals
    self.alerts = alerts
    self.source = source
    self.updated = updated
    self.shortfall = shortfall
    isLive = departures.contains { $0.state != .scheduled }
  }
}
