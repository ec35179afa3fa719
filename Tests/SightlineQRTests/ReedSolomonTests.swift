import SightlineTestSupport
import Testing

@testable import SightlineQR

struct ReedSolomonTests {
  @Test func `errors and erasures are mended as long as the check words last`() {
    var random = SplitMix64(seed: 41)
    let code = ReedSolomon()
    for round in 0..<600 {
      let checks = [7, 10, 13, 17, 26, 30][round % 6]
      let data = (0..<Int.random(in: 1...(200 - checks), using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let whole = data + code.checkWords(of: data[...], count: checks)
      let erased = Int.random(in: 0...min(checks, whole.count), using: &random)
      let wrong = Int.random(in: 0...max(0, min((checks - erased) / 2, whole.count - erased)), using: &random)
      var places = Array(whole.indices)
      places.shuffle(using: &random)
      var block = whole
      for place in places.prefix(erased) { block[place] = UInt8.random(in: 0...255, using: &random) }
      for place in places.dropFirst(erased).prefix(wrong) { block[place] ^= UInt8.random(in: 1...255, using: &random) }
      let changed = code.mend(&block, checks: checks, erasures: Array(places.prefix(erased)))
      #expect(block == whole, "round \(round)")
      #expect(changed != nil)
    }
  }

  @Test func `what cannot be mended is left as it is`() {
    var random = SplitMix64(seed: 42)
    let code = ReedSolomon()
    for _ in 0..<200 {
      let data = (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) }
      let whole = data + code.checkWords(of: data[...], count: 20)
      var block = whole
      for place in 0..<25 { block[place * 2] ^= UInt8.random(in: 1...255, using: &random) }
      let before = block
      if code.mend(&block, checks: 20) == nil { #expect(block == before) }
    }
  }

  @Test func `check words held back are not used for mending`() {
    let code = ReedSolomon()
    let data: [UInt8] = Array(1...19)
    let whole = data + code.checkWords(of: data[...], count: 7)
    var block = whole
    block[0] ^= 1
    block[5] ^= 2
    let changed = code.mend(&block, checks: 7, reserve: 3)
    #expect(changed == 2 && block == whole)
    for place in [0, 5, 9] { block[place] ^= 7 }
    let refused = code.mend(&block, checks: 7, reserve: 3)
    #expect(refused == nil)
  }
}
