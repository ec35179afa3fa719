import Foundation
import SightlineTestSupport
import Testing

@testable import SightlineTerrain

/// Files of terrain made here: heights by a formula, voids where they are told.
struct MadeTerrain {
  var side = 1201
  var height: (_ row: Int, _ column: Int) -> Int = { 500 + $0 / 10 - $1 / 7 }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 * side * side)
    for row in 0..<side {
      for column in 0..<side {
        let value = UInt16(bitPattern: Int16(height(row, column)))
        bytes.append(UInt8(value >> 8))
        bytes.append(UInt8(truncatingIfNeeded: value))
      }
    }
    return bytes
  }
}

/// A folder that goes with the test.
final class Scratch {
  let path = FileManager.default.temporaryDirectory.appending(path: "terrain-\(UUID().uuidString)").path
  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    return "\(path)/\(name)"
  }
}

@Suite struct TerrainTests {
  @Test(arguments: [("N48E009", 48, 9), ("s01w180", -1, -180), ("S90E179", -90, 179), ("N00E000", 0, 0)])
  func `a name says where a tile is`(name: String, latitude: Int, longitude: Int) {
    let id = TerrainTileID(name: name)
    #expect(id?.latitude == latitude && id?.longitude == longitude)
    #expect(id?.description == name.uppercased())
  }

  @Test(arguments: [
    "", "N48E09", "N48E0099", "X48E009", "N4 E009", "N90E000", "S91E000", "N00E180", "N00W181", "N48É009", "48N009E",
  ])
  func `what is no name is none`(name: String) {
    #expect(TerrainTileID(name: name) == nil)
  }

  @Test func `places belong to the tile that has them, the rims of the Earth to the last`() {
    func name(_ latitude: Double, _ longitude: Double) -> String? {
      TerrainTileID(latitudeDegrees: latitude, longitudeDegrees: longitude)?.description
    }
    #expect(name(48.4, 9.99) == "N48E009" && name(48, 10) == "N48E010" && name(-0.1, -0.1) == "S01W001")
    #expect(name(90, 180) == "N89E179" && name(-90, -180) == "S90W180")
    for odd in [90.1, .nan, .infinity, -1e300] { #expect(name(odd, 0) == nil) }
    #expect(name(0, 180.5) == nil)
  }

  @Test(arguments: [1201, 3601]) func `what is stored is what was given, every height of it`(side: Int) throws {
    // Slopes, steps, a cliff over the whole range, and voids in one block, along a rim, and all over another.
    let made = MadeTerrain(side: side) { row, column in
      if row < 64, column < 64 { return -32768 }
      if column == side - 1, row % 3 == 0 { return -32768 }
      if row == 700 { return column % 2 == 0 ? -1000 : 9000 }
      return 400 + row % 91 * (column % 5) + (column / 64 % 2 == 0 ? 0 : row / 64)
    }
    let file = try HGTFile(name: "N48E009.hgt", bytes: made.bytes)
    #expect(file.side == side && file.id.description == "N48E009")
    let packed = StoredTile.pack(file)
    #expect(packed.count < 2 * side * side * 2 / 3)
    let tile = try StoredTile(Data(packed), name: "x")
    var differences = 0
    for row in stride(from: 0, to: side, by: side > 2000 ? 7 : 1) {
      for column in 0..<side {
        let expected = made.height(row, column)
        if tile[row, column] != (expected == -32768 ? nil : expected) { differences += 1 }
      }
    }
    #expect(differences == 0)
  }

  @Test func `between heights it is a straight line, and beside a void nothing`() throws {
    let made = MadeTerrain { row, column in row == 600 && column == 600 ? -32768 : 2 * row + 3 * column }
    let tile = try StoredTile(Data(StoredTile.pack(try HGTFile(name: "s10W070.HGT", bytes: made.bytes))), name: "x")
    func height(_ row: Double, _ column: Double) -> Double? {
      tile.height(latitudeDegrees: -9 - row / 1200, longitudeDegrees: -70 + column / 1200)
    }
    for (row, column) in [(0.0, 0.0), (1200, 1200), (17.25, 900.5), (1199.9, 0.1)] {
      #expect(abs((height(row, column) ?? .nan) - 2 * row - 3 * column) < 1e-6)
    }
    #expect(height(600.4, 599.6) == nil && height(599.5, 600.5) == nil && height(601.5, 600.5) != nil)
    #expect(height(-1, 5) == nil && height(5, 1201) == nil && height(.nan, 5) == nil)
  }

  @Test func `a file that is wrong is refused with what, where and what to do`() throws {
    let good = MadeTerrain().bytes
    func problem(_ name: String, _ bytes: [UInt8]) -> TerrainProblem? {
      do {
        _ = try HGTFile(name: name, bytes: bytes)
        return nil
      } catch { return error }
    }
    #expect(problem("N48E009.hgt", good) == nil)
    for name in ["heights.hgt", "N48E009", "N48E009.tif", "N48E009.hgt.zip", "N48E009..hgt", ".hgt"] {
      #expect(problem(name, good) == .name(name))
    }
    for count in [0, 1, good.count - 1, good.count + 1, 1201 * 3601 * 2] {
      let bytes = [UInt8](repeating: 0, count: count)
      #expect(problem("N48E009.hgt", bytes) == .size("N48E009.hgt", bytes: count))
    }
    // The lower byte first: 513 m is 258, and 500 m is −3071.
    let swapped = stride(from: 0, to: good.count, by: 2).flatMap { [good[$0 + 1], good[$0]] }
    #expect(problem("N48E009.hgt", swapped) == .height("N48E009.hgt", metres: -3071, row: 1, column: 1))
    var high = good
    (high[2 * (1201 * 4 + 2)], high[2 * (1201 * 4 + 2) + 1]) = (0x23, 0x29)
    #expect(problem("N48E009.hgt", high) == .height("N48E009.hgt", metres: 9001, row: 5, column: 3))
    #expect(problem("N48E009.hgt", MadeTerrain { _, _ in -32768 }.bytes) == .empty("N48E009.hgt"))
    #expect("\(TerrainProblem.height("a.hgt", metres: 9001, row: 5, column: 3))".contains("row 5, column 3: 9001 m"))
  }

  @Test func `files are added all together or not at all`() throws {
    let scratch = try Scratch()
    let folder = TerrainFolder(path: scratch.path + "/kept/terrain")
    #expect(folder.isEmpty)
    #expect(try folder.list().isEmpty)
    let first = try scratch.write("N48E009.hgt", MadeTerrain().bytes)
    let second = try scratch.write("n48e010.hgt", MadeTerrain { _, _ in 7 }.bytes)
    let cut = try scratch.write("N49E009.hgt", Array(MadeTerrain().bytes.dropLast()))
    #expect(throws: TerrainProblem.size("N49E009.hgt", bytes: 2_884_801)) { try folder.add([first, second, cut]) }
    #expect(throws: TerrainProblem.unreadable(scratch.path + "/N50E009.hgt")) {
      try folder.add([first, scratch.path + "/N50E009.hgt"])
    }
    #expect(throws: TerrainProblem.twice(first, first)) { try folder.add([first, first]) }
    #expect(folder.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty, "nothing is left behind")
    #expect(try folder.add([second, first]).map(\.description) == ["N48E009", "N48E010"])
    let kept = try folder.list()
    #expect(kept.map(\.id.description) == ["N48E009", "N48E010"] && kept.allSatisfy { $0.seconds == 3 })
    #expect(kept[1].bytes < 10_000)
    #expect(throws: TerrainProblem.missing("N48E011")) { try folder.remove(["N48E009", "N48E011"]) }
    #expect(throws: TerrainProblem.missing("../x")) { try folder.remove(["../x"]) }
    #expect(try folder.list().count == 2)
    try folder.remove(["n48e009"])
    #expect(try folder.list().map(\.id.description) == ["N48E010"])
  }

  @Test func `heights are those of the tiles that there are now`() throws {
    let scratch = try Scratch()
    let folder = TerrainFolder(path: scratch.path + "/terrain")
    let time = Seconds()
    let heights = TerrainHeights(folder, clock: { time.now })
    #expect(heights.height(latitudeDegrees: 48.4, longitudeDegrees: 9.99) == nil)
    try folder.add([try scratch.write("N48E009.hgt", MadeTerrain { _, _ in 478 }.bytes)])
    time.now += TerrainHeights.freshness + 1
    #expect(heights.height(latitudeDegrees: 48.4, longitudeDegrees: 9.99) == 478)
    #expect(heights.height(latitudeDegrees: 48.4, longitudeDegrees: 10.01) == nil)
    for odd in [Double.nan, .infinity, 1e300, -91] {
      #expect(heights.height(latitudeDegrees: odd, longitudeDegrees: 9.9) == nil)
      #expect(heights.height(latitudeDegrees: 48.4, longitudeDegrees: odd == -91 ? 181 : odd) == nil)
    }
    try folder.remove(["N48E009"])
    #expect(heights.height(latitudeDegrees: 48.4, longitudeDegrees: 9.99) == 478, "for a while")
    time.now += TerrainHeights.freshness + 1
    #expect(heights.height(latitudeDegrees: 48.4, longitudeDegrees: 9.99) == nil)
  }

  @Test func `a damaged stored tile has no heights and does not trap`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    let packed = StoredTile.pack(try HGTFile(name: "N48E009.hgt", bytes: MadeTerrain().bytes))
    for length in [0, 8, 15, 16, 17, 1000, packed.count - 1] {
      #expect(throws: TerrainProblem.damaged("x")) { try StoredTile(Data(packed.prefix(length)), name: "x") }
    }
    for round in 0..<60 {
      var forged = packed
      for _ in 0..<(1 << (round / 6)) {
        let limit = round % 2 == 0 ? 16 + 4 * 362 : forged.count
        forged[Int.random(in: 8..<limit, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let tile = try? StoredTile(Data(forged), name: "x") else { continue }
      for _ in 0..<50 {
        let height = tile.height(
          latitudeDegrees: Double(tile.id.latitude) + Double.random(in: 0...1, using: &random),
          longitudeDegrees: Double(tile.id.longitude) + Double.random(in: 0...1, using: &random)
        )
        #expect(height.map { abs($0) <= 100_000 } != false, "seed \(seed)")
      }
    }
  }
}

/// A clock that is set by hand.
private final class Seconds: @unchecked Sendable { var now = 100.0 }
