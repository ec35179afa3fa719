import Foundation
import Synchronization
import Testing

@testable import SightlineTransit

/// Caching, tries, time limits, breaker: time passes by hand, so that nothing depends on the machine.
@Suite(.timeLimit(.minutes(10))) struct ProviderDeskTests {
  let timer = ManualTimer()
  let question = BoardQuestion(from: 1_000_000, window: 3600, limit: 20)

  private func hub(_ provider: ScriptedProvider, _ change: (inout DeskLimits) -> Void = { _ in }) -> TransitHub {
    var limits = DeskLimits()
    change(&limits)
    return TransitHub([(provider: provider, limits: limits)], timer: timer)
  }

  private func ask(_ hub: TransitHub, _ stops: [String]) async -> [ProviderDesk.Outcome] {
    await hub.boards(stops.map { (hub.desks[0], $0) }, question)
  }

  @Test func `a board is fresh for 45 seconds, then fetched again`() async throws {
    let provider = ScriptedProvider { _, _ in ScriptedProvider.board() }
    let hub = hub(provider)
    for _ in 0..<3 { #expect(await ask(hub, ["S1"])[0].board != nil) }
    timer.advance(by: 44.9)
    #expect(await ask(hub, ["S1"])[0].isStale == false)
    #expect(provider.calls("S1") == 1)
    timer.advance(by: 0.2)
    #expect(await ask(hub, ["S1"])[0].board != nil)
    #expect(provider.calls("S1") == 2)
    // What changed at the provider's side counts at once.
    provider.nextEdition()
    #expect(await ask(hub, ["S1"])[0].board != nil)
    #expect(provider.calls("S1") == 3)
    #expect(hub.desks[0].metrics.current.hits == 3)
  }

  @Test func `a thousand equal questions at once cause one fetch for each stop`() async throws {
    let gate = FetchGate(1, mostWaiting: 10)
    try await gate.enter()
    let provider = ScriptedProvider { _, _ throws(ProviderFailure) in
      try await gate.enter()
      gate.leave()
      return ScriptedProvider.board()
    }
    let hub = hub(provider) { $0.concurrent = 10 }
    let stops = (0..<10).map { "S\($0)" }
    let complete = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<1000 { group.addTask { await ask(hub, stops).allSatisfy { $0.board != nil } } }
      // All have joined when each has set its alarm.
      while timer.waits.count(where: { $0 == 4.5 }) < 1000 { await Task.yield() }
      gate.leave()
      return await group.reduce(true) { $0 && $1 }
    }
    #expect(complete)
    #expect(stops.allSatisfy { provider.calls($0) == 1 })
    #expect(hub.desks[0].metrics.current.shared == 9990)
  }

  @Test func `the queue before a provider is bounded, and says when to retry`() async throws {
    let gate = FetchGate(1, mostWaiting: 2)
    try await gate.enter()
    let waiting = (0..<2).map { _ in
      Task {
        try await gate.enter()
        gate.leave()
      }
    }
    while gate.waiting < 2 { await Task.yield() }
    await #expect(throws: ProviderFailure.busy) { try await gate.enter() }
    #expect(gate.waiting == 2)
    gate.leave()
    for task in waiting { try await task.value }
    // Whoever was refused has taken no place from anybody.
    try await gate.enter()
    gate.leave()
    #expect(gate.waiting == 0)
    #expect(ProviderFailure.busy.detail.contains("in five seconds"))
    #expect(ProviderFailure.busy.reason == "unavailable")
  }

  @Test func `questions beyond the queue are answered at once`() async throws {
    let provider = ScriptedProvider(stops: 1200) { _, _ throws(ProviderFailure) in try await ScriptedProvider.hang() }
    let hub = hub(provider) { $0.concurrent = 1 }
    async let answer = ask(hub, (0..<1100).map { "S\($0)" })
    try await eventually { hub.desks[0].waiting == 1000 }
    try await eventually { timer.waits.contains(4.5) }
    timer.advance(by: 4.5)
    let outcomes = await answer
    #expect(outcomes.count { $0.failure == .busy } == 99)
    // The breaker counts what the provider did, not what it was never asked.
    #expect(!hub.desks[0].isBreakerOpen)
  }

  @Test func `ten stops of a provider that takes a second are there after a second`() async throws {
    let timer = timer
    let provider = ScriptedProvider { _, _ in
      try? await timer.sleep(seconds: 1)
      return ScriptedProvider.board()
    }
    let hub = hub(provider)
    async let answer = ask(hub, (0..<10).map { "S\($0)" })
    // All ten are under way at once: their seconds, the limits of their tries, and the patience of the request.
    try await eventually {
      timer.waits == [Double](repeating: 1, count: 10) + [Double](repeating: 3, count: 10) + [4.5]
    }
    timer.advance(by: 1)
    #expect(await answer.allSatisfy { $0.board != nil })
  }

  @Test func `a provider that hangs is left out, the others answer`() async throws {
    let provider = ScriptedProvider { stop, _ throws(ProviderFailure) in
      if stop == "S3" { return try await ScriptedProvider.hang() }
      return ScriptedProvider.board()
    }
    let hub = hub(provider)
    let stops = (0..<10).map { "S\($0)" }
    async let answer = ask(hub, stops)
    // Nine are there; the try of the tenth (3 s) and the patience of the request (4.5 s) are what is waited for.
    try await eventually { timer.waits == [3, 4.5] && provider.allCalls == 10 }
    timer.advance(by: 3)
    // The pause before the second try.
    try await eventually { timer.waits.count == 2 && timer.waits[0] < 0.4 }
    timer.advance(by: 0.4)
    try await eventually { provider.calls("S3") == 2 }
    timer.advance(by: 1.1)
    let outcomes = await answer
    #expect(outcomes.enumerated().allSatisfy { ($0.element.board != nil) == ($0.offset != 3) })
    #expect(outcomes[3].failure == .timeout)
    #expect(ProviderFailure.timeout.reason == "timeout")
  }

  @Test func `transient failures are tried three times, permanent ones once`() async throws {
    for (failure, tries) in [
      (ProviderFailure.status(503, retryAfter: nil), 3), (.connection("it broke off"), 3),
      (.status(404, retryAfter: nil), 1),
      (.malformed("no"), 1), (.unknownStop, 1), (.status(429, retryAfter: 60), 1),
    ] {
      let provider = ScriptedProvider { _, _ throws(ProviderFailure) in throw failure }
      let timer = ManualTimer()
      let hub = TransitHub([(provider: provider, limits: DeskLimits())], timer: timer)
      async let answer = hub.boards([(hub.desks[0], "S1")], question)
      for count in 1...tries {
        try await eventually { provider.calls("S1") == count }
        guard count < tries else { break }
        // The pause and the patience.
        try await eventually { timer.waits.count == 2 && timer.waits[0] < 1 }
        timer.advance(by: timer.waits[0])
      }
      let outcome = await answer[0]
      #expect(outcome.failure == failure)
      #expect(outcome.board == nil)
      #expect(provider.calls("S1") == tries, "\(failure)")
    }
  }

  @Test func `Retry-After is honoured when there is time for it`() async throws {
    let provider = ScriptedProvider { _, call throws(ProviderFailure) in
      if call == 1 { throw .status(429, retryAfter: 2) }
      return ScriptedProvider.board()
    }
    let hub = hub(provider)
    async let answer = ask(hub, ["S1"])
    try await eventually { timer.waits == [2, 4.5] }
    timer.advance(by: 2)
    #expect(await answer[0].board != nil)
  }

  @Test func `a stale board is passed on while the provider fails, marked, for ten minutes`() async throws {
    let provider = ScriptedProvider { _, call throws(ProviderFailure) in
      if call > 1 { throw .malformed("an error page") }
      return ScriptedProvider.board()
    }
    let hub = hub(provider)
    #expect(await ask(hub, ["S1"])[0].board != nil)
    timer.advance(by: 60)
    let stale = await ask(hub, ["S1"])[0]
    #expect(stale.board != nil && stale.isStale && stale.failure == .malformed("an error page"))
    #expect(stale.age == 60)
    // The failure is remembered: no new try within five seconds.
    timer.advance(by: 4.9)
    #expect(await ask(hub, ["S1"])[0].isStale)
    #expect(provider.calls("S1") == 2)
    timer.advance(by: 0.2)
    #expect(await ask(hub, ["S1"])[0].isStale)
    #expect(provider.calls("S1") == 3)
    timer.advance(by: 600)
    let gone = await ask(hub, ["S1"])[0]
    #expect(gone.board == nil && gone.failure == .malformed("an error page"))
  }

  @Test func `a stop that no longer exists has no stale answer`() async throws {
    let provider = ScriptedProvider { _, call throws(ProviderFailure) in
      if call > 1 { throw .unknownStop }
      return ScriptedProvider.board()
    }
    let hub = hub(provider)
    #expect(await ask(hub, ["S1"])[0].board != nil)
    timer.advance(by: 60)
    let outcome = await ask(hub, ["S1"])[0]
    #expect(outcome.board == nil && outcome.failure == .unknownStop)
  }

  @Test func `five failures in a row open the breaker, one probe closes it`() async throws {
    let isBroken = Mutex(true)
    let provider = ScriptedProvider(stops: 100) { _, _ throws(ProviderFailure) in
      if isBroken.withLock({ $0 }) { throw .malformed("no") }
      return ScriptedProvider.board()
    }
    let hub = hub(provider)
    for stop in 0..<5 { #expect(await ask(hub, ["S\(stop)"])[0].failure == .malformed("no")) }
    #expect(hub.desks[0].isBreakerOpen)
    for stop in 5..<20 { #expect(await ask(hub, ["S\(stop)"])[0].failure == .resting) }
    #expect(provider.allCalls == 5)
    timer.advance(by: 30)
    // One probe; it fails, so the next may go after thirty seconds more.
    #expect(await ask(hub, ["S20"])[0].failure == .malformed("no"))
    #expect(await ask(hub, ["S21"])[0].failure == .resting)
    #expect(provider.allCalls == 6)
    isBroken.withLock { $0 = false }
    timer.advance(by: 30)
    #expect(await ask(hub, ["S22"])[0].board != nil)
    #expect(!hub.desks[0].isBreakerOpen)
    #expect(await ask(hub, ["S23"])[0].board != nil)
    #expect(hub.desks[0].breakerOpenings == 1)
  }

  @Test func `no more fetches at a time than allowed`() async throws {
    struct Load {
      var now = 0
      var most = 0
    }
    let load = Mutex(Load())
    let provider = ScriptedProvider(stops: 50) { _, _ in
      load.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      for _ in 0..<20 { await Task.yield() }
      load.withLock { $0.now -= 1 }
      return ScriptedProvider.board()
    }
    let hub = hub(provider) { $0.concurrent = 3 }
    #expect(await ask(hub, (0..<50).map { "S\($0)" }).allSatisfy { $0.board != nil })
    #expect(load.withLock { $0.most } <= 3)
    #expect(hub.desks[0].waiting == 0)
  }

  @Test func `the cache evicts the least recently used board`() async throws {
    let provider = ScriptedProvider(stops: 1000) { _, _ in ScriptedProvider.board() }
    let hub = hub(provider) { $0.cached = 800 }
    for stop in 0..<1000 {
      timer.advance(by: 0.01)
      _ = await ask(hub, ["S0", "S\(stop)"])
    }
    #expect(hub.desks[0].cacheSize.departures <= 800)
    // Asked for each time, so never the one used longest ago.
    #expect(provider.calls("S0") == 1)
    _ = await ask(hub, ["S1"])
    #expect(provider.calls("S1") == 2)
  }
}
