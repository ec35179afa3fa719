import SightlineContent
import SightlineFormats
import Testing

/// Places that stand on flat pictures: our addition to GDDF.
@Suite struct TargetAnchorTests {
  private func gddf(_ target: String, location: String = "") -> Reading {
    let text = """
      <dimension version="1.0"><name>T</name>
      <assets><asset id="page"><format>PNG</format><url>http://x.example/page.png</url></asset></assets>
      <features><featureTxt id="a"><text>A</text>\(location)\(target)<xLoc>0.1</xLoc>\
      <anchor>BC</anchor><showInRadar>false</showInRadar></featureTxt></features></dimension>
      """
    return GDDFReader.read(Array(text.utf8))
  }

  @Test func `a feature on a picture needs no location and comes back as it was written`() throws {
    let reading = gddf(#"<target assetId="page" width="0.21"/>"#)
    let world = try #require(reading.dimension)
    #expect(reading.problems.map(\.code) == ["D050"])
    #expect(world.places.count == 1 && world.places[0].position == nil)
    #expect(world.places[0].target == TargetAnchor(assetID: "page", width: 0.21))
    let written = GDDFWriter.write(world)
    #expect(written.problems.map(\.code) == ["writer.portable"], "\(written.problems)")
    #expect(GDDFReader.read(written.bytes).dimension?.places == world.places)
    let lost = GeoJSONWriter.write(world)
    #expect(lost.problems.contains { $0.message.contains("pictures that places stand on") })
  }

  @Test(arguments: [
    (#"<target width="0.2"/>"#, "D030", "@assetId"), (#"<target assetId=" " width="0.2"/>"#, "D010", "@assetId"),
    (#"<target assetId="none" width="0.2"/>"#, "D021", "@assetId"), (#"<target assetId="page"/>"#, "D030", "@width"),
    (#"<target assetId="page" width="0"/>"#, "D010", "@width"),
    (#"<target assetId="page" width="21 cm"/>"#, "D010", "@width"),
    (#"<target assetId="page" width="201"/>"#, "D010", "@width"),
    (#"<target assetId="page" width="nan"/>"#, "D010", "@width"),
  ]) func `a target that cannot be is refused with its place`(target: String, code: String, path: String) {
    let reading = gddf(target, location: "<location><lat>1</lat><lon>2</lon><alt>3</alt></location>")
    #expect(reading.dimension?.places.count == 1 && reading.dimension?.places[0].target == nil)
    #expect(
      reading.problems.contains { $0.code == code && $0.path.hasSuffix("/target/\(path)") },
      "\(reading.problems)"
    )
    #expect(gddf(target).dimension?.places.isEmpty == true)
  }

  @Test(arguments: ["picture-wall.gddf", "museum.gddf"])
  func `the demonstration's worlds on pictures are valid, and their pictures are there`(file: String) throws {
    let report = ValidationReport(try Fixtures.bytes("demo/\(file)"), file: file)
    #expect(report.valid && report.problems.allSatisfy { $0.code == "D041" || $0.code == "D050" }, "\(report.text())")
    let world = try #require(report.dimension)
    #expect(world.places.allSatisfy { $0.target != nil })
    for place in world.places {
      let asset = try #require(world.assets.first { $0.id == place.target?.assetID })
      #expect(try Fixtures.bytes("demo/\(asset.url)").starts(with: [0x89, 0x50]))
    }
  }
}
