import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import SightlineServer

/// Addresses by name, from a service of the operator's.
@Suite struct GeocodeTests {
  private static let photon = """
    {"type": "FeatureCollection", "features": [
      {"type": "Feature", "geometry": {"type": "Point", "coordinates": [9.9916, 48.3984]}, "properties": {"name": "Ulmer Münster",
        "street": "Münsterplatz", "housenumber": "1", "postcode": "89073", "city": "Ulm", "country": "Germany", "osm_id": 17}},
      {"type": "Feature", "geometry": {"type": "Point", "coordinates": [7.1, 50.7]},
        "properties": {"street": "Münsterplatz", "housenumber": "5", "city": "Bonn"}},
      {"type": "Feature", "geometry": {"type": "Point", "coordinates": [500, 1]}, "properties": {"name": "nowhere"}},
      {"type": "Feature", "geometry": null, "properties": {"name": "no place"}},
      {"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}, "properties": {}}]}
    """
  private static let nominatim = """
    [{"lat": "48.3984", "lon": "9.9916", "name": "Ulmer Münster", "display_name": "Ulmer Münster, Münsterplatz, Ulm, 89073, Deutschland"},
     {"lat": 50.7, "lon": "7.1", "name": "", "display_name": "5, Münsterplatz, Bonn"},
     {"lat": "x", "lon": "7.1", "display_name": "broken"}, 17]
    """

  private func fixture(
    _ port: Int,
    path: String = "/api",
    clock: FixtureClock = FixtureClock(),
    _ change: (inout GeocoderOptions) -> Void = { _ in }
  ) async throws -> ServerFixture {
    var options = try #require(GeocoderOptions(url: "http://127.0.0.1:\(port)\(path)"))
    change(&options)
    let source = options
    return try await ServerFixture(clock: clock) { $0.geocoder = source }
  }

  @Test func `both forms of answers are read`() async throws {
    for (path, answer) in [("/api", Self.photon), ("/nominatim/search", Self.nominatim), ("/api", Self.nominatim)] {
      try await TestHost.with { _ in
        .text(answer)
      } _: { host in
        let fixture = try await fixture(host.port, path: path)
        let response = try await fixture.request("/api/v1/geocode?q=M%C3%BCnster")
        #expect(response.status == .ok, "\(String(buffer: response.body))")
        let results = try JSONAnswer(response).objects("results")
        try #require(results.map { $0["title"] as? String } == ["Ulmer Münster", "Münsterplatz 5"])
        #expect((results[0]["detail"] as? String)?.hasPrefix("Münsterplatz") == true)
        #expect((results[1]["detail"] as? String)?.hasSuffix("Bonn") == true)
        #expect(results[0]["latitude"] as? Double == 48.3984 && results[1]["longitude"] as? Double == 7.1)
      }
    }
  }

  @Test func `a service is asked as it wants to be, and learns where somebody looks to ten kilometres`() async throws {
    try await TestHost.with { _ in
      .text("[]")
    } _: { host in
      let query = "/api/v1/geocode?q=a%2Bb+%26+c&latitude=48.39841&longitude=-9.99163&language=de-AT"
      for path in ["/api", "/search"] {
        let fixture = try await fixture(host.port, path: path)
        #expect(try await fixture.request(query).status == .ok)
      }
      let seen = host.seen.all.map { $0.target }
      #expect(seen[0] == "/api?q=a%2Bb%20%26%20c&limit=10&lat=48.4&lon=-10.0&lang=de")
      #expect(
        seen[1]
          == "/search?q=a%2Bb%20%26%20c&limit=10&format=jsonv2&viewbox=-11.0,47.4,-9.0,49.4&accept-language=de"
      )
      #expect(host.seen.all.allSatisfy { $0.method == "GET" && $0.headers[.cookie] == nil })
    }
  }

  @Test func `equal questions are asked once, and again the next day`() async throws {
    let now = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
    try await TestHost.with { _ in
      .text(Self.photon)
    } _: { host in
      let fixture = try await fixture(host.port, clock: FixtureClock(now: { now.withLock { $0 } }))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for blanks in ["", "+", "++"] {
          group.addTask {
            let response = try await fixture.request("/api/v1/geocode?q=\(blanks)Ulm\(blanks)M%C3%BCnster")
            #expect(response.status == .ok)
          }
        }
        try await group.waitForAll()
      }
      #expect(Set(host.seen.all.map(\.target)).count <= 2)
      let before = host.seen.all.count
      _ = try await fixture.request("/api/v1/geocode?q=Ulm+M%C3%BCnster")
      #expect(host.seen.all.count == before)
      now.withLock { $0 += 25 * 3600 }
      _ = try await fixture.request("/api/v1/geocode?q=Ulm+M%C3%BCnster")
      #expect(host.seen.all.count == before + 1)
    }
  }

  @Test func `nobody asks too often, and the service is not asked too often`() async throws {
    try await TestHost.with { _ in
      .text("[]")
    } _: { host in
      // One question, and the next in fifty minutes: a slow machine gives no other in between.
      let one = try await fixture(host.port) { $0.questionsPerMinuteOfClient = 0.02 }
      #expect(try await one.request("/api/v1/geocode?q=1").status == .ok)
      let refused = try await one.request("/api/v1/geocode?q=3")
      try expectProblem(refused, 429, "geocode.rate")
      #expect(refused.headers[.retryAfter] != nil)
      // What is known already costs nothing.
      #expect(try await one.request("/api/v1/geocode?q=1").status == .ok)
      let clock = TestClock()
      let all = try await fixture(host.port, clock: FixtureClock { clock.now }) { $0.questionsPerMinute = 2 }
      for number in 0..<2 { #expect(try await all.request("/api/v1/geocode?q=\(number)").status == .ok) }
      try expectProblem(try await all.request("/api/v1/geocode?q=3"), 503, "geocode.busy")
    }
  }

  @Test func `a service that fails, is late, sends too much or nonsense costs an answer alone`() async throws {
    let answers: [(code: String, status: Int, answer: @Sendable () async throws -> Response)] = [
      ("open.status", 502, { Response(status: .internalServerError) }),
      ("open.too-large", 502, { .text(String(repeating: " ", count: 300_000)) }),
      ("geocode.unreadable", 502, { .text("<html>") }),
      ("geocode.unreadable", 502, { .text(String(repeating: "[", count: 100_000)) }),
      ("geocode.unreadable", 502, { .text(#"{"features": 7}"#) }),
      ("open.redirects", 502, { Response(status: .found, headers: [.location: "http://127.0.0.1:1/"]) }),
      (
        "open.timeout", 504,
        {
          try await Task.sleep(for: .seconds(60))
          return .text("[]")
        }
      ),
    ]
    for (code, status, answer) in answers {
      try await TestHost.with { _ in
        try await answer()
      } _: { host in
        // The clock stands: a slow machine does not use up the time for which the service is left alone.
        let clock = TestClock()
        // Only the one that is late has to be given up.
        let limit = Duration.seconds(code == "open.timeout" ? 1 : 300)
        let fixture = try await fixture(host.port, clock: FixtureClock { clock.now }) { $0.timeLimit = limit }
        try expectProblem(try await fixture.request("/api/v1/geocode?q=Ulm"), status, code)
        // Left alone for a while.
        try expectProblem(try await fixture.request("/api/v1/geocode?q=Bonn"), status, code)
        #expect(host.seen.all.count == 1)
      }
    }
  }

  @Test func `a service that failed is left alone from the failure on, however long the failing took`() async throws {
    let clock = TestClock()
    try await TestHost.with { _ in
      clock.advance(8)
      return Response(status: .internalServerError)
    } _: { host in
      let fixture = try await fixture(host.port, clock: FixtureClock { clock.now })
      for _ in 1...2 { try expectProblem(try await fixture.request("/api/v1/geocode?q=Ulm"), 502, "open.status") }
      #expect(host.seen.all.count == 1)
      clock.advance(6)
      try expectProblem(try await fixture.request("/api/v1/geocode?q=Ulm"), 502, "open.status")
      #expect(host.seen.all.count == 2)
    }
  }

  @Test func `texts of a service are short lines`() async throws {
    let long = String(repeating: "a", count: 5000)
    let answer = #"[{"lat": 1, "lon": 2, "display_name": "x\n\u0000 y, \#(long)"}]"#
    let found = try #require(FoundAddress.read(ByteBuffer(string: answer)))
    #expect(found.first?.title == "x y" && (found.first?.detail.count ?? 0) <= FoundAddress.longestText)
    let many =
      "[" + Array(repeating: #"{"lat": 1, "lon": 2, "display_name": "x"}"#, count: 500).joined(separator: ",") + "]"
    #expect(FoundAddress.read(ByteBuffer(string: many))?.count == FoundAddress.most)
  }

  @Test func `without a geocoder there is none, and questions have to be questions`() async throws {
    let off = try await ServerFixture()
    try expectProblem(try await off.request("/api/v1/geocode?q=Ulm"), 404, "geocode.off")
    let fixture = try await fixture(1)
    #expect(try JSONAnswer(try await fixture.request("/api/v1/settings"))["hasGeocoder"] as? Bool == true)
    for query in ["", "q=", "q=+", "q=" + String(repeating: "a", count: 201)] {
      try expectProblem(try await fixture.request("/api/v1/geocode?\(query)"), 400, "geocode.query")
    }
    try expectProblem(try await fixture.request("/api/v1/geocode?q=a&latitude=99&longitude=0"), 400, "search.position")
    let foreign = try #require(HTTPField.Name("Sec-Fetch-Site"))
    try expectProblem(
      try await fixture.request("/api/v1/geocode?q=a", headers: [foreign: "cross-site"]),
      403,
      "open.cross-site"
    )
  }

  @Test(arguments: [
    "", "photon", "ftp://a.example/api", "https:///api", "https://user:secret@a.example/api", "https://a.example/#x",
  ])
  func `an address that is none is refused`(url: String) {
    #expect(GeocoderOptions(url: url) == nil)
  }

  @Test func `the form follows from the address`() {
    #expect(GeocoderOptions(url: "https://photon.example.org/api/")?.form == .photon)
    #expect(GeocoderOptions(url: "https://a.example/nominatim/search.php?key=1")?.form == .nominatim)
    #expect(GeocoderOptions(url: "https://a.example/search")?.form == .nominatim)
  }
}
