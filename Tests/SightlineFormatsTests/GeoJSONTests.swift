import SightlineContent
import SightlineFormats
import Testing

@Suite struct GeoJSONTests {
  private func read(_ path: String, _ options: ReadingOptions = .init()) throws -> Dimension {
    try #require(GeoJSONReader.read(try Fixtures.bytes("geojson/\(path).geojson"), options: options).dimension)
  }

  @Test func `points with properties become places`() throws {
    let world = try read("good/places")
    #expect(
      world.name == "Quay walk" && world.summary == "Three things by the water" && world.attribution == "Harbour office"
    )
    let hall = world.places[0]
    #expect(hall.id == "hall" && hall.title == "The hall" && hall.summary == "Timber, rebuilt à l'identique")
    #expect(hall.position == Position(latitude: 60.3972, longitude: 5.3241, altitude: 46.5))
    #expect(hall.altitudeMode == .seaLevel && hall.categories == ["Museum", "House"])
    #expect(hall.link == "https://hall.example.org/" && hall.imageURL == "https://hall.example.org/front.jpg")
    #expect(hall.phone == "+47 55 000" && hall.visibilityRadius == 800)
    #expect(hall.metadata == ["name": "Merchants' hall", "built": "1702", "open": "true", "tags": "[\"wood\",1]"])
    #expect(world.places[1].id == "7" && world.places[1].altitudeMode == .eye)
    #expect(world.places[2].position == nil && world.places[2].categories == ["Ship"])
    #expect(world.places[2].id?.hasPrefix("geojson-") == true)
  }

  @Test func `height without a mode is above the ellipsoid`() throws {
    let place = try read("good/one-feature").places[0]
    #expect(place.altitudeMode == .ellipsoid && place.position?.altitude == 0)
  }

  @Test func `a world without a name is called after its file`() throws {
    #expect(try read("good/empty", ReadingOptions(fileName: "x/sea-side.geojson")).name == "Sea side")
  }

  @Test func `other shapes stand at the middle of their corners`() throws {
    let world = try read("faulty/shapes")
    func middle(_ id: String) -> Position? { world.places.first { $0.id == id }?.position }
    func expect(_ id: String, _ latitude: Double, _ longitude: Double, within: Double = 1e-3) throws {
      let position = try #require(middle(id))
      #expect(abs(position.latitude - latitude) < within, "\(id) \(position)")
      #expect(abs((position.longitude - longitude).remainder(dividingBy: 360)) < within, "\(id) \(position)")
    }
    // Half-way along a parallel the great circle lies nearer to the pole.
    try expect("line", 50.1075, 15)
    try expect("area", 0.5, 10.5)
    try expect("date-line", 0, 180)
    try expect("lines", 2, 1)
    try expect("all", 3, 1)
    #expect(middle("all")?.altitude == 15)
    #expect(middle("antipodes") == nil && middle("none") == nil)
    #expect(
      world.places[0].shapes
        == [.line([Position(latitude: 50, longitude: 10), Position(latitude: 50, longitude: 20)])]
    )
    let corners = [(0.0, 10.0), (0, 11), (1, 11), (1, 10)].map { Position(latitude: $0.0, longitude: $0.1) }
    #expect(world.places[1].shapes == [.area(corners)])
    #expect(world.places[4].shapes?.map(\.kind) == [.area] && world.places[5].shapes?.map(\.kind) == [.line])
    #expect(world.places[2].shapes == nil && world.places[2].metadata["geometry"] == "MultiPoint")
  }

  @Test func `two features with one id are both kept`() throws {
    let places = try read("faulty/wrong-features").places
    let titles = places.map(\.title)
    #expect(titles.contains("A") && titles.contains("B"))
    #expect(Set(places.compactMap(\.id)).count == places.count)
  }

  @Test func `unusable properties fall back and are not lost`() throws {
    let place = try read("faulty/wrong-properties").places[0]
    #expect(place.title == "Used instead" && place.categories.isEmpty && place.visibilityRadius == nil)
    #expect(place.link == "page.html" && place.imageURL == nil && place.altitudeMode == .eye)
    #expect(place.metadata["title"] == "{\"en\":\"Nested\"}" && place.metadata["visibilityRadius"] == "-5")
    #expect(place.metadata["url"] == "javascript:alert(1)" && place.metadata["altitudeMode"] == "sea")
  }

  @Test func `links are resolved against the document's address`() throws {
    let options = ReadingOptions(baseURL: "https://a.example/data/walk.geojson")
    #expect(try read("faulty/wrong-properties", options).places[0].link == "https://a.example/data/page.html")
  }

  @Test func `reading what was written gives the same world`() throws {
    for file in ["good/empty", "good/one-feature", "good/one-point"] {
      let world = try read(file)
      let writing = GeoJSONWriter.write(world)
      #expect(writing.problems.isEmpty, "\(writing.problems)")
      #expect(GeoJSONReader.read(writing.bytes).dimension == world)
    }
    var world = try read("good/places")
    // "name" means the title in this format, so it cannot come back as metadata.
    world.places[0].metadata["name"] = nil
    #expect(GeoJSONReader.read(GeoJSONWriter.write(world).bytes).dimension == world)
  }

  @Test func `the reader recognises what the writer makes of any world`() throws {
    let walk = try #require(GDDFReader.read(try Fixtures.bytes("demo/danube-walk.gddf")).dimension)
    let writing = GeoJSONWriter.write(walk, options: WritingOptions(baseURL: "https://ar.example.org/"))
    let (format, reading) = FormatRegistry.read(writing.bytes)
    #expect(format == .geojson && reading.isValid)
    #expect(reading.dimension?.places.map(\.title) == walk.places.map(\.title))
    #expect(reading.dimension?.places.map(\.position) == walk.places.map(\.position))
    #expect(writing.problems.contains { $0.message.contains("overlays (7)") })
  }
}
