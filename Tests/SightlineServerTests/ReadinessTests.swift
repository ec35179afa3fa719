import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import SightlineServer

/// `/health/ready`: checks by name, each with a short time.
@Suite struct ReadinessTests {
  private struct Check: ReadinessCheck {
    var name: String
    var advice: String { "See to \(name)." }
    var result: @Sendable () async -> Bool
    func isGood() async -> Bool { await result() }
  }

  private func routes(
    _ readiness: Readiness,
    _ checks: [any ReadinessCheck],
    patience: Duration = .seconds(2)
  ) -> RouteTable {
    var routes = RouteTable()
    HealthRoutes(readiness: readiness, checks: ReadinessChecks(checks, patience: patience)).add(to: &routes)
    return routes
  }

  @Test func `those that fail or hang are named in order, with what to do, and none waits for another`() async throws {
    let fixture = try await ServerFixture()
    let (answered, gate) = AsyncStream.makeStream(of: Void.self)
    let checks = [
      Check(name: "first") { false }, Check(name: "good") { true },
      Check(name: "hanging") {
        // Until the answer was there: whoever waited for it would wait for ever.
        for await _ in answered {}
        return true
      },
      Check(name: "last") { false },
    ]
    let answer = try await fixture.request(
      "/health/ready",
      routes: routes(fixture.server.readiness, checks, patience: .milliseconds(100))
    )
    gate.finish()
    #expect(answer.status == .serviceUnavailable)
    let json = try JSONAnswer(answer)
    #expect(json["status"] as? String == "failing")
    #expect(json.objects("failing").map { $0["check"] as? String } == ["first", "hanging", "last"])
    #expect(json.objects("failing")[0]["advice"] as? String == "See to first.")
  }

  @Test func `many who ask at once share one look`() async throws {
    let counted = LooksCounter()
    let (asked, gate) = AsyncStream.makeStream(of: Void.self)
    let checks = ReadinessChecks(
      [
        Check(name: "slow") {
          counted.add()
          for await _ in asked {}
          return true
        }
      ],
      patience: .seconds(300)
    )
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<50 { group.addTask { await checks.failing().count } }
      // All have asked, or come too late for the first look: a second one at most.
      try? await Task.sleep(for: .milliseconds(200))
      gate.finish()
      for await failing in group { #expect(failing == 0) }
    }
    #expect((1..<50).contains(counted.count))
  }

  @Test func `a server that drains answers, closes connections, and does not come back`() async throws {
    let fixture = try await ServerFixture()
    #expect(try await fixture.request("/api/v1/worlds").headers[.connection] == nil)
    await fixture.server.drain(for: .milliseconds(50))
    #expect(fixture.server.readiness.state == .draining)
    let ready = try await fixture.request("/health/ready")
    #expect(ready.status == .serviceUnavailable)
    #expect(try JSONAnswer(ready)["status"] as? String == "draining")
    let worlds = try await fixture.request("/api/v1/worlds")
    #expect(worlds.status == .ok)
    #expect(worlds.headers[.connection] == "close")
    fixture.server.readiness.become(.ready)
    #expect(fixture.server.readiness.state == .draining)
  }

  @Test func `one that was never ready does not drain`() async throws {
    let fixture = try await ServerFixture(prepared: false)
    // For a year, which nobody waits for.
    await fixture.server.drain(for: .seconds(365 * 86_400))
    #expect(fixture.server.readiness.state == .starting)
  }

  @Test func `a stream that is ended is told when to come back`() async throws {
    let hub = EventHub()
    let stream = try #require(hub.subscribe(to: "board"))
    hub.close()
    for await _ in stream {}
    #expect(hub.subscribe(to: "board") == nil)
    for _ in 0..<100 {
      let words = EventHub.comeBack.split(separator: " ")
      #expect(words.first == "retry:")
      let time = try #require(words.last.flatMap { Int($0.trimmingCharacters(in: .newlines)) })
      #expect((1000...5000).contains(time))
    }
  }
}

private final class LooksCounter: Sendable {
  private let value = Atomic<Int>(0)
  var count: Int { value.load(ordering: .relaxed) }
  func add() { value.wrappingAdd(1, ordering: .relaxed) }
}
