import SightlineGeodesy
import SightlineTransit

/// An answer about stops whose boards are still to be asked for.
struct StopsDraft: Sendable {
  private let transit: TransitService
  private var answer: TransitAnswer
  private let question: BoardQuestion
  private var asked: [(desk: ProviderDesk, stop: String)] = []
  /// Which entries the boards are for.
  private var places: [Int] = []

  /// Stops that were found round a place, with so many departures each.
  init(
    _ found: [TransitHub.FoundStop],
    round place: Geodetic,
    departures limit: Int,
    window: Int,
    language: String?,
    _ transit: TransitService
  ) {
    self.transit = transit
    let entries = found.map {
      TransitAnswer.Entry(desk: $0.desk, directory: $0.directory, number: $0.number, id: "", distance: $0.distance)
    }
    let now = transit.hub.clock.now
    question = BoardQuestion(from: now, window: window, limit: limit)
    answer = TransitAnswer(
      now: now,
      language: language,
      window: window,
      limit: limit,
      place: place,
      entries: entries
    )
    guard limit > 0 else { return }
    asked = found.map { (desk: $0.desk, stop: $0.directory.id(of: $0.number)) }
    places = Array(found.indices)
  }

  /// Stops that were asked for by their ids.
  init(_ wanted: TransitStreams.Subscription, _ transit: TransitService) {
    self.transit = transit
    let now = transit.hub.clock.now
    question = BoardQuestion(from: now, window: wanted.window, limit: wanted.limit)
    answer = TransitAnswer(
      now: now,
      language: wanted.language,
      window: wanted.window,
      limit: wanted.limit,
      place: nil,
      entries: wanted.stops.map { TransitAnswer.Entry(id: $0) }
    )
    for (place, id) in wanted.stops.enumerated() {
      guard let (desk, stop) = transit.hub.resolve(id) else { continue }
      let directory = desk.provider.schedule
      guard let number = directory.number(of: stop) else {
        answer.entries[place].retired = directory.retired(stop, at: TransitClock.real)
        if answer.entries[place].retired != nil { answer.entries[place].desk = desk }
        continue
      }
      answer.entries[place].desk = desk
      answer.entries[place].directory = directory
      answer.entries[place].number = number
      asked.append((desk, stop))
      places.append(place)
    }
  }

  /// The answer, if all boards are there without asking anybody.
  func held() -> TransitAnswer? {
    transit.hub.heldBoards(asked, question).map(with)
  }

  /// The answer, once the boards have come.
  func fetched() async -> TransitAnswer {
    with(await transit.hub.boards(asked, question))
  }

  private func with(_ outcomes: [ProviderDesk.Outcome]) -> TransitAnswer {
    var answer = answer
    for (place, outcome) in zip(places, outcomes) { answer.entries[place].outcome = outcome }
    return answer
  }
}
