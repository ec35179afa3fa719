import SightlineContent
import SightlineFormats
import Testing

/// Models and pictures in true size, from each format and back.
@Suite struct ThingFormatTests {
  private func read(_ text: String, _ file: String) -> Reading {
    FormatRegistry.read(Array(text.utf8), options: ReadingOptions(fileName: file)).reading
  }

  private func gddf(_ feature: String) -> String {
    """
    <dimension version="1.0"><name>W</name><relativeAltitude>false</relativeAltitude><assets>
    <asset id="m"><format>GAMA3D</format><url>http://e.org/m.glb</url></asset>
    <asset id="p"><format>PNG</format><url>http://e.org/p.png</url></asset></assets><features>\(feature)</features></dimension>
    """
  }

  private let location = "<location><lat>48</lat><lon>10</lon><alt>5</alt></location><showInRadar>true</showInRadar>"

  @Test func `GDDF has sizes and attitudes, and writes them back`() throws {
    let reading = read(
      gddf(
        """
        <feature3d id="a"><assetId>m</assetId>\(location)<size height="3"/><attitude heading="170" pitch="5" roll="-2"/></feature3d>
        <featureImg id="b"><assetId>p</assetId>\(location)<anchor>BC</anchor><size width="2" height="1.5"/></featureImg>
        """
      ),
      "w.gddf"
    )
    let world = try #require(reading.dimension)
    #expect(world.places[0].size == TrueSize(height: 3))
    #expect(world.places[0].attitude == Attitude(heading: 170, pitch: 5, roll: -2))
    #expect(world.places[1].size == TrueSize(width: 2, height: 1.5) && world.places[1].attitude == nil)
    let again = read(String(decoding: GDDFWriter.write(world).bytes, as: UTF8.self), "w.gddf")
    #expect(again.dimension?.places.map(\.size) == world.places.map(\.size))
    #expect(again.dimension?.places.map(\.attitude) == world.places.map(\.attitude))
  }

  @Test(arguments: [
    ("<size/>", "D030"), ("<size height=\"0\"/>", "D010"), ("<size height=\"tall\"/>", "D010"),
    ("<attitude pitch=\"3\"/>", "D030"), ("<attitude heading=\"north\"/>", "D010"),
    ("<attitude heading=\"1e9\"/>", "D010"),
  ])
  func `what GDDF says wrongly is reported and the feature kept`(element: String, code: String) throws {
    let reading = read(gddf("<feature3d id=\"a\"><assetId>m</assetId>\(location)\(element)</feature3d>"), "w.gddf")
    let place = try #require(reading.dimension?.places.first)
    #expect(place.size == nil && place.attitude == nil)
    #expect(reading.problems.contains { $0.code == code && $0.severity == .error }, "\(reading.problems)")
  }

  private func geojson(_ properties: String) -> String {
    """
    {"type": "FeatureCollection", "features": [{"type": "Feature", "id": "a", "geometry": {"type": "Point", "coordinates": [10, 48, 5]},
    "properties": {"title": "A", \(properties)}}]}
    """
  }

  @Test func `GeoJSON has models, pictures, sizes and attitudes, and writes them back`() throws {
    for properties in [
      #""model": {"url": "http://e.org/m.glb", "scale": 2, "xRotation": 3}, "attitude": {"heading": 90, "roll": 1}"#,
      #""picture": {"url": "http://e.org/p.png"}, "size": {"width": 2}, "attitude": {"heading": 10, "pitch": 90}"#,
    ] {
      let reading = read(geojson(properties), "w.geojson")
      let world = try #require(reading.dimension)
      #expect(reading.problems.isEmpty, "\(reading.problems)")
      #expect(world.places[0].attitude != nil && world.places[0].metadata.isEmpty)
      let writing = GeoJSONWriter.write(world)
      #expect(writing.problems.isEmpty, "\(writing.problems)")
      let again = read(String(decoding: writing.bytes, as: UTF8.self), "w.geojson").dimension
      #expect(again?.places == world.places && again?.assets == world.assets)
    }
  }

  @Test(arguments: [
    #""model": {"scale": 1}"#, #""model": {"url": "http://e.org/m.obj"}"#,
    #""model": {"url": "http://e.org/m.glb", "scale": 0}"#,
    #""picture": {"url": "http://e.org/p.png"}, "size": {"width": -1}"#,
    #""picture": {"url": "http://e.org/p.png"}, "attitude": {"heading": "north"}"#,
    #""picture": {"url": "http://e.org/p.png"}, "attitude": {"pitch": 1}"#,
  ])
  func `what GeoJSON says wrongly is reported and the rest shown`(properties: String) throws {
    let reading = read(geojson(properties), "w.geojson")
    #expect(reading.dimension?.places.count == 1)
    #expect(reading.problems.contains { $0.code == "field.type" || $0.code == "field.missing" }, "\(reading.problems)")
  }

  @Test func `somebody else's property named model stays metadata`() throws {
    let place = try #require(read(geojson(#""model": "T 34", "size": 5"#), "w.geojson").dimension?.places.first)
    #expect(place.visual == .text("A") && place.metadata == ["model": "T 34", "size": "5"])
  }

  private func kml(_ model: String) -> String {
    """
    <kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark id="a"><name>A</name><Model>
    <Location><longitude>10</longitude><latitude>48</latitude><altitude>0</altitude></Location>\(model)</Model></Placemark></Document></kml>
    """
  }

  @Test func `KML has models from GLB files, and writes them back`() throws {
    let reading = read(
      kml(
        """
        <Orientation><heading>35</heading><tilt>10</tilt><roll>5</roll></Orientation><Scale><x>2</x><y>2</y><z>2</z></Scale>
        <Link><href>http://e.org/m.glb</href></Link>
        """
      ),
      "w.kml"
    )
    let world = try #require(reading.dimension)
    #expect(!reading.problems.contains { $0.severity != .info }, "\(reading.problems)")
    let place = world.places[0]
    #expect(place.visual == .model(assetID: "asset-1", xRotation: 0, yRotation: 0, zRotation: 0, scale: 2))
    #expect(place.attitude == Attitude(heading: 215, pitch: 10, roll: -5) && place.altitudeMode == .ground)
    let writing = KMLWriter.write(world)
    #expect(writing.problems.isEmpty, "\(writing.problems)")
    let again = read(String(decoding: writing.bytes, as: UTF8.self), "w.kml").dimension
    #expect(again?.places == world.places && again?.assets == world.assets)
  }

  @Test(arguments: [
    "<Link><href>http://e.org/m.dae</href></Link>", "",
    "<Link><href>http://e.org/m.glb</href></Link><Scale><x>0</x><y>1</y><z>1</z></Scale>",
    "<Link><href>http://e.org/m.glb</href></Link><Scale><x>1</x><y>2</y><z>3</z></Scale>",
    "<Link><href>http://e.org/m.glb</href></Link><Orientation><heading>east</heading></Orientation>",
  ])
  func `what KML says wrongly is reported and the place shown`(model: String) {
    let reading = read(kml(model), "w.kml")
    #expect(reading.dimension?.places.count == 1)
    #expect(reading.problems.contains { $0.severity == .warning }, "\(reading.problems)")
  }

  private func arml(_ asset: String) -> String {
    """
    <arml xmlns="http://www.opengis.net/arml/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink">
    <ARElements><Feature id="a"><name>A</name><anchors><Geometry><assets>\(asset)</assets><gml:Point srsDimension="3">
    <gml:pos>48 10 5</gml:pos></gml:Point></Geometry></anchors></Feature></ARElements></arml>
    """
  }

  @Test func `ARML turns models and pictures at places, and writes them back`() throws {
    for (asset, size, attitude) in [
      (
        #"<Model><Orientation><heading>35</heading></Orientation><href xlink:href="http://e.org/m.glb"/></Model>"#,
        nil as TrueSize?, Attitude(heading: 215) as Attitude?
      ),
      (
        """
        <Image><width>2</width><height>1</height><orientationMode>absolute</orientationMode><Orientation><roll>0</roll>
        <tilt>90</tilt><heading>10</heading></Orientation><href xlink:href="http://e.org/p.png"/></Image>
        """,
        TrueSize(width: 2, height: 1), Attitude(heading: 190, pitch: 90)
      ),
      (#"<Image><width>2</width><href xlink:href="http://e.org/p.png"/></Image>"#, TrueSize(width: 2), nil),
    ] {
      let world = try #require(read(arml(asset), "w.arml").dimension)
      #expect(world.places[0].size == size && world.places[0].attitude == attitude)
      let again = read(String(decoding: ARMLWriter.write(world).bytes, as: UTF8.self), "w.arml").dimension
      #expect(again?.places[0].visual == world.places[0].visual)
      #expect(again?.places[0].size == size && again?.places[0].attitude == attitude)
    }
  }

  @Test(arguments: [
    #"<Image><width>100px</width><href xlink:href="http://e.org/p.png"/></Image>"#,
    #"<Model><Orientation><heading>up</heading></Orientation><href xlink:href="http://e.org/m.glb"/></Model>"#,
  ])
  func `what ARML says wrongly is reported`(asset: String) {
    let reading = read(arml(asset), "w.arml")
    #expect(reading.dimension?.places.count == 1)
    #expect(reading.problems.contains { $0.code == "field.type" }, "\(reading.problems)")
  }

  private func layar(_ more: String) -> String {
    """
    {"layer": "l", "errorCode": 0, "errorString": "ok", "hotspots": [{"id": "a", "anchor": {"geolocation": {"lat": 48, "lon": 10}},
    "text": {"title": "A"}, \(more)}]}
    """
  }

  @Test func `Layar has objects and turns them`() throws {
    let model = read(
      layar(
        #""object": {"contentType": "model/gltf-binary", "url": "http://e.org/m.glb", "size": 3}, "transform": {"scale": 2, "rotate": {"axis": {"z": 1}, "angle": 90, "rel": false}}"#
      ),
      "w.json"
    )
    let place = try #require(model.dimension?.places.first)
    #expect(place.visual == .model(assetID: "asset-1", xRotation: 0, yRotation: 0, zRotation: 0, scale: 1))
    #expect(place.size == TrueSize(height: 6) && place.attitude == Attitude(heading: 90))
    let picture = read(
      layar(#""object": {"contentType": "image/png", "url": "http://e.org/p.png", "size": 2}"#),
      "w.json"
    )
    #expect(picture.dimension?.places.first?.visual == .image(assetID: "asset-1"))
    #expect(picture.dimension?.places.first?.size == TrueSize(width: 2))
  }

  @Test(arguments: [
    #""object": {"contentType": "model/vnd.layar.l3d", "url": "http://e.org/m.l3d"}"#,
    #""object": {"url": "http://e.org/p.png"}"#,
    #""object": {"contentType": "image/png"}"#,
    #""object": {"contentType": "image/png", "url": "http://e.org/p.png", "size": "big"}"#,
    #""object": {"contentType": "image/png", "url": "http://e.org/p.png"}, "transform": {"rotate": {"axis": {"x": 1}, "angle": 9}}"#,
  ])
  func `what Layar says wrongly is reported and the place shown`(more: String) {
    let reading = read(layar(more), "w.json")
    #expect(reading.dimension?.places.count == 1)
    #expect(reading.problems.contains { $0.severity == .warning }, "\(reading.problems)")
  }

  @Test func `an ARML model is known by its path, whatever stands behind it`() throws {
    let reading = read(arml(#"<Model><href xlink:href="http://e.org/mill.GLB?v=2"/></Model>"#), "w.arml")
    guard case .model(let id, _, _, _, let scale) = try #require(reading.dimension?.places.first).visual else {
      Issue.record("\(reading.problems)")
      return
    }
    #expect(reading.dimension?.assets.first { $0.id == id }?.url == "http://e.org/mill.GLB?v=2" && scale == 1)
    #expect(!reading.problems.contains { $0.severity != .info }, "\(reading.problems)")
  }

  @Test(arguments: [
    ("<Scale><x>1</x><y>2</y><z>3</z></Scale>", 2.0, "geometry.unsupported"),
    ("<Scale><x>large</x><y>1</y><z>1</z></Scale>", 1, "field.type"),
    ("<Scale><x>-1</x><y>1</y><z>1</z></Scale>", 1, "field.type"),
    ("<Scale><x>0.3</x><y>0.3</y><z>0.3</z></Scale>", 0.3, nil),
  ])
  func `scales of ARML that differ, or are none, are said`(scale: String, used: Double, code: String?) throws {
    let reading = read(arml("<Model>\(scale)<href xlink:href=\"http://e.org/m.glb\"/></Model>"), "w.arml")
    guard case .model(_, _, _, _, let found) = try #require(reading.dimension?.places.first).visual else {
      Issue.record("\(reading.problems)")
      return
    }
    #expect(found == used)
    #expect(reading.problems.filter { $0.severity != .info }.map(\.code) == [code].compactMap(\.self))
  }

  @Test(arguments: [
    (#"{"x": 1, "y": 2, "z": 3}"#, 2.0, "geometry.unsupported"), (#"{"x": 2, "y": 2, "z": 2}"#, 2, nil),
    (#"{"y": 3}"#, 3, nil), (#"{"x": 2, "z": "tall"}"#, 2, "field.type"), ("2", 2, nil),
  ])
  func `scales of Layar that differ, or are none, are said`(scale: String, used: Double, code: String?) throws {
    let text = """
      {"layer": "l", "errorCode": 0, "hotspots": [{"id": "1", "anchor": "geo:48,10", "text": {"title": "A"},
      "object": {"contentType": "model/gltf-binary", "url": "http://e.org/m.glb"}, "transform": {"scale": \(scale)}}]}
      """
    let reading = read(text, "w.layar.json")
    let place = try #require(reading.dimension?.places.first, "\(reading.problems)")
    #expect(place.visual == .model(assetID: "asset-1", xRotation: 0, yRotation: 0, zRotation: 0, scale: used))
    #expect(reading.problems.filter { $0.severity != .info }.map(\.code) == [code].compactMap(\.self))
  }

  @Test func `GDDF with models says that the clients of 2010 do not take it`() throws {
    var world = try #require(
      read(gddf("<feature3d id=\"a\"><assetId>m</assetId>\(location)</feature3d>"), "w.gddf").dimension
    )
    func notes() -> [String] {
      GDDFWriter.write(world).problems.filter { $0.code == "writer.portable" }.map(\.message)
    }
    #expect(notes().count == 1 && notes().first?.contains("such as GLB (1)") == true, "\(notes())")
    world.assets[0].url = "http://e.org/dish.g3d"
    #expect(notes().isEmpty)
    world.assets[0].url = "http://e.org/m.glb"
    world.places[0].visual = .image(assetID: "m")
    #expect(notes().isEmpty)
  }
}
