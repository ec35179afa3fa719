import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct StableSortTests {
  @Test func `sorts as the standard library, equal elements in their order`() {
    var random = SplitMix64(seed: 71)
    for count in Array(0...40) + [64, 65, 129, 1000] {
      // Few keys, so that many are equal.
      let items = (0..<count).map { (key: Int(random.next() % 9), index: $0) }
      var sorted = items
      sorted.sortStably { $0.key < $1.key }
      let expected = items.sorted { ($0.key, $0.index) < ($1.key, $1.index) }
      #expect(sorted.map(\.index) == expected.map(\.index))
    }
  }

  @Test func `an order that contradicts itself is sorted to the end`() {
    var values: [Double] = (0..<100).map { (index: Int) -> Double in index % 3 == 0 ? Double.nan : Double(index % 7) }
    values.sortStably { $0 < $1 }
    #expect(values.count == 100 && values.count(where: \.isNaN) == 34)
  }
}
