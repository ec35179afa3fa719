import SightlineContent
import SightlineFormats
import Testing

@Suite struct GDDFReaderTests {
  private func read(_ body: String, _ options: ReadingOptions = .init()) -> Reading {
    GDDFReader.read(Array("<dimension version=\"1.0\">\(body)</dimension>".utf8), options: options)
  }

  private func world(_ path: String) throws -> Dimension {
    try #require(GDDFReader.read(try Fixtures.bytes("gddf/\(path)")).dimension)
  }

  private let location = "<location><lat>1</lat><lon>2</lon></location>"

  @Test func `a whole tour is read into the model`() throws {
    let world = try world("good/harbour-tour.gddf")
    #expect(world.name == "Harbour & tide — Göteborg")
    #expect(world.radarRange == 400 && world.radarAvailable && world.relativeAltitude)
    #expect(world.refreshURL == "http://tour.example.net/harbour.gddf?group=blue")
    #expect(world.refreshIntervalSeconds == 15 && world.refreshDistance == 25)
    #expect(
      world.assets == [
        Asset(id: "sail", url: "http://tour.example.net/sail.png", format: "PNG"),
        Asset(id: "hook", url: "http://tour.example.net/hook.jpg", format: "JPG"),
      ]
    )
    var ship = Place(
      title: "ship",
      position: Position(latitude: 57.71128, longitude: 11.96586, altitude: 3.5),
      visual: .image(assetID: "sail")
    )
    ship.id = "ship"
    ship.altitudeMode = .eye
    ship.pivot = .center
    ship.action = .webPage("http://tour.example.net/ship")
    #expect(world.places[0] == ship)
    let crane = world.places[1]
    #expect(crane.visual == .text("Crane <1910>\nlifts 5 t") && crane.title == "Crane <1910>\nlifts 5 t")
    #expect(crane.offset == Offset(east: -2.5) && crane.pivot == .topLeft)
    #expect(crane.action == .refresh && !crane.showInRadar)
    #expect(world.places[2].id == nil && world.places[2].title == "hook" && world.places[2].pivot == .bottomRight)
    var ask = Overlay(x: 12, y: 40, content: .text("Which way does the tide run?", width: 220))
    ask.id = "ask"
    ask.pivot = .topLeft
    ask.action = .dimension("gamaray://tour.example.net/harbour.gddf?group=blue&answer=1")
    #expect(world.overlays[0] == ask)
    #expect(world.overlays[1].content == .image(assetID: "sail"))
  }

  @Test func `what few clients know is kept as data`() throws {
    let world = try world("good/everything.gddf")
    #expect(!world.radarAvailable && world.soundURL == "http://rock.example.org/horn.wav")
    let model = Visual.model(assetID: "lamp", xRotation: 10, yRotation: -45, zRotation: 0.5, scale: 3)
    #expect(world.places[0].visual == model && world.places[0].altitudeMode == .seaLevel)
    #expect(world.places[1].showOnFocus == ["history", "shop"])
    #expect(world.overlays[0].hidden)
    #expect(world.overlays[1].content == .html(url: "https://rock.example.org/shop.html", width: 260, height: 160))
  }

  @Test(arguments: [
    "latin-1", "latin-9", "windows-1252", "utf-16-big-endian", "utf-16-little-endian", "utf-8-mark",
  ])
  func `the name survives every encoding`(file: String) throws {
    #expect(try world("good/\(file).gddf").name?.hasPrefix("Åska över Älvsborg") == true)
  }

  @Test func `offsets turn with the axes option`() throws {
    let body =
      "<features><featureTxt><text>A</text>\(location)<xLoc>1</xLoc><yLoc>2</yLoc><zLoc>3</zLoc></featureTxt></features>"
    var options = ReadingOptions()
    #expect(read(body, options).dimension?.places[0].offset == Offset(east: 1, north: 2, up: 3))
    options.axes = .gamaray
    #expect(read(body, options).dimension?.places[0].offset == Offset(east: 1, north: -3, up: 2))
  }

  @Test func `defaults are those of the recommended column`() throws {
    let reading = read(
      "<features><featureTxt><text/>\(location)</featureTxt></features><overlays><overlayTxt><x>1</x><y>2</y><text/><width>0</width></overlayTxt></overlays>"
    )
    let world = try #require(reading.dimension)
    #expect(world.name == nil && world.radarRange == nil && world.radarAvailable && !world.relativeAltitude)
    #expect(world.refreshURL == nil && world.refreshIntervalSeconds == 0 && world.refreshDistance == 0)
    let place = world.places[0]
    #expect(place.visual == .text("") && place.pivot == .bottomCenter && place.showInRadar && place.action == nil)
    #expect(place.position == Position(latitude: 1, longitude: 2, altitude: 0) && place.altitudeMode == .seaLevel)
    #expect(world.overlays[0].pivot == .bottomCenter && !world.overlays[0].hidden)
  }

  @Test func `order does not matter, repeated scalars give the last usable one`() throws {
    let world = try #require(
      read(
        """
        <overlays/><features><featureImg><anchor>CC</anchor><assetId>p</assetId><locationId>l</locationId></featureImg></features>
        <assets><asset id="p"><url>http://a.example/1.png</url></asset><asset id="p"><url>http://a.example/2.png</url></asset></assets>
        <locations><location id="l"><lon>4</lon><lat>3</lat></location></locations>
        <radarRange>5</radarRange><radarRange>6</radarRange><radarRange>-1</radarRange><name>A</name><name>B</name>
        """
      ).dimension
    )
    #expect(world.radarRange == 6 && world.name == "B")
    #expect(world.assets.map(\.url) == ["http://a.example/2.png"])
    #expect(world.places[0].position == Position(latitude: 3, longitude: 4, altitude: 0))
  }

  @Test func `inline location before locationId, and locationId when it is not usable`() throws {
    let world = try world("faulty/both-locations.gddf")
    #expect(world.places.map(\.position?.latitude) == [57.70716, 1])
  }

  @Test func `a feature with an unresolved location stays in the list without a position`() throws {
    let world = try world("faulty/unresolved.gddf")
    #expect(world.places.map(\.id) == ["nowhere", "kind", "unusable", "picture", "picture-2"])
    #expect(world.places.map { $0.position == nil } == [true, true, true, false, false])
    #expect(world.places[3].visual == .image(assetID: "none"))
  }

  @Test func `bad items are left out, the others stay`() throws {
    let world = try world("faulty/missing.gddf")
    #expect(world.places.map(\.id) == ["by-id", "empty-text", "uses", "uses-none", "uses-empty"])
    #expect(world.overlays.isEmpty)
    #expect(world.assets.map(\.id) == ["no-format"])
  }

  @Test func `unknown elements are ignored with their content`() throws {
    let world = try world("faulty/unknown.gddf")
    #expect(world.name == nil && world.places.count == 1 && world.places[0].pivot == .bottomCenter)
  }

  @Test(arguments: [
    ("next.gddf?x=1", "http://tour.example.net/walks/next.gddf?x=1"), ("/a", "http://tour.example.net/a"),
    ("//b.example/c", "http://b.example/c"), ("HTTPS://b.example/", "https://b.example/"),
    ("gamaray://b.example/d", "gamaray://b.example/d"), ("http://b.example/ä b", "http://b.example/%C3%A4%20b"),
  ])
  func `addresses are resolved against the document's own`(written: String, read: String) {
    let options = ReadingOptions(baseURL: "http://tour.example.net/walks/harbour.gddf")
    let reading = self.read("<refreshUrl>\(written)</refreshUrl>", options)
    #expect(reading.dimension?.refreshURL == read)
  }

  @Test func `without a base relative addresses stay as written`() {
    #expect(read("<refreshUrl>../x y.gddf</refreshUrl>").dimension?.refreshURL == "../x%20y.gddf")
  }

  @Test func `a local document may name local files, a downloaded one not`() {
    let body = "<refreshUrl>file:///walks/b.gddf</refreshUrl>"
    #expect(read(body, ReadingOptions(baseURL: "file:///walks/a.gddf")).dimension?.refreshURL == "file:///walks/b.gddf")
    #expect(read(body, ReadingOptions(baseURL: "http://a.example/a.gddf")).dimension?.refreshURL == nil)
    #expect(read(body).dimension?.refreshURL == nil)
  }

  @Test(
    arguments: [
      ("refresh", Action.refresh), ("refresh: whatever", .refresh),
      ("webpage:http://a.example/", .webPage("http://a.example/")),
      ("webpage: \thttp://a.example/", .webPage("http://a.example/")), ("webpage: tel:+46", .webPage("tel:+46")),
      ("dimension: gamaray://a.example/d?e=f:g", .dimension("gamaray://a.example/d?e=f:g")),
      ("Webpage: http://a.example/", nil), ("webpage: javascript:alert(1)", nil), ("webpage: file:///a", nil),
      ("dimension: data:text/xml,x", nil), ("refreshNow", nil), ("", nil),
    ] as [(String, Action?)]
  )
  func `actions are the three forms, exactly`(text: String, action: Action?) {
    let reading = read(
      "<features><featureTxt><text>A</text>\(location)<onPress>\(text)</onPress></featureTxt></features>"
    )
    #expect(reading.dimension?.places[0].action == action)
  }

  @Test(arguments: [
    ("true", true), ("TRUE", true), ("False", false), ("0", false), ("1", true), ("yes", true), ("", true),
  ])
  func `only true, false and 0 decide a boolean`(text: String, value: Bool) {
    // The default is true.
    #expect(read("<radarAvailable>\(text)</radarAvailable>").dimension?.radarAvailable == value)
    let relative = read("<relativeAltitude>\(text)</relativeAltitude>").dimension?.relativeAltitude
    #expect(relative == (text.lowercased() == "true"))
  }

  @Test func `all nine anchors are read in any case`() {
    for pivot in Pivot.allCases {
      for text in [pivot.rawValue, pivot.rawValue.lowercased()] {
        let body = "<features><featureTxt><text>A</text>\(location)<anchor>\(text)</anchor></featureTxt></features>"
        #expect(read(body).dimension?.places[0].pivot == pivot)
      }
    }
  }

  @Test func `findings come in the order of the document and are bounded`() {
    var options = ReadingOptions()
    options.limits.problems = 10
    let reading = read(String(repeating: "<x/>\n", count: 500), options)
    #expect(reading.problems.count == 11)
    #expect(reading.problems.prefix(10).map(\.line) == Array(1...10))
    #expect(reading.problems.last?.code == "limit.count")
    #expect(reading.problems.last?.message.hasPrefix("490 more findings") == true)
    #expect(reading.isValid)
  }

  @Test func `an error beyond the listed findings still makes the document invalid`() {
    var options = ReadingOptions()
    options.limits.problems = 3
    let reading = read(String(repeating: "<x/>\n", count: 5) + "<features><featureTxt/></features>", options)
    #expect(!reading.isValid)
  }

  @Test func `200,000 elements are read in a few seconds`() throws {
    let item =
      "<featureTxt id='a'><text>A</text><location><lat>1</lat><lon>2</lon><alt>3</alt></location><anchor>BC</anchor><showInRadar>true</showInRadar></featureTxt>"
    let bytes = Array(
      "<dimension version='1.0'><features>\(String(repeating: item, count: 24_000))</features></dimension>".utf8
    )
    let clock = ContinuousClock()
    var places = 0
    let time = clock.measure { places = GDDFReader.read(bytes).dimension?.places.count ?? 0 }
    #expect(places == 24_000)
    #expect(time < .seconds(60), "\(time)")
    print("192,002 elements in \(time)")
  }
}
