import Foundation
import Testing

@testable import SightlineTransit

/// Polling: conditional requests, messages out of order, clocks that go wrong, ages.
@Suite(.timeLimit(.minutes(10))) struct RealtimeFeedTests {
  private static let now = ProviderConformance.now

  private func answer(_ time: Int, _ delay: Int, etag: String = "") -> ProviderAnswer {
    var answer = ProviderAnswer(body: ProviderConformance.message(time: time, delay: delay))
    answer.etag = etag
    answer.lastModified = etag.isEmpty ? "" : "Mon, 02 Mar 2026 07:00:00 GMT"
    return answer
  }

  private func delay(_ subject: ProviderConformance.Subject, at time: Int = RealtimeFeedTests.now) async throws -> Int?
  {
    let board = try await subject.provider.departures(at: "B", BoardQuestion(from: time, window: 3600, limit: 20))
    return board.departures.first.flatMap { departure in departure.expected.map { $0 - departure.scheduled } }
  }

  @Test func `requests are conditional, and 304 keeps what is held`() async throws {
    try await ProviderConformance.gtfsRealtime.with { subject in
      subject.transport.set { [self] _ in answer(Self.now - 2, 180, etag: "\"a\"") }
      await subject.fetch()
      #expect(try await delay(subject) == 180)
      let edition = subject.provider.edition
      subject.transport.set { _ in
        var unchanged = ProviderAnswer()
        unchanged.isUnchanged = true
        return unchanged
      }
      await subject.fetch()
      let request = try #require(subject.transport.requests.last)
      #expect(request.etag == "\"a\"" && request.lastModified == "Mon, 02 Mar 2026 07:00:00 GMT")
      #expect(request.limit == 64 << 20)
      #expect(try await delay(subject) == 180)
      #expect(subject.provider.edition == edition)
    }
  }

  @Test func `a source that fails is asked less and less often, down to an eighth, and as usual when it is well again`()
    async throws
  {
    let transport = ScriptedTransport { _ in ProviderAnswer(body: Array("<html>".utf8)) }
    let feed = RealtimeFeed(
      of: "test",
      sources: [RealtimeSource(url: "https://feed.test/messages", interval: 10)],
      transport: transport,
      clock: TransitClock(),
      timer: ManualTimer(),
      reading: DirectReading()
    ) { fatalError("no message is taken here, so none is merged") }
    #expect(feed.pause(0) == 10)
    for expected in [20.0, 40, 80, 80] {
      await feed.fetch(0)
      #expect(feed.pause(0) == expected)
    }
    transport.set { _ in
      var unchanged = ProviderAnswer()
      unchanged.isUnchanged = true
      return unchanged
    }
    await feed.fetch(0)
    #expect(feed.pause(0) == 10)
    #expect(feed.failures == 4)
  }

  @Test func `an older message than the one held is passed over`() async throws {
    try await ProviderConformance.gtfsRealtime.with { subject in
      subject.transport.set { [self] _ in answer(Self.now - 30, 600) }
      await subject.fetch()
      let delay = try await delay(subject)
      #expect(delay == 120)
    }
  }

  @Test func `a producer whose clock goes ahead does not stop those after it`() async throws {
    try await ProviderConformance.gtfsRealtime.with { subject in
      subject.transport.set { [self] _ in answer(Self.now + 86_400, 240) }
      await subject.fetch()
      #expect(try await delay(subject) == 240)
      let status = try #require(subject.provider.status(at: Self.now).realtime)
      #expect(abs(status.updated - Self.now) <= 1)
      // The clock of the test goes round, so that "now" is the same second for the next message.
      subject.transport.set { [self] _ in answer(Self.now + 1, 60) }
      await subject.fetch()
      #expect(try await delay(subject) == 60)
    }
  }

  @Test func `predictions count for five minutes, then the timetable does, and it says so`() async throws {
    try await ProviderConformance.gtfsRealtime.with { subject in
      let question = BoardQuestion(from: Self.now + 290, window: 3600, limit: 20)
      let fresh = try await subject.provider.departures(at: "B", question)
      #expect(fresh.isLive && fresh.shortfall == nil)
      let old = try await subject.provider.departures(
        at: "B",
        BoardQuestion(from: Self.now + 300, window: 3600, limit: 20)
      )
      #expect(!old.isLive && old.departures.count == 1)
      #expect(old.shortfall == .outdated(305))
      #expect(old.shortfall?.reason == "provider_error")
    }
  }

  @Test func `a new schedule file is taken up, with the realtime messages`() async throws {
    try await ProviderConformance.gtfsRealtime.with { subject in
      let provider = try #require(subject.provider as? GTFSProvider)
      let folder = try #require(subject.folder)
      let edition = provider.edition
      let times = """
        trip_id,arrival_time,departure_time,stop_id,stop_sequence
        T1,8:00:00,8:00:00,P1,1
        T1,8:05:00,8:09:00,B,2
        T1,8:15:00,8:15:00,C,3

        """
      try folder.write(Array(times.utf8), to: "stop_times.txt")
      _ = try ScheduleImporter().importFeed(folder.path, into: folder.path + ".schedule")
      provider.reload()
      #expect(provider.edition > edition)
      let board = try await provider.departures(at: "B", BoardQuestion(from: Self.now, window: 3600, limit: 20))
      #expect(board.departures.first?.scheduled == Self.now + 540)
      #expect(board.departures.first?.expected == Self.now + 660)
      // Nothing new: the same one is kept.
      let same = provider.edition
      provider.reload()
      #expect(provider.edition == same)
      try? FileManager.default.removeItem(atPath: folder.path + ".schedule.previous")
    }
  }

  @Test func `outside its days a timetable says until when it was`() async throws {
    try await ProviderConformance.gtfs.with { subject in
      let later = Self.now + 400 * 86_400
      let days = try #require(subject.provider.schedule.days)
      await #expect(throws: ProviderFailure.outsideValidity(days)) {
        _ = try await subject.provider.departures(at: "B", BoardQuestion(from: later, window: 3600, limit: 20))
      }
      #expect(ProviderFailure.outsideValidity(days).reason == "unavailable")
      #expect(ProviderFailure.outsideValidity(days).detail.contains("2026-12-31"))
      #expect(subject.provider.status(at: later).failure == .outsideValidity(days))
    }
  }

  @Test func `notices reach the stops and departures that they are about`() async throws {
    let body = ProtobufWriter.feed(time: Self.now - 1) { writer in
      for (id, selector) in [("all", (1, "A")), ("line", (2, "R")), ("stop", (5, "B")), ("other", (2, "X"))] {
        writer.message(2) {
          $0.string(1, id)
          $0.message(5) {
            $0.message(5) { $0.string(selector.0, selector.1) }
            $0.integer(6, 9)
            $0.integer(7, 4)
            $0.message(10) { $0.message(1) { $0.string(1, "Heading") } }
          }
        }
      }
    }
    try await ProviderConformance.gtfsRealtime.with { subject in
      subject.transport.set { _ in ProviderAnswer(body: body) }
      await subject.fetch()
      let board = try await subject.provider.departures(at: "B", BoardQuestion(from: Self.now, window: 3600, limit: 20))
      #expect(board.alerts == ["all", "stop"])
      #expect(board.departures.first?.alerts == ["line"])
      let alerts = subject.provider.alerts(at: Self.now)
      #expect(alerts.map(\.id) == ["all", "line", "stop", "other"])
      #expect(alerts[1].cause == "maintenance" && alerts[1].effect == "detour" && alerts[1].lines == ["R"])
      #expect(alerts[0].header.text(in: "sv") == "Heading")
      #expect(subject.provider.alerts(at: Self.now + 4000).isEmpty)
    }
  }
}
