import SightlineInput

/// What is predicted for one run, call by call.
public struct RunPrediction: Sendable, Equatable {
  /// Where a prediction comes from.
  public enum Source: String, Sendable {
    /// Said for this call.
    case update
    /// The delay of an earlier call.
    case propagated
    /// The vehicle does not call.
    case skipped
    /// Nothing is known.
    case none
  }

  /// The run as a whole.
  public enum State: Sendable, Equatable {
    case running
    case cancelled
    /// Cancelled, and not to be shown.
    case deleted
  }

  /// One call.
  ///
  /// Times are POSIX seconds, `nil` unknown.
  public struct Call: Sendable, Equatable {
    // A message of a country has a million calls: 24 bytes each instead of 56.
    private static let unknown = Int.min
    private var arrivalTime = unknown
    private var departureTime = unknown
    private var assigned: Int32 = -1
    /// Where they come from.
    public var source = Source.none

    /// Expected arrival.
    public var arrival: Int? {
      get { arrivalTime == Self.unknown ? nil : arrivalTime }
      set { arrivalTime = newValue ?? Self.unknown }
    }
    /// Expected departure.
    public var departure: Int? {
      get { departureTime == Self.unknown ? nil : departureTime }
      set { departureTime = newValue ?? Self.unknown }
    }
    /// Number of the stop it was moved to.
    public var assignedStop: Int? {
      get { assigned < 0 ? nil : Int(assigned) }
      set { assigned = newValue.flatMap { Int32(checked: $0) } ?? -1 }
    }

    /// A call of which nothing is known.
    public init() {}
  }

  /// The run as a whole.
  public var state = State.running
  /// By place in the trip's pattern; empty when the run does not run.
  public var calls: [Call] = []
  /// When it was measured, POSIX seconds.
  public var timestamp = 0
  /// Updates that name no call of the trip, or not which.
  public var unmatchedCalls = 0
}

/// The scheduled times of one run.
struct RunSchedule {
  let pattern: TripPattern
  let profile: Int32
  /// Instant of the first departure.
  let firstDeparture: Int

  func arrival(_ place: Int) -> Int { firstDeparture + pattern.arrival(place, profile: profile) }
  func departure(_ place: Int) -> Int { firstDeparture + pattern.departure(place, profile: profile) }

  /// From the first departure to the last arrival.
  var period: ClosedRange<Int> {
    let start = departure(0)
    return start...max(start, arrival(pattern.calls.count - 1))
  }
}

extension RunPrediction {
  /// Carries the updates along the trip.
  ///
  /// A delay holds until the next update; skipped calls pass it on; after "no data" nothing is known. Predictions are taken as
  /// given, except that a vehicle does not leave a stop before it gets there.
  init(_ updates: [RealtimeMessage.Call], of run: RunSchedule, stopNumber: (String) -> Int?) {
    let placed = Self.place(updates, on: run.pattern, stopNumber: stopNumber)
    unmatchedCalls = placed.unmatched
    var delay: Int?
    calls.reserveCapacity(run.pattern.calls.count)
    for place in run.pattern.calls.indices {
      let number = Int(placed.numbers[place])
      if number < 0 {
        calls.append(Self.call(delay, run, place))
      } else {
        calls.append(Self.call(updates[number], &delay, run, place, stopNumber))
      }
    }
  }

  /// A call of which an update speaks.
  private static func call(
    _ update: borrowing RealtimeMessage.Call,
    _ delay: inout Int?,
    _ run: RunSchedule,
    _ place: Int,
    _ stopNumber: (String) -> Int?
  ) -> Call {
    var call = Call()
    if !update.assignedStop.isEmpty { call.assignedStop = stopNumber(update.assignedStop) }
    switch update.relationship {
    case .skipped:
      call.source = .skipped
      return call
    case .noData:
      delay = nil
      return call
    default: break
    }
    let arrivalDelay = Self.delay(update.arrival, scheduled: run.arrival(place))
    let departureDelay = Self.delay(update.departure, scheduled: run.departure(place))
    guard arrivalDelay != nil || departureDelay != nil else {
      let assigned = call.assignedStop
      call = Self.call(delay, run, place)
      call.assignedStop = assigned
      return call
    }
    call.source = .update
    call.arrival = (arrivalDelay ?? delay).map { run.arrival(place) + $0 }
    delay = departureDelay ?? arrivalDelay
    call.departure = delay.map { max(call.arrival ?? .min, run.departure(place) + $0) }
    return call
  }

  /// A call to which a delay is carried.
  private static func call(_ delay: Int?, _ run: RunSchedule, _ place: Int) -> Call {
    var call = Call()
    guard let delay else { return call }
    call.source = .propagated
    let arrival = run.arrival(place) + delay
    call.arrival = arrival
    call.departure = max(arrival, run.departure(place) + delay)
    return call
  }

  /// Seconds late; a time wins over a delay.
  ///
  /// What is late or early by weeks is a mistake: nothing is known then.
  private static func delay(_ event: RealtimeMessage.Event?, scheduled: Int) -> Int? {
    guard let delay = event?.time.map({ $0.saturatingSubtract(scheduled) }) ?? event?.delay else { return nil }
    let most = RealtimeLimits.longestDelay
    return (-most...most).contains(delay) ? delay : nil
  }

  /// Finds the call that each update means: for each call the update's number, -1 for none.
  ///
  /// Where sequence and stop disagree the stop wins if the trip calls there once: producers renumber.
  private static func place(
    _ updates: [RealtimeMessage.Call],
    on pattern: TripPattern,
    stopNumber: (String) -> Int?
  ) -> (numbers: [Int32], unmatched: Int) {
    var numbers = [Int32](repeating: -1, count: pattern.calls.count)
    var unmatched = 0
    var last = -1
    var stops = CallsByStop(pattern.calls)
    for number in updates.indices {
      guard updates[number].relationship != nil,
        let place = place(of: updates[number], on: pattern, after: last, &stops, stopNumber: stopNumber)
      else {
        unmatched += 1
        continue
      }
      numbers[place] = Int32(clamped: number)
      last = place
    }
    return (numbers, unmatched)
  }

  private static func place(
    of update: borrowing RealtimeMessage.Call,
    on pattern: TripPattern,
    after last: Int,
    _ stops: inout CallsByStop,
    stopNumber: (String) -> Int?
  ) -> Int? {
    let bySequence = update.sequence.flatMap { Self.place(ofSequence: $0, in: pattern.calls, after: last) }
    if update.stop.isEmpty { return bySequence }
    guard let stop = stopNumber(update.stop) else { return nil }
    if let bySequence, Int(pattern.calls[bySequence].stop) == stop { return bySequence }
    if let only = stops.only(stop) { return only }
    // By name alone a loop's two calls are told apart by their order.
    return update.sequence == nil ? stops.first(stop, after: last) : nil
  }

  /// Updates come in order, so the call is mostly the one after the one before; else it is searched, for the numbers rise.
  private static func place(ofSequence sequence: Int, in calls: [TripPattern.Call], after last: Int) -> Int? {
    if last + 1 < calls.count, Int(calls[last + 1].sequence) == sequence { return last + 1 }
    var low = 0
    var high = calls.count
    while low < high {
      let middle = (low + high) / 2
      if Int(calls[middle].sequence) < sequence { low = middle + 1 } else { high = middle }
    }
    return low < calls.count && Int(calls[low].sequence) == sequence ? low : nil
  }
}

/// Where a trip calls at a stop: looked through while the trip is short, by an index when it has many calls.
private struct CallsByStop {
  private static let mostSearched = 64

  private let calls: [TripPattern.Call]
  /// Places of the calls ordered by stop, then place; made at the first question.
  private var order: [Int32] = []

  init(_ calls: [TripPattern.Call]) { self.calls = calls }

  /// The place of the only call at a stop.
  mutating func only(_ stop: Int) -> Int? {
    let found = range(stop)
    return found.count == 1 ? place(found.lowerBound) : nil
  }

  /// The first call at a stop behind a place.
  mutating func first(_ stop: Int, after last: Int) -> Int? {
    let found = range(stop)
    var low = found.lowerBound
    var high = found.upperBound
    while low < high {
      let middle = (low + high) / 2
      if place(middle) <= last { low = middle + 1 } else { high = middle }
    }
    return low < found.upperBound ? place(low) : nil
  }

  private func place(_ index: Int) -> Int { Int(order[index]) }

  /// Where in the order a stop's calls are.
  private mutating func range(_ stop: Int) -> Range<Int> {
    if calls.count <= Self.mostSearched {
      order.removeAll(keepingCapacity: true)
      for place in calls.indices where Int(calls[place].stop) == stop { order.append(Int32(truncatingIfNeeded: place)) }
      return order.indices
    }
    if order.isEmpty {
      order = calls.indices.map { Int32(truncatingIfNeeded: $0) }
        .sorted { (calls[Int($0)].stop, $0) < (calls[Int($1)].stop, $1) }
    }
    func first(_ holds: (Int) -> Bool) -> Int {
      var low = 0
      var high = order.count
      while low < high {
        let middle = (low + high) / 2
        if holds(Int(calls[Int(order[middle])].stop)) { high = middle } else { low = middle + 1 }
      }
      return low
    }
    let start = first { $0 >= stop }
    return start..<first { $0 > stop }
  }
}
