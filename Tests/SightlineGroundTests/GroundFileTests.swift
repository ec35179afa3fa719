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
