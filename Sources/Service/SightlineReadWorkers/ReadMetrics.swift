import Synchronization

/// What the workers did, for the operator.
public final class ReadMetrics: Sendable {
  /// Counts of a kind of document.
  public struct Counts: Equatable, Sendable {
    /// Documents that an answer came for.
    public var answered = 0
    /// Documents that none came for, by the word of ``ReadFailure``.
    public var failures: [String: Int] = [:]
    /// Seconds on the clock with a worker.
    public var seconds = 0.0
    /// Seconds before that.
    public var waited = 0.0
    /// Seconds of processor time, of those that were answered.
    public var processorSeconds = 0.0
    /// Most memory that a worker had used after one of these, bytes.
    public var peakBytes = 0
  }

  /// All of it at a moment.
  public struct Snapshot: Sendable {
    /// By the name of the kind.
    public var kinds: [String: Counts] = [:]
    /// Workers that are alive.
    public var workers = 0
    /// Workers that were started.
    public var started = 0
    /// Workers that could not be started, or were not ready in time.
    public var failedStarts = 0
    /// Documents that wait.
    public var waiting = 0
    /// Documents that are being read.
    public var reading = 0
  }

  private let state = Mutex(Snapshot())

  /// The counts now.
  public var snapshot: Snapshot { state.withLock { $0 } }

  func change(_ body: (inout Snapshot) -> Void) { state.withLock { body(&$0) } }

  func change(_ kind: ReadKind, _ body: (inout Counts) -> Void) {
    state.withLock { body(&$0.kinds[kind.name, default: Counts()]) }
  }

  /// The counts in Prometheus' text form (exposition format 0.0.4).
  ///
  /// Labels come from closed lists of the program: nobody outside can multiply them.
  public var text: String {
    let now = snapshot
    var out = ""
    func head(_ name: String, _ type: String, _ help: String) {
      out += "# HELP sightline_read_\(name) \(help)\n# TYPE sightline_read_\(name) \(type)\n"
    }
    let kinds = now.kinds.sorted { $0.key < $1.key }
    head("documents_total", "counter", "Foreign documents, by what became of them.")
    for (name, counts) in kinds {
      out += "sightline_read_documents_total{kind=\"\(name)\",result=\"answered\"} \(counts.answered)\n"
      for (word, count) in counts.failures.sorted(by: { $0.key < $1.key }) {
        out += "sightline_read_documents_total{kind=\"\(name)\",result=\"\(word)\"} \(count)\n"
      }
    }
    func sums(_ name: String, _ type: String, _ help: String, _ value: (Counts) -> String) {
      head(name, type, help)
      for (kind, counts) in kinds { out += "sightline_read_\(name){kind=\"\(kind)\"} \(value(counts))\n" }
    }
    sums("seconds_total", "counter", "Time with a worker.") { "\($0.seconds)" }
    sums("wait_seconds_total", "counter", "Time before a worker was free.") { "\($0.waited)" }
    sums("processor_seconds_total", "counter", "Processor time of documents that were answered.") {
      "\($0.processorSeconds)"
    }
    sums("peak_bytes", "gauge", "Most memory that a worker had used after such a document.") { "\($0.peakBytes)" }
    func gauge(_ name: String, _ type: String, _ help: String, _ value: Int) {
      head(name, type, help)
      out += "sightline_read_\(name) \(value)\n"
    }
    gauge("workers", "gauge", "Workers that are alive.", now.workers)
    gauge("workers_started_total", "counter", "Workers that were started.", now.started)
    gauge("worker_failed_starts_total", "counter", "Workers that were not ready in time.", now.failedStarts)
    gauge("waiting", "gauge", "Documents that wait for a worker.", now.waiting)
    gauge("reading", "gauge", "Documents that are being read.", now.reading)
    return out
  }
}
