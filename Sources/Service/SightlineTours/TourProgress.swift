import SightlineInput

/// What a team has done at one station, added up: as much for a thousand events as for one.
public struct StationTally: Equatable, Sendable {
  /// Wrong answers so far.
  public var wrong = 0
  /// Numbers of the hints it has opened.
  public var hints: Set<Int> = []
  /// Points it has brought.
  public var points = 0
  /// Whether an answer waits for the teacher.
  public var isPending = false
  /// Whether it was answered right, or visited.
  public var isRight = false

  /// A station where nothing was done.
  public init() {}

  /// Counts one more record; those that were refused count nothing.
  public mutating func add(_ record: TourRecord) {
    switch record.verdict {
    case .right, .visited:
      isRight = true
      points = points.saturatingAdd(record.points)
    case .wrong:
      wrong = wrong.saturatingAdd(1)
      // A teacher may give points for an answer that is not quite right.
      points = points.saturatingAdd(record.points)
    case .pending: isPending = true
    case .hinted: if case .hint(let number) = record.kind { hints.insert(number) }
    case .refused: break
    }
  }

  /// The tallies of a team's records, by station.
  public static func of(_ records: some Sequence<TourRecord>) -> [String: StationTally] {
    var tallies: [String: StationTally] = [:]
    for record in records where record.verdict != .refused {
      tallies[record.station, default: StationTally()].add(record)
    }
    return tallies
  }
}

/// Where a team stands at one station.
public struct StationProgress: Equatable, Sendable {
  /// Wrong answers so far.
  public var wrong: Int
  /// Numbers of the hints it has opened.
  public var hints: Set<Int>
  /// Points it has brought.
  public var points: Int
  /// Whether an answer waits for the teacher.
  public var isPending: Bool
  /// Whether it was answered right, or visited.
  public var isRight: Bool
  /// Whether the team is through with it.
  public var isDone: Bool

  /// From what was done there.
  public init(_ station: Station, _ tally: StationTally) {
    wrong = tally.wrong
    hints = tally.hints
    points = tally.points
    isPending = tally.isPending
    isRight = tally.isRight
    isDone = isRight || isPending || (station.tries > 0 && wrong >= station.tries)
  }

  /// Tries that are left; `nil` for any number.
  public func triesLeft(of station: Station) -> Int? {
    station.tries == 0 ? nil : max(0, station.tries.saturatingSubtract(wrong).saturatingSubtract(isPending ? 1 : 0))
  }

  /// What a right answer brings now.
  public func reward(of station: Station, triesCost: Int) -> Int {
    let forHints = hints.reduce(0) { sum, number in
      station.hints.indices.contains(number) ? sum.saturatingAdd(station.hints[number].cost) : sum
    }
    return max(0, station.points.saturatingSubtract(wrong.saturatingMultiply(triesCost)).saturatingSubtract(forHints))
  }
}

/// What a team has done so far, and which stations are open to it.
public struct TourProgress: Sendable {
  /// The tour.
  public let tour: Tour
  /// All stations in the team's order.
  public let stations: [Station]
  private let byStation: [String: StationProgress]

  /// - Parameters:
  ///   - tour: The tour.
  ///   - seed: The team's own number for a random order.
  ///   - tallies: What the team has done, by station.
  public init(tour: Tour, seed: UInt64, tallies: [String: StationTally]) {
    self.tour = tour
    stations = TourProgress.order(of: tour, seed: seed)
    byStation = Dictionary(
      tour.stations.map { ($0.id, StationProgress($0, tallies[$0.id] ?? StationTally())) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// The same from all records of the team.
  public init(tour: Tour, seed: UInt64, records: some Sequence<TourRecord>) {
    self.init(tour: tour, seed: seed, tallies: StationTally.of(records))
  }

  /// What was done at a station.
  public func at(_ station: Station) -> StationProgress {
    byStation[station.id] ?? StationProgress(station, StationTally())
  }

  /// Points in all.
  public var score: Int { byStation.values.reduce(0) { $0.saturatingAdd($1.points) } }

  /// Stations the team is through with.
  public var doneCount: Int { byStation.values.count { $0.isDone } }

  /// Stations of a round that the team gets to see: all of them, or those that it has tried and the next one.
  ///
  /// One try is enough for the next to open: a phone without a network knows that it has answered, not how well.
  public func open(inRound round: Int) -> [Station] {
    let all = stations.filter { $0.round == round }
    guard tour.order != .free,
      let next = all.firstIndex(where: { !at($0).isDone && at($0).wrong == 0 })
    else { return all }
    return Array(all[...next])
  }

  /// The stations in a team's order.
  ///
  /// For ``Tour/Order/random`` each round is shuffled by itself (Fisher and Yates) with numbers that follow from the
  /// seed alone (SplitMix64), so that the order never has to be stored.
  public static func order(of tour: Tour, seed: UInt64) -> [Station] {
    guard tour.order == .random else { return tour.stations }
    var state = seed
    func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
    var stations = tour.stations
    for index in stations.indices.dropFirst().reversed() {
      stations.swapAt(index, Int(clamping: next() % UInt64(clamping: index + 1)))
    }
    // By rounds again; within one the shuffled order stays.
    return stations.enumerated().sorted { ($0.element.round, $0.offset) < ($1.element.round, $1.offset) }
      .map(\.element)
  }
}
