import Foundation
import SightlineTransit
import Synchronization

@testable import SightlineServer

/// A provider of three stops whose answers the test decides.
final class StubProvider: TransitProvider {
  typealias Answer = @Sendable (String) async throws(ProviderFailure) -> ProviderBoard

  let info: ProviderInfo
  let schedule: any StopDirectory
  private let answer: Mutex<Answer>
  private let notices = Mutex<[TransitAlert]>([])
  private let moving = Mutex<[TransitVehicle]>([])

  static let tram = TransitLine(id: "L4", name: "4", mode: .tram, color: 0x00985F, textColor: nil)
  static let now = 1_645_509_600  // 2022-02-22T08:00:00+02:00

  init(id: String = "stub", isRemote: Bool = false, _ answer: @escaping Answer = { _ in StubProvider.board() }) {
    info = ProviderInfo(
      id: id,
      name: "Stub",
      kinds: ["json"],
      attribution: "Stub, CC0",
      attributionURL: "https://example.org",
      isRemote: isRemote
    )
    let bus = TransitLine(id: "L10", name: "10", mode: .bus, color: nil, textColor: nil)
    let rows = [("A", "Asema \"1\"", 60.17), ("B", "Bulevardi", 60.171), ("C", "Cygnaeuksenkatu", 60.18)]
    schedule = ListDirectory(
      rows.map { id, name, latitude in
        var stop = TransitStop(id: id, name: name, latitude: latitude, longitude: 24.94)
        stop.wheelchair = id == "A" ? true : nil
        return .init(stop: stop, lines: [bus, StubProvider.tram])
      },
      timeZone: TimeZone(identifier: "Europe/Helsinki") ?? .gmt
    )
    self.answer = Mutex(answer)
  }

  func set(_ answer: @escaping Answer) { self.answer.withLock { $0 = answer } }
  func set(alerts: [TransitAlert]) { notices.withLock { $0 = alerts } }
  func set(vehicles: [TransitVehicle]) { moving.withLock { $0 = vehicles } }

  /// Departures two, five and nine minutes after eight: late, by the timetable, cancelled.
  static func board() -> ProviderBoard {
    var list: [TransitDeparture] = []
    for (minute, state) in [(2, BoardDeparture.State.live), (5, .scheduled), (9, .cancelled)] {
      var departure = TransitDeparture(scheduled: now + minute * 60)
      departure.line = tram
      departure.headsign = "Munkkiniemi"
      departure.state = state
      departure.stop = "A"
      departure.trip = "T\(minute)"
      if state == .live {
        departure.expected = departure.scheduled + 130
        departure.alerts = ["N1"]
      }
      list.append(departure)
    }
    list.sort { $0.time < $1.time }
    let interval = TransitInterval(line: tram, headsign: "Eira", headway: 600, period: now..<(now + 7200))
    return ProviderBoard(
      departures: list,
      intervals: [interval],
      alerts: [],
      source: "json",
      updated: now - 12
    )
  }

  func departures(at stop: String, _ question: BoardQuestion) async throws(ProviderFailure) -> ProviderBoard {
    try await answer.withLock { $0 }(stop)
  }

  func alerts(at time: Int) -> [TransitAlert] { notices.withLock { $0 } }
  func vehicles(at time: Int) -> [TransitVehicle] { moving.withLock { $0 } }

  /// A service over this provider, its clock at eight.
  func service(perSecond: Double = 0, burst: Double = 5, limits: DeskLimits = DeskLimits()) -> TransitService {
    let hub = TransitHub(
      [(provider: self, limits: limits)],
      clock: TransitClock(startingAt: StubProvider.now, repeatingAfter: 1)
    )
    return TransitService(hub: hub, perSecond: perSecond, burst: burst)
  }
}
