import SightlineContent
import SightlineFormats
import Testing

/// What is written keeps to the portable profile, whatever the world holds: neither original client refuses it.
@Suite struct GDDFPortableTests {
  private func written(_ world: Dimension) -> (world: Dimension?, text: String, losses: String, findings: [Problem]) {
    let writing = GDDFWriter.write(world)
    let reading = GDDFReader.read(writing.bytes)
    let findings = reading.problems.filter { $0.severity != .info }
    return (reading.dimension, writing.text, writing.problems.map(\.message).joined(separator: "\n"), findings)
  }

  @Test(arguments: allFormats)
  func `every good document becomes GDDF that the validator passes`(format: String) throws {
    for name in try Fixtures.files(in: "\(format)/good") {
      let options = ReadingOptions(fileName: name, baseURL: "http://ar.example.org/worlds/\(name)")
      let read = FormatRegistry.read(try Fixtures.bytes("\(format)/good/\(name)"), options: options).reading
      let writing = GDDFWriter.write(try #require(read.dimension))
      let report = ValidationReport(writing.bytes, file: "world.gddf")
      #expect(report.valid, "\(name): \(report.text())")
    }
  }

  @Test(arguments: [nil, "", "javascript:x", "http://", "file:///w.gddf"])
  func `without a usable address nothing refreshes, and that is said`(address: String?) {
    var place = Place(title: "a", position: Position(latitude: 1, longitude: 2, altitude: 3), visual: .text("a"))
    place.action = .refresh
    var world = Dimension()
    world.refreshURL = address
    world.refreshIntervalSeconds = 30
    world.refreshDistance = 50
    world.places = [place]
    let result = written(world)
    #expect(!result.text.contains("efresh") && result.findings.isEmpty, "\(result.text)")
    #expect(result.losses.contains("refresh rules without an address (2)"), "\(result.losses)")
    #expect(result.losses.contains("refresh actions without an address (1)"))
    #expect(result.losses.contains("a refresh address that leads nowhere") == (address != nil))
  }

  @Test(
    arguments: [
      ("http://a.example/a.jpeg", "JPEG", "JPG"), ("http://a.example/a", "jpg", "JPG"),
      ("http://a.example/a.png?x=.jpg", "png", "PNG"), ("http://a.example/a.gif", "GIF", "PNG"),
      ("http://a.example/A.JPG", nil, "JPG"), ("http://a.example/a", nil, "PNG"), ("http://a.example/a", "", "PNG"),
      ("http://a.example/a", "image/jpeg", "JPG"), ("http://a.example/a.jpg", "GAMA3D", "JPG"),
    ] as [(String, String?, String)]
  )
  func `a picture's format is one that the original Android client takes`(
    url: String,
    format: String?,
    expected: String
  ) {
    var world = Dimension()
    world.assets = [Asset(id: "p", url: url, format: format)]
    world.places = [Place(title: "p", position: Position(latitude: 1, longitude: 2), visual: .image(assetID: "p"))]
    world.places[0].altitudeMode = .eye
    let result = written(world)
    #expect(result.text.contains("<format>\(expected)</format>") && result.findings.isEmpty, "\(result.findings)")
    #expect(result.world?.places[0].visual == .image(assetID: "p"))
    #expect(result.losses.contains("kinds of files") == (format != nil && format != expected))
  }

  @Test func `an identifier stands once, in plain letters, and what names it follows`() {
    var world = Dimension()
    world.assets = [
      Asset(id: "a", url: "http://a.example/1.png"), Asset(id: "ä b", url: "http://a.example/2.png"),
      Asset(id: "a", url: "http://a.example/3.png"),
    ]
    for (id, asset) in [("a", "a"), ("a", "ä b"), ("NULL", "a"), ("AUTO_ID_1", "a"), ("", "a")] {
      var place = Place(
        title: "t",
        position: Position(latitude: 1, longitude: 2, altitude: 3),
        visual: .image(assetID: asset)
      )
      place.id = id
      place.showOnFocus = ["a", "gone"]
      world.places.append(place)
    }
    for _ in 0..<2 {
      var overlay = Overlay(x: 1, y: 2, content: .text("o", width: 0))
      overlay.id = "a"
      world.overlays.append(overlay)
    }
    let result = written(world)
    #expect(result.world?.assets.map(\.id) == ["__b", "a"] && result.world?.assets[1].url.hasSuffix("3.png") == true)
    #expect(result.world?.places.map(\.id) == ["a-2", "a-3", "_NULL", "_AUTO_ID_1", nil])
    #expect(result.world?.places[1].visual == .image(assetID: "__b"))
    #expect(result.world?.overlays.map(\.id) == ["a-4", "a-5"])
    #expect(result.world?.places[0].showOnFocus == ["a-4", "a-5", "gone"])
    #expect(Set(result.findings.map(\.code)) == ["D021"], "only the overlay that is nowhere: \(result.findings)")
    #expect(result.losses.contains("identifiers as they were") && result.losses.contains("of a later one (1)"))
  }

  @Test func `many equal identifiers are told apart without trying them all`() {
    var world = Dimension()
    for index in 0..<20_000 {
      var place = Place(title: "t", position: Position(latitude: 1, longitude: 2, altitude: 0), visual: .text("t"))
      place.id = index % 2 == 0 ? "x" : "x-2"
      place.altitudeMode = .seaLevel
      world.places.append(place)
    }
    let (read, _, _, findings) = written(world)
    #expect(Set(read?.places.compactMap(\.id) ?? []).count == 20_000 && findings.isEmpty)
  }

  @Test(arguments: ["", "data:image/png;base64,AA", "http://", "file:///a.png", "javascript:1"])
  func `an asset that leads nowhere is left out, and what names it becomes a text`(url: String) {
    let position = Position(latitude: 1, longitude: 2, altitude: 3)
    var world = Dimension()
    world.assets = [Asset(id: "p", url: url, format: "PNG")]
    var standing = Place(title: "S", position: position, visual: .text("S"))
    standing.target = TargetAnchor(assetID: "p", width: 1)
    world.places = [
      Place(title: "Mill", position: position, visual: .image(assetID: "p")),
      Place(
        title: "Model",
        position: position,
        visual: .model(assetID: "gone", xRotation: 0, yRotation: 0, zRotation: 0, scale: 1)
      ), standing,
    ]
    world.overlays = [Overlay(x: 1, y: 2, content: .image(assetID: "p"))]
    let result = written(world)
    #expect(result.world?.places.map(\.visual) == [.text("Mill"), .text("Model"), .text("S")])
    #expect(result.world?.assets.isEmpty == true && result.world?.overlays.isEmpty == true && result.findings.isEmpty)
    for part in ["address leads nowhere (1)", "their titles are written (2)", "usable picture (1)", "to stand on"] {
      #expect(result.losses.contains(part), "\(part)\n\(result.losses)")
    }
  }

  @Test func `offsets to the north and upwards are in the position`() throws {
    var place = Place(title: "a", position: Position(latitude: 48, longitude: 10, altitude: 400), visual: .text("a"))
    place.altitudeMode = .seaLevel
    place.offset = Offset(east: 3, north: 111.2, up: -7)
    var eye = Place(title: "b", position: Position(latitude: 48, longitude: 10), visual: .text("b"))
    eye.altitudeMode = .eye
    eye.offset = Offset(up: 2)
    var onMarker = Place(title: "c", position: nil, visual: .text("c"))
    onMarker.marker = MarkerAnchor(dictionary: "6x6-250", id: 1, length: 0.1)
    onMarker.offset = Offset(east: 1, north: 2, up: 3)
    for (world, altitude) in [([place], 393.0), ([eye], 2)] {
      var dimension = Dimension()
      dimension.places = world
      let result = written(dimension)
      let read = try #require(result.world?.places.first)
      #expect(read.offset == Offset(east: world[0].offset.east) && read.position?.altitude == altitude)
      // A second of latitude is 30.9 metres.
      let seconds = ((read.position?.latitude ?? 0) - 48) * 3600
      #expect(abs(seconds - world[0].offset.north / 30.887) < 0.01, "\(seconds)")
      #expect(result.findings.isEmpty && result.losses.contains("in the position that is written (1)"))
    }
    var world = Dimension()
    world.places = [onMarker]
    #expect(written(world).world?.places[0].offset == onMarker.offset, "in the marker's frame it stays")
    #expect(written(world).losses.contains("refuses a document with places that stand on a marker"))
  }

  @Test func `an overlay has whole points, a size and an address`() {
    var world = Dimension()
    world.overlays = [
      Overlay(x: 1.4, y: -2.6, content: .text("a", width: 0.2)), Overlay(x: .nan, y: 1, content: .text("b", width: 1)),
      Overlay(x: 1e12, y: 1, content: .text("c", width: 1)), Overlay(x: 1, y: 1, content: .text("d", width: -1)),
      Overlay(x: 1, y: 1, content: .html(url: "http://a.example/", width: 0, height: 9)),
      Overlay(x: 1, y: 1, content: .html(url: "data:text/html,x", width: 9, height: 9)),
    ]
    let result = written(world)
    #expect(result.world?.overlays == [Overlay(x: 1, y: -3, content: .text("a", width: 1))])
    #expect(result.findings.isEmpty)
    for part in [
      "on no screen (2)", "without a size (2)", "overlays whose address leads nowhere (1)", "parts of a point",
    ] {
      #expect(result.losses.contains(part), "\(part)\n\(result.losses)")
    }
  }

  @Test(arguments: [
    ("<radarRange>5</radarRange><radarRange>7</radarRange><radarRange>x</radarRange>", "counts, \"7\""),
    ("<relativeAltitude>true</relativeAltitude><relativeAltitude>maybe</relativeAltitude>", "counts, \"true\""),
    ("<name>A</name><name>B</name>", "counts, \"B\""), ("<name>A</name><name/>", "counts, \"\""),
    ("<name>A</name><name><b/></name>", "counts, \"A\""),
    ("<radarRange>x</radarRange><radarRange>-1</radarRange>", "None of them is usable"),
    (
      "<refreshUrl>http://a.example/</refreshUrl><refreshUrl>javascript:x</refreshUrl>", "counts, \"http://a.example/\""
    ),
    (
      "<features><featureTxt id='a'><text>t</text><location><lat>1</lat><lon>2</lon><lon>3</lon></location>"
        + "<showInRadar>true</showInRadar></featureTxt></features>", "counts, \"3\""
    ),
    (
      "<features><featureTxt id='a'><text>t</text><location><lat>1</lat><lon>2</lon></location><anchor>TL</anchor>"
        + "<anchor>??</anchor><showInRadar>true</showInRadar></featureTxt></features>", "counts, \"TL\""
    ),
  ])
  func `a finding about a repeated value says which one counts`(content: String, expected: String) {
    let reading = GDDFReader.read(Array("<dimension version=\"1.0\">\(content)</dimension>".utf8))
    let findings = reading.problems.filter { $0.code == "D004" }
    #expect(findings.count == 1 && findings[0].message.contains(expected), "\(reading.problems)")
  }

  @Test func `an overlay from another corner stands where the first phones had it`() {
    var world = Dimension()
    for anchor in [Pivot.topLeft, .topRight, .center, .bottomRight] {
      var overlay = Overlay(x: 10, y: 20, content: .text("a", width: 50))
      overlay.anchor = anchor
      world.overlays.append(overlay)
    }
    let result = written(world)
    #expect(result.world?.overlays.map(\.x) == [10, 310, 170, 310])
    #expect(result.world?.overlays.map(\.y) == [20, 20, 180, 300])
    #expect(result.world?.overlays.allSatisfy { $0.anchor == nil } == true && result.findings.isEmpty)
    #expect(result.losses.contains("320 by 320 points are assumed (4)"))
  }

  @Test func `an address without a server is kept and named`() {
    var world = Dimension()
    world.assets = [Asset(id: "p", url: "img/p.png")]
    let writing = GDDFWriter.write(world)
    #expect(writing.text.contains("<url>img/p.png</url>"))
    #expect(writing.problems.map(\.code) == ["writer.portable"] && writing.problems[0].message.contains("--base"))
    let whole = GDDFWriter.write(world, options: WritingOptions(baseURL: "http://a.example/w/x.gddf"))
    #expect(whole.text.contains("<url>http://a.example/w/img/p.png</url>") && whole.problems.isEmpty)
  }
}
