import SightlineContent
import SightlineFormats
import Testing

/// Places that stand on printed markers: our addition to GDDF and GeoJSON.
@Suite struct MarkerAnchorTests {
  private func gddf(_ marker: String, location: String = "") -> Reading {
    let text = """
      <dimension version="1.0"><name>M</name><features><featureTxt id="a"><text>A</text>\(location)\(marker)\
      <anchor>BC</anchor><showInRadar>false</showInRadar></featureTxt></features></dimension>
      """
    return GDDFReader.read(Array(text.utf8))
  }

  @Test func `a feature on a marker needs no location and comes back as it was written`() throws {
    let reading = gddf(#"<marker dictionary="apriltag-36h11" id="586" length="0.125"/>"#)
    let world = try #require(reading.dimension)
    #expect(reading.problems.map(\.code) == ["D050"])
    #expect(world.places.count == 1 && world.places[0].position == nil)
    #expect(world.places[0].marker == MarkerAnchor(dictionary: "apriltag-36h11", id: 586, length: 0.125))
    let written = GDDFWriter.write(world)
    #expect(written.problems.map(\.code) == ["writer.portable"], "\(written.problems)")
    #expect(GDDFReader.read(written.bytes).dimension?.places == world.places)

    let both = gddf(
      #"<marker dictionary="4x4-50" id="0" length="1"/>"#,
      location: "<location><lat>1</lat><lon>2</lon><alt>3</alt></location>"
    )
    #expect(both.dimension?.places.first?.position?.latitude == 1)
    #expect(both.dimension?.places.first?.marker?.dictionary == "4x4-50")
  }

  @Test(arguments: [
    (#"<marker id="1" length="0.1"/>"#, "D030", "@dictionary"),
    (#"<marker dictionary="6x6-251" id="1" length="0.1"/>"#, "D010", "@dictionary"),
    (#"<marker dictionary="6x6-250" id="250" length="0.1"/>"#, "D010", "@id"),
    (#"<marker dictionary="6x6-250" id="-1" length="0.1"/>"#, "D010", "@id"),
    (#"<marker dictionary="6x6-250" id="1.5" length="0.1"/>"#, "D010", "@id"),
    (#"<marker dictionary="6x6-250" id="1" length="0"/>"#, "D010", "@length"),
    (#"<marker dictionary="6x6-250" id="1" length="80 mm"/>"#, "D010", "@length"),
    (#"<marker dictionary="6x6-250" id="1"/>"#, "D030", "@length"),
  ]) func `a marker that cannot be is refused with its place`(marker: String, code: String, path: String) {
    let reading = gddf(marker, location: "<location><lat>1</lat><lon>2</lon><alt>3</alt></location>")
    #expect(reading.dimension?.places.count == 1 && reading.dimension?.places[0].marker == nil)
    #expect(
      reading.problems.contains { $0.code == code && $0.path.hasSuffix("/marker/\(path)") },
      "\(reading.problems)"
    )
    // Without a location nothing is left that says where it stands.
    #expect(gddf(marker).dimension?.places.isEmpty == true)
  }

  @Test func `one that hangs somewhere says which way, in both formats`() throws {
    let location = "<location><lat>1</lat><lon>2</lon><alt>3</alt></location>"
    let text = #"<marker dictionary="6x6-250" id="7" length="0.2" facing="187.5" tilt="-4" roll="90"/>"#
    let world = try #require(gddf(text, location: location).dimension)
    let marker = MarkerAnchor(dictionary: "6x6-250", id: 7, length: 0.2, facing: 187.5, tilt: -4, roll: 90)
    #expect(world.places[0].marker == marker)
    for written in [GDDFWriter.write(world), GeoJSONWriter.write(world)] {
      #expect(!written.problems.contains { $0.severity == .error }, "\(written.problems)")
    }
    #expect(GDDFReader.read(GDDFWriter.write(world).bytes).dimension?.places == world.places)
    #expect(GeoJSONReader.read(GeoJSONWriter.write(world).bytes).dimension?.places[0].marker == marker)
    // What is said wrongly is not believed, but the marker is one.
    for (name, value) in [("facing", "south"), ("facing", "361"), ("tilt", "91"), ("roll", "nan")] {
      let facing = name == "facing" ? "" : #" facing="10""#
      let reading = gddf(
        #"<marker dictionary="6x6-250" id="7" length="0.2"\#(facing) \#(name)="\#(value)"/>"#,
        location: location
      )
      #expect(reading.dimension?.places[0].marker == MarkerAnchor(dictionary: "6x6-250", id: 7, length: 0.2))
      #expect(reading.problems.contains { $0.code == "D010" && $0.path.hasSuffix("/marker/@\(name)") })
    }
  }

  @Test func `GeoJSON has it as a property`() throws {
    func read(_ marker: String) -> Reading {
      let text = """
        {"type": "FeatureCollection", "features": [{"type": "Feature", "id": "a", "geometry": null,
        "properties": {"title": "A", "marker": \(marker)}}]}
        """
      return GeoJSONReader.read(Array(text.utf8))
    }
    let world = try #require(read(#"{"dictionary": "7x7-50", "id": 49, "length": 0.08}"#).dimension)
    #expect(world.places[0].marker == MarkerAnchor(dictionary: "7x7-50", id: 49, length: 0.08))
    let written = GeoJSONWriter.write(world)
    #expect(written.problems.isEmpty && GeoJSONReader.read(written.bytes).dimension?.places == world.places)
    for wrong in [
      "5", #"{"dictionary": "7x7-50", "id": 50, "length": 0.08}"#, #"{"dictionary": "7x7-50", "id": 1}"#,
      #"{"dictionary": "x", "id": 1, "length": 1}"#,
      #"{"dictionary": "7x7-50", "id": 1, "length": 1, "facing": "south"}"#,
      #"{"dictionary": "7x7-50", "id": 1, "length": 1, "facing": 10, "tilt": 100}"#,
      #"{"dictionary": "7x7-50", "id": 1, "length": 1, "roll": 10}"#,
    ] {
      let reading = read(wrong)
      #expect(reading.dimension?.places[0].marker == nil && reading.dimension?.places[0].metadata["marker"] != nil)
      #expect(reading.problems.contains { $0.code == "field.type" && $0.path == "/features/0/properties/marker" })
    }
  }

  @Test func `the demonstration table is valid and has a model, a picture and a text`() throws {
    let report = ValidationReport(try Fixtures.bytes("demo/marker-table.gddf"), file: "marker-table.gddf")
    #expect(report.valid && report.problems.allSatisfy { $0.code == "D041" || $0.code == "D050" }, "\(report.text())")
    let world = try #require(report.dimension)
    #expect(world.places.map { $0.marker?.id } == [0, 1, 2, 3])
    #expect(world.places.allSatisfy { $0.marker?.dictionary == "6x6-250" && $0.marker?.length == 0.06 })
    for asset in world.assets where asset.format == "GAMA3D" {
      #expect(try Fixtures.bytes("demo/\(asset.url)").starts(with: Array("glTF".utf8)))
    }
  }
}
