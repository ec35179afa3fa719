import CPostgreSQL
import Foundation
import SightlineInput
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A connection that hears of changes (`LISTEN`), on a thread of its own, made anew whenever it breaks off.
///
/// A line can be dead without a sign: cut by a firewall, or swallowed by a pooler that lends connections by transaction. So it
/// tells itself something every ``PostgresSettings/probePause`` and counts as dead when that does not come back. Whoever listens asks the
/// outbox in any case; this only makes it quick.
final class PostgresListener: ChangeListener {
  /// The channel that triggers tell on.
  static let channel = "sightline_change"
  /// Longest time before a new try to connect, seconds.
  static let longestPause = 5.0

  private struct State {
    var isStopped = false
    var isLive = false
    var reconnections = 0
  }

  private let state = Mutex(State())
  private let location: PostgresLocation
  private let settings: PostgresSettings
  private let watch: PostgresWatch
  private let onChange: @Sendable () -> Void

  init(
    _ location: PostgresLocation,
    _ settings: PostgresSettings,
    watch: PostgresWatch,
    _ onChange: @escaping @Sendable () -> Void
  ) {
    self.location = location
    self.settings = settings
    self.watch = watch
    self.onChange = onChange
    let thread = Thread { [self] in run() }
    thread.name = "sightline-listen"
    thread.start()
  }

  var isLive: Bool { state.withLock { $0.isLive } }
  var reconnections: Int { state.withLock { $0.reconnections } }

  func stop() { state.withLock { $0.isStopped = true } }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  private func run() {
    var pause = 0.1
    var isFirst = true
    while !isStopped {
      if let session = try? PostgresSession(watch.location, settings, watch: watch),
        (try? begin(session)) != nil
      {
        if !isFirst { state.withLock { $0.reconnections += 1 } }
        isFirst = false
        if listen(session) { pause = 0.1 }
        state.withLock { $0.isLive = false }
      }
      // Not all at once when a server comes back.
      wait(pause * Double.random(in: 0.5...1))
      pause = min(Self.longestPause, pause * 2)
    }
  }

  /// Nobody else's probes wake this one.
  private let probeChannel = "sightline_probe_\(UInt64.random(in: .min ... .max))"

  private func begin(_ session: PostgresSession) throws {
    session.line?.begin()
    defer { session.line?.end() }
    try session.command("LISTEN \(Self.channel); LISTEN \(probeChannel)")
  }

  /// Hears until the line breaks off.
  ///
  /// - Returns: Whether it ever worked.
  private func listen(_ session: PostgresSession) -> Bool {
    let clock = ContinuousClock()
    var hasWorked = false
    var probed: ContinuousClock.Instant?
    var due = clock.now
    while !isStopped {
      if let probed {
        guard clock.now < probed.advanced(by: .seconds(settings.probePatience)) else { return hasWorked }
      } else if clock.now >= due {
        // Its answer is not waited for: on a line that is dead in silence there is none.
        guard (try? session.send("NOTIFY \(probeChannel)")) != nil else { return hasWorked }
        probed = clock.now
      }
      guard let channels = session.notifications(waiting: 0.25) else { return hasWorked }
      if channels.contains(probeChannel) {
        (probed, due) = (nil, clock.now.advanced(by: .seconds(settings.probePause)))
        if !hasWorked {
          hasWorked = true
          state.withLock { $0.isLive = true }
          // What happened before it listened.
          onChange()
        }
      }
      if channels.contains(Self.channel) { onChange() }
    }
    return hasWorked
  }

  private func wait(_ seconds: Double) {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: .seconds(seconds))
    while !isStopped, clock.now < end { Thread.sleep(forTimeInterval: 0.05) }
  }
}

extension PostgresSession {
  /// Channels on which something was told, waiting for it for a while.
  ///
  /// - Returns: `nil` when the connection has broken off.
  func notifications(waiting seconds: Double) -> Set<String>? {
    // What came with the answer to another command is there already.
    guard takeAnswers() else { return nil }
    var channels = heard()
    if channels.isEmpty, waitForInput(milliseconds: Int32(clamping: Int64(clamped: seconds * 1000))) {
      guard consumeInput(), takeAnswers() else { return nil }
      channels = heard()
    }
    return isBroken ? nil : channels
  }
}
