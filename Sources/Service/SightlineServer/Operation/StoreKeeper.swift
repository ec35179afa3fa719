import Foundation
import Logging
import ServiceLifecycle
import SightlineStore

/// Small things that the store needs done every few minutes or hours, by one server of all.
struct StoreKeeper: Service {
  let stores: Stores
  let accounts: Accounts
  let log: Logger

  /// How long changes stay in the outbox, seconds: longer than any server is away that does not start anew.
  static let changeTime: TimeInterval = 600
  /// How long parts of a timetable whose import was broken off are kept, seconds.
  static let partTime: TimeInterval = 86_400
  /// How long the last position of a team that says nothing any more is known to servers that start anew, seconds.
  static let positionTime: TimeInterval = 6 * 3600

  func run() async throws {
    await cancelWhenGracefulShutdown {
      repeat { await once() } while (try? await Task.sleep(for: .seconds(120))) != nil
    }
  }

  /// Does what is due.
  func once() async {
    await run("outbox", every: 300) { [stores] now in
      _ = try await stores.changes.removeChanges(before: now.addingTimeInterval(-StoreKeeper.changeTime))
      try await stores.changes.removePositions(before: now.addingTimeInterval(-StoreKeeper.positionTime))
    }
    await run("transit", every: 3600) { [stores] now in
      try await stores.subscriptions.removeExpired()
      try await stores.messages.removeMessages(olderThan: StoreKeeper.partTime)
      try await stores.timetables.removeLeft(before: now.addingTimeInterval(-StoreKeeper.partTime))
    }
    await run("stale-accounts", every: 3600) { [accounts] _ in try await accounts.removeStale() }
  }

  private func run(
    _ name: String,
    every interval: Double,
    _ work: @escaping @Sendable (_ now: Date) async throws -> Void
  ) async {
    let clock = RemovalClock(clock: accounts.clock, leases: stores.leases)
    let leased = LeasedWork(leases: stores.leases, name: name, interval: interval, retryPause: 60)
    do {
      _ = try await leased.runIfDue { [log, clock] in
        do {
          try await work(try await clock.now())
          return true
        } catch is CancellationError {
          return false
        } catch {
          log.error("the store could not be tidied", metadata: ["work": .string(name), "reason": .string("\(error)")])
          return false
        }
      }
    } catch is CancellationError {
      return
    } catch {
      log.error("the store could not be tidied", metadata: ["work": .string(name), "reason": .string("\(error)")])
    }
  }
}
