/// The descriptors of many targets, arranged so that those like a given one are found without looking at all.
///
/// A descriptor's signature has one bit for each of 128 comparisons of two of its numbers. Each table takes some of these bits as a key
/// (locality-sensitive hashing); where two numbers are nearly equal the other value of the bit is looked up as well. What is met there
/// is compared by half of its signature first, eight bytes, and only what differs in few bits by its numbers. The number of bits in a key grows
/// with the number of descriptors, so that a look-up touches about as many, however many there are. The comparisons are chosen by
/// the descriptors themselves: those that part them evenly, and each other's halves too, or some lists would be long.
final class DescriptorIndex {
  /// A descriptor like the one that was asked for.
  struct Neighbour {
    /// Which target it belongs to.
    var owner: Int
    /// Its place among that target's features.
    var feature: Int
    /// Scalar product of both.
    var score: Int32
  }

  private static let tables = 6
  /// Most neighbours that are told of: of many targets many may show the same picture.
  let kept: Int
  /// Most bits in which the halves of two signatures may differ.
  private static let reach = 20
  private static let packed = Feature.descriptorLength / 2
  private let count: Int
  private let bits: Int
  private let chooser: SignatureChooser
  /// Numbers of 4 bits, as in the target file.
  private let codes: Memory<UInt8>
  private let halves: Memory<UInt64>
  private let owners: Memory<UInt16>
  private let firsts: Memory<UInt32>
  private let all: Memory<FeaturePlace>
  private let stamps: Memory<UInt32>
  private let starts: Memory<UInt32>
  private let items: Memory<UInt32>
  private var stamp: UInt32 = 0

  /// An index of the features of targets, the strongest `limit` of each.
  init(_ targets: [Target], limit: Int, isLarge: Bool) {
    var total = 0
    for target in targets { total += min(limit, target.featureCount) }
    count = total
    var bits = 4
    while bits < 18 && total >> bits > 12 { bits += 1 }
    self.bits = bits
    kept = isLarge ? 24 : 8
    codes = Memory(count: total * Self.packed, filledWith: 0)
    halves = Memory(count: total, filledWith: 0)
    owners = Memory(count: total, filledWith: 0)
    firsts = Memory(count: targets.count + 1, filledWith: 0)
    all = Memory(count: total, filledWith: .zero)
    stamps = Memory(count: total, filledWith: 0)
    items = Memory(count: total * Self.tables, filledWith: 0)
    starts = Memory(count: ((2 << bits) + 1) * Self.tables, filledWith: 0)
    chooser = SignatureChooser(targets)
    let keys = Memory<UInt32>(count: total * Self.tables, filledWith: 0)
    var at = 0
    for (owner, target) in targets.enumerated() {
      firsts.base[owner] = UInt32(at)
      let set = target.features()
      set.descriptors.withUnsafeBufferPointer { descriptors in
        guard let base = descriptors.baseAddress else { return }
        for k in 0..<min(limit, set.count) {
          let feature = set.features[k]
          add(base + k * Feature.descriptorLength, feature.response > 0, at, keys.base, total)
          owners.base[at] = UInt16(truncatingIfNeeded: owner)
          all.base[at] = FeaturePlace(feature.x, feature.y, feature.scale, feature.angle)
          at += 1
        }
      }
    }
    firsts.base[targets.count] = UInt32(at)
    for t in 0..<Self.tables { fill(t, keys.base + t * total) }
  }

  private func add(
    _ descriptor: UnsafePointer<Int16>,
    _ isLight: Bool,
    _ at: Int,
    _ keys: UnsafeMutablePointer<UInt32>,
    _ total: Int
  ) {
    let step = Int16(TargetFile.descriptorStep)
    for i in 0..<Self.packed {
      let (low, high) = (descriptor[2 * i] / step, descriptor[2 * i + 1] / step)
      codes.base[at * Self.packed + i] = UInt8(truncatingIfNeeded: low | high << 4)
    }
    let signature = chooser.signature(of: descriptor, margins: nil)
    halves.base[at] = signature.first
    for t in 0..<Self.tables {
      keys[t * total + at] = key(signature, t) << 1 | (isLight ? 1 : 0)
    }
  }

  /// Where a target's features are, in its reference's pixels, and how many it has here.
  func places(of owner: Int) -> (UnsafePointer<FeaturePlace>, count: Int) {
    (UnsafePointer(all.base + Int(firsts.base[owner])), Int(firsts.base[owner + 1] - firsts.base[owner]))
  }

  /// Sorts the descriptors by their keys.
  private func fill(_ table: Int, _ keys: UnsafePointer<UInt32>) {
    let first = starts.base + table * ((2 << bits) + 1)
    for i in 0..<count { first[Int(keys[i]) + 1] += 1 }
    for k in 0..<(2 << bits) { first[k + 1] += first[k] }
    let next = Memory<UInt32>(count: 2 << bits, filledWith: 0)
    let to = items.base + table * count
    for i in 0..<count {
      let key = Int(keys[i])
      to[Int(first[key] + next.base[key])] = UInt32(i)
      next.base[key] += 1
    }
  }

  /// The first bit of a table in the signature: the tables share as few bits as they can.
  @inline(__always)
  private func firstBit(_ table: Int) -> Int { (table &* 21) & 127 }

  @inline(__always)
  private func key(_ signature: Signature, _ table: Int) -> UInt32 {
    let bit = firstBit(table)
    let low = bit < 64 ? signature.first &>> UInt64(bit) : signature.second &>> UInt64(bit &- 64)
    let rest = 64 &- bit & 63
    let next = bit == 0 || bit == 64 ? 0 : (bit < 64 ? signature.second : signature.first) &<< UInt64(rest)
    return UInt32(truncatingIfNeeded: low | next) & (1 &<< UInt32(bits) &- 1)
  }

  /// The descriptors most like one, best first, at most ``kept``.
  ///
  /// `isWanted` says whether a target is looked for, by its place.
  func neighbours(
    of descriptor: UnsafePointer<Int16>,
    isLight: Bool,
    isWanted: UnsafePointer<Bool>,
    into result: inout [Neighbour]
  ) {
    result.removeAll(keepingCapacity: true)
    stamp &+= 1
    if stamp == 0 {
      for i in 0..<count { stamps.base[i] = 0 }
      stamp = 1
    }
    var worst = Int32(0.80 * FeatureSet.unit * FeatureSet.unit)
    let signature = chooser.signature(of: descriptor, margins: chooser.margins.base)
    let own = signature.first
    let side: UInt32 = isLight ? 1 : 0
    for table in 0..<Self.tables {
      let key = key(signature, table)
      let (least, second) = leastCertain(firstBit(table))
      let first = starts.base + table &* ((2 &<< bits) &+ 1)
      let list = items.base + table &* count
      for probe in 0..<4 {
        let flipped = key ^ (probe & 1 != 0 ? least : 0) ^ (probe & 2 != 0 ? second : 0)
        let at = Int(flipped &<< 1 | side)
        for place in first[at]..<first[at &+ 1] {
          let item = Int(list[Int(place)])
          guard (halves.base[item] ^ own).nonzeroBitCount <= Self.reach, stamps.base[item] != stamp else { continue }
          stamps.base[item] = stamp
          let owner = Int(owners.base[item])
          guard isWanted[owner] else { continue }
          let score = product(descriptor, codes.base + item &* Self.packed)
          guard score > worst else { continue }
          insert(Neighbour(owner: owner, feature: item &- Int(firsts.base[owner]), score: score), &result)
          if result.count == kept { worst = result[kept - 1].score }
        }
      }
    }
  }

  /// The two bits of a key whose numbers are nearest to each other.
  @inline(__always)
  private func leastCertain(_ from: Int) -> (UInt32, UInt32) {
    let margins = chooser.margins.base
    var (least, second): (Int16, Int16) = (.max, .max)
    var (leastBit, secondBit): (UInt32, UInt32) = (0, 0)
    for i in 0..<bits {
      let margin = margins[(from &+ i) & 127]
      let bit: UInt32 = 1 &<< UInt32(i)
      if margin < least {
        (second, secondBit) = (least, leastBit)
        (least, leastBit) = (margin, bit)
      } else if margin < second {
        (second, secondBit) = (margin, bit)
      }
    }
    return (leastBit, secondBit)
  }

  private func insert(_ neighbour: Neighbour, _ list: inout [Neighbour]) {
    var at = list.count
    while at > 0 && list[at - 1].score < neighbour.score { at -= 1 }
    if list.count == kept { list.removeLast() }
    list.insert(neighbour, at: at)
  }

  @inline(__always)
  private func product(_ a: UnsafePointer<Int16>, _ b: UnsafePointer<UInt8>) -> Int32 {
    var sum: Int32 = 0
    for i in 0..<Self.packed {
      sum &+= Int32(a[2 &* i]) &* Int32(b[i] & 15) &+ Int32(a[2 &* i &+ 1]) &* Int32(b[i] &>> 4)
    }
    return sum &* Int32(TargetFile.descriptorStep)
  }
}
