/// What realtime messages say about a schedule, ready to be looked up.
///
/// A value that never changes: a new message makes a new one, and readers go on with the one they have.
public struct RealtimeState: Sendable {
  /// How the entities of the messages were used.
  public struct Counts: Sendable, Equatable {
    /// Runs of the schedule with predictions.
    public var matched = 0
    /// Runs beyond the schedule.
    public var added = 0
    /// Trip updates that fit no run, or several.
    public var unmatched = 0
    /// Call updates that fit no call.
    public var unmatchedCalls = 0
    /// Entities that could not be read, or with a relationship that is not known.
    public var ignored = 0
  }

  /// A departure for which the schedule has no time: of a run beyond it, or of a trip that runs at intervals.
  public struct AddedDeparture: Sendable, Equatable {
    /// A departure of a trip that runs at intervals without stated times (exact_times 0).
    public struct Interval: Sendable, Equatable {
      /// The run.
      public let run: TripRun
      /// Place of the call in the trip's pattern.
      public let place: Int
      /// The start of the run carried to the call by the trip's pattern, POSIX seconds; nobody promised it.
      public let nominal: Int
      /// Whether the time was said for this call, or comes from an earlier one.
      public let source: RunPrediction.Source
    }

    /// Id that the producer gave the run.
    public let trip: String
    /// Number of the route; `nil` when it was not named.
    public let route: Int?
    /// Number of the stop.
    public let stop: Int
    /// stop_sequence as given, else its place in the update.
    public let sequence: Int
    /// POSIX seconds.
    public let time: Int
    /// Number of the last stop.
    public let destination: Int
    /// When it was measured.
    public let timestamp: Int
    /// The run of a trip at intervals; `nil` beyond the schedule.
    public var interval: Interval?
  }

  /// When the newest message was made, POSIX seconds; 0 without any.
  public private(set) var timestamp = 0
  /// Predictions by run.
  public private(set) var runs: [TripRun: RunPrediction] = [:]
  /// Departures beyond the schedule, by stop number.
  public private(set) var added: [Int: [AddedDeparture]] = [:]
  /// Departures that were moved to a stop from another one, by the number of the new stop.
  private(set) var moved: [Int: [ScheduledDeparture]] = [:]
  /// Vehicles that said where they are.
  public private(set) var vehicles: [RealtimeMessage.Vehicle] = []
  /// Notices.
  public private(set) var alerts: [RealtimeMessage.Alert] = []
  /// How the entities were used.
  public private(set) var counts = Counts()

  /// Nothing known.
  public init() {}

  /// What the messages say: one of each kind, or all in one.
  ///
  /// Of two that speak of one run the newer wins.
  ///
  /// - Throws: what reading the schedule throws.
  public init(_ messages: [RealtimeMessage], schedule: Schedule) throws {
    for message in messages.sorted(by: { $0.timestamp < $1.timestamp }) {
      timestamp = max(timestamp, message.timestamp)
      counts.ignored += message.ignored
      vehicles += message.vehicles.filter { $0.latitude != nil && $0.longitude != nil }
      alerts += message.alerts
      try take(message, schedule)
    }
  }

  private mutating func take(_ message: RealtimeMessage, _ schedule: Schedule) throws {
    let numbers = try schedule.trips(ids: message.tripUpdates.map(\.trip.id))
    try schedule.prepareTrips(numbers.compactMap { $0 })
    runs.reserveCapacity(runs.count + message.tripUpdates.count)
    var finder = RunFinder(schedule: schedule, time: message.timestamp)
    for (update, number) in zip(message.tripUpdates, numbers) {
      guard let relationship = update.trip.relationship else {
        counts.ignored += 1
        continue
      }
      switch relationship {
      case .added, .new,
        .replacement where number == nil:
        add(update, message.timestamp, schedule)
      case .duplicated: try copy(update, number, message.timestamp, schedule, &finder)
      default:
        guard let found = try finder.find(update.trip, number: number) else {
          counts.unmatched += 1
          continue
        }
        let (run, times) = (found.run, found.times)
        var prediction = RunPrediction()
        switch relationship {
        case .canceled: prediction.state = .cancelled
        case .deleted: prediction.state = .deleted
        case .replacement:
          prediction.state = .deleted
          add(update, message.timestamp, schedule)
        default: prediction = RunPrediction(update.calls, of: times) { schedule.numbersOfStops[$0] }
        }
        prediction.timestamp = update.timestamp ?? message.timestamp
        counts.matched += 1
        counts.unmatchedCalls += prediction.unmatchedCalls
        if runs[run] != nil { forget(run) }
        runs[run] = prediction
        if prediction.state == .running {
          if found.isTimed {
            noteMoves(run, times, prediction)
          } else {
            try addInterval(run, times, prediction, schedule)
          }
        }
      }
    }
  }

  /// A run that brings its own times.
  private mutating func add(_ update: RealtimeMessage.TripUpdate, _ timestamp: Int, _ schedule: Schedule) {
    let calls = update.calls.enumerated().compactMap {
      place,
      call -> (place: Int, stop: Int, call: RealtimeMessage.Call)? in
      guard call.relationship != .skipped, let stop = schedule.numbersOfStops[call.stop] else { return nil }
      return (place, schedule.numbersOfStops[call.assignedStop] ?? stop, call)
    }
    guard let destination = calls.last?.stop else {
      counts.unmatched += 1
      return
    }
    counts.added += 1
    for entry in calls.dropLast() {
      guard let time = entry.call.departure?.time ?? entry.call.arrival?.time else { continue }
      added[entry.stop, default: []].append(
        AddedDeparture(
          trip: update.trip.id,
          route: schedule.route(id: update.trip.route),
          stop: entry.stop,
          sequence: entry.call.sequence ?? entry.place + 1,
          time: time,
          destination: destination,
          timestamp: update.timestamp ?? timestamp
        )
      )
    }
  }

  /// Drops what an older message said of a run.
  private mutating func forget(_ run: TripRun) {
    for stop in Array(moved.keys) { moved[stop]?.removeAll { $0.run == run } }
    guard run.start != nil else { return }
    for stop in Array(added.keys) { added[stop]?.removeAll { $0.interval?.run == run } }
  }

  /// Notes the calls of a run that are at another stop today.
  private mutating func noteMoves(_ run: TripRun, _ times: RunSchedule, _ prediction: RunPrediction) {
    let calls = times.pattern.calls
    for place in calls.indices.dropLast() where calls[place].pickup != 1 {
      guard let stop = prediction.calls[place].assignedStop, stop != Int(calls[place].stop) else { continue }
      moved[stop, default: []].append(
        ScheduledDeparture(
          run: run,
          stop: Int(calls[place].stop),
          place: place,
          sequence: Int(calls[place].sequence),
          arrival: times.arrival(place),
          time: times.departure(place),
          isApproximate: calls[place].isApproximate,
          pickup: calls[place].pickup
        )
      )
    }
  }

  /// A run of a trip at intervals: the timetable gives no times, so that those of the message are all there are.
  private mutating func addInterval(
    _ run: TripRun,
    _ times: RunSchedule,
    _ prediction: RunPrediction,
    _ schedule: Schedule
  ) throws {
    let trip = try schedule.trip(run.trip)
    for place in times.pattern.calls.indices.dropLast() where times.pattern.calls[place].pickup != 1 {
      let call = prediction.calls[place]
      guard let time = call.departure else { continue }
      add(
        trip,
        times,
        prediction,
        at: place,
        time: time,
        timestamp: prediction.timestamp,
        interval: .init(run: run, place: place, nominal: times.departure(place), source: call.source)
      )
    }
  }

  /// A scheduled trip that runs once more, at another start.
  private mutating func copy(
    _ update: RealtimeMessage.TripUpdate,
    _ number: Int?,
    _ timestamp: Int,
    _ schedule: Schedule,
    _ finder: inout RunFinder
  ) throws {
    guard let number, let start = update.copyStart, let day = update.copyDay ?? update.trip.day,
      let times = try finder.times(number, day: day, start: start)
    else {
      counts.unmatched += 1
      return
    }
    counts.added += 1
    let trip = try schedule.trip(number)
    let prediction = RunPrediction(update.calls, of: times) { schedule.numbersOfStops[$0] }
    let calls = times.pattern.calls
    for place in calls.indices.dropLast() where calls[place].pickup != 1 && prediction.calls[place].source != .skipped {
      let time = prediction.calls[place].departure ?? times.departure(place)
      add(trip, times, prediction, at: place, time: time, timestamp: update.timestamp ?? timestamp)
    }
  }

  /// Notes one departure of a trip of the schedule for which the schedule itself has no time.
  private mutating func add(
    _ trip: ScheduleTrip,
    _ times: RunSchedule,
    _ prediction: RunPrediction,
    at place: Int,
    time: Int,
    timestamp: Int,
    interval: AddedDeparture.Interval? = nil
  ) {
    let calls = times.pattern.calls
    let stop = prediction.calls[place].assignedStop ?? Int(calls[place].stop)
    added[stop, default: []].append(
      AddedDeparture(
        trip: trip.id,
        route: trip.route,
        stop: stop,
        sequence: Int(calls[place].sequence),
        time: time,
        destination: Int(calls[calls.count - 1].stop),
        timestamp: timestamp,
        interval: interval
      )
    )
  }
}

/// Finds the run that a trip descriptor means.
struct RunFinder {
  private let schedule: Schedule
  private let time: Int
  private let days: ClosedRange<ServiceDay>
  private var bases: [ServiceDay: Int] = [:]
  private var tripsOfRoutes: [Int: [Int]] = [:]

  init(schedule: Schedule, time: Int) {
    self.schedule = schedule
    self.time = time
    days = schedule.daysReaching(time..<(time + 1))
  }

  /// A run with its times.
  struct Found {
    let run: TripRun
    let times: RunSchedule
    /// Whether the timetable promises its times.
    let isTimed: Bool
  }

  mutating func find(_ trip: RealtimeMessage.Trip, number: Int?) throws -> Found? {
    guard let number else {
      return trip.id.isEmpty ? try findByRoute(trip) : nil
    }
    let service = try schedule.trip(number).service
    if let day = trip.day {
      guard schedule.isActive(service: service, on: day) else { return nil }
      return try run(number, day: day, start: trip.start)
    }
    // Without a date: the day whose run is under way at the message's time, or nearest to it.
    var best: (distance: Int, found: Found)?
    for day in days {
      guard schedule.isActive(service: service, on: day), let found = try run(number, day: day, start: trip.start)
      else {
        continue
      }
      let period = found.times.period
      let distance = max(0, period.lowerBound - time, time - period.upperBound)
      if best.map({ distance < $0.distance }) ?? true { best = (distance, found) }
    }
    return best?.found
  }

  /// Route, direction, date and start have to give exactly one trip.
  private mutating func findByRoute(_ trip: RealtimeMessage.Trip) throws -> Found? {
    guard let route = schedule.route(id: trip.route), let day = trip.day, let start = trip.start else { return nil }
    if tripsOfRoutes[route] == nil { tripsOfRoutes[route] = try schedule.trips(ofRoute: route) }
    var found: Found?
    for number in tripsOfRoutes[route] ?? [] {
      let candidate = try schedule.trip(number)
      guard trip.direction == nil || candidate.direction == nil || candidate.direction == trip.direction,
        schedule.isActive(service: candidate.service, on: day), let run = try run(number, day: day, start: start),
        run.times.firstDeparture == base(of: day) + start
      else { continue }
      if found != nil { return nil }
      found = run
    }
    return found
  }

  private mutating func run(_ number: Int, day: ServiceDay, start: Int?) throws -> Found? {
    let pattern = try schedule.pattern(try schedule.trip(number).pattern)
    if let timed = pattern.timed.first(where: { Int($0.trip) == number }) {
      let times = RunSchedule(
        pattern: pattern,
        profile: timed.profile,
        firstDeparture: base(of: day) + Int(timed.start)
      )
      return Found(run: TripRun(trip: number, day: day, start: nil), times: times, isTimed: true)
    }
    guard let start, let repeated = pattern.repeated.first(where: { Int($0.trip) == number }) else { return nil }
    let times = RunSchedule(pattern: pattern, profile: repeated.profile, firstDeparture: base(of: day) + start)
    return Found(run: TripRun(trip: number, day: day, start: start), times: times, isTimed: repeated.isExact)
  }

  /// A trip's times at another start.
  mutating func times(_ number: Int, day: ServiceDay, start: Int) throws -> RunSchedule? {
    let pattern = try schedule.pattern(try schedule.trip(number).pattern)
    let profile =
      pattern.timed.first { Int($0.trip) == number }?.profile
      ?? pattern.repeated.first { Int($0.trip) == number }?.profile
    return profile.map { RunSchedule(pattern: pattern, profile: $0, firstDeparture: base(of: day) + start) }
  }

  private mutating func base(of day: ServiceDay) -> Int {
    if let base = bases[day] { return base }
    let base = schedule.clock.base(of: day)
    bases[day] = base
    return base
  }
}
