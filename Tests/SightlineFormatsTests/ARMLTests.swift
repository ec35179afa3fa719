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
    #expect(wheel.visual == .model(assetID: assetID, xRotation: 0, yRotation: 0, zRotation: -90, scale: 2))
    #expect(world.places[4].position?.altitude == 605)
    guard case .image = world.places[4].visual else { return #expect(Bool(false), "\(world.places[4].visual)") }
    let poster = world.places[5]
    #expect(
      poster.position == nil && poster.metadata["trackable"] == "first.jpg" && poster.metadata["trackableSize"] == "0.6"
    )
    let overlay = try #require(world.overlays.first)
    #expect(overlay.x == 10 && overlay.y == 20 && overlay.pivot == .topLeft)
    #expect(overlay.content == .text("Walk to the mill", width: 200))
    #expect(reading.problems.contains { $0.code == "reference.form" })
    #expect(reading.problems.contains { $0.code == "extension.ignored" && $0.message.contains("script") })
  }

  @Test func `every slip is told, and what is sound is kept`() throws {
    let reading = try read("faulty/slips.arml")
    let world = try #require(reading.dimension)
    #expect(Set(world.places.map(\.title)) == ["Reserved", "Distances", "No config", "Collada"])
    let codes = reading.problems.map(\.code)
    for code in [
      "id.reserved", "field.order", "position.range", "geometry.incomplete", "reference.unknown", "reference.circle",
      "geometry.ring", "field.type", "item.disabled", "field.missing", "geometry.unsupported", "anchor.unsupported",
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
