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

  /// The server has answered a part of the call: it is not silent.
  func hear() { began.withLock { if $0 != nil { $0 = .now } } }

  /// The call has ended.
  func end() { began.withLock { $0 = nil } }

  /// Whether a call runs on which nothing was heard since a moment.
  func isLate(_ moment: ContinuousClock.Instant) -> Bool { began.withLock { $0.map { $0 < moment } ?? false } }

  /// Ends the line: whoever waits for an answer on it hears that it broke off.
  func cut() { _ = shutdown(descriptor, Int32(clamping: SHUT_RDWR)) }
}

/// Sees to it that nobody waits for a server that says nothing any more, or that another one has replaced.
///
/// A line that is cut on its way, by a firewall or a network that has come apart, is no line that has broken off; and a machine
/// that hangs keeps its connections, since its kernel answers for it. One that was replaced without its knowledge takes writes
/// whose end it never sees, because no copy confirms them. So when nothing was heard on a call for longer than
/// ``PostgresSettings/silence``:
///
/// - Where the address names several servers, each is asked whether it can write, and in which timeline: a server that is promoted
///   begins a new one. Lines to all but the one with the latest are cut then, and new ones go there first.
/// - Where no server lets a new connection in at all, the lines of such calls are cut: each ends as one that has broken off.
///   A server that lets others in is slow, and waited for.
/// - A line on which nothing was heard for longer than the server lets a statement take (``PostgresSettings/statementTimeout``)
///   is dead by itself, and is cut.
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

  /// Begins to watch.
  init(_ location: PostgresLocation, _ settings: PostgresSettings) {
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
  func add(_ line: PostgresLine) {
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
    let late = lines.filter { $0.isLate(moment) }
    guard !late.isEmpty else { return true }
    cutDead(late)
    guard original.hosts > 1, let found = primary() else {
      // Those that were heard of meanwhile stay.
      if !answers() { for line in late where line.isLate(moment) { line.cut() } }
      return true
    }
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

  /// How long after a statement's longest time the server's own word about it may take, seconds.
  private static let margin = 5

  private func cutDead(_ lines: [PostgresLine]) {
    guard settings.statementTimeout > 0 else { return }
    let longest = Duration.milliseconds(settings.statementTimeout) + .seconds(Self.margin)
    let moment = ContinuousClock.now - longest
    for line in lines where line.isLate(moment) { line.cut() }
  }

  /// Whether any server says anything to who comes anew, be it a refusal.
  private func answers() -> Bool {
    var settings = settings
    settings.connectTimeout = Self.connectTimeout
    return (0..<original.hosts).contains { original.with(host: $0, alone: true).ping(settings) }
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
