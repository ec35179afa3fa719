import Foundation
import Logging
import SightlineStore
import SightlineTestSupport
import Synchronization
import Testing

@testable import SightlineServer

/// Limits that count over several servers.
@Suite struct CommonLimitTests {
  /// A clock that the test sets, seconds.
  private final class Clock: Sendable {
    private let held = Mutex(0.0)
    var now: Double { held.withLock { $0 } }
    func advance(_ seconds: Double) { held.withLock { $0 += seconds } }
  }

  /// What servers tell each other, in memory.
  private final class Board: LimitUseStore {
    fileprivate struct Line {
      var origin: Int
      var document: Data
    }

    private let origin: Int
    private let lines: Lines

    final class Lines: Sendable {
      fileprivate let held = Mutex<[Line]>([])
    }

    init(_ origin: Int, _ lines: Lines) { (self.origin, self.lines) = (origin, lines) }

    func exchange(_ document: Data?, after number: Int64?) async throws -> (documents: [Data], through: Int64) {
      lines.held.withLock { lines in
        if let document { lines.append(Line(origin: origin, document: document)) }
        let after = Int(number ?? 0)
        return (lines.dropFirst(after).filter { $0.origin != origin }.map(\.document), Int64(lines.count))
      }
    }
  }

  private static let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  @Test(arguments: [1, 2, 3, 8])
  func `all servers together give a client its rate, and a burst each once`(servers: Int) async throws {
    let (perSecond, burst, seconds) = (20.0, 100.0, 120)
    let clock = Clock()
    let lines = Board.Lines()
    let limits = (0..<servers).map { _ in CommonBuckets(perSecond: perSecond, burst: burst) { clock.now } }
    let sharing = limits.enumerated().map {
      LimitSharing(store: Board($0, lines), limits: ["l": $1], log: Self.log)
    }
    for limit in limits { limit.share() }
    var places = Array(repeating: LimitSharing.Place(), count: servers)
    var (given, late) = (0, 0)
    // Greedy: at every server as often as it lets, every tenth of a second; exchanged once a second, one after the other.
    for step in 0..<(seconds * 10) {
      for limit in limits {
        while limit.take(of: "client") == nil {
          given += 1
          if step >= seconds * 5 { late += 1 }
        }
      }
      if step % 10 == 9 {
        for server in 0..<servers { try await sharing[server].exchange(&places[server]) }
      }
      clock.advance(0.1)
    }
    let (n, time) = (Double(servers), Double(seconds))
    #expect(Double(given) <= n * burst + perSecond * (time + (n - 1) * 2))
    // And no less than one server would give.
    #expect(Double(given) >= 0.9 * perSecond * time)
    // In the long run the rate is that of one server.
    #expect(Double(late) <= 1.1 * perSecond * time / 2 + perSecond * (n - 1) * 2)
    #expect(Double(late) >= 0.8 * perSecond * time / 2)
    // Others are not held to it.
    #expect(limits[0].take(of: "somebody else") == nil)
  }

  @Test func `a server that is alone keeps nothing to tell`() {
    let alone = CommonBuckets(perSecond: 1, burst: 2) { 0 }
    #expect(alone.take(of: "a") == nil && alone.take(of: "a") == nil && alone.take(of: "a") != nil)
    #expect(alone.takeUntold().isEmpty)
    let shared = CommonBuckets(perSecond: 1, burst: 2) { 0 }
    shared.share()
    #expect(shared.take(0, of: "a") == nil && shared.takeUntold().isEmpty, "looking costs nothing")
    #expect(shared.take(2, of: "a") == nil)
    let told = shared.takeUntold()
    #expect(told.count == 1 && told.values.first == 2 && !told.keys.contains("a"))
    // What cannot be is not believed.
    for wrong in [Double.nan, .infinity, -5, 1e300] { shared.charge(["b": wrong]) }
    #expect(shared.take(2, of: "b") == nil)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["SIGHTLINE_WITHOUT_POSTGRES"] != "1"))
  func `two servers over a database hold a client together`() async throws {
    let postgres = try TestPostgres.shared()
    let name = try postgres.makeDatabase()
    defer { _ = try? postgres.run("DROP DATABASE IF EXISTS \(name) WITH (FORCE)", in: "postgres") }
    func server() async throws -> (PostgresDatabase, CommonBuckets, LimitSharing) {
      let database = try await PostgresDatabase.open(PostgresLocation(postgres.localAddress(name)))
      let buckets = CommonBuckets(perSecond: 1e-6, burst: 10) { 0 }
      buckets.share()
      return (database, buckets, LimitSharing(store: database.stores.limitUse, limits: ["l": buckets], log: Self.log))
    }
    let (one, other, late) = (try await server(), try await server(), try await server())
    defer {
      try? one.0.close()
      try? other.0.close()
    }
    var places = (LimitSharing.Place(), LimitSharing.Place())
    try await other.2.exchange(&places.1)
    #expect(one.1.take(7, of: "client") == nil)
    try await one.2.exchange(&places.0)
    try await other.2.exchange(&places.1)
    #expect(other.1.take(4, of: "client") != nil && other.1.take(3, of: "client") == nil)
    // Nothing counts twice.
    try await other.2.exchange(&places.1)
    try await one.2.exchange(&places.0)
    try await other.2.exchange(&places.1)
    #expect(one.1.take(of: "client") != nil && other.1.take(of: "client") != nil)
    // One that starts later hears of what is a few seconds old.
    var place = LimitSharing.Place()
    try await late.2.exchange(&place)
    #expect(late.1.take(of: "client") != nil && late.1.take(of: "else") == nil)
    try? late.0.close()
  }
}
