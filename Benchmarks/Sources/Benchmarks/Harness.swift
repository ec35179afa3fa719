import CAllocations
import Foundation

/// Runs benchmarks whose name begins with one of the chosen prefixes, and prints a line for each.
///
/// A line gives the median of the samples, the middle 90 % as spread, and allocations where they were counted. Times are
/// processor time of the thread, so that other work on the machine counts only through the caches it takes; compare lines
/// of one run.
struct Harness {
  /// Chosen prefixes; empty chooses all.
  let prefixes: [String]

  /// Prints what the figures were taken on.
  func announceMachine() {
    let info = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let model = info.split(separator: "\n").first { $0.hasPrefix("model name") }?
      .split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
    let load = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8))?.split(separator: " ").first
    let process = ProcessInfo.processInfo
    print(
      "\(model ?? "unknown processor"), \(process.activeProcessorCount) cores, load \(load ?? "unknown"), "
        + process.operatingSystemVersionString
    )
    #if DEBUG
    print("This is a debug build: the figures say nothing. Use -c release.")
    #endif
  }

  /// Whether anything with this name is to be run.
  func includes(_ name: String) -> Bool {
    prefixes.isEmpty || prefixes.contains { name.hasPrefix($0) || $0.hasPrefix(name + "/") }
  }

  /// Times `body`, `samples` times `iterations` calls, after as many calls to warm up as a sample has.
  ///
  /// - Parameters:
  ///   - name: `Module/operation/size`.
  ///   - samples: how often a time is taken.
  ///   - iterations: calls per time taken.
  ///   - countingAllocations: whether to report heap allocations per call too.
  ///   - body: the timed work; its argument counts the calls.
  /// - Returns: the median per call in seconds, or `nil` when the benchmark was not chosen.
  @discardableResult
  func measure(
    _ name: String,
    samples: Int = 50,
    iterations: Int = 1,
    countingAllocations: Bool = false,
    _ body: (Int) -> Void
  ) -> Double? {
    guard includes(name) else { return nil }
    var call = 0
    for _ in 0..<iterations {
      body(call)
      call += 1
    }
    var times = [Double](repeating: 0, count: samples)
    let allocationsBefore = allocation_count()
    for i in 0..<samples {
      let start = threadSeconds()
      for _ in 0..<iterations {
        body(call)
        call += 1
      }
      times[i] = (threadSeconds() - start) / Double(iterations)
    }
    let allocations = allocation_count() - allocationsBefore
    times.sort()
    let median = times[samples / 2]
    var line = pad(name, 48) + "  median " + time(median)
    line += "  90 % within " + time(times[samples / 20]) + " … " + time(times[samples - 1 - samples / 20])
    if countingAllocations, allocations >= 0 {
      line += "  allocations/call \(rounded(Double(allocations) / Double(samples * iterations)))"
    }
    print(line)
    return median
  }

  /// Times every call of `body` by itself and reports the distribution.
  ///
  /// For work whose cost depends on its input, where the slow calls count. In wall time: the thread's own clock takes 0.3 µs to read.
  ///
  /// - Parameters:
  ///   - name: `Module/operation/size`.
  ///   - samples: how many calls; the argument of `body` counts them. All are run once before, to warm up.
  ///   - countingAllocations: whether to report heap allocations per call too.
  ///   - body: the timed work. Reading the clock costs some 30 ns, which are not taken off.
  /// - Returns: the median in seconds, or `nil` when the benchmark was not chosen.
  @discardableResult
  func measureEach(
    _ name: String,
    samples: Int,
    countingAllocations: Bool = false,
    _ body: (Int) -> Void
  ) -> Double? {
    guard includes(name) else { return nil }
    let clock = ContinuousClock()
    for i in 0..<samples { body(i) }
    var times = [Double](repeating: 0, count: samples)
    let allocationsBefore = allocation_count()
    for i in 0..<samples {
      let start = clock.now
      body(i)
      let elapsed = (clock.now - start).components
      times[i] = Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
    }
    let allocations = allocation_count() - allocationsBefore
    times.sort()
    let median = times[samples / 2]
    var line = pad(name, 48) + "  median " + time(median)
    line += "  95 % " + time(times[samples * 95 / 100]) + "  99 % " + time(times[samples * 99 / 100])
    line += "  longest " + time(times[samples - 1])
    if countingAllocations, allocations >= 0 {
      line += "  allocations/call \(rounded(Double(allocations) / Double(samples)))"
    }
    print(line)
    return median
  }

  /// Prints a remark below the lines, for example what a workload really contained.
  func note(_ text: String) { print("  " + text) }
}

/// Processor time of this thread, seconds.
func threadSeconds() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
  return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
}

/// Keeps a result alive, so that the work for it cannot be left out.
@inline(never)
@_optimize(none)
func consume<T>(_ value: borrowing T) {}

/// A time with a fitting unit and three digits.
func time(_ seconds: Double) -> String {
  switch seconds {
  case ..<1e-6: pad("\(rounded(seconds * 1e9)) ns", 9)
  case ..<1e-3: pad("\(rounded(seconds * 1e6)) µs", 9)
  case ..<1: pad("\(rounded(seconds * 1e3)) ms", 9)
  default: pad("\(rounded(seconds)) s", 9)
  }
}

/// Three significant digits.
func rounded(_ value: Double) -> Double {
  let scale = abs(value) >= 100 ? 1.0 : abs(value) >= 10 ? 10 : abs(value) >= 1 ? 100 : 1000
  return (value * scale).rounded() / scale
}

private func pad(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}
