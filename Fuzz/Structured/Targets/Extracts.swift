import Dispatch
import Foundation
import SightlineGeodesy
import SightlineOpenStreetMap
import SightlineWalking

@testable import SightlineGround

/// OpenStreetMap extracts, as PBF and as XML.
///
/// Streets, houses, waters, coasts and relations of few nodes, with extreme positions and
/// identifiers, references to what is not there, and damaged bytes; made into a ground, whose tiles are read and in which a way
/// is looked for.
struct ExtractTarget: StructuredTarget {
  static let name = "extract"
  private let source: String
  private let ground: String

  init() {
    let process = ProcessInfo.processInfo.processIdentifier
    let folder = FileManager.default.temporaryDirectory.path + "/sightline-extract-\(process)"
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    (source, ground) = (folder + "/input", folder + "/output")
  }

  // MARK: Making

  private typealias Tags = [(String, String)]
  private struct Way {
    var id: Int
    var nodes: [Int]
    var tags: Tags
  }
  private struct Relation {
    var id: Int
    var members: [(kind: Int, id: Int, role: String)]
    var tags: Tags
  }
  private struct Extract {
    /// Identifiers, and positions in 1e-7 degrees.
    var nodes: [(id: Int, latitude: Int, longitude: Int, tags: Tags)] = []
    var ways: [Way] = []
    var relations: [Relation] = []
  }

  private static let wayTags: [Tags] = [
    [("highway", "footway")], [("highway", "steps"), ("incline", "up"), ("step_count", "12")],
    [("highway", "residential"), ("name", "Bulevarden"), ("sidewalk", "both")],
    [("highway", "pedestrian"), ("area", "yes")], [("highway", "primary"), ("oneway", "yes"), ("foot", "no")],
    [("building", "yes"), ("height", "12.5 m"), ("addr:housenumber", "7a")],
    [("building", "yes"), ("building:levels", "5")], [("building:part", "yes"), ("min_height", "9"), ("height", "20")],
    [("natural", "water"), ("name:fi", "Järvi")], [("natural", "coastline")], [("leisure", "park"), ("name", "Park")],
    [("railway", "tram")], [("landuse", "forest")], [],
  ]
  private static let nodeTags: [Tags] = [
    [("highway", "crossing"), ("crossing", "traffic_signals")], [("barrier", "gate"), ("access", "private")],
    [("entrance", "main")], [("amenity", "cafe"), ("name", "Café")], [("place", "city"), ("name", "Helsinki")],
  ]

  private func extreme(_ value: Int, _ random: inout Random, once: Int) -> Int {
    random.once(in: once) ? Values.extremeInteger(&random) : value
  }

  private func broken(_ tags: Tags, _ random: inout Random) -> Tags {
    tags.map { ($0.0, random.once(in: 12) ? Values.extremeText(&random) : $0.1) }
  }

  private func extract(_ random: inout Random) -> Extract {
    var made = Extract()
    let side = random.number(in: 2...6)
    let isFar = random.once(in: 12)
    for index in 0..<(side * side) {
      var (latitude, longitude) = (601_700_000 + index / side * 4_000, 249_400_000 + index % side * 8_000)
      if isFar, random.once(in: 6) {
        latitude = random.number(in: -900_000_000...900_000_000)
        longitude = random.number(in: -1_800_000_000...1_800_000_000)
      }
      made.nodes.append(
        (
          extreme(index + 1, &random, once: 200), extreme(latitude, &random, once: 300),
          extreme(longitude, &random, once: 300),
          random.once(in: 4) ? broken(random.pick(Self.nodeTags), &random) : []
        )
      )
    }
    for index in 0..<random.number(in: 1...8) {
      let count = random.once(in: 200) ? random.number(in: 0...2_000) : random.number(in: 1...8)
      var nodes = (0..<count).map { _ in extreme(random.number(in: 1...(side * side)), &random, once: 150) }
      if random.once(in: 2), let first = nodes.first { nodes.append(first) }
      made.ways.append(
        Way(id: extreme(index + 1, &random, once: 100), nodes: nodes, tags: broken(random.pick(Self.wayTags), &random))
      )
    }
    for index in 0..<random.count(upTo: 6) {
      let members = (0..<random.number(in: 0...5)).map { _ in
        (
          kind: random.once(in: 6) ? random.below(4) : 1, id: extreme(random.number(in: 1...9), &random, once: 60),
          role: random.pick(["outer", "inner", "outline", "part", ""])
        )
      }
      let kind = random.pick(["multipolygon", "building", "route", "boundary"])
      made.relations.append(
        Relation(
          id: extreme(index + 1, &random, once: 100),
          members: members,
          tags: [("type", kind)] + broken(random.pick(Self.wayTags), &random)
        )
      )
    }
    return made
  }

  mutating func make(_ random: inout Random, into out: inout [UInt8]) {
    let made = extract(&random)
    if random.once(in: 3) { xml(made, &random, into: &out) } else { pbf(made, &random, into: &out) }
    if random.once(in: 6) { out.breakFields(&random) }
  }

  private func xml(_ made: Extract, _ random: inout Random, into out: inout [UInt8]) {
    func text(_ value: String) -> String {
      random.once(in: 40)
        ? value
        : value.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
    func written(_ tags: Tags) -> String {
      tags.map { "<tag k=\"\(text($0.0))\" v=\"\(text($0.1))\"/>" }.joined()
    }
    func degrees(_ value: Int) -> String {
      random.once(in: 200) ? Values.extremeNumber(&random) : "\(Double(value) * 1e-7)"
    }
    var document = "<?xml version='1.0' encoding='UTF-8'?><osm version=\"0.6\">"
    if random.once(in: 4) {
      document += "<bounds minlat=\"\(degrees(601_700_000))\" minlon=\"\(degrees(249_400_000))\" "
      document += "maxlat=\"\(degrees(601_720_000))\" maxlon=\"\(degrees(249_440_000))\"/>"
    }
    for node in made.nodes {
      document += "<node id=\"\(node.id)\" lat=\"\(degrees(node.latitude))\" lon=\"\(degrees(node.longitude))\">"
      document += "\(written(node.tags))</node>\n"
    }
    for way in made.ways {
      document += "<way id=\"\(way.id)\">" + way.nodes.map { "<nd ref=\"\($0)\"/>" }.joined()
      document += "\(written(way.tags))</way>\n"
    }
    for relation in made.relations {
      document += "<relation id=\"\(relation.id)\">"
      for member in relation.members {
        let kind = ["node", "way", "relation", "x"][member.kind]
        document += "<member type=\"\(kind)\" ref=\"\(member.id)\" role=\"\(member.role)\"/>"
      }
      document += "\(written(relation.tags))</relation>\n"
    }
    out += Array((document + "</osm>").utf8)
  }

  // MARK: PBF (wiki.openstreetmap.org/wiki/PBF_Format)

  private struct Message {
    var bytes: [UInt8] = []

    mutating func varint(_ value: UInt64) {
      var value = value
      while value >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
        value >>= 7
      }
      bytes.append(UInt8(truncatingIfNeeded: value))
    }

    mutating func number(_ field: UInt64, _ value: Int) {
      varint(field << 3)
      varint(UInt64(bitPattern: Int64(value)))
    }

    mutating func message(_ field: UInt64, _ content: [UInt8]) {
      varint(field << 3 | 2)
      varint(UInt64(content.count))
      bytes += content
    }

    static func packed(_ values: [Int]) -> [UInt8] {
      var made = Message()
      for value in values { made.varint(UInt64(bitPattern: Int64(value))) }
      return made.bytes
    }

    /// Differences from one to the next, in ZigZag coding.
    static func deltas(_ values: [Int]) -> [UInt8] {
      packed(
        zip(values, [0] + values).map {
          let step = $0 &- $1; return step << 1 ^ step >> 63
        }
      )
    }
  }

  private func pbf(_ made: Extract, _ random: inout Random, into out: inout [UInt8]) {
    func frame(_ kind: String, _ content: [UInt8]) {
      var blob = Message()
      blob.message(1, content)
      var header = Message()
      header.message(1, Array(kind.utf8))
      header.number(3, extreme(blob.bytes.count, &random, once: 300))
      out.putBig(extreme(header.bytes.count, &random, once: 300), 4)
      out += header.bytes + blob.bytes
    }
    var header = Message()
    if random.once(in: 4) {
      var area = Message()
      for (field, value) in [249_400_000, 249_440_000, 601_720_000, 601_700_000].enumerated() {
        let side = extreme(value * 100, &random, once: 20)
        area.number(UInt64(field + 1), side << 1 ^ side >> 63)
      }
      header.message(1, area.bytes)
    }
    header.message(4, Array("OsmSchema-V0.6".utf8))
    header.message(4, Array((random.once(in: 100) ? Values.extremeText(&random) : "DenseNodes").utf8))
    if !random.once(in: 100) { frame("OSMHeader", header.bytes) }

    var texts = [""]
    func text(_ value: String) -> Int {
      if random.once(in: 400) { return Values.extremeInteger(&random) }
      if let index = texts.firstIndex(of: value) { return index }
      texts.append(value)
      return texts.count - 1
    }
    func tags(_ tags: Tags, into message: inout Message) {
      message.message(2, Message.packed(tags.map { text($0.0) }))
      message.message(3, Message.packed(tags.map { text($0.1) } + (random.once(in: 200) ? [1] : [])))
    }
    var dense = Message()
    dense.message(1, Message.deltas(made.nodes.map(\.id)))
    dense.message(8, Message.deltas(made.nodes.map(\.latitude)))
    dense.message(9, Message.deltas(made.nodes.map(\.longitude) + (random.once(in: 200) ? [7] : [])))
    if !random.once(in: 6) {
      dense.message(10, Message.packed(made.nodes.flatMap { $0.tags.flatMap { [text($0.0), text($0.1)] } + [0] }))
    }
    var group = Message()
    group.message(2, dense.bytes)
    for way in made.ways {
      var message = Message()
      message.number(1, way.id)
      tags(way.tags, into: &message)
      message.message(8, Message.deltas(way.nodes))
      group.message(3, message.bytes)
    }
    for relation in made.relations {
      var message = Message()
      message.number(1, relation.id)
      tags(relation.tags, into: &message)
      message.message(8, Message.packed(relation.members.map { text($0.role) }))
      message.message(9, Message.deltas(relation.members.map(\.id)))
      message.message(10, Message.packed(relation.members.map(\.kind)))
      group.message(4, message.bytes)
    }
    var table = Message()
    for text in texts { table.message(1, Array(text.utf8)) }
    var block = Message()
    block.message(1, table.bytes)
    block.message(2, group.bytes)
    if random.once(in: 12) { block.number(17, extreme(100, &random, once: 2)) }
    if random.once(in: 12) { block.number(19, Values.extremeInteger(&random)) }
    frame("OSMData", block.bytes)
  }

  // MARK: Checking

  private final class Answer: @unchecked Sendable { var result: Result<Void, any Error>? }

  /// Few, so that an area round the Earth is refused in little time.
  private static let mostTiles = 3_000

  mutating func check(_ input: [UInt8]) throws(Finding) -> Outcome {
    guard FileManager.default.createFile(atPath: source, contents: Data(input)) else {
      throw Finding("no room for files")
    }
    let answer = Answer()
    let done = DispatchSemaphore(value: 0)
    let (source, ground) = (source, ground)
    Task.detached {
      do {
        try await GroundBuilder.build(
          extract: source,
          into: ground,
          heights: nil,
          mostTiles: Self.mostTiles,
          progress: { _, _ in }
        )
        answer.result = .success(())
      } catch { answer.result = .failure(error) }
      done.signal()
    }
    done.wait()
    switch answer.result {
    case .success:
      do { try look(GroundFile(path: ground)) } catch let finding as Finding {
        throw finding
      } catch { throw Finding("a ground that was made cannot be read", "\(error)") }
      return .accepted
    case .failure(let error as OSMReadingError): try require(!error.description.isEmpty, "refused without a reason")
    case .failure(let error as GroundProblem): try require(!error.description.isEmpty, "refused without a reason")
    case .failure(let error): throw Finding("an error of another kind", "\(error)")
    case nil: throw Finding("no answer")
    }
    return .refused
  }

  private func look(_ file: GroundFile) throws {
    let bounds = file.info.bounds
    try require(bounds.south <= bounds.north && bounds.west <= bounds.east, "bounds are in no order", "\(bounds)")
    try require(file.info.counts.tiles <= Self.mostTiles * TileLevel.zooms.count, "more tiles than may be")
    guard let graph = try file.walkingGraph() else { return }
    let (south, west) = (bounds.south, bounds.west)
    do {
      let route = try graph.route(
        from: Geodetic(latitudeDegrees: south, longitudeDegrees: west, altitude: 0),
        to: Geodetic(latitudeDegrees: bounds.north, longitudeDegrees: bounds.east, altitude: 0)
      )
      try require(route.metres.isFinite && route.metres >= 0, "a way has no length", "\(route.metres)")
      try require(route.seconds.isFinite && route.seconds >= 0, "a way has no time", "\(route.seconds)")
    } catch is WalkingProblem {
      // The corners need not be near a way.
    }
  }
}
