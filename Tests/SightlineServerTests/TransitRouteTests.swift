import Foundation
import HTTPTypes
import NIOCore
import SightlineGeodesy
import SightlineTransit
import Testing

@testable import SightlineServer

@Suite(.timeLimit(.minutes(10))) struct TransitRouteTests {
  private static let json: HTTPFields = [.contentType: "application/json"]
  private static let here = #""latitude": 60.17, "longitude": 24.94"#

  private func fixture(_ provider: StubProvider = StubProvider(), perSecond: Double = 0) async throws -> ServerFixture {
    try await ServerFixture { $0.transit = provider.service(perSecond: perSecond) }
  }

  private func ask(_ fixture: ServerFixture, _ path: String, _ body: String) async throws -> JSONAnswer {
    let response = try await fixture.request("/api/v1/transit/\(path)", .post, headers: Self.json, body: body)
    #expect(response.status == .ok, "\(String(buffer: response.body))")
    return try JSONAnswer(response)
  }

  @Test func `stops by a part of their name`() async throws {
    let fixture = try await fixture()
    let answer = try await ask(fixture, "stops", "{\(Self.here), \"query\": \"ASEMA\", \"limit\": 5}")
    #expect(try SchemaCheck().faults(answer.value, "Stops") == [])
    #expect(answer.objects("stops").first?["name"] as? String == "Asema \"1\"")
    #expect(answer.objects("stops").allSatisfy { ($0["name"] as? String)?.lowercased().contains("asema") == true })
    #expect(try await ask(fixture, "stops", "{\(Self.here), \"query\": \"nowhere\"}").objects("stops").isEmpty)
    for (query, code) in [("...", "transit.malformed"), (String(repeating: "a", count: 201), "transit.range")] {
      let body = "{\(Self.here), \"query\": \"\(query)\"}"
      try expectProblem(
        try await fixture.request("/api/v1/transit/stops", .post, headers: Self.json, body: body),
        400,
        code
      )
    }
  }

  @Test func `the nearest stops with their lines and departures`() async throws {
    let provider = StubProvider()
    var notice = TransitAlert(id: "N1")
    notice.header.translations = [("fi", "Poikkeus"), ("sv", "Avvikelse")]
    notice.effect = "detour"
    notice.periods = [1_645_500_000..<Int.max]
    notice.lines = ["L4"]
    provider.set(alerts: [notice, TransitAlert(id: "unused")])
    let fixture = try await fixture(provider)
    let answer = try await ask(
      fixture,
      "stops",
      "{\(Self.here), \"limit\": 2, \"departures\": 2, \"language\": \"sv\"}"
    )
    #expect(try SchemaCheck().faults(answer.value, "Stops") == [])
    #expect(answer["now"] as? String == "2022-02-22T08:00:00+02:00")
    #expect(answer["partial"] as? Bool == false)
    #expect(answer.objects("attributions").map { $0["text"] as? String } == ["Stub, CC0"])
    #expect(answer.objects("alerts").map { $0["header"] as? String } == ["Avvikelse"])
    let stops = answer.objects("stops")
    #expect(stops.map { $0["id"] as? String } == ["stub:A", "stub:B"])
    let first = try #require(stops.first)
    #expect(first["name"] as? String == "Asema \"1\"")
    #expect(first["distance"] as? Double == 0)
    #expect((first["lines"] as? [[String: Any]])?.map { $0["name"] as? String } == ["4", "10"])
    #expect(first["modes"] as? [String] == ["tram", "bus"])
    let forecast = try #require(first["forecast"] as? [String: Any])
    #expect(forecast["state"] as? String == "live" && forecast["age"] as? Int == 12)
    let departures = try #require(forecast["departures"] as? [[String: Any]])
    try #require(departures.map { $0["trip"] as? String } == ["stub:T2", "stub:T5"])
    #expect(departures[0]["expected"] as? String == "2022-02-22T08:04:10+02:00")
    #expect(departures[0]["delay"] as? Int == 130)
    #expect(departures[0]["lineColor"] as? String == "00985F")
    #expect(departures[1]["delay"] is NSNull && departures[1]["lowFloor"] is NSNull)
    #expect(stops[1]["bearing"] as? Double == 0)
    #expect(abs((stops[1]["distance"] as? Double ?? 0) - 111.19) < 0.1)
    // Without departures there is no forecast, not an empty one.
    let plain = try await ask(fixture, "stops", "{\(Self.here), \"radius\": 500}")
    #expect(plain.objects("stops").count == 2)
    #expect(plain.objects("stops").allSatisfy { $0["forecast"] == nil && $0["reason"] == nil })
    #expect(try SchemaCheck().faults(plain.value, "Stops") == [])
  }

  @Test func `boards in the order asked for, with what is missing and why`() async throws {
    let provider = StubProvider { stop throws(ProviderFailure) in
      if stop == "B" { throw .status(500, retryAfter: nil) }
      return StubProvider.board()
    }
    let fixture = try await fixture(provider)
    let answer = try await ask(fixture, "departures", #"{"stops": ["stub:B", "stub:A", "stub:gone", "no:A", "x"]}"#)
    #expect(try SchemaCheck().faults(answer.value, "Stops") == [])
    #expect(answer["partial"] as? Bool == true)
    let stops = answer.objects("stops")
    try #require(stops.map { $0["id"] as? String } == ["stub:B", "stub:A", "stub:gone", "no:A", "x"])
    #expect(stops[0]["forecast"] is NSNull && stops[0]["reason"] as? String == "provider_error")
    #expect((stops[0]["detail"] as? String)?.contains("500") == true)
    #expect(stops[1]["reason"] is NSNull && stops[1]["distance"] == nil)
    for stop in stops[2...] { #expect(stop["reason"] as? String == "unknown_stop" && stop["name"] is NSNull) }
  }

  @Test func `what has left is not listed, though it is in the cache`() async throws {
    let hub = TransitHub(
      [(provider: StubProvider(), limits: DeskLimits())],
      clock: TransitClock(startingAt: StubProvider.now + 4 * 60 + 30, repeatingAfter: 1)
    )
    let fixture = try await ServerFixture { $0.transit = TransitService(hub: hub) }
    let answer = try await ask(fixture, "departures", #"{"stops": ["stub:A"], "window": 120}"#)
    let forecast = try #require(answer.objects("stops").first?["forecast"] as? [String: Any])
    // 08:04:10 has left, 08:09 lies beyond the two minutes.
    #expect((forecast["departures"] as? [[String: Any]])?.map { $0["trip"] as? String } == ["stub:T5"])
  }

  @Test func `vehicles, nearest first`() async throws {
    let provider = StubProvider()
    var near = TransitVehicle(id: "V1", latitude: 60.1701, longitude: 24.94, measured: StubProvider.now - 7)
    near.line = StubProvider.tram
    near.bearing = 93.04
    near.occupancy = "full"
    var far = TransitVehicle(id: "V2", latitude: 60.175, longitude: 24.94, measured: StubProvider.now)
    far.status = .stopped
    let gone = TransitVehicle(id: "V3", latitude: 61, longitude: 24.94, measured: StubProvider.now)
    provider.set(vehicles: [far, gone, near])
    let fixture = try await fixture(provider)
    let answer = try await ask(fixture, "vehicles", "{\(Self.here)}")
    #expect(try SchemaCheck().faults(answer.value, "Vehicles") == [])
    let vehicles = answer.objects("vehicles")
    try #require(vehicles.map { $0["id"] as? String } == ["stub:V1", "stub:V2"])
    #expect(vehicles[0]["age"] as? Int == 7 && vehicles[0]["line"] as? String == "4")
    #expect(vehicles[1]["line"] is NSNull && vehicles[1]["status"] as? String == "stopped")
    let chosen = try await ask(fixture, "vehicles", "{\(Self.here), \"lines\": [\"stub:L4\"]}")
    #expect(chosen.objects("vehicles").count == 1)
  }

  @Test func `providers and settings`() async throws {
    let fixture = try await fixture()
    let providers = try JSONAnswer(try await fixture.request("/api/v1/transit/providers"))
    #expect(try SchemaCheck().faults(providers.value, "Providers") == [])
    #expect(providers["demonstration"] as? Bool == true)
    #expect(providers.objects("providers").first?["state"] as? String == "ok")
    let settings = try JSONAnswer(try await fixture.request("/api/v1/settings"))
    #expect((settings["transit"] as? [String: Any])?["demonstration"] as? Bool == true)
  }

  @Test(arguments: [
    ("stops", "{", "body.json"), ("stops", "[]", "transit.missing"), ("stops", #"{"latitude": 1}"#, "transit.missing"),
    ("stops", #"{"latitude": 91, "longitude": 0}"#, "transit.range"),
    ("stops", #"{"latitude": "x", "longitude": 0}"#, "transit.malformed"),
    ("stops", #"{"latitude": {}, "longitude": 0}"#, "transit.malformed"),
    ("stops", #"{"latitude": 1, "longitude": 1, "limit": 51}"#, "transit.range"),
    ("stops", #"{"latitude": 1, "longitude": 1, "limit": 1.5}"#, "transit.range"),
    ("stops", #"{"latitude": 1, "longitude": 1, "language": "../x"}"#, "transit.malformed"),
    ("departures", #"{"stops": []}"#, "transit.missing"), ("departures", #"{"stops": [""]}"#, "transit.malformed"),
    ("stream", #"{"stops": []}"#, "transit.missing"),
    ("shapes", #"{"latitude": 1, "longitude": 1, "radius": 1}"#, "transit.range"),
    ("streets", #"{"latitude": 1, "longitude": 1, "radius": 5001}"#, "transit.range"),
    ("vehicles", #"{"latitude": 1, "longitude": 1, "radius": 1e9}"#, "transit.range"),
  ]) func `malformed questions are told what is wrong`(path: String, body: String, code: String) async throws {
    let fixture = try await fixture()
    let response = try await fixture.request("/api/v1/transit/\(path)", .post, headers: Self.json, body: body)
    try expectProblem(response, 400, code)
  }

  @Test func `too many stops, no timetables, no JSON, too often`() async throws {
    // So slow that nothing is added while the test runs.
    let fixture = try await fixture(perSecond: 0.001)
    let many = "{\"stops\": [" + (0..<51).map { "\"stub:\($0)\"" }.joined(separator: ",") + "]}"
    try expectProblem(
      try await fixture.request("/api/v1/transit/departures", .post, headers: Self.json, body: many),
      400,
      "transit.range"
    )
    try expectProblem(
      try await fixture.request("/api/v1/transit/stops", .post, headers: [.contentType: "text/plain"], body: "{}"),
      415,
      "body.media-type"
    )
    let off = try await ServerFixture()
    try expectProblem(try await off.request("/api/v1/transit/providers"), 404, "transit.off")
    #expect(try JSONAnswer(try await off.request("/api/v1/settings"))["transit"] is NSNull)
    // Five at once were allowed; two have been asked.
    for _ in 0..<3 { #expect(try await fixture.request("/api/v1/transit/providers").status == .ok) }
    let refused = try await fixture.request("/api/v1/transit/providers")
    try expectProblem(refused, 429, "transit.rate")
    #expect(refused.headers[.retryAfter].flatMap { Int($0) } ?? 0 > 900)
  }

  @Test func `no position and no stop comes into the log`() async throws {
    let fixture = try await fixture()
    _ = try await ask(fixture, "stops", #"{"latitude": 60.123456, "longitude": 24.654321, "departures": 3}"#)
    _ = try await ask(fixture, "departures", #"{"stops": ["stub:A"]}"#)
    _ = try await fixture.request("/transit/forecast.json?lat=60.123456&lng=24.654321")
    let log = fixture.logLines.all.joined()
    #expect(log.contains("/api/v1/transit/stops"))
    #expect(!log.contains("60.12") && !log.contains("24.65") && !log.contains("stub:A"))
  }

  @Test func `clients of 2010 get what they got`() async throws {
    let fixture = try await fixture()
    // Whole numbers too: the old server ended on them.
    let response = try await fixture.request("/transit/forecast.json?lat=60&lng=24.94")
    let stops = try #require(try JSONAnswer(response).value as? [[String: Any]])
    try #require(stops.count == 3 && stops[0]["lat"] as? String == "60.17")
    let pair = try #require((stops[0]["forecast"] as? [[Any]])?.first)
    #expect(pair[0] as? String == "4")
    let entry = try #require(pair[1] as? [String: Any])
    #expect(entry["next_trip"] as? String == "4" && entry["next_next_trip"] as? String == "5")
    #expect(entry["destination"] as? String == "Munkkiniemi" && entry["background_color"] as? String == "00985F")
    #expect(entry["next_handicap"] as? Bool == false)
    try expectProblem(try await fixture.request("/transit/forecast.json?lat=x&lng=1"), 400, "transit.missing")
  }

  @Test func `clients of 2010 get numbers first, and names by their raw text`() {
    let names = ["2", "10", "16X", "7E", "Blå", "GUL", "X1", "b"]
    #expect(names.reversed().sorted(by: TransitForecastRoutes.isBefore) == names)
  }

  @Test func `metrics by provider, with labels from closed lists`() async throws {
    let provider = StubProvider { stop throws(ProviderFailure) in
      if stop == "B" { throw .malformed("secret") }
      return StubProvider.board()
    }
    // However long a busy machine takes between the two: the second is answered by what the first has left.
    var limits = DeskLimits()
    (limits.fresh, limits.negative) = (600, 600)
    let service = provider.service(limits: limits)
    let fixture = try await ServerFixture { $0.transit = service }
    for _ in 0..<2 { _ = try await ask(fixture, "departures", #"{"stops": ["stub:A", "stub:B"]}"#) }
    let text = TransitMetrics.text(service)
    #expect(text.contains("sightline_transit_board_requests_total{provider=\"stub\",result=\"fresh\"} 1\n"))
    #expect(text.contains("sightline_transit_board_requests_total{provider=\"stub\",result=\"failed\"} 1\n"))
    #expect(text.contains("sightline_transit_fetch_failures_total{provider=\"stub\",reason=\"malformed\"} 1\n"))
    #expect(text.contains("sightline_transit_fetch_seconds_count{provider=\"stub\"} 2\n"))
    #expect(!text.contains("secret"))
    // Each metric is introduced once, before its lines.
    let heads = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE") }
    #expect(Set(heads).count == heads.count)
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      #expect(line.wholeMatch(of: /[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+/) != nil, "\(line)")
    }
  }

  @Test func `streams are counted for each client, and names cannot be guessed`() throws {
    let streams = TransitStreams(most: 5, mostPerClient: 2)
    func wanted(_ client: String) -> TransitStreams.Subscription {
      .init(stops: ["stub:A"], limit: 5, window: 3600, language: nil, client: client)
    }
    let first = try streams.add(wanted("a"))
    #expect(first.count == 32)
    let second = try streams.add(wanted("a"))
    let line = try #require(streams.open(first))
    #expect(streams.open(second) != nil)
    #expect(throws: TransitStreamError.self) { try streams.add(wanted("a")) }
    #expect(streams.openCount == 2)
    streams.close(first, line: line)
    // A closed one makes room for a new one of the same client.
    let third = try streams.add(wanted("a"))
    #expect(streams.open(first) == nil)
    #expect(throws: TransitStreamError.self) { try streams.find(first) }
    #expect(try streams.find(third).stops == ["stub:A"])
    for client in ["b", "c", "d"] { _ = try streams.add(wanted(client)) }
    #expect(throws: TransitStreamError.self) { try streams.add(wanted("e")) }
  }

  @Test func `the demonstration has departures at its start`() async throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures/transit").path
    let schedules = NSTemporaryDirectory() + "sightline-demonstration-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: schedules) }
    let configuration = try await TransitConfiguration.read(folder + "/demonstration.json", schedules: schedules)
    let center = try #require(configuration.center)
    let fixture = try await ServerFixture {
      $0.transit = TransitService(
        providers: configuration.providers,
        clock: configuration.clock,
        center: center,
        perSecond: 0
      )
    }
    let body = "{\"latitude\": \(center.latitude), \"longitude\": \(center.longitude), \"departures\": 5}"
    let answer = try await ask(fixture, "stops", body)
    #expect(try SchemaCheck().faults(answer.value, "Stops") == [])
    #expect(answer.objects("stops").count == 10)
    #expect(answer.objects("attributions").count == 1)
    let counts = answer.objects("stops").map {
      (($0["forecast"] as? [String: Any])?["departures"] as? [[String: Any]])?.count ?? 0
    }
    #expect(counts.count { $0 == 5 } >= 8, "\(counts)")
    let shapes = try await ask(
      fixture,
      "shapes",
      "{\"latitude\": \(center.latitude), \"longitude\": \(center.longitude)}"
    )
    #expect(try SchemaCheck().faults(shapes.value, "Shapes") == [])
    #expect(shapes.objects("lines").count >= 10)
    // The streets of the fixture, with the credit that their licence asks for.
    let streets = try #require(configuration.streets)
    #expect(streets.attribution == "© OpenStreetMap contributors")
    let near = streets.paths(
      around: Geodetic(latitudeDegrees: center.latitude, longitudeDegrees: center.longitude),
      radius: 500
    )
    #expect(near.count > 50)
    // Imported once: the schedule file is used again.
    let file = schedules + "/hsl.schedule"
    let made = try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
    _ = try await TransitConfiguration.read(folder + "/demonstration.json", schedules: schedules)
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date == made)
  }

  @Test(arguments: [
    #"{"providers": []}"#, #"{"providers": [{"id": "a b", "feed": "x"}]}"#, #"{"providers": [{"id": "a"}]}"#,
    #"{"providers": [{"id": "a", "feed": "none.zip"}]}"#, #"{"provider": []}"#,
    #"{"providers": [{"id": "a", "type": "siri", "departures": "https://example.org/{stop}"}]}"#,
    #"{"providers": [{"id": "a", "type": "siri", "departures": "http://example.org/{stop}", "stops": "s.csv"}]}"#,
    #"{"providers": [{"id": "a", "type": "json", "departures": "https://u:p@example.org/{stop}", "stops": "s.csv"}]}"#,
    #"{"providers": [{"id": "a", "type": "json", "departures": "https://example.org/", "stops": "s.csv"}]}"#,
    #"{"providers": [{"id": "a", "type": "json", "departures": "https://example.org/{stop}", "stops": "s.csv", "limits": {"fresh": 0}}]}"#,
    #"{"providers": [{"id": "a", "type": "json", "departures": "https://example.org/{stop}", "stops": "s.csv", "headers": {"k": "$NOT_SET"}}]}"#,
    #"{"clock": {"at": "yesterday"}, "providers": []}"#, "{",
    #"{"providers": [{"id": "a", "feed": "http://example.org/gtfs.zip"}]}"#,
    #"{"providers": [{"id": "a", "feed": "ftp://example.org/gtfs.zip"}]}"#,
    #"{"providers": [{"id": "a", "feed": {"url": "https://example.org/gtfs.zip", "interval": 1}}]}"#,
    #"{"providers": [{"id": "a", "feed": {"address": "https://example.org/gtfs.zip"}}]}"#,
    #"{"providers": [{"id": "a", "feed": {"url": "gtfs.zip"}}]}"#,
    #"{"providers": [{"id": "a", "feed": "s.csv", "realtime": [{"simulated": true}]}]}"#,
    #"{"clock": {"at": "2022-02-22T08:00:00Z"}, "providers": [{"id": "a", "feed": "s.csv", "realtime": [{"simulated": true, "url": "https://example.org/"}]}]}"#,
    #"{"streets": {"file": "none.geojson"}, "providers": []}"#,
    #"{"streets": {"file": "s.csv"}, "providers": []}"#, #"{"streets": {"path": "s.csv"}, "providers": []}"#,
  ]) func `a faulty configuration is refused in a sentence`(text: String) async throws {
    let folder = NSTemporaryDirectory() + "sightline-configuration-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/c.json"))
    try Data("id,name,lat,lon\n1,A,60,24\n".utf8).write(to: URL(fileURLWithPath: folder + "/s.csv"))
    await #expect {
      _ = try await TransitConfiguration.read(folder + "/c.json", schedules: folder, environment: [:])
    } throws: { error in
      "\(error)".hasSuffix(".") && "\(error)".contains("c.json")
    }
  }
}
