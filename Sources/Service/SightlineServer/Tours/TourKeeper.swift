import Logging
import ServiceLifecycle
import SightlineStore

/// What tours need done beside requests: beats for open boards, positions to be kept, and the end of what was kept long
/// enough.
struct TourKeeper: Service {
  let tours: TourService
  let leases: any LeaseStore
  let log: Logger

  /// Time between two writes of positions, and between two beats, seconds.
  static let interval = 15
  /// Seconds between two removals, by one server of all: times of keeping are days.
  private static let removalInterval = 600.0

  func run() async throws {
    await cancelWhenGracefulShutdown {
      let removal = LeasedWork(
        leases: leases,
        name: "expired-runs",
        interval: TourKeeper.removalInterval,
        retryPause: 60
      )
      repeat {
        do {
          _ = try await removal.runIfDue { await removeExpired() }
        } catch {
          if !(error is CancellationError) { report(error) }
        }
        tours.audience.beat()
        await keepPositions()
      } while (try? await Task.sleep(for: .seconds(TourKeeper.interval))) != nil
    }
    await keepPositions()
  }

  func keepPositions() async {
    do {
      try await tours.keepPositions()
    } catch is CancellationError {
      return
    } catch {
      log.error("positions of teams could not be kept", metadata: ["reason": .string("\(error)")])
    }
  }

  /// Deletes runs whose days are over, with everything that teams left in them.
  ///
  /// - Returns: Whether it came to its end.
  func removeExpired() async -> Bool {
    do {
      let now = try await RemovalClock(clock: tours.clock, leases: leases).now()
      let removed = try await tours.runs.removeExpiredRuns(at: now)
      for run in removed { tours.removed(run) }
      if !removed.isEmpty {
        log.notice("runs of tours deleted, their time is over", metadata: ["count": .stringConvertible(removed.count)])
      }
      return true
    } catch is CancellationError {
      return false
    } catch {
      report(error)
      return false
    }
  }

  private func report(_ error: any Error) {
    log.error("runs whose time is over could not be deleted", metadata: ["reason": .string("\(error)")])
  }
}

extension TourService {
  /// After a run is gone: nothing of it stays in memory, and boards end.
  func removed(_ run: String) {
    forget(run)
    live.remove(run)
    audience.end(run)
  }
}
