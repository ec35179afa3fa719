import Foundation
import HTTPTypes
import NIOCore
import SightlineTransit
import Testing

@testable import SightlineServer

/// Providers that do everything wrong, over real connections: there is always an answer, it says what is missing, and it gets well
/// again by itself.
///
/// Limits are shorter than in service, so that the tests are; how long answers take is measured by `Benchmarks/transit/faults.py`.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TransitFaultTests {
  private static let good: @Sendable () -> [UInt8] = {
    let text = """
      {"updated": "2022-02-22T05:59:48Z", "departures": [{"line": "4", "headsign": "Munkkiniemi",
       "scheduled": "2022-02-22T06:02:00Z", "expected": "2022-02-22T06:04:10Z"}]}
      """
    return Array(text.utf8)
  }
  private static let skewed: @Sendable () -> [UInt8] = {
    Array(
      String(decoding: good(), as: UTF8.self).replacingOccurrences(of: "2022-02-22T05:59", with: "2022-02-23T05:59")
        .utf8
    )
  }

  private func hub(_ port: Int, stops: Int = 20) -> TransitHub {
    var limits = DeskLimits()
    limits.tryLimit = 0.4
    limits.total = 1
    limits.negative = 0
    limits.fresh = 0.001
    limits.stale = 0
    let list = ListDirectory(
      (0..<stops).map {
        .init(stop: TransitStop(id: "S\($0)", name: "S", latitude: 60 + Double($0) * 0.001, longitude: 24.94))
      },
      timeZone: .gmt
    )
    let provider = PlainProvider(
      info: ProviderInfo(id: "host", name: "Host", kinds: ["json"], attribution: "", isRemote: true),
      stops: list,
      address: "http://127.0.0.1:\(port)/{stop}",
      transport: HTTPTransport()
    )
    return TransitHub(
      [(provider: provider, limits: limits), (provider: StubProvider(), limits: DeskLimits())],
      clock: TransitClock(startingAt: StubProvider.now, repeatingAfter: 1),
      patience: 1.2
    )
  }

  private func ask(_ fixture: ServerFixture, _ stops: [String]) async throws -> [[String: Any]] {
    let body = "{\"stops\": [" + stops.map { "\"\($0)\"" }.joined(separator: ",") + "]}"
    let response = try await fixture.request(
      "/api/v1/transit/departures",
      .post,
      headers: [.contentType: "application/json"],
      body: body
    )
    #expect(response.status == .ok)
    return try JSONAnswer(response).objects("stops")
  }

  @Test(arguments: FaultHost.Fault.allCases) func `each fault is named, leaves the others alone, and passes`(
    fault: FaultHost.Fault
  ) async throws {
    let host = try await FaultHost(good: Self.good, skewed: Self.skewed)
    let hub = hub(host.port)
    let fixture = try await ServerFixture { $0.transit = TransitService(hub: hub) }
    host.set(fault)
    var stops = try await ask(fixture, ["host:S1", "stub:A"])
    if fault == .good || fault == .skewed {
      // On a machine with much else to do even a good answer may come too late; then it is there the next time.
      for _ in 0..<50 where stops[0]["forecast"] is NSNull {
        try await Task.sleep(for: .milliseconds(200))
        stops = try await ask(fixture, ["host:S1", "stub:A"])
      }
    }
    #expect(stops[1]["forecast"] is [String: Any], "the healthy provider answers")
    switch fault {
    case .good, .skewed, .tooLong:
      // What comes after the announced end is cut off; what is left is no answer unless the fault is none.
      if fault != .tooLong { #expect(stops[0]["forecast"] is [String: Any]) }
    case .bursts: #expect(stops[0]["forecast"] is [String: Any] || stops[0]["reason"] as? String == "provider_error")
    case .hang, .slow:
      #expect(stops[0]["forecast"] is NSNull)
      #expect(stops[0]["reason"] as? String == "timeout")
    default:
      #expect(stops[0]["forecast"] is NSNull)
      let reason = stops[0]["reason"] as? String
      #expect(reason == "provider_error" || reason == "timeout", "\(fault): \(reason ?? "-")")
      #expect((stops[0]["detail"] as? String)?.isEmpty == false)
    }
    if fault == .skewed {
      let forecast = try #require(stops[0]["forecast"] as? [String: Any])
      #expect(forecast["age"] as? Int == 0, "tomorrow's data is not older than now, and not younger")
    }
    host.set(.good)
    // Connections that the fault has spoilt are not used again; at most one more try is needed.
    var isWell = false
    for stop in 2..<12 where !isWell {
      if hub.desks[0].isBreakerOpen { break }
      isWell = try await ask(fixture, ["host:S\(stop)"])[0]["forecast"] is [String: Any]
    }
    #expect(isWell || hub.desks[0].isBreakerOpen)
    try await host.stop()
  }

  @Test func `a thousand clients during all of it`() async throws {
    let host = try await FaultHost(good: Self.good, skewed: Self.skewed)
    let hub = hub(host.port, stops: 200)
    let fixture = try await ServerFixture { $0.transit = TransitService(hub: hub) }
    for fault in [FaultHost.Fault.hang, .reset, .garbage, .bursts, .half, .good] {
      host.set(fault)
      let answers = await withTaskGroup(of: Bool.self) { group in
        for client in 0..<1000 {
          group.addTask {
            let stops = [(hub.desks[0], "S\(client % 200)"), (hub.desks[1], "A")]
            let outcomes = await hub.boards(stops, BoardQuestion(from: StubProvider.now, window: 3600, limit: 5))
            // Each has a board or a reason, and the healthy provider's is always there.
            return outcomes.count == 2 && outcomes[1].board != nil
              && (outcomes[0].board != nil || outcomes[0].failure != nil)
          }
        }
        return await group.reduce(into: (good: 0, all: 0)) { sum, isGood in
          sum.all += 1
          if isGood { sum.good += 1 }
        }
      }
      #expect(answers.all == 1000 && answers.good == 1000, "\(fault)")
    }
    // However many asked, no fetch is left behind.
    #expect(hub.desks[0].waiting == 0)
    #expect(try await ask(fixture, ["stub:A"]).first?["forecast"] is [String: Any])
    try await host.stop()
  }

  @Test func `realtime messages: halves, rubbish and errors leave what was known`() async throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures/transit").path
    let path = NSTemporaryDirectory() + "sightline-fault-\(UUID().uuidString).schedule"
    defer { try? FileManager.default.removeItem(atPath: path) }
    _ = try ScheduleImporter().importFeed(folder + "/helsinki.zip", into: path)
    // A header of eight o'clock, and one entity with an alert.
    let time = StubProvider.now - 5
    var stamp: [UInt8] = [0x18]
    var rest = UInt64(time)
    while rest >= 0x80 {
      stamp.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    stamp.append(UInt8(rest))
    let header: [UInt8] = [0x0A, 0x03] + Array("2.0".utf8) + stamp
    let alert: [UInt8] = [0x0A, 2, 0x61, 0x31, 0x2A, 7, 0x2A, 5, 0x0A, 3] + Array("HSL".utf8)
    let message = [0x0A, UInt8(header.count)] + header + [0x12, UInt8(alert.count)] + alert
    let host = try await FaultHost(good: { message })
    let provider = try GTFSProvider(
      info: ProviderInfo(id: "hsl", name: "HSL", kinds: ["gtfs", "gtfs-rt"], attribution: "", isRemote: false),
      path: path,
      realtime: [RealtimeSource(url: "http://127.0.0.1:\(host.port)/")],
      transport: HTTPTransport(),
      clock: TransitClock(startingAt: StubProvider.now, repeatingAfter: 1),
      timer: SystemTimer()
    )
    await provider.fetchRealtime()
    #expect(provider.alerts(at: StubProvider.now).map(\.id) == ["a1"])
    for fault in [FaultHost.Fault.half, .page, .failing, .reset, .garbage, .tooShort] {
      host.set(fault)
      await provider.fetchRealtime()
      #expect(provider.alerts(at: StubProvider.now).map(\.id) == ["a1"], "\(fault)")
    }
    #expect(provider.status(at: StubProvider.now).realtime?.failures == 6)
    host.set(.good)
    await provider.fetchRealtime()
    #expect(provider.status(at: StubProvider.now).failure == nil)
    try await host.stop()
  }
}
