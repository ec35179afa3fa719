/// The descriptors of many targets, arranged so that those like a given one are found without looking at all.
///
/// Locality-sensitive hashing: each table takes some comparisons of two numbers of a descriptor each as the bits of a key. Alike descriptors share
/// most bits; where two numbers are nearly equal the other value of the bit is looked up as well. The number of bits
/// grows with the number of descriptors, so that a look-up touches about as many, however many there are.
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
  /// Most neighbours that are told of.
  static let kept = 8
  private let count: Int
  private let bits: Int
  private let codes: Memory<UInt8>
  private let owners: Memory<UInt16>
  private let numbers: Memory<UInt16>
  private let stamps: Memory<UInt32>
  private let starts: Memory<UInt32>
  private let items: Memory<UInt32>
  /// Which two numbers each bit of each table compares.
  private let pairs: Memory<UInt8>
  private var stamp: UInt32 = 0

  /// An index of the features of targets, the strongest `limit` of each.
  init(_ targets: [Target], limit: Int) {
    var total = 0
    for target in targets { total += min(limit, target.featureCount) }
    count = total
    var bits = 5
    while bits < 18 && total >> bits > 12 { bits += 1 }
    self.bits = bits
    let length = Feature.descriptorLength
    codes = Memory(count: total * length, filledWith: 0)
    owners = Memory(count: total, filledWith: 0)
    numbers = Memory(count: total, filledWith: 0)
    stamps = Memory(count: total, filledWith: 0)
    items = Memory(count: total * Self.tables, filledWith: 0)
    starts = Memory(count: ((2 << bits) + 1) * Self.tables, filledWith: 0)
    pairs = Memory(count: Self.tables * bits * 2, filledWith: 0)
    choosePairs()
    let keys = Memory<UInt32>(count: total * Self.tables, filledWith: 0)
    var at = 0
    for (owner, target) in targets.enumerated() {
      let set = target.features()
      set.descriptors.withUnsafeBufferPointer { descriptors in
        guard let base = descriptors.baseAddress else { return }
        for k in 0..<min(limit, set.count) {
          let own = base + k * length
          for i in 0..<length { codes.base[at * length + i] = UInt8(truncatingIfNeeded: own[i]) }
          owners.base[at] = UInt16(truncatingIfNeeded: owner)
          numbers.base[at] = UInt16(truncatingIfNeeded: k)
          for t in 0..<Self.tables {
            keys.base[t * total + at] = key(own, table: t, isLight: set.features[k].response > 0, probes: nil)
          }
          at += 1
        }
      }
    }
    for t in 0..<Self.tables { fill(t, keys.base + t * total) }
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

  /// Fixed for good: the same targets always give the same index.
  private func choosePairs() {
    var state: UInt32 = 2_463_534_242
    func next() -> UInt32 {
      state ^= state << 13
      state ^= state >> 17
      state ^= state << 5
      return state
    }
    for i in 0..<(Self.tables * bits) {
      let a = next() % 64
      var b = next() % 64
      while b == a { b = next() % 64 }
      pairs.base[2 * i] = UInt8(a)
      pairs.base[2 * i + 1] = UInt8(b)
    }
  }

  /// A descriptor's key in a table; also, when asked, the keys with the two least certain bits the other way.
  @inline(__always)
  private func key(
    _ descriptor: UnsafePointer<Int16>,
    table: Int,
    isLight: Bool,
    probes: UnsafeMutablePointer<UInt32>?
  ) -> UInt32 {
    let own = pairs.base + table &* bits &* 2
    var key: UInt32 = isLight ? 1 : 0
    var (least, second): (Int16, Int16) = (.max, .max)
    var (leastBit, secondBit): (UInt32, UInt32) = (0, 0)
    for i in 0..<bits {
      let difference = descriptor[Int(own[2 &* i])] &- descriptor[Int(own[2 &* i &+ 1])]
      let bit: UInt32 = 2 &<< UInt32(i)
      if difference > 0 { key |= bit }
      let margin = abs(difference)
      if margin < least {
        (second, secondBit) = (least, leastBit)
        (least, leastBit) = (margin, bit)
      } else if margin < second {
        (second, secondBit) = (margin, bit)
      }
    }
    if let probes {
      probes[0] = key
      probes[1] = key ^ leastBit
      probes[2] = key ^ secondBit
      probes[3] = key ^ leastBit ^ secondBit
    }
    return key
  }

  /// The descriptors most like one, best first, at most ``kept``.
  ///
  /// `isWanted` says whether a target is looked for, by its place.
  func neighbours(
    of descriptor: UnsafePointer<Int16>,
    isLight: Bool,
    isWanted: [Bool],
    into result: inout [Neighbour]
  ) {
    result.removeAll(keepingCapacity: true)
    stamp &+= 1
    if stamp == 0 {
      for i in 0..<count { stamps.base[i] = 0 }
      stamp = 1
    }
    let least = Int32(0.80 * FeatureSet.unit * FeatureSet.unit)
    var worst = least
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 4) { room in
      guard let probes = room.baseAddress else { return }
      for table in 0..<Self.tables {
        _ = key(descriptor, table: table, isLight: isLight, probes: probes)
        let first = starts.base + table &* ((2 &<< bits) &+ 1)
        let list = items.base + table &* count
        for probe in 0..<4 {
          let key = Int(probes[probe])
          for place in first[key]..<first[key &+ 1] {
            let item = Int(list[Int(place)])
            guard stamps.base[item] != stamp else { continue }
            stamps.base[item] = stamp
            guard isWanted[Int(owners.base[item])] else { continue }
            let score = product(descriptor, codes.base + item &* Feature.descriptorLength)
            guard score > worst else { continue }
            insert(Neighbour(owner: Int(owners.base[item]), feature: Int(numbers.base[item]), score: score), &result)
            if result.count == Self.kept { worst = result[Self.kept - 1].score }
          }
        }
      }
    }
  }

  private func insert(_ neighbour: Neighbour, _ list: inout [Neighbour]) {
    var at = list.count
    while at > 0 && list[at - 1].score < neighbour.score { at -= 1 }
    if list.count == Self.kept { list.removeLast() }
    list.insert(neighbour, at: at)
  }

  @inline(__always)
  private func product(_ a: UnsafePointer<Int16>, _ b: UnsafePointer<UInt8>) -> Int32 {
    var sum: Int32 = 0
    for i in 0..<Feature.descriptorLength { sum &+= Int32(a[i]) &* Int32(Int16(b[i])) }
    return sum
  }
}
