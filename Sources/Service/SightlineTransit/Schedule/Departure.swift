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
  /// Departures in a time, by the schedule alone.
  ///
  /// The last call of a trip and those where nobody may board are none. Ordered by time, then trip id, then sequence.
  ///
  /// - Parameters:
  ///   - stops: numbers of calling stops, see ``callingStops(of:)``.
  ///   - period: POSIX seconds.
  /// - Returns: the departures.
  /// - Throws: ``ScheduleError``, or a database error.
  public func departures(at stops: [Int], in period: Range<Int>) throws -> [ScheduledDeparture] {
    var found: [ScheduledDeparture] = []
    for day in daysReaching(period) {
      let base = clock.base(of: day)
      let seconds = (period.lowerBound - base)..<(period.upperBound - base)
      for stop in stops {
        for entry in patterns(at: stop) {
          let pattern = try pattern(entry.pattern)
          collect(pattern, entry.place, stop: stop, day: day, base: base, seconds: seconds, into: &found)
        }
      }
    }
    return try inOrder(found)
  }

  /// Service days of which some trip may be under way in a period.
  func daysReaching(_ period: Range<Int>) -> ClosedRange<ServiceDay> {
    let back = (longestTime + 86_399) / 86_400
    // A clock change can move the first minutes of a day to the day before.
    return clock.day(at: period.lowerBound).advanced(by: -back)...clock.day(at: period.upperBound).advanced(by: 1)
  }

  private func collect(
    _ pattern: TripPattern,
    _ place: Int,
    stop: Int,
    day: ServiceDay,
    base: Int,
    seconds: Range<Int>,
    into found: inout [ScheduledDeparture]
  ) {
    let call = pattern.calls[place]
    guard place + 1 < pattern.calls.count, call.pickup != 1 else { return }
    func append(_ trip: Int32, start: Int?, firstDeparture: Int, profile: Int32) {
      found.append(
        ScheduledDeparture(
          run: TripRun(trip: Int(trip), day: day, start: start),
          stop: stop,
          place: place,
          sequence: Int(call.sequence),
          arrival: base + firstDeparture + pattern.arrival(place, profile: profile),
          time: base + firstDeparture + pattern.departure(place, profile: profile),
          isApproximate: call.isApproximate,
          pickup: call.pickup
        )
      )
    }
    for trip in pattern.candidates(leaving: place, in: seconds) {
      let second = Int(trip.start) + pattern.departure(place, profile: trip.profile)
      if seconds.contains(second), isActive(service: Int(trip.service), on: day) {
        append(trip.trip, start: nil, firstDeparture: Int(trip.start), profile: trip.profile)
      }
    }
    for trip in pattern.repeated where trip.isExact && isActive(service: Int(trip.service), on: day) {
      let offset = pattern.departure(place, profile: trip.profile)
      let headway = Int(trip.headway)
      let earliest = seconds.lowerBound - offset
      let skipped = max(0, (earliest - Int(trip.first) + headway - 1) / headway)
      for start in stride(from: Int(trip.first) + skipped * headway, to: Int(trip.end), by: headway) {
        if start + offset >= seconds.upperBound { break }
        if seconds.contains(start + offset) {
          append(trip.trip, start: start, firstDeparture: start, profile: trip.profile)
        }
      }
    }
  }

  /// Trips that come at intervals without stated times (exact_times 0) at some moment of a period.
  public func intervals(at stops: [Int], in period: Range<Int>) throws -> [IntervalService] {
    var found: [IntervalService] = []
    for day in daysReaching(period) {
      let base = clock.base(of: day)
      for stop in stops {
        for entry in patterns(at: stop) {
          let pattern = try pattern(entry.pattern)
          guard entry.place + 1 < pattern.calls.count, pattern.calls[entry.place].pickup != 1 else { continue }
          for trip in pattern.repeated where !trip.isExact && isActive(service: Int(trip.service), on: day) {
            let offset = base + pattern.departure(entry.place, profile: trip.profile)
            let window = (Int(trip.first) + offset)..<(Int(trip.end) + offset)
            if window.overlaps(period) {
              found.append(IntervalService(trip: Int(trip.trip), headway: Int(trip.headway), period: window))
            }
          }
        }
      }
    }
    return found.sorted { ($0.period.lowerBound, $0.trip) < ($1.period.lowerBound, $1.trip) }
  }

  private func inOrder(_ departures: [ScheduledDeparture]) throws -> [ScheduledDeparture] {
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
    let own = pattern.calls[place].headsign
    if own >= 0 { return try text(Int(own)) }
    if !trip.headsign.isEmpty { return trip.headsign }
    guard let first = pattern.calls.first, let last = pattern.calls.last else { return "" }
    let longName = routes[trip.route].longName
    if first.stop == last.stop, !longName.isEmpty { return longName }
    return stops[Int(last.stop)].name
  }
}
