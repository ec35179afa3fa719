import SightlineContent
import SightlineFormats
import SightlineTestSupport
import Testing

/// KML with the extension of Argon's browser.
@Suite struct KARMLTests {
  private func world(_ name: String = "argon") throws -> (Dimension, [Problem]) {
    let reading = KMLReader.read(try Fixtures.bytes("kml/good/\(name).kml"))
    return (try #require(reading.dimension), reading.problems)
  }

  @Test func `labels and balloons give words, and places of their own`() throws {
    let (world, _) = try world()
    #expect(world.places.map(\.id) == ["library", "sign", "compass"])
    let library = world.places[0]
    #expect(library.title == "Library" && library.visual == .text("The old library"))
    #expect(library.summary == "Open until midnight")
    #expect(abs(library.offset.north - 11.1195) < 0.001 && library.offset.east == 0 && library.offset.up == 12)
    // Without a geometry the balloon's location is the place's.
    #expect(world.places[1].position == Position(latitude: 33.774, longitude: -84.389))
    #expect(world.places[1].summary == "Follow me")
  }

  @Test func `what is not drawn as it says is kept and reported`() throws {
    let (world, problems) = try world()
    #expect(world.places[0].metadata == ["displayMode": "undecorated"])
    #expect(world.places[1].metadata == ["orientationMode": "fixed"])
    #expect(world.places[2].metadata == ["tracker": "https://example.org/poster.png"])
    #expect(world.places[2].position == Position(latitude: 33.772, longitude: -84.387))
    let codes = problems.map(\.code)
    #expect(codes.filter { $0 == "mode.unsupported" }.count == 2)
    #expect(codes.filter { $0 == "asset.unsupported" }.count == 1)
    #expect(codes.contains("reference.unsupported"))
    #expect(problems.contains { $0.code == "extension.ignored" && $0.message.contains("Scale") })
    #expect(!problems.contains { $0.severity == .error })
  }

  @Test func `what is relative to the user goes along with him`() throws {
    let (world, problems) = try world("companion")
    let companion = try #require(world.places.last)
    #expect(companion.followsUser == true && companion.position == nil && companion.visual == .text("Beside you"))
    #expect(companion.offset == Offset(east: 3, north: -4, up: 0.5))
    #expect(problems.contains { $0.code == "position.user" && $0.severity == .info })
    for format in [DocumentFormat.gddf, .arml, .layar, .geojson] {
      let again = FormatRegistry.read(FormatRegistry.write(world, as: format).bytes).reading.dimension
      let back = again?.places.first { $0.title == "Companion" || $0.visual == .text("Beside you") }
      #expect(back?.followsUser == true && back?.offset == companion.offset, "\(format)")
    }
  }

  @Test(arguments: [
    (##"<locationMode targetHref="#user">relative</locationMode><Location><x>2</x></Location>"##, 2.0),
    (##"<relativeTo>#user</relativeTo><Location><latitude>0</latitude><longitude>7</longitude></Location>"##, 7),
  ])
  func `the user is named in several ways`(inside: String, east: Double) throws {
    let text = """
      <kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><name>A</name><Balloon><description>B</description>\(inside)</Balloon></Placemark></kml>
      """
    let place = try #require(KMLReader.read(Array(text.utf8)).dimension?.places.first)
    #expect(place.followsUser == true && place.offset == Offset(east: east) && place.summary == "B")
  }

  @Test func `sounds are kept with their places`() throws {
    let (world, _) = try world()
    #expect(world.places.map(\.soundURL) == [nil, nil, "https://example.org/bell.mp3"])
    for format in [DocumentFormat.kml, .geojson, .layar] {
      let again = FormatRegistry.read(FormatRegistry.write(world, as: format).bytes).reading.dimension
      #expect(again?.places.first { $0.id == "compass" }?.soundURL == "https://example.org/bell.mp3", "\(format)")
    }
    #expect(FormatRegistry.write(world, as: .gddf).problems.contains { $0.message.contains("sounds of places") })
  }

  @Test(arguments: [("", "field.missing"), ("<Link><href>javascript:alert(1)</href></Link>", "url")])
  func `a sound that leads nowhere is reported`(link: String, code: String) throws {
    let text = """
      <kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><name>A</name><Point><coordinates>9.99,48.4</coordinates></Point>
      <Sound>\(link)</Sound></Placemark></kml>
      """
    let reading = KMLReader.read(Array(text.utf8))
    #expect(reading.dimension?.places.first?.soundURL == nil)
    #expect(reading.problems.contains { $0.code.hasPrefix(code) }, "\(reading.problems)")
  }

  @Test(arguments: [
    ("<Location><longitude>x</longitude><latitude>1</latitude></Location>", "field.missing"),
    ("<Location/>", "field.missing"),
    ("<Location><longitude>11</longitude><latitude>49</latitude></Location>", "position.far"),
    ("<Location><longitude>11</longitude><latitude>99</latitude></Location>", "position.range"),
    (##"<Location><relativeTo>#other</relativeTo></Location>"##, "reference.unsupported"),
    (##"<Location relative="#user"/>"##, "field.missing"),
    (##"<Location relative="#user"><x>east</x></Location>"##, "field.missing"),
    (##"<Location relative="#user"><x>1e9</x></Location>"##, "position.far"),
  ])
  func `a location that cannot be used leaves the place where it was`(location: String, code: String) throws {
    let text = """
      <kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><name>A</name><Point><coordinates>9.99,48.4</coordinates></Point>
      <Label><text>B</text>\(location)</Label></Placemark></kml>
      """
    let reading = KMLReader.read(Array(text.utf8))
    let place = try #require(reading.dimension?.places.first)
    #expect(place.offset == Offset() && place.position?.latitude == 48.4)
    #expect(reading.problems.contains { $0.code == code }, "\(reading.problems)")
  }
}
