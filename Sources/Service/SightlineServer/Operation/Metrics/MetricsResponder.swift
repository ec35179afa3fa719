import HTTPTypes
import Hummingbird
import NIOCore
import SightlineContent
import SightlineReadWorkers
import SightlineStore

/// Answers `/metrics` on a port of its own, which the outside need not reach.
struct MetricsResponder: HTTPResponder {
  typealias Context = ConnectionContext

  let transit: TransitService?
  let readers: ReadMetrics
  let readiness: Readiness
  let metrics: PrometheusMetrics
  let store: StoreMetrics
  /// What is open at the moment.
  let gauges: @Sendable () -> [(name: String, help: String, value: Int)]

  func respond(to request: Request, context: ConnectionContext) async throws -> Response {
    guard request.uri.path == "/metrics" else { return Response(status: .notFound) }
    guard request.method == .get || request.method == .head else {
      return Response(status: .methodNotAllowed, headers: [.allow: "GET, HEAD"])
    }
    return Response(
      status: .ok,
      headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
      body: .init(byteBuffer: ByteBuffer(string: text))
    )
  }

  /// All metrics.
  var text: String {
    var out = Exposition()
    out.single("sightline_ready", "gauge", "Whether the server answers.", readiness.state == .ready ? 1 : 0)
    out.head("sightline_build_info", "gauge", "The program; always 1.")
    out.line("sightline_build_info", "version=\"\(Version.current)\"", 1)
    ProcessMetrics.write(to: &out)
    for gauge in gauges() { out.single(gauge.name, "gauge", gauge.help, gauge.value) }
    write(store.snapshot, to: &out)
    return out.text + metrics.text + readers.text + TransitMetrics.text(transit)
  }

  private func write(_ store: StoreMetrics.Snapshot, to out: inout Exposition) {
    let calls = store.calls
    out.head("sightline_database_calls_total", "counter", "Transactions, by kind and by what came of them.")
    for (kind, counts) in calls {
      for (result, count) in [("done", counts.done), ("busy", counts.busy), ("failed", counts.failed)] {
        out.line("sightline_database_calls_total", "kind=\"\(kind.rawValue)\",result=\"\(result)\"", count)
      }
    }
    out.head("sightline_database_call_seconds", "histogram", "Time of a transaction, with its wait for a connection.")
    for (kind, counts) in calls {
      let rows = zip(StoreMetrics.bounds, counts.buckets).map { (bound: $0, count: $1) }
      let labels = "kind=\"\(kind.rawValue)\""
      out.histogram("sightline_database_call_seconds", labels, rows, sum: counts.seconds, count: counts.count)
    }
    out.head("sightline_database_wait_seconds_total", "counter", "Time before a transaction had a connection.")
    for (kind, counts) in calls {
      out.line("sightline_database_wait_seconds_total", "kind=\"\(kind.rawValue)\"", counts.waitSeconds)
    }
    out.single("sightline_database_statements_total", "counter", "SQL statements.", store.statements)
    out.single("sightline_database_waiting", "gauge", "Transactions that wait for a connection.", store.waiting)
    out.single("sightline_database_running", "gauge", "Transactions that are running.", store.running)
    guard let pool = store.pool else { return }
    func gauge(_ name: String, _ help: String, _ value: Int) {
      out.single("sightline_database_pool_\(name)", "gauge", help, value)
    }
    gauge("limit", "Most connections to PostgreSQL.", pool.limit)
    gauge("in_use", "Connections to PostgreSQL that are in use.", pool.inUse)
    gauge("idle", "Connections to PostgreSQL that rest.", pool.idle)
    func counter(_ name: String, _ help: String, _ value: UInt64) {
      out.single("sightline_database_pool_\(name)_total", "counter", help, Int(clamping: value))
    }
    counter("waits", "Transactions that had to wait for a connection.", pool.waits)
    counter("timeouts", "Transactions that waited for a connection in vain.", pool.timeouts)
    counter("connects", "Connections that were made.", pool.connects)
    counter("failures", "Connections that broke off, or were not made.", pool.failures)
  }
}
