import Foundation
import SightlineContent
import SightlineFormats
import SightlineTestSupport
import Testing

/// Formats with fixtures in `Fixtures/<format>`.
let allFormats = ["gddf", "area", "geojson", "kml", "arml", "mixare", "layar", "overpass"]

@Suite struct PlaceFormatTests {
  private func world(_ file: String) throws -> Dimension {
    try #require(
      FormatRegistry.read(try Fixtures.bytes(file), options: ReadingOptions(fileName: file)).reading.dimension
    )
  }

  @Test(arguments: ["places.kml", "packed.kmz"])
  func `KML gives places, folders, data and refresh rules`(file: String) throws {
    let world = try world("kml/good/\(file)")
    #expect(world.name == "Old town" && world.attribution == "Town archive")
    #expect(world.summary == "A <b>walk</b> of an hour")
    #expect(world.refreshURL == "https://example.org/more.kml" && world.refreshIntervalSeconds == 60)
    #expect(world.places.map(\.title) == ["Minster", "Fountain", "Bridge", "Town wall", "Square", "Somewhere"])
    let minster = world.places[0]
    #expect(minster.id == "minster" && minster.link == "https://example.org/minster" && minster.phone == "+49 731 0000")
    #expect(minster.position == Position(latitude: 48.3985, longitude: 9.9925, altitude: 480))
    #expect(minster.altitudeMode == .seaLevel && minster.visibilityRadius == 500)
    #expect(minster.metadata == ["built": "1377", "height": "161.5"])
    // Clamped to the ground, the default: the height says nothing.
    #expect(world.places[1].altitudeMode == .ground && world.places[1].position?.altitude == nil)
    #expect(world.places[1].categories == ["Water"])
    #expect(world.places[2].categories == ["Water", "Bridges"] && world.places[2].position?.altitude == 6)
    let square = try #require(world.places[4].position)
    #expect(abs(square.latitude - 48.391) < 1e-7 && abs(square.longitude - 9.991) < 1e-7)
    #expect(world.places[4].shapes?.map(\.kind) == [.area] && world.places[3].shapes?.map(\.kind) == [.line])
    #expect(world.places[5].position == nil)
  }

  @Test func `ARML 1.0 gives provider, tags and contact`() throws {
    let world = try world("kml/good/wikitude.kml")
    #expect(world.attribution == "Example guide" && world.summary == "Places around the minster")
    let place = try #require(world.places.first)
    #expect(place.categories == ["guide", "town"] && place.link == "https://example.org/gasthaus")
    #expect(place.imageURL == "https://example.org/thumb.png" && place.phone == "555-111")
    #expect(place.metadata["email"] == "info@example.org" && place.metadata["address"] == "Market 1")
    // The customary number for an unknown height.
    #expect(place.position?.altitude == nil && place.altitudeMode == .eye)
  }

  @Test func `mixare gives texts as numbers, pages and pictures`() throws {
    let places = try world("mixare/good/places.mixare.json").places
    #expect(places.map(\.id)[0...1] == ["2827", "2821"])
    #expect(places[0].position == Position(latitude: 46.43893, longitude: 11.21706, altitude: 1737))
    #expect(places[1].position?.altitude == nil && places[1].altitudeMode == .eye)
    #expect(places[1].link == "http://example.org/G")
    #expect(places[2].imageURL == "http://example.org/roen.png" && places[2].visibilityRadius == 500)
    #expect(places[2].categories == ["summit"])
  }

  @Test func `Layar gives anchors of every kind, offsets and actions`() throws {
    let world = try world("layar/good/places.layar.json")
    #expect(world.name == "snowy4" && world.refreshIntervalSeconds == 300 && world.refreshDistance == 100)
    #expect(world.places.map(\.id) == ["spot_1", "spot_2", "spot_3", "spot_4"])
    let office = world.places[0]
    #expect(office.offset == Offset(east: 1, north: 2, up: -1.5) && office.categories == ["work"])
    #expect(office.link == "https://example.org/office" && office.phone == "+3120")
    #expect(office.metadata["footnote"] == "Powered by us")
    #expect(world.places[1].position == Position(latitude: 52.37, longitude: 4.93))
    // Nobody but Layar knows the picture that it is on.
    #expect(world.places[2].position == nil && world.places[2].target == nil)
    #expect(world.places[3].position == Position(latitude: 52.3745, longitude: 4.9342))
    #expect(world.places[3].summary == "two\nthree")
  }

  @Test func `Overpass gives named nodes, and ways at their middle`() throws {
    let world = try world("overpass/good/places.osm.json")
    #expect(world.attribution?.contains("ODbL") == true)
    #expect(world.places.map(\.id) == ["node/17", "way/5", "way/6"])
    #expect(world.places[0].position == Position(latitude: 48.3984, longitude: 9.9916, altitude: 480))
    #expect(world.places[0].categories == ["place_of_worship"] && world.places[0].link == "https://example.org/m")
    #expect(world.places[2].position == Position(latitude: 1, longitude: 11))
  }

  /// A world of what the format can hold.
  private func randomWorld(_ format: DocumentFormat, using random: inout SplitMix64) -> Dimension {
    let words = ["Ulm", "Grüße", "a < b & c", "世界", "\"quoted\"", "x]]>y", "1.5"]
    func word() -> String { words.randomElement(using: &random) ?? "" }
    var world = Dimension()
    world.name = word()
    if format == .overpass || format == .kml { world.attribution = word() }
    for number in 0..<Int.random(in: 0...8, using: &random) {
      let title = "\(word()) \(number)"
      let hasAltitude = Bool.random(using: &random)
      let position = Position(
        latitude: Double.random(in: -90...90, using: &random),
        longitude: Double.random(in: -180...180, using: &random),
        altitude: hasAltitude ? Double.random(in: 1...3000, using: &random) : nil
      )
      var place = Place(title: title, position: position, visual: .text(title))
      place.id = format == .overpass ? "node/\(number + 1)" : "id-\(number)"
      place.altitudeMode = hasAltitude ? .seaLevel : .eye
      if Bool.random(using: &random) { place.link = "https://example.org/\(number)?a=1&b=2" }
      if Bool.random(using: &random) { place.imageURL = "https://example.org/\(number).png" }
      if format != .mixare, Bool.random(using: &random) { place.summary = word() }
      if format != .mixare, Bool.random(using: &random) { place.phone = "+49 731 \(number)" }
      if format == .kml {
        place.altitudeMode = [.seaLevel, .ground, .ellipsoid, .eye].randomElement(using: &random) ?? .eye
        place.categories = (0..<Int.random(in: 0...2, using: &random)).map { _ in word() }
        place.metadata = Bool.random(using: &random) ? ["key": word()] : [:]
      }
      if format == .mixare || format == .kml, Bool.random(using: &random) { place.visibilityRadius = 250 }
      if format == .layar, Bool.random(using: &random) { place.offset = Offset(east: 1.5, north: -2, up: 3) }
      world.places.append(place)
    }
    return world
  }

  @Test(arguments: [DocumentFormat.kml, .mixare, .layar, .overpass])
  func `what a format holds comes back as it was`(format: DocumentFormat) throws {
    var random = SplitMix64(seed: 77)
    for round in 0..<150 {
      let world = randomWorld(format, using: &random)
      let written = FormatRegistry.write(world, as: format)
      let (readAs, reading) = FormatRegistry.read(written.bytes)
      #expect(readAs == format && reading.isValid, "round \(round): \(reading.problems)")
      let again = try #require(reading.dimension)
      #expect(again.name == world.name)
      #expect(again.places == world.places, "round \(round)")
      #expect(written.problems.allSatisfy { $0.code == "writer.dropped" })
      #expect(FormatRegistry.write(again, as: format).bytes == written.bytes)
    }
  }

  @Test func `what a format cannot hold is said`() {
    var place = Place(title: "A", position: nil, visual: .image(assetID: "x"))
    place.showInRadar = false
    var world = Dimension()
    world.places = [place]
    world.soundURL = "https://example.org/a.mp3"
    for format in [DocumentFormat.kml, .mixare, .layar, .overpass] {
      let problems = FormatRegistry.write(world, as: format).problems
      #expect(problems.contains { $0.message.contains("the sound of the world") })
      #expect(problems.contains { $0.message.contains(format == .kml ? "radar" : "without a position") })
    }
  }
}
