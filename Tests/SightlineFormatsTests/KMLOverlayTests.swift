import Foundation
import SightlineContent
import Testing

@testable import SightlineFormats

/// KML's pictures on the ground and on the screen.
@Suite struct KMLOverlayTests {
  private func read(_ inner: String) -> Reading {
    KMLReader.read(
      Array("<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document><name>W</name>\(inner)</Document></kml>".utf8)
    )
  }

  private func ground(_ box: String, _ more: String = "") -> String {
    "<GroundOverlay id=\"g\"><name>Plan</name><Icon><href>https://example.org/plan.png</href></Icon>\(more)<LatLonBox>\(box)</LatLonBox></GroundOverlay>"
  }

  private static let box = "<north>48.401</north><south>48.399</south><east>10.002</east><west>9.998</west>"

  @Test func `a picture lies on the ground as large as its box, north at its top`() throws {
    let reading = read("<Folder><name>Plans</name>\(ground(Self.box))</Folder>")
    #expect(reading.problems.allSatisfy { $0.severity == .info }, "\(reading.problems)")
    let world = try #require(reading.dimension)
    let place = try #require(world.places.first)
    #expect(place.id == "g" && place.title == "Plan" && place.categories == ["Plans"])
    let position = try #require(place.position)
    #expect(
      abs(position.latitude - 48.4) < 1e-9
        && abs(position.longitude - 10) < 1e-9
    )
    #expect(place.altitudeMode == .ground && place.pivot == .center)
    // A degree of latitude on the sphere is 111.195 km; here a degree of longitude is 73.83 km.
    let size = try #require(place.size)
    #expect(abs((size.height ?? 0) - 222.39) < 0.01)
    #expect(abs((size.width ?? 0) - 4 * 73.826) < 0.02)
    // What lies with its lower edge to the south has north at its top.
    #expect(place.attitude == Attitude(heading: 180, pitch: 90))
    guard case .image(let asset) = place.visual else {
      Issue.record("\(place.visual)")
      return
    }
    #expect(world.assets.first { $0.id == asset }?.url == "https://example.org/plan.png")
  }

  @Test func `it is turned counter-clockwise, lies at a height, and over the date line`() throws {
    let turned = read(
      ground(Self.box + "<rotation>30</rotation>", "<altitude>520</altitude><altitudeMode>absolute</altitudeMode>")
    )
    let place = try #require(turned.dimension?.places.first)
    #expect(place.attitude == Attitude(heading: 150, pitch: 90))
    #expect(place.altitudeMode == .seaLevel && place.position?.altitude == 520)
    let left = read(ground(Self.box + "<rotation>-180</rotation>"))
    #expect(left.dimension?.places.first?.attitude == Attitude(heading: 0, pitch: 90))
    let pacific = read(ground("<north>0.001</north><south>-0.001</south><east>-179.998</east><west>179.999</west>"))
    let there = try #require(pacific.dimension?.places.first)
    #expect(abs((there.position?.longitude ?? 0) - -179.9995) < 1e-9)
    #expect(abs((there.size?.width ?? 0) - 333.6) < 0.1)
  }

  @Test(arguments: [
    ("<GroundOverlay><LatLonBox>\(box)</LatLonBox></GroundOverlay>", "field.missing", "no picture"),
    ("<GroundOverlay><Icon><href>a.png</href></Icon></GroundOverlay>", "field.missing", "lies nowhere"),
    ("<GroundOverlay><Icon><href>javascript:x</href></Icon><LatLonBox>\(box)</LatLonBox></GroundOverlay>", "", ""),
    (
      "<GroundOverlay><Icon><href>a.png</href></Icon><LatLonBox><north>1</north></LatLonBox></GroundOverlay>",
      "field.missing",
      "no south"
    ),
    (
      "<GroundOverlay><Icon><href>a.png</href></Icon><LatLonBox><north>NaN</north><south>0</south><east>1</east><west>0</west></LatLonBox></GroundOverlay>",
      "", "north"
    ),
    (
      "<GroundOverlay><Icon><href>a.png</href></Icon><LatLonBox><north>0</north><south>1</south><east>1</east><west>0</west></LatLonBox></GroundOverlay>",
      "geometry.incomplete", "no size"
    ),
    ("<ScreenOverlay/>", "field.missing", "no picture"),
  ]) func `what is not whole is left out with a reason, and the rest is shown`(
    overlay: String,
    code: String,
    words: String
  ) throws {
    let reading = read(overlay + "<Placemark><name>P</name><Point><coordinates>1,1</coordinates></Point></Placemark>")
    #expect(reading.dimension?.places.map(\.title) == ["P"] && reading.dimension?.overlays.isEmpty == true)
    #expect(
      reading.problems.contains {
        $0.severity != .info && (words.isEmpty || $0.message.contains(words)) && (code.isEmpty || $0.code == code)
      },
      "\(reading.problems)"
    )
  }

  @Test func `a map of a country is a label with a reason`() throws {
    let reading = read(ground("<north>50</north><south>48</south><east>12</east><west>9</west>"))
    #expect(reading.dimension?.places.first?.visual == .text("Plan") && reading.dimension?.places.first?.size == nil)
    #expect(reading.problems.contains { $0.code == "geometry.unsupported" })
  }

  @Test(arguments: [
    // The lower left corner of the picture in that of the screen: the schema's default.
    ("", "", Pivot.bottomLeft, Pivot.bottomLeft, 0.0, 0.0),
    (
      #"x="0" y="1" xunits="fraction" yunits="fraction""#, #"x="0" y="1" xunits="fraction" yunits="fraction""#,
      .topLeft, .topLeft, 0, 0
    ),
    (#"x="0.5" y="0.5""#, #"x="0.5" y="0.5""#, .center, .center, 0, 0),
    (#"x="12" y="40" xunits="insetPixels" yunits="pixels""#, #"x="1" y="0""#, .bottomRight, .bottomRight, 12, 40),
    (#"x="12" y="40" xunits="pixels" yunits="insetPixels""#, #"x="0.5" y="1""#, .topLeft, .topCenter, 12, 40),
    (
      #"x="0" y="8" xunits="insetPixels" yunits="insetPixels""#,
      #"x="0" y="0" xunits="insetPixels" yunits="insetPixels""#, .topRight, .topRight, 0, 8
    ),
  ]) func `a picture hangs on the screen where KML says`(
    screen: String,
    own: String,
    anchor: Pivot,
    pivot: Pivot,
    x: Double,
    y: Double
  ) throws {
    let reading = read(
      "<ScreenOverlay id=\"s\"><name>Logo</name><Icon><href>https://example.org/logo.png</href></Icon><overlayXY \(own)/><screenXY \(screen)/>"
        + "<size x=\"-1\" y=\"-1\" xunits=\"pixels\" yunits=\"pixels\"/></ScreenOverlay>"
    )
    #expect(reading.problems.isEmpty, "\(reading.problems)")
    let overlay = try #require(reading.dimension?.overlays.first)
    #expect(overlay.id == "s" && overlay.anchor == anchor && overlay.pivot == pivot && overlay.x == x && overlay.y == y)
  }

  @Test func `what the screen cannot do is said`() throws {
    let reading = read(
      "<ScreenOverlay><Icon><href>https://example.org/a.png</href></Icon><screenXY x=\"0.3\" y=\"1e999\"/><size x=\"0.5\" y=\"0\"/><rotation>9</rotation></ScreenOverlay>"
        + "<ScreenOverlay><visibility>0</visibility><Icon><href>b.png</href></Icon></ScreenOverlay>"
    )
    #expect(reading.dimension?.overlays.count == 1)
    for code in ["geometry.unsupported", "extension.ignored"] {
      #expect(reading.problems.contains { $0.code == code }, "\(reading.problems)")
    }
    #expect(reading.problems.allSatisfy { $0.severity == .info })
  }

  @Test func `many pictures on the screen cost as much with identifiers as without`() {
    func seconds(_ id: (Int) -> String) -> Duration {
      let overlays = (0..<12_000).map { "<ScreenOverlay\(id($0))><Icon><href>a.png</href></Icon></ScreenOverlay>" }
        .joined()
      return ContinuousClock().measure { #expect(read(overlays).dimension?.overlays.count == 12_000) }
    }
    let without = seconds { _ in "" }
    let with = seconds { " id=\"overlay-\($0)\"" }
    #expect(with < without * 4 + .seconds(1), "\(with), \(without) without")
  }

  @Test func `of overlays with one identifier the first has it`() {
    let overlay = "<ScreenOverlay id=\"o\"><Icon><href>a.png</href></Icon></ScreenOverlay>"
    #expect(read(overlay + overlay).dimension?.overlays.map(\.id) == ["o", nil])
  }

  @Test func `what is switched off is shown neither on the ground nor on the screen`() throws {
    let off = "<visibility>0</visibility>"
    let reading = read(
      ground(Self.box, off) + "<ScreenOverlay>\(off)<Icon><href>a.png</href></Icon></ScreenOverlay>"
        + ground(Self.box, "<visibility>1</visibility>")
    )
    let world = try #require(reading.dimension)
    #expect(world.places.count == 1 && world.overlays.isEmpty)
    for name in ["GroundOverlay", "ScreenOverlay"] {
      #expect(reading.problems.contains { $0.message.contains(name) }, "\(reading.problems)")
    }
  }
}
