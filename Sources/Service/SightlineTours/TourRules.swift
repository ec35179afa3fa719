public import Foundation

/// Decides what becomes of an event: whether it counts, whether it is right, and what it brings.
///
/// Pure: the same event, tour, schedule and records always have the same outcome, in whatever order other teams play.
public struct TourRules: Sendable {
  /// The tour.
  public let tour: Tour
  /// Its times.
  public let schedule: TourSchedule
  /// Whether answers from virtual phones count: where the tour says so, and when its teacher tries it.
  public let allowsVirtualPhones: Bool

  /// Rules of a run; `isTrial` for the teacher's own try.
  public init(tour: Tour, schedule: TourSchedule, isTrial: Bool = false) {
    self.tour = tour
    self.schedule = schedule
    allowsVirtualPhones = tour.allowsVirtualPhones || isTrial
  }

  /// Judges an event.
  ///
  /// - Parameters:
  ///   - event: What a team did.
  ///   - received: When the server got it; the time that counts.
  ///   - tallies: What became of the team's events before, by station.
  ///   - seed: The team's number for a random order.
  /// - Returns: The record to keep.
  public func judge(
    _ event: TourEvent,
    received: Date,
    tallies: [String: StationTally],
    seed: UInt64
  ) -> TourRecord {
    guard let station = tour.station(event.station) else {
      return record(event, .unknown, nil, refused: .unknownStation)
    }
    let distance = event.fix?.distance(to: station.position)
    let isVirtual = event.fix?.isVirtual == true
    let seen = TourRules.place(of: event.fix, at: station)
    let place = isVirtual ? .virtual : seen
    let (lateness, refusal) = timing(event, station, received: received)
    if let refusal { return record(event, place, distance, refused: refusal) }
    let progress = TourProgress(tour: tour, seed: seed, tallies: tallies)
    if !progress.open(inRound: station.round).contains(where: { $0.id == station.id }) {
      return record(event, place, distance, refused: .notNext)
    }
    if isVirtual, !allowsVirtualPhones { return record(event, place, distance, refused: .virtualPhone) }
    if seen == .unknown { return record(event, place, distance, refused: .noPosition) }
    if seen == .outside { return record(event, place, distance, refused: .tooFar) }
    var result = outcome(event, station, progress.at(station), place, distance)
    result.isLate = lateness && result.verdict != .refused
    return result
  }

  /// The same after all records of the team.
  public func judge(_ event: TourEvent, received: Date, records: [TourRecord], seed: UInt64) -> TourRecord {
    judge(event, received: received, tallies: StationTally.of(records), seed: seed)
  }

  /// Where a fix is, seen from a station.
  public static func place(of fix: TourFix?, at station: Station) -> TourPlace {
    guard let fix else { return .unknown }
    let distance = fix.distance(to: station.position)
    if distance <= station.radius { return .inside }
    let tolerance = min(max(fix.accuracy ?? TourFix.usualAccuracy, 0), TourFix.largestTolerance)
    return distance <= station.radius + tolerance ? .near : .outside
  }

  /// Whether an event comes late but in time, or why its time does not count.
  private func timing(_ event: TourEvent, _ station: Station, received: Date) -> (Bool, TourRefusal?) {
    let made = min(event.made, received)
    var isLate = false
    switch schedule.phase(at: received, minutes: tour.minutes) {
    case .prepared: return (false, .notStarted)
    case .running: break
    case .paused, .ended:
      // Made while answers counted, and only now heard of: the network's fault, not the team's.
      let refusal: TourRefusal =
        schedule.phase(at: received, minutes: tour.minutes) == .paused ? .paused : .ended
      guard schedule.phase(at: made, minutes: tour.minutes) == .running,
        let stopped = schedule.stopped(at: received, minutes: tour.minutes),
        received.timeIntervalSince(stopped) <= TourSchedule.grace
      else { return (false, refusal) }
      isLate = true
    }
    if station.round == schedule.round { return (isLate, nil) }
    guard station.round < schedule.round, let opened = schedule.roundOpened, made < opened,
      received.timeIntervalSince(opened) <= TourSchedule.grace
    else { return (false, .otherRound) }
    return (true, nil)
  }

  private func outcome(
    _ event: TourEvent,
    _ station: Station,
    _ progress: StationProgress,
    _ place: TourPlace,
    _ distance: Double?
  ) -> TourRecord {
    func answered(_ verdict: TourVerdict, _ points: Int) -> TourRecord {
      TourRecord(
        id: event.id,
        station: station.id,
        kind: event.kind,
        verdict: verdict,
        points: points,
        place: place,
        distance: distance
      )
    }
    let refused = { (reason: TourRefusal) in record(event, place, distance, refused: reason) }
    switch event.kind {
    case .choice(let chosen):
      guard station.kind == .choice, (1...8).contains(chosen.count), Set(chosen).count == chosen.count,
        chosen.allSatisfy({ station.options.indices.contains($0) })
      else { return refused(.unfit) }
      if progress.isDone { return refused(.done) }
      let isRight = Set(chosen) == Set(station.correct)
      return answered(
        isRight ? .right : .wrong,
        isRight ? progress.reward(of: station, triesCost: tour.triesCost) : 0
      )
    case .text(let text):
      let answer = TourRules.comparable(text)
      guard station.kind == .open, !answer.isEmpty, text.count <= TourEvent.longestText else { return refused(.unfit) }
      if progress.isDone { return refused(.done) }
      let isKnown = station.accepted.contains { TourRules.comparable($0) == answer }
      return isKnown
        ? answered(.right, progress.reward(of: station, triesCost: tour.triesCost)) : answered(.pending, 0)
    case .hint(let number):
      guard station.hints.indices.contains(number) else { return refused(.unfit) }
      if progress.isDone || progress.hints.contains(number) { return refused(.done) }
      return answered(.hinted, 0)
    case .visit:
      guard !station.isQuestion else { return refused(.unfit) }
      if progress.isDone { return refused(.done) }
      return answered(.visited, station.points)
    }
  }

  private func record(
    _ event: TourEvent,
    _ place: TourPlace,
    _ distance: Double?,
    refused refusal: TourRefusal
  ) -> TourRecord {
    TourRecord(
      id: event.id,
      station: event.station,
      kind: event.kind,
      verdict: .refused,
      refusal: refusal,
      place: place,
      distance: distance
    )
  }

  /// The form in which answers in words are compared: without case, accents, punctuation and double blanks.
  public static func comparable(_ text: String) -> String {
    let folded = text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    return folded.split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
  }
}
