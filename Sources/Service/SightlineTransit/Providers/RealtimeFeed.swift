import Foundation
import Synchronization

/// Where realtime messages come from.
public struct RealtimeSource: Sendable, Equatable {
  /// An address, or the path of a file.
  public var url: String
  /// Header fields, keys among them.
  public var headers: [String: String]
  /// Seconds between fetches.
  public var interval: Double

  /// Traffic made up on the timetable, for demonstrations with a clock that is set.
  public static let simulation = RealtimeSource(url: "simulation:", interval: 10)

  /// Whether it is ``simulation``, at whatever interval.
  public var isSimulation: Bool { url == Self.simulation.url }

  /// A source.
  public init(url: String, headers: [String: String] = [:], interval: Double = 15) {
    self.url = url
    self.headers = headers
    self.interval = interval
  }
}

/// How old realtime data may be, in seconds.
public struct RealtimeAges: Sendable, Equatable {
  /// Predictions; then the timetable counts.
  public var predictions = 300
  /// Positions of vehicles.
  public var positions = 120
  /// Notices, from the last fetch that succeeded.
  public var alerts = 3600

  /// The usual ages.
  public init() {}
}

/// Fetches realtime messages again and again, and merges them with the timetable.
///
/// Readers get a value that never changes; they wait for nothing but the exchange of one reference. The last good message is kept
/// when a fetch fails, is older than what is held, or cannot be read.
final class RealtimeFeed: Sendable {
  /// What is known.
  final class Snapshot: Sendable {
    let state: RealtimeState
    /// The timetable whose stops and trips the state names by their numbers; `nil` while nothing is known.
    let schedule: Schedule?
    /// The notices as riders see them, in the order of those of the state.
    let notices: [TransitAlert]
    let alertsFetched: Int
    let edition: Int
    let mergeSeconds: Double

    init(state: RealtimeState, schedule: Schedule?, alertsFetched: Int, edition: Int, mergeSeconds: Double) {
      self.state = state
      self.schedule = schedule
      notices = state.alerts.map(TransitAlert.init)
      self.alertsFetched = alertsFetched
      self.edition = edition
      self.mergeSeconds = mergeSeconds
    }
  }

  private struct Held {
    var message: RealtimeMessage?
    var etag = ""
    var lastModified = ""
    var fetched = 0
    var failure: ProviderFailure? {
      didSet { failuresInARow = failure == nil ? 0 : min(failuresInARow + 1, RealtimeFeed.mostDoublings) }
    }
    var failuresInARow = 0
  }

  private struct Contents {
    var held: [Held]
    var failures = 0
    /// Grows with each merge that is begun; a merge that is overtaken is not taken.
    var merges = 0
    var taken = 0
  }

  let sources: [RealtimeSource]
  private let provider: String
  private let transport: any ProviderTransport
  private let clock: TransitClock
  private let timer: any TransitTimer
  private let reading: any ProviderReading
  private let schedule: @Sendable () -> Schedule
  private let contents: Mutex<Contents>
  private let snapshot = Mutex(
    Snapshot(state: RealtimeState(), schedule: nil, alertsFetched: 0, edition: 0, mergeSeconds: 0)
  )

  /// A producer whose clock goes ahead by more seconds is not believed.
  private static let mostAhead = 60

  /// How often the time between fetches is doubled while they fail.
  private static let mostDoublings = 3

  /// A feed of the provider with an id; its messages are read by `reading`.
  init(
    of provider: String,
    sources: [RealtimeSource],
    transport: any ProviderTransport,
    clock: TransitClock,
    timer: any TransitTimer,
    reading: any ProviderReading,
    schedule: @escaping @Sendable () -> Schedule
  ) {
    self.provider = provider
    self.sources = sources
    self.transport = transport
    self.clock = clock
    self.timer = timer
    self.reading = reading
    self.schedule = schedule
    contents = Mutex(Contents(held: sources.map { _ in Held() }))
  }

  var current: Snapshot { snapshot.withLock { $0 } }

  var failures: Int { contents.withLock { $0.failures } }

  /// What the sources failed with last; `nil` when one of them is well.
  var failure: ProviderFailure? {
    contents.withLock { contents in
      let failures = contents.held.compactMap(\.failure)
      return failures.count == contents.held.count ? failures.first : nil
    }
  }

  /// Fetches until the task is cancelled.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      for number in sources.indices {
        group.addTask {
          while !Task.isCancelled {
            await self.fetch(number)
            // Servers that all started at one moment do not ask at one moment for ever.
            let pause = self.pause(number) * Double.random(in: 0.9...1.1)
            do { try await self.timer.sleep(seconds: pause) } catch { return }
          }
        }
      }
    }
  }

  /// Seconds until a source is asked again: its interval, doubled with each failure in a row up to eight times.
  ///
  /// A message that cannot be read costs as much as one that can, and a server that is down is not helped by being asked.
  func pause(_ number: Int) -> Double {
    sources[number].interval * Double(1 << contents.withLock { $0.held[number].failuresInARow })
  }

  /// Fetches one source once, and merges what is new.
  func fetch(_ number: Int) async {
    let source = sources[number]
    let held = contents.withLock { $0.held[number] }
    var request = ProviderRequest(
      url: source.url,
      headers: source.headers,
      accept: "application/x-protobuf, application/octet-stream;q=0.9, */*;q=0.5"
    )
    request.etag = held.etag
    request.lastModified = held.lastModified
    request.limit = RealtimeLimits.bytes
    let asked = request
    let transport = transport
    let result: Result<ProviderAnswer, ProviderFailure> = await limited(
      toSeconds: request.timeLimit + 1,
      timer: timer
    ) {
      do throws(ProviderFailure) { return .success(try await transport.fetch(asked)) } catch { return .failure(error) }
    }
    switch result {
    case .success(let answer): await take(answer, number)
    case .failure(let failure): fail(failure, number)
    }
  }

  private func fail(_ failure: ProviderFailure, _ number: Int) {
    contents.withLock {
      $0.failures += 1
      $0.held[number].failure = failure
    }
  }

  private func take(_ answer: ProviderAnswer, _ number: Int) async {
    let now = clock.now
    guard !answer.isUnchanged else {
      return contents.withLock {
        $0.held[number].fetched = now
        $0.held[number].failure = nil
      }
    }
    var message: RealtimeMessage
    do throws(ProviderFailure) { message = try await reading.realtime(answer.body, of: provider) } catch {
      return fail(error, number)
    }
    // A clock that goes ahead would make every later message look old, and old predictions look new.
    if message.timestamp > now + Self.mostAhead { message.timestamp = now }
    let isNewer = contents.withLock { contents in
      contents.held[number].failure = nil
      contents.held[number].fetched = now
      // Producers behind a load balancer send older messages now and then. One that is held from the time to come is no measure:
      // it is of before a demonstration's clock went back to its begin.
      if let known = contents.held[number].message, known.timestamp <= now + Self.mostAhead,
        message.timestamp < known.timestamp
      {
        return false
      }
      contents.held[number].message = message
      contents.held[number].etag = answer.etag
      contents.held[number].lastModified = answer.lastModified
      return true
    }
    if isNewer { merge() }
  }

  /// Makes a new state of all messages held, beside the readers.
  func merge() {
    let start = timer.seconds
    let (messages, alertsFetched, turn) = contents.withLock { contents in
      contents.merges += 1
      let withAlerts = contents.held.filter { $0.message?.alerts.isEmpty == false }.map(\.fetched)
      return (contents.held.compactMap(\.message), withAlerts.max() ?? 0, contents.merges)
    }
    do {
      let schedule = schedule()
      let state = try RealtimeState(messages, schedule: schedule)
      let isNewest = contents.withLock { contents in
        guard turn > contents.taken else { return false }
        contents.taken = turn
        return true
      }
      guard isNewest else { return }
      let fresh = Snapshot(
        state: state,
        schedule: schedule,
        alertsFetched: alertsFetched,
        edition: turn,
        mergeSeconds: timer.seconds - start
      )
      let old = snapshot.withLock { held in
        let old = held
        held = fresh
        return old
      }
      // Let go outside the lock: taking thousands of predictions apart takes milliseconds.
      withExtendedLifetime(old) {}
    } catch {
      contents.withLock { $0.failures += 1 }
    }
  }
}
