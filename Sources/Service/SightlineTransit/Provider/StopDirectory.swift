import Foundation
import SightlineGeodesy
import SightlineInput

/// The stops and lines of a provider, held in memory.
///
/// Stops have numbers from 0, which mean nothing in another directory.
public protocol StopDirectory: Sendable {
  /// How many stops riders can find, platforms of a station not counted.
  var count: Int { get }
  /// All lines.
  var lines: [TransitLine] { get }
  /// First and last day for which there are departures; `nil` when that is not known.
  var days: ClosedRange<ServiceDay>? { get }
  /// Time zone of the stops.
  var timeZone: TimeZone { get }
  /// Time zone in which times are shown at a stop, where that is another one.
  func timeZone(of number: Int) -> TimeZone
  /// South, west, north, east, degrees; `nil` without stops.
  var bounds: (south: Double, west: Double, north: Double, east: Double)? { get }

  /// Languages in which names are known beside the provider's own.
  var languages: Set<String> { get }

  /// What a vehicle on a trip (empty: unknown) shows, in a language; as it is where that is not known.
  func headsign(_ text: String, trip: String, language: String) -> String

  /// A stop, its name in a language if the provider has it.
  func stop(_ number: Int, language: String?) -> TransitStop
  /// A stop's id.
  func id(of number: Int) -> String
  /// A stop's number; platforms of stations have one too.
  func number(of id: String) -> Int?
  /// A stop that was in use until lately, at a time (POSIX seconds).
  func retired(_ id: String, at time: Int) -> TransitStop?
  /// Lines that call at a stop, in the order in which they are listed.
  func lines(at number: Int) -> [TransitLine]
  /// Stops nearest to a place, nearest first; at one distance by their ids.
  func nearest(_ limit: Int, to place: Geodetic, radius: Double?) -> [StopSearch.Found]
  /// Stops whose names fit, best first, nearest first among equals.
  func named(_ query: StopQuery, limit: Int, near place: Geodetic) -> [NamedStop]
  /// The ways of lines within a radius (metres) of a place.
  func paths(around place: Geodetic, radius: Double) throws(ProviderFailure) -> [LinePaths]
}

/// The ways of one line near a place.
public struct LinePaths: Sendable {
  /// The line.
  public let line: TransitLine
  /// Whether they are the feed's own, not drawn from stop to stop.
  public let isExact: Bool
  /// Points in degrees.
  public let paths: [[(latitude: Double, longitude: Double)]]
}

extension StopDirectory {
  /// That of all stops.
  public func timeZone(of number: Int) -> TimeZone { timeZone }

  /// The id of the whole stop.
  public func id(of number: Int) -> String { stop(number, language: nil).id }

  /// No other languages.
  public var languages: Set<String> { [] }

  /// As it is.
  public func headsign(_ text: String, trip: String, language: String) -> String { text }

  /// Nothing is known of earlier stops.
  public func retired(_ id: String, at time: Int) -> TransitStop? { nil }

  /// No ways are known.
  public func paths(around place: Geodetic, radius: Double) throws(ProviderFailure) -> [LinePaths] { [] }

  /// Seconds east of UTC at a time (POSIX seconds); at a stop when its number is given.
  package func offset(at time: Int, stop: Int? = nil) -> Int {
    ServiceClock.offset(of: stop.map { timeZone(of: $0) } ?? timeZone, at: time)
  }

  static func bounds(
    _ positions: some Sequence<(Double, Double)>
  ) -> (south: Double, west: Double, north: Double, east: Double)? {
    var bounds: (south: Double, west: Double, north: Double, east: Double)?
    for (latitude, longitude) in positions where latitude.isFinite && longitude.isFinite {
      let b = bounds ?? (latitude, longitude, latitude, longitude)
      bounds = (min(b.0, latitude), min(b.1, longitude), max(b.2, latitude), max(b.3, longitude))
    }
    return bounds
  }
}

/// Stops from a list, for providers that are asked stop by stop.
public struct ListDirectory: StopDirectory {
  /// A stop with the lines that call there, where they are known.
  public struct Entry: Sendable {
    /// The stop.
    public var stop: TransitStop
    /// Its lines.
    public var lines: [TransitLine]

    /// A stop with its lines.
    public init(stop: TransitStop, lines: [TransitLine] = []) {
      self.stop = stop
      self.lines = lines
    }
  }

  /// Time zone of the stops.
  public let timeZone: TimeZone
  /// All lines.
  public let lines: [TransitLine]
  /// South, west, north, east, degrees.
  public let bounds: (south: Double, west: Double, north: Double, east: Double)?
  private let entries: [Entry]
  private let numbers: [String: Int]
  private let index: GeodeticIndex
  private let names = StopNames()

  /// A directory of these stops; of two with one id the first counts.
  public init(_ entries: [Entry], timeZone: TimeZone) {
    var numbers: [String: Int] = [:]
    var kept: [Entry] = []
    for var entry in entries where numbers[entry.stop.id] == nil {
      numbers[entry.stop.id] = kept.count
      if entry.lines.count > 1 {
        entry.lines = entry.lines.prefix(ScheduleDirectory.mostLines).map { (line: $0, order: LineOrder($0.name)) }
          .sorted { $0.order < $1.order }.map(\.line)
      }
      kept.append(entry)
    }
    self.entries = kept
    self.numbers = numbers
    self.timeZone = timeZone
    var seen: Set<String> = []
    lines = kept.flatMap(\.lines).filter { seen.insert($0.id).inserted }
    index = GeodeticIndex(latitudes: kept.map(\.stop.latitude), longitudes: kept.map(\.stop.longitude))
    bounds = Self.bounds(kept.map { ($0.stop.latitude, $0.stop.longitude) })
  }

  /// How many stops there are.
  public var count: Int { entries.count }
  /// Not known.
  public var days: ClosedRange<ServiceDay>? { nil }
  /// A stop; lists have one language.
  public func stop(_ number: Int, language: String?) -> TransitStop { entries[number].stop }
  /// A stop's number.
  public func number(of id: String) -> Int? { numbers[id] }
  /// Lines that call at a stop.
  public func lines(at number: Int) -> [TransitLine] { entries[number].lines }

  /// Stops nearest to a place.
  public func nearest(_ limit: Int, to place: Geodetic, radius: Double?) -> [StopSearch.Found] {
    index.nearest(limit, to: place, radius: radius) { entries[$0].stop.id }
  }

  /// Stops whose names fit.
  public func named(_ query: StopQuery, limit: Int, near place: Geodetic) -> [NamedStop] {
    names.find(query, limit: limit, near: place, among: entries.indices) { entries[$0].stop }
  }
}

extension GeodeticIndex {
  private static var mostAtOnePlace: Int { 1000 }

  /// The nearest places, nearest first; at one distance by the ids given for their numbers.
  func nearest(_ limit: Int, to place: Geodetic, radius: Double?, id: (Int) -> String) -> [StopSearch.Found] {
    var neighbors: [Neighbor] = []
    guard limit > 0 else { return [] }
    // One more than asked for tells whether others stand at the distance of the last one.
    let wanted = min(limit, count)
    nearest(wanted.saturatingAdd(1), to: place, within: radius ?? .infinity, into: &neighbors)
    if neighbors.count > wanted, neighbors[wanted].distance == neighbors[wanted - 1].distance {
      // Those, to be ordered by their ids; of more than a thousand at one place (a feed may put all of them there) some.
      nearest(
        wanted.saturatingAdd(Self.mostAtOnePlace),
        to: place,
        within: neighbors[wanted].distance,
        into: &neighbors
      )
      neighbors.removeAll { $0.distance > radius ?? .infinity }
    }
    var found = neighbors.map { StopSearch.Found(stop: Int($0.index), distance: $0.distance) }
    var start = 0
    while start < found.count {
      var end = start + 1
      while end < found.count, found[end].distance == found[start].distance { end += 1 }
      if end - start > 1 { found[start..<end].sort { id($0.stop) < id($1.stop) } }
      start = end
    }
    if found.count > limit { found.removeLast(found.count - limit) }
    return found
  }
}
