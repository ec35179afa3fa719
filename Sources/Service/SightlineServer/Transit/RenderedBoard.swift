import NIOCore
import SightlineTransit

/// A board as JSON, made once for all who ask while it is in the cache.
///
/// Departures lie one after the other in the order of their times, each with a comma before it: an answer takes the run that is
/// still to come, up to its limit, in one copy.
final class RenderedBoard: Sendable {
  /// The stop's own members in the feed's language.
  let stop: ByteBuffer
  /// Ids of all notices that are named.
  let alerts: [String]
  /// Members of the forecast that do not depend on who asks.
  private let intervals: ByteBuffer
  private let stopAlerts: ByteBuffer
  private let departures: ByteBuffer
  private let times: [Int]
  private let ends: [Int]

  private init(_ board: ProviderBoard, stop: ByteBuffer, provider: String, directory: any StopDirectory) {
    self.stop = stop
    var offset = OffsetMemory(directory)
    var named = board.alerts
    var seen = Set(named)
    var json = JSONWriter(capacity: 64 + board.departures.count * 420)
    // A first value so that each of the following begins with a comma.
    json.value(0)
    var times: [Int] = []
    var ends = [json.buffer.writerIndex]
    for departure in board.departures {
      TransitJSON.write(departure, provider: provider, offset: &offset, to: &json)
      times.append(departure.time)
      ends.append(json.buffer.writerIndex)
      for id in departure.alerts where seen.insert(id).inserted { named.append(id) }
    }
    departures = json.buffer
    self.times = times
    self.ends = ends
    alerts = named
    json = JSONWriter(capacity: 64)
    json.beginArray()
    for interval in board.intervals { TransitJSON.write(interval, provider: provider, offset: &offset, to: &json) }
    json.endArray()
    intervals = json.buffer
    json = JSONWriter(capacity: 64)
    json.beginArray()
    for id in board.alerts { json.value("\(provider):\(id)") }
    json.endArray()
    stopAlerts = json.buffer
  }

  /// The rendering of a board, made at the first call.
  static func of(
    _ board: ProviderBoard,
    provider: String,
    directory: any StopDirectory,
    number: Int
  ) -> RenderedBoard {
    if let made = board.rendering.withLock({ $0 as? RenderedBoard }) { return made }
    let stop = TransitJSON.stopMembers(number, in: directory, provider: provider, language: nil)
    let made = RenderedBoard(board, stop: stop, provider: provider, directory: directory)
    board.rendering.withLock { $0 = made }
    return made
  }

  /// Writes `"intervals"`, `"alerts"` and `"departures"` for a time.
  func write(from: Int, window: Int, limit: Int, to json: inout JSONWriter) {
    // In the order of time: a binary search finds the first that is still to come, another the first beyond the window.
    let first = partition(from)
    let last = min(first + limit, max(first, partition(from + window)))
    json.name("intervals")
    json.raw(intervals.readableBytesView)
    json.name("alerts")
    json.raw(stopAlerts.readableBytesView)
    json.name("departures")
    json.beginArray()
    if first < last {
      departures.withUnsafeReadableBytes { bytes in
        json.rawMembers(UnsafeRawBufferPointer(rebasing: bytes[(ends[first] + 1)..<ends[last]]))
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
  private var hour = Int.min
  private var offset = 0

  init(_ directory: any StopDirectory) { self.directory = directory }

  /// Seconds east of UTC; zones change at full quarters of an hour.
  mutating func at(_ time: Int) -> Int {
    let quarter = time / 900
    if quarter != hour {
      hour = quarter
      offset = directory.offset(at: time)
    }
    return offset
  }
}
