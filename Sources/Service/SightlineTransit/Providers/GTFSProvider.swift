import Foundation
public import SightlineGeodesy
import SightlineInput
import Synchronization

/// A timetable from a schedule file, with realtime messages where there are some.
public final class GTFSProvider: TransitProvider {
  /// Who it is.
  public let info: ProviderInfo
  private let path: String
  private let ages: RealtimeAges
  private let timer: any TransitTimer
  private let loaded: Mutex<Loaded>
  private let feed: RealtimeFeed?
  private let timetable: ScheduleFeed?

  private final class Loaded: Sendable {
    let schedule: Schedule
    let directory: ScheduleDirectory
    let file: FileMark
    let number: Int

    init(_ path: String, number: Int) throws {
      file = FileMark(path)
      schedule = try Schedule(path: path)
      directory = try ScheduleDirectory(schedule)
      self.number = number
    }
  }

  /// Tells whether a file was put in place of another.
  private struct FileMark: Equatable {
    let inode: UInt64
    let changed: Double

    init(_ path: String) {
      let found = try? FileManager.default.attributesOfItem(atPath: path)
      inode = (found?[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
      changed = (found?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    }
  }

  /// A provider of a schedule file, see ``ScheduleImporter``.
  ///
  /// - Parameters:
  ///   - info: who it is.
  ///   - path: the schedule file.
  ///   - timetable: what keeps the schedule file up to date; `nil` when somebody else does, or nobody.
  ///   - realtime: where realtime messages come from.
  ///   - transport: what fetches them.
  ///   - clock: the time that riders are told.
  ///   - center: where something is to happen in simulated traffic; `nil` for anywhere.
  ///   - ages: how old realtime data may be.
  ///   - reading: who reads the messages.
  /// - Throws: ``ScheduleError``, or a database error.
  public convenience init(
    info: ProviderInfo,
    path: String,
    timetable: ScheduleFeed? = nil,
    realtime: [RealtimeSource] = [],
    transport: any ProviderTransport,
    clock: TransitClock = TransitClock(),
    center: Geodetic? = nil,
    ages: RealtimeAges = RealtimeAges(),
    reading: any ProviderReading = DirectReading()
  ) throws {
    try self.init(
      info: info,
      path: path,
      timetable: timetable,
      realtime: realtime,
      transport: transport,
      clock: clock,
      center: center,
      ages: ages,
      reading: reading,
      timer: SystemTimer()
    )
  }

  package init(
    info: ProviderInfo,
    path: String,
    timetable: ScheduleFeed? = nil,
    realtime: [RealtimeSource],
    transport: any ProviderTransport,
    clock: TransitClock,
    center: Geodetic? = nil,
    ages: RealtimeAges = RealtimeAges(),
    reading: any ProviderReading = DirectReading(),
    timer: any TransitTimer
  ) throws {
    self.info = info
    self.path = path
    self.timetable = timetable
    self.ages = ages
    self.timer = timer
    let first = try Loaded(path, number: 0)
    loaded = Mutex(first)
    let box = ScheduleBox(first.schedule)
    self.box = box
    feed =
      realtime.isEmpty
      ? nil
      : RealtimeFeed(
        of: info.id,
        sources: realtime,
        transport: realtime.contains(where: \.isSimulation)
          ? SimulatedTransport(transport, clock: clock, center: center) { box.schedule } : transport,
        clock: clock,
        timer: timer,
        reading: reading
      ) { box.schedule }
  }

  /// The schedule in use, for the feed.
  private final class ScheduleBox: Sendable {
    private let held: Mutex<Schedule>
    init(_ schedule: Schedule) { held = Mutex(schedule) }
    var schedule: Schedule {
      get { held.withLock { $0 } }
      set { held.withLock { $0 = newValue } }
    }
  }

  /// Vehicles as riders see them, made once for each snapshot; the time they were measured is still the vehicle's own.
  private let shown = Mutex<(edition: Int, vehicles: [TransitVehicle])?>(nil)
  private let box: ScheduleBox
  private var current: Loaded { loaded.withLock { $0 } }

  /// The timetable's stops and lines.
  public var schedule: any StopDirectory { current.directory }

  /// Grows with realtime messages and imports.
  public var edition: Int { current.number &<< 32 &+ (feed?.current.edition ?? 0) }

  /// How it is.
  public func status(at time: Int) -> ProviderStatus {
    var status = ProviderStatus()
    let schedule = current.schedule
    if !Self.covers(schedule, time..<(time + 1)) { status.failure = .outsideValidity(schedule.days) }
    status.timetable = timetable?.status
    guard let feed else { return status }
    let snapshot = feed.current
    var realtime = ProviderStatus.Realtime()
    realtime.updated = snapshot.state.timestamp
    realtime.matched = snapshot.state.counts.matched + snapshot.state.counts.added
    realtime.unmatched = snapshot.state.counts.unmatched
    realtime.mergeSeconds = snapshot.mergeSeconds
    realtime.failures = feed.failures
    status.realtime = realtime
    if status.failure == nil { status.failure = shortfall(of: snapshot.state, at: time) }
    return status
  }

  /// Why predictions are missing.
  private func shortfall(of state: RealtimeState, at time: Int) -> ProviderFailure? {
    let age = time.saturatingSubtract(state.timestamp)
    guard age >= ages.predictions else { return nil }
    return feed?.failure ?? .outdated(state.timestamp == 0 ? 0 : age)
  }

  /// Whether some service day of the timetable reaches into a time.
  private static func covers(_ schedule: Schedule, _ period: Range<Int>) -> Bool {
    schedule.daysReaching(period).overlaps(schedule.days)
  }

  /// Fetches realtime messages and the timetable, and takes up a new schedule file when one is put in place.
  public func run() async {
    await withTaskGroup(of: Void.self) { group in
      if let feed { group.addTask { await feed.run() } }
      if let timetable { group.addTask { await timetable.run { self.reload() } } }
      group.addTask {
        while !Task.isCancelled {
          do { try await self.timer.sleep(seconds: 5) } catch { return }
          self.reload()
        }
      }
    }
  }

  /// Opens the schedule file again if it is another one.
  package func reload() {
    let held = current
    guard FileMark(path) != held.file, let fresh = try? Loaded(path, number: held.number + 1) else { return }
    // Readers go on with the one they have; its file is gone from the folder, not from under them.
    loaded.withLock { $0 = fresh }
    box.schedule = fresh.schedule
    feed?.merge()
  }

  /// Asks once whether there is a new timetable, and takes it up; `nil` when none is fetched from an address.
  package func checkTimetable() async -> ScheduleFeed.Report? {
    guard let report = await timetable?.check() else { return nil }
    if report.outcome == .taken { reload() }
    return report
  }

  /// Fetches all realtime sources once.
  package func fetchRealtime() async {
    guard let feed else { return }
    for number in feed.sources.indices { await feed.fetch(number) }
  }

  /// Departures from a stop or station.
  public func departures(at stop: String, _ question: BoardQuestion) async throws(ProviderFailure) -> ProviderBoard {
    let loaded = current
    let schedule = loaded.schedule
    guard let number = schedule.stop(id: stop) else {
      throw loaded.directory.retired(stop, at: TransitClock.real) == nil ? .unknownStop : .retiredStop
    }
    guard Self.covers(schedule, question.period) else { throw .outsideValidity(schedule.days) }
    let snapshot = feed?.current
    // While another timetable is taken up, what is held speaks of the numbers of the one before.
    let state = snapshot.flatMap { $0.schedule === schedule ? $0.state : nil } ?? RealtimeState()
    let stops = schedule.callingStops(of: number)
    let oldest = question.from.saturatingSubtract(ages.predictions)
    do {
      var isShort = false
      let board = try schedule.board(at: stops, in: question.period, realtime: state) { measured in
        if measured < oldest { isShort = true }
        return measured >= oldest
      }
      var notices = BoardNotices(
        activeAlerts(snapshot, at: question.from),
        schedule: schedule,
        stops: [number] + stops
      )
      var measured = 0
      for entry in board where entry.state == .live || entry.state == .added {
        measured = max(measured, entry.measured)
      }
      // Cut before the rest of a departure is looked up: of a day at a large station most are not asked for.
      let order = board.map {
        (time: $0.time, rank: $0.route.map { loaded.directory.lines[$0].rank } ?? .max, entry: $0)
      }
      .sorted { a, b in (a.time, a.rank, a.entry.trip) < (b.time, b.rank, b.entry.trip) }
      var departures: [TransitDeparture] = []
      for (_, _, entry) in order.prefix(max(0, question.limit)) {
        departures.append(try departure(entry, loaded, &notices))
      }
      let hasRealtime = feed != nil && state.timestamp > 0
      return ProviderBoard(
        departures: departures,
        intervals: try intervals(stops, question.period, loaded),
        alerts: notices.ofStop,
        source: hasRealtime ? "gtfs-rt" : "gtfs",
        updated: hasRealtime ? max(measured, measured == 0 ? state.timestamp : 0) : nil,
        shortfall: feed == nil
          ? nil
          : shortfall(of: state, at: question.from)
            ?? (isShort ? .outdated(question.from.saturatingSubtract(state.timestamp)) : nil)
      )
    } catch { throw .broken("\(error)") }
  }

  private func departure(
    _ entry: BoardDeparture,
    _ loaded: Loaded,
    _ notices: inout BoardNotices
  ) throws -> TransitDeparture {
    let schedule = loaded.schedule
    var departure = TransitDeparture(scheduled: entry.isPromised ? entry.scheduled : entry.time)
    departure.isScheduleKnown = entry.isPromised
    let stop = schedule.stops[entry.stop]
    departure.line = entry.route.map { loaded.directory.lines[$0] }
    departure.headsign = entry.headsign
    departure.expected = entry.expected
    departure.state = entry.state
    departure.isApproximate = entry.isApproximate
    departure.platform = stop.platform
    departure.stop = stop.id
    departure.trip = entry.trip
    departure.pickup = entry.pickup == 2 ? .phone : entry.pickup == 3 ? .driver : .regular
    var trip: ScheduleTrip?
    if let run = entry.run {
      let known = try schedule.trip(run.trip)
      trip = known
      departure.direction = known.direction
      departure.tripName = known.shortName
      departure.wheelchair = Self.both(stop.wheelchair, known.wheelchair)
    }
    departure.alerts = notices.ids(route: entry.route, trip: entry.trip, direction: trip?.direction)
    return departure
  }

  /// Both have to be accessible; one that is not decides; the rest is unknown.
  static func both(_ a: Bool?, _ b: Bool?) -> Bool? {
    if a == false || b == false { return false }
    return a == true && b == true ? true : nil
  }

  private func intervals(_ stops: [Int], _ period: Range<Int>, _ loaded: Loaded) throws -> [TransitInterval] {
    // Several trips of a line and direction at one headway are one entry.
    var seen: Set<[String]> = []
    var intervals: [TransitInterval] = []
    for interval in try loaded.schedule.intervals(at: stops, in: period) where intervals.count < Self.mostIntervals {
      let trip = try loaded.schedule.trip(interval.trip)
      let line = loaded.directory.lines[trip.route]
      let headsign = try loaded.schedule.headsign(trip: interval.trip, place: 0)
      let key = [line.id, headsign, "\(interval.headway)", "\(interval.period.lowerBound)"]
      guard seen.insert(key).inserted else { continue }
      intervals.append(
        TransitInterval(line: line, headsign: headsign, headway: interval.headway, period: interval.period)
      )
    }
    return intervals
  }

  /// Lines without stated times that one board lists.
  private static let mostIntervals = 200

  /// Whether a snapshot's notices are young enough to be passed on.
  private func hasAlerts(_ snapshot: RealtimeFeed.Snapshot, at time: Int) -> Bool {
    time.saturatingSubtract(snapshot.alertsFetched) < ages.alerts
  }

  private func activeAlerts(_ snapshot: RealtimeFeed.Snapshot?, at time: Int) -> [RealtimeMessage.Alert] {
    guard let snapshot, hasAlerts(snapshot, at: time) else { return [] }
    return snapshot.state.alerts.filter { $0.isActive(at: time) }
  }

  /// Notices that apply at a time.
  public func alerts(at time: Int) -> [TransitAlert] {
    guard let snapshot = feed?.current, hasAlerts(snapshot, at: time) else { return [] }
    return snapshot.notices.filter { alert in alert.periods.isEmpty || alert.periods.contains { $0.contains(time) } }
  }

  /// Whether any vehicle said lately where it is.
  public func hasVehicles(at time: Int) -> Bool {
    guard let snapshot = feed?.current else { return false }
    return snapshot.state.vehicles.contains { self.isFresh($0.timestamp ?? snapshot.state.timestamp, at: time) }
  }

  private func isFresh(_ measured: Int, at time: Int) -> Bool { time.saturatingSubtract(measured) < ages.positions }

  /// Vehicles that said where they are.
  public func vehicles(at time: Int) -> [TransitVehicle] {
    guard let snapshot = feed?.current else { return [] }
    let known = shown.withLock { $0?.edition == snapshot.edition ? $0?.vehicles : nil }
    let all: [TransitVehicle]
    if let known {
      all = known
    } else {
      all = shownVehicles(snapshot)
      shown.withLock { $0 = (snapshot.edition, all) }
    }
    return all.lazy.filter { self.isFresh($0.measured, at: time) }.map { vehicle in
      var vehicle = vehicle
      vehicle.measured = min(vehicle.measured, time)
      return vehicle
    }
  }

  private func shownVehicles(_ snapshot: RealtimeFeed.Snapshot) -> [TransitVehicle] {
    let loaded = current
    let state = snapshot.state
    let isOfSchedule = snapshot.schedule === loaded.schedule
    return zip(state.vehicles, state.tripsOfVehicles).compactMap { vehicle, number in
      guard let latitude = vehicle.latitude, let longitude = vehicle.longitude, abs(latitude) <= 90,
        abs(longitude) <= 180
      else { return nil }
      var shown = TransitVehicle(
        id: vehicle.id,
        latitude: latitude,
        longitude: longitude,
        measured: Instant.clamped(vehicle.timestamp ?? state.timestamp)
      )
      shown.label = vehicle.label
      shown.bearing = vehicle.bearing
      shown.speed = vehicle.speed
      shown.stop = vehicle.stop
      shown.status = vehicle.status
      shown.occupancy = RealtimeWords.occupancy(vehicle.occupancy)
      var route = vehicle.trip.flatMap { loaded.schedule.route(id: $0.route) }
      shown.trip = vehicle.trip?.id ?? ""
      if isOfSchedule, let number, let trip = try? loaded.schedule.trip(number) {
        route = trip.route
        shown.headsign = (try? loaded.schedule.headsign(trip: number, place: 0)) ?? ""
      }
      shown.line = route.map { loaded.directory.lines[$0] }
      return shown
    }
  }
}
