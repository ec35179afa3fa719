import Foundation
import SightlineContent
import SightlineFormats
import Testing

@Suite struct RegistryTests {
  private func read(_ text: String, _ name: String? = nil) -> (format: DocumentFormat?, reading: Reading) {
    FormatRegistry.read(Array(text.utf8), options: ReadingOptions(fileName: name))
  }

  @Test(arguments: [
    ("<dimension version='1.0'/>", DocumentFormat.gddf), ("<!-- c --><?p?>\n<dimension/>", .gddf),
    ("<dimension xmlns='http://example.org/'/>", .gddf), ("<locations/>", .area),
    ("<locations xmlns='http://www.area.com'/>", .area), ("{\"type\":\"FeatureCollection\",\"features\":[]}", .geojson),
    (" \n{\"features\":[],\"type\":\"FeatureCollection\"}", .geojson),
    ("{\"type\":\"Point\",\"coordinates\":[1,2]}", .geojson),
    ("<kml xmlns='http://www.opengis.net/kml/2.2'/>", .kml), ("<kml/>", .kml), ("{\"results\":[]}", .mixare),
    ("{\"hotspots\":[],\"errorCode\":0}", .layar), ("{\"elements\":[]}", .overpass),
    ("\u{FEFF}<dimension/>", .gddf), ("\u{FEFF}{\"type\":\"Feature\",\"geometry\":null,\"properties\":null}", .geojson),
  ])
  func `the content tells the format, whatever the file is called`(text: String, format: DocumentFormat) {
    for name in [nil, "a.gddf", "a.area.xml", "a.geojson", "a.txt"] {
      let result = read(text, name)
      #expect(result.format == format && result.reading.dimension != nil, "\(text) as \(name ?? "-")")
    }
  }

  @Test func `a format in UTF-16 is recognised`() {
    for bigEndian in [true, false] {
      #expect(
        FormatRegistry.read(utf16Bytes("<?xml version='1.0'?><dimension/>", bigEndian: bigEndian)).format == .gddf
      )
    }
  }

  @Test(arguments: [
    ("", "is empty"), (" \n\t", "is empty"), ("GIF89a", "begins with \"GIF89a\""),
    ("<kml xmlns='http://a.example/'/>", "<kml> in the namespace \"http://a.example/\""),
    ("<locations xmlns='http://a.example/'/>", "<locations> in the namespace"), ("<Dimension/>", "<Dimension>"),
    ("{}", "an empty object"), ("[1]", "an array"),
    ("{\"spots\":[],\"layer\":\"x\"}", "the members \"spots\", \"layer\""),
    ("{\"type\":\"point\"}", "type \"point\""), ("{\"type\":7}", "members \"type\""),
  ])
  func `an unknown document is refused with what was seen`(text: String, seen: String) {
    let (format, reading) = read(text)
    #expect(format == nil && reading.dimension == nil)
    #expect(reading.problems.map(\.code) == ["format.unknown"])
    #expect(reading.problems[0].message.contains(seen), "\(reading.problems[0].message)")
    #expect(reading.problems[0].message.contains("GDDF") && reading.problems[0].message.contains("GeoJSON"))
  }

  @Test(arguments: [
    ("", "D001"), ("no xml", "D001"), ("<a>", "D001"), ("<world/>", "D001"), ("<!DOCTYPE a><a/>", "xml.doctype"),
  ])
  func `the file name decides the format of an unreadable document`(text: String, code: String) {
    let (format, reading) = read(text, "folder/Walk.GDDF")
    #expect(format == .gddf && reading.problems.map(\.code) == [code])
  }

  @Test func `the first tag decides the format of an ill-formed document`() {
    #expect(read("<?xml version='1.0'?><dimension><a></dimension>").format == .gddf)
    #expect(read("<?xml version='1.0'?><dimension><a></dimension>").reading.problems[0].code == "D001")
    #expect(read("<locations><location></locations>").format == .area)
    #expect(read("<locations><location></locations>").reading.problems[0].code == "xml.malformed")
    #expect(read("<other><a></other>").format == nil)
    #expect(read("{\"type\":", "x.geojson").format == .geojson)
    #expect(read("{\"type\":").reading.problems[0].code == "json.malformed")
  }

  @Test func `size is checked first`() {
    var options = ReadingOptions(fileName: "a.gddf")
    options.limits.bytes = 10
    let (format, reading) = FormatRegistry.read(Array("<dimension/>".utf8), options: options)
    #expect(format == .gddf && reading.problems.map(\.code) == ["limit.size"])
  }

  @Test(arguments: DocumentFormat.allCases)
  func `every format is read back as itself`(format: DocumentFormat) throws {
    for file in [
      "demo/ulm.area.xml", "demo/danube-walk.gddf", "gddf/good/everything.gddf", "geojson/good/places.geojson",
    ] {
      let world = try #require(FormatRegistry.read(try Fixtures.bytes(file)).reading.dimension)
      let written = FormatRegistry.write(world, as: format)
      let (readAs, reading) = FormatRegistry.read(written.bytes)
      #expect(readAs == format && reading.isValid, "\(file): \(reading.problems.filter { $0.severity == .error })")
      let placed = world.places.filter { $0.position != nil }
      #expect(
        reading.dimension?.places.count
          == ([.geojson, .kml, .arml].contains(format) ? world.places.count : placed.count)
      )
    }
  }
}

@Suite struct ValidationReportTests {
  private let report = ValidationReport(
    Array("<dimension version='1.0'>\n<radarRange>x\"/</radarRange></dimension>".utf8),
    file: "a/b.gddf"
  )

  @Test func `the JSON form has exactly these members, on one line`() throws {
    let json = try report.json()
    #expect(!json.contains("\n"))
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(Set(object.keys) == ["file", "format", "valid", "problems", "dimension"])
    #expect(object["file"] as? String == "a/b.gddf" && object["format"] as? String == "gddf")
    #expect(object["valid"] as? Bool == false)
    let problem = try #require((object["problems"] as? [[String: Any]])?.first)
    #expect(Set(problem.keys) == ["severity", "code", "line", "path", "message"])
    #expect(problem["severity"] as? String == "error" && problem["code"] as? String == "D010")
    #expect(problem["line"] as? Int == 2 && problem["path"] as? String == "dimension/radarRange")
    let world = try #require(object["dimension"])
    let data = try JSONSerialization.data(withJSONObject: world)
    #expect(try JSONDecoder().decode(Dimension.self, from: data) == report.dimension)
  }

  @Test func `what is missing is null`() throws {
    let json = try ValidationReport([], file: "x").json()
    #expect(json.contains("\"dimension\":null") && json.contains("\"format\":null") && json.contains("\"line\":null"))
  }

  @Test func `the text form has a line for each finding and one that sums up`() {
    let lines = report.text().split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("a/b.gddf:2: error D010 radarRange is \"x\"/\", but must be"))
    #expect(lines[1] == "a/b.gddf: not valid (gddf, 0 places, 0 overlays), 1 error, 0 warnings")
  }
}
