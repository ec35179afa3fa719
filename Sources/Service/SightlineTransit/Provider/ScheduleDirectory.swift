import Foundation
import SightlineGeodesy
import SightlineInput
import Synchronization

/// The stops and lines of a timetable.
public final class ScheduleDirectory: StopDirectory {
  /// The timetable.
  public let schedule: Schedule
  /// Lines by the number of their route.
  public let lines: [TransitLine]
  /// South, west, north, east, degrees.
  public let bounds: (south: Double, west: Double, north: Double, east: Double)?
  private let search: StopSearch
  private let names = StopNames()
  /// Languages of the feed's translations.
  public let languages: Set<String>
  /// For each pattern where its entries in `ways` begin; one more at the end.
  private let waysOfPatterns: [Int32]
  private let ways: [Way]
  /// Lines of places where so much calls that they are not looked up anew each time.
  private let busyPlaces = Mutex<[Int: [TransitLine]]>([:])

  private struct Way {
    let route: Int32
    /// -1 for none.
    let shape: Int32
  }

  /// Indexes a timetable.
  ///
  /// - Throws: a database error.
  public init(_ schedule: Schedule) throws {
    self.schedule = schedule
    search = StopSearch(schedule)
    languages = try schedule.languages()
    bounds = Self.bounds(schedule.stops.lazy.map { ($0.latitude ?? .nan, $0.longitude ?? .nan) })
    lines = Self.lines(schedule)
    let list = try schedule.waysOfPatterns()
    var starts = [Int32](repeating: 0, count: schedule.patternCount + 1)
    for way in list { starts[way.pattern + 1] &+= 1 }
    for place in starts.indices.dropFirst() { starts[place] &+= starts[place - 1] }
    waysOfPatterns = starts
    ways = list.map { Way(route: Int32(clamped: $0.route), shape: Int32(clamped: $0.shape ?? -1)) }
  }

  private static func lines(_ schedule: Schedule) -> [TransitLine] {
    let language = schedule.language
    let order = schedule.routes.indices.map { number in
      let route = schedule.routes[number]
      let order = LineOrder(route.name, language: language)
      return (number: number, sort: route.sortOrder ?? .max, order: order, id: route.id)
    }.sorted { ($0.sort, $0.order, $0.id) < ($1.sort, $1.order, $1.id) }
    var ranks = [Int](repeating: 0, count: order.count)
    for (rank, entry) in order.enumerated() { ranks[entry.number] = rank }
    return schedule.routes.enumerated().map { number, route in
      TransitLine(
        id: route.id,
        name: route.name,
        mode: route.mode,
        color: route.color,
        textColor: route.textColor,
        rank: ranks[number]
      )
    }
  }

  /// How many stops and stations riders can find.
  public var count: Int { search.count }
  /// Days of service.
  public var days: ClosedRange<ServiceDay>? { schedule.days }
  /// The feed's time zone.
  public var timeZone: TimeZone { schedule.clock.timeZone }
  /// The zone in which times are shown at a stop.
  public func timeZone(of number: Int) -> TimeZone { schedule.timeZone(of: number) }

  /// A stop's id, without the rest of it.
  public func id(of number: Int) -> String { schedule.stops[number].id }

  /// A stop, its name in a language if the feed has it.
  public func stop(_ number: Int, language: String?) -> TransitStop {
    let row = schedule.stops[number]
    var stop = TransitStop(
      id: row.id,
      name: row.name,
      latitude: row.latitude ?? .nan,
      longitude: row.longitude ?? .nan
    )
    if row.latitude == nil, let parent = row.parent {
      stop.latitude = schedule.stops[parent].latitude ?? .nan
      stop.longitude = schedule.stops[parent].longitude ?? .nan
    }
    stop.code = row.code
    stop.platform = row.platform
    stop.isStation = row.kind == .station
    stop.wheelchair = row.wheelchair
    if let language, languages.contains(language),
      let name = try? schedule.translation(
        of: row.name,
        table: "stops",
        field: "stop_name",
        record: row.id,
        language: language
      )
    {
      stop.name = name
    }
    return stop
  }

  /// What a vehicle shows, in a language of the feed's translations.
  public func headsign(_ text: String, trip: String, language: String) -> String {
    guard languages.contains(language) else { return text }
    let number = trip.isEmpty ? nil : (try? schedule.trips(ids: [trip]))?[0]
    return (try? schedule.headsign(text, trip: number, language: language)) ?? text
  }

  /// A stop's number.
  public func number(of id: String) -> Int? { schedule.stop(id: id) }

  /// A stop of an earlier feed, for thirty days.
  public func retired(_ id: String, at time: Int) -> TransitStop? {
    guard let row = schedule.retired[id], time.saturatingSubtract(row.since) < RetiredStop.knownFor else { return nil }
    var stop = TransitStop(
      id: row.id,
      name: row.name,
      latitude: row.latitude ?? .nan,
      longitude: row.longitude ?? .nan
    )
    stop.platform = row.platform
    return stop
  }

  /// Stops nearest to a place.
  public func nearest(_ limit: Int, to place: Geodetic, radius: Double?) -> [StopSearch.Found] {
    search.nearest(limit, to: place, radius: radius)
  }

  /// Stops whose names fit, as the feed has them.
  public func named(_ query: StopQuery, limit: Int, near place: Geodetic) -> [NamedStop] {
    names.find(query, limit: limit, near: place, among: search.numbers) { stop($0, language: nil) }
  }

  /// Lines that call at a stop, in the order in which they are listed; at most ``mostLines``.
  public func lines(at number: Int) -> [TransitLine] {
    let place = schedule.place(of: number)
    if let known = busyPlaces.withLock({ $0[place] }) { return known }
    var routes: Set<Int32> = []
    var looks = 0
    for stop in schedule.callingStops(of: place) {
      for entry in schedule.patterns(at: stop) {
        looks += 1
        for way in ways(of: entry.pattern) {
          looks += 1
          routes.insert(way.route)
        }
      }
    }
    let found = Array(routes.map { lines[Int($0)] }.sorted { $0.rank < $1.rank }.prefix(Self.mostLines))
    // Where this was much work it is done once. There are few such places: each has a share of the feed to itself.
    if looks > Self.manyLooks {
      busyPlaces.withLock { busy in
        if busy.count >= Self.mostBusyPlaces { busy = [:] }
        busy[place] = found
      }
    }
    return found
  }

  /// Lines that are listed at a stop: several times those of the largest stations.
  package static let mostLines = 500
  private static let manyLooks = 5000
  private static let mostBusyPlaces = 1000

  private func ways(of pattern: Int) -> ArraySlice<Way> {
    ways[Int(waysOfPatterns[pattern])..<Int(waysOfPatterns[pattern + 1])]
  }

  /// Stops, and patterns, of which one answer draws the ways.
  private static let mostStops = 20_000
  private static let mostPatterns = 20_000

  /// The ways of lines that call within a radius of a place or a little beyond it.
  ///
  /// One answer looks at a million points at most; where there are more, lines with high numbers are left out.
  public func paths(around place: Geodetic, radius: Double) throws(ProviderFailure) -> [LinePaths] {
    var patterns: Set<Int> = []
    // A line that crosses the circle calls somewhere near it, seldom farther than this.
    for number in search.within(radius + 1000, of: place).prefix(Self.mostStops)
    where patterns.count < Self.mostPatterns {
      for stop in schedule.callingStops(of: number) {
        for entry in schedule.patterns(at: stop) { patterns.insert(entry.pattern) }
      }
    }
    // A shape once for each line, and a pattern once where there are no shapes.
    var shapes: Set<[Int32]> = []
    var drafts: [Int32: PathThinner] = [:]
    let budget = PathThinner.budget()
    do {
      for pattern in patterns.sorted() where budget.isIntact {
        for way in ways(of: pattern) where budget.isIntact {
          let key = way.shape >= 0 ? [way.route, way.shape] : [way.route, -1, Int32(clamped: pattern)]
          guard shapes.insert(key).inserted else { continue }
          var points = way.shape >= 0 ? try schedule.shape(Int(way.shape)) : []
          let isExact = points.count >= 2
          if !isExact {
            points = try schedule.pattern(pattern).calls.compactMap { call in
              let stop = schedule.stops[Int(call.stop)]
              return stop.latitude.flatMap { latitude in stop.longitude.map { (latitude, $0) } }
            }
          }
          drafts[way.route, default: PathThinner(center: place, radius: radius, budget: budget)]
            .add(points, isExact: isExact)
        }
      }
    } catch { throw .broken("\(error)") }
    return drafts.map { route, draft in (lines[Int(route)], draft) }
      .filter { !$0.1.paths.isEmpty }.sorted { $0.0.rank < $1.0.rank }
      .map { LinePaths(line: $0.0, isExact: $0.1.isExact, paths: $0.1.paths) }
  }
}
