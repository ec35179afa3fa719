import Foundation
import Synchronization

@testable import SightlineTransit

/// Time that passes when the test says so.
final class ManualTimer: TransitTimer {
  private struct Sleeper {
    let due: Double
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = 1000.0
    var next = 0
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  var seconds: Double { state.withLock { $0.now } }

  /// Who waits, and until when, from now.
  var waits: [Double] { state.withLock { state in state.sleepers.values.map { $0.due - state.now }.sorted() } }

  func sleep(seconds: Double) async throws {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          if state.cancelled.contains(number) { return true }
          state.sleepers[number] = Sleeper(due: state.now + seconds, continuation: continuation)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.cancelled.insert(number)
        return state.sleepers.removeValue(forKey: number)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Lets time pass, and wakes who is due.
  func advance(by seconds: Double) {
    let due = state.withLock { state in
      state.now += seconds
      let due = state.sleepers.filter { $0.value.due <= state.now }.sorted { $0.value.due < $1.value.due }
      for (number, _) in due { state.sleepers[number] = nil }
      return due.map(\.value)
    }
    for sleeper in due { sleeper.continuation.resume() }
  }
}

/// Waits until a condition holds; a test's time limit ends what never does.
func eventually(_ condition: @Sendable () async throws -> Bool) async throws {
  while try await !condition() {
    try Task.checkCancellation()
    try await Task.sleep(for: .milliseconds(1))
  }
}

/// A provider that does as the test says, call by call.
final class ScriptedProvider: TransitProvider {
  typealias Answer = @Sendable (String, Int) async throws(ProviderFailure) -> ProviderBoard

  let info: ProviderInfo
  let schedule: any StopDirectory
  private let answer: Mutex<Answer>
  private let counts = Mutex<[String: Int]>([:])
  private let number = Mutex(0)

  init(id: String = "test", stops: Int = 10, isRemote: Bool = true, _ answer: @escaping Answer) {
    info = ProviderInfo(id: id, name: id, kinds: ["json"], attribution: "Test", isRemote: isRemote)
    schedule = ListDirectory(
      (0..<stops).map { number in
        let name = "S\(number)"
        return .init(stop: TransitStop(id: name, name: name, latitude: 57.7 + Double(number) * 0.001, longitude: 12))
      },
      timeZone: .gmt
    )
    self.answer = Mutex(answer)
  }

  var edition: Int { number.withLock { $0 } }
  func nextEdition() { number.withLock { $0 += 1 } }

  func set(_ answer: @escaping Answer) { self.answer.withLock { $0 = answer } }

  /// How often a stop was asked for.
  func calls(_ stop: String) -> Int { counts.withLock { $0[stop] ?? 0 } }
  var allCalls: Int { counts.withLock { $0.values.reduce(0, +) } }

  func departures(at stop: String, _ question: BoardQuestion) async throws(ProviderFailure) -> ProviderBoard {
    let call = counts.withLock { counts in
      counts[stop, default: 0] += 1
      return counts[stop] ?? 0
    }
    let answer = answer.withLock { $0 }
    return try await answer(stop, call)
  }

  /// A board with one departure.
  static func board(_ time: Int = 1_000_000) -> ProviderBoard {
    ProviderBoard(departures: [TransitDeparture(scheduled: time)], source: "json", updated: time)
  }

  /// Never answers, and does not heed cancellation.
  static func hang() async throws(ProviderFailure) -> ProviderBoard {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    throw .timeout
  }
}
