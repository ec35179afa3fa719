import SightlineContent
import Testing

@testable import SightlineFormats

/// When visuals are shown, and how they scale: ARML's conditions and scaling mode, GeoJSON's `display`, there and back.
@Suite struct DisplayTests {
  private func arml(_ features: String) -> Reading {
    let document = """
      <arml xmlns="http://www.opengis.net/arml/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink">
      <ARElements>\(features)</ARElements></arml>
      """
    return ARMLReader.read(Array(document.utf8))
  }

  private func anchor(_ assets: String) -> String {
    "<Geometry><assets>\(assets)</assets><gml:Point><gml:pos>48 10</gml:pos></gml:Point></Geometry>"
  }

  private func feature(_ assets: String...) -> String {
    "<Feature id=\"f\"><name>Mill</name><anchors>\(assets.map { anchor($0) }.joined())</anchors></Feature>"
  }

  private static let model = "<href xlink:href=\"https://example.org/mill.glb\"/></Model>"

  @Test func `the standard's own example: a model from 200 metres on, and nothing for the label beyond`() throws {
    let reading = arml(
      feature(
        "<Model><conditions><DistanceCondition><min>200</min></DistanceCondition></conditions>" + Self.model
          + "<Label><conditions><DistanceCondition><max>500</max><min>200</min></DistanceCondition></conditions><src>Hut</src></Label>"
      )
    )
    let place = try #require(reading.dimension?.places.first)
    #expect(place.display?.visibleFrom == 200 && place.visibilityRadius == nil && place.display?.scaling == nil)
    #expect(place.visual.assetID != nil && reading.isValid)
  }

  @Test(
    arguments: [
      ("<selected>false</selected>", PlaceDisplay.Selection.unselected, nil),
      ("<selected>0</selected>", .unselected, nil), ("<selected>true</selected>", .selected, nil),
      ("<listener>anchor</listener><selected>false</selected>", .unselected, nil),
      ("<listener>feature</listener><selected>false</selected>", .unselected, "f"),
    ] as [(String, PlaceDisplay.Selection, String?)]
  )
  func `a condition on what is selected, with either listener`(
    condition: String,
    selection: PlaceDisplay.Selection,
    group: String?
  ) throws {
    let reading = arml(
      feature("<Model><conditions><SelectedCondition>\(condition)</SelectedCondition></conditions>" + Self.model, "")
    )
    let places = try #require(reading.dimension?.places)
    #expect(places[0].display?.shownWhile == selection && places[0].display?.feature == group)
    // The other anchor of a feature that is listened to counts too.
    #expect(places[1].display?.feature == group && places[1].display?.shownWhile == nil)
    #expect(reading.problems.allSatisfy { $0.code == "field.order" || $0.severity == .info }, "\(reading.problems)")
  }

  @Test func `scaling by distance is read, and all of it is written and read again`() throws {
    let custom =
      "<ScalingMode type=\"custom\"><minScalingDistance>20</minScalingDistance>"
      + "<maxScalingDistance>500</maxScalingDistance><scalingFactor>0.25</scalingFactor></ScalingMode>"
    let conditions =
      "<conditions><DistanceCondition><max>900</max><min>5</min></DistanceCondition><SelectedCondition><listener>feature</listener>"
      + "<selected>false</selected></SelectedCondition></conditions>"
    let kinds = [
      "<Text>\(conditions)\(custom)<src>Go in</src></Text>", "<Model>\(conditions)\(custom)" + Self.model,
      "<Image>\(conditions)\(custom)<width>3</width><href xlink:href=\"https://example.org/a.png\"/></Image>",
    ]
    for kind in kinds {
      let world = try #require(arml(feature(kind)).dimension)
      var expected = PlaceDisplay()
      expected.visibleFrom = 5
      expected.scaling = .init(near: 20, far: 500, factor: 0.25)
      expected.shownWhile = .unselected
      expected.feature = "f"
      #expect(world.places[0].display == expected && world.places[0].visibilityRadius == 900, "\(kind)")
      for format in [DocumentFormat.arml, .geojson] {
        let written = FormatRegistry.write(world, as: format)
        let reading = FormatRegistry.read(written.bytes).reading
        #expect(reading.dimension?.places.first?.display == expected, "\(kind) in \(format): \(reading.problems)")
        #expect(!written.problems.contains { $0.message.contains("scale") }, "\(written.problems)")
      }
      // Formats that cannot say it say that they cannot.
      for format in [DocumentFormat.kml, .gddf, .area, .layar] {
        let written = FormatRegistry.write(world, as: format)
        #expect(written.problems.contains { $0.message.contains("how they scale") }, "\(format): \(written.problems)")
      }
    }
  }

  @Test(
    arguments: [
      ("<ScalingMode type=\"natural\"/>", nil), ("<ScalingMode type=\"odd\"/>", "field.type"),
      ("<ScalingMode/>", "field.missing"), ("<ScalingMode type=\"custom\"/>", "field.type"),
      ("<ScalingMode type=\"custom\"><minScalingDistance>0</minScalingDistance></ScalingMode>", "field.type"),
      (
        "<ScalingMode type=\"custom\"><minScalingDistance>9</minScalingDistance><maxScalingDistance>3</maxScalingDistance></ScalingMode>",
        "field.type"
      ),
      (
        "<ScalingMode type=\"custom\"><minScalingDistance>9</minScalingDistance><scalingFactor>-1</scalingFactor></ScalingMode>",
        "field.type"
      ),
      ("<ScalingMode type=\"custom\"><minScalingDistance>near</minScalingDistance></ScalingMode>", "field.type"),
      ("<ScalingMode type=\"custom\"><minScalingDistance>1e999</minScalingDistance></ScalingMode>", "field.type"),
      ("<conditions><SelectedCondition/></conditions>", "field.missing"),
      ("<conditions><SelectedCondition><selected>maybe</selected></SelectedCondition></conditions>", "field.type"),
      (
        "<conditions><SelectedCondition><selected>false</selected><listener>me</listener></SelectedCondition></conditions>",
        "field.type"
      ),
      ("<conditions><DistanceCondition><min>9</min><max>3</max></DistanceCondition></conditions>", "field.type"),
      ("<conditions><DistanceCondition><min>-9</min></DistanceCondition></conditions>", "field.type"),
      (
        "<conditions><SelectedCondition><selected>true</selected></SelectedCondition><SelectedCondition><selected>false</selected>"
          + "</SelectedCondition></conditions>", "field.type"
      ),
    ] as [(String, String?)]
  )
  func `what makes no sense is said, and the rest is shown`(more: String, code: String?) throws {
    let reading = arml(feature("<Model>\(more)" + Self.model) + "<Feature><name>Other</name></Feature>")
    let world = try #require(reading.dimension)
    #expect(world.places.map(\.title) == ["Mill", "Other"])
    #expect(world.places[0].display?.scaling == nil && world.places[0].visibilityRadius == nil)
    let found = reading.problems.filter { $0.severity != .info }.map(\.code)
    #expect(found == (code.map { [$0] } ?? []), "\(reading.problems)")
    #expect(world.faults().isEmpty)
  }

  @Test func `places that share a selection are said to be alone in ARML`() throws {
    let shown =
      "<conditions><SelectedCondition><listener>feature</listener><selected>false</selected></SelectedCondition></conditions>"
    let world = try #require(arml(feature("<Model>\(shown)" + Self.model, "")).dimension)
    #expect(ARMLWriter.write(world).problems.contains { $0.message.contains("selections that several places share") })
    // GeoJSON holds them.
    #expect(
      GeoJSONReader.read(GeoJSONWriter.write(world).bytes).dimension?.places.map(\.display)
        == world.places.map(\.display)
    )
  }

  @Test func `mistakes of display in GeoJSON and in the model are said`() throws {
    let text = """
      {"type": "FeatureCollection", "features": [{"type": "Feature", "id": "a", "geometry": {"type": "Point", "coordinates": [10, 48]},
        "properties": {"title": "A", "display": {"visibleFrom": -1, "shownWhile": "often", "feature": [], "scaling": {"near": 0, "factor": 0}}}},
       {"type": "Feature", "id": "b", "geometry": {"type": "Point", "coordinates": [10, 48]},
        "properties": {"title": "B", "display": "none"}}]}
      """
    let reading = GeoJSONReader.read(Array(text.utf8))
    let places = try #require(reading.dimension?.places)
    #expect(places.map(\.display) == [nil, nil] && places[1].metadata["display"] == "none")
    #expect(reading.problems.filter { $0.path.contains("display") }.count == 5, "\(reading.problems)")
    var world = try #require(reading.dimension)
    var display = PlaceDisplay()
    display.scaling = .init(near: 10, far: 5, factor: 1)
    world.places[0].display = display
    #expect(world.faults().map(\.path) == ["places/a/display"])
  }
}
