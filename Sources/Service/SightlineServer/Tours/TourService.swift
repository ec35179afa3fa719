import Crypto
import Foundation
import SightlineStore
import SightlineTours
import Synchronization

/// Running tours: what teams send in is judged and kept, and shown on the boards of their teachers.
///
/// Everything that counts is in the store when a call returns. In memory are the latest positions, and copies of runs
/// that are read again when one of them changes.
final class TourService: Sendable {
  let store: any TourStore
  let runs: any TourRunStore
  let teams: any TourTeamStore
  let audience: any TourAudience
  let live = TourPositions()
  let clock: @Sendable () -> Date
  private let copies = Mutex(Copies())
  /// Requests of a phone: one asks every five seconds, and once for each thing done.
  private let requests = TourBudget(burst: 120, perSecond: 2)
  /// Events of a phone: all that one without a network has gathered in an afternoon, and then one every two seconds.
  private let sendings = TourBudget(burst: 600, perSecond: 0.5)
  /// Calls for the teacher of a team; over several servers together where they share a database.
  let calls: CommonBuckets
  /// Lines about a team that leaves the area and comes back; where it is now is on the boards in any case.
  private let crossings = TourBudget(burst: 20, perSecond: 1.0 / 30)

  /// What was read from the store and holds until something changes.
  private struct Copies {
    var runs: [String: RunWithTeams] = [:]
    /// Phones that were asked for, by their secret's hash.
    var devices: [Data: TourDevice] = [:]
    /// Counts what was forgotten: what was read from the store before a change must not be kept after it.
    var generation: UInt64 = 0
  }

  /// Most phones of a team.
  static let largestTeam = 20

  /// A run and its teams.
  struct RunWithTeams: Sendable {
    let run: StoredRun
    let teams: [TourTeam]
  }

  init(
    store: any TourStore,
    runs: any TourRunStore,
    teams: any TourTeamStore,
    audience: any TourAudience = NoAudience(),
    clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.store = store
    self.runs = runs
    self.teams = teams
    self.audience = audience
    self.clock = clock
    calls = CommonBuckets(perSecond: 1.0 / 30, burst: 5) { clock().timeIntervalSinceReferenceDate }
  }

  // MARK: Runs

  /// A run with its teams; `nil` when there is none.
  func run(_ id: String) async throws -> RunWithTeams? {
    let (known, generation) = copies.withLock { ($0.runs[id], $0.generation) }
    if let known { return known }
    guard let run = try await runs.run(id) else { return nil }
    let found = RunWithTeams(run: run, teams: try await teams.teams(of: id))
    copies.withLock { copies in
      guard copies.generation == generation else { return }
      // A program that runs for years must not keep every run it ever had.
      if copies.runs.count > 2000 { copies.runs.removeAll() }
      copies.runs[id] = found
    }
    return found
  }

  /// Makes the next reader of a run ask the store.
  func forget(_ id: String) {
    copies.withLock { copies in
      copies.generation &+= 1
      copies.runs[id] = nil
      copies.devices = copies.devices.filter { $0.value.team.run != id }
    }
  }

  /// Makes the next reader of anything ask the store.
  func forgetAll() {
    copies.withLock { copies in
      copies.generation &+= 1
      copies.runs = [:]
      copies.devices = [:]
    }
  }

  /// After any change of a run by its teacher: boards learn of it.
  func changed(_ id: String) async throws {
    forget(id)
    guard audience.watches(id), let found = try await run(id) else { return }
    audience.show(.run(found.run), of: id, at: clock())
  }

  /// A line for the log, which boards see at once.
  func log(_ kind: TourLogEntry.Kind, run: String, team: Int?, text: String = "") async throws {
    guard let entry = try await runs.addLog(kind, run: run, team: team, text: text, at: clock()) else { return }
    publish(entry, run: run)
  }

  func publish(_ entry: TourLogEntry, run: String) {
    audience.show(.log(entry), of: run, at: clock())
  }

  // MARK: Teams

  /// The hash by which a phone's secret is kept.
  static func hash(_ secret: String) -> Data { Data(SHA256.hash(data: Data(secret.utf8))) }

  /// Lets a phone into a team by its code, as it was scanned or typed.
  ///
  /// A secret that follows from something else joins only once.
  func join(code: String, secret given: String? = nil) async throws -> (device: TourDevice, secret: String) {
    guard let team = try await teams.team(code: code) else { throw TourError.codeUnknown }
    let secret = given ?? SymmetricKey(size: .bits256).withUnsafeBytes { Data($0).hexadecimal }
    let token = TourService.hash(secret)
    if let device = try await teams.device(token: token) { return (device, secret) }
    let time = clock()
    let limit = TourService.largestTeam
    guard let entry = try await teams.addDevice(of: team, token: token, limit: limit, at: time) else {
      throw TourError.teamFull(limit)
    }
    publish(entry, run: team.run)
    return (TourDevice(token: token, team: team), secret)
  }

  /// The phone of a secret.
  func device(secret: String) async throws -> TourDevice {
    let token = TourService.hash(secret)
    let (known, generation) = copies.withLock { ($0.devices[token], $0.generation) }
    if let known { return known }
    guard let device = try await teams.device(token: token) else {
      throw TourError.deviceUnknown
    }
    copies.withLock { copies in
      guard copies.generation == generation else { return }
      if copies.devices.count > 20_000 { copies.devices.removeAll() }
      copies.devices[token] = device
    }
    return device
  }

  /// A run of a phone.
  func run(of device: TourDevice) async throws -> StoredRun {
    guard let found = try await run(device.team.run) else { throw TourError.gone }
    return found.run
  }

  // MARK: What teams do

  /// Lets a phone's request pass, or refuses it: one phone must not take the time of all.
  func spend(_ device: TourDevice, events: Int = 0) throws(TourError) {
    let key = device.token.hexadecimal
    let time = clock()
    var wait = requests.take(of: key, at: time)
    if wait == nil, events > 0 { wait = sendings.take(Double(events), of: key, at: time) }
    if let wait { throw .tooFast(wait: wait) }
  }

  /// Asks the teacher to come.
  func help(_ device: TourDevice) async throws {
    let run = try await run(of: device)
    guard run.schedule.phase(at: clock(), minutes: run.tour.minutes) != .ended else {
      throw TourError.ended
    }
    if let wait = calls.take(of: "\(run.id) \(device.team.number)") {
      throw TourError.calledTooOften(wait: wait)
    }
    try await log(.help, run: run.id, team: device.team.number)
  }

  /// Judges and keeps events, and shows them on the boards.
  func submit(_ events: [TourEvent], of device: TourDevice) async throws -> TourOutcome {
    let outcome: TourOutcome
    do {
      outcome = try await teams.submit(TourSubmission(device: device, events: events, received: clock()))
    } catch TourStoreError.gone {
      throw TourError.gone
    } catch TourStoreError.foreignEvent {
      throw TourError.foreignEvent
    }
    if outcome.isFull, outcome.events.isEmpty {
      throw TourError.eventsFull
    }
    let team = device.team
    guard audience.watches(team.run), outcome.events.contains(where: { $0.isNew }) else { return outcome }
    for (event, isNew) in outcome.events where isNew {
      audience.show(.answer(event), of: team.run, at: clock())
    }
    if let run = try await run(team.run)?.run {
      publish(team, run: run, tallies: outcome.tallies)
    }
    return outcome
  }

  /// Shows a team's standing on the boards.
  func publish(_ team: TourTeam, run: StoredRun, tallies: [String: StationTally]) {
    guard audience.watches(team.run) else { return }
    let progress = TourProgress(tour: run.tour, seed: team.seed, tallies: tallies)
    audience.show(.team(team, progress, live[team.run, team.number]), of: team.run, at: clock())
  }

  /// Notes where a team is: shown on the boards, kept now and then, rounded as the tour says.
  ///
  /// Only while the run goes on: before and after, where a team is concerns nobody. A virtual phone stands where nobody is: it is
  /// noted where the tour allows such.
  func note(_ fix: TourFix, of team: TourTeam, run: StoredRun) async throws {
    let time = clock()
    guard run.schedule.phase(at: time, minutes: run.tour.minutes) == .running else { return }
    guard !fix.isVirtual || run.tour.allowsVirtualPhones || run.isTrial else { return }
    let hasLeft = TourBorder(run.tour.border).isLeft(by: fix)
    let rounded = fix.rounded(to: run.tour.rounding)
    let change = live.note(rounded, hasLeft: hasLeft, team: team.number, run: run.id, at: time) {
      crossings.take(of: "\(run.id) \(team.number)", at: time) == nil
    }
    if let change { try await log(change ? .left : .returned, run: run.id, team: team.number) }
    guard audience.watches(run.id), let position = live[run.id, team.number] else { return }
    audience.show(.position(position, team: team.number), of: run.id, at: time)
  }
}

extension TourService {
  /// Writes the positions that wait to be kept; what could not be written waits on.
  func keepPositions() async throws {
    let points = live.takeUnkept()
    guard !points.isEmpty else { return }
    do {
      try await runs.addTrack(points)
    } catch {
      live.putBack(points)
      throw error
    }
  }
}
