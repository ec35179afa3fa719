import Foundation
import SightlineTestSupport
import Testing

@testable import SightlineOpenStreetMap

@Suite struct OSMFileTests {
  static let helsinki = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/demo/ground/Helsinki.osm.pbf").path

  /// The counts are osmium's (`osmium fileinfo --extended` of the file and of what `osmium tags-filter -R` leaves of it).
  @Test func `an extract has the counts that osmium gives`() async throws {
    let extract = try await OSMFile(path: Self.helsinki).read()
    #expect(extract.positions.count == 24_260)
    #expect(extract.ways.count == 5_130)
    #expect(extract.relations.count == 620)
    #expect(extract.ways.count { $0.tags["building"] != nil } == 433)
    #expect(extract.nodes.count { $0.tags["highway"] == "crossing" } == 620)
    let bounds = try #require(extract.bounds)
    #expect(bounds.south == 601_641_550 && bounds.east == 249_534_145)
  }

  @Test func `of the tags only those that are wanted are kept`() async throws {
    let extract = try await OSMFile(path: Self.helsinki).read(keeping: OSMTagFilter { $0 == "building" })
    #expect(extract.ways.allSatisfy { way in way.tags.all.allSatisfy { $0.key == "building" } })
    #expect(extract.ways.count == 5_130)
    #expect(extract.positions.count == 24_260)
  }

  @Test func `XML holds what PBF holds`() async throws {
    let extract = try await OSMFile(path: Self.helsinki).read()
    let read = try await withFile(Array(Self.xml(extract).utf8), "osm") { try await OSMFile(path: $0).read() }
    #expect(read.positions.ids == extract.positions.ids)
    #expect(read.positions.values == extract.positions.values)
    #expect(read.nodes == extract.nodes)
    #expect(read.ways == extract.ways)
    #expect(read.relations == extract.relations)
    #expect(read.bounds == extract.bounds)
  }

  static func xml(_ extract: OSMExtract) -> String {
    func escaped(_ text: String) -> String {
      text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;").replacing(
        "\n",
        with: "&#10;"
      )
    }
    func degrees(_ value: Int32) -> String {
      let (whole, rest) = (abs(Int(value)) / 10_000_000, abs(Int(value)) % 10_000_000)
      return "\(value < 0 ? "-" : "")\(whole).\(String(repeating: "0", count: 7 - "\(rest)".count))\(rest)"
    }
    func tags(_ tags: OSMTags) -> String {
      tags.all.map { "<tag k=\"\(escaped($0.key))\" v='\(escaped($0.value).replacing("'", with: "&apos;"))'/>\n" }
        .joined()
    }
    var text = "<?xml version='1.0' encoding='UTF-8'?>\n<!-- a comment > with <node> in it -->\n<osm version=\"0.6\">\n"
    if let bounds = extract.bounds {
      text +=
        "<bounds minlat=\"\(degrees(bounds.south))\" minlon=\"\(degrees(bounds.west))\" maxlat=\"\(degrees(bounds.north))\" "
      text += "maxlon=\"\(degrees(bounds.east))\"/>\n"
    }
    let tagged = Dictionary(uniqueKeysWithValues: extract.nodes.map { ($0.id, $0.tags) })
    for (id, position) in zip(extract.positions.ids, extract.positions.values) {
      let start =
        "<node id=\"\(id)\" lat=\"\(degrees(position.latitude))\" lon=\"\(degrees(position.longitude))\" visible=\"true\""
      text += tagged[id].map { "\(start)>\n\(tags($0))</node>\n" } ?? "\(start) />\n"
    }
    for way in extract.ways {
      text += "<way id=\"\(way.id)\">" + way.nodes.map { "<nd ref=\"\($0)\"/>" }.joined() + tags(way.tags) + "</way>\n"
    }
    let kinds: [OSMRelation.Kind: String] = [.node: "node", .way: "way", .relation: "relation"]
    for relation in extract.relations {
      text += "<relation id=\"\(relation.id)\">"
      for member in relation.members {
        text += "<member type=\"\(kinds[member.kind] ?? "")\" ref=\"\(member.id)\" role=\"\(escaped(member.role))\"/>"
      }
      text += tags(relation.tags) + "</relation>\n"
    }
    return text + "</osm>\n"
  }

  @Test func `dense nodes with and without tags, single nodes, and a coarse grid are read`() async throws {
    let dense = PBFText.dense(
      [7, 3, 9],
      [600_000_000, 600_000_001, -5],
      [249_000_000, 0, 3],
      [1, 2, 0, 0, 3, 4, 1, 2, 0]
    )
    var node = ProtobufText()
    node.varint(1 << 3)
    node.varint(ProtobufText.zigzag(-4))
    node.varint(8 << 3)
    node.varint(ProtobufText.zigzag(10))
    node.varint(9 << 3)
    node.varint(ProtobufText.zigzag(20))
    let block = PBFText.block(["", "a", "b", "c", "d"], [(2, dense), (1, node.bytes)])
    let extract = try await withFile(
      PBFText.header() + PBFText.blob("Other", [1, 2, 3]) + PBFText.blob("OSMData", block)
    ) {
      try await OSMFile(path: $0).read()
    }
    #expect(extract.positions.ids == [-4, 3, 7, 9])
    #expect(extract.positions[7] == OSMPosition(latitude: 600_000_000, longitude: 249_000_000))
    #expect(extract.positions[9] == OSMPosition(latitude: -5, longitude: 3))
    #expect(extract.nodes.map(\.id) == [7, 9])
    #expect(extract.nodes[1].tags == ["c": "d", "a": "b"])
    let coarse = PBFText.block([""], [(2, PBFText.dense([1], [12], [-7]))], granularity: 1000)
    let other = try await withFile(PBFText.header() + PBFText.blob("OSMData", coarse, isPacked: false)) {
      try await OSMFile(path: $0).read()
    }
    #expect(other.positions[1] == OSMPosition(latitude: 120, longitude: -70))
  }
}

/// What strangers send.
@Suite struct DamagedOSMTests {
  private static func problem(_ bytes: [UInt8], _ ending: String = "osm.pbf") async throws -> OSMReadingError? {
    try await withFile(bytes, ending) { path in
      do {
        _ = try await OSMFile(path: path).read()
        return nil
      } catch let error as OSMReadingError { return error }
    }
  }

  private static let good = PBFText.block(["", "a", "b"], [(2, PBFText.dense([1], [2], [3]))])

  @Test func `what is wrong is said with the block and the byte where it begins`() async throws {
    let start = PBFText.header()
    let wrong: [(String, [UInt8])] = [
      ("cut off", Array(PBFText.blob("OSMData", Self.good).dropLast(3))),
      ("too long header", [0xFF, 0, 0, 0, 1]), ("negative size", PBFText.framed("OSMData", [1], size: -1)),
      ("huge size", PBFText.framed("OSMData", [1], size: Int.max)),
      ("not packed as it says", PBFText.framed("OSMData", [0x10, 5, 0x1A, 3, 1, 2, 3])),
      ("another packing", PBFText.framed("OSMData", [0x10, 5, 0x3A, 3, 1, 2, 3])),
      ("no content", PBFText.framed("OSMData", [0x10, 5])),
      (
        "says it unpacks to more than may be",
        PBFText.framed("OSMData", [0x10, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0x1A, 1, 1])
      ),
      (
        "a text that is not there",
        PBFText.blob("OSMData", PBFText.block([""], [(2, PBFText.dense([1], [2], [3], [9, 9, 0]))]))
      ),
      (
        "a key without value",
        PBFText.blob("OSMData", PBFText.block(["", "a"], [(2, PBFText.dense([1], [2], [3], [1]))]))
      ),
      (
        "fewer positions than nodes",
        PBFText.blob("OSMData", PBFText.block([""], [(2, PBFText.dense([1, 2], [2], [3, 4]))]))
      ),
      (
        "north of the pole", PBFText.blob("OSMData", PBFText.block([""], [(2, PBFText.dense([1], [900_000_001], [3]))]))
      ),
      (
        "numbers that overflow",
        PBFText.blob(
          "OSMData",
          PBFText.block([""], [(2, PBFText.dense([1], [Int(Int64.max) / 4], [3]))], granularity: Int.max)
        )
      ),
      ("a group that is cut off", PBFText.blob("OSMData", [0x12, 0x7F, 1])),
    ]
    for (what, bytes) in wrong {
      let found = try await Self.problem(start + PBFText.blob("OSMData", Self.good) + bytes)
      guard case .block(let number, let offset, _) = found else {
        Issue.record("\(what): \(String(describing: found))")
        continue
      }
      #expect(number == 3, "\(what)")
      #expect(offset == start.count + PBFText.blob("OSMData", Self.good).count, "\(what)")
    }
  }

  @Test func `a file of another kind, of nothing, or without header is refused`() async throws {
    #expect(try await Self.problem([]) != nil)
    #expect(try await Self.problem(Array("PK\u{3}\u{4} something else".utf8)) != nil)
    #expect(try await Self.problem(PBFText.blob("OSMData", Self.good)) != nil)
    #expect(try await Self.problem(PBFText.header(requiring: ["HistoricalInformation"])) != nil)
    await #expect(throws: OSMReadingError.unreadable("/nowhere.osm.pbf")) {
      _ = try await OSMFile(path: "/nowhere.osm.pbf").read()
    }
  }

  @Test func `more than may be is refused before it fills the memory`() async throws {
    let many = PBFText.block([""], [(2, PBFText.dense(Array(0..<50), Array(0..<50), Array(0..<50)))])
    try await withFile(PBFText.header() + PBFText.blob("OSMData", many)) { path in
      var file = OSMFile(path: path)
      file.limits.nodes = 49
      let limited = file
      await #expect(throws: OSMReadingError.self) { _ = try await limited.read() }
    }
  }

  @Test func `bytes turned at random never end the program`() async throws {
    let source = [UInt8](try Data(contentsOf: URL(fileURLWithPath: OSMFileTests.helsinki)))
    // The first two blocks, so that a turn has its effect.
    let bytes = Array(source.prefix(60_000))
    var generator = SplitMix64(seed: 24)
    for _ in 0..<150 {
      var turned = bytes
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        turned[Int.random(in: 0..<turned.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      _ = try await Self.problem(Array(turned.prefix(Int.random(in: 1...turned.count, using: &generator))))
    }
  }

  @Test(arguments: [
    "<osm><node id=\"1\" lat=\"1\" lon=\"2\">", "<osm></osm></osm>", "<osm><node id=\"x\" lat=\"1\" lon=\"2\"/></osm>",
    "<osm><node id=\"1\" lat=\"nan\" lon=\"2\"/></osm>", "<osm><node id=\"1\" lat=\"91\" lon=\"2\"/></osm>",
    "<osm><node id=\"1\" lat=\"1e400\" lon=\"2\"/></osm>",
    "<osm><way id=\"1\"><nd ref=\"9223372036854775808\"/></way></osm>",
    "<osm><way id=\"1\"><tag k=\"a\"/></way></osm>",
    "<osm><relation id=\"1\"><member type=\"x\" ref=\"1\"/></relation></osm>",
    "<osm><node id='1 lat='1'/></osm>", "<osm><node id=1 lat=\"1\" lon=\"2\"/></osm>",
    "<osm><node id=\"&x;\" lat=\"1\" lon=\"2\"/></osm>",
    "<!DOCTYPE osm [<!ENTITY a \"b\">]><osm/>", "<osm><", "<osm><!-- ", "<?xml ",
    "<osm><node id=\"&#x110000;\" lat=\"1\" lon=\"1\"/></osm>",
  ]) func `XML that is none is refused with its line`(text: String) async throws {
    let found = try await Self.problem(Array(("<?xml version=\"1.0\"?>\n" + text).utf8), "osm")
    guard case .line(let line, _) = found else {
      Issue.record("\(String(describing: found))")
      return
    }
    #expect(line == 2)
  }

  @Test func `what was deleted is not there`() async throws {
    let text =
      "<osm><node id=\"1\" visible=\"false\"/><node id=\"2\" lat=\"1\" lon=\"2\"/><way id=\"3\" visible=\"false\"><nd ref=\"2\"/></way></osm>"
    let extract = try await withFile(Array(text.utf8), "osm") { try await OSMFile(path: $0).read() }
    #expect(extract.positions.ids == [2])
    #expect(extract.ways.isEmpty)
  }
}
