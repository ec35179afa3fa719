import Foundation
import SightlineContent
import SightlineTestSupport
import SightlineTours
import Testing

struct TourRulesTests {
  let tour = squareTour()
  var rules: TourRules { running(tour) }

  /// Judges events one after another, each with what became of those before.
  private func play(_ events: [TourEvent], _ rules: TourRules, seed: UInt64 = 1) -> [TourRecord] {
    var records: [TourRecord] = []
    for event in events {
      records.append(rules.judge(event, received: event.made, records: records, seed: seed))
    }
    return records
  }

  @Test func `a right answer brings the points less what tries and hints cost`() {
    var tour = tour
    tour.triesCost = 4
    let records = play(
      [
        event(.choice([0]), "bridge", in: tour), event(.hint(0), "bridge", in: tour),
        event(.choice([1]), "bridge", in: tour), event(.choice([1]), "bridge", in: tour),
      ],
      running(tour)
    )
    #expect(records.map(\.verdict) == [.wrong, .hinted, .right, .refused])
    #expect(records.map(\.points) == [0, 0, 3, 0])
    #expect(records[3].refusal == .done)
    #expect(TourProgress(tour: tour, seed: 1, records: records).score == 3)
  }

  @Test func `a reward never falls below nothing`() {
    var tour = tour
    tour.triesCost = 100
    let records = play(
      [event(.choice([0]), "bridge", in: tour), event(.choice([1]), "bridge", in: tour)],
      running(tour)
    )
    #expect(records.map(\.verdict) == [.wrong, .right])
    #expect(records.map(\.points) == [0, 0])
  }

  @Test func `when the tries are used up no answer counts`() {
    let records = play(
      [
        event(.choice([0]), "bridge", in: tour), event(.choice([2]), "bridge", in: tour),
        event(.choice([1]), "bridge", in: tour),
      ],
      rules
    )
    #expect(records.map(\.verdict) == [.wrong, .wrong, .refused])
    #expect(records[2].refusal == .done)
  }

  @Test func `of several right answers all have to be chosen, in any order`() {
    func verdict(_ chosen: [Int]) -> TourVerdict { play([event(.choice(chosen), "gate", in: tour)], rules)[0].verdict }
    #expect(verdict([2, 0]) == .right)
    #expect(verdict([0]) == .wrong)
    #expect(verdict([0, 1, 2]) == .wrong)
    #expect(verdict([0, 0]) == .refused)
    #expect(verdict([3]) == .refused)
    #expect(verdict([]) == .refused)
  }

  @Test(arguments: [
    ("sint joris", TourVerdict.right), ("  SINT   JORIS! ", .right), ("Sínt-Jöris", .right), ("st georg", .right),
    ("Saint George", .pending), ("?!", .refused), ("", .refused), (String(repeating: "x", count: 2001), .refused),
  ])
  func `answers in words are compared without case, accents and punctuation`(text: String, verdict: TourVerdict) {
    let record = play([event(.text(text), "mill", in: tour)], rules)[0]
    #expect(record.verdict == verdict)
    #expect(record.points == (verdict == .right ? 10 : 0))
  }

  @Test(arguments: [
    (0.0, 5.0, TourPlace.inside, TourVerdict.visited), (0.00026, 5, .inside, .visited), (0.0003, 5, .near, .visited),
    (0.0004, 5, .outside, .refused), (0.0004, 40, .near, .visited), (0.002, 5000, .outside, .refused),
  ])
  func `what is done near the edge counts and is noted`(
    north: Double,
    accuracy: Double,
    place: TourPlace,
    verdict: TourVerdict
  ) {
    let record = rules.judge(
      event(.visit, "well", in: tour, north: north, accuracy: accuracy),
      received: at(100),
      records: [],
      seed: 1
    )
    #expect(record.place == place)
    #expect(record.verdict == verdict)
    #expect(record.refusal == (verdict == .refused ? .tooFar : nil))
  }

  @Test(arguments: [
    (false, false, 0.0, TourVerdict.refused, TourRefusal.virtualPhone as TourRefusal?),
    (false, false, 1, .refused, .virtualPhone), (true, false, 0, .visited, nil), (true, false, 1, .refused, .tooFar),
    (false, true, 0, .visited, nil),
  ])
  func `a virtual phone counts where the tour or its teacher's try allows it, and is marked`(
    isAllowed: Bool,
    isTrial: Bool,
    north: Double,
    verdict: TourVerdict,
    refusal: TourRefusal?
  ) {
    var tour = tour
    tour.allowsVirtualPhones = isAllowed
    let rules = TourRules(tour: tour, schedule: rules.schedule, isTrial: isTrial)
    let record = rules.judge(
      event(.visit, "well", in: tour, north: north, isVirtual: true),
      received: at(100),
      records: [],
      seed: 1
    )
    #expect(record.place == .virtual)
    #expect(record.verdict == verdict)
    #expect(record.refusal == refusal)
  }

  @Test func `tours of older servers allow no virtual phones`() throws {
    let old = try JSONDecoder().decode(Tour.self, from: Data(#"{"title": "Old"}"#.utf8))
    #expect(!old.allowsVirtualPhones)
    var new = old
    new.allowsVirtualPhones = true
    #expect(try JSONDecoder().decode(Tour.self, from: JSONEncoder().encode(new)) == new)
  }

  @Test func `without a position nothing counts`() {
    var event = event(.visit, "well", in: tour)
    event.fix = nil
    let record = rules.judge(event, received: at(100), records: [], seed: 1)
    #expect(record.refusal == .noPosition && record.place == .unknown)
  }

  @Test func `before the start, in a pause and after the end nothing counts`() {
    var schedule = TourSchedule()
    func refusal(_ made: Double, received: Double) -> TourRefusal? {
      TourRules(tour: tour, schedule: schedule)
        .judge(event(.visit, "well", in: tour, made: made), received: at(received), records: [], seed: 1).refusal
    }
    #expect(refusal(10, received: 10) == .notStarted)
    #expect(schedule.apply(.start, at: at(50), tour: tour) == true)
    #expect(refusal(40, received: 60) == nil)
    #expect(schedule.apply(.pause, at: at(100), tour: tour) == true)
    #expect(refusal(110, received: 110) == .paused)
    // Made before the pause, and only now heard of.
    #expect(refusal(90, received: 200) == nil)
    #expect(schedule.apply(.resume, at: at(300), tour: tour) == true)
    #expect(refusal(310, received: 310) == nil)
    #expect(schedule.apply(.end, at: at(400), tour: tour) == true)
    #expect(refusal(410, received: 410) == .ended)
    #expect(refusal(390, received: 400 + TourSchedule.grace) == nil)
    #expect(refusal(390, received: 401 + TourSchedule.grace) == .ended)
    // In the pause no answer was possible, whenever it is heard of.
    #expect(refusal(200, received: 410) == .ended)
  }

  @Test func `an answer that was made in time and comes late is noted`() {
    var rules = rules
    var schedule = rules.schedule
    #expect(schedule.apply(.end, at: at(200), tour: tour) == true)
    rules = TourRules(tour: tour, schedule: schedule)
    let late = rules.judge(event(.visit, "well", in: tour, made: 199), received: at(210), records: [], seed: 1)
    #expect(late.verdict == .visited && late.isLate)
    let early = running(tour).judge(event(.visit, "well", in: tour), received: at(210), records: [], seed: 1)
    #expect(early.verdict == .visited && !early.isLate)
  }

  @Test func `the time limit ends a run, and pauses move it on`() {
    var tour = tour
    tour.minutes = 10
    var schedule = TourSchedule()
    #expect(schedule.apply(.start, at: at(0), tour: tour) == true)
    #expect(schedule.phase(at: at(599), minutes: 10) == .running)
    #expect(schedule.phase(at: at(600), minutes: 10) == .ended)
    #expect(schedule.apply(.pause, at: at(300), tour: tour) == true)
    #expect(schedule.phase(at: at(5000), minutes: 10) == .paused)
    #expect(schedule.apply(.resume, at: at(1300), tour: tour) == true)
    #expect(schedule.deadline(at: at(1400), minutes: 10) == at(1600))
    #expect(schedule.phase(at: at(1599), minutes: 10) == .running)
    #expect(schedule.phase(at: at(1601), minutes: 10) == .ended)
    #expect(schedule.apply(.pause, at: at(1700), tour: tour) == false)
    #expect(schedule.apply(.start, at: at(1700), tour: tour) == false)
  }

  @Test func `only stations of the open round count`() {
    let tour = squareTour(rounds: 2)
    var schedule = running(tour).schedule
    func refusal(_ station: String, made: Double) -> TourRefusal? {
      TourRules(tour: tour, schedule: schedule).judge(
        event(station == "well" ? .visit : .choice([1]), station, in: tour, made: made),
        received: at(200),
        records: [],
        seed: 1
      ).refusal
    }
    #expect(refusal("well", made: 200) == .otherRound)
    #expect(refusal("bridge", made: 200) == nil)
    #expect(schedule.apply(.round(2), at: at(150), tour: tour) == true)
    #expect(schedule.apply(.round(3), at: at(150), tour: tour) == false)
    #expect(refusal("well", made: 200) == nil)
    #expect(refusal("bridge", made: 200) == .otherRound)
    #expect(refusal("bridge", made: 140) == nil)
  }

  @Test func `in a fixed order each station waits for the one before`() {
    let tour = squareTour(order: .ordered)
    let records = play(
      [
        event(.choice([0, 2]), "gate", in: tour), event(.choice([1]), "bridge", in: tour),
        event(.choice([0, 2]), "gate", in: tour),
      ],
      running(tour)
    )
    #expect(records.map(\.refusal) == [.notNext, nil, nil])
    #expect(
      TourProgress(tour: tour, seed: 1, records: records).open(inRound: 1).map(\.id) == ["bridge", "gate", "mill"]
    )
  }

  @Test func `a random order is each team's own and always the same`() {
    var tour = squareTour(order: .random, rounds: 2)
    for number in 0..<20 {
      var more = tour.stations[0]
      more.id = "more-\(number)"
      tour.stations.append(more)
    }
    let orders = (1...50).map { seed in TourProgress.order(of: tour, seed: UInt64(seed)).map(\.id) }
    #expect(Set(orders).count == 50)
    #expect(orders[7] == TourProgress.order(of: tour, seed: 8).map(\.id))
    for order in orders {
      #expect(Set(order) == Set(tour.stations.map(\.id)) && order.count == 24)
      #expect(Set(order.suffix(2)) == ["mill", "well"], "rounds stay in their order")
    }
  }

  @Test func `whatever teams do, a score is between nothing and all points, and no station brings more than its own`() {
    var random = SplitMix64(seed: 20_260_721)
    for _ in 0..<200 {
      var tour = squareTour(order: Tour.Order.allCases[Int.random(in: 0..<3, using: &random)])
      tour.triesCost = Int.random(in: 0...8, using: &random)
      for index in tour.stations.indices { tour.stations[index].tries = Int.random(in: 0...3, using: &random) }
      let rules = running(tour)
      var records: [TourRecord] = []
      for number in 0..<40 {
        let station = tour.stations[Int.random(in: 0..<4, using: &random)].id
        let kinds: [TourEvent.Kind] = [
          .choice([Int.random(in: 0..<4, using: &random)]), .choice([0, 2]),
          .text(["St Georg", "?", "x"].randomElement(using: &random) ?? ""),
          .hint(Int.random(in: 0..<2, using: &random)), .visit,
        ]
        let done = event(
          kinds[Int.random(in: 0..<5, using: &random)],
          station,
          in: tour,
          id: "event-\(1000 + number)",
          north: Double.random(in: 0..<0.0005, using: &random)
        )
        let before = TourProgress(tour: tour, seed: 5, records: records)
        let record = rules.judge(done, received: at(100), records: records, seed: 5)
        records.append(record)
        let after = TourProgress(tour: tour, seed: 5, records: records)
        #expect(after.score == before.score + record.points)
        #expect(after.score >= 0 && after.score <= 40)
        if record.verdict == .refused { #expect(record.points == 0 && after.doneCount == before.doneCount) }
        for station in tour.stations { #expect(after.at(station).points <= station.points) }
      }
    }
  }
}
