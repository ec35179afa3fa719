import Crypto
import Foundation
import Hummingbird
import NIOCore
import SightlineStore
import SightlineTours
import Synchronization

/// Running tours: what teams send in is judged and kept, and shown on the boards of their teachers.
///
/// Everything that counts is in the store when a call returns. In memory are the latest positions, and copies of runs
/// that are read again when one of them changes.
final class TourService: Sendable {
  let store: any TourStore
  let hub: EventHub
  let live = TourPositions()
  let clock: @Sendable () -> Date
  private let known = Mutex<[String: RunWithTeams]>([:])
  /// Phones that were asked for, by their secret's hash; emptied whenever a team changes.
  private let devices = Mutex<[Data: TourDevice]>([:])

  /// Most phones of a team.
  static let largestTeam = 20

  /// A run and its teams.
  struct RunWithTeams: Sendable {
    let run: StoredRun
    let teams: [TourTeam]
  }

  init(store: any TourStore, hub: EventHub = EventHub(), clock: @escaping @Sendable () -> Date = { Date() }) {
    self.store = store
    self.hub = hub
    self.clock = clock
  }

  // MARK: Runs

  /// A run with its teams; `nil` when there is none.
  func run(_ id: String) async throws -> RunWithTeams? {
    if let known = known.withLock({ $0[id] }) { return known }
    guard let run = try await store.run(id) else { return nil }
    let found = RunWithTeams(run: run, teams: try await store.teams(of: id))
    known.withLock { known in
      // A program that runs for years must not keep every run it ever had.
      if known.count > 2000 { known.removeAll() }
      known[id] = found
    }
    return found
  }

  /// Makes the next reader of a run ask the store.
  func forget(_ id: String) {
    known.withLock { $0[id] = nil }
    devices.withLock { devices in devices = devices.filter { $0.value.team.run != id } }
  }

  /// After any change of a run by its teacher: boards learn of it.
  func changed(_ id: String) async throws {
    forget(id)
    guard hub.hasSubscribers(id), let found = try await run(id) else { return }
    hub.publish("run", TourJSON.run(found.run, at: clock()), to: id)
  }

  /// A line for the log, which boards see at once.
  func log(_ kind: TourLogEntry.Kind, run: String, team: Int?, text: String = "") async throws {
    guard let entry = try await store.addLog(kind, run: run, team: team, text: text, at: clock()) else { return }
    publish(entry, run: run)
  }

  func publish(_ entry: TourLogEntry, run: String) {
    guard hub.hasSubscribers(run) else { return }
    var json = JSONWriter(capacity: 128)
    TourJSON.write(entry, to: &json)
    hub.publish("log", json.buffer, to: run)
  }

  // MARK: Teams

  /// The hash by which a phone's secret is kept.
  static func hash(_ secret: String) -> Data { Data(SHA256.hash(data: Data(secret.utf8))) }

  /// Lets a phone into a team by its code, as it was scanned or typed.
  ///
  /// A secret that follows from something else joins only once.
  func join(code: String, secret given: String? = nil) async throws -> (device: TourDevice, secret: String) {
    guard let team = try await store.team(code: code) else {
      throw RequestProblem.notFound(
        "tour.code-unknown",
        "There is no team with this code. Check it on the sheet, or ask your teacher for a new one."
      )
    }
    let secret = given ?? SymmetricKey(size: .bits256).withUnsafeBytes { Data($0).hexadecimal }
    let token = TourService.hash(secret)
    if let device = try await store.device(token: token) { return (device, secret) }
    let time = clock()
    let limit = TourService.largestTeam
    guard let entry = try await store.addDevice(of: team, token: token, limit: limit, at: time) else {
      throw RequestProblem(
        .conflict,
        "tour.team-full",
        "The team has \(TourService.largestTeam) phones already. The teacher can give the team a new code, which ends them."
      )
    }
    publish(entry, run: team.run)
    return (TourDevice(token: token, team: team), secret)
  }

  /// The phone of a secret.
  func device(secret: String) async throws -> TourDevice {
    let token = TourService.hash(secret)
    if let device = devices.withLock({ $0[token] }) { return device }
    guard let device = try await store.device(token: token) else {
      throw RequestProblem(
        .unauthorized,
        "tour.device-unknown",
        "This phone is in no team any more. Scan the team's code again.",
        headers: [.wwwAuthenticate: "Bearer"]
      )
    }
    devices.withLock { devices in
      if devices.count > 20_000 { devices.removeAll() }
      devices[token] = device
    }
    return device
  }

  /// A run of a phone.
  func run(of device: TourDevice) async throws -> StoredRun {
    guard let found = try await run(device.team.run) else { throw TourService.gone }
    return found.run
  }

  static var gone: RequestProblem {
    RequestProblem(.gone, "tour.gone", "This tour has been deleted. There is nothing more to answer.")
  }

  // MARK: What teams do

  /// Judges and keeps events, and shows them on the boards.
  func submit(_ events: [TourEvent], of device: TourDevice) async throws -> TourOutcome {
    let outcome: TourOutcome
    do {
      outcome = try await store.submit(TourSubmission(device: device, events: events, received: clock()))
    } catch TourStoreError.gone {
      throw TourService.gone
    } catch TourStoreError.foreignEvent {
      throw RequestProblem(
        .conflict,
        "tour.event-foreign",
        "Another team has sent an event with this identifier. Make a random one for each event."
      )
    }
    let team = device.team
    guard hub.hasSubscribers(team.run), outcome.events.contains(where: { $0.isNew }) else { return outcome }
    for (event, isNew) in outcome.events where isNew {
      var json = JSONWriter(capacity: 256)
      TourJSON.write(event, to: &json)
      hub.publish("answer", json.buffer, to: team.run)
    }
    if let run = try await run(team.run)?.run {
      publish(team, run: run, records: outcome.records)
    }
    return outcome
  }

  /// Shows a team's standing on the boards.
  func publish(_ team: TourTeam, run: StoredRun, records: [TourRecord]) {
    guard hub.hasSubscribers(team.run) else { return }
    let progress = TourProgress(tour: run.tour, seed: team.seed, records: records)
    var json = JSONWriter(capacity: 512)
    TourJSON.writeTeam(team, progress, live[team.run, team.number], at: clock(), to: &json)
    hub.publish("team", json.buffer, to: team.run)
  }

  /// Notes where a team is: shown on the boards, kept now and then, rounded as the tour says.
  ///
  /// Only while the run goes on: before and after, where a team is concerns nobody.
  func note(_ fix: TourFix, of team: TourTeam, run: StoredRun) async throws {
    let time = clock()
    guard run.schedule.phase(at: time, minutes: run.tour.minutes) == .running else { return }
    let hasLeft = TourBorder(run.tour.border).isLeft(by: fix)
    let rounded = fix.rounded(to: run.tour.rounding)
    let change = live.note(rounded, hasLeft: hasLeft, team: team.number, run: run.id, at: time)
    if let change { try await log(change ? .left : .returned, run: run.id, team: team.number) }
    guard hub.hasSubscribers(run.id), let position = live[run.id, team.number] else { return }
    var json = JSONWriter(capacity: 128)
    json.beginObject()
    json.member("number", team.number)
    TourJSON.write(position, at: time, to: &json)
    json.endObject()
    hub.publish("position", json.buffer, to: run.id)
  }
}
