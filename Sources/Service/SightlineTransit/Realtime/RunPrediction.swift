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
    /// Expected arrival.
    public var arrival: Int?
    /// Expected departure.
    public var departure: Int?
    /// Where they come from.
    public var source = Source.none
    /// Number of the stop it was moved to.
    public var assignedStop: Int?
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
    calls = run.pattern.calls.indices.map { place in
      var call = Call()
      let update = placed.updates[place]
      if let update, !update.assignedStop.isEmpty { call.assignedStop = stopNumber(update.assignedStop) }
      switch update?.relationship {
      case .skipped:
        call.source = .skipped
        return call
      case .noData:
        delay = nil
        return call
      default: break
      }
      let arrivalDelay = Self.delay(update?.arrival, scheduled: run.arrival(place))
      let departureDelay = Self.delay(update?.departure, scheduled: run.departure(place))
      if arrivalDelay != nil || departureDelay != nil {
        call.source = .update
        call.arrival = (arrivalDelay ?? delay).map { run.arrival(place) + $0 }
        delay = departureDelay ?? arrivalDelay
      } else if let delay {
        call.source = .propagated
        call.arrival = run.arrival(place) + delay
      }
      call.departure = delay.map { run.departure(place) + $0 }
      if let arrival = call.arrival, let departure = call.departure { call.departure = max(arrival, departure) }
      return call
    }
  }

  /// Seconds late; a time wins over a delay.
  private static func delay(_ event: RealtimeMessage.Event?, scheduled: Int) -> Int? {
    event?.time.map { $0 - scheduled } ?? event?.delay
  }

  /// Finds the call that each update means.
  ///
  /// Where sequence and stop disagree the stop wins if the trip calls there once: producers renumber.
  private static func place(
    _ updates: [RealtimeMessage.Call],
    on pattern: TripPattern,
    stopNumber: (String) -> Int?
  ) -> (updates: [Int: RealtimeMessage.Call], unmatched: Int) {
    var placed: [Int: RealtimeMessage.Call] = [:]
    var unmatched = 0
    var last = -1
    for update in updates {
      guard update.relationship != nil, let place = place(of: update, on: pattern, after: last, stopNumber: stopNumber)
      else {
        unmatched += 1
        continue
      }
      placed[place] = update
      last = place
    }
    return (placed, unmatched)
  }

  private static func place(
    of update: RealtimeMessage.Call,
    on pattern: TripPattern,
    after last: Int,
    stopNumber: (String) -> Int?
  ) -> Int? {
    let bySequence = update.sequence.flatMap { sequence in
      pattern.calls.firstIndex { Int($0.sequence) == sequence }
    }
    if update.stop.isEmpty { return bySequence }
    guard let stop = stopNumber(update.stop) else { return nil }
    if let bySequence, Int(pattern.calls[bySequence].stop) == stop { return bySequence }
    let places = pattern.calls.indices.filter { Int(pattern.calls[$0].stop) == stop }
    if places.count == 1 { return places[0] }
    // By name alone a loop's two calls are told apart by their order.
    return update.sequence == nil ? places.first { $0 > last } : nil
  }
}
