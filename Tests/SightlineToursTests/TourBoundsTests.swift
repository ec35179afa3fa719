import Foundation
import SightlineContent
import SightlineTestSupport
import SightlineTours
import Testing

/// Numbers and amounts that nobody means.
struct TourBoundsTests {
  @Test(arguments: [Double(bitPattern: 2024), .leastNonzeroMagnitude, 1e-12, 0.0099, 1000.1, 1e308, -1, -0.01])
  func `a rounding that is no side of a square is refused`(rounding: Double) {
    var tour = squareTour()
    tour.rounding = rounding
    #expect(tour.problems().contains { $0.severity == .error && $0.path == "rounding" })
  }

  @Test(arguments: [0, 0.01, 10, 1000])
  func `a side of a square is taken`(rounding: Double) {
    var tour = squareTour()
    tour.rounding = rounding
    #expect(!tour.problems().contains { $0.severity == .error })
  }

  @Test(arguments: [
    .leastNonzeroMagnitude, Double(bitPattern: 2024), 1e-300, 1e-9, 0.009, 0.01, 1000, 1e10, 1e300, .infinity, .nan, -1,
    -.infinity,
  ])
  func `tours of older servers round without harm`(side: Double) {
    for latitude in [-90.0, -89.999999, -1e-300, 0, 52, 89.99, 90] {
      for longitude in [-180.0, 0, 4, 179.9999999, 180] {
        let fix = TourFix(position: Position(latitude: latitude, longitude: longitude), accuracy: 5)
        let rounded = fix.rounded(to: side)
        #expect(rounded.isUsable, "\(side) at \(latitude), \(longitude): \(rounded)")
        if side >= 0.01, side <= 1000 { #expect(fix.distance(to: rounded.position) <= max(side, 0.02)) }
      }
    }
  }

  @Test func `what is no place on the Earth is none`() {
    let cases: [(Double, Double, Double)] = [
      (.nan, 0, 1), (0, .nan, 1), (.infinity, 0, 1), (90.1, 0, 1), (0, -180.1, 1), (0, 0, .nan), (0, 0, .infinity),
    ]
    for (latitude, longitude, accuracy) in cases {
      let fix = TourFix(position: Position(latitude: latitude, longitude: longitude), accuracy: accuracy)
      #expect(!fix.isUsable)
      #expect(!fix.rounded(to: 10).isUsable)
    }
  }

  @Test func `a tour of far too much is refused in a few sentences`() {
    var tour = Tour(title: "")
    tour.border = (0..<50_000).map { _ in Position(latitude: 200, longitude: 0, altitude: 1e300) }
    var station = Station(id: "", kind: .choice, title: "", position: Position(latitude: 91, longitude: 500))
    station.hints = (0..<1000).map { _ in Station.Hint(text: "", cost: -1) }
    station.options = (0..<1000).map { _ in "" }
    station.correct = Array(0..<1000)
    station.accepted = (0..<1000).map { _ in "" }
    tour.stations = Array(repeating: station, count: 5000)
    let problems = tour.problems()
    #expect(problems.count <= 200 && problems.contains { $0.severity == .error })
  }

  @Test func `an error is told however much is warned of`() {
    var tour = Tour(title: "T")
    tour.stations = (0..<200).map {
      Station(id: "s\($0)", kind: .picture, title: "S", position: Position(latitude: 0, longitude: 0))
    }
    tour.stations[199].radius = -1
    tour.border = [
      Position(latitude: 1, longitude: 1), .init(latitude: 1, longitude: 2), .init(latitude: 2, longitude: 2),
    ]
    #expect(tour.problems().contains { $0.severity == .error && $0.path == "stations/199/radius" })
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `sums say what all records say, whatever was done`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let tour = squareTour(order: .ordered)
    let rules = running(tour)
    var records: [TourRecord] = []
    var tallies: [String: StationTally] = [:]
    for number in 0..<300 {
      let station = ["bridge", "gate", "mill", "well", "none"].randomElement(using: &random) ?? "bridge"
      let kind: TourEvent.Kind =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .choice((0..<Int.random(in: 0..<3, using: &random)).map { _ in Int.random(in: -1...3, using: &random) })
        case 1: .text(["Sint Joris", "no", ""].randomElement(using: &random) ?? "")
        case 2: .hint(Int.random(in: -1...2, using: &random))
        default: .visit
        }
      let event = event(
        kind,
        station,
        in: tour,
        id: "event-\(1000 + number)",
        north: Bool.random(using: &random) ? 0 : 0.1
      )
      let byAll = rules.judge(event, received: at(100), records: records, seed: 5)
      let bySums = rules.judge(event, received: at(100), tallies: tallies, seed: 5)
      #expect(byAll == bySums)
      records.append(byAll)
      if byAll.verdict != .refused { tallies[byAll.station, default: StationTally()].add(byAll) }
      #expect(StationTally.of(records) == tallies)
    }
    #expect(!tallies.isEmpty)
  }
}
