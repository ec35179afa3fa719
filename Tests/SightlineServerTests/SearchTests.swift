import Foundation
import HTTPTypes
import SightlineContent
import SightlineStore
import Testing

@testable import SightlineServer

/// One search over all published worlds.
@Suite struct SearchTests {
  private func fixture(_ worlds: [(id: String, dimension: SightlineContent.Dimension)]) async throws -> ServerFixture {
    let fixture = try await ServerFixture()
    for (id, dimension) in worlds { try await save(id, dimension, in: fixture) }
    return fixture
  }

  private func save(_ id: String, _ dimension: SightlineContent.Dimension, in fixture: ServerFixture) async throws {
    _ = try await fixture.stores.worlds.save(WorldDraft(id: id, dimension: dimension, format: "gddf"))
    try await fixture.server.catalog.refresh()
    try await fixture.server.catalog.digest()
  }

  private func world(_ name: String, _ places: [Place]) -> SightlineContent.Dimension {
    var dimension = SightlineContent.Dimension()
    dimension.name = name
    dimension.places = places
    return dimension
  }

  /// `world/place`, or the world alone.
  private func found(_ query: String, _ fixture: ServerFixture) async throws -> [String] {
    let response = try await fixture.request("/api/v1/search?\(query)")
    #expect(response.status == .ok, "\(String(buffer: response.body))")
    return try JSONAnswer(response).objects("results").map { result in
      let world = (result["world"] as? [String: Any])?["id"] as? String ?? "?"
      let place = (result["place"] as? [String: Any])?["title"] as? String
      return place.map { "\(world)/\($0)" } ?? world
    }
  }

  private var ulm: (id: String, dimension: SightlineContent.Dimension) {
    var minster = place("Münster", 48.3984, 9.9916)
    minster.id = "minster"
    minster.translations = ["en": Wording(title: "Ulm Minster"), "zh": Wording(title: "乌尔姆大教堂")]
    return (
      "ulm",
      world("Ulm", [minster, place("Metzgerturm", 48.3960, 9.9930), place("Straße der Fischer", 48.3955, 9.9900)])
    )
  }

  @Test func `worlds and places are found, in all languages, whatever the accents and capitals`() async throws {
    let fixture = try await fixture([ulm, ("bonn", world("Bonn", [place("Münster", 50.7337, 7.0998)]))])
    for query in ["q=m%C3%BCnster", "q=MUNSTER", "q=Muenster", "q=munst"] {
      #expect(try await found(query, fixture).sorted() == ["bonn/Münster", "ulm/Münster"], "\(query)")
    }
    #expect(try await found("q=strasse+fisch", fixture) == ["ulm/Straße der Fischer"])
    #expect(try await found("q=%E5%A4%A7%E6%95%99%E5%A0%82", fixture) == ["ulm/Münster"])
    #expect(try await found("q=bonn", fixture) == ["bonn"])
    // Words of the place and of its world together.
    #expect(try await found("q=munster+bonn", fixture) == ["bonn/Münster"])
    #expect(try await found("q=ulm+minster", fixture) == ["ulm/Münster"])
    #expect(try await found("q=turm", fixture) == [])
    #expect(try await found("q=nowhere", fixture) == [])
    #expect(try await found("q=%21%3F", fixture) == [])
  }

  @Test func `the answer names world and place as the page does, in the asked language`() async throws {
    var dimension = ulm.dimension
    dimension.translations = ["sv": Wording(title: "Ulms stad")]
    dimension.places[1].position = nil
    let fixture = try await fixture([("ulm", dimension)])
    let answer = try JSONAnswer(try await fixture.request("/api/v1/search?q=minster&language=en"))
    let result = try #require(answer.objects("results").first)
    #expect(result["world"] as? [String: String] == ["id": "ulm", "title": "Ulm"])
    #expect(result["place"] as? [String: String] == ["id": "minster", "title": "Ulm Minster"])
    #expect(result["latitude"] as? Double == 48.3984 && result["longitude"] as? Double == 9.9916)
    // A place without an identifier goes by its number; one without a position has none.
    let tower = try #require(
      try JSONAnswer(try await fixture.request("/api/v1/search?q=metzger")).objects("results").first
    )
    #expect(tower["place"] as? [String: String] == ["id": "#1", "title": "Metzgerturm"])
    #expect(tower["latitude"] is NSNull && tower["longitude"] is NSNull)
    let swedish = try JSONAnswer(try await fixture.request("/api/v1/search?q=ulms&language=sv")).objects("results")
    #expect(swedish.first?["place"] is NSNull)
    #expect((swedish.first?["world"] as? [String: Any])?["title"] as? String == "Ulms stad")
    #expect(try await fixture.request("/api/v1/search?q=ulm").headers[.accessControlAllowOrigin] == "*")
  }

  @Test func `the better fit comes first, and of equal ones the nearer`() async throws {
    let fixture = try await fixture([
      (
        "a",
        world(
          "A",
          [place("Mill", 50, 10), place("Old mill", 48, 9), place("Mill road", 48, 9), place("Millstone", 48, 9)]
        )
      ),
      ("b", world("B", [place("Mill", 48.1, 9)])),
    ])
    #expect(
      try await found("q=mill&latitude=48&longitude=9", fixture)
        == ["b/Mill", "a/Mill", "a/Mill road", "a/Millstone", "a/Old mill"]
    )
    #expect(try await found("q=mill&latitude=50&longitude=10&limit=2", fixture) == ["a/Mill", "b/Mill"])
  }

  @Test func `what is not published is not found, and what has changed is found anew`() async throws {
    let fixture = try await fixture([ulm])
    #expect(try await found("q=metzgerturm", fixture) == ["ulm/Metzgerturm"])
    var changed = ulm.dimension
    changed.places[1].title = "Butchers' tower"
    try await save("ulm", changed, in: fixture)
    #expect(try await found("q=metzgerturm", fixture) == [])
    #expect(try await found("q=butchers", fixture) == ["ulm/Butchers' tower"])
    #expect(try await fixture.stores.worlds.remove("ulm"))
    try await fixture.server.catalog.refresh()
    #expect(try await found("q=butchers", fixture) == [])
  }

  @Test func `a draft is found by nobody`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let olga = try await fixture.signedIn("olga")
    let made = try await olga.request("/api/v1/studio/worlds", .post, #"{"title": "Secret garden"}"#)
    #expect(made.status == .created, "\(String(buffer: made.body))")
    try await fixture.server.catalog.refresh()
    try await fixture.server.catalog.digest()
    #expect(try await found("q=secret", fixture) == [])
  }

  @Test func `a change of one world reads that world alone`() async throws {
    let fixture = try await fixture([ulm, ("bonn", world("Bonn", [place("Münster", 50.7337, 7.0998)]))])
    let before = fixture.server.catalog.snapshot.digests
    var changed = ulm.dimension
    changed.places.removeLast()
    try await save("ulm", changed, in: fixture)
    let after = fixture.server.catalog.snapshot.digests
    #expect(before["bonn"] === after["bonn"] && before["ulm"] !== after["ulm"])
  }

  @Test func `common beginnings do not make a question dear`() async throws {
    let places = (0..<3000).map { place("Aa\($0 % 7) bench \($0)", 48 + Double($0) / 10_000, 9) }
    let fixture = try await fixture([("big", world("Big", places + [place("Aa zeppelin", 48, 9)]))])
    let words = SearchText.words("a b")
    let digest = try #require(fixture.server.catalog.snapshot.digests["big"])
    #expect(digest.names(with: words[0], limit: 100).count == 100)
    // The rare word decides what is looked at, however common the other is.
    #expect(try await found("q=a+zepp", fixture) == ["big/Aa zeppelin"])
    #expect(try await found("q=bench&limit=50", fixture).count == 50)
    let question = "q=" + Array(repeating: "aa", count: 60).joined(separator: "+")
    #expect(try await found(question, fixture).count == 10)
  }

  @Test(arguments: [
    ("", "search.query"), ("q=", "search.query"), ("q=" + String(repeating: "a", count: 201), "search.query"),
    ("q=a&limit=0", "search.range"), ("q=a&limit=51", "search.range"), ("q=a&limit=1e99", "search.range"),
    ("q=a&latitude=91&longitude=0", "search.position"), ("q=a&latitude=1", "search.position"),
    ("q=a&latitude=nan&longitude=0", "search.position"), ("q=a&latitude=1&longitude=inf", "search.position"),
  ])
  func `a malformed question is answered with what is wrong`(query: String, code: String) async throws {
    try expectProblem(try await ServerFixture().request("/api/v1/search?\(query)"), 400, code)
  }

  @Test(arguments: [
    "\u{0}", "%00", "\u{FFFF}", "a\u{301}\u{301}\u{301}", "🦢", "ﬁsh", "İstanbul", "﷽",
    String(repeating: "Ǆ", count: 190),
    "\u{1}", "e\u{20DD}", "한국", "ｕｌｍ",
  ])
  func `any text can be a title and a question`(text: String) async throws {
    let fixture = try await fixture([("odd", world("x" + text, [place(text, 1, 2), place(text + text, 1, 2)]))])
    let query = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    _ = try await found("q=\(query)", fixture)
    guard !SearchText.words(text).isEmpty else { return }
    let results = try await found("q=\(query)", fixture)
    #expect(!results.isEmpty)
  }

  // MARK: Covers

  @Test func `the list of worlds has the first picture of each`() async throws {
    var picture = place("Picture", 1, 2)
    picture.imageURL = "/assets/aa"
    var look = place("Look", 1, 2)
    look.visual = .image(assetID: "wall")
    var walls = world("Walls", [place("None", 1, 2), look, picture])
    walls.assets = [Asset(id: "wall", url: "/assets/bb")]
    let fixture = try await fixture([("plain", world("Plain", [place("None", 1, 2)])), ("walls", walls)])
    let worlds = try JSONAnswer(try await fixture.request("/api/v1/worlds")).objects("worlds")
    #expect(worlds[0]["cover"] is NSNull)
    #expect(worlds[1]["cover"] as? String == "/assets/bb")
  }

  @Test func `until a world has been read, nothing is said of its cover`() async throws {
    let fixture = try await ServerFixture()
    try await fixture.add("ulm", [place("Münster", 48.4, 10)])
    let before = try await fixture.request("/api/v1/worlds")
    #expect(try JSONAnswer(before).objects("worlds").first?["cover"] == nil)
    try await fixture.server.catalog.digest()
    let after = try await fixture.request("/api/v1/worlds")
    #expect(try JSONAnswer(after).objects("worlds").first?["cover"] is NSNull)
    // Another answer, by another name.
    #expect(before.headers[.eTag] != after.headers[.eTag])
  }
}
