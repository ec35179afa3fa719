import Foundation
import SightlineContent
import SightlineTours

/// A tour round a square: four questions and a note, fifty metres and more apart.
func squareTour(order: Tour.Order = .free, rounds: Int = 1) -> Tour {
  var tour = Tour(title: "Round the square")
  tour.order = order
  tour.rounds = rounds
  var bridge = Station(id: "bridge", kind: .choice, title: "Bridge", position: Position(latitude: 52, longitude: 4))
  bridge.options = ["Three", "Four", "Five"]
  bridge.correct = [1]
  bridge.tries = 2
  bridge.hints = [Station.Hint(text: "More than three", cost: 3)]
  var gate = Station(id: "gate", kind: .choice, title: "Gate", position: Position(latitude: 52.001, longitude: 4))
  gate.options = ["Red", "Green", "Blue"]
  gate.correct = [0, 2]
  var mill = Station(id: "mill", kind: .open, title: "Mill", position: Position(latitude: 52.001, longitude: 4.001))
  mill.accepted = ["Sint Joris", "St. Georg"]
  let well = Station(id: "well", kind: .info, title: "Well", position: Position(latitude: 52, longitude: 4.001))
  tour.stations = [bridge, gate, mill, well]
  if rounds > 1 { for index in 2..<4 { tour.stations[index].round = 2 } }
  return tour
}

/// A moment, seconds after the beginning of the tests' time.
func at(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_790_000_000 + seconds) }

/// Something done at a station, there or so many degrees north of it.
func event(
  _ kind: TourEvent.Kind,
  _ station: String,
  in tour: Tour,
  id: String = "event-0001",
  made: Double = 100,
  north: Double = 0,
  accuracy: Double? = 5,
  isVirtual: Bool = false
) -> TourEvent {
  let position = tour.station(station)?.position ?? Position(latitude: 52, longitude: 4)
  let fix = TourFix(
    position: Position(latitude: position.latitude + north, longitude: position.longitude),
    accuracy: accuracy,
    isVirtual: isVirtual
  )
  return TourEvent(id: id, sequence: 1, station: station, kind: kind, made: at(made), fix: fix)
}

/// A run that began at 0.
func running(_ tour: Tour) -> TourRules {
  var schedule = TourSchedule()
  _ = schedule.apply(.start, at: at(0), tour: tour)
  return TourRules(tour: tour, schedule: schedule)
}
