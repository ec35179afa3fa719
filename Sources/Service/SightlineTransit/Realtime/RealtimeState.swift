import SightlineInput

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
    /// Entities that could not be read, or with a relationship that is not known, or beyond what is held.
    public var ignored = 0
    /// Pieces of work that finding the runs took: a candidate looked at, a call predicted.
    public var steps = 0
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
  /// For each vehicle the number of its trip; `nil` when it names none that there is.
  private(set) var tripsOfVehicles: [Int?] = []
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
    var work = Work()
    for message in messages.sorted(by: { $0.timestamp < $1.timestamp }) {
      let time = Instant.clamped(message.timestamp)
      timestamp = max(timestamp, time)
      counts.ignored = counts.ignored.saturatingAdd(message.ignored)
      keep(
        message.vehicles.lazy.filter { $0.latitude != nil && $0.longitude != nil },
        in: \.vehicles,
        RealtimeLimits.vehicles
      )
      keep(message.alerts, in: \.alerts, RealtimeLimits.alerts)
      try take(message, time, schedule, &work)
    }
    // Only now, when it is settled which update of a run counts: taking back what an older one noted would be work for every run in
    // every stop's list.
    for (run, notable) in work.notable.sorted(by: { $0.value.number < $1.value.number }) {
      guard let prediction = runs[run] else { continue }
      if notable.found.isTimed {
        noteMoves(run, notable.found.times, prediction)
      } else {
        try addInterval(run, notable.found.times, prediction, schedule)
      }
    }
    // In the order of time, so that a question finds its part without looking at all.
    for stop in Array(added.keys) {
      added[stop]?.sort { ($0.time, $0.trip, $0.sequence) < ($1.time, $1.trip, $1.sequence) }
    }
    for stop in Array(moved.keys) { moved[stop]?.sort { ($0.time, $0.run.trip) < ($1.time, $1.run.trip) } }
    counts.steps = work.predictedCalls.saturatingAdd(work.steps)
    tripsOfVehicles = try schedule.trips(ids: vehicles.map { $0.trip?.id ?? "" })
  }

  /// Appends what there is room for.
  private mutating func keep<Element>(
    _ fresh: some Sequence<Element>,
    in list: WritableKeyPath<RealtimeState, [Element]>,
    _ most: Int
  ) {
    for element in fresh {
      if self[keyPath: list].count < most { self[keyPath: list].append(element) } else { counts.ignored += 1 }
    }
  }

  /// What is counted and remembered while messages are taken.
  private struct Work {
    struct Notable {
      let found: RunFinder.Found
      let number: Int
    }

    /// Runs that have calls at other stops or without times in the timetable.
    var notable: [TripRun: Notable] = [:]
    /// Calls in the predictions made so far.
    var predictedCalls = 0
    /// Of the finders.
    var steps = 0
    private var number = 0

    /// Whether so many calls more may be predicted.
    mutating func takeCalls(_ count: Int) -> Bool {
      guard predictedCalls.saturatingAdd(count) <= RealtimeLimits.predictedCalls else { return false }
      predictedCalls += count
      return true
    }

    mutating func note(_ found: RunFinder.Found, _ prediction: RunPrediction) {
      let isNotable =
        prediction.state == .running && (!found.isTimed || prediction.calls.contains { $0.assignedStop != nil })
      number += 1
      notable[found.run] = isNotable ? Notable(found: found, number: number) : nil
    }
  }

  private mutating func take(
    _ message: RealtimeMessage,
    _ time: Int,
    _ schedule: Schedule,
    _ work: inout Work
  ) throws {
    let numbers = try schedule.trips(ids: message.tripUpdates.map(\.trip.id))
    try schedule.prepareTrips(numbers.compactMap { $0 })
    runs.reserveCapacity(runs.count + message.tripUpdates.count)
    var finder = RunFinder(schedule: schedule, time: time, updates: message.tripUpdates.count)
    defer { work.steps = work.steps.saturatingAdd(finder.steps) }
    for (update, number) in zip(message.tripUpdates, numbers) {
      guard let relationship = update.trip.relationship else {
        counts.ignored += 1
        continue
      }
      switch relationship {
      case .added, .new,
        .replacement where number == nil:
        add(update, time, schedule)
      case .duplicated: try copy(update, number, time, schedule, &finder, &work)
      default:
        guard let found = try finder.find(update.trip, number: number) else {
          counts.unmatched += 1
          continue
        }
        var prediction = RunPrediction()
        switch relationship {
        case .canceled: prediction.state = .cancelled
        case .deleted: prediction.state = .deleted
        case .replacement:
          prediction.state = .deleted
          add(update, time, schedule)
        default:
          // Twenty updates of a few bytes can carry a delay along twenty trips of thousands of calls.
          guard work.takeCalls(found.times.pattern.calls.count) else {
            counts.ignored += 1
            continue
          }
          prediction = RunPrediction(update.calls, of: found.times) { schedule.numbersOfStops[$0] }
        }
        prediction.timestamp = update.timestamp.map { Instant.clamped($0) } ?? time
        counts.matched += 1
        counts.unmatchedCalls += prediction.unmatchedCalls
        runs[found.run] = prediction
        work.note(found, prediction)
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
      guard let time = entry.call.departure?.time ?? entry.call.arrival?.time, Instant.range.contains(time) else {
        continue
      }
      added[entry.stop, default: []].append(
        AddedDeparture(
          trip: update.trip.id,
          route: schedule.route(id: update.trip.route),
          stop: entry.stop,
          sequence: entry.call.sequence ?? entry.place + 1,
          time: time,
          destination: destination,
          timestamp: update.timestamp.map { Instant.clamped($0) } ?? timestamp
        )
      )
    }
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
    _ finder: inout RunFinder,
    _ work: inout Work
  ) throws {
    guard let number, let start = update.copyStart, let day = update.copyDay ?? update.trip.day,
      let times = try finder.times(number, day: day, start: start)
    else {
      counts.unmatched += 1
      return
    }
    guard work.takeCalls(times.pattern.calls.count) else {
      counts.ignored += 1
      return
    }
    counts.added += 1
    let trip = try schedule.trip(number)
    let prediction = RunPrediction(update.calls, of: times) { schedule.numbersOfStops[$0] }
    let calls = times.pattern.calls
    for place in calls.indices.dropLast() where calls[place].pickup != 1 && prediction.calls[place].source != .skipped {
      let time = prediction.calls[place].departure ?? times.departure(place)
      let measured = update.timestamp.map { Instant.clamped($0) } ?? timestamp
      add(trip, times, prediction, at: place, time: time, timestamp: measured)
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
///
/// What it looks at is counted: when a message has made it look at far more candidates than an honest one does, it finds nothing more.
struct RunFinder {
  private let schedule: Schedule
  private let time: Int
  private let days: ClosedRange<ServiceDay>
  private var bases: [ServiceDay: Int] = [:]
  private var tripsOfRoutes: [Int: RouteTrips] = [:]
  private var placesOfTrips: [Int: [Int32: Int]] = [:]
  private let mostSteps: Int
  /// Candidates looked at so far.
  private(set) var steps = 0

  /// Trips of a route by the second of their first departure, and those that are repeated.
  private struct RouteTrips {
    var timed: [Int32: [Int]] = [:]
    var repeated: [Int] = []
  }

  /// Trips of a pattern that are searched one by one; more of them get an index.
  private static let mostSearched = 64

  /// A finder for a message of a time (POSIX seconds) with so many updates.
  init(schedule: Schedule, time: Int, updates: Int) {
    self.schedule = schedule
    self.time = Instant.clamped(time)
    mostSteps = updates.saturatingMultiply(64).saturatingAdd(1_000_000)
    days = schedule.daysReaching(self.time..<(self.time + 1))
  }

  /// A run with its times.
  struct Found {
    let run: TripRun
    let times: RunSchedule
    /// Whether the timetable promises its times.
    let isTimed: Bool
  }

  /// Counts candidates; `false` when there were too many.
  private mutating func take(_ count: Int = 1) -> Bool {
    steps = steps.saturatingAdd(count)
    return steps <= mostSteps
  }

  mutating func find(_ trip: RealtimeMessage.Trip, number: Int?) throws -> Found? {
    guard let number else {
      return trip.id.isEmpty ? try findByRoute(trip) : nil
    }
    let service = try schedule.trip(number).service
    if let day = trip.day {
      guard take(), schedule.isActive(service: service, on: day) else { return nil }
      return try run(number, day: day, start: trip.start)
    }
    // Without a date: the day whose run is under way at the message's time, or nearest to it.
    var best: (distance: Int, found: Found)?
    for day in days {
      guard take() else { return nil }
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
    guard let route = schedule.route(id: trip.route), let day = trip.day, let start = trip.start,
      let trips = try trips(ofRoute: route)
    else { return nil }
    var found: Found?
    for list in [Int32(exactly: start).flatMap { trips.timed[$0] } ?? [], trips.repeated] {
      for number in list {
        guard take() else { return nil }
        let candidate = try schedule.trip(number)
        guard trip.direction == nil || candidate.direction == nil || candidate.direction == trip.direction,
          schedule.isActive(service: candidate.service, on: day), let run = try run(number, day: day, start: start)
        else { continue }
        if found != nil { return nil }
        found = run
      }
    }
    return found
  }

  /// The trips of a route, sorted out at the first question; `nil` when that is too much work.
  private mutating func trips(ofRoute route: Int) throws -> RouteTrips? {
    if let known = tripsOfRoutes[route] { return known }
    var trips = RouteTrips()
    let numbers = try schedule.trips(ofRoute: route)
    try schedule.prepareTrips(numbers)
    // Each route is sorted out once a message, so this is bounded by the timetable, not by the updates.
    for number in numbers {
      let pattern = try schedule.trip(number).pattern
      if let timed = try timed(number, in: pattern) {
        trips.timed[timed.start, default: []].append(number)
      } else {
        trips.repeated.append(number)
      }
    }
    tripsOfRoutes[route] = trips
    return trips
  }

  private mutating func timed(_ number: Int, in pattern: Int) throws -> TripPattern.TimedTrip? {
    let times = try schedule.pattern(pattern)
    return try place(of: number, in: pattern, times).flatMap { $0 < times.timed.count ? times.timed[$0] : nil }
  }

  /// Place of a trip among the pattern's timed trips, then its repeated ones.
  private mutating func place(of number: Int, in pattern: Int, _ times: TripPattern) throws -> Int? {
    guard times.timed.count + times.repeated.count > Self.mostSearched else {
      return times.timed.firstIndex { Int($0.trip) == number }
        ?? times.repeated.firstIndex { Int($0.trip) == number }.map { $0 + times.timed.count }
    }
    guard let key = Int32(exactly: number) else { return nil }
    if let places = placesOfTrips[pattern] { return places[key] }
    var places: [Int32: Int] = [:]
    for (place, trip) in times.repeated.enumerated().reversed() { places[trip.trip] = times.timed.count + place }
    for (place, trip) in times.timed.enumerated().reversed() { places[trip.trip] = place }
    placesOfTrips[pattern] = places
    return places[key]
  }

  private mutating func run(_ number: Int, day: ServiceDay, start: Int?) throws -> Found? {
    let patternNumber = try schedule.trip(number).pattern
    let pattern = try schedule.pattern(patternNumber)
    guard let place = try place(of: number, in: patternNumber, pattern) else { return nil }
    if place < pattern.timed.count {
      let timed = pattern.timed[place]
      let times = RunSchedule(
        pattern: pattern,
        profile: timed.profile,
        firstDeparture: base(of: day) + Int(timed.start)
      )
      return Found(run: TripRun(trip: number, day: day, start: nil), times: times, isTimed: true)
    }
    guard let start, Self.isSecond(start) else { return nil }
    let repeated = pattern.repeated[place - pattern.timed.count]
    let times = RunSchedule(pattern: pattern, profile: repeated.profile, firstDeparture: base(of: day) + start)
    return Found(run: TripRun(trip: number, day: day, start: start), times: times, isTimed: repeated.isExact)
  }

  /// A trip's times at another start.
  mutating func times(_ number: Int, day: ServiceDay, start: Int) throws -> RunSchedule? {
    guard take(), Self.isSecond(start) else { return nil }
    let patternNumber = try schedule.trip(number).pattern
    let pattern = try schedule.pattern(patternNumber)
    guard let place = try place(of: number, in: patternNumber, pattern) else { return nil }
    let profile =
      place < pattern.timed.count
      ? pattern.timed[place].profile : pattern.repeated[place - pattern.timed.count].profile
    return RunSchedule(pattern: pattern, profile: profile, firstDeparture: base(of: day) + start)
  }

  /// Whether a number can be a second of a service day, which may go on into the next ones.
  private static func isSecond(_ start: Int) -> Bool { (0...Int(ScheduleFormat.longestTime)).contains(start) }

  private mutating func base(of day: ServiceDay) -> Int {
    if let base = bases[day] { return base }
    let base = schedule.clock.base(of: day)
    bases[day] = base
    return base
  }
}
