import Foundation
import HTTPTypes
import NIOCore
import SightlineGeodesy
import SightlineTransit
import Testing

@testable import SightlineServer

/// Questions that somebody made to do harm, over every route that takes one.
@Suite(.timeLimit(.minutes(10))) struct TransitHostileInputTests {
  private static let json: HTTPFields = [.contentType: "application/json"]

  private static let routes = [
    "/api/v1/nearby", "/api/v1/transit/stops", "/api/v1/transit/departures", "/api/v1/transit/stream",
    "/api/v1/transit/vehicles", "/api/v1/transit/shapes", "/api/v1/transit/streets",
  ]

  private func fixture() async throws -> ServerFixture {
    try await ServerFixture { $0.transit = StubProvider().service() }
  }

  /// Answers in order, or refusals with a reason; never a fault of the server's own.
  private func ask(_ fixture: ServerFixture, _ route: String, _ body: String) async throws {
    let response = try await fixture.request(route, .post, headers: Self.json, body: body)
    #expect([200, 201, 400].contains(response.status.code), "\(route) \(body.prefix(200)): \(response.status)")
    _ = try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView))
  }

  @Test(arguments: routes) func `a thousand digits before and after the point`(route: String) async throws {
    let fixture = try await fixture()
    for count in [15, 16, 18, 19, 20, 1000] {
      let digits = (0..<count).map { String($0 % 10) }.joined()
      let nines = String(repeating: "9", count: count)
      for number in ["48.\(digits)", "-48.\(digits)", nines, "-\(nines)", "1\(digits).\(digits)", "0.\(nines)"] {
        for name in ["latitude", "longitude", "limit", "radius", "window", "departures"] {
          var members = ["latitude": "60.17", "longitude": "24.94"]
          members[name] = number
          let body = members.map { "\"\($0)\":\($1)" }.joined(separator: ",")
          try await ask(fixture, route, "{\(body)}")
          try await ask(fixture, route, "{\(body),\"stops\":[\"stub:A\"]}")
          try await ask(fixture, route, "{\(body),\"stops\":\"stub:A\"}")
        }
      }
    }
    #expect(try await fixture.request("/health/live").status == .ok)
  }

  @Test(arguments: routes) func `numbers at the ends of their ranges and beyond`(route: String) async throws {
    let fixture = try await fixture()
    for value in [
      "0", "-0", "-0.0", "1e308", "-1e308", "1e309", "1e-320", "\"nan\"", "\"inf\"", "\"-inf\"", "\"0x1p1023\"",
      "\"1e400\"",
      "9223372036854775807", "-9223372036854775808", "18446744073709551616", "null", "true", "[]", "{}", "[1,2]",
      "\"\"", "90",
      "-90", "180", "-180", "21000000", "0.5",
    ] {
      for name in [
        "latitude", "longitude", "limit", "radius", "window", "departures", "stops", "lines", "language", "world",
      ] {
        var members = ["latitude": "60.17", "longitude": "24.94", "stops": "[\"stub:A\"]"]
        members[name] = value
        let response = try await fixture.request(
          route,
          .post,
          headers: Self.json,
          body: "{\(members.map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
        )
        #expect([200, 201, 400, 404].contains(response.status.code), "\(route) \(name) \(value): \(response.status)")
      }
    }
  }

  @Test func `extreme numbers in queries and forms`() async throws {
    let fixture = try await fixture()
    for value in ["nan", "inf", "-1e400", "1e308", String(repeating: "9", count: 1000), "0x1p9999", "", "-"] {
      for path in [
        "/api/v1/nearby?latitude=\(value)&longitude=1", "/api/v1/nearby?latitude=1&longitude=1&limit=\(value)",
        "/api/v1/nearby?latitude=1&longitude=1&radius=\(value)", "/transit/forecast.json?lat=\(value)&lng=1",
        "/transit/forecast.json?lat=60.17&lng=\(value)",
      ] {
        let response = try await fixture.request(path)
        #expect([200, 400].contains(response.status.code), "\(path.prefix(80)): \(response.status)")
      }
    }
  }

  @Test func `a provider's own extremes are written`() async throws {
    for time in [0, 1, 1 << 40, Int.max, Int.min, 253_402_300_799, 253_402_300_800, -62_135_596_801] {
      let text = InstantText.text(time, offset: 3600)
      #expect(text.count == 25 && InstantText.text(time, offset: .max).count == 25, "\(text)")
    }
    let provider = StubProvider()
    var vehicle = TransitVehicle(id: "V", latitude: 60.17, longitude: 24.94, measured: 0)
    (vehicle.bearing, vehicle.speed) = (.infinity, .nan)
    provider.set(vehicles: [vehicle])
    let fixture = try await ServerFixture { $0.transit = provider.service() }
    let response = try await fixture.request(
      "/api/v1/transit/vehicles",
      .post,
      headers: Self.json,
      body: #"{"latitude":60.17,"longitude":24.94}"#
    )
    let shown = try #require(try JSONAnswer(response).objects("vehicles").first)
    #expect(shown["bearing"] is NSNull && shown["speed"] is NSNull)
  }

  // MARK: Streams

  @Test func `HEAD opens no stream`() async throws {
    let transit = StubProvider().service()
    let fixture = try await ServerFixture { $0.transit = transit }
    for _ in 0..<40 {
      let made = try await fixture.request(
        "/api/v1/transit/stream",
        .post,
        headers: Self.json,
        body: #"{"stops":["stub:A"]}"#
      )
      #expect(made.status == .created)
      let path = try #require(try JSONAnswer(made)["url"] as? String)
      #expect(try await fixture.request(path, .head).status == .ok)
    }
    #expect(transit.streams.openCount == 0)
  }

  @Test func `one line a subscription: a newer one takes the place of an older one`() throws {
    let streams = TransitStreams(most: 5, mostPerClient: 2)
    let name = try streams.add(.init(stops: ["stub:A"], limit: 5, window: 3600, language: nil, client: "a"))
    let first = try #require(streams.open(name))
    let second = try #require(streams.open(name))
    #expect(streams.openCount == 1)
    #expect(!streams.isOpen(name, line: first) && streams.isOpen(name, line: second))
    // The older one ends without closing what is the newer one's.
    streams.close(name, line: first)
    #expect(streams.isOpen(name, line: second) && streams.openCount == 1)
    streams.close(name, line: second)
    #expect(streams.openCount == 0)
    #expect(streams.open(name) != nil)
  }

  // MARK: Addresses

  @Test func `only this machine's addresses do without TLS`() {
    for local in ["http://127.0.0.1/x", "http://127.1.2.3:8080/", "http://localhost/{stop}", "http://[::1]:1/"] {
      #expect(HTTPTransport.fault(in: local, allowsPlain: false) == nil, "\(local)")
    }
    for other in [
      "http://127.evil.example/x", "http://127.0.0.1.evil.example/", "http://127.1/", "http://128.0.0.1/",
      "http://localhost.evil.example/", "http://[::2]/", "http://10.0.0.1/",
    ] { #expect(HTTPTransport.fault(in: other, allowsPlain: false) != nil, "\(other)") }
  }

  @Test func `the map service's redirects lead nowhere`() async throws {
    try await TestHost.with { seen in
      seen.target.hasPrefix("/api") ? .redirect(.temporaryRedirect, to: "/secret") : .text("{}")
    } _: { host in
      let options = try #require(MapSourceOptions(url: "http://127.0.0.1:\(host.port)/api/interpreter"))
      let fixture = try await ServerFixture { $0.overpass = options }
      let response = try await fixture.request(
        "/api/v1/osm/food",
        .post,
        headers: [.contentType: "application/x-www-form-urlencoded"],
        body: "lat=48.4&lon=10"
      )
      #expect(response.status == .badGateway)
      #expect(host.seen.all.allSatisfy { !$0.target.hasPrefix("/secret") })
    }
  }

  @Test func `streets of any coordinates are no trap`() {
    let far = 1e300
    let map = StreetMap(
      [
        [(far, far), (far, far)], [(.nan, 0), (0, .nan)], [(.infinity, 0), (.infinity, 0)], [(-far, 9), (-far, 9.5)],
        [(57.7, 11.97), (57.701, 11.97)],
      ],
      attribution: ""
    )
    let found = map.paths(around: Geodetic(latitudeDegrees: 57.7, longitudeDegrees: 11.97), radius: 1000)
    #expect(found.count == 1)
    for place in [(90.0, 180.0), (-90, -180), (0, 180)] {
      _ = map.paths(around: Geodetic(latitudeDegrees: place.0, longitudeDegrees: place.1), radius: 5000)
    }
  }
}
