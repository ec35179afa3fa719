import SightlineContent
import SightlineFormats
import SightlineTestSupport
import Testing

@Suite struct ARMLTests {
  private func read(_ file: String) throws -> Reading {
    let (format, reading) = FormatRegistry.read(
      try Fixtures.bytes("arml/\(file)"),
      options: ReadingOptions(fileName: "x/\(file)")
    )
    #expect(format == .arml)
    return reading
  }

  @Test func `anchors of every kind, their assets and conditions`() throws {
    let reading = try read("good/tour.arml")
    #expect(reading.isValid, "\(reading.problems)")
    let world = try #require(reading.dimension)
    #expect(
      world.name == "Tour" && world.places.map(\.title) == ["Old mill", "Weir", "Weir", "Wheel", "Wheel", "Poster"]
    )
    let mill = world.places[0]
    #expect(
      mill.id == "mill" && mill.position == Position(latitude: 47.48, longitude: 13.14) && mill.altitudeMode == .eye
    )
    #expect(mill.visual == .text("Old mill\nGrain until 1911") && mill.summary == "Grain until 1911")
    #expect(
      mill.visibilityRadius == 800 && mill.link == "https://example.org/mill" && mill.metadata == ["built": "1622"]
    )
    let area = world.places[1]
    #expect(area.id == "weir" && area.shapes?.first?.kind == .area && area.shapes?.first?.parts.first?.count == 3)
    #expect(area.shapeStyle?.fill == "#3080c0")
    let line = world.places[2]
    #expect(line.shapes?.first?.parts.first?.map(\.altitude) == [600, 610] && line.id != "weir")
    let wheel = world.places[3]
    #expect(wheel.position == mill.position && wheel.offset == Offset(east: 3, north: -2, up: 1.5))
    let assetID = try #require(world.assets.first { $0.url == "https://example.org/wheel.glb" }).id
    #expect(wheel.visual == .model(assetID: assetID, xRotation: 0, yRotation: 0, zRotation: 0, scale: 2))
    #expect(wheel.attitude == Attitude(heading: 270))
    #expect(world.places[4].position?.altitude == 605)
    guard case .image = world.places[4].visual else { return #expect(Bool(false), "\(world.places[4].visual)") }
    let poster = world.places[5]
    #expect(poster.position == nil && poster.target?.width == 0.6 && poster.visual == .text("Read me"))
    #expect(world.assets.first { $0.id == poster.target?.assetID }?.url == "first.jpg")
    let overlay = try #require(world.overlays.first)
    #expect(overlay.x == 10 && overlay.y == 20 && overlay.pivot == .topLeft)
    #expect(overlay.content == .text("Walk to the mill", width: 200))
    #expect(reading.problems.contains { $0.code == "reference.form" })
    #expect(reading.problems.contains { $0.code == "extension.ignored" && $0.message.contains("script") })
  }

  @Test func `what is for the selected place is in its card, and a picture that places stand on is looked for`() throws
  {
    let document = """
      <arml xmlns="http://www.opengis.net/arml/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink">
        <ARElements>
          <SelectedCondition id="chosen"><selected>true</selected></SelectedCondition>
          <Feature id="tower"><name>Tower</name><description>Of 1420</description><anchors><Geometry><assets>
            <Label><src>The tower</src></Label>
            <Label><conditions><conditionRef xlink:href="#chosen"/></conditions><src>Open at nine</src></Label>
            <Image><conditions><SelectedCondition><selected>true</selected></SelectedCondition></conditions><href xlink:href="https://example.org/tower.jpg"/></Image>
          </assets><gml:Point gml:id="p"><gml:pos>48 10</gml:pos></gml:Point></Geometry></anchors></Feature>
          <Tracker id="t"><uri xlink:href="http://www.opengis.net/arml/tracker/genericImageTracker"/></Tracker>
          <Tracker id="packed"><uri xlink:href="http://www.opengis.net/arml/tracker/genericImageTracker"/><src xlink:href="https://example.org/all.zip"/></Tracker>
          <Feature id="page"><name>Page</name><anchors><Trackable><assets/>
            <config><tracker xlink:href="#t"/><src>https://example.org/page.png</src></config><size>0.21</size></Trackable></anchors></Feature>
          <Feature id="zip"><name>Zip</name><anchors><Trackable><assets/>
            <config><tracker xlink:href="#packed"/><src>page.png</src></config><size>0.21</size></Trackable></anchors></Feature>
          <Feature id="vast"><name>Vast</name><anchors><Trackable><assets/>
            <config><tracker xlink:href="#t"/><src>https://example.org/sky.png</src></config><size>2000</size></Trackable></anchors></Feature>
        </ARElements>
      </arml>
      """
    let world = try #require(FormatRegistry.read(Array(document.utf8)).1.dimension)
    let tower = world.places[0]
    #expect(tower.visual == .text("The tower") && tower.summary == "Of 1420\n\nOpen at nine")
    #expect(tower.imageURL == "https://example.org/tower.jpg")
    #expect(world.assets.map(\.url) == ["https://example.org/page.png"])
    #expect(world.places[1].target == TargetAnchor(assetID: world.assets[0].id, width: 0.21))
    #expect(world.places[2].target == nil && world.places[3].target == nil)
    // Written and read again: the same places.
    let written = ARMLWriter.write(world)
    let again = try #require(ARMLReader.read(written.bytes).dimension)
    #expect(again.places.map(\.target) == world.places.map(\.target))
    #expect(again.places[0].imageURL == tower.imageURL && again.places[0].summary == tower.summary)
    #expect(again.assets.map(\.url) == world.assets.map(\.url))
  }

  @Test(
    arguments: [
      ("left:1px;top:2px", Pivot.topLeft, 1, 2), ("right: 3px; top: 4", .topRight, 3, 4),
      ("left:5;bottom:6px", .bottomLeft, 5, 6), ("bottom:8px;right:7px", .bottomRight, 7, 8), ("", .topLeft, 0, 0),
      ("left:1px;right:9px;top:2px;bottom:9px", .topLeft, 1, 2), ("right:-3px;top:0", .topRight, -3, 0),
      ("right:wide;top:2px", .topLeft, 0, 2), ("right:10%", .topLeft, 0, 0),
      ("right:1e999px;bottom:2", .bottomLeft, 0, 2),
    ] as [(String, Pivot, Double, Double)]
  )
  func `a screen anchor counts from the corner that its style names`(
    style: String,
    corner: Pivot,
    x: Double,
    y: Double
  ) throws {
    let document = """
      <arml xmlns="http://www.opengis.net/arml/2.0"><ARElements><ScreenAnchor><style>\(style)</style>
      <assets><Label><src>Help</src></Label></assets></ScreenAnchor></ARElements></arml>
      """
    let reading = ARMLReader.read(Array(document.utf8))
    let world = try #require(reading.dimension)
    let overlay = try #require(world.overlays.first)
    #expect(overlay.anchor == corner && overlay.pivot == corner && overlay.x == x && overlay.y == y, "\(overlay)")
    let isOdd = style.contains("wide") || style.contains("%") || style.contains("e999")
    #expect(reading.problems.contains { $0.code == "anchor.unsupported" } == isOdd, "\(reading.problems)")
    let written = ARMLWriter.write(world)
    #expect(written.problems.isEmpty && ARMLReader.read(written.bytes).dimension?.overlays == world.overlays)
  }

  @Test func `every slip is told, and what is sound is kept`() throws {
    let reading = try read("faulty/slips.arml")
    let world = try #require(reading.dimension)
    #expect(Set(world.places.map(\.title)) == ["Reserved", "Distances", "No config", "With the user", "Collada"])
    let codes = reading.problems.map(\.code)
    for code in [
      "id.reserved", "field.order", "position.range", "geometry.incomplete", "reference.unknown", "reference.circle",
      "geometry.ring", "field.type", "item.disabled", "field.missing", "anchor.unsupported",
    ] {
      #expect(codes.contains(code), "\(code): \(codes)")
    }
    #expect(reading.problems.contains { $0.message.contains("swapped") })
    #expect(world.places.first { $0.title == "Distances" }?.visibilityRadius == nil)
    let refused = try read("faulty/no-elements.arml")
    #expect(refused.dimension == nil && refused.problems.contains { $0.code == "field.missing" })
  }

  @Test func `what the format holds comes back as it was`() throws {
    var random = SplitMix64(seed: 212)
    let words = ["Ulm", "Grüße", "a < b & c", "世界", "\"quoted\"", "1.5"]
    func word() -> String { words.randomElement(using: &random) ?? "" }
    for round in 0..<150 {
      var world = Dimension()
      for number in 0..<Int.random(in: 1...6, using: &random) {
        let isHigh = Bool.random(using: &random)
        func position() -> Position {
          Position(
            latitude: .random(in: -80...80, using: &random),
            longitude: .random(in: -179...179, using: &random),
            altitude: isHigh ? .random(in: 1...900, using: &random) : nil
          )
        }
        var place = Place(title: "\(word()) \(number)", position: position(), visual: .text(""))
        place.visual = .text(Bool.random(using: &random) ? place.title : word())
        place.id = "id-\(number)"
        place.altitudeMode = isHigh ? .ellipsoid : .eye
        if Bool.random(using: &random) { place.summary = word() }
        if Bool.random(using: &random) { place.link = "https://example.org/\(number)?a=1&b=2" }
        if Bool.random(using: &random) { place.visibilityRadius = 250 }
        if Bool.random(using: &random) { place.metadata = ["built": word()] }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: place.offset = Offset(east: 1.5, north: -2, up: 3)
        case 1:
          let corners = (0..<4).map { _ in position() }
          // One anchor each, so that one place comes back.
          place.shapes = [Bool.random(using: &random) ? .line(corners) : .area(corners)]
          place.position = ARMLTests.middle(corners)
        case 2:
          place.visual = .image(assetID: "asset-1")
          place.link = nil
          if world.assets.isEmpty { world.assets = [Asset(id: "asset-1", url: "https://example.org/1.png")] }
        default: break
        }
        world.places.append(place)
      }
      let written = FormatRegistry.write(world, as: .arml)
      #expect(written.problems.isEmpty, "\(written.problems)")
      let (format, reading) = FormatRegistry.read(written.bytes)
      #expect(format == .arml && reading.isValid, "round \(round): \(reading.problems)")
      let again = try #require(reading.dimension)
      #expect(again.places == world.places, "round \(round)\n\(String(decoding: written.bytes, as: UTF8.self))")
      #expect(again.assets == world.assets)
    }
  }

  /// The position that a reader gives a shape's label: by reading one.
  private static func middle(_ corners: [Position]) -> Position? {
    var place = Place(title: "x", position: nil, visual: .text("x"))
    place.shapes = [.line(corners)]
    var world = Dimension()
    world.places = [place]
    return FormatRegistry.read(FormatRegistry.write(world, as: .geojson).bytes).reading.dimension?.places.first?
      .position
  }
}
