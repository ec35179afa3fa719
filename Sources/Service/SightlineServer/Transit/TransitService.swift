import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
public import SightlineStore
public import SightlineTransit

/// Public transport as the server offers it.
public final class TransitService: Sendable {
  let hub: TransitHub
  let limiter: RateLimiter
  let streams: TransitStreams
  /// Timetables that all servers of a database have in common.
  let timetables: [SharedTimetable]
  /// Where a demonstration plays; `nil` when it is none.
  let center: (latitude: Double, longitude: Double)?
  /// What is drawn on the ground under the lines; `nil` when there is nothing.
  let streets: StreetMap?

  /// A service over providers.
  ///
  /// - Parameters:
  ///   - providers: in the order in which they are listed.
  ///   - clock: time of day.
  ///   - center: where a demonstration plays, degrees.
  ///   - streets: what is drawn on the ground under the lines.
  ///   - perSecond: requests of a client address a second, 0 for no limit; five times as many at once.
  ///   - timetables: those of the providers that all servers of a database have in common.
  ///   - stores: where subscriptions are kept for all servers, when their database is one that several use.
  public init(
    providers: [(provider: any TransitProvider, limits: DeskLimits)],
    clock: TransitClock = TransitClock(),
    center: (latitude: Double, longitude: Double)? = nil,
    streets: StreetMap? = nil,
    perSecond: Double = 20,
    timetables: [SharedTimetable] = [],
    stores: Stores? = nil
  ) {
    self.timetables = timetables
    hub = TransitHub(providers, clock: clock)
    self.center = center
    self.streets = streets
    limiter = RateLimiter(perSecond: perSecond, burst: perSecond * 5)
    streams = TransitStreams(
      shared: stores.flatMap { $0.changes.isShared ? SharedSubscriptions(store: $0.subscriptions) : nil }
    )
  }

  init(
    hub: TransitHub,
    streets: StreetMap? = nil,
    perSecond: Double = 0,
    burst: Double = 100,
    streams: TransitStreams = TransitStreams()
  ) {
    self.hub = hub
    timetables = []
    self.streets = streets
    center = nil
    limiter = RateLimiter(perSecond: perSecond, burst: burst)
    self.streams = streams
  }
}

/// Keeps providers up to date while the server runs.
struct TransitKeeper: Service {
  let transit: TransitService

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        for timetable in transit.timetables { group.addTask { await timetable.follow() } }
        group.addTask { await transit.hub.run() }
        await group.waitForAll()
      }
      // Providers with nothing to keep up to date are done at once; a service that ends would end the server.
      while (try? await Task.sleep(for: .seconds(3600))) != nil {}
    }
  }
}
