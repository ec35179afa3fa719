import Foundation
import SightlineContent
import SightlineFormats
import SightlineTestSupport
import Testing

/// Lines and areas, to and from the formats that have them.
@Suite struct ShapeTests {
  private func randomPosition(_ hasAltitude: Bool, using random: inout SplitMix64) -> Position {
    Position(
      latitude: Double.random(in: -80...80, using: &random),
      longitude: Double.random(in: -179...179, using: &random),
      altitude: hasAltitude ? Double.random(in: 1...900, using: &random) : nil
    )
  }

  private func randomPlace(_ number: Int, using random: inout SplitMix64) -> Place {
    let hasAltitude = Bool.random(using: &random)
    var shapes: [Shape] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let isArea = Bool.random(using: &random)
      let parts = (0..<(isArea ? Int.random(in: 1...3, using: &random) : 1)).map { _ in
        (0..<Int.random(in: 3...6, using: &random)).map { _ in randomPosition(hasAltitude, using: &random) }
      }
      shapes.append(Shape(kind: isArea ? .area : .line, parts: parts))
    }
    var place = Place(
      title: "Shape \(number)",
      position: randomPosition(hasAltitude, using: &random),
      visual: .text("Shape \(number)")
    )
    place.id = "shape-\(number)"
    place.shapes = shapes
    place.altitudeMode = hasAltitude ? .seaLevel : .ground
    if Bool.random(using: &random) {
      var style = ShapeStyle()
      style.stroke = "#2060ff"
      style.strokeOpacity = 0.6
      style.width = 4
      style.fill = "#ff8000"
      style.fillOpacity = 0.2
      place.shapeStyle = style
    }
    return place
  }

  @Test(arguments: [DocumentFormat.geojson, .kml])
  func `lines and areas come back as they were`(format: DocumentFormat) throws {
    var random = SplitMix64(seed: 91)
    for round in 0..<100 {
      var world = Dimension()
      world.name = "Shapes"
      world.places = (0..<3).map { randomPlace($0, using: &random) }
      let written = FormatRegistry.write(world, as: format)
      #expect(written.problems.isEmpty, "\(written.problems)")
      let (readAs, reading) = FormatRegistry.read(written.bytes)
      #expect(readAs == format && reading.problems.isEmpty, "round \(round): \(reading.problems)")
      let again = try #require(reading.dimension)
      #expect(again.places == world.places, "round \(round)")
    }
  }

  @Test func `a label in the middle of its shape needs no point`() throws {
    let text =
      ##"{"type":"Feature","id":"a","properties":{"title":"Path","stroke":"#F00"},"##
      + #""geometry":{"type":"LineString","coordinates":[[9,48],[9.1,48.1],[9.2,48]]}}"#
    let world = try #require(FormatRegistry.read(Array(text.utf8)).reading.dimension)
    #expect(world.places[0].shapeStyle?.stroke == "#ff0000")
    for format in [DocumentFormat.geojson, .kml] {
      let written = String(decoding: FormatRegistry.write(world, as: format).bytes, as: UTF8.self)
      #expect(!written.contains("Point"), "\(written)")
      let again = try #require(FormatRegistry.read(Array(written.utf8)).reading.dimension)
      #expect(again.places == world.places)
    }
  }

  @Test func `KML's shared styles are found, and what the placemark says itself counts more`() throws {
    let text = """
      <kml xmlns="http://www.opengis.net/kml/2.2"><Document>
      <Style id="n"><LineStyle><color>80ff0000</color><width>3</width></LineStyle><PolyStyle><fill>0</fill></PolyStyle></Style>
      <StyleMap id="m"><Pair><key>highlight</key><styleUrl>#x</styleUrl></Pair><Pair><key>normal</key><styleUrl>#n</styleUrl></Pair></StyleMap>
      <Placemark><name>A</name><styleUrl>#m</styleUrl><Style><LineStyle><width>7</width></LineStyle></Style>
      <LineString><coordinates>9,48 9.1,48.1</coordinates></LineString></Placemark>
      <Placemark><name>B</name><styleUrl>#none</styleUrl><LineString><coordinates>9,48 9.1,48.1</coordinates></LineString></Placemark>
      <Placemark><name>C</name><Polygon><outerBoundaryIs><LinearRing><coordinates>9,48 9.1,48 9.1,48.1 9,48</coordinates></LinearRing></outerBoundaryIs>
      <innerBoundaryIs><LinearRing><coordinates>9.05,48.02 9.06,48.02 9.06,48.03 9.05,48.02</coordinates></LinearRing></innerBoundaryIs></Polygon></Placemark>
      </Document></kml>
      """
    let reading = FormatRegistry.read(Array(text.utf8)).reading
    let places = try #require(reading.dimension).places
    let style = try #require(places[0].shapeStyle)
    #expect(style.stroke == "#0000ff" && style.width == 7 && style.fillOpacity == 0)
    #expect(abs((style.strokeOpacity ?? 0) - 128.0 / 255) < 1e-12)
    #expect(places[1].shapeStyle == nil && reading.problems.contains { $0.code == "reference.unknown" })
    #expect(places[2].shapes?.first?.parts.map(\.count) == [3, 3])
  }

  @Test func `formats without shapes say that they drop them`() {
    var place = Place(title: "Path", position: nil, visual: .text("Path"))
    place.position = Position(latitude: 48, longitude: 9)
    place.shapes = [.line([Position(latitude: 48, longitude: 9), Position(latitude: 48.1, longitude: 9)])]
    var world = Dimension()
    world.places = [place]
    for format in [DocumentFormat.gddf, .area, .mixare, .layar, .overpass] {
      let problems = FormatRegistry.write(world, as: format).problems
      #expect(problems.contains { $0.message.contains("lines and areas") }, "\(format)")
    }
  }

  @Test func `the JSON of the model keeps shapes, and worlds stored before have none`() throws {
    var random = SplitMix64(seed: 5)
    let place = randomPlace(1, using: &random)
    let data = try JSONEncoder().encode(place)
    #expect(try JSONDecoder().decode(Place.self, from: data) == place)
    let wrong = String(decoding: data, as: UTF8.self).replacingOccurrences(
      of: #""kind":"line""#,
      with: #""kind":"arc""#
    )
    .replacingOccurrences(of: #""kind":"area""#, with: #""kind":"arc""#)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Place.self, from: Data(wrong.utf8)) }
  }
}
