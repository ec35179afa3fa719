import Foundation
import NIOCore
import SightlineStore

/// The open boards of runs: what happens is encoded once and handed to all who look.
struct TourBoards: TourAudience {
  let hub = EventHub()

  func watches(_ run: String) -> Bool { hub.hasSubscribers(run) }
  func end(_ run: String) { hub.end(run) }
  func endAll() { hub.endAll() }
  func beat() { hub.beat() }

  func show(_ news: TourNews, of run: String, at time: Date) {
    guard watches(run) else { return }
    switch news {
    case .run(let stored): publish("run", RunAnswer(stored, at: time), to: run)
    case .log(let entry): publish("log", BoardLogEntry(entry), to: run)
    case .answer(let event): publish("answer", BoardEvent(event), to: run)
    case .team(let team, let progress, let position):
      publish("team", BoardTeam(team, progress, position, at: time), to: run)
    case .position(let position, let team):
      publish("position", BoardPosition(position, team: team, at: time), to: run)
    }
  }

  private func publish(_ name: StaticString, _ value: some Encodable, to run: String) {
    // Texts and finite numbers are always encodable; a position that is no place is never noted.
    guard let json = try? JSONBytes.encode(value) else { return }
    hub.publish(name, json, to: run)
  }
}
