import CoreMetrics
import HTTPTypes
import SightlineInput
import SightlineStore
import Synchronization

/// What the server counts of itself, told to swift-metrics.
///
/// Labels are patterns of routes, classes of answers and words of the program: nobody outside can multiply them, and none
/// holds a path, a name or a position.
struct ServerMetrics: Sendable {
  private let factory: any MetricsFactory
  private let events: [SecurityEvent.Kind: Counter]

  /// Meters of a factory.
  init(_ metrics: PrometheusMetrics) {
    factory = metrics
    metrics.describe(
      "sightline_http_requests_total",
      "Requests answered, by pattern of the route and class of the answer."
    )
    metrics.describe("sightline_http_request_seconds", "Time until the answer began, by pattern of the route.")
    metrics.describe("sightline_cache_requests_total", "Looks into caches of answers, by what was found.")
    metrics.describe(
      "sightline_security_events_total",
      "Lines of the security log, by what has happened; signed-in is a sign-in."
    )
    events = Dictionary(
      SecurityEvent.Kind.allCases.map { kind in
        let dimensions = [("event", kind.rawValue)]
        return (kind, Counter(label: "sightline_security_events_total", dimensions: dimensions, factory: metrics))
      },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// Counts a line of the security log.
  func count(_ event: SecurityEvent.Kind) { events[event]?.increment() }

  /// What a cache counts.
  func cache(_ name: String) -> CacheMetrics {
    func counter(_ result: String) -> Counter {
      let dimensions = [("cache", name), ("result", result)]
      return Counter(label: "sightline_cache_requests_total", dimensions: dimensions, factory: factory)
    }
    return CacheMetrics(hits: counter("hit"), misses: counter("miss"))
  }

  /// What is counted of the requests of a table of routes.
  func requests(of routes: RouteTable) -> RequestMetrics {
    RequestMetrics(patterns: routes.routes.map(\.pattern), factory: factory)
  }
}

/// Looks into a cache.
struct CacheMetrics: Sendable {
  let hits: Counter
  let misses: Counter
}

/// Requests, by the pattern of their route.
///
/// Made before the first request: counting looks nothing up by a text and takes no lock.
final class RequestMetrics: Sendable {
  private struct Row: Sendable {
    /// By the hundreds of the status, from 1.
    var classes: [Counter]
    var seconds: Timer
  }

  private let rows: [Row]
  private let inFlight = Atomic<Int>(0)

  init(patterns: [String], factory: any MetricsFactory) {
    // The last one is what leads to no route.
    rows = (patterns + ["-"]).map { pattern in
      Row(
        classes: (1...5).map { hundreds in
          Counter(
            label: "sightline_http_requests_total",
            dimensions: [("route", pattern), ("status", "\(hundreds)xx")],
            factory: factory
          )
        },
        seconds: Timer(
          label: "sightline_http_request_seconds",
          dimensions: [("route", pattern)],
          preferredDisplayUnit: .seconds,
          factory: factory
        )
      )
    }
  }

  /// Requests that are being answered.
  var running: Int { inFlight.load(ordering: .relaxed) }

  /// A request has come.
  func begin() { inFlight.wrappingAdd(1, ordering: .relaxed) }

  /// Its answer begins; `route` is the number of its route in the table, `nil` for none.
  func end(route: Int?, status: HTTPResponse.Status, _ took: Duration) {
    inFlight.wrappingSubtract(1, ordering: .relaxed)
    let row = rows[route ?? rows.count - 1]
    row.classes[min(max(status.code / 100, 1), 5) - 1].increment()
    let (seconds, attoseconds) = took.components
    let nanoseconds = Int(seconds).saturatingMultiply(1_000_000_000).saturatingAdd(Int(attoseconds / 1_000_000_000))
    row.seconds.recordNanoseconds(nanoseconds)
  }
}
