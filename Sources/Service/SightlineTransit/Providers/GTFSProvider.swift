import Foundation
import SightlineGeodesy
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
  /// - Throws: ``ScheduleError``, or a database error.
  public convenience init(
    info: ProviderInfo,
    path: String,
    realtime: [RealtimeSource] = [],
    transport: any ProviderTransport,
    clock: TransitClock = TransitClock(),
    ages: RealtimeAges = RealtimeAges()
  ) throws {
    try self.init(
      info: info,
      path: path,
      realtime: realtime,
      transport: transport,
      clock: clock,
      ages: ages,
      timer: SystemTimer()
    )
  }

  package init(
    info: ProviderInfo,
    path: String,
    realtime: [RealtimeSource],
    transport: any ProviderTransport,
    clock: TransitClock,
    ages: RealtimeAges = RealtimeAges(),
    timer: any TransitTimer
  ) throws {
    self.info = info
    self.path = path
    self.ages = ages
    self.timer = timer
    let first = try Loaded(path, number: 0)
    loaded = Mutex(first)
    let box = ScheduleBox(first.schedule)
    self.box = box
    feed =
      realtime.isEmpty
      ? nil
      : RealtimeFeed(sources: realtime, transport: transport, clock: clock, timer: timer) { box.schedule }
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

  private let box: ScheduleBox
  private var current: Loaded { loaded.withLock { $0 } }

  /// The timetable's stops and lines.
  public var schedule: any StopDirectory { current.directory }

  /// Grows with realtime messages and imports.
  public var edition: Int { current.number << 32 + (feed?.current.edition ?? 0) }

  /// How it is.
  public func status(at time: Int) -> ProviderStatus {
    var status = ProviderStatus()
    let schedule = current.schedule
    if !Self.covers(schedule, time..<(time + 1)) { status.failure = .outsideValidity(schedule.days) }
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
    guard time - state.timestamp >= ages.predictions else { return nil }
    return feed?.failure ?? .outdated(state.timestamp == 0 ? 0 : time - state.timestamp)
  }

  /// Whether some service day of the timetable reaches into a time.
  private static func covers(_ schedule: Schedule, _ period: Range<Int>) -> Bool {
    schedule.daysReaching(period).overlaps(schedule.days)
  }

  /// Fetches realtime messages, and takes up a new schedule file when one is put in place.
  public func run() async {
    await withTaskGroup(of: Void.self) { group in
      if let feed { group.addTask { await feed.run() } }
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
    let state = snapshot?.state ?? RealtimeState()
    let stops = schedule.callingStops(of: number)
    let oldest = question.from - ages.predictions
    do {
      var isShort = false
      let board = try schedule.board(at: stops, in: question.period, realtime: state) { measured in
        if measured < oldest { isShort = true }
        return measured >= oldest
      }
      let notices = BoardNotices(
        alerts(snapshot, at: question.from),
        schedule: schedule,
        stops: [number] + stops
      )
      var departures: [TransitDeparture] = []
      departures.reserveCapacity(board.count)
      var measured = 0
      for entry in board {
        departures.append(try departure(entry, loaded, notices))
        if entry.state == .live || entry.state == .added { measured = max(measured, entry.measured) }
      }
      departures.sort { a, b in
        (a.time, a.line?.rank ?? .max, a.trip) < (b.time, b.line?.rank ?? .max, b.trip)
      }
      if departures.count > question.limit { departures.removeLast(departures.count - question.limit) }
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
            ?? (isShort ? .outdated(question.from - state.timestamp) : nil)
      )
    } catch { throw .broken("\(error)") }
  }

  private func departure(
    _ entry: BoardDeparture,
    _ loaded: Loaded,
    _ notices: BoardNotices
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
    return try loaded.schedule.intervals(at: stops, in: period).compactMap { interval in
      let trip = try loaded.schedule.trip(interval.trip)
      let line = loaded.directory.lines[trip.route]
      let headsign = try loaded.schedule.headsign(trip: interval.trip, place: 0)
      let key = [line.id, headsign, "\(interval.headway)", "\(interval.period.lowerBound)"]
      guard seen.insert(key).inserted else { return nil }
      return TransitInterval(line: line, headsign: headsign, headway: interval.headway, period: interval.period)
    }
  }

  private func alerts(_ snapshot: RealtimeFeed.Snapshot?, at time: Int) -> [RealtimeMessage.Alert] {
    guard let snapshot, time - snapshot.alertsFetched < ages.alerts else { return [] }
    return snapshot.state.alerts.filter { $0.isActive(at: time) }
  }

  /// Notices that apply at a time.
  public func alerts(at time: Int) async throws(ProviderFailure) -> [TransitAlert] {
    alerts(feed?.current, at: time).map(TransitAlert.init)
  }

  /// Vehicles that said where they are.
  public func vehicles(at time: Int) -> [TransitVehicle] {
    guard let feed else { return [] }
    let loaded = current
    let state = feed.current.state
    return state.vehicles.compactMap { vehicle in
      let measured = min(vehicle.timestamp ?? state.timestamp, time)
      guard time - measured < ages.positions, let latitude = vehicle.latitude, let longitude = vehicle.longitude,
        abs(latitude) <= 90, abs(longitude) <= 180
      else { return nil }
      var shown = TransitVehicle(id: vehicle.id, latitude: latitude, longitude: longitude, measured: measured)
      shown.label = vehicle.label
      shown.bearing = vehicle.bearing
      shown.speed = vehicle.speed
      shown.stop = vehicle.stop
      shown.status = vehicle.status
      shown.occupancy = RealtimeWords.occupancy(vehicle.occupancy)
      var route = vehicle.trip.flatMap { loaded.schedule.route(id: $0.route) }
      if let id = vehicle.trip?.id, !id.isEmpty {
        shown.trip = id
        if let number = try? loaded.schedule.trips(ids: [id])[0], let trip = try? loaded.schedule.trip(number) {
          route = trip.route
          shown.headsign = (try? loaded.schedule.headsign(trip: number, place: 0)) ?? ""
        }
      }
      shown.line = route.map { loaded.directory.lines[$0] }
      return shown
    }
  }
}
