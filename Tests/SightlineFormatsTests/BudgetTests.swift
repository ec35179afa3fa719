import SightlineContent
import SightlineInput
import Testing

@testable import SightlineFormats

/// Documents that make much of little (review of 2026-11, H1 to H3 and N3): reading ends, says so once, and keeps what it has.
@Suite struct BudgetTests {
  private struct Outcome {
    var reading: Reading
    var budget: ReadingBudget
    /// Bytes of the world and its findings as they are sent.
    var size: Int

    func count(_ code: String) -> Int { reading.problems.count { $0.code == code } }
  }

  private func read(_ text: String, limits: ReadingLimits = .init()) throws -> Outcome {
    let bytes = Array(text.utf8)
    var options = ReadingOptions()
    options.limits = limits
    let budget = limits.budget(documentBytes: bytes.count)
    let (format, reading) = FormatRegistry.read(bytes, options: options, budget: budget)
    let json = try ValidationReport(file: "a", format: format, reading: reading).json()
    for kind in [ReadingBudget.Kind.text, .positions, .places, .steps] {
      #expect(budget.used(kind) <= budget.limits[kind])
      let findings = reading.problems.count { $0.code == "limit.\(kind)" }
      #expect(findings == (budget.isExhausted(kind) ? 1 : 0), "\(kind): \(reading.problems.map(\.code))")
    }
    // Names of members and quotation marks included, a world is not many times the text and positions in it.
    let most = 2 * budget.used(.text) + 100 * budget.used(.positions) + 1_000 * budget.used(.places) + 3_000 * 2_004
    #expect(json.utf8.count <= most, "\(json.utf8.count) bytes from \(bytes.count)")
    return Outcome(reading: reading, budget: budget, size: json.utf8.count)
  }

  private func arml(_ inside: String) -> String {
    "<arml xmlns=\"http://www.opengis.net/arml/2.0\"><ARElements>\(inside)</ARElements></arml>"
  }
  private func times(_ count: Int, _ text: String, separator: String = "") -> String {
    Array(repeating: text, count: count).joined(separator: separator)
  }
  private func feature(_ anchors: String, name: String = "n", description: String = "d") -> String {
    "<Feature id=\"f\"><name>\(name)</name><description>\(description)</description><anchors>\(anchors)</anchors></Feature>"
  }
  private let point = "<Point><pos>48 10</pos></Point>"

  // MARK: H1a

  @Test func `placeholders are filled in once, and what is put in is no template`() throws {
    let label =
      "<Geometry><assets><Label><src>$[name] and $[description], $5, $[other]</src></Label></assets>\(point)</Geometry>"
    let outcome = try read(arml(feature(label, name: "N $[description]", description: "D $[name]")))
    let place = try #require(outcome.reading.dimension?.places.first)
    #expect(place.visual == .text("N $[description] and D $[name], $5, $[other]"))
    #expect(outcome.reading.isValid)
  }

  @Test func `nested placeholders do not multiply`() throws {
    let label = "<Geometry><assets><Label><src>\(times(400, "$[name]"))</src></Label></assets>\(point)</Geometry>"
    let text = arml(feature(label, name: times(200, "$[description]"), description: times(100_000, "x")))
    let outcome = try read(text)
    #expect(outcome.size < 400_000)
    #expect(outcome.count("limit.cut") == 2)
    #expect(outcome.reading.dimension?.places.count == 1)
  }

  @Test func `a long description asked for often is cut`() throws {
    let label =
      "<Geometry><assets><Label><src>\(times(20_000, "$[description]"))</src></Label></assets>\(point)</Geometry>"
    let outcome = try read(arml(feature(label, description: times(1_000_000, "x"))))
    #expect(outcome.size < 200_000)
    guard case .text(let text)? = outcome.reading.dimension?.places.first?.visual else { return #expect(Bool(false)) }
    #expect(text.utf8.count == ContentLimits.text)
  }

  @Test func `many labels with one description end the reading`() throws {
    let label = "<Geometry><assets><Label><src>$[description]</src></Label></assets>\(point)</Geometry>"
    let outcome = try read(arml(feature(times(5_000, label), description: times(100_000, "x"))))
    #expect(outcome.count("limit.text") == 1)
    let places = try #require(outcome.reading.dimension?.places.count)
    #expect(places > 20 && places < 200)
    let finding = try #require(outcome.reading.problems.first { $0.code == "limit.text" })
    #expect(finding.severity == .error && finding.line == 1 && finding.message.contains("Reading ends here"))
    #expect(finding.path.hasPrefix("arml/ARElements/Feature[1]/anchors/Geometry["))
  }

  // MARK: H1b

  @Test func `the links of a feature to anchors are bounded`() throws {
    let line =
      "<Geometry id=\"g\"><assets/><LineString><posList>\(times(100, "1 2 "))</posList></LineString></Geometry>"
    let outcome = try read(arml(line + feature(times(10_000, "<anchorRef href=\"#g\"/>"))))
    #expect(outcome.count("limit.cut") == 1)
    #expect(outcome.budget.used(.steps) <= outcome.budget.limits.steps)
    #expect(outcome.reading.dimension?.places.count == ContentLimits.references)
    #expect(outcome.reading.isValid)
  }

  @Test func `many features with one long line end the reading`() throws {
    let line =
      "<Geometry id=\"g\"><assets/><LineString><posList>\(times(20_000, "1 2 "))</posList></LineString></Geometry>"
    let outcome = try read(arml(line + times(2_000, feature("<anchorRef href=\"#g\"/>"))))
    #expect(outcome.count("limit.positions") + outcome.count("limit.steps") == 1)
    #expect((outcome.reading.dimension?.places.count ?? 0) >= 1)
  }

  @Test func `chains of relative anchors to one long line cost what they read`() throws {
    let line =
      "<Geometry id=\"g\"><assets/><LineString><posList>\(times(2_000, "1 2 "))</posList></LineString></Geometry>"
    let relative = "<RelativeTo><assets/><ref href=\"#g\"/><Point><pos>1 2 3</pos></Point></RelativeTo>"
    let outcome = try read(arml(line + feature(times(4_000, relative))))
    #expect(outcome.count("limit.steps") == 1)
    #expect((outcome.reading.dimension?.places.count ?? 0) >= 1)
  }

  @Test func `texts for the selected place are joined up to the limit`() throws {
    let condition = "<conditions><SelectedCondition><selected>true</selected></SelectedCondition></conditions>"
    let label = "<Text id=\"l\">\(condition)<src>\(times(50_000, "x"))</src></Text>"
    let anchor = "<Geometry><assets>\(times(5_000, "<assetRef href=\"#l\"/>"))</assets>\(point)</Geometry>"
    let outcome = try read(arml(label + feature(anchor)))
    #expect(outcome.reading.dimension?.places.first?.summary?.utf8.count == ContentLimits.text)
    #expect(outcome.count("limit.cut") >= 1)
  }

  // MARK: H1c, H1d

  private func kml(_ inside: String) -> String {
    "<kml xmlns=\"http://www.opengis.net/kml/2.2\" xmlns:ar=\"http://www.openarml.org/arml/1.0\"><Document>\(inside)"
      + "</Document></kml>"
  }

  @Test func `the tags copied from a provider to its places are bounded`() throws {
    let tags = (0..<50_000).map { "t\($0)" }.joined(separator: ",")
    let provider = "<ar:provider id=\"p\"><name>n</name><tags>\(tags)</tags></ar:provider>"
    let outcome = try read(kml(provider + times(1_000, "<Placemark><ar:provider>p</ar:provider></Placemark>")))
    let places = try #require(outcome.reading.dimension?.places)
    #expect(places.count == 1_000 && places.allSatisfy { $0.categories.count == ContentLimits.categories })
    #expect(outcome.count("limit.cut") == 1)
  }

  @Test func `long tags at many places end the reading`() throws {
    let tags = (0..<50).map { "\($0)" + times(98, "x") }.joined(separator: ",")
    let provider = "<ar:provider id=\"p\"><name>n</name><tags>\(tags)</tags></ar:provider>"
    let outcome = try read(kml(provider + times(5_000, "<Placemark><ar:provider>p</ar:provider></Placemark>")))
    #expect(outcome.count("limit.text") == 1)
    #expect((100..<5_000).contains(outcome.reading.dimension?.places.count ?? 0))
  }

  @Test func `a folder's long name is cut before it is repeated`() throws {
    let inside = "<Folder><name>\(times(1_000_000, "x"))</name>\(times(2_000, "<Placemark/>"))</Folder>"
    let outcome = try read(kml(inside))
    #expect(outcome.reading.dimension?.places.count == 2_000)
    #expect(outcome.count("limit.cut") == 1)
    #expect(outcome.size < 3_000_000)
  }

  @Test func `folders inside each other with names end the reading where they are repeated too often`() throws {
    let folders = (0..<50).map { "<Folder><name>\($0)\(times(98, "x"))</name>" }.joined()
    let outcome = try read(kml(folders + times(5_000, "<Placemark/>") + times(50, "</Folder>")))
    #expect(outcome.count("limit.text") == 1)
    #expect((100..<5_000).contains(outcome.reading.dimension?.places.count ?? 0))
  }

  // MARK: H1e

  @Test func `findings show the beginnings of long names only`() throws {
    let name = times(400_000, "n")
    let outcome = try read("{\"elements\":[],\"\(name)\":{\(times(3_000, "\"a\":0", separator: ","))}}")
    #expect(outcome.count("id.duplicate") == 2_000)
    #expect(outcome.reading.problems.allSatisfy { $0.path.utf8.count <= DocumentPath.longest + 3 })
    #expect(outcome.size < 2_000_000)
    let levels = (0..<40).map { "{\"\($0)\(times(10_000, "/~é"))\":" }.joined()
    let deep = try read(
      "{\"elements\":[],\"x\":\(levels){\(times(3_000, "\"a\":0", separator: ","))}\(times(40, "}"))}"
    )
    #expect(deep.reading.problems.allSatisfy { $0.path.utf8.count <= DocumentPath.longest + 3 })
    #expect(deep.size < 6_000_000)
  }

  @Test func `names of elements and attributes have a limit`() throws {
    let long = times(1_001, "n")
    for text in ["<arml><ARElements><\(long)/></ARElements></arml>", "<kml \(long)=\"\"/>"] {
      let outcome = try read(text)
      #expect(outcome.reading.dimension == nil && outcome.count("limit.size") == 1)
    }
    let fine = times(1_000, "n")
    let inside = "<\(fine)>" + times(5_000, "<x/>") + "</\(fine)>"
    #expect(try read("<arml><ARElements>\(inside)</ARElements></arml>").reading.dimension != nil)
    // Each of these is a finding whose message names the element.
    let gddf = try read("<dimension version=\"1.0\">\(times(5_000, "<\(fine)/>"))</dimension>")
    #expect(gddf.reading.problems.count == 2_001)
  }

  @Test func `a path is shown from its end when it is long`() {
    var path: DocumentPath = "root"
    for level in 0..<60 { path = path.child("level\(level)-" + times(150, "x"), level) }
    #expect(path.text.utf8.count <= DocumentPath.longest + 3)
    #expect(path.text.hasPrefix("…/level") && path.text.hasSuffix("[59]"))
    #expect(DocumentPath(root: "").child("a/b~c").item(3).child("").text == "/a~1b~0c/3/")
    #expect(
      DocumentPath(root: "dimension").child("features").child("featureTxt", 2).child("@id").text
        == "dimension/features/featureTxt[2]/@id"
    )
    #expect(DocumentPath(root: "").child(times(100, "äö")).text == "/" + times(50, "äö") + "…")
    #expect(DocumentPath(root: "").child("a" + times(100, "äö")).text == "/a" + times(49, "äö") + "ä…")
  }

  // MARK: H2, N3

  @Test func `tags are read once each`() throws {
    func steps(_ count: Int) throws -> Int {
      let tags = (0..<count).map { "\"k\($0)\":\"v\"" }.joined(separator: ",")
      let outcome = try read(
        "{\"elements\":[{\"type\":\"node\",\"id\":1,\"lat\":1,\"lon\":1,\"tags\":{\"name\":\"n\",\(tags)}}]}"
      )
      #expect(outcome.reading.dimension?.places.first?.metadata.count == count)
      return outcome.budget.used(.steps)
    }
    #expect(try steps(20_000) * 10 < steps(10_000) * 21)
  }

  @Test func `holes are read once each`() throws {
    let ring = "[[0,0],[1,0],[1,1],[0,0]]"
    for count in [5_000, 10_000] {
      let outcome = try read(
        "{\"type\":\"Feature\",\"properties\":{\"title\":\"a\"},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":["
          + times(count, ring, separator: ",") + "]}}"
      )
      #expect(outcome.reading.dimension?.places.first?.shapes?.first?.parts.count == count)
      #expect(outcome.budget.used(.steps) < count * 30)
    }
  }

  @Test func `overlapping rings exhaust the steps, and what was read before is kept`() throws {
    func square(_ size: Double) -> String {
      let corners = [(-size, -size), (-size, size), (size, size), (size, -size), (-size, -size)]
      return "[" + corners.map { "{\"lat\":\($0.0),\"lon\":\($0.1)}" }.joined(separator: ",") + "]"
    }
    let rings = (0..<3_000).map { "{\"role\":\"outer\",\"geometry\":\(square(20 + Double($0) / 1000))}" }
    // In the corner of every box, but in none of the triangles.
    let holes = (0..<3_000).map { _ in
      "{\"role\":\"inner\",\"geometry\":[{\"lat\":21,\"lon\":19},{\"lat\":21,\"lon\":19.1},{\"lat\":21.1,\"lon\":19},{\"lat\":21,\"lon\":19}]}"
    }
    let node = "{\"type\":\"node\",\"id\":1,\"lat\":1,\"lon\":1,\"tags\":{\"name\":\"n\"}}"
    let relation =
      "{\"type\":\"relation\",\"id\":1,\"center\":{\"lat\":1,\"lon\":1},\"tags\":{\"name\":\"r\",\"type\":\"multipolygon\"},"
      + "\"members\":[\((rings + holes).joined(separator: ","))]}"
    var limits = ReadingLimits()
    limits.budget = ReadingBudget.Limits(documentBytes: 100_000)
    let outcome = try read("{\"elements\":[\(node),\(relation),\(node)]}", limits: limits)
    #expect(outcome.count("limit.steps") == 1)
    #expect(outcome.reading.dimension?.places.first?.title == "n")
  }

  @Test func `a hole finds the ring around it`() throws {
    func ring(_ centre: (Double, Double), _ radius: Double, _ corners: Int) -> [Position] {
      (0..<corners).map { index in
        // Corners on a diamond need no trigonometry.
        let part = Double(index) / Double(corners) * 4
        let (side, along) = (Int(part), part - part.rounded(.down))
        let (y, x): (Double, Double) =
          switch side {
          case 0: (along, 1 - along)
          case 1: (1 - along, -along)
          case 2: (-along, -(1 - along))
          default: (-(1 - along), along)
          }
        return Position(latitude: centre.0 + y * radius, longitude: centre.1 + x * radius)
      }
    }
    var rings: [[Position]] = []
    for row in 0..<12 {
      for column in 0..<12 {
        rings.append(ring((Double(row) * 3, Double(column) * 3), 1, row.isMultiple(of: 2) ? 8 : 400))
      }
    }
    // Around all of them and listed last; and one far away.
    rings.append(ring((16.5, 16.5), 60, 1_000))
    rings.append(ring((-70, -100), 5, 3))
    let index = RingIndex(rings)
    for row in 0..<12 {
      for column in 0..<12 {
        let (y, x) = (Double(row) * 3, Double(column) * 3)
        let inside = Position(latitude: y + 0.3, longitude: x + 0.3)
        #expect(index.first(around: inside) { _ in true } == row * 12 + column)
        let between = Position(latitude: y + 0.9, longitude: x + 0.9)
        #expect(index.first(around: between) { _ in true } == 144)
      }
    }
    #expect(index.first(around: Position(latitude: 89, longitude: 179)) { _ in true } == nil)
    #expect(index.first(around: Position(latitude: 1, longitude: 1)) { _ in false } == nil)
    #expect(RingIndex([]).first(around: Position(latitude: 1, longitude: 1)) { _ in true } == nil)
  }

  // MARK: The same in all formats

  private static let manyPlaces: [(format: String, text: String)] = [
    (
      "gddf",
      "<dimension version=\"1.0\"><features>"
        + repeated("<featureTxt><text>t</text><location><lat>1</lat><lon>2</lon></location></featureTxt>")
        + "</features></dimension>"
    ),
    (
      "area",
      "<locations>"
        + repeated(
          "<location><latitude>1</latitude><longitude>2</longitude><altitude>3</altitude><name>n</name></location>"
        )
        + "</locations>"
    ),
    (
      "kml",
      "<kml><Document>" + repeated("<Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>")
        + "</Document></kml>"
    ),
    (
      "arml",
      "<arml><ARElements>"
        + repeated("<Feature><anchors><Geometry><assets/><Point><pos>1 2</pos></Point></Geometry></anchors></Feature>")
        + "</ARElements></arml>"
    ),
    (
      "geojson",
      "{\"type\":\"FeatureCollection\",\"features\":["
        + repeated(
          "{\"type\":\"Feature\",\"properties\":{\"name\":\"n\"},\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}",
          ","
        )
        + "]}"
    ),
    (
      "overpass",
      "{\"elements\":[" + repeated("{\"type\":\"node\",\"lat\":1,\"lon\":2,\"tags\":{\"name\":\"n\"}}", ",") + "]}"
    ),
    ("mixare", "{\"results\":[" + repeated("{\"title\":\"n\",\"lat\":1,\"lng\":2,\"elevation\":3}", ",") + "]}"),
    ("layar", "{\"hotspots\":[" + repeated("{\"anchor\":\"geo:1,2\",\"text\":{\"title\":\"n\"}}", ",") + "]}"),
  ]

  private static func repeated(_ text: String, _ separator: String = "") -> String {
    Array(repeating: text, count: 50).joined(separator: separator)
  }

  @Test(arguments: manyPlaces)
  func `what runs out is one finding, and what was read is kept`(format: String, text: String) throws {
    let plenty = ReadingBudget.Limits(documentBytes: text.utf8.count)
    #expect(try read(text).reading.dimension?.places.count == 50)
    for kind in [ReadingBudget.Kind.places, .positions, .text, .steps] {
      var limits = ReadingLimits()
      var few = plenty
      switch kind {
      case .places: few.places = 10
      case .positions: few.positions = 10
      case .text: few.text = 60
      default:
        // What the tree takes, and a little more.
        let whole = ReadingLimits().budget(documentBytes: text.utf8.count)
        _ = FormatRegistry.read(Array(text.utf8), options: .init(), budget: whole)
        few.steps = whole.used(.steps) - 20
      }
      limits.budget = few
      let outcome = try read(text, limits: limits)
      let places = try #require(outcome.reading.dimension?.places.count, "\(format) \(kind)")
      #expect(places > 0 && places < 50, "\(format) \(kind): \(places)")
      #expect(outcome.count("limit.\(kind)") == 1, "\(format) \(kind)")
      #expect(!outcome.reading.isValid)
    }
    var limits = ReadingLimits()
    limits.budget = ReadingBudget.Limits(text: 1_000_000, positions: 1_000, places: 100, findings: 1_000, steps: 5)
    let refused = try read(text, limits: limits).reading
    #expect(refused.dimension == nil && refused.problems.map(\.code) == ["limit.steps"])
  }

  @Test func `findings beyond the budget are counted, whatever their kind`() throws {
    var limits = ReadingLimits()
    limits.problems = 5
    let outcome = try read("<dimension version=\"1.0\">\(times(50, "<x/>"))</dimension>", limits: limits)
    #expect(outcome.reading.problems.count == 6)
    #expect(outcome.reading.problems.last?.message.contains("45 more findings") == true)
    #expect(outcome.reading.dimension != nil)
  }

  @Test func `texts that are too long are cut and counted together`() throws {
    let long = times(501, "é")
    let entries = (0..<3).map { "{\"id\":\"\($0)\",\"title\":\"\(long)\",\"lat\":1,\"lng\":2,\"elevation\":3}" }
    let outcome = try read("{\n\"results\":[\(entries.joined(separator: ",\n"))]}")
    #expect(outcome.reading.dimension?.places.map(\.title) == Array(repeating: times(500, "é"), count: 3))
    let cuts = outcome.reading.problems.filter { $0.code == "limit.cut" }
    #expect(cuts.count == 2 && cuts.allSatisfy { $0.severity == .warning } || cuts.count == 1)
    #expect(cuts.first?.line == 2 && cuts.first?.message.hasPrefix("3 names are") == true)
    #expect(outcome.reading.isValid)
  }

  @Test func `a text is held by another wherever it stands`() {
    for (text, part, isHeld) in [
      ("", "", true), ("a", "", true), ("", "a", false), ("abcabd", "abd", true), ("aaab", "aab", true),
      ("ababac", "abac", true), ("ababab", "abac", false), ("äöü", "ö", true), ("äöü", "ou", false),
    ] {
      #expect(text.holds(part) == isHeld, "\(part) in \(text)")
    }
    let random = (0..<200).map { String(UInt64($0) &* 0x9E37_79B9_7F4A_7C15, radix: 2).suffix(12) }
    for text in random {
      for part in random.map({ $0.prefix(4) }) { #expect(String(text).holds(String(part)) == text.contains(part)) }
    }
  }

  // MARK: Honest documents

  @Test(arguments: allFormats)
  func `no fixture comes near its budget`(format: String) throws {
    for name in try Fixtures.files(in: "\(format)/good") where !name.hasSuffix(".kmz") {
      let bytes = try Fixtures.bytes("\(format)/good/\(name)")
      let budget = ReadingLimits().budget(documentBytes: bytes.count)
      let reading = FormatRegistry.read(bytes, options: ReadingOptions(fileName: name), budget: budget).reading
      for kind in ReadingBudget.Kind.allCases {
        #expect(budget.used(kind) * 4 <= budget.limits[kind], "\(name) \(kind) \(budget.used(kind))")
      }
      #expect(!reading.problems.contains { $0.code.hasPrefix("limit.") }, "\(name)")
    }
  }

  @Test func `what states all itself never runs out`() throws {
    let placemark = "<Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>"
    let many = try read(kml(times(3_000, placemark)))
    #expect(many.reading.dimension?.places.count == 3_000 && many.budget.isExhausted(.findings))
    let line = try read(
      kml(
        "<Placemark><name>a</name><LineString><coordinates>\(times(40_000, "1,2 "))</coordinates></LineString></Placemark>"
      )
    )
    #expect(line.reading.dimension?.places.first?.shapes?.first?.parts.first?.count == 40_000)
    #expect(line.reading.isValid)
  }
}
