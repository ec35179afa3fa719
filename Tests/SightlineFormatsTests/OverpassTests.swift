import SightlineContent
import SightlineFormats
import SightlineTestSupport
import Testing

@Suite struct OverpassTests {
  private func read(_ text: String, titles: Bool = false) throws -> Dimension {
    var options = ReadingOptions()
    options.titlesFromTags = titles
    return try #require(OverpassReader.read(Array(text.utf8), options: options).dimension)
  }

  private func town(titles: Bool = false) throws -> Dimension {
    var options = ReadingOptions()
    options.titlesFromTags = titles
    return try #require(
      OverpassReader.read(try Fixtures.bytes("overpass/good/town.osm.json"), options: options).dimension
    )
  }

  @Test func `names and descriptions in other languages are translations, not fields`() throws {
    let world = try town()
    let inn = try #require(world.places.first { $0.id == "node/101" })
    #expect(inn.translations == ["en": Wording(title: "The Anchor"), "fr": Wording(title: "À l'ancre")])
    #expect(!inn.metadata.keys.contains { $0.hasPrefix("name") })
    #expect(inn.metadata["opening_hours"] == "Tu-Su 11:30-22:00" && inn.metadata["addr:street"] == "Hafengasse")
    #expect(inn.phone == "+49 731 5550100" && inn.link == "https://anker.example/")
    let cafe = try #require(world.places.first { $0.id == "node/103" })
    #expect(cafe.summary == "Garden behind the house")
    #expect(cafe.translations == ["de": Wording(summary: "Garten hinter dem Haus")])
  }

  @Test func `things without a name are left out, or named by what they are`() throws {
    #expect(try !town().places.contains { $0.id == "node/102" })
    let water = try #require(try town(titles: true).places.first { $0.id == "node/102" })
    #expect(water.title == "Drinking water" && water.categories == ["drinking_water"])
    // A tree without any of the known keys is still nothing.
    let none = try read(
      #"{"elements": [{"type": "node", "id": 1, "lat": 1, "lon": 1, "tags": {"source": "survey"}}]}"#,
      titles: true
    )
    #expect(none.places.isEmpty)
  }

  @Test func `ways become lines and areas, relations rings with their holes`() throws {
    let places = try town().places
    func shapes(_ id: String) -> [Shape] { places.first { $0.id == id }?.shapes ?? [] }
    #expect(shapes("way/201").map(\.kind) == [.area])
    #expect(shapes("way/201")[0].parts[0].count == 4, "the closing corner is not repeated")
    #expect(shapes("way/202").map(\.kind) == [.line])
    let park = try #require(shapes("relation/301").first)
    #expect(shapes("relation/301").count == 1 && park.kind == .area)
    #expect(park.parts.map(\.count) == [4, 3])
    #expect(Set(park.parts[0].map { "\($0.latitude) \($0.longitude)" }).count == 4)
    #expect(shapes("relation/302").map(\.kind) == [.line])
    // A label stands at the centre that was asked for.
    #expect(places.first { $0.id == "relation/301" }?.position == Position(latitude: 48.4, longitude: 10))
  }

  @Test(arguments: [
    (#""highway": "pedestrian""#, Shape.Kind.line), (#""highway": "pedestrian", "area": "yes""#, .area),
    (#""building": "yes""#, .area), (#""building": "yes", "area": "no""#, .line), (#""barrier": "wall""#, .line),
  ])
  func `whether a closed way is an area is decided by its tags`(tags: String, kind: Shape.Kind) throws {
    let world = try read(
      """
      {"elements": [{"type": "way", "id": 1, "center": {"lat": 0.5, "lon": 0.5}, "tags": {"name": "W", \(tags)},
      "geometry": [{"lat": 0, "lon": 0}, {"lat": 0, "lon": 1}, {"lat": 1, "lon": 1}, {"lat": 0, "lon": 0}]}]}
      """
    )
    #expect(world.places.first?.shapes?.map(\.kind) == [kind])
  }

  @Test func `rings that stay open, holes in nothing and corners that are none are left out`() throws {
    let world = try read(
      """
      {"elements": [{"type": "relation", "id": 1, "center": {"lat": 0, "lon": 0}, "tags": {"name": "R", "type": "multipolygon"},
      "members": [
        {"type": "way", "role": "outer", "geometry": [{"lat": 0, "lon": 0}, {"lat": 0, "lon": 1}, {"lat": 1, "lon": 1}]},
        {"type": "way", "role": "inner", "geometry": [{"lat": 5, "lon": 5}, {"lat": 5, "lon": 6}, {"lat": 6, "lon": 6}, {"lat": 5, "lon": 5}]},
        {"type": "way", "role": "outer", "geometry": [null, {"lat": "x", "lon": 1}, {"lat": 200, "lon": 1}]},
        {"type": "way", "role": "outer"}, 7, null
      ]}]}
      """
    )
    #expect(world.places.count == 1 && world.places[0].shapes == nil)
  }

  @Test func `ways with shapes and translations come back as they were`() throws {
    var random = SplitMix64(seed: 0x05_2026)
    for round in 0..<200 {
      var world = Dimension()
      world.name = "Round \(round)"
      for number in 0..<Int.random(in: 1...5, using: &random) {
        let isArea = Bool.random(using: &random)
        let corners = (0..<Int.random(in: 3...7, using: &random)).map { _ in
          Position(
            latitude: Double.random(in: -80...80, using: &random),
            longitude: Double.random(in: -170...170, using: &random)
          )
        }
        var place = Place(title: "Way \(number)", position: corners[0], visual: .text("Way \(number)"))
        place.id = "way/\(number + 1)"
        place.altitudeMode = .eye
        place.shapes = [isArea ? .area(corners) : .line(corners)]
        if Bool.random(using: &random) { place.metadata = ["barrier": "hedge", "area": isArea ? "yes" : "no"] }
        if Bool.random(using: &random) {
          place.translations = ["de": Wording(title: "Weg", summary: "lang"), "zh-Hant": Wording(title: "路")]
        }
        world.places.append(place)
      }
      let written = OverpassWriter.write(world)
      #expect(written.problems.isEmpty, "\(written.problems)")
      let again = try #require(OverpassReader.read(written.bytes).dimension)
      #expect(again.places == world.places, "round \(round)")
    }
  }
}
