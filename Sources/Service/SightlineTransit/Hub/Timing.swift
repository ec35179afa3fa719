import Foundation
import SightlineInput
import Synchronization

/// Time as it passes, for limits; tests have one of their own.
package protocol TransitTimer: Sendable {
  /// Seconds since some start, never going back.
  var seconds: Double { get }
  /// Waits; throws when the task is cancelled.
  func sleep(seconds: Double) async throws
}

/// The system's time.
package struct SystemTimer: TransitTimer {
  private static let start = ContinuousClock.now

  package init() {}

  package var seconds: Double {
    let passed = (ContinuousClock.now - Self.start).components
    return Double(passed.seconds) + Double(passed.attoseconds) * 1e-18
  }

  package func sleep(seconds: Double) async throws {
    // A span that is no number or longer than a year is a year: `Duration` ends the process for those.
    let pause = seconds.isNaN ? Self.longestSleep : seconds.clamped(to: 0...Self.longestSleep)
    try await Task.sleep(for: .seconds(pause))
  }

  private static let longestSleep = 366.0 * 86_400
}

/// The time of day that riders are told: the system's, or one set into the validity of a demonstration feed.
public struct TransitClock: Sendable {
  private let base: Int
  private let start: Int?
  private let period: Int?

  /// The system's clock.
  public init() {
    base = 0
    start = nil
    period = nil
  }

  /// A clock that shows `time` (POSIX seconds) now, runs on, and goes back to it after `period` seconds.
  public init(startingAt time: Int, repeatingAfter period: Int?) {
    self.init(startingAt: time, repeatingAfter: period, since: Self.real)
  }

  /// A clock that showed `time` at `base`, POSIX seconds of the system's clock.
  package init(startingAt time: Int, repeatingAfter period: Int?, since base: Int) {
    self.base = base
    start = Instant.clamped(time)
    self.period = period
  }

  /// A clock that shows a time now, given in RFC 3339, and runs on; `nil` when that is no time.
  public init?(settingTo text: String) {
    guard let time = InstantText.seconds(text) else { return nil }
    self.init(startingAt: time, repeatingAfter: nil)
  }

  /// Whether it is set to another time than the system's.
  public var isSet: Bool { start != nil }

  /// The system's time, whatever riders are told; POSIX seconds.
  package static var real: Int { Instant.clamped(Date().timeIntervalSince1970) }

  /// POSIX seconds.
  public var now: Int {
    let real = Self.real
    guard let start else { return real }
    let passed = max(0, real - base)
    return start + (period.map { passed % max(1, $0) } ?? passed)
  }
}

/// A value that comes once, from whoever is first.
final class Race<Value: Sendable>: Sendable {
  private enum State {
    case open(CheckedContinuation<Value, Never>?)
    case decided(Value)
  }

  private let state = Mutex(State.open(nil))

  /// Decides, unless it is decided already.
  func decide(_ value: Value) {
    let waiting: CheckedContinuation<Value, Never>? = state.withLock { state in
      guard case .open(let waiting) = state else { return nil }
      state = .decided(value)
      return waiting
    }
    waiting?.resume(returning: value)
  }

  /// The value; asked for by one task only.
  var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let value: Value? = state.withLock { state in
          if case .decided(let value) = state { return value }
          state = .open(continuation)
          return nil
        }
        if let value { continuation.resume(returning: value) }
      }
    }
  }
}

/// Runs work, but waits for it no longer than a time.
///
/// Work that goes on in spite of its cancellation is left to itself.
func limited<Value: Sendable>(
  toSeconds limit: Double,
  timer: any TransitTimer,
  _ work: @escaping @Sendable () async -> Result<Value, ProviderFailure>
) async -> Result<Value, ProviderFailure> {
  let race = Race<Result<Value, ProviderFailure>>()
  let task = Task { race.decide(await work()) }
  let alarm = Task {
    do { try await timer.sleep(seconds: limit) } catch { return }
    race.decide(.failure(.timeout))
  }
  let result = await race.value
  task.cancel()
  alarm.cancel()
  return result
}
