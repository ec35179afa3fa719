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
  /// From the first start of any repeated trip to the last; `nil` without.
  let repeatedStarts: ClosedRange<Int32>?

  /// Numbers held, for the cache.
  var size: Int { times.count + 4 * (calls.count + timed.count) + 7 * repeated.count }

  /// What the numbers in a pattern may refer to.
  struct Limits {
    let stops: Int
    let services: Int
  }

  /// Most calls of a trip: an import takes no longer ones.
  static let mostCalls = 10_000

  /// Unpacks a pattern; `nil` when a part of it is cut off, is not in order, or refers to what there is not.
  ///
  /// What is checked here need not be checked by whoever uses it: stops and services exist, profiles have a time for each call, seconds
  /// are such that sums of them stay far from the ends of `Int`.
  init?(calls: Data, profiles: Data, timed: Data, repeated: Data, limits: Limits) {
    guard !calls.isEmpty, calls.count % 16 == 0, calls.count / 16 <= Self.mostCalls, timed.count % 16 == 0,
      repeated.count % 28 == 0
    else { return nil }
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
        headway: $0.integer(),
        isExact: $0.integer() == 1
      )
    }
    guard let times = Self.times(profiles, calls: self.calls.count) else { return nil }
    self.times = times
    let profileCount = times.count / (2 * self.calls.count)
    let seconds = 0...ScheduleFormat.longestTime
    func exists(_ service: Int32, _ profile: Int32) -> Bool {
      service >= 0 && Int(service) < limits.services && profile >= 0 && Int(profile) < profileCount
    }
    guard self.calls.allSatisfy({ $0.stop >= 0 && Int($0.stop) < limits.stops }),
      zip(self.calls, self.calls.dropFirst()).allSatisfy({ $0.sequence < $1.sequence }),
      self.timed.allSatisfy({ $0.trip >= 0 && exists($0.service, $0.profile) && seconds.contains($0.start) }),
      zip(self.timed, self.timed.dropFirst()).allSatisfy({ $0.start <= $1.start }),
      self.repeated.allSatisfy({
        $0.trip >= 0 && exists($0.service, $0.profile) && seconds.contains($0.first) && seconds.contains($0.end)
          && $0.headway > 0
      })
    else { return nil }
    var bounds = [(earliest: Int32, latest: Int32)](repeating: (.max, .min), count: self.calls.count)
    var place = 0
    for _ in 0..<profileCount {
      for call in bounds.indices {
        let departure = times[place + 1]
        bounds[call] = (min(bounds[call].earliest, departure), max(bounds[call].latest, departure))
        place += 2
      }
    }
    if profileCount == 0 { for call in bounds.indices { bounds[call] = (0, 0) } }
    self.bounds = bounds
    let first = self.repeated.map(\.first).min()
    let last = self.repeated.map(\.end).max()
    repeatedStarts = first.flatMap { first in last.flatMap { $0 >= first ? first...$0 : nil } }
  }

  /// The times of all profiles; `nil` when the last one is not whole, or a time is one that no trip reaches.
  private static func times(_ data: Data, calls: Int) -> [Int32]? {
    data.withUnsafeBytes { raw in
      var reader = PackedReader(raw.bindMemory(to: UInt8.self))
      var times: [Int32] = []
      // Two numbers a call, each of at least one byte.
      times.reserveCapacity(raw.count)
      let believed = -ScheduleFormat.longestTime...ScheduleFormat.longestTime
      while !reader.isAtEnd {
        var last: Int32 = 0
        for _ in 0..<calls {
          guard !reader.isAtEnd else { return nil }
          let arrival = last &+ reader.variable()
          guard !reader.isAtEnd else { return nil }
          last = arrival &+ reader.variable()
          guard believed.contains(arrival), believed.contains(last) else { return nil }
          times.append(arrival)
          times.append(last)
        }
      }
      return times
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

  /// Whether some repeated trip may leave a call at `seconds` of the service day.
  func mayRepeat(_ call: Int, in seconds: Range<Int>) -> Bool {
    guard let starts = repeatedStarts else { return false }
    let (earliest, latest) = bounds[call]
    return Int(starts.lowerBound) + Int(earliest) < seconds.upperBound
      && Int(starts.upperBound) + Int(latest) >= seconds.lowerBound
  }

  /// The starts of an exactly repeated trip that leave a call at `seconds` of the service day, ascending.
  func starts(of trip: RepeatedTrip, leaving call: Int, in seconds: Range<Int>) -> StrideTo<Int> {
    let offset = departure(call, profile: trip.profile)
    let headway = Int(trip.headway)
    let earliest = seconds.lowerBound - offset
    let skipped = max(0, (earliest - Int(trip.first) + headway - 1) / headway)
    return stride(
      from: Int(trip.first) + skipped * headway,
      to: min(Int(trip.end), seconds.upperBound - offset),
      by: headway
    )
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
