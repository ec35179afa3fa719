import Foundation
import SightlineMarkers
import SightlineTestSupport
import Testing

/// The tables, and reading them back.
struct DictionaryTests {
  @Test func `codes are those that the dictionaries are known by`() {
    #expect(MarkerFamily.grid4x4.code(id: 0) == 0b1011_0101_0011_0010)
    #expect(MarkerFamily.grid6x6.code(id: 0) == 0x1_E3DD_82A6)
    #expect(MarkerFamily.grid7x7.code(id: 0) == 0x1_BAB8_D94B_9415)
    #expect(MarkerFamily.arucoOriginal.code(id: 2) == 0x108_4209)
    #expect(MarkerFamily.arucoOriginal.code(id: 5) == 0b10000_10000_10000_10111_10111)
    #expect(MarkerFamily.apriltag36h11.code(id: 0) == 0xD_5D62_8584)
    #expect(MarkerDictionary.allCases.count == 22)
    for dictionary in MarkerDictionary.allCases { #expect(dictionary.count <= dictionary.family.count) }
  }

  private struct Published: Decodable {
    struct Family: Decodable { let hexDigits: Int, codes: String }
    let families: [String: Family]
  }

  @Test func `codes are unpacked as published`() throws {
    let names: [MarkerFamily: String] = [
      .arucoOriginal: "aruco-original", .grid4x4: "4x4", .grid5x5: "5x5", .grid6x6: "6x6", .grid7x7: "7x7",
      .arucoMip36h12: "aruco-mip-36h12", .apriltag16h5: "apriltag-16h5", .apriltag25h9: "apriltag-25h9",
      .apriltag36h10: "apriltag-36h10", .apriltag36h11: "apriltag-36h11",
    ]
    let table = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fixtures/markers/dictionaries.json")
    let published = try JSONDecoder().decode(Published.self, from: Data(contentsOf: table)).families
    #expect(published.count == MarkerFamily.allCases.count)
    for family in MarkerFamily.allCases {
      let entry = try #require(names[family].flatMap { published[$0] })
      let digits = Array(entry.codes)
      #expect(digits.count == family.count * entry.hexDigits)
      for id in 0..<family.count {
        let code = String(digits[(id * entry.hexDigits)..<((id + 1) * entry.hexDigits)])
        #expect(family.code(id: id) == UInt64(code, radix: 16))
      }
    }
  }

  @Test func `a quarter turn clockwise brings the first column to the top`() {
    // ab    ca
    // cd →  db
    #expect(quarterTurned(0b10_00, cells: 2) == 0b01_00)
    #expect(quarterTurned(0b00_10, cells: 2) == 0b10_00)
    var random = SplitMix64(seed: 3)
    for cells in 4...7 {
      let code = UInt64.random(in: 0..<(1 << UInt64(cells * cells)), using: &random)
      var turned = code
      for _ in 0..<4 { turned = quarterTurned(turned, cells: cells) }
      #expect(turned == code)
    }
  }

  /// By plain search: the smallest number of cells in which two markers of a dictionary differ, every rotation tried.
  private func distances(_ dictionary: MarkerDictionary) -> (others: Int, own: Int) {
    let cells = dictionary.cells
    let codes = (0..<dictionary.count).map { dictionary.family.code(id: $0) }
    var (others, own) = (cells * cells, cells * cells)
    for (id, code) in codes.enumerated() {
      var turned = code
      for turn in 0..<4 {
        if turn > 0 { own = min(own, (turned ^ code).nonzeroBitCount) }
        for other in codes[..<id] { others = min(others, (turned ^ other).nonzeroBitCount) }
        turned = quarterTurned(turned, cells: cells)
      }
    }
    return (others, own)
  }

  @Test(arguments: [
    (MarkerDictionary.grid4x4Of50, 4, 4), (.grid4x4Of100, 3, 4), (.grid4x4Of250, 3, 4), (.grid5x5Of50, 8, 8),
    (.grid5x5Of100, 7, 8), (.grid5x5Of250, 6, 6), (.grid6x6Of50, 13, 14), (.grid6x6Of100, 12, 14),
    (.grid6x6Of250, 11, 12), (.grid7x7Of50, 19, 20), (.grid7x7Of100, 18, 20), (.grid7x7Of250, 17, 18),
    (.arucoMip36h12, 12, 12), (.apriltag16h5, 5, 6), (.apriltag25h9, 9, 10), (.apriltag36h11, 11, 12),
  ])
  func `markers differ as much as published`(dictionary: MarkerDictionary, others: Int, own: Int) {
    #expect(distances(dictionary) == (others, own))
    #expect(2 * dictionary.correctableCells < others)
  }

  @Test(arguments: MarkerDictionary.allCases)
  func `every marker is read back in four rotations`(dictionary: MarkerDictionary) throws {
    let decoder = MarkerDecoder([dictionary])
    #expect(decoder.reads(cells: dictionary.cells) && !decoder.reads(cells: 8))
    for id in 0..<dictionary.count {
      var reading = dictionary.family.code(id: id)
      let own = quarterTurned(quarterTurned(reading, cells: dictionary.cells), cells: dictionary.cells) == reading
      for turns in 0..<4 {
        let match = try #require(decoder.match(reading, cells: dictionary.cells))
        #expect(match.dictionary == dictionary && match.id == id && match.wrongCells == 0)
        #expect(match.quarterTurns == turns || own && match.quarterTurns == (turns + 2) & 3)
        reading = quarterTurned(reading, cells: dictionary.cells)
      }
    }
  }

  @Test(arguments: MarkerDictionary.allCases)
  func `a reading with wrong cells finds what a search of the whole table finds`(dictionary: MarkerDictionary) {
    let decoder = MarkerDecoder([dictionary])
    let cells = dictionary.cells
    var random = SplitMix64(seed: UInt64(dictionary.rawValue))
    var found = 0
    for trial in 0..<10 {
      var reading = dictionary.family.code(id: Int.random(in: 0..<dictionary.count, using: &random))
      for _ in 0..<(trial % 5) { reading ^= 1 << UInt64.random(in: 0..<UInt64(cells * cells), using: &random) }
      var candidates: [MarkerMatch] = []
      for id in 0..<dictionary.count {
        var turned = dictionary.family.code(id: id)
        for turns in 0..<4 {
          let wrong = (turned ^ reading).nonzeroBitCount
          if wrong <= dictionary.correctableCells {
            candidates.append(MarkerMatch(dictionary: dictionary, id: id, quarterTurns: turns, wrongCells: wrong))
          }
          turned = quarterTurned(turned, cells: cells)
        }
      }
      let fewest = candidates.map { $0.wrongCells }.min()
      let nearest = candidates.filter { $0.wrongCells == fewest }
      let match = decoder.match(reading, cells: cells)
      if let match { #expect(nearest.contains(match)) } else { #expect(nearest.count != 1) }
      found += match == nil ? 0 : 1
    }
    #expect(found >= 2)
  }

  @Test func `of several dictionaries the first that has the marker is named`() {
    let decoder = MarkerDecoder([.grid6x6Of50, .grid6x6Of1000, .apriltag36h11])
    let code = MarkerFamily.grid6x6.code(id: 49)
    #expect(decoder.match(code, cells: 6)?.dictionary == .grid6x6Of50)
    #expect(decoder.match(MarkerFamily.grid6x6.code(id: 50), cells: 6)?.dictionary == .grid6x6Of1000)
    #expect(decoder.match(MarkerFamily.apriltag36h11.code(id: 5), cells: 6)?.dictionary == .apriltag36h11)
    #expect(decoder.match(code, cells: 5) == nil)
    // Three wrong cells are too many for the larger dictionary, not for the smaller one.
    #expect(decoder.match(code ^ 0b1_0000_0001_0000_0001, cells: 6)?.wrongCells == 3)
    #expect(MarkerDecoder([.grid6x6Of1000]).match(code ^ 0b1_0000_0001_0000_0001, cells: 6) == nil)
  }

  @Test func `mirrored prints are no markers`() {
    let decoder = MarkerDecoder([.apriltag36h11])
    for id in 0..<587 {
      let code = MarkerFamily.apriltag36h11.code(id: id)
      var mirrored: UInt64 = 0
      for cell in 0..<36 { mirrored |= (code >> UInt64(cell) & 1) << UInt64(cell / 6 * 6 + 5 - cell % 6) }
      #expect(decoder.match(mirrored, cells: 6, correcting: 0) == nil)
      #expect(decoder.match(~code & (1 << 36 - 1), cells: 6, correcting: 0) == nil)
    }
  }
}
