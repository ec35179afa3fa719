import Foundation
import SightlineGeodesy
import SightlineInput
import Synchronization

/// Traffic made up for a demonstration: who is late, what is cancelled, which stop is passed by, where vehicles are, and the
/// notices that say why.
///
/// Everything follows from the timetable and the time: what was predicted for a run stays predicted, and vehicles are where
/// the predictions say. It is meant for the feed of a city; of larger ones ``mostRuns`` runs are predicted.
final class SimulatedTraffic: Sendable {
  /// Runs of one message.
  static let mostRuns = 5000
  /// Patterns that are looked at.
  private static let mostPatterns = 20_000
  /// Runs are predicted so many seconds before they begin.
  static let ahead = 2700
  /// Runs that take longer, seconds, are not predicted.
  private static let longestRun = 6 * 3600
  /// The latest that a vehicle is, seconds.
  static let latest = 1500

  let schedule: Schedule
  /// The line that is late because of works; `nil` in an empty timetable.
  let delayedRoute: Int?
  /// The stop that is passed by; `nil` when none is fit for it.
  let closedStop: Int?
  private let patterns: [Int]
  /// Ways that were asked for, by pattern and shape.
  private let ways = Mutex<[[Int]: SimulatedWay?]>([:])
  private static let mostWays = 2000

  /// Traffic on a timetable.
  ///
  /// - Parameters:
  ///   - schedule: what runs.
  ///   - center: where people look, so that something happens there; `nil` for anywhere.
  /// - Throws: what reading the schedule throws.
  init(_ schedule: Schedule, around center: Geodetic?) throws {
    self.schedule = schedule
    let ways = try schedule.waysOfPatterns()
    var routes: [Int: Int] = [:]
    for way in ways where routes[way.pattern] == nil { routes[way.pattern] = way.route }
    patterns = Array(routes.keys.sorted().prefix(Self.mostPatterns))
    var tripsOfRoutes: [Int: Int] = [:]
    var tripsOfStops: [Int: Int] = [:]
    var ends: Set<Int> = []
    let distances = schedule.stops.map { stop -> Double in
      guard let center else { return 800 }
      guard let latitude = stop.latitude, let longitude = stop.longitude else { return .infinity }
      return greatCircleDistance(
        from: center,
        to: Geodetic(latitudeDegrees: latitude, longitudeDegrees: longitude)
      )
    }
    for number in patterns {
      let pattern = try schedule.pattern(number)
      let trips = pattern.timed.count + pattern.repeated.count
      let stops = pattern.calls.map { Int($0.stop) }
      if let route = routes[number], stops.contains(where: { distances[$0] <= 800 }) {
        tripsOfRoutes[route, default: 0] += trips
      }
      for stop in stops.dropFirst().dropLast() { tripsOfStops[stop, default: 0] += trips }
      for stop in [stops.first, stops.last].compactMap({ $0 }) { ends.insert(stop) }
    }
    let delayed = tripsOfRoutes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    delayedRoute = delayed
    // Busy, inner to all that call there, and a little way off: the stops that are seen first go on as usual.
    closedStop =
      tripsOfStops.filter { !ends.contains($0.key) && (500...2000).contains(distances[$0.key]) }
      .max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  /// What a producer of such traffic would publish at a time, POSIX seconds.
  ///
  /// - Throws: what reading the schedule throws.
  func message(at time: Int) throws -> RealtimeMessage {
    let time = Instant.clamped(time)
    var message = RealtimeMessage()
    message.timestamp = time
    let runs = try runs(at: time)
    try schedule.prepareTrips(runs.map(\.trip))
    for run in runs {
      let trip = try schedule.trip(run.trip)
      switch fate(of: run, trip) {
      case .unknown: continue
      case .cancelled:
        var update = RealtimeMessage.TripUpdate()
        update.trip = name(of: run, trip)
        update.trip.relationship = .canceled
        update.timestamp = time
        message.tripUpdates.append(update)
      case .late(let seconds, let share):
        let times = times(of: run, seconds, share)
        guard let last = times.last, last.arrival > time.saturatingSubtract(120) else { continue }
        message.tripUpdates.append(update(run, trip, times, at: time))
        if let vehicle = try vehicle(run, trip, times, at: time) { message.vehicles.append(vehicle) }
      }
    }
    message.alerts = alerts
    return message
  }

  // MARK: Runs

  private struct Run {
    let trip: Int
    let day: ServiceDay
    /// Second of the service day at which a run of frequencies starts.
    let start: Int?
    let isPromised: Bool
    /// First departure, POSIX seconds.
    let begin: Int
    let number: Int
    let pattern: TripPattern
    let profile: Int32
  }

  /// Runs that are under way at a time or about to be.
  private func runs(at time: Int) throws -> [Run] {
    let period = time.saturatingSubtract(Self.longestRun + Self.latest)..<time.saturatingAdd(Self.ahead)
    var found: [Run] = []
    let days = schedule.daysReaching(period).filter { schedule.days.contains($0) }
    for number in patterns where found.count < Self.mostRuns {
      let pattern = try schedule.pattern(number)
      for day in days {
        let base = schedule.clock.base(of: day)
        let seconds = (period.lowerBound - base)..<(period.upperBound - base)
        func add(_ trip: Int32, _ profile: Int32, begin: Int, start: Int?, isPromised: Bool) {
          let length = pattern.arrival(pattern.calls.count - 1, profile: profile)
          guard found.count < Self.mostRuns, length <= Self.longestRun,
            base + begin + length + Self.latest > time
          else { return }
          found.append(
            Run(
              trip: Int(trip),
              day: day,
              start: start,
              isPromised: isPromised,
              begin: base + begin,
              number: number,
              pattern: pattern,
              profile: profile
            )
          )
        }
        for trip in pattern.candidates(leaving: 0, in: seconds)
        where schedule.isActive(service: Int(trip.service), on: day) && seconds.contains(Int(trip.start)) {
          add(trip.trip, trip.profile, begin: Int(trip.start), start: nil, isPromised: true)
        }
        guard pattern.mayRepeat(0, in: seconds) else { continue }
        for trip in pattern.repeated where schedule.isActive(service: Int(trip.service), on: day) {
          for start in pattern.starts(of: trip, leaving: 0, in: seconds) where found.count < Self.mostRuns {
            let begin = start + pattern.departure(0, profile: trip.profile)
            add(trip.trip, trip.profile, begin: begin, start: start, isPromised: trip.isExact)
          }
        }
      }
    }
    return found
  }

  private func name(of run: Run, _ trip: ScheduleTrip) -> RealtimeMessage.Trip {
    var name = RealtimeMessage.Trip()
    name.id = trip.id
    name.route = schedule.routes[trip.route].id
    name.day = run.day
    name.start = run.start
    name.direction = trip.direction
    name.relationship = run.isPromised ? .scheduled : .unscheduled
    return name
  }

  // MARK: Fates

  private enum Fate {
    /// Nobody says anything about it.
    case unknown
    case cancelled
    /// So many seconds late at the end (early when negative), of which it is a share at the start.
    case late(Double, share: Double)
  }

  private func fate(of run: Run, _ trip: ScheduleTrip) -> Fate {
    var fortune = Fortune(trip.id, run.day.number &* 100_003 &+ (run.start ?? 0))
    let isDelayed = trip.route == delayedRoute
    let kind = fortune.next()
    if kind < (isDelayed ? 0.08 : 0.025) { return .cancelled }
    if kind > 0.93, !isDelayed { return .unknown }
    let part = fortune.next()
    let late =
      switch part {
      case ..<0.06: fortune.next(-40...0)
      case ..<0.62: fortune.next(0...60)
      case ..<0.90: fortune.next(60...240)
      default: fortune.next(240...600)
      }
    return .late(
      isDelayed ? max(0, late) + fortune.next(240...600) : late,
      share: late < 0 && !isDelayed ? 0 : fortune.next(0.2...0.6)
    )
  }

  /// Arrivals and departures as they will be, POSIX seconds, ascending.
  private func times(of run: Run, _ late: Double, _ share: Double) -> [(arrival: Int, departure: Int)] {
    let last = run.pattern.calls.count - 1
    let length = Double(max(1, run.pattern.arrival(last, profile: run.profile)))
    var earliest = Int.min
    return run.pattern.calls.indices.map { call in
      let arrival = run.pattern.arrival(call, profile: run.profile)
      let departure = run.pattern.departure(call, profile: run.profile)
      let gone = min(1, max(0, Double(departure) / length) / 0.7)
      let delay = Int(clamped: (late * (share + (1 - share) * gone)).rounded())
      let times = (
        arrival: max(earliest, run.begin + arrival + delay),
        departure: max(earliest, run.begin + max(arrival, departure) + delay)
      )
      earliest = times.departure
      return times
    }
  }

  private func update(
    _ run: Run,
    _ trip: ScheduleTrip,
    _ times: [(arrival: Int, departure: Int)],
    at time: Int
  ) -> RealtimeMessage.TripUpdate {
    var update = RealtimeMessage.TripUpdate()
    update.trip = name(of: run, trip)
    update.timestamp = time
    update.vehicle = label(of: run, trip)
    let last = times.count - 1
    for (number, call) in run.pattern.calls.enumerated() where times[number].departure > time - 300 {
      var said = RealtimeMessage.Call()
      said.sequence = Int(call.sequence)
      said.stop = schedule.stops[Int(call.stop)].id
      if Int(call.stop) == closedStop {
        said.relationship = .skipped
      } else {
        if number > 0 { said.arrival = RealtimeMessage.Event(time: times[number].arrival) }
        if number < last { said.departure = RealtimeMessage.Event(time: times[number].departure) }
      }
      update.calls.append(said)
      if update.calls.count == RealtimeLimits.callsOfUpdate { break }
    }
    return update
  }

  // MARK: Vehicles

  /// The number painted on the vehicle.
  private func label(of run: Run, _ trip: ScheduleTrip) -> String {
    var fortune = Fortune("vehicle " + (trip.block.isEmpty ? trip.id : trip.block), run.start ?? 0)
    return "\(100 + Int(clamped: fortune.next() * 400))"
  }

  private func vehicle(
    _ run: Run,
    _ trip: ScheduleTrip,
    _ times: [(arrival: Int, departure: Int)],
    at time: Int
  ) throws -> RealtimeMessage.Vehicle? {
    guard times.count >= 2, let last = times.last, last.arrival > time, times[0].departure - 60 <= time,
      let way = try way(of: run, trip)
    else { return nil }
    // The call that comes next, or at which it stands.
    var next = 1
    if times[0].departure > time {
      next = 0
    } else {
      while next < times.count - 1, times[next].departure <= time { next += 1 }
    }
    var vehicle = RealtimeMessage.Vehicle()
    let call = run.pattern.calls[next]
    var distance = way.calls[next]
    if next == 0 || times[next].arrival <= time {
      vehicle.status = .stopped
      vehicle.speed = 0
    } else {
      let begin = times[next - 1].departure
      let length = max(1, times[next].arrival - begin)
      let from = way.calls[next - 1]
      distance = from + (way.calls[next] - from) * Double(time - begin) / Double(length)
      vehicle.status = times[next].arrival - time <= 20 ? .incoming : .underWay
      vehicle.speed = min(60, (way.calls[next] - from) / Double(length))
    }
    let place = way.place(at: distance)
    vehicle.id = "\(trip.id)-\(run.day.number)" + (run.start.map { "-\($0)" } ?? "")
    vehicle.label = label(of: run, trip)
    vehicle.trip = name(of: run, trip)
    vehicle.latitude = place.latitude
    vehicle.longitude = place.longitude
    vehicle.bearing = place.bearing
    vehicle.stop = schedule.stops[Int(call.stop)].id
    vehicle.sequence = Int(call.sequence)
    vehicle.timestamp = time
    var fortune = Fortune("seats " + trip.id, run.day.number &+ next / 4)
    vehicle.occupancy = Int(clamped: fortune.next() * 4)
    return vehicle
  }

  private func way(of run: Run, _ trip: ScheduleTrip) throws -> SimulatedWay? {
    let key = [run.number, trip.shape ?? -1]
    if let known = ways.withLock({ $0[key] }) { return known }
    let way = SimulatedWay(
      shape: try trip.shape.map { try schedule.shape($0) } ?? [],
      stops: run.pattern.calls.map { call in
        let stop = schedule.stops[Int(call.stop)]
        return stop.latitude.flatMap { latitude in stop.longitude.map { (latitude, $0) } }
      }
    )
    ways.withLock { held in
      if held.count >= Self.mostWays { held = [:] }
      held[key] = .some(way)
    }
    return way
  }

  // MARK: Notices

  private var alerts: [RealtimeMessage.Alert] {
    var alerts: [RealtimeMessage.Alert] = []
    func add(
      _ id: String,
      effect: Int,
      severity: Int,
      _ texts: SimulatedTexts,
      _ selector: RealtimeMessage.Alert.Selector
    ) {
      var alert = RealtimeMessage.Alert()
      alert.id = id
      // Construction.
      alert.cause = 10
      alert.effect = effect
      alert.severity = severity
      alert.selectors = [selector]
      alert.header = texts.header
      alert.body = texts.body
      alerts.append(alert)
    }
    if let delayedRoute {
      var selector = RealtimeMessage.Alert.Selector()
      selector.route = schedule.routes[delayedRoute].id
      add("works", effect: 3, severity: 3, .delays(of: schedule.routes[delayedRoute].name), selector)
    }
    if let closedStop {
      var selector = RealtimeMessage.Alert.Selector()
      selector.stop = schedule.stops[closedStop].id
      add("closed", effect: 1, severity: 3, .closed(schedule.stops[closedStop].name), selector)
    }
    return alerts
  }
}
