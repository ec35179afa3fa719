import Foundation
import SightlineOpenStreetMap
import SightlineTestSupport
import Testing

@testable import SightlineGround

@Suite final class GroundFileTests {
  static let helsinki = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/demo/ground/Helsinki.osm.pbf").path

  private let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
  private var folder: GroundFolder { GroundFolder(path: path) }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @Test func `an extract becomes a ground, smaller than itself, the same every time`() async throws {
    var stages: [GroundStage] = []
    let file = try await folder.add(
      extract: Self.helsinki,
      as: "helsinki",
      progress: { stage, share in
        if stages.last != stage { stages.append(stage) }
        #expect((0...1).contains(share))
      }
    )
    #expect(stages == [.reading, .shapes, .tiles, .walking])
    #expect(file.info.counts.nodes == 24_260 && file.info.counts.ways == 5_130 && file.info.counts.relations == 620)
    #expect(file.info.counts.buildings > 400)
    #expect(file.info.omissions.openCoasts == 0)
    #expect(file.tileBytes < 685_110)
    #expect(file.tileIDs.count == file.info.counts.tiles)
    let graph = try #require(try file.walkingGraph())
    #expect(graph.nodeCount == file.info.counts.walkingNodes && graph.edgeCount > 1000)
    for id in file.tileIDs {
      let content = try #require(file.tile(id).flatMap(GroundFile.content))
      #expect(content.first == 1)
    }
    #expect(file.tile(try #require(TileID(zoom: 16, column: 0, row: 0))) == nil)
    let again = try await folder.add(extract: Self.helsinki, as: "other")
    #expect(file.tileIDs.allSatisfy { file.tile($0) == again.tile($0) })
    #expect(folder.names == ["helsinki", "other"])
  }

  @Test func `buildings around a position come out as they went in, each once`() async throws {
    let small = path + ".osm"
    defer { try? FileManager.default.removeItem(atPath: small) }
    // A house with a courtyard over the border of two tiles, one that begins above the ground, one far away.
    let corners: [(Int, Double, Double)] = [
      (1, 60.1700, 24.9388), (2, 60.1700, 24.9396), (3, 60.1704, 24.9396), (4, 60.1704, 24.9388),
      (5, 60.1701, 24.9391), (6, 60.1701, 24.9393), (7, 60.1703, 24.9393), (8, 60.1703, 24.9391),
      (9, 60.1710, 24.9388), (10, 60.1710, 24.9392), (11, 60.1712, 24.9392), (12, 60.1712, 24.9388),
      (13, 60.1800, 24.9388), (14, 60.1800, 24.9392), (15, 60.1802, 24.9392),
    ]
    func way(_ id: Int, _ nodes: [Int], _ tags: String) -> String {
      "<way id='\(id)'>" + (nodes + [nodes[0]]).map { "<nd ref='\($0)'/>" }.joined() + tags + "</way>"
    }
    let text =
      "<osm><bounds minlat='60.16' minlon='24.93' maxlat='60.19' maxlon='24.95'/>"
      + corners.map { "<node id='\($0.0)' lat='\($0.1)' lon='\($0.2)'/>" }.joined()
      + way(1, [1, 2, 3, 4], "") + way(2, [5, 6, 7, 8], "")
      + way(3, [9, 10, 11, 12], "<tag k='building' v='yes'/><tag k='height' v='12.5'/><tag k='min_height' v='3'/>")
      + way(4, [13, 14, 15], "<tag k='building' v='yes'/>")
      + "<relation id='1'><member type='way' ref='1' role='outer'/><member type='way' ref='2' role='inner'/>"
      + "<tag k='type' v='multipolygon'/><tag k='building' v='yes'/><tag k='building:levels' v='4'/></relation></osm>"
    try Data(text.utf8).write(to: URL(fileURLWithPath: small))
    let file = try await folder.add(extract: small, as: "small")
    let found = try file.buildings(latitudeDegrees: 60.1702, longitudeDegrees: 24.9392, within: 200)
    #expect(found.count == 2)
    let house = try #require(found.first { !$0.holes.isEmpty })
    #expect(house.outer.count == 4 && house.holes.map(\.count) == [4] && house.base == 0 && house.roof == 12)
    let other = try #require(found.first { $0.holes.isEmpty })
    #expect(other.base == 3 && other.roof == 12.5 && other.isHeightKnown)
    for corner in house.outer {
      // Within 15 cm of one that was written, and what a tile's unit is.
      let nearest = corners.map { hypot(corner.x * 360 - 180 - $0.2, 0.5 * (Self.latitude(corner.y) - $0.1)) }.min()
      #expect(try #require(nearest) < 2e-6)
    }
    #expect(try file.buildings(latitudeDegrees: 60.1702, longitudeDegrees: 24.9392, within: 20).count == 1)
    #expect(try file.buildings(latitudeDegrees: 60.1702, longitudeDegrees: 24.9392, within: 2_000).count == 3)
    #expect(try file.buildings(latitudeDegrees: .nan, longitudeDegrees: 1, within: 20).isEmpty)
    #expect(try file.buildings(latitudeDegrees: 60.1702, longitudeDegrees: 24.9392, within: .infinity).count == 3)
    // A content that is cut off anywhere, or has another byte, is told or read; nothing ends.
    let tile = try #require(file.tileIDs.last)
    let content = try #require(file.tile(tile).flatMap(GroundFile.content))
    #expect(TileReader.buildings(content, in: tile)?.isEmpty == false)
    for end in content.indices { #expect(TileReader.buildings(Array(content[..<end]), in: tile) == nil) }
    for index in content.indices {
      var broken = content
      broken[index] ^= 0xFF
      _ = TileReader.buildings(broken, in: tile)
    }
  }

  private static func latitude(_ y: Double) -> Double { atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi }

  @Test func `the one before is kept, taken back, and removed with the rest`() async throws {
    let small = path + ".osm"
    defer { try? FileManager.default.removeItem(atPath: small) }
    let text =
      "<osm><bounds minlat='1' minlon='1' maxlat='2' maxlon='2'/>"
      + "<node id='1' lat='1.5' lon='1.5'/><node id='2' lat='1.5' lon='1.6'/>"
      + "<way id='1'><nd ref='1'/><nd ref='2'/><tag k='highway' v='residential'/></way></osm>"
    try Data(text.utf8).write(to: URL(fileURLWithPath: small))
    try await folder.add(extract: Self.helsinki, as: "a")
    #expect(!folder.hasPrevious("a"))
    #expect(throws: GroundProblem.noPrevious("a")) { try folder.rollBack("a") }
    try await folder.add(extract: small, as: "a")
    #expect(try folder.open("a").info.counts.ways == 1)
    try folder.rollBack("a")
    #expect(try folder.open("a").info.counts.ways == 5_130)
    try folder.rollBack("a")
    #expect(try folder.open("a").info.counts.ways == 1)
    try folder.remove("a")
    #expect(folder.names.isEmpty && !folder.hasPrevious("a"))
    #expect(throws: GroundProblem.missing("a")) { try folder.remove("a") }
  }

  @Test func `what cannot be read changes nothing, and leaves nothing behind`() async throws {
    try await folder.add(extract: Self.helsinki, as: "a")
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.file(of: "a")))
    let broken = path + ".osm.pbf"
    defer { try? FileManager.default.removeItem(atPath: broken) }
    try Data(Data(contentsOf: URL(fileURLWithPath: Self.helsinki)).prefix(300_000)).write(
      to: URL(fileURLWithPath: broken)
    )
    let folder = folder
    await #expect(throws: OSMReadingError.self) { try await folder.add(extract: broken, as: "a") }
    await #expect(throws: OSMReadingError.self) { try await folder.add(extract: broken + "x", as: "a") }
    for name in ["", "../a", "a/b", "ä", ".", String(repeating: "a", count: 65)] {
      await #expect(throws: GroundProblem.name(name)) { try await folder.add(extract: Self.helsinki, as: name) }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file(of: "a"))) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["a.ground"])
  }

  @Test func `a damaged file is refused or answers without a tile, and never ends the program`() async throws {
    let small = try await folder.add(extract: Self.helsinki, as: "a")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: small.path)))
    var generator = SplitMix64(seed: 5)
    let target = path + "/turned.ground"
    for round in 0..<120 {
      var turned = bytes
      if round % 3 == 0 {
        turned = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator)))
      } else {
        // Mostly where the numbers are that say where everything is.
        let range = round % 3 == 1 ? 0..<112 : 0..<bytes.count
        for _ in 0..<3 {
          turned[Int.random(in: range, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
      }
      try Data(turned).write(to: URL(fileURLWithPath: target))
      guard let file = try? GroundFile(path: target) else { continue }
      try? file.check()
      for id in file.tileIDs.prefix(20) { _ = file.tile(id).flatMap(GroundFile.content) }
    }
    var header = bytes
    header[8] = 9
    try Data(header).write(to: URL(fileURLWithPath: target))
    #expect(throws: GroundProblem.version(target, 9)) { try GroundFile(path: target) }
  }

  @Test func `a library sees what is added and removed after ten seconds, and names what is damaged`() async throws {
    let clock = Counter()
    let library = GroundLibrary(folder) { Double(clock.value) }
    #expect(library.grounds.isEmpty)
    let file = try await folder.add(extract: Self.helsinki, as: "a")
    #expect(library.grounds.isEmpty)
    clock.value = 11
    #expect(library.grounds.map(\.identifier) == [file.identifier])
    let id = try #require(file.tileIDs.first)
    #expect(library.tile(id)?.packed == file.tile(id))
    try Data("nothing".utf8).write(to: URL(fileURLWithPath: path + "/b.ground"))
    clock.value = 22
    #expect(library.grounds.count == 1)
    #expect(library.problems.keys.sorted() == ["b"])
    try folder.remove("a")
    clock.value = 33
    #expect(library.grounds.isEmpty)
  }

  /// A clock that a test sets.
  private final class Counter: @unchecked Sendable { var value = 0 }
}
