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

/// A connection's line to its server, which another thread may cut.
final class PostgresLine: Sendable {
  /// The server at its other end, as host and port.
  let server: String
  /// A descriptor of its own for the connection's socket: libpq closes its own when it likes, and the system gives that
  /// number to others.
  private let descriptor: Int32
  private let began = Mutex<ContinuousClock.Instant?>(nil)

  init?(_ connection: OpaquePointer) {
    // Programs that are started do not hold it open.
    descriptor = fcntl(PQsocket(connection), F_DUPFD_CLOEXEC, 0)
    server = [PQhost(connection), PQport(connection)].map { $0.map { String(cString: $0) } ?? "" }
      .joined(separator: ":")
    guard descriptor >= 0 else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// A call begins.
  func begin() { began.withLock { $0 = .now } }

  /// The call has ended.
  func end() { began.withLock { $0 = nil } }

  /// Whether a call runs that began before a moment.
  func isLate(_ moment: ContinuousClock.Instant) -> Bool { began.withLock { $0.map { $0 < moment } ?? false } }

  /// Ends the line: whoever waits for an answer on it hears that it broke off.
  func cut() { _ = shutdown(descriptor, Int32(clamping: SHUT_RDWR)) }
}

/// Sees to it that nobody waits for a server that another one has replaced, where the address names several.
///
/// A machine that hangs keeps its connections, since its kernel answers for it; and one that was replaced without its
/// knowledge takes writes whose end it never sees, because no copy confirms them. Neither breaks a connection off. So when a
/// call takes longer than ``PostgresSettings/silence``, each server is asked whether it can write, and in which timeline: a
/// server that is promoted begins a new one. Lines to all but the one with the latest are cut then, and new ones go there first.
final class PostgresWatch: Sendable {
  private struct Weak { weak var line: PostgresLine? }

  private struct State {
    var lines: [Weak] = []
    var preferred: Int?
    /// The latest that was seen: one with an earlier one was replaced, whoever else answers.
    var timeline = ""
    var isStopped = false
  }

  private let state = Mutex(State())
  private let original: PostgresLocation
  private let settings: PostgresSettings
  /// How long one server may take to let the watch in, seconds: libpq knows no shorter time.
  private static let connectTimeout = 2

  /// Begins to watch; `nil` where there is but one server.
  init?(_ location: PostgresLocation, _ settings: PostgresSettings) {
    guard location.hosts > 1 else { return nil }
    original = location
    self.settings = settings
    let pause = min(1, max(0.01, settings.silence))
    let thread = Thread { [weak self] in
      while self?.look() == true { Thread.sleep(forTimeInterval: pause) }
    }
    thread.name = "sightline-primary"
    thread.start()
  }

  /// The address, with the server first that was found last.
  var location: PostgresLocation {
    state.withLock { $0.preferred }.map { original.with(host: $0, alone: false) } ?? original
  }

  /// Watches a connection until its end.
  func add(_ session: PostgresSession) {
    guard let line = session.line else { return }
    state.withLock { state in
      state.lines.removeAll { $0.line == nil }
      state.lines.append(Weak(line: line))
    }
  }

  func stop() { state.withLock { $0.isStopped = true } }

  /// Looks once.
  ///
  /// - Returns: Whether it goes on.
  private func look() -> Bool {
    let (isStopped, lines) = state.withLock { ($0.isStopped, $0.lines.compactMap(\.line)) }
    guard !isStopped else { return false }
    let moment = ContinuousClock.now - .milliseconds(Int(clamped: (settings.silence * 1000).rounded()))
    guard lines.contains(where: { $0.isLate(moment) }), let found = primary() else { return true }
    let isLatest = state.withLock { state in
      guard found.timeline >= state.timeline else { return false }
      (state.preferred, state.timeline) = (found.index, found.timeline)
      return true
    }
    guard isLatest else { return true }
    // Also those that rest: they would only be noticed with their next call.
    for line in lines where line.server != found.server { line.cut() }
    return true
  }

  /// The server that can write; of several the one with the latest timeline.
  private func primary() -> (timeline: String, index: Int, server: String)? {
    var settings = settings
    settings.connectTimeout = Self.connectTimeout
    var found: (timeline: String, index: Int, server: String)?
    for index in 0..<original.hosts {
      // Eight hexadecimal digits; a server that only copies has none.
      let sql = "SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8)"
      guard let session = try? PostgresSession(original.with(host: index, alone: true), settings),
        let line = session.line,
        let timeline = try? PostgresConnection(session: session).value(String.self, sql: sql),
        timeline > found?.timeline ?? ""
      else { continue }
      found = (timeline, index, line.server)
    }
    return found
  }
}
