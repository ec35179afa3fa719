import Foundation
import HTTPTypes
import NIOCore
import SightlineGeodesy
import SightlineTransit
import Testing

@testable import SightlineServer

/// Streets on the ground, and stops that are served no more.
@Suite struct TransitStreetTests {
  private static let json: HTTPFields = [.contentType: "application/json"]

  private func streets(_ text: String) throws -> StreetMap {
    try StreetMap(
      Array(text.utf8),
      name: "streets.geojson",
      attribution: "Streets, CC0",
      attributionURL: "https://example.org"
    )
  }

  private static let crossing = """
    {"type": "FeatureCollection", "features": [
     {"type": "Feature", "properties": {"name": "Long street"}, "geometry": {"type": "LineString",
      "coordinates": [[24.90, 60.17], [24.94, 60.17], [24.99, 60.17]]}},
     {"type": "Feature", "properties": {}, "geometry": {"type": "MultiLineString",
      "coordinates": [[[24.94, 60.165], [24.94, 60.175]], [[24.95, 60.30], [24.95, 60.31]]]}},
     {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon",
      "coordinates": [[[24.93, 60.17], [24.931, 60.17], [24.931, 60.171], [24.93, 60.17]]]}}]}
    """

  @Test func `streets round a place, cut at the circle, whole where they cross`() throws {
    let map = try streets(Self.crossing)
    let place = Geodetic(latitudeDegrees: 60.17, longitudeDegrees: 24.94)
    let found = map.paths(around: place, radius: 500)
    try #require(found.count == 2)
    // 500 m of latitude are 0.0044966 degrees, of longitude at 60.17 degrees 0.0090397; the corner between is left out.
    #expect(found[0].count == 2 && found[1].count == 2)
    #expect(
      abs(found[0][0].longitude - (24.94 - 0.0090397)) < 1e-6 && abs(found[0][1].longitude - (24.94 + 0.0090397)) < 1e-6
    )
    #expect(
      abs(found[1][0].latitude - (60.17 - 0.0044966)) < 1e-6 && abs(found[1][1].latitude - (60.17 + 0.0044966)) < 1e-6
    )
    #expect(map.paths(around: Geodetic(latitudeDegrees: 60.305, longitudeDegrees: 24.95), radius: 100).count == 1)
    #expect(map.paths(around: Geodetic(latitudeDegrees: 61, longitudeDegrees: 24.95), radius: 5000).isEmpty)
    #expect(map.paths(around: Geodetic(latitudeDegrees: 90, longitudeDegrees: 0), radius: 5000).isEmpty)
    #expect(throws: TransitConfiguration.Failure.self) {
      try streets(#"{"type": "FeatureCollection", "features": []}"#)
    }
    #expect(throws: TransitConfiguration.Failure.self) { try streets("no document") }
  }

  @Test func `streets over HTTP`() async throws {
    let map = try streets(Self.crossing)
    func service(_ streets: StreetMap?) -> TransitService {
      TransitService(
        hub: TransitHub([(provider: StubProvider(), limits: DeskLimits())], clock: TransitClock()),
        streets: streets
      )
    }
    let fixture = try await ServerFixture { $0.transit = service(map) }
    let question = #"{"latitude": 60.17, "longitude": 24.94, "radius": 500}"#
    let response = try await fixture.request("/api/v1/transit/streets", .post, headers: Self.json, body: question)
    let answer = try JSONAnswer(response)
    #expect(try SchemaCheck().faults(answer.value, "Streets") == [])
    #expect((answer["paths"] as? [[Double]])?.map(\.count) == [4, 4])
    let providers = try JSONAnswer(try await fixture.request("/api/v1/transit/providers"))
    #expect((providers["streets"] as? [String: Any])?["text"] as? String == "Streets, CC0")
    let without = try await ServerFixture { $0.transit = service(nil) }
    let empty = try JSONAnswer(
      try await without.request("/api/v1/transit/streets", .post, headers: Self.json, body: question)
    )
    #expect(try SchemaCheck().faults(empty.value, "Streets") == [])
    #expect((empty["paths"] as? [Any])?.isEmpty == true && empty["attribution"] is NSNull)
  }

  @Test func `a stop that is served no more keeps its name and says so`() async throws {
    let folder = NSTemporaryDirectory() + "sightline-retired-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func write(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    try write(
      "agency.txt",
      "agency_id,agency_name,agency_url,agency_timezone\nA,A,http://example.org,Europe/Helsinki\n"
    )
    try write("routes.txt", "route_id,agency_id,route_short_name,route_type\nR,A,7,3\n")
    try write("calendar_dates.txt", "service_id,date,exception_type\nS,20220222,1\n")
    try write("trips.txt", "route_id,service_id,trip_id\nR,S,T\n")
    try write(
      "stop_times.txt",
      "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nT,8:00:00,8:00:00,A,1\nT,8:05:00,8:05:00,B,2\n"
    )
    let stops =
      "stop_id,stop_name,stop_lat,stop_lon,stop_timezone\nA,Asema,60.17,24.94,Europe/Stockholm\nB,Bulevardi,60.171,24.94\n"
      + (0..<8).map { "S\($0),Stop,60.2,24.9\($0)\n" }.joined()
    try write("stops.txt", stops + "OLD,Vanha,60.1702,24.9402\n")
    let file = folder + ".schedule"
    defer { for end in ["", ".previous"] { try? FileManager.default.removeItem(atPath: file + end) } }
    _ = try ScheduleImporter().importFeed(folder, into: file)
    try write("stops.txt", stops)
    _ = try ScheduleImporter().importFeed(folder, into: file)
    var configuration = TransitConfiguration(folder: "", schedules: folder, environment: [:])
    try await configuration.add(timetable: file)
    let providers = configuration.providers
    let id = try #require(providers.first?.provider.info.id)
    let fixture = try await ServerFixture {
      $0.transit = TransitService(
        providers: providers,
        clock: TransitClock(startingAt: StubProvider.now, repeatingAfter: 1),
        perSecond: 0
      )
    }
    let response = try await fixture.request(
      "/api/v1/transit/departures",
      .post,
      headers: Self.json,
      body: "{\"stops\": [\"\(id):A\", \"\(id):OLD\"]}"
    )
    let answer = try JSONAnswer(response)
    #expect(try SchemaCheck().faults(answer.value, "Stops") == [])
    #expect(answer["partial"] as? Bool == false)
    // Times as the clock at the stop shows them, which is in another zone than the feed.
    let forecast = try #require(answer.objects("stops")[0]["forecast"] as? [String: Any])
    let departures = try #require(forecast["departures"] as? [[String: Any]])
    #expect(departures.map { $0["scheduled"] as? String } == ["2022-02-22T07:00:00+01:00"])
    let gone = answer.objects("stops")[1]
    #expect(gone["name"] as? String == "Vanha" && gone["lat"] as? Double == 60.1702 && gone["forecast"] is NSNull)
    #expect(
      gone["reason"] as? String == "retired_stop" && (gone["detail"] as? String)?.contains("no longer served") == true
    )
    let near = try JSONAnswer(
      try await fixture.request(
        "/api/v1/transit/stops",
        .post,
        headers: Self.json,
        body: #"{"latitude": 60.1702, "longitude": 24.9402, "limit": 50}"#
      )
    )
    #expect(near.objects("stops").count == 10)
  }
}
