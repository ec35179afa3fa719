import SightlineImaging
import SightlineMath

/// 128 bits of a descriptor.
struct BinaryCode {
  var first: UInt64 = 0
  var second: UInt64 = 0
}

/// Chooses which numbers of descriptors are compared for their binary codes, and compares them.
final class BinaryEncoder {
  private static let bits = 128
  /// Descriptors that the choice looks at, and pairs of numbers it chooses from.
  private static let (samples, candidates) = (1024, 512)
  /// The place of the first number of each bit's pair, then of the second.
  private let pairs = FixedBuffer<UInt8>(count: 2 * BinaryEncoder.bits, filledWith: 0)

  /// A choice for the descriptors of targets; the same targets always give the same.
  init(_ targets: [Target]) {
    var state: UInt32 = 2_463_534_242
    func next() -> UInt32 {
      state ^= state << 13
      state ^= state >> 17
      state ^= state << 5
      return state
    }
    // Some of some targets are enough, coverage over all of them.
    var sample: [Int16] = []
    let step = max(1, targets.count / 64)
    let each = max(8, Self.samples * step / max(1, targets.count))
    for owner in Swift.stride(from: 0, to: targets.count, by: step) {
      let set = targets[owner].features()
      for k in 0..<min(each, set.count) {
        let at = k * (set.count / max(1, min(each, set.count))) * Feature.descriptorLength
        sample.append(contentsOf: set.descriptors[at..<(at + Feature.descriptorLength)])
      }
    }
    let rows = min(Self.samples, sample.count / Feature.descriptorLength)
    let words = (rows + 63) / 64
    var ofPair = [UInt64](repeating: 0, count: Self.candidates * max(1, words))
    var pairing: [(UInt8, UInt8, Int)] = []
    for c in 0..<Self.candidates {
      let a = next() & 63
      var b = next() & 63
      while b == a { b = next() & 63 }
      var ones = 0
      for row in 0..<rows {
        let at = row * Feature.descriptorLength
        guard sample[at + Int(a)] > sample[at + Int(b)] else { continue }
        ofPair[c * words + row >> 6] |= 1 << UInt64(row & 63)
        ones += 1
      }
      pairing.append((UInt8(a), UInt8(b), abs(2 * ones - rows)))
    }
    choose(pairing, ofPair, rows, words)
  }

  /// Takes the most even pairs first, passing over those that say the same as one of the last sixteen, which may
  /// stand in one key with it.
  private func choose(_ pairing: [(UInt8, UInt8, Int)], _ ofPair: [UInt64], _ rows: Int, _ words: Int) {
    var order = Array(pairing.indices)
    order.sortStably { pairing[$0].2 < pairing[$1].2 }
    var isTaken = [Bool](repeating: false, count: pairing.count)
    var chosen: [Int] = []
    var limit = 0.25
    while chosen.count < Self.bits {
      let before = chosen.count
      for c in order where !isTaken[c] && chosen.count < Self.bits {
        let isAlike = chosen.suffix(20).contains { other in
          var differing = 0
          for w in 0..<words { differing += (ofPair[c * words + w] ^ ofPair[other * words + w]).nonzeroBitCount }
          return Double(abs(2 * differing - rows)) > limit * Double(rows)
        }
        guard !isAlike else { continue }
        isTaken[c] = true
        chosen.append(c)
      }
      if chosen.count == before || limit < 1 { limit += 0.1 }
    }
    for (bit, c) in chosen.enumerated() {
      pairs.base[bit] = pairing[c].0
      pairs.base[Self.bits + bit] = pairing[c].1
    }
  }

  /// The bits of a descriptor.
  @inline(__always)
  func binaryCode(of descriptor: UnsafePointer<Int16>) -> BinaryCode {
    var result = BinaryCode()
    let (a, b) = (pairs.base, pairs.base + Self.bits)
    for i in 0..<64 {
      if descriptor[Int(a[i])] > descriptor[Int(b[i])] { result.first |= 1 &<< UInt64(i) }
      if descriptor[Int(a[64 &+ i])] > descriptor[Int(b[64 &+ i])] { result.second |= 1 &<< UInt64(i) }
    }
    return result
  }
}
