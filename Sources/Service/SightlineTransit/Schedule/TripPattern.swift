import Foundation

/// Trips that call at the same stops in the same way, with their times; see ``ScheduleFormat``.
struct TripPattern: Sendable {
  struct Call: Sendable {
    let stop: Int32
    let sequence: Int32
    /// Number of the text, -1 for none.
    let headsign: Int32
    let flags: UInt32

    var pickup: Int { Int(flags & 3) }
    var dropOff: Int { Int(flags >> 2 & 3) }
    var isApproximate: Bool { flags & 1 << 4 != 0 }
  }

  struct TimedTrip: Sendable {
    let trip: Int32
    let service: Int32
    let profile: Int32
    /// Second of the service day of the first departure.
    let start: Int32
  }

  struct RepeatedTrip: Sendable {
    let trip: Int32
    let service: Int32
    let profile: Int32
    let first: Int32
    let end: Int32
    let headway: Int32
    let isExact: Bool
  }

  let calls: [Call]
  /// Ordered by start.
  let timed: [TimedTrip]
  let repeated: [RepeatedTrip]
  /// For each profile and call arrival and departure, in seconds from the first departure.
  private let times: [Int32]
  /// For each call the earliest and the latest departure of any profile.
  private let bounds: [(earliest: Int32, latest: Int32)]

  /// Numbers held, for the cache.
  var size: Int { times.count + 4 * (calls.count + timed.count) + 7 * repeated.count }

  init(calls: Data, profiles: Data, timed: Data, repeated: Data) {
    self.calls = Self.read(calls) {
      Call(
        stop: $0.integer(),
        sequence: $0.integer(),
        headsign: $0.integer(),
        flags: UInt32(bitPattern: $0.integer())
      )
    }
    self.timed = Self.read(timed) {
      TimedTrip(trip: $0.integer(), service: $0.integer(), profile: $0.integer(), start: $0.integer())
    }
    self.repeated = Self.read(repeated) {
      RepeatedTrip(
        trip: $0.integer(),
        service: $0.integer(),
        profile: $0.integer(),
        first: $0.integer(),
        end: $0.integer(),
        headway: max(1, $0.integer()),
        isExact: $0.integer() == 1
      )
    }
    let callCount = self.calls.count
    var times: [Int32] = []
    let lists = Self.read(profiles) { reader in
      var last: Int32 = 0
      var list: [Int32] = []
      for _ in 0..<callCount {
        let arrival = last &+ reader.variable()
        last = arrival &+ reader.variable()
        list += [arrival, last]
      }
      return list
    }
    for list in lists { times += list }
    self.times = times
    bounds = (0..<callCount).map { call in
      let departures = stride(from: 2 * call + 1, to: times.count, by: 2 * callCount).map { times[$0] }
      return (departures.min() ?? 0, departures.max() ?? 0)
    }
  }

  private static func read<Element>(_ data: Data, _ element: (inout PackedReader) -> Element) -> [Element] {
    data.withUnsafeBytes { raw in
      var reader = PackedReader(raw.bindMemory(to: UInt8.self))
      var list: [Element] = []
      while !reader.isAtEnd { list.append(element(&reader)) }
      return list
    }
  }

  /// Seconds from a trip's first departure to its arrival at a call.
  func arrival(_ call: Int, profile: Int32) -> Int { Int(times[2 * (Int(profile) * calls.count + call)]) }

  /// Seconds from a trip's first departure to its departure from a call.
  func departure(_ call: Int, profile: Int32) -> Int { Int(times[2 * (Int(profile) * calls.count + call) + 1]) }

  /// Trips that may leave a call at `seconds` of the service day: a few more than do.
  func candidates(leaving call: Int, in seconds: Range<Int>) -> ArraySlice<TimedTrip> {
    let (earliest, latest) = bounds[call]
    let from = partition { Int($0.start) >= seconds.lowerBound - Int(latest) }
    let to = partition { Int($0.start) >= seconds.upperBound - Int(earliest) }
    return timed[from..<max(from, to)]
  }

  /// The first trip for which the condition holds; it holds for all after it.
  private func partition(_ holds: (TimedTrip) -> Bool) -> Int {
    var low = 0
    var high = timed.count
    while low < high {
      let middle = (low + high) / 2
      if holds(timed[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
