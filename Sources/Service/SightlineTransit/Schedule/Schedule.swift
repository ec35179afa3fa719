import Foundation
import GRDB
import SightlineInput
import Synchronization

/// A feed's schedule, opened from the file that ``ScheduleImporter`` made.
///
/// Stops, routes and service days are held in memory; trips and their times are read when they are asked for, and patterns
/// kept. The file never changes, so a schedule may be used from any thread. Rows are named by their numbers in this file
/// (`Int`), which mean nothing in another one.
public final class Schedule: Sendable {
  /// The feed's time zone and how its times count.
  public let clock: ServiceClock
  /// All stops, in the feed's order.
  public let stops: [ScheduleStop]
  /// All routes.
  public let routes: [ScheduleRoute]
  /// All agencies.
  public let agencies: [ScheduleAgency]
  /// Whom to credit.
  public let credits: [ScheduleCredit]
  /// Stops of earlier feeds that are served no more, by id.
  public let retired: [String: RetiredStop]
  /// feed_info as it stands, `feed.` before each key, and what the import noted.
  public let notes: [String: String]
  /// First and last day of service.
  public let days: ClosedRange<ServiceDay>
  /// Latest time of any trip, in seconds of its service day.
  public let longestTime: Int

  let numbersOfStops: [String: Int]
  /// Time zones that stops name, the feed's own left out.
  private let zones: [String: TimeZone]
  private let numbersOfRoutes: [String: Int]
  /// Platforms of stations.
  private let platforms: [Int: [Int]]
  private let patternsOfStops: [[StopPattern]]
  /// One more than the highest number of a pattern.
  let patternCount: Int
  private let serviceDays: [[UInt8]]
  let queue: DatabaseQueue
  /// For long lists, so that nobody who asks for one row waits for them.
  let bulkQueue: DatabaseQueue
  private let cache = Mutex(PatternCache())

  struct StopPattern {
    let pattern: Int
    let place: Int
  }

  /// Opens a schedule file.
  ///
  /// Everything that the file holds in memory is checked here, what is read later when it is read: a damaged file, or one that
  /// somebody else made, is refused with a sentence.
  ///
  /// - Throws: ``ScheduleError``, or a database error.
  public init(path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else { throw ScheduleError.missing(path) }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.prepareDatabase { db in
      // What a file says of itself is not believed: no functions in its schema, and cells within their pages.
      try db.execute(
        sql: """
          PRAGMA mmap_size = 1073741824; PRAGMA cache_size = -8192; PRAGMA query_only = ON; PRAGMA trusted_schema = OFF;
          PRAGMA cell_size_check = ON
          """
      )
    }
    do {
      queue = try DatabaseQueue(path: path, configuration: configuration)
      bulkQueue = try DatabaseQueue(path: path, configuration: configuration)
      let version = try queue.read { db in try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 }
      guard version == ScheduleFormat.version else { throw ScheduleError.otherVersion(path, version) }
      let contents = try queue.read { db in try ScheduleContents(db) }
      notes = contents.notes
      guard let zone = notes["timezone"].flatMap(TimeZone.init(identifier:)),
        let first = notes["first-day"].flatMap({ Int($0) }), Self.firstDays.contains(first),
        let count = notes["day-count"].flatMap({ Int($0) }), (1...ScheduleFormat.mostDays).contains(count),
        let longest = notes["longest-time"].flatMap({ Int($0) }),
        (0...Int(ScheduleFormat.longestTime)).contains(longest)
      else { throw ScheduleError.damaged(path) }
      clock = ServiceClock(timeZone: zone)
      days = ServiceDay(number: first)...ServiceDay(number: first + count - 1)
      longestTime = longest
      stops = contents.stops
      routes = contents.routes
      agencies = contents.agencies
      credits = contents.credits
      retired = contents.retired
      var zones: [String: TimeZone] = [:]
      for name in Set(contents.stops.map(\.timeZone)) where !name.isEmpty && name != zone.identifier {
        zones[name] = TimeZone(identifier: name)
      }
      self.zones = zones
      patternsOfStops = contents.patternsOfStops
      patternCount = contents.patternCount
      numbersOfStops = Self.numbers(contents.stops.map(\.id))
      numbersOfRoutes = Self.numbers(contents.routes.map(\.id))
      serviceDays = contents.serviceDays
    } catch let error as DatabaseError {
      // What the operating system refuses is no matter of the file's content.
      switch error.resultCode {
      case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHORT_READ: throw ScheduleError.damaged(path)
      case .SQLITE_BUSY, .SQLITE_CANTOPEN, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_NOMEM, .SQLITE_PERM: throw error
      default: throw ScheduleError.damaged(path)
      }
    } catch is ScheduleContents.Damage {
      throw ScheduleError.damaged(path)
    } catch is RowDecodingError {
      throw ScheduleError.damaged(path)
    }
    var platforms: [Int: [Int]] = [:]
    for (number, stop) in stops.enumerated() where stop.kind == .stop {
      guard let parent = stop.parent, stops[parent].kind == .station else { continue }
      if platforms[parent, default: []].count < Self.mostPlatforms { platforms[parent, default: []].append(number) }
    }
    self.platforms = platforms
  }

  /// The years 1900 to 2199.
  private static let firstDays = -25_567...84_005
  /// Platforms that count for a station: several times those of the largest.
  static let mostPlatforms = 2000

  private static func numbers(_ ids: [String]) -> [String: Int] {
    Dictionary(zip(ids, ids.indices), uniquingKeysWith: { first, _ in first })
  }

  /// The zone in which times are shown at a stop: its station's if it belongs to one, else its own, else the feed's.
  public func timeZone(of stop: Int) -> TimeZone {
    if zones.isEmpty { return clock.timeZone }
    var place = stop
    // A boarding area belongs to a platform, which may belong to a station.
    for _ in 0..<2 { place = stops[place].parent ?? place }
    return zones[stops[place].timeZone] ?? clock.timeZone
  }

  /// Code of the language in which the feed is written; empty when it says nothing.
  var language: String {
    let own = notes["feed.feed_lang"] ?? ""
    return own.isEmpty || own == "mul" ? agencies.first?.language ?? "" : own
  }

  /// A stop's number by its id in the feed.
  public func stop(id: String) -> Int? { numbersOfStops[id] }

  /// A route's number by its id in the feed.
  public func route(id: String) -> Int? { numbersOfRoutes[id] }

  /// The stops where vehicles call for what a rider means by a stop.
  ///
  /// A station stands for all its platforms, a boarding area for its platform, a platform for itself; an entrance or node
  /// for its station.
  public func callingStops(of stop: Int) -> [Int] {
    let place = place(of: stop)
    return stops[place].kind == .station ? platforms[place] ?? [] : stops[place].kind == .stop ? [place] : []
  }

  /// The stop or station that a rider means by a stop: a boarding area's platform, the station of an entrance or node.
  ///
  /// An import takes no parents but those; a file that another program made may have them in circles, so no more than two are asked.
  func place(of stop: Int) -> Int {
    var place = stop
    for _ in 0..<2 {
      switch stops[place].kind {
      case .stop, .station: return place
      case .boardingArea, .entrance, .node: place = stops[place].parent ?? place
      }
    }
    return place
  }

  /// The patterns that call at a stop.
  func patterns(at stop: Int) -> [StopPattern] { patternsOfStops[stop] }

  /// Whether a service runs on a day.
  public func isActive(service: Int, on day: ServiceDay) -> Bool {
    let index = day.number - days.lowerBound.number
    guard index >= 0, serviceDays.indices.contains(service), index >> 3 < serviceDays[service].count else {
      return false
    }
    return serviceDays[service][index >> 3] & (1 << (index & 7)) != 0
  }

  /// A pattern with its trips, from the cache or the file.
  func pattern(_ number: Int) throws -> TripPattern {
    if let pattern = cache.withLock({ $0.patterns[number] }) { return pattern }
    let row = try queue.read { db in
      try Row.fetchOne(
        db.cachedStatement(sql: "SELECT calls, profiles, timed, repeated FROM patterns WHERE number = ?"),
        arguments: [number]
      )
    }
    guard let row else { throw ScheduleError.missingRow("patterns", number) }
    var checked = CheckedRow(row)
    let (calls, profiles, timed, repeated) = (checked.data(), checked.data(), checked.data(), checked.data())
    let limits = TripPattern.Limits(stops: stops.count, services: serviceDays.count)
    guard !checked.isDamaged,
      let pattern = TripPattern(calls: calls, profiles: profiles, timed: timed, repeated: repeated, limits: limits)
    else { throw ScheduleError.damagedRow("patterns", number) }
    // What makes room for it is let go outside the lock: that may take milliseconds.
    let old = cache.withLock { $0.insert(pattern, as: number) }
    withExtendedLifetime(old) {}
    return pattern
  }

  /// What is known of a trip besides its times.
  ///
  /// - Throws: ``ScheduleError/missingRow(_:_:)`` for a number that is no trip's.
  public func trip(_ number: Int) throws -> ScheduleTrip {
    if let trip = cache.withLock({ $0.trips[number] }) { return trip }
    let row = try queue.read { db in
      try Row.fetchOne(db.cachedStatement(sql: ScheduleTrip.query), arguments: [number])
    }
    guard let row else { throw ScheduleError.missingRow("trips", number) }
    guard let trip = self.trip(row) else { throw ScheduleError.damagedRow("trips", number) }
    let old = cache.withLock { cache in
      cache.insert(trip, as: number)
      return cache.takeOld()
    }
    withExtendedLifetime(old) {}
    return trip
  }

  private func trip(_ row: Row) -> ScheduleTrip? {
    ScheduleTrip(row, routes: routes.count, services: serviceDays.count, patterns: patternCount)
  }

  /// A trip's number by its id in the feed.
  public func trip(id: String) throws -> Int? {
    try queue.read { db in
      try Int.fetchOne(db.cachedStatement(sql: "SELECT number FROM trips WHERE id = ?"), arguments: [id])
    }
  }

  /// Numbers of trips by their ids, of those that there are; the id's place in `ids` gives the place in the result.
  func trips(ids: [String]) throws -> [Int?] {
    var numbers: [Int?] = []
    numbers.reserveCapacity(ids.count)
    inBatches(of: ids) { cache, batch in for id in batch { numbers.append(cache.tripNumbers[id]) } }
    let missing = ids.indices.filter { numbers[$0] == nil && !ids[$0].isEmpty }
    if missing.isEmpty { return numbers }
    try bulkQueue.read { db in
      let statement = try db.cachedStatement(sql: "SELECT number FROM trips WHERE id = ?")
      for place in missing { numbers[place] = try Int.fetchOne(statement, arguments: [ids[place]]) }
    }
    inBatches(of: missing) { cache, batch in
      for place in batch { if let number = numbers[place] { cache.insert(tripID: ids[place], as: number) } }
    }
    return numbers
  }

  /// Works on the cache with a few elements at a time: who asks for one row waits for a batch at most, not for thousands of rows.
  private func inBatches<Element>(of list: [Element], _ work: (inout PatternCache, ArraySlice<Element>) -> Void) {
    var start = 0
    while start < list.count {
      let end = min(start + 256, list.count)
      let old = cache.withLock { cache in
        work(&cache, list[start..<end])
        return cache.takeOld()
      }
      withExtendedLifetime(old) {}
      start = end
    }
  }

  /// Reads trips into the cache in one go, for somebody who will ask for each.
  func prepareTrips(_ numbers: [Int]) throws {
    var missing: [Int] = []
    inBatches(of: numbers) { cache, batch in missing += batch.filter { cache.trips[$0] == nil } }
    guard missing.count > 8 else { return }
    let trips = try bulkQueue.read { db in
      let statement = try db.cachedStatement(sql: ScheduleTrip.query)
      return try missing.compactMap { number in
        try Row.fetchOne(statement, arguments: [number]).flatMap { row in trip(row).map { (number, $0) } }
      }
    }
    inBatches(of: trips) { cache, batch in for (number, trip) in batch { cache.insert(trip, as: number) } }
  }

  /// For each pattern the routes and shapes of its trips, without repetition.
  func waysOfPatterns() throws -> [(pattern: Int, route: Int, shape: Int?)] {
    try bulkQueue.read { db in
      var ways: [(pattern: Int, route: Int, shape: Int?)] = []
      let rows = try Row.fetchCursor(
        db,
        sql: "SELECT pattern, route, shape FROM trips GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
      )
      while let row = try rows.next() {
        var checked = CheckedRow(row)
        let (pattern, route) = (checked.index(below: patternCount), checked.index(below: routes.count))
        let shape = checked.numberOrNothing()
        checked.check(shape.map { (0...Int(Int32.max)).contains($0) } ?? true)
        guard !checked.isDamaged else { throw ScheduleError.damagedRow("trips", ways.count) }
        ways.append((pattern, route, shape))
      }
      return ways
    }
  }

  /// Trips of a route.
  func trips(ofRoute route: Int) throws -> [Int] {
    try queue.read { db in
      try Int.fetchAll(
        db.cachedStatement(sql: "SELECT number FROM trips WHERE route = ? AND number IS NOT NULL"),
        arguments: [route]
      )
    }
  }

  /// A text by its number.
  func text(_ number: Int) throws -> String {
    if let text = cache.withLock({ $0.texts[number] }) { return text }
    let text = try queue.read { db in
      try String.fetchOne(db.cachedStatement(sql: "SELECT text FROM texts WHERE number = ?"), arguments: [number])
    }
    guard let text else { throw ScheduleError.missingRow("texts", number) }
    cache.withLock { $0.insert(text, as: number) }
    return text
  }

  /// The points of a trip's way, in degrees; empty when the feed gives none.
  public func shape(_ number: Int) throws -> [(latitude: Double, longitude: Double)] {
    let data = try queue.read { db in
      try Data.fetchOne(db.cachedStatement(sql: "SELECT points FROM shapes WHERE number = ?"), arguments: [number])
    }
    guard let data, data.count % 8 == 0 else { return [] }
    return data.withUnsafeBytes { raw in
      var reader = PackedReader(raw.bindMemory(to: UInt8.self))
      var (latitude, longitude): (Int32, Int32) = (0, 0)
      var points: [(latitude: Double, longitude: Double)] = []
      while !reader.isAtEnd {
        latitude &+= reader.integer()
        longitude &+= reader.integer()
        points.append((Double(latitude) / 1e6, Double(longitude) / 1e6))
      }
      return points
    }
  }
}

/// Why a schedule file cannot be used.
public enum ScheduleError: Error, CustomStringConvertible, Sendable, Equatable {
  /// There is no such file.
  case missing(String)
  /// The file is no schedule, or damaged.
  case damaged(String)
  /// Made by another version of this program.
  case otherVersion(String, Int)
  /// A row is not there that another refers to.
  case missingRow(String, Int)
  /// A row is not what it has to be.
  case damagedRow(String, Int)

  /// A sentence for people.
  public var description: String {
    switch self {
    case .missing(let path): "\(path) is not there. Make it with: sightline transit import FEED --into \(path)"
    case .damaged(let path): "\(path) is no schedule file, or it is damaged. Import the feed again."
    case .otherVersion(let path, let version):
      "\(path) has the form \(version), this program reads \(ScheduleFormat.version). Import the feed again."
    case .missingRow(let table, let number):
      "The schedule file has no row \(number) in \(table). Import the feed again."
    case .damagedRow(let table, let number):
      "Row \(number) in \(table) of the schedule file is damaged. Import the feed again."
    }
  }
}

/// What was read before, bounded in size.
private struct PatternCache {
  private static let mostTimes = 4 << 20
  private static let mostRows = 100_000

  var patterns: [Int: TripPattern] = [:]
  var trips: [Int: ScheduleTrip] = [:]
  var texts: [Int: String] = [:]
  var tripNumbers: [String: Int] = [:]
  private var times = 0
  private var old = Old()

  /// What had to go, to be taken apart outside the lock: 100,000 rows take milliseconds.
  struct Old {
    var trips: [Int: ScheduleTrip] = [:]
    var tripNumbers: [String: Int] = [:]
  }

  mutating func takeOld() -> Old {
    defer { old = Old() }
    return old
  }

  /// Returns what had to go.
  mutating func insert(_ pattern: TripPattern, as number: Int) -> [Int: TripPattern] {
    var old: [Int: TripPattern] = [:]
    times += pattern.size
    if times > Self.mostTimes {
      swap(&old, &patterns)
      times = pattern.size
    }
    patterns[number] = pattern
    return old
  }

  mutating func insert(tripID: String, as number: Int) {
    if tripNumbers.count >= Self.mostRows { swap(&old.tripNumbers, &tripNumbers) }
    tripNumbers[tripID] = number
  }

  mutating func insert(_ trip: ScheduleTrip, as number: Int) {
    if trips.count >= Self.mostRows { swap(&old.trips, &trips) }
    trips[number] = trip
  }

  mutating func insert(_ text: String, as number: Int) {
    if texts.count >= Self.mostRows { texts.removeAll() }
    texts[number] = text
  }
}
