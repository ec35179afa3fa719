import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Synchronization
import Testing

@testable import SightlineServer

/// Worlds from OpenStreetMap's service: asked for seldom, on a grid, and without anything of the phone's.
@Suite struct MapRouteTests {
  private static let answer = try? String(
    contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Fixtures/overpass/good/town.osm.json"),
    encoding: .utf8
  )

  private func post(
    _ fixture: ServerFixture,
    _ topic: String,
    _ body: String = "lat=48.39841&lon=9.99163&event=init"
  ) async throws
    -> TestAnswer
  {
    let response = try await fixture.request(
      "/api/v1/osm/\(topic)",
      .post,
      headers: [.contentType: "application/x-www-form-urlencoded"],
      body: body
    )
    return TestAnswer(response: response)
  }

  private struct TestAnswer {
    var response: TestResponse
    var json: JSONAnswer { get throws { try JSONAnswer(response) } }
    var dimension: [String: Any] { get throws { try #require(try json["dimension"] as? [String: Any]) } }
    var titles: [String] {
      get throws { (try dimension["places"] as? [[String: Any]] ?? []).compactMap { $0["title"] as? String } }
    }
  }

  private func fixture(
    _ port: Int,
    clock: @escaping @Sendable () -> Date = { Date() },
    _ change: (inout MapSourceOptions) -> Void = { _ in }
  ) async throws -> ServerFixture {
    var options = try #require(MapSourceOptions(url: "http://127.0.0.1:\(port)/api/interpreter"))
    change(&options)
    let source = options
    return try await ServerFixture(clock: FixtureClock(now: clock)) { $0.overpass = source }
  }

  @Test func `a topic around a phone is a world that refreshes itself`() async throws {
    try await TestHost.with { _ in
      .text(Self.answer ?? "")
    } _: { host in
      let fixture = try await fixture(host.port)
      let answer = try await post(fixture, "food")
      #expect(answer.response.status == .ok)
      #expect(try answer.titles.contains("Zum Anker"))
      let dimension = try answer.dimension
      #expect(dimension["name"] as? String == "Food and drink")
      #expect(dimension["refreshURL"] as? String == "/api/v1/osm/food")
      #expect(dimension["refreshDistance"] as? Double == MapWorld.validWithin)
      #expect((dimension["attribution"] as? String)?.contains("openstreetmap.org") == true)
      // The card is for readers: address and hours in words, no notes of the mappers.
      let places = try #require(dimension["places"] as? [[String: Any]])
      let inn = try #require(places.first { $0["title"] as? String == "Zum Anker" })
      let fields = try #require(inn["metadata"] as? [String: String])
      #expect(fields["address"] == "Hafengasse 3a, 89073 Musterstadt")
      #expect(fields["opening hours"] == "Tu-Su 11:30-22:00" && fields["cuisine"] == "regional, fish")
      #expect(fields["check_date"] == nil)
      // What has no name is called what it is, in every language that has a word for it.
      let water = try #require(places.first { $0["title"] as? String == "Drinking water" })
      let german = (water["translations"] as? [String: [String: String]])?["de"]?["title"]
      #expect(german == "Trinkwasser")
    }
  }

  @Test func `the service is told a place on the grid, the tags, and nothing else`() async throws {
    try await TestHost.with { _ in
      .text(Self.answer ?? "")
    } _: { host in
      let fixture = try await fixture(host.port)
      _ = try await post(fixture, "amenity=bench", "lat=48.39841&lon=-9.99963&uid=SECRET-9&bearing=12&time=17")
      let seen = try #require(host.seen.all.first)
      #expect(seen.method == "POST" && seen.target == "/api/interpreter")
      let query = try #require(seen.body.removingPercentEncoding)
      #expect(query.hasPrefix("data=[out:json][timeout:20]"))
      #expect(query.contains(#"nwr["amenity"="bench"](around:1500,48.40,-10.00);"#), "\(query)")
      #expect(!query.contains("SECRET") && !query.contains("48.3984") && !query.contains("9.9996"))
    }
  }

  @Test func `neighbours share an answer, equal questions are asked once, old answers are asked anew`() async throws {
    let now = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
    try await TestHost.with { _ in
      try await Task.sleep(for: .milliseconds(50))
      return .text(Self.answer ?? "")
    } _: { host in
      let fixture = try await fixture(host.port, clock: { now.withLock { $0 } })
      try await withThrowingTaskGroup(of: Void.self) { group in
        for k in 0..<20 {
          group.addTask {
            let answer = try await post(fixture, "food", "lat=48.39\(70 + k)&lon=9.99")
            #expect(answer.response.status == .ok)
          }
        }
        try await group.waitForAll()
      }
      #expect(host.seen.all.count == 1)
      _ = try await post(fixture, "food", "lat=48.43&lon=9.99")
      _ = try await post(fixture, "shops", "lat=48.40&lon=9.99")
      #expect(host.seen.all.count == 3, "another square and another topic are other questions")
      now.withLock { $0 += 7 * 3600 }
      _ = try await post(fixture, "food", "lat=48.40&lon=9.99")
      #expect(host.seen.all.count == 4)
    }
  }

  @Test func `when the service fails, an old answer stands in, and the service is left alone for a while`() async throws
  {
    let now = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
    let isBroken = Mutex(false)
    try await TestHost.with { _ in
      isBroken.withLock { $0 } ? .text("too busy", .tooManyRequests) : .text(Self.answer ?? "")
    } _: { host in
      let fixture = try await fixture(host.port, clock: { now.withLock { $0 } })
      _ = try await post(fixture, "food")
      isBroken.withLock { $0 = true }
      now.withLock { $0 += 7 * 3600 }
      #expect(try await post(fixture, "food").titles.contains("Zum Anker"))
      #expect(host.seen.all.count == 2)
      _ = try await post(fixture, "food")
      #expect(host.seen.all.count == 2, "asked again only after a pause")
      try expectProblem(try await post(fixture, "shops").response, 502, "open.status")
      try expectProblem(try await post(fixture, "shops").response, 502, "open.status")
      #expect(host.seen.all.count == 3)
      now.withLock { $0 += 31 }
      isBroken.withLock { $0 = false }
      #expect(try await post(fixture, "shops").response.status == .ok)
      now.withLock { $0 += 8 * 24 * 3600 }
      isBroken.withLock { $0 = true }
      try expectProblem(try await post(fixture, "shops").response, 502, "open.status")
    }
  }

  @Test func `the service is not asked more often than the operator wants`() async throws {
    let now = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
    try await TestHost.with { _ in
      .text(Self.answer ?? "")
    } _: { host in
      let fixture = try await fixture(host.port, clock: { now.withLock { $0 } }) { $0.questionsPerMinute = 3 }
      for k in 0..<3 { #expect(try await post(fixture, "food", "lat=4\(k)&lon=1").response.status == .ok) }
      try expectProblem(try await post(fixture, "food", "lat=50&lon=1").response, 503, "osm.busy")
      now.withLock { $0 += 20 }
      #expect(try await post(fixture, "food", "lat=50&lon=1").response.status == .ok)
      try expectProblem(try await post(fixture, "food", "lat=51&lon=1").response, 503, "osm.busy")
      #expect(host.seen.all.count == 4)
    }
  }

  @Test(arguments: [
    ("amenity=bench", #"["amenity"="bench"]"#), ("shop", #"["shop"]"#),
    ("public_transport=stop_position", "stop_position"),
  ])
  func `one tag of one's own choice is a topic`(text: String, filter: String) throws {
    let topic = try #require(MapTopic(text))
    #expect(topic.query(latitude: 1.004, longitude: -0.006, radius: 900, limit: 7).contains(filter))
    #expect(topic.query(latitude: 1.004, longitude: -0.006, radius: 900, limit: 7).contains("(around:900,1.00,-0.01)"))
  }

  @Test(arguments: [
    "", "name", "source=survey", #"amenity="];out;"#, "amenity=a b", "amenity=", "=x", "AMENITY=bench", "amenity=x=y",
    "amenity=%22", "amenity=[x]", "amenity=" + String(repeating: "a", count: 49), "food;shops",
  ])
  func `what could change the query is no topic`(text: String) { #expect(MapTopic(text) == nil) }

  @Test func `malformed questions are explained`() async throws {
    try await TestHost.with { _ in
      .text("<html>busy</html>")
    } _: { host in
      let fixture = try await fixture(host.port)
      for body in ["", "lat=48", "lat=x&lon=9", "lat=91&lon=9", "lat=48&lon=181", "lat=45&lon=-85&alt=0"] {
        try expectProblem(try await post(fixture, "food", body).response, 400, "osm.position")
      }
      try expectProblem(try await post(fixture, "nothing").response, 404, "osm.topic")
      #expect(host.seen.all.isEmpty)
      try expectProblem(try await post(fixture, "food").response, 502, "osm.unreadable")
    }
  }

  @Test func `without an address nobody is asked, and the page does not offer it`() async throws {
    let off = try await ServerFixture()
    try expectProblem(try await post(off, "food").response, 404, "osm.off")
    #expect(try JSONAnswer(try await off.request("/api/v1/settings"))["osm"] is NSNull)
    let on = try await fixture(1)
    let topics = (try JSONAnswer(try await on.request("/api/v1/settings"))["osm"] as? [String: Any])?["topics"]
    #expect(topics as? [String] == MapTopic.all.map(\.id))
    #expect(MapSourceOptions(url: "overpass.example.org") == nil && MapSourceOptions(url: "file:///etc") == nil)
  }
}
