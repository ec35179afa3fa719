import CoreMetrics
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import SightlineServer
@testable import SightlineStore

/// Counting by swift-metrics, and its text for Prometheus.
@Suite struct MetricsTests {
  /// A value by its whole line's beginning.
  private func value(_ line: String, in text: String) -> Double? {
    text.split(separator: "\n").first { $0.hasPrefix(line + " ") }.flatMap { Double($0.dropFirst(line.count + 1)) }
  }

  @Test func `what many threads count at once is all there`() async throws {
    let metrics = PrometheusMetrics()
    let counter = Counter(label: "tries", dimensions: [("kind", "a")], factory: metrics)
    let sum = FloatingPointCounter(label: "sums", factory: metrics)
    let timer = Timer(label: "times", factory: metrics)
    let meter = Meter(label: "level", factory: metrics)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<2000 {
            counter.increment()
            sum.increment(by: 0.5)
            timer.recordNanoseconds(2_000_000)
            meter.increment()
          }
          meter.decrement(by: 1999.0)
        }
      }
    }
    let text = metrics.text
    #expect(value("tries{kind=\"a\"}", in: text) == 16_000)
    #expect(value("sums", in: text) == 8000)
    #expect(value("level", in: text) == 8)
    #expect(value("times_bucket{le=\"0.001\"}", in: text) == 0)
    #expect(value("times_bucket{le=\"0.0025\"}", in: text) == 16_000)
    #expect(value("times_bucket{le=\"+Inf\"}", in: text) == 16_000)
    #expect(value("times_count", in: text) == 16_000)
    #expect(value("times_sum", in: text) == 32)
  }

  @Test func `one name and the same labels are one series, and another kind of that name counts nowhere`() {
    let metrics = PrometheusMetrics()
    metrics.describe("asked", "What was \\ asked,\nin lines.")
    Counter(label: "asked", factory: metrics).increment()
    Counter(label: "asked", factory: metrics).increment(by: 2)
    Recorder(label: "asked", dimensions: [], aggregate: true, factory: metrics).record(7)
    Counter(label: "nobody", factory: metrics).reset()
    #expect(
      metrics.text
        == """
        # HELP asked What was \\\\ asked,\\nin lines.
        # TYPE asked counter
        asked 3
        # HELP nobody Counted by nobody.
        # TYPE nobody counter

        """
    )
  }

  @Test func `names and labels that Prometheus does not take are written so that it does`() {
    let metrics = PrometheusMetrics()
    Counter(label: "9 a.b-ü", dimensions: [("x-y", "a\"b\\c\nd")], factory: metrics).increment()
    #expect(metrics.text.contains("_9_a_b___{x_y=\"a\\\"b\\\\c\\nd\"} 1\n"))
    var out = Exposition()
    for number in [Double.nan, .infinity, -.infinity] { out.line("n", "", number) }
    #expect(out.text == "n NaN\nn +Inf\nn -Inf\n")
    #expect(Exposition.identifier("") == "_")
  }

  @Test func `series without end do not fill the memory, and destroyed ones go`() {
    let metrics = PrometheusMetrics()
    for number in 0..<PrometheusMetrics.mostSeries + 100 {
      Counter(label: "many", dimensions: [("n", "\(number)")], factory: metrics).increment()
    }
    #expect(metrics.text.split(separator: "\n").count == PrometheusMetrics.mostSeries + 2)
    let counter = Counter(label: "gone", factory: metrics)
    counter.increment()
    #expect(metrics.text.contains("\ngone 1\n"))
    counter.destroy()
    #expect(!metrics.text.contains("\ngone 1\n"))
  }

  @Test func `requests count by pattern and class, whatever was in their path`() async throws {
    let fixture = try await ServerFixture()
    let routes = fixture.server.routes
    let requests = fixture.server.metrics.requests(of: routes)
    for path in ["/api/v1/worlds", "/api/v1/worlds/secret-name", "/api/v1/worlds/other", "/secret", "/secret?lat=48.4"]
    {
      _ = try await fixture.request(path, routes: routes, metrics: requests)
    }
    #expect(requests.running == 0)
    let text = fixture.server.options.metrics.text
    let name = "sightline_http_requests_total"
    #expect(value("\(name){route=\"/api/v1/worlds\",status=\"2xx\"}", in: text) == 1)
    #expect(value("\(name){route=\"/api/v1/worlds/{id}\",status=\"4xx\"}", in: text) == 2)
    #expect(value("\(name){route=\"-\",status=\"4xx\"}", in: text) == 2)
    #expect(value("sightline_http_request_seconds_count{route=\"-\"}", in: text) == 2)
    #expect(!text.contains("secret") && !text.contains("48.4"))
  }

  @Test func `a cache says what it had, and sign-ins count`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let metrics = fixture.server.metrics
    let cache = BodyCache(limit: 1 << 20, metrics: metrics.cache("test"))
    for _ in 0..<3 { _ = try await cache.body(for: "a") { .bytes(.init(string: "x"), mediaType: "text/plain") } }
    metrics.count(.signedIn)
    let text = fixture.server.options.metrics.text
    #expect(value("sightline_cache_requests_total{cache=\"test\",result=\"hit\"}", in: text) == 2)
    #expect(value("sightline_cache_requests_total{cache=\"test\",result=\"miss\"}", in: text) == 1)
    #expect((value("sightline_security_events_total{event=\"signed-in\"}", in: text) ?? 0) >= 1)
  }

  @Test func `the database counts what is done, refused and failed`() async throws {
    let fixture = try await ServerFixture()
    let before = fixture.stores.metrics.snapshot
    _ = try await fixture.stores.worlds.generation()
    let after = fixture.stores.metrics.snapshot
    #expect(after.calls[0].counts.done > before.calls[0].counts.done)
    #expect(after.statements > before.statements)
    #expect((after.waiting, after.running) == (0, 0))
    #expect(after.calls[0].counts.buckets.reduce(0, +) <= after.calls[0].counts.count)
    #expect(after.pool == nil)
  }

  @Test func `connections to PostgreSQL are told where there are any`() async throws {
    let fixture = try await ServerFixture()
    var pool = PostgresPoolCounters(limit: 8)
    (pool.inUse, pool.idle, pool.waits, pool.timeouts, pool.connects, pool.failures) = (3, 2, 7, 1, 5, UInt64.max)
    let counters = pool
    func text(_ store: StoreMetrics) -> String {
      MetricsResponder(
        transit: nil,
        readers: TestReaders.shared.metrics,
        readiness: fixture.server.readiness,
        metrics: PrometheusMetrics(),
        store: store,
        gauges: { [("sightline_tour_boards", "Boards.", 4)] }
      ).text
    }
    let postgres = text(StoreMetrics { counters })
    for (name, number) in [
      ("limit", 8.0), ("in_use", 3), ("idle", 2), ("waits_total", 7), ("timeouts_total", 1), ("connects_total", 5),
    ] {
      #expect(value("sightline_database_pool_\(name)", in: postgres) == number)
    }
    #expect(value("sightline_tour_boards", in: postgres) == 4)
    #expect(value("sightline_ready", in: postgres) == 1)
    #expect(!text(fixture.stores.metrics).contains("sightline_database_pool"))
  }
}
