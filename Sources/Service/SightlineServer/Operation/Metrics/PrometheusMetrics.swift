public import CoreMetrics
import Synchronization

/// Counts what swift-metrics is told, for `/metrics` in Prometheus' text form.
///
/// A server has its own (``ServerOptions/metrics``). A program that wants those of its other packages there too makes it
/// the system's: `MetricsSystem.bootstrap(options.metrics)`.
///
/// Counting takes no lock: each series is made once, under one, and is made of atomics. A metric has at most
/// ``mostSeries`` series; more are counted nowhere, so that no label can fill the memory.
public final class PrometheusMetrics: MetricsFactory, Sendable {
  /// Most series of a metric.
  public static let mostSeries = 4096

  private struct Family {
    var type: String
    var help: String
    var series: [String: any PrometheusSeries] = [:]
  }

  private struct State {
    var families: [String: Family] = [:]
    var helps: [String: String] = [:]
  }

  private let state = Mutex(State())

  /// Metrics without any.
  public init() {}

  /// Says what a metric is, in a sentence.
  public func describe(_ label: String, _ help: String) {
    let name = Exposition.identifier(label)
    state.withLock { state in
      state.helps[name] = help
      state.families[name]?.help = help
    }
  }

  /// All that was counted.
  ///
  /// Series without anything are left out.
  public var text: String {
    let families = state.withLock { $0.families }
    var out = Exposition()
    for (name, family) in families.sorted(by: { $0.key < $1.key }) {
      out.head(name, family.type, family.help)
      for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) where series.isUsed {
        series.write(name, labels, to: &out)
      }
    }
    return out.text
  }

  private func series<Series: PrometheusSeries>(
    _ label: String,
    _ dimensions: [(String, String)],
    _ make: () -> Series
  ) -> Series {
    let (name, labels) = (Exposition.identifier(label), Exposition.labels(dimensions))
    return state.withLock { state in
      let help = state.helps[name] ?? "Counted by \(name)."
      var family = state.families[name] ?? Family(type: Series.type, help: help)
      if let known = family.series[labels] as? Series { return known }
      let new = make()
      // What has the name of something else, or one label too many, counts for nobody.
      if family.type == Series.type, family.series[labels] == nil, family.series.count < Self.mostSeries {
        family.series[labels] = new
        state.families[name] = family
      }
      return new
    }
  }

  private func remove(_ handler: AnyObject) {
    state.withLock { state in
      for (name, family) in state.families {
        for (labels, series) in family.series where series === handler { state.families[name]?.series[labels] = nil }
      }
    }
  }

  // MARK: MetricsFactory

  /// Something that only grows.
  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(label, dimensions) { CountSeries() }
  }

  /// Something that only grows, in fractions.
  public func makeFloatingPointCounter(
    label: String,
    dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler {
    series(label, dimensions) { SumSeries() }
  }

  /// Something that goes up and down.
  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    series(label, dimensions) { GaugeSeries() }
  }

  /// The last value, or with `aggregate` sum and number of all.
  public func makeRecorder(
    label: String,
    dimensions: [(String, String)],
    aggregate: Bool
  ) -> any RecorderHandler {
    aggregate ? series(label, dimensions) { SummarySeries() } : series(label, dimensions) { GaugeSeries() }
  }

  /// A histogram of times.
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(label, dimensions) { TimeSeries() }
  }

  /// Forgets a series.
  public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
  /// Forgets a series.
  public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
  /// Forgets a series.
  public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
  /// Forgets a series.
  public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
  /// Forgets a series.
  public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }
}
