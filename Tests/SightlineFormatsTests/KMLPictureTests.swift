import SightlineContent
import Testing

@testable import SightlineFormats

/// KML's icons and links, and pictures written back.
@Suite struct KMLPictureTests {
  private func read(_ inner: String, base: String? = nil) -> Reading {
    var options = ReadingOptions()
    options.baseURL = base
    return KMLReader.read(
      Array("<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document><name>W</name>\(inner)</Document></kml>".utf8),
      options: options
    )
  }

  private func again(_ world: Dimension) throws -> Dimension {
    try #require(KMLReader.read(KMLWriter.write(world).bytes).dimension)
  }

  private static let point = "<Point><coordinates>10,48</coordinates></Point>"

  @Test func `an icon beside a name is the place's picture, an icon alone stands in the view`() throws {
    let reading = read(
      """
      <Style id="s"><IconStyle><Icon><href>https://example.org/a.png</href></Icon><hotSpot x="0.5" y="0" xunits="fraction" yunits="fraction"/></IconStyle></Style>
      <StyleMap id="m"><Pair><key>normal</key><styleUrl>#s</styleUrl></Pair></StyleMap>
      <Placemark id="named"><name>Named</name><styleUrl>#m</styleUrl>\(Self.point)</Placemark>
      <Placemark id="alone"><name>Alone</name><styleUrl>#m</styleUrl><Style><LabelStyle><scale>0</scale></LabelStyle></Style>\(Self.point)</Placemark>
      <Placemark id="own"><name>Own</name><styleUrl>#s</styleUrl><Style><IconStyle><Icon><href>b.png</href></Icon></IconStyle></Style>
        <ExtendedData><Data name="image"><value>https://example.org/c.png</value></Data></ExtendedData>\(Self.point)</Placemark>
      """
    )
    #expect(!reading.problems.contains { $0.severity == .error }, "\(reading.problems)")
    let world = try #require(reading.dimension)
    #expect(world.places[0].imageURL == "https://example.org/a.png" && world.places[0].visual == .text("Named"))
    guard case .image(let id) = world.places[1].visual else {
      Issue.record("\(world.places[1].visual)")
      return
    }
    #expect(world.assets.first { $0.id == id }?.url == "https://example.org/a.png")
    #expect(world.places[1].pivot == .bottomCenter && world.places[1].imageURL == nil)
    // A picture that the placemark names itself goes before its sign.
    #expect(world.places[2].imageURL == "https://example.org/c.png")
    let back = try again(world)
    #expect(back.places.map(\.pivot) == world.places.map(\.pivot))
    #expect(
      back.places[1].visual.assetID.flatMap { id in back.assets.first { $0.id == id }?.url }
        == "https://example.org/a.png"
    )
  }

  @Test func `colour, size and turn of a sign are read, inherited and written back`() throws {
    let world = try #require(
      read(
        """
        <Style id="s"><IconStyle><color>800000ff</color><scale>1.5</scale><heading>90</heading><Icon><href>https://example.org/a.png</href></Icon></IconStyle></Style>
        <Placemark id="named"><name>Named</name><styleUrl>#s</styleUrl>\(Self.point)</Placemark>
        <Placemark id="alone"><name>Alone</name><styleUrl>#s</styleUrl><Style><IconStyle><heading>0</heading><color>ffffffff</color></IconStyle><LabelStyle><scale>0</scale></LabelStyle></Style>\(Self.point)</Placemark>
        <Placemark id="usual"><name>Usual</name><Style><IconStyle><color>ff00ff00</color></IconStyle></Style>\(Self.point)</Placemark>
        <Placemark id="none"><name>None</name><Style><IconStyle><color>ff00ff00</color><scale>0</scale></IconStyle></Style>\(Self.point)</Placemark>
        <Placemark id="small"><name>Small</name><Style><IconStyle><scale>0.01</scale></IconStyle></Style>\(Self.point)</Placemark>
        """
      ).dimension
    )
    let signs = world.places.map(\.icon)
    let named = try #require(signs[0])
    #expect(named.color == "#ff0000" && named.scale == 1.5 && named.heading == 90)
    #expect(abs((named.opacity ?? 1) - 128.0 / 255) < 1e-9)
    #expect(world.assets.first { $0.id == named.assetID }?.url == "https://example.org/a.png")
    // What a placemark says itself goes before, also where it is what is usual.
    #expect(signs[1]?.scale == 1.5 && signs[1]?.color == nil && signs[1]?.heading == nil && signs[1]?.opacity == nil)
    #expect(world.places[1].visual.assetID == named.assetID)
    #expect(signs[2]?.color == "#00ff00" && signs[2]?.assetID == nil && signs[3] == nil && signs[4]?.scale == 0.1)
    #expect(world.faults().isEmpty)
    let writing = KMLWriter.write(world)
    #expect(!writing.problems.contains { $0.code == "writer.dropped" }, "\(writing.problems)")
    #expect(KMLReader.read(writing.bytes).dimension?.places.map(\.icon) == signs)
    #expect(FormatRegistry.write(world, as: .gddf).problems.contains { $0.message.contains("signs") })
  }

  @Test func `what labels cannot show of an icon is said`() {
    let reading = read(
      """
      <Placemark><name>P</name><Style><IconStyle><color>red</color><colorMode>random</colorMode><scale>150</scale><heading>north</heading>
      <hotSpot x="3" y="4" xunits="pixels" yunits="pixels"/><Icon><href>a.png</href></Icon></IconStyle></Style>\(Self.point)</Placemark>
      <Placemark><name>Q</name><Style><IconStyle><Icon><href>javascript:alert(1)</href></Icon></IconStyle></Style>\(Self.point)</Placemark>
      <Placemark><name>R</name><Style><IconStyle><scale>x</scale><Icon/></IconStyle></Style>\(Self.point)</Placemark>
      """
    )
    let notes = reading.problems.filter { $0.code == "extension.ignored" }.map(\.message)
    for name in ["color", "colorMode", "scale", "heading", "hotSpot"] {
      #expect(notes.contains { $0.contains("IconStyle \(name)") }, "\(notes)")
    }
    #expect(reading.problems.contains { $0.code == "url.scheme" }, "\(reading.problems)")
    #expect(reading.dimension?.places.map(\.imageURL) == ["a.png", nil, nil])
  }

  private func link(_ href: String, _ more: String = "") -> String {
    "<NetworkLink><name>To \(href)</name><Link><href>\(href)</href>\(more)</Link></NetworkLink>"
  }

  @Test func `one link is where the world is fetched again, of several each opens its own`() throws {
    let interval = "<refreshMode>onInterval</refreshMode><refreshInterval>60</refreshInterval>"
    let one = try #require(read(link("https://example.org/a.kml", interval)).dimension)
    #expect(one.refreshURL == "https://example.org/a.kml" && one.refreshIntervalSeconds == 60 && one.places.isEmpty)
    let several = try #require(
      read(link("https://example.org/a.kml", interval) + link("https://example.org/b.kml")).dimension
    )
    #expect(several.refreshURL == nil && several.refreshIntervalSeconds == 0)
    #expect(several.places.map(\.title) == ["To https://example.org/a.kml", "To https://example.org/b.kml"])
    #expect(
      several.places.map(\.action) == [
        .dimension("https://example.org/a.kml"), .dimension("https://example.org/b.kml"),
      ]
    )
    #expect(several.places.allSatisfy { $0.position == nil && !$0.showInRadar })
    // The one to the document itself is how it is fetched again.
    let own = try #require(
      read(link("b.kml") + link("w.kml", interval), base: "https://example.org/w.kml").dimension
    )
    #expect(own.refreshURL == "https://example.org/w.kml" && own.refreshIntervalSeconds == 60)
    #expect(own.places.map(\.action) == [.dimension("https://example.org/b.kml")])
  }

  @Test func `links without an address or beyond the most are left out with a reason`() throws {
    let many = (0..<60).map { link("https://example.org/\($0).kml") }.joined()
    let reading = read("<NetworkLink/>" + link("ftp://example.org/x.kml") + many)
    #expect(reading.problems.contains { $0.code == "field.missing" && $0.severity == .error })
    #expect(reading.problems.contains { $0.code == "url.scheme" })
    #expect(reading.problems.contains { $0.message.contains("beyond the first 50") && $0.message.contains("10 times") })
    #expect(reading.dimension?.places.count == KMLReader.mostLinks)
  }

  private static let ground = """
    <Folder><name>Plans</name><GroundOverlay id="g"><name>Plan</name><description>Of 1890</description><Icon><href>plan.png</href></Icon>
    <LatLonBox><north>48.401</north><south>48.399</south><east>10.002</east><west>9.998</west><rotation>30</rotation></LatLonBox></GroundOverlay></Folder>
    <GroundOverlay id="h"><name>High</name><Icon><href>high.png</href></Icon><altitude>520</altitude><altitudeMode>absolute</altitudeMode>
    <LatLonBox><north>0.001</north><south>-0.001</south><east>-179.998</east><west>179.999</west></LatLonBox></GroundOverlay>
    """

  @Test func `pictures on the ground come back as they were`() throws {
    let world = try #require(read(Self.ground).dimension)
    let writing = KMLWriter.write(world)
    #expect(!writing.problems.contains { $0.code == "writer.dropped" }, "\(writing.problems)")
    let back = try #require(KMLReader.read(writing.bytes).dimension)
    for (a, b) in zip(world.places, back.places) {
      #expect(a.id == b.id && a.title == b.title && a.summary == b.summary && a.categories == b.categories)
      #expect(a.altitudeMode == b.altitudeMode && a.pivot == b.pivot && a.visual == b.visual)
      #expect(
        abs((a.size?.width ?? 0) - (b.size?.width ?? 1)) < 1e-4
          && abs((a.size?.height ?? 0) - (b.size?.height ?? 1)) < 1e-4
      )
      #expect(abs((a.attitude?.heading ?? 0) - (b.attitude?.heading ?? 1)) < 1e-9 && b.attitude?.pitch == 90)
      #expect(abs((a.position?.latitude ?? 0) - (b.position?.latitude ?? 1)) < 1e-9)
      #expect(abs((a.position?.longitude ?? 0) - (b.position?.longitude ?? 1)) < 1e-9)
      #expect(a.position?.altitude == b.position?.altitude)
    }
    #expect(back.places.count == 2)
  }

  @Test func `pictures on the screen come back, other overlays are said`() throws {
    let screen = { (id: String, x: String, y: String, own: String) in
      "<ScreenOverlay id=\"\(id)\"><Icon><href>\(id).png</href></Icon><overlayXY \(own)/><screenXY \(x) \(y)/></ScreenOverlay>"
    }
    let world = try #require(
      read(
        screen(
          "a",
          "x=\"12\" xunits=\"pixels\"",
          "y=\"20\" yunits=\"insetPixels\"",
          "x=\"0\" y=\"1\" xunits=\"fraction\" yunits=\"fraction\""
        )
          + screen(
            "b",
            "x=\"0.5\" xunits=\"fraction\"",
            "y=\"8\" yunits=\"pixels\"",
            "x=\"0.5\" y=\"0\" xunits=\"fraction\" yunits=\"fraction\""
          )
      ).dimension
    )
    #expect(world.overlays.map(\.anchor) == [.topLeft, .bottomCenter])
    var more = world
    more.overlays.append(Overlay(x: 0, y: 0, content: .text("Words", width: 100)))
    let writing = KMLWriter.write(more)
    #expect(
      writing.problems.contains { $0.message.contains("overlays with a text or a page (1)") },
      "\(writing.problems)"
    )
    let back = try #require(KMLReader.read(writing.bytes).dimension)
    #expect(back.overlays == world.overlays)
  }

  @Test func `what is no overlay of KML is written as a placemark`() throws {
    var place = Place(title: "T", position: Position(latitude: 48, longitude: 10), visual: .image(assetID: "p"))
    place.size = TrueSize(width: 2, height: 3)
    place.attitude = Attitude(heading: 10)
    var world = Dimension()
    world.assets = [Asset(id: "p", url: "p.png")]
    world.places = [place]
    let writing = KMLWriter.write(world)
    #expect(!String(decoding: writing.bytes, as: UTF8.self).contains("GroundOverlay"))
    #expect(writing.problems.contains { $0.message.contains("assets (1)") }, "\(writing.problems)")
    // At a pole the box would reach over it.
    place.attitude = Attitude(heading: 180, pitch: 90)
    place.position?.latitude = 90
    (place.pivot, place.altitudeMode) = (.center, .ground)
    world.places = [place]
    #expect(!String(decoding: KMLWriter.write(world).bytes, as: UTF8.self).contains("GroundOverlay"))
  }
}
