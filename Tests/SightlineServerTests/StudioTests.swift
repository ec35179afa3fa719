import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import SightlineContent
import SightlinePictures
import SightlineStore
import SightlineTestSupport
import Testing

@testable import SightlineServer

@Suite struct StudioTests {
  private static let path = "/api/v1/studio/worlds"

  private func make(_ author: SignedIn, _ title: String) async throws -> String {
    let response = try await author.request(Self.path, .post, #"{"title":"\#(title)"}"#)
    let text = String(buffer: response.body)
    #expect(response.status == .created, "\(text)")
    let world = try JSONAnswer(response)["world"] as? [String: Any]
    return try #require(world?["id"] as? String)
  }

  private func dimension(_ places: [Place], name: String = "Town") throws -> String {
    var dimension = SightlineContent.Dimension()
    dimension.name = name
    dimension.places = places
    return String(decoding: try ContentJSON.encode(dimension), as: UTF8.self)
  }

  private func named(_ id: String, _ title: String, _ latitude: Double = 48.4) -> Place {
    var place = place(title, latitude, 9.99)
    place.id = id
    return place
  }

  private func save(_ author: SignedIn, _ id: String, _ base: Int, _ json: String) async throws -> TestResponse {
    try await author.request("\(Self.path)/\(id)", .put, json, headers: [.ifMatch: "\"v\(base)\""])
  }

  // MARK: Making and publishing

  @Test func `a world is made, changed, published, changed again and withdrawn`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let olga = try await fixture.signedIn("olga")
    let id = try await make(olga, "Ulm Münster & Co.")
    #expect(id == "ulm-m-nster-co")
    #expect(try await make(olga, "Ulm Münster & Co.") == "ulm-m-nster-co-2")
    #expect(try await fixture.request("/api/v1/worlds/\(id)").status == .notFound)

    let first = try await save(olga, id, 1, try dimension([named("a", "Minster")]))
    #expect(try JSONAnswer(first)["version"] as? Int == 2)
    let published = try JSONAnswer(try await olga.request("\(Self.path)/\(id)/publish", .post, "{}"))
    #expect(published["published"] as? Int == 2)
    #expect(published["address"] as? String == "/#/world/\(id)")

    // A draft that was not published is seen by nobody else.
    _ = try await save(olga, id, 2, try dimension([named("a", "Minster"), named("b", "Town hall")]))
    let seen = try JSONAnswer(try await fixture.request("/api/v1/worlds/\(id)"))
    #expect((seen["dimension"] as? [String: Any])?["places"].map { ($0 as? [Any])?.count } == 1)
    let listed = try JSONAnswer(try await olga.request(Self.path)).objects("worlds").first { $0["id"] as? String == id }
    #expect(listed?["version"] as? Int == 3 && listed?["published"] as? Int == 2)

    let history = try JSONAnswer(try await olga.request("\(Self.path)/\(id)/history")).objects("drafts")
    #expect(history.compactMap { $0["version"] as? Int } == [3, 2, 1])
    #expect(history.compactMap { $0["published"] as? Bool } == [false, true, false])
    let earlier = try JSONAnswer(try await olga.request("\(Self.path)/\(id)/history/2"))
    #expect(((earlier["dimension"] as? [String: Any])?["places"] as? [Any])?.count == 1)

    #expect(try await olga.request("\(Self.path)/\(id)/publish", .delete).status == .noContent)
    #expect(try await fixture.request("/api/v1/worlds/\(id)").status == .notFound)
    #expect(try await olga.request("\(Self.path)/\(id)").status == .ok)
    #expect(try await olga.request("\(Self.path)/\(id)", .delete).status == .noContent)
    try expectProblem(try await olga.request("\(Self.path)/\(id)"), 404, "studio.unknown")
  }

  @Test func `an editor asks whether something has changed at the cost of a few bytes`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let olga = try await fixture.signedIn("olga")
    let id = try await make(olga, "Town")
    let tag = try #require(try await olga.request("\(Self.path)/\(id)").headers[.eTag])
    #expect(tag == "\"v1\"")
    #expect(try await olga.request("\(Self.path)/\(id)", headers: [.ifNoneMatch: tag]).status == .notModified)
    _ = try await save(olga, id, 1, try dimension([named("a", "Minster")]))
    #expect(try await olga.request("\(Self.path)/\(id)", headers: [.ifNoneMatch: tag]).status == .ok)
  }

  @Test func `drafts that cannot be shown are refused with the place named`() async throws {
    let fixture = try await ServerFixture.withAccounts { $0.quotas.places = 3 }
    let olga = try await fixture.signedIn("olga")
    let id = try await make(olga, "Town")
    var wrong = named("a", "Nowhere", 95)
    let far = try await save(olga, id, 1, try dimension([wrong]))
    try expectProblem(far, 422, "studio.invalid")
    #expect(try JSONAnswer(far).objects("problems").first?["path"] as? String == "places/a")
    wrong = named("a", "Script")
    wrong.link = "javascript:alert(1)"
    try expectProblem(try await save(olga, id, 1, try dimension([wrong])), 422, "studio.invalid")
    wrong.link = nil
    wrong.visibilityRadius = 0
    try expectProblem(try await save(olga, id, 1, try dimension([wrong])), 422, "studio.invalid")
    // What is stored is written in all formats, so that numbers and colours are judged, too.
    var planted = named("a", "Bomb")
    var style = ShapeStyle()
    style.stroke = "#ff0000"
    style.strokeOpacity = 1e300
    planted.shapeStyle = style
    try expectProblem(try await save(olga, id, 1, try dimension([planted])), 422, "studio.invalid")
    var refreshed = SightlineContent.Dimension()
    refreshed.name = "Town"
    refreshed.refreshURL = "javascript:alert(1)"
    let json = String(decoding: try ContentJSON.encode(refreshed), as: UTF8.self)
    try expectProblem(try await save(olga, id, 1, json), 422, "studio.invalid")
    let many = (0..<4).map { named("p\($0)", "P") }
    try expectProblem(try await save(olga, id, 1, try dimension(many)), 422, "studio.invalid")
    try expectProblem(try await save(olga, id, 1, "{"), 400, "body.json")
    try expectProblem(try await save(olga, id, 1, "{}"), 400, "body.member")
    try expectProblem(try await olga.request("\(Self.path)/\(id)", .put, "{}"), 428, "studio.version")
    try expectProblem(try await save(olga, id, 9, try dimension([])), 400, "studio.version")
    try expectProblem(try await olga.request(Self.path, .post, #"{"title":" "}"#), 422, "studio.title")
    try expectProblem(try await olga.request(Self.path, .post, #"{"title":"x","id":"../x"}"#), 422, "studio.identifier")
    try expectProblem(try await olga.request(Self.path, .post, #"{"title":"x","id":"\#(id)"}"#), 409, "studio.taken")
  }

  @Test func `nothing that a world can say is lost by saving it`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let olga = try await fixture.signedIn("olga")
    let id = try await make(olga, "Town")
    let full = Self.fullWorld
    for value in [full, full.places[0], full.overlays[0], full.assets[0]] as [Any] {
      for child in Mirror(reflecting: value).children {
        let isNil = if let optional = child.value as? any OptionalProtocol { optional.isNil } else { false }
        #expect(!isNil, "\(type(of: value)).\(child.label ?? "") is not in this test")
      }
    }
    let json = String(decoding: try ContentJSON.encode(full), as: UTF8.self)
    let saved = try await save(olga, id, 1, json)
    #expect(saved.status == .ok, "\(String(buffer: saved.body))")
    let opened = try JSONAnswer(try await olga.request("\(Self.path)/\(id)"))
    let bytes = try JSONSerialization.data(withJSONObject: try #require(opened["dimension"]))
    #expect(try JSONDecoder().decode(SightlineContent.Dimension.self, from: bytes) == full)
  }

  /// A world that says all there is to say.
  private static var fullWorld: SightlineContent.Dimension {
    let wording = ["de": Wording(title: "Mühle", summary: "Alt", text: "Die Mühle")]
    let position = Position(latitude: 48.4, longitude: 9.99, altitude: 12)
    let visual = Visual.model(assetID: "mill", xRotation: 1, yRotation: 2, zRotation: 3, scale: 4)
    var place = Place(title: "Mill", position: position, visual: visual)
    (place.id, place.summary, place.altitudeMode) = ("a", "Old", .ground)
    (place.offset, place.followsUser) = (Offset(east: 1, north: 2, up: 3), true)
    place.marker = MarkerAnchor(dictionary: "6x6-250", id: 7, length: 0.1, facing: 90, tilt: 10, roll: 5)
    place.target = TargetAnchor(assetID: "mill", width: 0.4)
    place.shapes = [.line([position, Position(latitude: 48.41, longitude: 9.99)])]
    var style = ShapeStyle()
    (style.stroke, style.strokeOpacity, style.width) = ("#102030", 0.5, 3)
    (style.fill, style.fillOpacity) = ("#405060", 0.25)
    place.shapeStyle = style
    place.size = TrueSize(width: 2, height: 3)
    place.attitude = Attitude(heading: 90, pitch: 10, roll: 20)
    place.icon = PlaceIcon(assetID: "mill", color: "#ff0000", opacity: 0.5, scale: 2, heading: 45)
    (place.pivot, place.action) = (.center, .webPage("https://a.example"))
    (place.showInRadar, place.showOnFocus) = (false, ["o"])
    (place.categories, place.visibilityRadius) = (["sights"], 500)
    var display = PlaceDisplay()
    display.visibleFrom = 20
    display.scaling = PlaceDisplay.Scaling(near: 10, far: 100, factor: 0.5)
    (display.shownWhile, display.feature) = (.selected, "mills")
    place.display = display
    (place.link, place.imageURL, place.soundURL) = ("https://a.example", "/assets/1", "/assets/2")
    (place.phone, place.translations, place.metadata) = ("1", wording, ["owner": "the town"])
    var overlay = Overlay(x: 1, y: 2, content: .html(url: "https://a.example", width: 100, height: 50))
    (overlay.id, overlay.anchor, overlay.pivot, overlay.hidden) = ("o", .bottomRight, .center, true)
    (overlay.action, overlay.translations) = (.refresh, wording)
    var world = SightlineContent.Dimension()
    (world.name, world.language, world.translations) = ("Town", "en", wording)
    (world.summary, world.attribution, world.radarRange) = ("About", "The town", 900)
    (world.radarAvailable, world.relativeAltitude, world.refreshURL) = (false, true, "https://a.example/w")
    (world.refreshIntervalSeconds, world.refreshDistance, world.soundURL) = (60, 20, "/assets/3")
    (world.places, world.overlays) = ([place], [overlay])
    world.assets = [Asset(id: "mill", url: "/m.glb", format: "GLB")]
    return world
  }

  @Test func `things without identifiers, or with the same, get their own`() throws {
    var dimension = SightlineContent.Dimension()
    dimension.places = [place("A", 1, 1), named("x", "B"), named("x", "C"), named("place-1", "D"), named("", "E")]
    var document = StudioDocument(dimension)
    document.identify()
    let ids = document.dimension.places.compactMap(\.id)
    #expect(ids == ["place-2", "x", "place-3", "place-1", "place-4"])
    let again = document
    document.identify()
    #expect(document.dimension == again.dimension)
  }

  // MARK: Two at once

  @Test func `changes of two that do not touch each other are joined`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let olga = try await fixture.signedIn("olga")
    let otto = try await fixture.signedIn("otto")
    let id = try await make(olga, "Town")
    _ = try await save(olga, id, 1, try dimension([named("a", "Minster"), named("b", "Hall")]))
    // A stranger learns no more than of a world that is not there.
    let hidden = try await save(otto, id, 2, try dimension([]))
    try expectProblem(hidden, 404, "studio.unknown")
    let missing = try await otto.request("\(Self.path)/\(id)-not")
    #expect(
      try #require(try JSONAnswer(hidden)["detail"] as? String).replacing(id, with: "?")
        == (try #require(try JSONAnswer(missing)["detail"] as? String)).replacing("\(id)-not", with: "?")
    )
    let shared = try await olga.request("\(Self.path)/\(id)/members", .put, #"{"names":["OTTO"]}"#)
    #expect(shared.status == .ok)
    #expect(try JSONAnswer(try await otto.request(Self.path)).objects("worlds").count == 1)

    let one = try await save(olga, id, 2, try dimension([named("a", "The minster"), named("b", "Hall")]))
    #expect(one.status == .ok)
    let two = try await save(
      otto,
      id,
      2,
      try dimension([named("a", "Minster"), named("b", "Hall"), named("c", "New")])
    )
    let answer = try JSONAnswer(two)
    #expect(answer["version"] as? Int == 4)
    let places = (answer["dimension"] as? [String: Any])?["places"] as? [[String: Any]]
    #expect(places?.compactMap { $0["title"] as? String } == ["The minster", "Hall", "New"])
    // Members edit, but neither share on nor remove.
    try expectProblem(
      try await otto.request("\(Self.path)/\(id)/members", .put, #"{"names":[]}"#),
      403,
      "account.owner"
    )
    try expectProblem(try await otto.request("\(Self.path)/\(id)", .delete), 403, "account.owner")
    try expectProblem(
      try await olga.request("\(Self.path)/\(id)/members", .put, #"{"names":["nobody"]}"#),
      422,
      "studio.member-unknown"
    )
  }

  @Test func `a contradiction is told place by place, and both drafts are kept`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let olga = try await fixture.signedIn("olga")
    let id = try await make(olga, "Town")
    _ = try await save(olga, id, 1, try dimension([named("a", "Minster"), named("b", "Hall")]))
    _ = try await save(olga, id, 2, try dimension([named("a", "One"), named("b", "Hall")]))
    let lost = try await save(olga, id, 2, try dimension([named("a", "Two"), named("b", "Hall")]))
    try expectProblem(lost, 409, "studio.conflict")
    let json = try JSONAnswer(lost)
    #expect(json["version"] as? Int == 3)
    #expect(json["by"] as? String == "olga")
    let conflict = try #require(json.objects("conflicts").first { $0["path"] as? String == "places/a/title" })
    #expect(conflict["base"] as? String == "Minster")
    #expect(conflict["mine"] as? String == "Two")
    #expect(conflict["theirs"] as? String == "One")
    let number = try #require(json["copy"] as? Int)
    let copy = try JSONAnswer(try await olga.request("\(Self.path)/\(id)/copies/\(number)"))
    let places = (copy["dimension"] as? [String: Any])?["places"] as? [[String: Any]]
    #expect(places?.first?["title"] as? String == "Two")
    // Sent again, it is the same copy.
    let again = try JSONAnswer(try await save(olga, id, 2, try dimension([named("a", "Two"), named("b", "Hall")])))
    #expect(again["copy"] as? Int == number)
    let removed = try await olga.request("\(Self.path)/\(id)/copies/\(number)", .delete)
    #expect(removed.status == .noContent)
    try expectProblem(try await olga.request("\(Self.path)/\(id)/copies/\(number)"), 404, "studio.copy")
  }

  @Test func `of forty drafts saved at once none is lost`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let olga = try await fixture.signedIn("olga")
    let id = try await make(olga, "Town")
    var kept: Set<String> = []
    try await withThrowingTaskGroup(of: (String, Int).self) { group in
      for index in 0..<40 {
        group.addTask {
          let json = try dimension([named("p\(index)", "P\(index)")])
          return ("p\(index)", Int(try await save(olga, id, 1, json).status.code))
        }
      }
      // 503 says that the draft is still with the one who sent it.
      for try await (place, status) in group where status == 200 { kept.insert(place) }
    }
    #expect(!kept.isEmpty)
    let latest = try JSONAnswer(try await olga.request("\(Self.path)/\(id)"))
    let places = (latest["dimension"] as? [String: Any])?["places"] as? [[String: Any]]
    #expect(Set(places?.compactMap { $0["id"] as? String } ?? []) == kept)
  }

  @Test func `history is bounded, and what was published stays`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let olga = try await fixture.signedIn("olga")
    let id = try await make(olga, "Town")
    _ = try await olga.request("\(Self.path)/\(id)/publish", .post, #"{"version":1}"#)
    let json = Data(try dimension([named("a", "A")]).utf8)
    for base in 1...(StudioHistory.drafts + 20) {
      let content = StudioContent(json: json, title: "Town", places: 1)
      let version = try await fixture.stores.studio.saveDraft(content, of: id, base: base, author: olga.account.id)
      #expect(version == base + 1)
    }
    let drafts = try await fixture.stores.studio.drafts(of: id)
    #expect(drafts.count == StudioHistory.drafts + 1)
    #expect(drafts.last?.version == 1)
    #expect(drafts.first?.version == StudioHistory.drafts + 21)
  }

  // MARK: Files

  @Test func `a file in any format is read, and its problems told`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let olga = try await fixture.signedIn("olga")
    let kml = """
      <?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Walk</name>
      <Placemark><name>Start</name><Point><coordinates>9.99,48.4</coordinates></Point></Placemark>
      </Document></kml>
      """
    let read = try JSONAnswer(try await olga.request("/api/v1/studio/read?name=walk.kml", .post, kml))
    #expect(read["format"] as? String == "kml")
    let places = (read["dimension"] as? [String: Any])?["places"] as? [[String: Any]]
    #expect(places?.first?["title"] as? String == "Start")
    #expect(places?.first?["id"] is String)
    try expectProblem(
      try await olga.request("/api/v1/studio/read?name=x.kml", .post, "no world"),
      422,
      "open.unreadable"
    )
  }

  /// A zip archive of stored entries (APPNOTE 4.3), without compression.
  private func zip(_ files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
    func crc(_ bytes: [UInt8]) -> Int {
      var crc: UInt32 = .max
      for byte in bytes {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320 }
      }
      return Int(~crc)
    }
    var archive: [UInt8] = []
    var directory: [UInt8] = []
    for (name, bytes) in files {
      let sizes = little(crc(bytes), 4) + little(bytes.count, 4) + little(bytes.count, 4)
      let common = little(0, 8) + sizes + little(name.utf8.count, 2)
      directory += little(0x0201_4B50, 4) + little(20, 2) + little(20, 2) + common + little(0, 12)
      directory += little(archive.count, 4) + Array(name.utf8)
      archive += little(0x0403_4B50, 4) + little(20, 2) + common + little(0, 2) + Array(name.utf8) + bytes
    }
    let start = archive.count
    archive += directory + little(0x0605_4B50, 4) + little(0, 4) + little(files.count, 2) + little(files.count, 2)
    return archive + little(directory.count, 4) + little(start, 4) + little(0, 2)
  }

  @Test func `pictures of a KMZ archive are kept as if they had been uploaded`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let olga = try await fixture.signedIn("olga")
    let kml = """
      <?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Walk</name>
      <Placemark><name>A</name><ExtendedData><Data name="image"><value>files/a.png</value></Data></ExtendedData>
      <Point><coordinates>9.99,48.4</coordinates></Point></Placemark>
      <Placemark><name>B</name><ExtendedData><Data name="image"><value>files/b.png</value></Data></ExtendedData>
      <Point><coordinates>9.99,48.4</coordinates></Point></Placemark>
      <Placemark><name>C</name><ExtendedData><Data name="sound"><value>files/c.mp3</value></Data></ExtendedData>
      <Point><coordinates>9.99,48.4</coordinates></Point></Placemark>
      <Placemark><name>D</name><ExtendedData><Data name="sound"><value>files/b.png</value></Data></ExtendedData>
      <Point><coordinates>9.99,48.4</coordinates></Point></Placemark></Document></kml>
      """
    let picture = Picture(width: 64, height: 64, layout: .gray, pixels: [UInt8](repeating: 90, count: 4096))
    let archive = zip([
      ("doc.kml", Array(kml.utf8)), ("files/a.png", try picture.png()), ("files/b.png", Array("no picture".utf8)),
      ("files/c.mp3", Array("ID3 bells".utf8)),
    ])
    let response = try await fixture.request(
      "/api/v1/studio/read?name=walk.kmz",
      .post,
      headers: [.cookie: olga.cookie, .csrfToken: olga.csrf],
      bytes: archive
    )
    let read = try JSONAnswer(response)
    let places = (read["dimension"] as? [String: Any])?["places"] as? [[String: Any]]
    let url = try #require(places?.first?["imageURL"] as? String)
    #expect(url.hasPrefix("/assets/"))
    #expect(try await fixture.request(url).headers[.contentType] == "image/png")
    try #require(places?.count == 4)
    #expect(places?[1]["imageURL"] as? String == "files/b.png")
    let sound = try #require(places?[2]["soundURL"] as? String)
    let heard = try await fixture.request(sound)
    #expect(heard.headers[.contentType] == "audio/mpeg" && String(buffer: heard.body) == "ID3 bells")
    #expect(places?[3]["soundURL"] as? String == "files/b.png")
    #expect(read.objects("problems").contains { $0["code"] as? String == "asset.unreadable" })
    #expect(try await fixture.stores.assets.assetUse(of: olga.account.id).count == 2)
  }

  @Test func `the complete form gives everything back, texts in other languages included`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let olga = try await fixture.signedIn("olga")
    let id = try await make(olga, "Town")
    var minster = named("a", "Münster")
    minster.translations = ["en": Wording(title: "Minster", text: "The minster")]
    var dimension = SightlineContent.Dimension()
    dimension.name = "Ulm"
    dimension.language = "de"
    dimension.translations = ["en": Wording(title: "Ulm in English")]
    dimension.places = [minster]
    let json = String(decoding: try ContentJSON.encode(dimension), as: UTF8.self)
    #expect(try await save(olga, id, 1, json).status == .ok)
    let file = try await olga.request("\(Self.path)/\(id)/export?format=sightline")
    #expect(file.headers[.contentDisposition] == "attachment; filename=\"town.sightline.json\"")
    let back = try await olga.request("/api/v1/studio/read", .post, String(buffer: file.body))
    let read = try #require(try JSONAnswer(back)["dimension"])
    let decoded = try JSONDecoder().decode(
      SightlineContent.Dimension.self,
      from: try JSONSerialization.data(withJSONObject: read)
    )
    #expect(decoded == dimension)
    let gddf = try await olga.request("\(Self.path)/\(id)/export?format=gddf")
    #expect(String(buffer: gddf.body).contains("Münster"))
    try expectProblem(try await olga.request("\(Self.path)/\(id)/export?format=doc"), 400, "export.format")
  }

  @Test func `the code of a published world is made as SVG, PDF and PNG`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    try await fixture.add("ulm", [place("Minster", 48.4, 9.99)], name: "Ulm <&> 乌尔姆")
    let svg = try await fixture.request("/api/v1/worlds/ulm/code")
    #expect(svg.headers[.contentType] == "image/svg+xml")
    #expect(String(buffer: svg.body).contains("Ulm &lt;&amp;&gt; 乌尔姆"))
    let pdf = try await fixture.request("/api/v1/worlds/ulm/code?format=pdf")
    #expect(pdf.body.readableBytesView.starts(with: Array("%PDF-1.4".utf8)))
    let png = try await fixture.request("/api/v1/worlds/ulm/code?format=png")
    #expect(png.body.readableBytesView.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    try expectProblem(try await fixture.request("/api/v1/worlds/ulm/code?format=gif"), 400, "code.format")
    try expectProblem(try await fixture.request("/api/v1/worlds/ulm/code?side=1"), 400, "code.side")
    try expectProblem(try await fixture.request("/api/v1/worlds/none/code"), 404, "world.unknown")
  }

  @Test func `operators take over imported worlds, authors make copies of them`() async throws {
    let fixture = try await ServerFixture.withAccounts { $0.quotas.worlds = 2 }
    try await fixture.add("ulm", [place("Minster", 48.4, 9.99)], name: "Ulm")
    let olga = try await fixture.signedIn("olga")
    let chief = try await fixture.signedIn("chief", .operator)
    try expectProblem(
      try await olga.request(Self.path, .post, #"{"from":"ulm","adopt":true}"#),
      403,
      "account.owner"
    )
    let copy = try JSONAnswer(try await olga.request(Self.path, .post, #"{"from":"ulm","title":"My Ulm"}"#))
    #expect((copy["world"] as? [String: Any])?["id"] as? String == "my-ulm")
    let taken = try JSONAnswer(try await chief.request(Self.path, .post, #"{"from":"ulm","adopt":true}"#))
    #expect((taken["world"] as? [String: Any])?["id"] as? String == "ulm")
    #expect((taken["world"] as? [String: Any])?["published"] as? Int == 1)
    #expect(try JSONAnswer(try await chief.request(Self.path + "?all=1")).objects("worlds").count == 2)
    #expect(try JSONAnswer(try await chief.request(Self.path)).objects("worlds").count == 1)
    _ = try await make(olga, "Second")
    try expectProblem(try await olga.request(Self.path, .post, #"{"title":"Third"}"#), 409, "studio.quota")
  }
}

/// What can be nothing.
private protocol OptionalProtocol {
  var isNil: Bool { get }
}

extension Optional: OptionalProtocol {
  fileprivate var isNil: Bool {
    if case .none = self { true } else { false }
  }
}
