import SightlineTestSupport
import Testing

@testable import SightlineScene

@Suite struct KeyOrderTests {
  @Test(arguments: [0, 1, 2, 255, 1000])
  func `keys are in order, and equal ones as they were`(count: Int) {
    var random = SplitMix64(seed: 31)
    // All bits; few different keys; the largest and the smallest.
    let kinds: [(UInt64) -> UInt64] = [{ $0 }, { $0 % 7 << 50 }, { $0 % 3 == 0 ? .max : $0 % 3 == 1 ? 0 : 1 << 63 }]
    for kind in kinds {
      let keys = (0..<count).map { _ in kind(random.next()) }
      let expected = keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
      #expect(ascendingOrder(of: keys).map { Int($0) } == expected)
    }
  }
}
