/// A departure as it is shown: by the schedule, with what is known of today.
public struct BoardDeparture: Sendable, Equatable {
  /// How it stands.
  public enum State: String, Sendable {
    /// By the schedule; nothing is known of today.
    case scheduled
    /// With a prediction.
    case live
    /// The run is cancelled.
    case cancelled
    /// The vehicle passes the stop by.
    case skipped
    /// Beyond the schedule.
    case added
  }

  /// Id of the trip in the feed.
  public let trip: String
  /// The run; `nil` for one beyond the schedule.
  public let run: TripRun?
  /// Number of the route; `nil` for an added run that names none.
  public let route: Int?
  /// Number of the stop, the assigned platform if it was moved.
  public let stop: Int
  /// stop_sequence.
  public let sequence: Int
  /// What the vehicle shows.
  public let headsign: String
  /// By the schedule, POSIX seconds; of an added run its only time.
  public let scheduled: Int
  /// Whether the timetable promises that time: not for an added run, nor for a trip that runs at intervals.
  public let isPromised: Bool
  /// Predicted, POSIX seconds; `nil` unknown.
  public let expected: Int?
  /// Where the prediction comes from.
  public let source: RunPrediction.Source
  /// How it stands.
  public let state: State
  /// Whether the scheduled time is approximate.
  public let isApproximate: Bool
  /// pickup_type.
  public let pickup: Int
  /// When the prediction was made, POSIX seconds; 0 without one.
  public let measured: Int

  /// The time to go by.
  public var time: Int { expected ?? scheduled }
}

extension Schedule {
  /// The departures of a time with what is known of today, ordered by expected time, then trip id.
  ///
  /// Departures that should have left in the `slack` before are shown while they are expected in the period. What is
  /// cancelled or skipped stays at its scheduled time. A call that was moved to another stop is listed there.
  ///
  /// - Parameters:
  ///   - stops: numbers of calling stops.
  ///   - period: POSIX seconds; what is scheduled in it counts, however late it is expected.
  ///   - realtime: what is known.
  ///   - slack: seconds.
  ///   - isFresh: whether a prediction measured at a time (POSIX seconds) still counts.
  /// - Returns: the departures.
  /// - Throws: ``ScheduleError``, or a database error.
  public func board(
    at stops: [Int],
    in period: Range<Int>,
    realtime: RealtimeState = RealtimeState(),
    slack: Int = 3600,
    isFresh: (Int) -> Bool = { _ in true }
  ) throws -> [BoardDeparture] {
    let early = realtime.runs.isEmpty ? 0 : slack
    let wanted = Set(stops)
    var board: [BoardDeparture] = []
    for departure in try departures(at: stops, in: (period.lowerBound - early)..<period.upperBound) {
      let prediction = realtime.runs[departure.run].flatMap { isFresh($0.timestamp) ? $0 : nil }
      guard let shown = try shown(departure, prediction), shown.time >= period.lowerBound else { continue }
      if wanted.contains(shown.stop) { board.append(shown) }
    }
    for stop in wanted {
      for departure in Self.slice(realtime.moved[stop], from: period.lowerBound - slack, to: period.upperBound, \.time)
      where !wanted.contains(departure.stop) {
        let prediction = realtime.runs[departure.run].flatMap { isFresh($0.timestamp) ? $0 : nil }
        guard prediction != nil, let shown = try shown(departure, prediction), shown.time >= period.lowerBound
        else { continue }
        board.append(shown)
      }
      for departure in Self.slice(realtime.added[stop], from: period.lowerBound, to: period.upperBound, \.time)
      where isFresh(departure.timestamp) {
        board.append(try shown(departure, at: stop))
      }
    }
    return board.sorted {
      ($0.time, $0.trip, $0.sequence, $0.scheduled) < ($1.time, $1.trip, $1.sequence, $1.scheduled)
    }
  }

  /// The part of a list in order that lies in a time, at most ``mostDepartures``.
  private static func slice<Element>(
    _ list: [Element]?,
    from start: Int,
    to end: Int,
    _ time: KeyPath<Element, Int>
  ) -> ArraySlice<Element> {
    guard let list, start < end else { return [] }
    func first(notBefore limit: Int) -> Int {
      var low = 0
      var high = list.count
      while low < high {
        let middle = (low + high) / 2
        if list[middle][keyPath: time] >= limit { high = middle } else { low = middle + 1 }
      }
      return low
    }
    return list[first(notBefore: start)..<first(notBefore: end)].prefix(mostDepartures)
  }

  private func shown(_ departure: RealtimeState.AddedDeparture, at stop: Int) throws -> BoardDeparture {
    let interval = departure.interval
    return BoardDeparture(
      trip: departure.trip,
      run: interval?.run,
      route: departure.route,
      stop: stop,
      sequence: departure.sequence,
      headsign: try interval.map { try headsign(trip: $0.run.trip, place: $0.place) }
        ?? (stops.indices.contains(departure.destination) ? stops[departure.destination].name : ""),
      scheduled: interval?.nominal ?? departure.time,
      isPromised: false,
      expected: departure.time,
      source: interval?.source ?? .update,
      state: interval == nil ? .added : .live,
      isApproximate: false,
      pickup: 0,
      measured: departure.timestamp
    )
  }

  private func shown(_ departure: ScheduledDeparture, _ prediction: RunPrediction?) throws -> BoardDeparture? {
    var state = BoardDeparture.State.scheduled
    var call = RunPrediction.Call()
    switch prediction?.state {
    case .deleted: return nil
    case .cancelled: state = .cancelled
    case .running:
      if let calls = prediction?.calls, calls.indices.contains(departure.place) { call = calls[departure.place] }
      if call.source == .skipped { state = .skipped } else if call.departure != nil { state = .live }
    case nil: break
    }
    let trip = try trip(departure.run.trip)
    return BoardDeparture(
      trip: trip.id,
      run: departure.run,
      route: trip.route,
      stop: call.assignedStop ?? departure.stop,
      sequence: departure.sequence,
      headsign: try headsign(trip: departure.run.trip, place: departure.place),
      scheduled: departure.time,
      isPromised: true,
      expected: call.departure,
      source: call.source,
      state: state,
      isApproximate: departure.isApproximate,
      pickup: departure.pickup,
      measured: prediction?.timestamp ?? 0
    )
  }
}
