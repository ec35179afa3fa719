import SightlineInput

/// A run of a trip: the trip on a service day, and for repeated trips at one of its starts.
public struct TripRun: Hashable, Sendable {
  /// Number of the trip in its schedule.
  public let trip: Int
  /// The service day.
  public let day: ServiceDay
  /// Second of the service day at which a run of frequencies starts; `nil` for a trip with times of its own.
  public let start: Int?

  /// A run.
  public init(trip: Int, day: ServiceDay, start: Int?) {
    self.trip = trip
    self.day = day
    self.start = start
  }
}

/// A departure by the schedule.
///
/// Times are POSIX seconds.
public struct ScheduledDeparture: Sendable, Equatable {
  /// The run.
  public let run: TripRun
  /// Number of the stop.
  public let stop: Int
  /// Place of the call in the trip's pattern.
  public let place: Int
  /// stop_sequence.
  public let sequence: Int
  /// Arrival at the stop.
  public let arrival: Int
  /// Departure.
  public let time: Int
  /// Whether the time is between timed stops, or called approximate by the feed.
  public let isApproximate: Bool
  /// pickup_type: 0 as usual, 2 call the agency, 3 arrange with the driver.
  public let pickup: Int
}

/// A trip that runs at intervals without stated times.
public struct IntervalService: Sendable, Equatable {
  /// Number of the trip.
  public let trip: Int
  /// Seconds between vehicles.
  public let headway: Int
  /// From when to when at the stop, POSIX seconds.
  public let period: Range<Int>
}

extension Schedule {
  /// Most departures of one question: more than leave the largest stations in a day.
  ///
  /// A feed of a few kilobytes can promise one each second for weeks (frequencies), thousands of times over.
  static let mostDepartures = 20_000
  /// Most services at intervals of one question.
  static let mostIntervals = 2000
  /// Most trips, places in patterns and rows of frequencies, each once a day, that one question looks at.
  static let mostLooks = 8_000_000
  /// Most places in patterns that are read for one question.
  static let mostPlaces = 20_000

  /// Departures in a time, by the schedule alone.
  ///
  /// The last call of a trip and those where nobody may board are none. Ordered by time, then trip id, then sequence. Where there are
  /// more than ``mostDepartures``, those of the beginning of the period.
  ///
  /// - Parameters:
  ///   - stops: numbers of calling stops, see ``callingStops(of:)``.
  ///   - period: POSIX seconds.
  /// - Returns: the departures.
  /// - Throws: ``ScheduleError``, or a database error.
  public func departures(at stops: [Int], in period: Range<Int>) throws -> [ScheduledDeparture] {
    try countedDepartures(at: stops, in: period).list
  }

  /// As ``departures(at:in:)``, with the number of things that were looked at.
  func countedDepartures(at stops: [Int], in period: Range<Int>) throws -> (list: [ScheduledDeparture], looks: Int) {
    let places = try places(at: stops)
    var looks = Looks()
    var period = period
    while true {
      var found: [ScheduledDeparture] = []
      for (day, base, seconds) in servicePeriods(period) {
        for place in places where looks.take() {
          collect(place, day: day, base: base, seconds: seconds, &looks, into: &found)
        }
      }
      // Of too many those that leave first are wanted, and they come in no order: half the time, then, until all of it are there.
      guard found.count >= Self.mostDepartures, period.count > 1, looks.isLeft else {
        return (try inOrder(found), looks.count)
      }
      period = period.lowerBound..<(period.lowerBound + max(1, period.count / 2))
    }
  }

  /// Counts what a question looks at.
  private struct Looks {
    private(set) var count = 0

    /// Whether one more may be looked at.
    mutating func take() -> Bool {
      count += 1
      return count <= Schedule.mostLooks
    }

    /// Whether any may be.
    var isLeft: Bool { count < Schedule.mostLooks }
  }

  /// A call of a pattern at a stop that was asked for.
  private struct Place {
    let pattern: TripPattern
    let place: Int
    let stop: Int
  }

  /// The calls where somebody may board.
  private func places(at stops: [Int]) throws -> [Place] {
    var places: [Place] = []
    for stop in stops {
      for entry in patterns(at: stop) {
        guard places.count < Self.mostPlaces else { return places }
        let pattern = try pattern(entry.pattern)
        guard entry.place + 1 < pattern.calls.count, pattern.calls[entry.place].pickup != 1 else { continue }
        places.append(Place(pattern: pattern, place: entry.place, stop: stop))
      }
    }
    return places
  }

  /// The service days that reach into a period, with the instant from which each counts and the period in its seconds.
  private func servicePeriods(_ period: Range<Int>) -> [(day: ServiceDay, base: Int, seconds: Range<Int>)] {
    daysReaching(period).clamped(to: days).map { day in
      let base = clock.base(of: day)
      return (day, base, period.lowerBound.saturatingSubtract(base)..<period.upperBound.saturatingSubtract(base))
    }
  }

  /// Service days of which some trip may be under way in a period.
  func daysReaching(_ period: Range<Int>) -> ClosedRange<ServiceDay> {
    let back = (longestTime + 86_399) / 86_400
    // A clock change can move the first minutes of a day to the day before.
    return clock.day(at: period.lowerBound).advanced(by: -back)...clock.day(at: period.upperBound).advanced(by: 1)
  }

  private func collect(
    _ place: Place,
    day: ServiceDay,
    base: Int,
    seconds: Range<Int>,
    _ looks: inout Looks,
    into found: inout [ScheduledDeparture]
  ) {
    let pattern = place.pattern
    let call = pattern.calls[place.place]
    func append(_ trip: Int32, start: Int?, firstDeparture: Int, profile: Int32) {
      guard found.count < Self.mostDepartures else { return }
      found.append(
        ScheduledDeparture(
          run: TripRun(trip: Int(trip), day: day, start: start),
          stop: place.stop,
          place: place.place,
          sequence: Int(call.sequence),
          arrival: base + firstDeparture + pattern.arrival(place.place, profile: profile),
          time: base + firstDeparture + pattern.departure(place.place, profile: profile),
          isApproximate: call.isApproximate,
          pickup: call.pickup
        )
      )
    }
    for trip in pattern.candidates(leaving: place.place, in: seconds) where looks.take() {
      let second = Int(trip.start) + pattern.departure(place.place, profile: trip.profile)
      if seconds.contains(second), isActive(service: Int(trip.service), on: day) {
        append(trip.trip, start: nil, firstDeparture: Int(trip.start), profile: trip.profile)
      }
    }
    guard pattern.mayRepeat(place.place, in: seconds) else { return }
    for trip in pattern.repeated where trip.isExact && looks.take() && isActive(service: Int(trip.service), on: day) {
      for start in pattern.starts(of: trip, leaving: place.place, in: seconds) {
        guard found.count < Self.mostDepartures else { return }
        append(trip.trip, start: start, firstDeparture: start, profile: trip.profile)
      }
    }
  }

  /// Trips that come at intervals without stated times (exact_times 0) at some moment of a period; at most ``mostIntervals``.
  public func intervals(at stops: [Int], in period: Range<Int>) throws -> [IntervalService] {
    var found: [IntervalService] = []
    var looks = Looks()
    let places = try places(at: stops)
    for (day, base, seconds) in servicePeriods(period) {
      for place in places where looks.take() && place.pattern.mayRepeat(place.place, in: seconds) {
        for trip in place.pattern.repeated
        where !trip.isExact && looks.take() && isActive(service: Int(trip.service), on: day) {
          let offset = base + place.pattern.departure(place.place, profile: trip.profile)
          let window = (Int(trip.first) + offset)..<(max(Int(trip.first), Int(trip.end)) + offset)
          if window.overlaps(period), found.count < Self.mostIntervals {
            found.append(IntervalService(trip: Int(trip.trip), headway: Int(trip.headway), period: window))
          }
        }
      }
    }
    return found.sorted { ($0.period.lowerBound, $0.trip) < ($1.period.lowerBound, $1.trip) }
  }

  private func inOrder(_ departures: [ScheduledDeparture]) throws -> [ScheduledDeparture] {
    if departures.count > 64 { try prepareTrips(Array(Set(departures.map(\.run.trip)))) }
    let keyed = try departures.map { (departure: $0, id: try trip($0.run.trip).id) }
    return keyed.sorted { a, b in
      if a.departure.time != b.departure.time { return a.departure.time < b.departure.time }
      if a.id != b.id { return a.id < b.id }
      if a.departure.sequence != b.departure.sequence { return a.departure.sequence < b.departure.sequence }
      return (a.departure.run.start ?? 0) < (b.departure.run.start ?? 0)
    }.map(\.departure)
  }

  /// What the vehicle shows at a call: stop_headsign, else trip_headsign, else the last stop; for a loop the line's name.
  public func headsign(trip number: Int, place: Int) throws -> String {
    let trip = try trip(number)
    let pattern = try pattern(trip.pattern)
    let own = pattern.calls.indices.contains(place) ? pattern.calls[place].headsign : -1
    if own >= 0 { return try text(Int(own)) }
    if !trip.headsign.isEmpty { return trip.headsign }
    guard let first = pattern.calls.first, let last = pattern.calls.last else { return "" }
    let longName = routes[trip.route].longName
    if first.stop == last.stop, !longName.isEmpty { return longName }
    return stops[Int(last.stop)].name
  }
}
