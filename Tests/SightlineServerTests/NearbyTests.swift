import Foundation
import HTTPTypes
import NIOCore
import SightlineContent
import SightlineGeodesy
import SightlineStore
import SightlineTestSupport
import Testing

@testable import SightlineServer

@Suite struct NearbyTests {
  /// Great-circle distance by the haversine, written anew here so that it shares no code with the index.
  static func haversine(_ a: (Double, Double), _ b: (Double, Double)) -> Double {
    let (φ1, φ2) = (a.0 * .pi / 180, b.0 * .pi / 180)
    let Δφ = φ2 - φ1
    let Δλ = (b.1 - a.1) * .pi / 180
    let h = sin(Δφ / 2) * sin(Δφ / 2) + cos(φ1) * cos(φ2) * sin(Δλ / 2) * sin(Δλ / 2)
    return 2 * WGS84.meanRadius * asin(min(1, h.squareRoot()))
  }

  /// Clusters in towns, on the date line, at both poles, some places twice, some anywhere.
  static func points(_ count: Int, _ generator: inout SplitMix64) -> [(Double, Double)] {
    let centers = [(48.4, 10.0), (-17.0, 180.0), (65.0, -180.0), (90.0, 0.0), (-90.0, 45.0), (0.0, 0.0)]
    var points: [(Double, Double)] = []
    for index in 0..<count {
      if index % 17 == 16 {
        points.append(points[Int.random(in: 0..<points.count, using: &generator)])
      } else if index % 5 == 4 {
        points.append(
          (Double.random(in: -90...90, using: &generator), Double.random(in: -180...180, using: &generator))
        )
      } else {
        let center = centers[index % centers.count]
        let latitude = min(90, max(-90, center.0 + Double.random(in: -0.5...0.5, using: &generator)))
        var longitude = center.1 + Double.random(in: -0.5...0.5, using: &generator)
        if longitude > 180 { longitude -= 360 }
        if longitude < -180 { longitude += 360 }
        points.append((latitude, longitude))
      }
    }
    return points
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `the answer is exactly the nearest, over one world and over several`(seed: UInt64) async throws {
    var generator = SplitMix64(seed: seed)
    let points = NearbyTests.points(600, &generator)
    var indexes: [PlaceIndex] = []
    // Worlds of unlike sizes, one of them empty, one far from everything else.
    let parts = [0..<300, 300..<420, 420..<420, 420..<599, 599..<600]
    for (number, part) in parts.enumerated() {
      let records = part.enumerated().map { index, point in
        PlaceRecord(
          index: index,
          id: nil,
          title: "\(point)",
          latitude: points[point].0,
          longitude: points[point].1,
          altitude: nil
        )
      }
      indexes.append(PlaceIndex(world: "w\(number)", list: PlaceList(generation: 1, places: records)))
    }
    let queries =
      [(-17.0, 180.0), (-17.0, -180.0), (90.0, 0.0), (-90.0, 179.0), (48.4, 10.0), (0, 0)]
      + (0..<30).map { _ in points[Int.random(in: 0..<points.count, using: &generator)] }
    for query in queries {
      for (limit, radius) in [(1, Double.infinity), (10, .infinity), (100, 30_000), (10, 0), (100, 2e7)] {
        let search = NearbySearch(
          center: Geodetic(latitudeDegrees: query.0, longitudeDegrees: query.1),
          limit: limit,
          radius: radius,
          world: nil
        )
        let found = search.matches(in: indexes).map(\.distance)
        let expected = points.map { NearbyTests.haversine(query, $0) }
          .filter { $0 <= radius + 1e-3 }.sorted().prefix(limit)
        #expect(found.count <= limit)
        #expect(found == found.sorted())
        // Radius 0 asks for places at the very spot; rounding of a micrometre must not decide the test.
        guard radius > 0 else { continue }
        #expect(found.count == expected.count, "seed \(seed), query \(query), limit \(limit), radius \(radius)")
        for (a, b) in zip(found, expected) {
          #expect(isNear(a, b, within: 1e-3), "seed \(seed), query \(query), limit \(limit), radius \(radius)")
        }
        let one = search.matches(in: [indexes[0]]).map(\.distance)
        let expectedOfOne = points[parts[0]].map { NearbyTests.haversine(query, $0) }
          .filter { $0 <= radius }.sorted().prefix(limit)
        #expect(one.count == expectedOfOne.count)
        #expect(zip(one, expectedOfOne).allSatisfy { isNear($0, $1, within: 1e-3) })
      }
    }
  }

  @Test func `the bound of a world is never larger than the distance of any of its places`() {
    var generator = SplitMix64(seed: 9)
    for _ in 0..<50 {
      let points = NearbyTests.points(20, &generator)
      let index = PlaceIndex(
        world: "w",
        list: PlaceList(
          generation: 1,
          places: points.enumerated().map {
            PlaceRecord(
              index: $0,
              id: nil,
              title: "",
              latitude: $1.0,
              longitude: $1.1,
              altitude: nil
            )
          }
        )
      )
      for query in NearbyTests.points(20, &generator) {
        let bound = index.distanceBound(from: Geodetic(latitudeDegrees: query.0, longitudeDegrees: query.1))
        let nearest = points.map { NearbyTests.haversine(query, $0) }.min() ?? 0
        #expect(bound <= nearest + 1e-3)
      }
    }
  }

  @Test func `a GET answers with the places, nearest first`() async throws {
    let fixture = try await ServerFixture()
    var minster = place("Minster \"Ulm\"\n", 48.3984, 9.9916, 482.5)
    minster.id = "minster"
    try await fixture.add("ulm", [Place(title: "Lost", position: nil, visual: .text("x")), minster])
    try await fixture.add("neu-ulm", [place("Station", 48.3920, 10.0040)])
    let response = try await fixture.request("/api/v1/nearby?latitude=48.3984&longitude=9.9916&limit=5")
    #expect(response.status == .ok)
    #expect(response.headers[.contentType] == "application/json")
    let places = try JSONAnswer(response).objects("places")
    try #require(places.count == 2)
    #expect(places[0]["world"] as? String == "ulm")
    #expect(places[0]["index"] as? Int == 1)
    #expect(places[0]["id"] as? String == "minster")
    #expect(places[0]["title"] as? String == "Minster \"Ulm\"\n")
    #expect(places[0]["latitude"] as? Double == 48.3984)
    #expect(places[0]["longitude"] as? Double == 9.9916)
    #expect(places[0]["altitude"] as? Double == 482.5)
    #expect(places[0]["distance"] as? Double == 0)
    #expect(places[1]["id"] is NSNull)
    #expect(places[1]["altitude"] is NSNull)
    let distance = try #require(places[1]["distance"] as? Double)
    #expect(isNear(distance, NearbyTests.haversine((48.3984, 9.9916), (48.3920, 10.0040)), within: 1e-3))
  }

  @Test func `a POST with JSON or a form gives the same as a GET`() async throws {
    let fixture = try await ServerFixture()
    try await fixture.add("ulm", (0..<30).map { place("P\($0)", 48.3 + Double($0) * 0.001, 10) })
    let get = try await fixture.request("/api/v1/nearby?latitude=48.3&longitude=10&limit=3&radius=150&world=ulm")
    let json = try await fixture.request(
      "/api/v1/nearby",
      .post,
      headers: [.contentType: "application/json; charset=utf-8"],
      body: #"{"latitude":48.3,"longitude":10,"limit":3,"radius":150,"world":"ulm"}"#
    )
    let form = try await fixture.request(
      "/api/v1/nearby",
      .post,
      headers: [.contentType: "application/x-www-form-urlencoded"],
      body: "latitude=48.3&longitude=10&limit=3&radius=150&world=ulm"
    )
    #expect(try JSONAnswer(get).objects("places").count == 2)
    #expect(get.body == json.body)
    #expect(get.body == form.body)
  }

  @Test func `places are found across the date line and at the poles`() async throws {
    let fixture = try await ServerFixture()
    try await fixture.add("line", [place("West", -17, 179.999), place("East", -17, -179.999), place("Far", -17, 170)])
    try await fixture.add("pole", [place("A", 89.9995, 0), place("B", 89.999, 180), place("C", -89.999, 90)])
    let line = try await fixture.request("/api/v1/nearby?latitude=-17&longitude=-179.9999&radius=1000")
    #expect(try JSONAnswer(line).objects("places").compactMap { $0["title"] as? String } == ["East", "West"])
    let pole = try await fixture.request("/api/v1/nearby?latitude=90&longitude=123&radius=1000")
    #expect(try JSONAnswer(pole).objects("places").compactMap { $0["title"] as? String } == ["A", "B"])
    let south = try await fixture.request("/api/v1/nearby?latitude=-90&longitude=-123&limit=1")
    #expect(try JSONAnswer(south).objects("places").compactMap { $0["title"] as? String } == ["C"])
  }

  @Test(arguments: [
    ("", "nearby.missing"), ("latitude=48", "nearby.missing"), ("longitude=9", "nearby.missing"),
    ("latitude=x&longitude=9", "nearby.malformed"), ("latitude=48,4&longitude=9", "nearby.malformed"),
    ("latitude=nan&longitude=9", "nearby.malformed"), ("latitude=inf&longitude=9", "nearby.malformed"),
    ("latitude=&longitude=9", "nearby.malformed"), ("latitude=90.1&longitude=9", "nearby.range"),
    ("latitude=48&longitude=180.5", "nearby.range"), ("latitude=48&longitude=9&limit=0", "nearby.range"),
    ("latitude=48&longitude=9&limit=101", "nearby.range"), ("latitude=48&longitude=9&limit=1.5", "nearby.range"),
    ("latitude=48&longitude=9&limit=1e9", "nearby.range"), ("latitude=48&longitude=9&radius=-1", "nearby.range"),
    ("latitude=48&longitude=9&radius=x", "nearby.malformed"),
  ])
  func `malformed questions are refused with a reason`(query: String, code: String) async throws {
    let fixture = try await ServerFixture()
    try expectProblem(try await fixture.request("/api/v1/nearby?\(query)"), 400, code)
  }

  @Test func `an unknown world is told apart from an empty one`() async throws {
    let fixture = try await ServerFixture()
    try await fixture.add("empty", [])
    let query = "/api/v1/nearby?latitude=48&longitude=9&world="
    try expectProblem(try await fixture.request(query + "none"), 404, "world.unknown")
    #expect(String(buffer: try await fixture.request(query + "empty").body) == #"{"places":[]}"#)
  }

  @Test(arguments: [
    ("application/json", "", 400, "body.json"), ("application/json", "{", 400, "body.json"),
    ("application/json", "[1]", 400, "nearby.malformed"), ("application/json", "{}", 400, "nearby.missing"),
    ("application/json", #"{"latitude":"48","longitude":9}"#, 400, "nearby.malformed"),
    ("application/json", #"{"latitude":null,"longitude":9}"#, 400, "nearby.missing"),
    ("application/json", #"{"latitude":48,"longitude":9,"world":7}"#, 400, "nearby.malformed"),
    ("application/json", #"{"latitude":1e400,"longitude":9}"#, 400, "body.json"),
    ("application/json", "\u{FEFF}{\"latitude\":91,\"longitude\":9}", 400, "nearby.range"),
    ("application/xml", "<a/>", 415, "body.media-type"), ("text/plain", "latitude=48", 415, "body.media-type"),
    ("application/json", String(repeating: " ", count: 70_000), 413, "body.too-large"),
  ])
  func `malformed bodies are refused with a reason`(
    mediaType: String,
    body: String,
    status: Int,
    code: String
  ) async throws {
    let fixture = try await ServerFixture()
    let response = try await fixture.request(
      "/api/v1/nearby",
      .post,
      headers: [.contentType: mediaType],
      body: body
    )
    try expectProblem(response, status, code)
  }

  @Test func `no position comes into the log`() async throws {
    let fixture = try await ServerFixture()
    _ = try await fixture.request("/api/v1/nearby?latitude=48.123456&longitude=9.654321")
    _ = try await fixture.request("/api/v1/nearby?latitude=48.123456&longitude=x9.654321")
    _ = try await fixture.request("/48.123456/9.654321")
    #expect(fixture.logLines.all.count == 3)
    for line in fixture.logLines.all {
      #expect(!line.contains("48.12") && !line.contains("9.65"), "\(line)")
      let json = try JSONAnswer(Data(line.utf8))
      #expect(json["request"] is String)
      #expect(json["status"] is Int)
    }
  }
}
