import Foundation
import Logging
import ServiceLifecycle
import SightlineStore

/// Makes limits count over all servers of a database: tells every second what was taken here, and learns what was taken there.
///
/// One small row a second for each server that was asked anything. A server that is alone runs none of this.
struct LimitSharing: Service {
  let store: any LimitUseStore
  /// The limits, by names that all servers know them by.
  let limits: [String: CommonBuckets]
  let log: Logger

  /// Time between two exchanges.
  static let pause = Duration.seconds(1)
  /// Largest line that is read, bytes.
  private static let largestDocument = 4 << 20

  /// Where this server is in what others told.
  struct Place: Sendable {
    var number: Int64?
  }

  func run() async throws {
    for limit in limits.values { limit.share() }
    await cancelWhenGracefulShutdown {
      var place = Place()
      var isFailing = false
      repeat {
        do {
          try await exchange(&place)
          isFailing = false
        } catch is CancellationError {
          return
        } catch {
          if !isFailing {
            log.warning(
              "limits count for this server alone: the database does not answer",
              metadata: ["reason": .string("\(error)")]
            )
          }
          isFailing = true
        }
      } while (try? await Task.sleep(for: Self.pause)) != nil
    }
  }

  /// Tells and learns once.
  func exchange(_ place: inout Place) async throws {
    var told: [String: [String: Double]] = [:]
    for (name, limit) in limits {
      let untold = limit.takeUntold()
      if !untold.isEmpty { told[name] = untold }
    }
    do {
      let document = told.isEmpty ? nil : try JSONEncoder().encode(told)
      let (documents, through) = try await store.exchange(document, after: place.number)
      place.number = through
      for document in documents where document.count <= Self.largestDocument {
        // What a newer program tells otherwise counts there alone.
        guard let taken = try? JSONDecoder().decode([String: [String: Double]].self, from: document) else { continue }
        for (name, counts) in taken { limits[name]?.charge(counts) }
      }
    } catch {
      for (name, untold) in told { limits[name]?.putBack(untold) }
      throw error
    }
  }
}
