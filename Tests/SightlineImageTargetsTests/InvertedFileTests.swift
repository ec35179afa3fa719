import SightlineImaging
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

/// The lists' fast ways against plain loops.
@Suite
struct InvertedFileTests {
  private struct Entry {
    var binaryCode: BinaryCode
    var id: UInt32
    var list: Int
  }

  /// Entries near and far from a binary code, coverage unevenly over lists, one of them empty.
  private func entries(around query: BinaryCode, _ random: inout SplitMix64) -> [Entry] {
    (0..<700).map { i in
      var binaryCode = query
      for _ in 0..<Int(random.next() % 40) { binaryCode.first ^= 1 << (random.next() & 63) }
      for _ in 0..<Int(random.next() % 40) { binaryCode.second ^= 1 << (random.next() & 63) }
      let list = [0, 0, 0, 1, 2, 4][Int(random.next() % 6)]
      return Entry(binaryCode: binaryCode, id: UInt32(random.next() % 5) << 16 | UInt32(i), list: list)
    }
  }

  private func distance(_ a: BinaryCode, _ b: BinaryCode) -> (first: Int, all: Int) {
    let first = (a.first ^ b.first).nonzeroBitCount
    return (first, first + (a.second ^ b.second).nonzeroBitCount)
  }

  /// Ids in four bytes, and in three.
  @Test(arguments: [(46, 27), (26, 12), (127, 64), (0, 0)], [(1 << 16, 1 << 16), (5, 700)])
  func `What is near is what a plain loop finds`(_ reaches: (Int, Int), _ most: (owners: Int, features: Int)) {
    let (reach, halfReach) = reaches
    var random = SplitMix64(seed: 79)
    let query = BinaryCode(first: random.next(), second: random.next())
    let all = entries(around: query, &random)
    let list = FixedBuffer<UInt16>(count: all.count, filledWith: 0)
    for (i, entry) in all.enumerated() { list.base[i] = UInt16(entry.list) }
    let lists = InvertedFile(
      list,
      count: all.count,
      lists: 5,
      atOnce: 5,
      reach: reach,
      halfReach: halfReach,
      owners: most.owners,
      features: most.features
    )
    for entry in all { _ = lists.put(entry.binaryCode, id: entry.id, into: entry.list) }
    let isWanted = [true, false, true, true, false]
    for asked in [[0], [3], [2, 1], [4, 0, 3, 1, 2]] {
      lists.begin()
      for k in asked { lists.look(in: k, for: query, isWanted: isWanted) }
      let expected = asked.flatMap { k in
        all.filter { entry in
          let d = distance(entry.binaryCode, query)
          return entry.list == k && d.first <= halfReach && d.all <= reach && isWanted[Int(entry.id >> 16)]
        }
      }
      let postings = (0..<lists.postingCount).map { lists.postings.base[$0] }
      #expect(postings.map { lists.id($0.entry) } == expected.map(\.id))
      #expect(postings.map { Int($0.distance) } == expected.map { distance($0.binaryCode, query).all })
    }
  }

  @Test(arguments: [(60, 12), (60, 40), (5, 0), (0, 0), (1000, 0)])
  func `The nearest stay, all of one distance or none`(most: Int, least: Int) {
    var random = SplitMix64(seed: 80)
    let query = BinaryCode(first: random.next(), second: random.next())
    let all = entries(around: query, &random)
    let list = FixedBuffer<UInt16>(count: all.count, filledWith: 0)
    let lists = InvertedFile(list, count: all.count, lists: 1, atOnce: 1, reach: 50, halfReach: 30)
    for entry in all { _ = lists.put(entry.binaryCode, id: entry.id, into: 0) }
    lists.begin()
    lists.look(in: 0, for: query, isWanted: [Bool](repeating: true, count: 5))
    let before = (0..<lists.postingCount).map { lists.postings.base[$0] }
    #expect(before.count > 60)
    lists.keepNearest(most, least: least)
    let after = (0..<lists.postingCount).map { lists.postings.base[$0] }
    // The largest number of bits up to which there are few enough, or the least.
    var bound = 50
    while bound > least && before.filter({ $0.distance <= bound }).count > most { bound -= 1 }
    #expect(after.map(\.entry) == before.filter { $0.distance <= bound }.map(\.entry))
  }

  @Test
  func `A packed product is the plain one`() {
    var random = SplitMix64(seed: 81)
    for round in 0..<200 {
      var numbers = (0..<64).map { _ in Int16(random.next() % 60) }
      var code = (0..<32).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      // The largest there can be: all of a file's numbers 15, and a descriptor of their direction, rounded up.
      if round == 0 { (numbers, code) = ([Int16](repeating: 32, count: 64), [UInt8](repeating: 0xFF, count: 32)) }
      if round == 1 { numbers = [259] + [Int16](repeating: 0, count: 63) }
      var sum: Int32 = 0
      for i in 0..<32 {
        sum += Int32(numbers[2 * i]) * Int32(code[i] & 15) + Int32(numbers[2 * i + 1]) * Int32(code[i] >> 4)
      }
      #expect(PackedProduct(numbers)(code) == sum * Int32(TargetFile.descriptorStep))
    }
  }
}
