import SightlineGeodesy
import Synchronization

/// Answers for a producer of made-up traffic, and hands every other request on.
///
/// What it answers are the bytes of a GTFS-Realtime message: they take the way of those of a real producer, through whoever
/// reads what providers send.
final class SimulatedTransport: ProviderTransport {
  private let transport: any ProviderTransport
  private let clock: TransitClock
  private let center: Geodetic?
  private let schedule: @Sendable () -> Schedule
  private let held = Mutex<SimulatedTraffic?>(nil)

  init(
    _ transport: any ProviderTransport,
    clock: TransitClock,
    center: Geodetic?,
    schedule: @escaping @Sendable () -> Schedule
  ) {
    self.transport = transport
    self.clock = clock
    self.center = center
    self.schedule = schedule
  }

  func fetch(_ request: ProviderRequest) async throws(ProviderFailure) -> ProviderAnswer {
    guard request.url == RealtimeSource.simulation.url else { return try await transport.fetch(request) }
    let schedule = schedule()
    do {
      let known = held.withLock { $0 }
      let traffic: SimulatedTraffic
      if let known, known.schedule === schedule {
        traffic = known
      } else {
        traffic = try SimulatedTraffic(schedule, around: center)
        held.withLock { $0 = traffic }
      }
      return ProviderAnswer(body: try traffic.message(at: clock.now).protobuf, mediaType: "application/x-protobuf")
    } catch { throw .broken("\(error)") }
  }
}
