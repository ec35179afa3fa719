import SightlineContent
import SightlineFormats
import Testing

/// Places that go along with the user, and anchors relative to others, from each format and back.
@Suite struct UserRelativeTests {
  private func read(_ text: String, _ file: String) -> Reading {
    FormatRegistry.read(Array(text.utf8), options: ReadingOptions(fileName: file)).reading
  }

  private func arml(_ inner: String) -> Reading {
    read(
      """
      <arml xmlns="http://www.opengis.net/arml/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink">
      <ARElements>\(inner)</ARElements></arml>
      """,
      "w.arml"
    )
  }

  private func relative(_ link: String, _ pos: String, name: String = "R") -> String {
    "<Feature id=\"\(name)\"><name>\(name)</name><anchors><RelativeTo><assets/><ref xlink:href=\"\(link)\"/>"
      + "<gml:Point><gml:pos>\(pos)</gml:pos></gml:Point></RelativeTo></anchors></Feature>"
  }

  private static let documents = [
    (
      "w.gddf",
      """
      <dimension version="1.0"><name>W</name><relativeAltitude>true</relativeAltitude><features><featureTxt id="a"><text>Guide</text><user/>
      <xLoc>1</xLoc><yLoc>5</yLoc><zLoc>-0.5</zLoc><anchor>BC</anchor><showInRadar>true</showInRadar></featureTxt></features></dimension>
      """
    ),
    (
      "w.geojson",
      """
      {"type": "FeatureCollection", "features": [{"type": "Feature", "id": "a", "geometry": null,
        "properties": {"title": "Guide", "relativeToUser": {"east": 1, "north": 5, "up": -0.5}}}]}
      """
    ),
    (
      "w.layar.json",
      """
      {"layer": "W", "errorCode": 0, "errorString": "ok", "hotspots": [{"id": "a", "anchor": {"geolocation": "user"},
        "text": {"title": "Guide"}, "transform": {"translate": {"x": 1, "y": 5, "z": -0.5}}}]}
      """
    ),
    (
      "w.arml",
      """
      <arml xmlns="http://www.opengis.net/arml/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink">
      <ARElements><Feature id="a"><name>Guide</name><anchors><RelativeTo><assets/><ref xlink:href="user"/>
      <gml:Point><gml:pos>1 5 -0.5</gml:pos></gml:Point></RelativeTo></anchors></Feature></ARElements></arml>
      """
    ),
  ]

  @Test(arguments: documents) func `a place goes along with the user, there and back`(
    file: String,
    document: String
  ) throws {
    let reading = read(document, file)
    #expect(reading.isValid, "\(reading.problems)")
    let place = try #require(reading.dimension?.places.first)
    #expect(place.followsUser == true && place.position == nil && place.title == "Guide")
    #expect(place.offset == Offset(east: 1, north: 5, up: -0.5))
    let format = try #require(DocumentFormat(fileName: file))
    let world = try #require(reading.dimension)
    let writing = FormatRegistry.write(world, as: format)
    // ARML has no place for the title of a world, which it may have got from the name of the file.
    let dropped = writing.problems.filter {
      $0.code == "writer.dropped" && !$0.message.contains("the title of the world")
    }
    #expect(dropped.isEmpty, "\(dropped)")
    let again = try #require(read(String(decoding: writing.bytes, as: UTF8.self), file).dimension?.places.first)
    #expect(again.followsUser == true && again.offset == place.offset && again.position == nil)
    // What has no word for it says so.
    let kml = FormatRegistry.write(world, as: .kml)
    #expect(kml.problems.contains { $0.message.contains("go along with the user") })
  }

  @Test func `faults about the user are said, and the rest is shown`() throws {
    let both = read(
      """
      <dimension version="1.0"><name>W</name><relativeAltitude>true</relativeAltitude><features><featureTxt id="a"><text>T</text><user x="1"/>
      <marker dictionary="6x6-250" id="7" length="0.08"/><anchor>BC</anchor><showInRadar>true</showInRadar></featureTxt></features></dimension>
      """,
      "w.gddf"
    )
    #expect(both.problems.contains { $0.code == "D031" } && both.problems.contains { $0.code == "D003" })
    let place = try #require(both.dimension?.places.first)
    #expect(place.followsUser == nil && place.marker?.id == 7)
    let far = read(
      """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": "a", "geometry": null, "properties": {"title": "A", "relativeToUser": {"east": 1e9, "up": "x", "north": 2}}},
        {"type": "Feature", "id": "b", "geometry": null, "properties": {"title": "B", "relativeToUser": "somebody"}}]}
      """,
      "w.geojson"
    )
    #expect(far.problems.filter { $0.code == "field.type" }.count == 2, "\(far.problems)")
    #expect(far.dimension?.places.map(\.followsUser) == [true, nil])
    #expect(far.dimension?.places.first?.offset == Offset(north: 2))
    #expect(far.dimension?.places.last?.metadata["relativeToUser"] == "somebody")
  }

  @Test func `anchors are relative to what stands on a picture, and to models in the models' own axes`() throws {
    let reading = arml(
      """
      <Feature id="poster"><name>Poster</name><anchors><Trackable id="t"><assets/><config><tracker xlink:href="#k"/><src>p.jpg</src></config>
      <size>0.6</size></Trackable></anchors></Feature>
      <Tracker id="k"><uri xlink:href="http://www.opengis.net/arml/tracker/genericImageTracker"/></Tracker>
      <Feature id="mill"><name>Mill</name><anchors><Geometry><assets><Model id="m"><href xlink:href="https://example.org/m.glb"/>
      <Orientation><heading>90</heading></Orientation></Model></assets><gml:Point><gml:pos>48 10</gml:pos></gml:Point></Geometry></anchors></Feature>
      \(relative("#t", "0.1 0.2 0.3", name: "on"))
      \(relative("#m", "0 2 1", name: "door"))
      """
    )
    #expect(reading.isValid, "\(reading.problems)")
    let places = try #require(reading.dimension?.places)
    let on = try #require(places.first { $0.id == "on" })
    #expect(on.target?.width == 0.6 && on.offset == Offset(east: 0.1, north: 0.2, up: 0.3) && on.position == nil)
    let door = try #require(places.first { $0.id == "door" })
    // What is ahead of a model that was turned clockwise from north is in the east.
    #expect(door.position == Position(latitude: 48, longitude: 10))
    #expect(abs(door.offset.east - 2) < 1e-9 && abs(door.offset.north) < 1e-9 && abs(door.offset.up - 1) < 1e-9)
  }

  @Test(arguments: [
    ("<orientation><heading>0</heading></orientation>", Offset(east: 1, north: 2, up: 3)),
    // The front edge of what is tilted looks up: ahead goes down, up goes ahead, clockwise as seen against east.
    ("<Orientation><tilt>90</tilt></Orientation>", Offset(east: 1, north: 3, up: -2)),
    ("<Orientation><roll>90</roll></Orientation>", Offset(east: -3, north: 2, up: 1)),
    ("<Orientation><heading>180</heading></Orientation>", Offset(east: -1, north: -2, up: 3)),
  ]) func `turns of a model turn what is relative to it`(turn: String, expected: Offset) throws {
    let reading = arml(
      """
      <Feature id="mill"><name>Mill</name><anchors><Geometry><assets><Model id="m"><href xlink:href="https://example.org/m.glb"/>
      \(turn)</Model></assets><gml:Point><gml:pos>48 10</gml:pos></gml:Point></Geometry></anchors></Feature>\(relative("#m", "1 2 3", name: "r"))
      """
    )
    let offset = try #require(reading.dimension?.places.first { $0.id == "r" }?.offset)
    let error = [offset.east - expected.east, offset.north - expected.north, offset.up - expected.up].map(abs).max()
    #expect(error ?? 1 < 1e-9, "\(offset)")
  }

  @Test(arguments: [
    ("<Model id=\"m\"><href xlink:href=\"https://example.org/m.glb\"/></Model>", "#m", "reference.unknown"),
    ("<ScreenAnchor id=\"s\"><assets><Label><src>x</src></Label></assets></ScreenAnchor>", "#s", "reference.unknown"),
    ("", "#nobody", "reference.unknown"),
    (
      "<RelativeTo id=\"x\"><assets><Model id=\"m\"><href xlink:href=\"https://example.org/m.glb\"/></Model></assets><ref xlink:href=\"#m\"/><gml:Point><gml:pos>0 0 1</gml:pos></gml:Point></RelativeTo>",
      "#m", "reference.circle"
    ),
  ]) func `what leads nowhere is left out with a reason`(more: String, link: String, code: String) {
    let good =
      "<Feature id=\"g\"><name>G</name><anchors><Geometry><assets/><gml:Point><gml:pos>48 10</gml:pos></gml:Point></Geometry></anchors></Feature>"
    let reading = arml(more + relative(link, "1 1 1") + good)
    #expect(reading.problems.contains { $0.code == code && $0.severity == .error }, "\(reading.problems)")
    #expect(reading.dimension?.places.contains { $0.id == "g" } == true)
    #expect(reading.dimension?.places.contains { $0.id == "R" } == false)
  }
}
