import Foundation
import SightlineGeodesy
import SightlineTestSupport
import Testing

@testable import SightlineWalking

@Suite struct StoredGraphTests {
  static func memory(_ bytes: [UInt8]) -> ColumnMemory { bytes.withUnsafeBytes { ColumnMemory(copying: $0) } }

  @Test func `what is read is what was written, copied and mapped`() throws {
    let town = RandomTown(seed: 3, side: 10)
    for graph in [try town.map.graph(), try town.map.graph().prepared()] {
      let bytes = graph.encode()
      let file = FileManager.default.temporaryDirectory.appending(path: "walking-\(UUID().uuidString)")
      try Data(bytes).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      let (from, to) = (town.map.place(20, 30).geodetic, town.map.place(500, 480).geodetic)
      for other in [try WalkingGraph(reading: bytes), try WalkingGraph(mapping: file.path)] {
        #expect(other.encode() == bytes && other.isPrepared == graph.isPrepared)
        #expect(try other.route(from: from, to: to) == graph.route(from: from, to: to))
      }
    }
    #expect(throws: WalkingProblem.unreadable("/nowhere")) { try WalkingGraph(mapping: "/nowhere") }
  }

  @Test func `every byte that is another and every end that comes early is found`() throws {
    let bytes = try RandomTown(seed: 4, side: 5).map.graph().prepared().encode()
    var random = SplitMix64(seed: 9)
    for _ in 0..<2000 {
      var other = bytes
      let place = Int.random(in: 0..<bytes.count, using: &random)
      other[place] ^= UInt8.random(in: 1...255, using: &random)
      #expect(throws: WalkingProblem.self) { try WalkingGraph(reading: other) }
    }
    for count in [0, 1, 7, 8, 63, 64, 65] + (0..<200).map({ _ in Int.random(in: 0..<bytes.count, using: &random) }) {
      #expect(throws: WalkingProblem.self) { try WalkingGraph(reading: Array(bytes.prefix(count))) }
    }
  }

  @Test(arguments: 0..<12)
  func `without the checksum damaged bytes are refused or answer, and never trap`(seed: Int) throws {
    let town = RandomTown(seed: UInt64(seed), side: 4)
    let bytes = try town.map.graph().prepared().encode()
    var random = SplitMix64(seed: UInt64(seed))
    var accepted = 0
    for _ in 0..<400 {
      var other = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 8..<bytes.count, using: &random)
        other[place] = Bool.random(using: &random) ? UInt8.random(in: 0...255, using: &random) : other[place] ^ 1
      }
      guard let stored = try? StoredGraph(Self.memory(other), verifiesChecksum: false) else { continue }
      accepted += 1
      let graph = stored.graph
      for _ in 0..<3 {
        let ((a, b), (c, d)) = (town.position(&random), town.position(&random))
        let (from, to) = (town.map.place(a, b).geodetic, town.map.place(c, d).geodetic)
        for profile in WalkingProfile.allCases {
          _ = try? graph.route(from: from, to: to, profile: profile)
          _ = try? graph.route(from: from, to: to, profile: profile, search: .plain)
          _ = try? graph.distances(from: from, to: [to, from], profile: profile)
        }
      }
      _ = graph.encode()
    }
    #expect(accepted > 20)
  }
}
