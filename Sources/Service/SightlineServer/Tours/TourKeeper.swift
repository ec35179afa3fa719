import Logging
import ServiceLifecycle

/// What tours need done beside requests: beats for open boards, positions to be kept, and the end of what was kept long
/// enough.
struct TourKeeper: Service {
  let tours: TourService
  let log: Logger

  /// Time between two writes of positions, and between two beats, seconds.
  static let interval = 15
  /// Times of keeping are days; looking every ten minutes is often enough.
  private static let beatsBetweenRemovals = 40

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var beat = 0
      repeat {
        if beat.isMultiple(of: TourKeeper.beatsBetweenRemovals) { await removeExpired() }
        beat += 1
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
  func removeExpired() async {
    do {
      let removed = try await tours.runs.removeExpiredRuns(at: tours.clock())
      for run in removed { tours.removed(run) }
      if !removed.isEmpty {
        log.notice("runs of tours deleted, their time is over", metadata: ["count": .stringConvertible(removed.count)])
      }
    } catch is CancellationError {
      return
    } catch {
      log.error("runs whose time is over could not be deleted", metadata: ["reason": .string("\(error)")])
    }
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
