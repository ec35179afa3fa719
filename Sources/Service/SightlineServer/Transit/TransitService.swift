import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
public import SightlineTransit

/// Public transport as the server offers it.
public final class TransitService: Sendable {
  let hub: TransitHub
  let limiter: RateLimiter
  let streams: TransitStreams
  /// What answers take their boards from.
  let boards = RenderedBoards()
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
  public init(
    providers: [(provider: any TransitProvider, limits: DeskLimits)],
    clock: TransitClock = TransitClock(),
    center: (latitude: Double, longitude: Double)? = nil,
    streets: StreetMap? = nil,
    perSecond: Double = 20
  ) {
    hub = TransitHub(providers, clock: clock)
    self.center = center
    self.streets = streets
    limiter = RateLimiter(perSecond: perSecond, burst: perSecond * 5)
    streams = TransitStreams()
  }

  init(
    hub: TransitHub,
    streets: StreetMap? = nil,
    perSecond: Double = 0,
    burst: Double = 100,
    streams: TransitStreams = TransitStreams()
  ) {
    self.hub = hub
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
      await transit.hub.run()
      // Providers with nothing to keep up to date are done at once; a service that ends would end the server.
      while (try? await Task.sleep(for: .seconds(3600))) != nil {}
    }
  }
}
