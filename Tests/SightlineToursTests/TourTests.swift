import Foundation
import SightlineContent
import SightlineTours
import Testing

struct TourTests {
  @Test func `members with a default may be left out, and a tour is written and read as it was`() throws {
    let short = """
      {"title":"T","stations":[{"id":"a","kind":"choice","title":"A","position":{"latitude":1,"longitude":2},
      "options":["x","y"],"correct":[0]}]}
      """
    let tour = try JSONDecoder().decode(Tour.self, from: Data(short.utf8))
    #expect(tour.keepDays == 7 && tour.rounds == 1 && tour.order == .free && tour.showsScore)
    #expect(tour.stations[0].radius == 30 && tour.stations[0].tries == 1 && tour.stations[0].points == 10)
    #expect(tour.problems().isEmpty)
    let full = squareTour(order: .random, rounds: 2)
    #expect(try JSONDecoder().decode(Tour.self, from: JSONEncoder().encode(full)) == full)
  }

  typealias Change = @Sendable (inout Tour) -> Void

  static let faults: [(String, Change)] = [
    ("title", { tour in tour.title = "" }),
    ("title", { tour in tour.title = String(repeating: "x", count: 201) }),
    ("rounds", { tour in tour.rounds = 0 }), ("minutes", { tour in tour.minutes = 0 }),
    ("keepDays", { tour in tour.keepDays = 31 }), ("rounding", { tour in tour.rounding = .nan }),
    ("border", { tour in tour.border = [Position(latitude: 0, longitude: 0)] }),
    ("route", { tour in tour.route = (0...500).map { Position(latitude: Double($0) / 1000, longitude: 0) } }),
    ("route/1", { tour in tour.route = [0, 91].map { Position(latitude: $0, longitude: 0) } }),
    ("stations/1/id", { tour in tour.stations[1].id = "bridge" }),
    ("stations/0/id", { tour in tour.stations[0].id = "a b" }),
    ("stations/0/position", { tour in tour.stations[0].position.latitude = 91 }),
    ("stations/0/position", { tour in tour.stations[0].position.longitude = .infinity }),
    ("stations/0/radius", { tour in tour.stations[0].radius = 2 }),
    ("stations/0/visibleRadius", { tour in tour.stations[0].visibleRadius = 10 }),
    (
      "stations/0/options",
      { tour in
        tour.stations[0].options = ["one"]; tour.stations[0].correct = [0]
      }
    ),
    ("stations/0/correct", { tour in tour.stations[0].correct = [] }),
    ("stations/0/correct", { tour in tour.stations[0].correct = [3] }),
    ("stations/0/picture", { tour in tour.stations[0].picture = "../../etc/passwd" }),
    ("stations/0/round", { tour in tour.stations[0].round = 2 }),
    ("stations/0/hints/0/cost", { tour in tour.stations[0].hints[0].cost = -1 }),
    ("stations/2/accepted/0", { tour in tour.stations[2].accepted[0] = "" }),
  ]

  @Test(arguments: faults)
  func `what cannot be played is an error at its place`(path: String, change: Change) {
    var tour = squareTour()
    change(&tour)
    let errors = tour.problems().filter { $0.severity == .error }
    #expect(errors.map(\.path) == [path], "\(errors)")
    #expect(errors.allSatisfy { $0.message.hasSuffix(".") })
  }

  @Test func `what a teacher may not have meant is a warning`() {
    var tour = squareTour()
    tour.rounds = 2
    tour.border = [(51.9, 3.9), (51.9, 4.0005), (52.1, 4.0005), (52.1, 3.9)].map {
      Position(latitude: $0.0, longitude: $0.1)
    }
    let problems = tour.problems()
    #expect(problems.allSatisfy { $0.severity == .warning })
    #expect(Set(problems.map(\.path)) == ["rounds", "stations/2/position", "stations/3/position"])
    #expect(Tour(title: "Empty").problems().map(\.path) == ["stations"])
    var begun = squareTour()
    begun.way = .drawn
    begun.route = [Position(latitude: 52, longitude: 4)]
    #expect(begun.problems().map { "\($0.severity) \($0.path)" } == ["warning route"])
    #expect(begun.corners(by: begun.stations).isEmpty)
  }
}
