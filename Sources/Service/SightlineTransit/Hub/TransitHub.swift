import Foundation
import SightlineGeodesy
import Synchronization

/// Several providers as one: the nearest stops of all, and departures from many stops at once.
package final class TransitHub: Sendable {
  /// A stop found.
  package struct FoundStop: Sendable {
    package let desk: ProviderDesk
    package let directory: any StopDirectory
    package let number: Int
    package let distance: Double
  }

  /// Providers in the order of the configuration.
  package let desks: [ProviderDesk]
  /// Time of day as riders are told.
  package let clock: TransitClock
  /// Seconds after which a request is answered with what there is.
  package let patience: Double
  private let timer: any TransitTimer

  /// A hub over providers with different ids.
  package init(
    _ providers: [(provider: any TransitProvider, limits: DeskLimits)],
    clock: TransitClock = TransitClock(),
    patience: Double = 4.5,
    concurrent: Int = 64,
    timer: any TransitTimer = SystemTimer()
  ) {
    let gate = FetchGate(concurrent)
    desks = providers.map { ProviderDesk($0.provider, limits: $0.limits, sharedGate: gate, timer: timer) }
    self.clock = clock
    self.patience = patience
    self.timer = timer
  }

  /// The desk of a provider, and the stop's id there: `provider:stop`.
  package func resolve(_ id: String) -> (desk: ProviderDesk, stop: String)? {
    guard let colon = id.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    guard let desk = desks.first(where: { $0.provider.info.id == id[..<colon] }) else { return nil }
    return (desk, String(id[id.utf8.index(after: colon)...]))
  }

  /// The nearest stops of all providers, nearest first; at one distance by provider and id.
  package func nearest(_ limit: Int, to place: Geodetic, radius: Double?) -> [FoundStop] {
    var found: [FoundStop] = []
    for desk in desks {
      let directory = desk.provider.schedule
      let reach = found.count == limit ? min(radius ?? .infinity, found[limit - 1].distance) : radius
      let stops = directory.nearest(limit, to: place, radius: reach)
      if stops.isEmpty { continue }
      let isFirst = found.isEmpty
      found += stops.map { FoundStop(desk: desk, directory: directory, number: $0.stop, distance: $0.distance) }
      if isFirst { continue }
      // A stable order: providers as configured.
      let order = found.indices.sorted { (found[$0].distance, $0) < (found[$1].distance, $1) }
      found = order.prefix(limit).map { found[$0] }
    }
    return found
  }

  /// The stops of all providers whose names fit, best first, nearest first among equals.
  package func named(_ query: StopQuery, limit: Int, near place: Geodetic) -> [FoundStop] {
    let found = desks.enumerated().flatMap { order, desk in
      let directory = desk.provider.schedule
      return directory.named(query, limit: limit, near: place).map { named in
        (
          rank: named.rank, order: order,
          stop: FoundStop(desk: desk, directory: directory, number: named.found.stop, distance: named.found.distance)
        )
      }
    }
    return found.sorted { ($0.rank, $0.stop.distance, $0.order) < ($1.rank, $1.stop.distance, $1.order) }
      .prefix(limit).map(\.stop)
  }

  /// Boards of stops, in their order, if all are there without asking anybody; else `nil`, and nothing is counted.
  package func heldBoards(
    _ stops: [(desk: ProviderDesk, stop: String)],
    _ question: BoardQuestion
  ) -> [ProviderDesk.Outcome]? {
    var outcomes: [ProviderDesk.Outcome] = []
    outcomes.reserveCapacity(stops.count)
    for entry in stops {
      guard let outcome = entry.desk.held(entry.stop, question) else { return nil }
      outcomes.append(outcome)
    }
    for (entry, outcome) in zip(stops, outcomes) { entry.desk.noteHit(outcome) }
    return outcomes
  }

  /// Boards of stops, in their order, all asked for at once; at the latest after ``patience``.
  package func boards(
    _ stops: [(desk: ProviderDesk, stop: String)],
    _ question: BoardQuestion
  ) async -> [ProviderDesk.Outcome] {
    var outcomes: [ProviderDesk.Outcome?] = []
    var missing: [Int] = []
    outcomes.reserveCapacity(stops.count)
    for (place, entry) in stops.enumerated() {
      let known = entry.desk.known(entry.stop, question)
      if known == nil { missing.append(place) }
      outcomes.append(known)
    }
    if !missing.isEmpty {
      let gathering = Gathering(missing)
      for place in missing {
        stops[place].desk.fetch(stops[place].stop, question) { gathering.take($0, at: place) }
      }
      let timer = timer
      let patience = patience
      let alarm = Task {
        do { try await timer.sleep(seconds: patience) } catch { return }
        gathering.end()
      }
      let came = await gathering.outcomes
      alarm.cancel()
      for place in missing { outcomes[place] = came[place] ?? stops[place].desk.late(stops[place].stop, question) }
    }
    return outcomes.map { $0 ?? ProviderDesk.Outcome(failure: .timeout) }
  }

  /// Keeps the providers up to date until the task is cancelled.
  package func run() async {
    await withTaskGroup(of: Void.self) { group in
      for desk in desks { group.addTask { await desk.provider.run() } }
    }
  }
}

/// Waits for several outcomes, or for the end of patience.
private final class Gathering: Sendable {
  private struct State {
    var missing: Set<Int>
    var outcomes: [Int: ProviderDesk.Outcome] = [:]
  }

  private let state: Mutex<State>
  private let race = Race<[Int: ProviderDesk.Outcome]>()

  init(_ places: [Int]) { state = Mutex(State(missing: Set(places))) }

  func take(_ outcome: ProviderDesk.Outcome, at place: Int) {
    let all: [Int: ProviderDesk.Outcome]? = state.withLock { state in
      guard state.missing.remove(place) != nil else { return nil }
      state.outcomes[place] = outcome
      return state.missing.isEmpty ? state.outcomes : nil
    }
    if let all { race.decide(all) }
  }

  /// Goes on with what has come.
  func end() { race.decide(state.withLock { $0.outcomes }) }

  var outcomes: [Int: ProviderDesk.Outcome] {
    get async { await race.value }
  }
}
