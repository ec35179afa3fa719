import SightlineContent
import SightlineFormats
import SightlineTestSupport
import Testing

/// Random worlds of what portable GDDF can hold.
private struct WorldGenerator {
  var random: SplitMix64

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  mutating func text() -> String {
    let words = [
      "Tower", "Brücke", "<b>", "&amp;", "]]>", "\"q\"", "'", "a\nb", "\ttab\t.", "\r\n.", "😀", "½", "x  y", "\u{85}.",
    ]
    return (0..<Int.random(in: 0...4, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
      .joined(separator: " ").trimmedForTest
  }

  mutating func number(_ range: ClosedRange<Double>) -> Double {
    switch Int.random(in: 0...3, using: &random) {
    case 0: Double.random(in: range, using: &random)
    case 1: Double.random(in: range, using: &random).rounded()
    case 2: min(max(Double.random(in: -1e-9...1e-9, using: &random), range.lowerBound), range.upperBound)
    default: range.upperBound
    }
  }

  mutating func id(_ prefix: String, _ index: Int) -> String? { chance(70) ? "\(prefix)_\(index)" : nil }

  mutating func url() -> String {
    ["http://a.example/x.png?a=1&b=%20", "https://b.example:8080/", "gamaray://c.example/d#e"].randomElement(
      using: &random
    ) ?? ""
  }

  mutating func action(refreshes: Bool) -> Action? {
    switch Int.random(in: 0...4, using: &random) {
    case 0: refreshes ? .refresh : nil
    case 1: .webPage("mailto:a@b.example?subject=x:y")
    case 2: .dimension(url())
    default: nil
    }
  }

  mutating func visual(_ assets: [String]) -> Visual {
    // Every second one is a model's file.
    guard let asset = assets.randomElement(using: &random) else { return .text(text()) }
    switch (Int.random(in: 0...3, using: &random), asset.hasSuffix("m")) {
    case (0, false): return .image(assetID: asset)
    case (0, true):
      return .model(
        assetID: asset,
        xRotation: number(-360...360),
        yRotation: number(-360...360),
        zRotation: 0,
        scale: number(0.01...50)
      )
    default: return .text(text())
    }
  }

  mutating func world() -> Dimension {
    var world = Dimension()
    world.name = chance(80) ? text() : nil
    world.radarRange = number(0.5...1e5)
    world.radarAvailable = chance(80)
    world.relativeAltitude = chance(50)
    world.refreshURL = chance(60) ? url() : nil
    let refreshes = world.refreshURL != nil
    let interval = Double(Int.random(in: 1000...600_000, using: &random)) / 1000
    world.refreshIntervalSeconds = refreshes && chance(50) ? interval : 0
    world.refreshDistance = refreshes && chance(50) ? number(0.1...1e4) : 0
    world.soundURL = chance(20) ? "http://a.example/s.wav" : nil
    for index in 0..<Int.random(in: 0...4, using: &random) {
      world.assets.append(
        Asset(
          id: index % 2 == 0 ? "asset-\(index)" : "asset-\(index)m",
          url: url(),
          format: ["PNG", "JPG"].randomElement(using: &random)
        )
      )
    }
    let assets = world.assets.map(\.id)
    for index in 0..<Int.random(in: 0...12, using: &random) {
      let position = Position(latitude: number(-90...90), longitude: number(-180...180), altitude: number(-500...9000))
      let visual = visual(assets)
      let id = id("feature", index)
      let title =
        switch visual {
        case .text(let text): text
        case .image(let asset), .model(let asset, _, _, _, _): id ?? asset
        }
      var place = Place(title: title, position: position, visual: visual)
      place.id = id
      place.altitudeMode = world.relativeAltitude ? .eye : .seaLevel
      place.offset = chance(30) ? Offset(east: number(-9...9)) : Offset()
      if case .model = visual {} else { place.pivot = Pivot.allCases.randomElement(using: &random) ?? .center }
      place.action = action(refreshes: refreshes)
      place.showInRadar = chance(80)
      place.showOnFocus = chance(20) ? ["overlay_0", "b"] : []
      world.places.append(place)
    }
    for index in 0..<Int.random(in: 0...5, using: &random) {
      let content: OverlayContent
      switch (Int.random(in: 0...2, using: &random), assets.isEmpty) {
      case (0, _), (1, true): content = .text(text(), width: number(0...500).rounded())
      case (1, false): content = .image(assetID: "asset-0")
      default: content = .html(url: "http://a.example/p", width: number(1...500), height: number(1...500))
      }
      var overlay = Overlay(x: number(-100...2000).rounded(), y: number(-100...2000).rounded(), content: content)
      overlay.id = id("overlay", index)
      overlay.pivot = Pivot.allCases.randomElement(using: &random) ?? .center
      overlay.hidden = chance(30)
      overlay.action = action(refreshes: refreshes)
      world.overlays.append(overlay)
    }
    let models = Set(world.places.compactMap { if case .model(let id, _, _, _, _) = $0.visual { id } else { nil } })
    for index in world.assets.indices where models.contains(world.assets[index].id) {
      world.assets[index].format = "GAMA3D"
    }
    return world
  }
}

extension String {
  /// Readers trim texts, so a generated one must begin and end with something visible.
  fileprivate var trimmedForTest: String { isEmpty ? "" : "·\(self)·" }
}

@Suite struct GDDFWriterTests {
  @Test func `reading what was written gives the same world, for any that GDDF holds`() throws {
    for seed in 1...400 {
      var generator = WorldGenerator(random: SplitMix64(seed: UInt64(seed)))
      let world = generator.world()
      let writing = GDDFWriter.write(world)
      let reading = GDDFReader.read(writing.bytes)
      #expect(reading.dimension == world, "seed \(seed)\n\(writing.text)")
      // Models are written, though the clients of 2010 do not take them.
      #expect(writing.problems.allSatisfy { $0.code == "writer.portable" }, "seed \(seed): \(writing.problems)")
      // Written again it is the same, byte for byte.
      if let again = reading.dimension { #expect(GDDFWriter.write(again).bytes == writing.bytes) }
    }
  }

  @Test func `what is written keeps to the portable profile`() throws {
    var place = Place(
      title: "a",
      position: Position(latitude: 1, longitude: 2, altitude: 3),
      visual: .image(assetID: "p")
    )
    place.id = "a"
    place.altitudeMode = .eye
    var world = Dimension()
    world.name = "W"
    world.refreshURL = "http://a.example/w.gddf"
    world.refreshIntervalSeconds = 20
    world.refreshDistance = 50
    world.assets = [Asset(id: "p", url: "http://a.example/P.JPEG")]
    var overlay = Overlay(x: 1, y: 2, content: .text("T", width: 0))
    overlay.id = "o"
    world.places = [place]
    world.overlays = [overlay]
    let writing = GDDFWriter.write(world)
    let reading = GDDFReader.read(writing.bytes)
    #expect(writing.problems.isEmpty && reading.problems.isEmpty, "\(reading.problems)")
    #expect(
      writing.text.contains("<waitForAssets>false</waitForAssets>") && writing.text.contains("<format>JPG</format>")
    )
    #expect(writing.text.contains("<relativeAltitude>true</relativeAltitude>"))
  }

  @Test func `addresses are completed with the base`() throws {
    let walk = try #require(GDDFReader.read(try Fixtures.bytes("demo/danube-walk.gddf")).dimension)
    let writing = GDDFWriter.write(walk, options: WritingOptions(baseURL: "http://ar.example.org/worlds/walk.gddf"))
    let world = try #require(GDDFReader.read(writing.bytes).dimension)
    #expect(world.refreshURL == "http://ar.example.org/worlds/danube-walk.gddf")
    #expect(world.assets[0].url == "http://ar.example.org/worlds/assets/minster.png")
    #expect(world.places.last?.action == .dimension("http://ar.example.org/worlds/ulm.gddf"))
  }

  @Test func `every loss is named with its count`() throws {
    var place = Place(
      title: "Title",
      position: Position(latitude: 1, longitude: 2, altitude: 300),
      visual: .text(" Label ")
    )
    place.summary = "S"
    place.categories = ["C"]
    place.visibilityRadius = 5
    place.imageURL = "http://a.example/"
    place.phone = "1"
    place.metadata = ["a": "b"]
    place.link = "http://a.example/"
    var eye = Place(title: "E", position: Position(latitude: 1, longitude: 2), visual: .text("E"))
    eye.altitudeMode = .eye
    var model = Place(
      title: "m",
      position: place.position,
      visual: .model(assetID: "m", xRotation: 0, yRotation: 0, zRotation: 0, scale: 1)
    )
    model.pivot = .center
    var world = Dimension()
    world.assets = [Asset(id: "m", url: "http://a.example/m.glb")]
    world.summary = "S"
    world.attribution = "A"
    world.refreshURL = "http://a.example/w"
    world.refreshIntervalSeconds = 1.0005
    world.places = [place, eye, model, Place(title: "N\u{1}", position: nil, visual: .text("N"))]
    world.name = "bell \u{7}"
    let writing = GDDFWriter.write(world)
    let messages = writing.problems.map(\.message).joined(separator: "\n")
    for part in [
      "description of the world (1)", "credits", "descriptions of places (1)", "categories (1)", "visibility radii",
      "pictures of places",
      "telephone", "further fields", "titles unlike the label", "white space at the ends", "without a position (1)",
      "pivots of models", "heights above the eye beside absolute", "millisecond", "XML does not allow (1)",
      "measured from",
    ] {
      #expect(messages.contains(part), "\(part)\n\(messages)")
    }
    let read = try #require(GDDFReader.read(writing.bytes).dimension)
    // The link became an action; the place at eye height stands at the middle altitude of the others.
    #expect(read.places[0].action == .webPage("http://a.example/"))
    #expect(read.places[1].position?.altitude == 300)
    #expect(read.name == "bell")
  }
}
