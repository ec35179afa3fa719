import CoreMetrics
import SightlineInput
import Synchronization

/// A metric with certain values of its labels.
protocol PrometheusSeries: AnyObject, Sendable {
  /// As `# TYPE` says.
  static var type: String { get }
  /// Whether anything was counted.
  var isUsed: Bool { get }
  /// Writes its lines.
  func write(_ name: String, _ labels: String, to out: inout Exposition)
}

/// A fraction that many add to at once.
struct AtomicDouble: ~Copyable, Sendable {
  private let bits = Atomic<UInt64>(0)

  var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

  func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

  func add(_ amount: Double) {
    var known = bits.load(ordering: .relaxed)
    while true {
      let next = (Double(bitPattern: known) + amount).bitPattern
      let (exchanged, original) = bits.weakCompareExchange(expected: known, desired: next, ordering: .relaxed)
      if exchanged { return }
      known = original
    }
  }
}

/// A count.
final class CountSeries: PrometheusSeries, CounterHandler {
  static var type: String { "counter" }
  private let count = Atomic<Int64>(0)

  var isUsed: Bool { count.load(ordering: .relaxed) != 0 }
  func increment(by amount: Int64) { count.wrappingAdd(amount, ordering: .relaxed) }
  func reset() { count.store(0, ordering: .relaxed) }

  func write(_ name: String, _ labels: String, to out: inout Exposition) {
    out.line(name, labels, Int(count.load(ordering: .relaxed)))
  }
}

/// A sum.
final class SumSeries: PrometheusSeries, FloatingPointCounterHandler {
  static var type: String { "counter" }
  private let sum = AtomicDouble()

  var isUsed: Bool { sum.value != 0 }
  func increment(by amount: Double) { sum.add(amount) }
  func reset() { sum.set(0) }
  func write(_ name: String, _ labels: String, to out: inout Exposition) { out.line(name, labels, sum.value) }
}

/// A value that goes up and down.
final class GaugeSeries: PrometheusSeries, MeterHandler, RecorderHandler {
  static var type: String { "gauge" }
  private let value = AtomicDouble()

  var isUsed: Bool { true }
  func set(_ value: Int64) { self.value.set(Double(value)) }
  func set(_ value: Double) { self.value.set(value) }
  func increment(by amount: Double) { value.add(amount) }
  func decrement(by amount: Double) { value.add(-amount) }
  func record(_ value: Int64) { self.value.set(Double(value)) }
  func record(_ value: Double) { self.value.set(value) }
  func write(_ name: String, _ labels: String, to out: inout Exposition) { out.line(name, labels, value.value) }
}

/// Sum and number of values.
final class SummarySeries: PrometheusSeries, RecorderHandler {
  static var type: String { "summary" }
  private let sum = AtomicDouble()
  private let count = Atomic<Int64>(0)

  var isUsed: Bool { count.load(ordering: .relaxed) != 0 }
  func record(_ value: Int64) { record(Double(value)) }
  func record(_ value: Double) {
    sum.add(value)
    count.wrappingAdd(1, ordering: .relaxed)
  }

  func write(_ name: String, _ labels: String, to out: inout Exposition) {
    out.line("\(name)_sum", labels, sum.value)
    out.line("\(name)_count", labels, Int(count.load(ordering: .relaxed)))
  }
}

/// Times, by powers of about two and a half from a millisecond to ten seconds.
final class TimeSeries: PrometheusSeries, TimerHandler {
  static var type: String { "histogram" }
  /// Upper bounds, microseconds.
  static let bounds: [Int64] = [
    1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000,
  ]
  private let buckets: [13 of Atomic<Int64>] = .init { _ in Atomic(0) }
  private let nanoseconds = Atomic<Int64>(0)
  private let count = Atomic<Int64>(0)

  var isUsed: Bool { count.load(ordering: .relaxed) != 0 }

  func recordNanoseconds(_ duration: Int64) {
    let microseconds = duration / 1000
    if let index = Self.bounds.firstIndex(where: { microseconds <= $0 }) {
      buckets[index].wrappingAdd(1, ordering: .relaxed)
    }
    nanoseconds.wrappingAdd(duration, ordering: .relaxed)
    count.wrappingAdd(1, ordering: .relaxed)
  }

  func write(_ name: String, _ labels: String, to out: inout Exposition) {
    var rows: [(bound: Double, count: Int)] = []
    for (index, bound) in Self.bounds.enumerated() {
      rows.append((Double(bound) / 1_000_000, Int(buckets[index].load(ordering: .relaxed))))
    }
    // Someone may count between two reads: the number of all is not below that of those with a bound.
    let all = max(Int(count.load(ordering: .relaxed)), rows.reduce(0) { $0 &+ $1.count })
    let sum = Double(nanoseconds.load(ordering: .relaxed)) / 1e9
    out.histogram(name, labels, rows, sum: sum, count: all)
  }
}
