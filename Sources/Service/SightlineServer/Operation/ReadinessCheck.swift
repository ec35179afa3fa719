import SightlineStore
import Synchronization

/// Something a server needs in order to answer, beside having been started: `/health/ready` asks all of them.
public protocol ReadinessCheck: Sendable {
  /// Its name in `/health/ready`, such as `database`.
  var name: String { get }
  /// What an operator has to do when it fails, a sentence.
  var advice: String { get }
  /// Whether it is well.
  ///
  /// It counts as failed when it takes longer than two seconds; it should end by itself soon after.
  func isGood() async -> Bool
}

/// The checks of a server.
///
/// One look at them is shared by all who ask meanwhile: balancers ask often, and a database that hangs must not gather
/// their questions.
struct ReadinessChecks: Sendable {
  /// How long a check may take.
  static let patience = Duration.seconds(2)

  let all: [any ReadinessCheck]
  private let flights = SingleFlight<Int, [Int]>()
  private let patience: Duration

  init(_ all: [any ReadinessCheck], patience: Duration = ReadinessChecks.patience) {
    self.all = all
    self.patience = patience
  }

  /// Those that fail, in their order.
  func failing() async -> [any ReadinessCheck] {
    guard !all.isEmpty else { return [] }
    let (all, patience) = (all, patience)
    let failing = try? await flights.value(for: 0) {
      await withTaskGroup(of: Int?.self) { group in
        for (index, check) in all.enumerated() {
          group.addTask { await Self.isGood(check, within: patience) ? nil : index }
        }
        var failing: [Int] = []
        for await index in group { if let index { failing.append(index) } }
        return failing.sorted()
      }
    }
    // Whoever asked has gone: nobody reads the answer.
    return (failing ?? Array(all.indices)).map { all[$0] }
  }

  /// The check's own answer, or `false` when it is late.
  ///
  /// What waits for a dead connection cannot be cancelled: it ends by itself, and nobody waits for it.
  private static func isGood(_ check: any ReadinessCheck, within patience: Duration) async -> Bool {
    await withCheckedContinuation { continuation in
      let answer = FirstAnswer(continuation)
      Task { answer.give(await check.isGood()) }
      Task {
        try? await Task.sleep(for: patience)
        answer.give(false)
      }
    }
  }
}

/// Gives the first of several answers on.
private final class FirstAnswer: Sendable {
  private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

  init(_ continuation: CheckedContinuation<Bool, Never>) { self.continuation = Mutex(continuation) }

  func give(_ answer: Bool) {
    let first = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    first?.resume(returning: answer)
  }
}

/// The database answers.
struct DatabaseCheck: ReadinessCheck {
  let worlds: any WorldStore

  var name: String { "database" }
  var advice: String {
    "The database does not answer within 2 s: see that it runs, can be reached and is not overloaded."
  }

  func isGood() async -> Bool { (try? await worlds.generation()) != nil }
}

/// What other servers of the same database do is known here.
struct ChangesCheck: ReadinessCheck {
  let changes: ChangeFeed

  var name: String { "changes" }
  var advice: String {
    "What other servers have done was not read for 5 s: see that the database runs, can be reached and is not overloaded."
  }

  func isGood() async -> Bool { !changes.isBehind }
}
