import Foundation
import SightlineContent
import SightlineFormats
import SightlineTestSupport
import Testing

@Suite struct AREATests {
  private func read(_ path: String, _ options: ReadingOptions = .init()) throws -> Dimension {
    try #require(AREAReader.read(try Fixtures.bytes("area/\(path).area.xml"), options: options).dimension)
  }

  @Test func `a location becomes a place at its altitude above the sea`() throws {
    let world = try read("good/two-places", ReadingOptions(fileName: "walks/old-town.area.xml"))
    #expect(world.name == "Old town")
    let place = world.places[0]
    #expect(place.title == "Lighthouse" && place.visual == .text("Lighthouse") && place.summary == "Red and white.")
    #expect(place.position == Position(latitude: 55.6102, longitude: 12.9945, altitude: 8))
    #expect(place.altitudeMode == .seaLevel && place.pivot == .bottomCenter)
    #expect(world.places[1].title == "Square & fountain" && world.places[1].summary == nil)
  }

  @Test func `the altitude mode can be configured`() throws {
    var options = ReadingOptions()
    options.areaAltitudeMode = .ellipsoid
    #expect(try read("good/two-places", options).places[0].altitudeMode == .ellipsoid)
  }

  @Test func `both namespaces, a prefix and the known slip give the same place`() throws {
    let places = try ["namespace", "schema-location"].map { try read("good/\($0)").places }
    #expect(places[0] == places[1])
    #expect(try read("faulty/declaration-slip").places == places[0])
    #expect(try read("faulty/mixed-namespaces").places == places[0])
    #expect(try read("good/prefix").places[0].id == places[0][0].id)
  }

  @Test func `identifiers are derived, stable and different`() throws {
    let ids = try read("good/two-places").places.map(\.id)
    // Written down: they must not change between versions, for links and selections hold them.
    #expect(ids == ["area-8d032ac1cf540ead", "area-37428f78cd2f8ea8"])
    let twice = try #require(
      AREAReader.read(
        Array(
          "<locations>\(String(repeating: "<location><latitude>1</latitude><longitude>2</longitude><altitude>3</altitude><name>A</name><information/></location>", count: 2))</locations>"
            .utf8
        )
      ).dimension
    )
    #expect(twice.places[1].id == twice.places[0].id.map { $0 + "-2" })
  }

  @Test func `category and further elements are kept`() throws {
    let place = try read("good/extended").places[0]
    #expect(place.categories == ["Harbour", "Tower"])
    #expect(place.metadata == ["openingHours": "Mo-Fr 10:00-16:00"])
  }

  @Test func `a place without usable altitude is kept at eye height, an empty name becomes the position`() throws {
    let world = try read("faulty/missing-fields")
    #expect(world.places.map(\.altitudeMode) == [.eye, .seaLevel])
    #expect(world.places[0].position?.altitude == nil)
    #expect(try read("faulty/empty-name").places[0].title == "55.6102, 12.9945")
  }

  @Test func `swapped axes are suspected aloud and not mended in silence`() throws {
    let reading = AREAReader.read(try Fixtures.bytes("area/faulty/ranges.area.xml"))
    #expect(
      reading.problems[0].message.contains("100.5 is outside -90 … 90 degrees. Latitude and longitude look swapped.")
    )
    #expect(!reading.problems[1].message.contains("swapped"))
  }

  @Test func `the slip is mended in AREA only, and only that slip`() throws {
    for text in [
      "<xml version='1.0'><dimension version='1.0'/>", "<xml version='1.0'><locations/></xml>", "<xml><locations/>",
      "<Xml version='1.0'>\n<locations/>", "<xml version='1.0'/>\n<locations/>",
    ] {
      #expect(FormatRegistry.read(Array(text.utf8)).reading.dimension == nil, "\(text)")
    }
    #expect(FormatRegistry.read(Array("<xml version='1.0'><locations/>".utf8)).reading.isValid)
  }

  @Test func `reading what was written gives the same world`() throws {
    for file in ["good/two-places", "good/extended", "good/empty"] {
      let world = try read(file)
      let writing = AREAWriter.write(world)
      #expect(writing.problems.isEmpty)
      #expect(AREAReader.read(writing.bytes).dimension == world)
    }
  }

  @Test func `the writer says what it cannot hold`() throws {
    var place = Place(title: "A", position: Position(latitude: 1, longitude: 2), visual: .image(assetID: "p"))
    place.altitudeMode = .eye
    place.action = .refresh
    place.link = "http://a.example/"
    place.metadata = ["two words": "x", "fine": "y", "name": "z", "xmlThing": "w"]
    var world = Dimension()
    world.attribution = "me"
    world.assets = [Asset(id: "p", url: "http://a.example/p.png")]
    world.places = [place, Place(title: "B", position: nil, visual: .text("B"))]
    let writing = AREAWriter.write(world)
    #expect(writing.text.contains("<fine>y</fine>"))
    #expect(writing.problems.allSatisfy { $0.code == "writer.dropped" })
    let messages = writing.problems.map(\.message).joined(separator: "\n")
    for part in [
      "credits", "assets (1)", "actions", "links", "pictures, models", "without a position (1)",
      "names cannot be element names (3)",
      "without altitude",
    ] {
      #expect(messages.contains(part), "\(part) in \(messages)")
    }
  }

  static let xmllint = ["/usr/bin/xmllint", "/usr/local/bin/xmllint", "/opt/homebrew/bin/xmllint"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private func validate(_ file: String, schema: String) throws -> Bool {
    let schemas = Fixtures.folder.deletingLastPathComponent().appendingPathComponent("Documentation/formats")
    let schema = schemas.appendingPathComponent(schema).path
    return try ChildProgram.run([try #require(Self.xmllint), "--noout", "--nonet", "--schema", schema, file]).status
      == 0
  }

  @Test(.enabled(if: xmllint != nil)) func `the schema accepts what the reader calls valid, and refuses the rest`()
    throws
  {
    func path(_ name: String) -> String { Fixtures.folder.appendingPathComponent(name).path }
    for name in try Fixtures.files(in: "area/good") {
      let schema = name.hasPrefix("namespace") || name.hasPrefix("prefix") ? "area-namespace.xsd" : "area.xsd"
      #expect(try validate(path("area/good/\(name)"), schema: schema), "\(name)")
    }
    #expect(try validate(path("demo/ulm.area.xml"), schema: "area.xsd"))
    for name in ["missing-fields", "numbers", "ranges", "unknown", "other-namespace", "mixed-namespaces"] {
      #expect(try !validate(path("area/faulty/\(name).area.xml"), schema: "area.xsd"), "\(name)")
    }
    let written = FileManager.default.temporaryDirectory.appendingPathComponent("sightline-\(UUID().uuidString).xml")
    defer { try? FileManager.default.removeItem(at: written) }
    try Data(AREAWriter.write(try read("good/extended")).bytes).write(to: written)
    #expect(try validate(written.path, schema: "area.xsd"))
  }
}
