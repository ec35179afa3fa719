import NIOCore
import SightlineInput
import SightlineTransit
import Synchronization

/// A board as JSON, made once for all who ask while the board is in its provider's cache (``of(_:provider:directory:number:language:)``).
///
/// Departures lie one after the other in the order of their times, each with a comma before it: an answer takes the run that is
/// still to come, up to its limit, in one copy.
final class RenderedBoard: Sendable {
  /// The stop's own members in the feed's language.
  let stop: ByteBuffer
  /// Where the stop is, degrees.
  let place: (latitude: Double, longitude: Double)
  /// What comes after the stop's own members when nothing is missing, up to the age of the data.
  let plainHead: ByteBuffer
  /// Ids of all notices that are named.
  let alerts: [String]
  /// Members of the forecast that do not depend on who asks.
  private let intervals: ByteBuffer
  private let stopAlerts: ByteBuffer
  private let departures: ByteBuffer
  private let times: [Int]
  private let ends: [Int]
  /// What comes after the age, for the run that was asked for last: while nothing leaves, that is the same for all who ask.
  private let tail = Mutex<Tail?>(nil)
  /// The same in other languages of the feed, made when they are first asked for.
  private let translations = Mutex<[String: RenderedBoard]>([:])

  private struct Tail {
    let run: Range<Int>
    let bytes: ByteBuffer
  }

  private init(
    _ board: ProviderBoard,
    number: Int,
    provider: String,
    directory: any StopDirectory,
    language: String?
  ) {
    var head = JSONWriter(capacity: 512)
    TransitJSON.stopMembers(number, in: directory, provider: provider, language: language, to: &head)
    stop = head.buffer
    let found = directory.stop(number, language: nil)
    place = (found.latitude, found.longitude)
    var offset = OffsetMemory(directory, stop: number)
    head = JSONWriter(capacity: 160)
    TransitJSON.text("reason", "", to: &head)
    TransitJSON.text("detail", "", to: &head)
    head.name("forecast")
    head.beginObject()
    head.member("state", board.isLive ? "live" : "scheduled")
    head.member("source", board.source)
    TransitJSON.time("updated", board.updated, offset: board.updated.map { offset.at($0) } ?? 0, to: &head)
    plainHead = head.buffer
    var named = board.alerts
    var seen = Set(named)
    var json = JSONWriter(capacity: 64 + board.departures.count * 420)
    // A first value so that each of the following begins with a comma.
    json.value(0)
    var times: [Int] = []
    var ends = [json.count]
    func translated(_ headsign: String, trip: String) -> String {
      language.map { directory.headsign(headsign, trip: trip, language: $0) } ?? headsign
    }
    for var departure in board.departures {
      departure.headsign = translated(departure.headsign, trip: departure.trip)
      TransitJSON.write(departure, provider: provider, offset: &offset, to: &json)
      times.append(departure.time)
      ends.append(json.count)
      for id in departure.alerts where seen.insert(id).inserted { named.append(id) }
    }
    departures = json.buffer
    self.times = times
    self.ends = ends
    alerts = named
    json = JSONWriter(capacity: 64)
    json.beginArray()
    for var interval in board.intervals {
      interval.headsign = translated(interval.headsign, trip: "")
      TransitJSON.write(interval, provider: provider, offset: &offset, to: &json)
    }
    json.endArray()
    intervals = json.buffer
    json = JSONWriter(capacity: 64)
    json.beginArray()
    for id in board.alerts { json.value(id, of: provider) }
    json.endArray()
    stopAlerts = json.buffer
  }

  /// The rendering of a board, made at the first call, with names in a language if the feed has it.
  static func of(
    _ board: ProviderBoard,
    provider: String,
    directory: any StopDirectory,
    number: Int,
    language: String?
  ) -> RenderedBoard {
    board.derived {
      RenderedBoard(board, number: number, provider: provider, directory: directory, language: nil)
    }
    .translated(board, number: number, provider: provider, directory: directory, language: language)
  }

  /// The same with names in a language, made at the first call, if the feed has it.
  private func translated(
    _ board: ProviderBoard,
    number: Int,
    provider: String,
    directory: any StopDirectory,
    language: String?
  ) -> RenderedBoard {
    guard let language, directory.languages.contains(language) else { return self }
    if let known = translations.withLock({ $0[language] }) { return known }
    let other = RenderedBoard(board, number: number, provider: provider, directory: directory, language: language)
    translations.withLock { $0[language] = other }
    return other
  }

  /// Writes `"intervals"`, `"alerts"` and `"departures"` for a time.
  func write(from: Int, window: Int, limit: Int, to json: inout JSONWriter) {
    write(run(from: from, window: window, limit: limit), to: &json)
  }

  /// Writes `"stale": false`, ``write(from:window:limit:to:)`` and the end of the forecast.
  func writeTail(from: Int, window: Int, limit: Int, to json: inout JSONWriter) {
    let run = run(from: from, window: window, limit: limit)
    let known = tail.withLock { $0?.run == run ? $0?.bytes : nil }
    let bytes: ByteBuffer
    if let known {
      bytes = known
    } else {
      var fresh = JSONWriter(capacity: 256 + (run.isEmpty ? 0 : ends[run.upperBound] - ends[run.lowerBound]))
      TransitJSON.flag("stale", false, to: &fresh)
      write(run, to: &fresh)
      fresh.endObject()
      bytes = fresh.buffer
      tail.withLock { $0 = Tail(run: run, bytes: bytes) }
    }
    json.members(bytes)
  }

  /// Departures that are still to come, up to the limit.
  private func run(from: Int, window: Int, limit: Int) -> Range<Int> {
    // In the order of time: a binary search finds the first that is still to come, another the first beyond the window.
    let first = partition(from)
    return first..<max(first, min(first + limit, partition(from.saturatingAdd(window))))
  }

  private func write(_ run: Range<Int>, to json: inout JSONWriter) {
    json.name("intervals")
    json.raw(intervals)
    json.name("alerts")
    json.raw(stopAlerts)
    json.name("departures")
    json.beginArray()
    if !run.isEmpty {
      departures.withUnsafeReadableBytes { bytes in
        json.rawMembers(UnsafeRawBufferPointer(rebasing: bytes[(ends[run.lowerBound] + 1)..<ends[run.upperBound]]))
      }
    }
    json.endArray()
  }

  private func partition(_ time: Int) -> Int {
    var low = 0
    var high = times.count
    while low < high {
      let middle = (low + high) / 2
      if times[middle] >= time { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// Remembers the last offset of a time zone: departures of a board lie within hours.
struct OffsetMemory {
  private let directory: any StopDirectory
  private let stop: Int?
  private var hour = Int.min
  private var offset = 0

  /// Of a directory's zone, or of one of its stops' zone.
  init(_ directory: any StopDirectory, stop: Int? = nil) {
    self.directory = directory
    self.stop = stop
  }

  /// Seconds east of UTC; zones change at full quarters of an hour.
  mutating func at(_ time: Int) -> Int {
    let quarter = time / 900
    if quarter != hour {
      hour = quarter
      offset = directory.offset(at: time, stop: stop)
    }
    return offset
  }
}
