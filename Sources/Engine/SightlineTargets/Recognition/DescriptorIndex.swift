import SightlineMath

/// The descriptors of many targets under words, so that those like a given one are found without looking at all.
///
/// An inverted file with Hamming embedding (Jégou, Douze and Schmid 2008): each descriptor lies in the list of its word
/// (``Vocabulary``) with a signature of 128 comparisons of two of its numbers, where it stands in its target, and whose it is. A look-up
/// reads the lists of the nearest words from end to end, so that its time is that of the lists' length and no memory is jumped
/// through. Of few targets what is left is compared number by number; of many all that is near counts by how near it is.
final class DescriptorIndex {
  /// A descriptor like the one that was asked for.
  struct Neighbour {
    /// Which target it belongs to.
    var owner: Int
    /// Its place among that target's features.
    var feature: Int
    /// Scalar product of both; of many targets 0.
    var score: Int32
    /// Bits in which their signatures differ.
    var distance: Int
    /// Where it is, in its reference's pixels.
    var place: FeaturePlace
  }

  /// Where a feature is, in the steps of a target file: x, y, size, direction.
  private typealias PackedPlace = SIMD4<UInt16>

  /// Most neighbours that are told of when products are compared.
  let kept: Int
  /// Whether scalar products are compared as well.
  let isExact: Bool
  /// Most neighbours that are told of when products are not compared: one feature may be in every target.
  static let most = 256
  /// Most bits in which two signatures may differ.
  let reach: Int
  /// Most bits in which their first halves may: among many targets what differs more is seldom among the nearest.
  private let halfReach: Int
  private let trunks: Int
  private let words: Int
  private static let packed = Feature.descriptorLength / 2
  private let count: Int
  private let targets: [Target]
  private let vocabulary: Vocabulary
  private let chooser: SignatureChooser
  /// The halves of the signatures, in the order of the lists.
  private let halves: Memory<UInt64>
  private let others: Memory<UInt64>
  /// Owner, and its feature in the lower half, in the same order.
  private let ids: Memory<UInt32>
  private let listed: Memory<PackedPlace>
  /// Numbers of 4 bits, as in the target file, in the order of the targets; none when products are not compared.
  private let codes: Memory<UInt8>
  private let firsts: Memory<UInt32>
  /// Where the lists begin: of each word that of light and that of dark spots.
  private let starts: Memory<UInt32>
  private var near: [(score: Int32, word: Int)] = []
  private var hits: [(distance: Int, entry: Int)] = []
  private let counts = Memory<Int>(count: 130, filledWith: 0)

  /// An index of the features of targets.
  init(_ targets: [Target], isExact: Bool) {
    self.isExact = isExact
    var total = 0
    for target in targets { total += target.featureCount }
    count = total
    kept = 8
    halfReach = isExact ? 27 : 12
    reach = isExact ? 46 : 26
    // Of few the lists are short, and what is missed there is not looked for again.
    trunks = isExact ? 4 : 3
    words = isExact ? 10 : 6
    firsts = Memory(count: targets.count + 1, filledWith: 0)
    self.targets = targets
    let codes = Memory<UInt8>(count: isExact ? total * Self.packed : 1, filledWith: 0)
    self.codes = codes
    var at = 0
    for (owner, target) in targets.enumerated() {
      firsts.base[owner] = UInt32(at)
      if isExact {
        Self.withFeatures(of: target) { features in
          for k in 0..<target.featureCount {
            let code = features + k * TargetFile.featureLength + Self.codeOffset
            copy(codes.base + (at + k) * Self.packed, code, Self.packed)
          }
        }
      }
      at += target.featureCount
    }
    firsts.base[targets.count] = UInt32(at)
    chooser = SignatureChooser(targets)
    vocabulary = Self.learn(targets, total)
    // The last four are read together with what would come after them.
    halves = Memory(count: total + 4, filledWith: 0)
    others = Memory(count: total, filledWith: 0)
    ids = Memory(count: total, filledWith: 0)
    listed = Memory(count: total, filledWith: .zero)
    starts = Memory(count: vocabulary.count * 2 + 1, filledWith: 0)
    fill()
  }

  /// Bytes of a feature in a target file before its numbers.
  private static let codeOffset = 8

  /// The features as they lie in a target's file: nothing is kept twice.
  @inline(__always)
  private static func withFeatures(of target: Target, _ body: (UnsafePointer<UInt8>) -> Void) {
    target.bytes.withUnsafeBufferPointer { bytes in
      if let base = bytes.baseAddress { body(base + target.smallCode.upperBound) }
    }
  }

  @inline(__always)
  private static func unpack(_ code: UnsafePointer<UInt8>, to: UnsafeMutablePointer<Int16>) {
    let step = Int16(TargetFile.descriptorStep)
    for i in 0..<packed {
      to[2 &* i] = Int16(code[i] & 15) &* step
      to[2 &* i &+ 1] = Int16(code[i] &>> 4) &* step
    }
  }

  /// Words for descriptors, learned from some of them that are spread over all.
  private static func learn(_ targets: [Target], _ total: Int) -> Vocabulary {
    let step = max(1, total / 20000)
    let rows = total / step
    let samples = Memory<Int16>(count: rows * Feature.descriptorLength, filledWith: 0)
    // Row after row of all targets' features, taken as one list.
    var (row, first) = (0, 0)
    for target in targets {
      withFeatures(of: target) { features in
        while row < rows && row * step < first + target.featureCount {
          let code = features + (row * step - first) * TargetFile.featureLength + codeOffset
          unpack(code, to: samples.base + row * Feature.descriptorLength)
          row += 1
        }
      }
      first += target.featureCount
    }
    // Lists of some sixty on each side, but at most 4096 of them: a look-up compares with every word of some trunks.
    var words = 1
    while words < 4096 && words * 120 < total { words *= 2 }
    return Vocabulary(samples.base, sampleCount: rows, words: words)
  }

  /// Sorts the descriptors into the lists of their words.
  private func fill() {
    let list = Memory<UInt16>(count: count, filledWith: 0)
    let numbers = Memory<Int16>(count: Feature.descriptorLength, filledWith: 0)
    for (owner, target) in targets.enumerated() {
      Self.withFeatures(of: target) { features in
        for k in 0..<target.featureCount {
          let feature = features + k * TargetFile.featureLength
          Self.unpack(feature + Self.codeOffset, to: numbers.base)
          let place = vocabulary.word(of: numbers.base) * 2 + Int(feature[6] & 1)
          list.base[Int(firsts.base[owner]) + k] = UInt16(truncatingIfNeeded: place)
          starts.base[place + 1] += 1
        }
      }
    }
    for k in 0..<(vocabulary.count * 2) { starts.base[k + 1] += starts.base[k] }
    let next = Memory<UInt32>(count: vocabulary.count * 2, filledWith: 0)
    for (owner, target) in targets.enumerated() {
      Self.withFeatures(of: target) { features in
        for k in 0..<target.featureCount {
          let feature = features + k * TargetFile.featureLength
          Self.unpack(feature + Self.codeOffset, to: numbers.base)
          let signature = chooser.signature(of: numbers.base)
          let place = Int(list.base[Int(firsts.base[owner]) + k])
          let at = Int(starts.base[place] + next.base[place])
          halves.base[at] = signature.first
          others.base[at] = signature.second
          ids.base[at] = UInt32(owner) << 16 | UInt32(k)
          listed.base[at] = Self.packedPlace(feature)
          next.base[place] += 1
        }
      }
    }
  }

  /// Where a feature of a target file is.
  @inline(__always)
  private static func packedPlace(_ feature: UnsafePointer<UInt8>) -> PackedPlace {
    func number(_ at: Int) -> UInt16 { UInt16(feature[at]) | UInt16(feature[at + 1]) << 8 }
    // The lowest bit of the direction says whether it is light.
    return PackedPlace(number(0), number(2), number(4), number(6) & 0xFFFE)
  }

  @inline(__always)
  private static func unpacked(_ p: PackedPlace) -> FeaturePlace {
    let turn = Float(p.w) * (2 * .pi / 65536)
    return FeaturePlace(
      Float(p.x) * (1 / 64) - 0.5,
      Float(p.y) * (1 / 64) - 0.5,
      Float(p.z) * (1 / 1024),
      turn > .pi ? turn - 2 * .pi : turn
    )
  }

  /// Where a target's features are, in its reference's pixels; answers how many it has.
  func places(of owner: Int, into places: UnsafeMutablePointer<FeaturePlace>) -> Int {
    let count = targets[owner].featureCount
    Self.withFeatures(of: targets[owner]) { features in
      for i in 0..<count { places[i] = Self.unpacked(Self.packedPlace(features + i * TargetFile.featureLength)) }
    }
    return count
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
    hits.removeAll(keepingCapacity: true)
    for i in 0...reach { counts.base[i] = 0 }
    let signature = chooser.signature(of: descriptor)
    vocabulary.words(near: descriptor, trunks: trunks, limit: words, into: &near)
    let limit = SIMD4<UInt64>(repeating: UInt64(halfReach))
    for (_, word) in near {
      let place = word &* 2 &+ (isLight ? 1 : 0)
      var at = Int(starts.base[place])
      let end = Int(starts.base[place &+ 1])
      while at < end {
        let four = UnsafeRawPointer(halves.base + at).loadUnaligned(as: SIMD4<UInt64>.self)
        let differing = bits(four ^ SIMD4(repeating: signature.first))
        let isNear = differing .<= limit
        if any(isNear) {
          for lane in 0..<min(4, end &- at) where isNear[lane] {
            look(at &+ lane, Int(truncatingIfNeeded: differing[lane]), signature.second, isWanted)
          }
        }
        at &+= 4
      }
    }
    guard !hits.isEmpty else { return }
    // Counted up, the numbers say how many are as near or nearer.
    for i in 1...reach { counts.base[i] += counts.base[i - 1] }
    if isExact { compare(descriptor, &result) } else { list(&result) }
  }

  /// Keeps an entry whose first half is near if all of it is.
  @inline(__always)
  private func look(_ at: Int, _ differing: Int, _ second: UInt64, _ isWanted: UnsafePointer<Bool>) {
    let distance = differing &+ (others.base[at] ^ second).nonzeroBitCount
    guard distance <= reach, isWanted[Int(ids.base[at] &>> 16)] else { return }
    counts.base[distance] += 1
    hits.append((distance, at))
  }

  private func neighbour(_ at: Int, _ score: Int32, _ distance: Int) -> Neighbour {
    Neighbour(
      owner: Int(ids.base[at] &>> 16),
      feature: Int(ids.base[at] & 0xFFFF),
      score: score,
      distance: distance,
      place: Self.unpacked(listed.base[at])
    )
  }

  /// All that are near by their signatures, up to ``most`` of the nearest.
  private func list(_ result: inout [Neighbour]) {
    // All of one distance or none: which of them came first says nothing.
    var last = reach
    while last > 0 && counts.base[last] > Self.most { last -= 1 }
    for (distance, at) in hits where distance <= last { result.append(neighbour(at, 0, distance)) }
  }

  /// The nearest by their numbers of those that are near by their signatures.
  private func compare(_ descriptor: UnsafePointer<Int16>, _ result: inout [Neighbour]) {
    var last = reach
    while last > 12 && counts.base[last] > 60 { last -= 1 }
    var worst = Int32(0.80 * FeatureSet.unit * FeatureSet.unit)
    for (distance, at) in hits where distance <= last {
      let item = Int(firsts.base[Int(ids.base[at] &>> 16)] &+ (ids.base[at] & 0xFFFF))
      let score = product(descriptor, codes.base + item &* Self.packed)
      guard score > worst else { continue }
      if result.count == kept { result.removeLast() }
      var place = result.count
      while place > 0 && result[place - 1].score < score { place -= 1 }
      result.insert(neighbour(at, score, distance), at: place)
      if result.count == kept { worst = result[kept - 1].score }
    }
  }

  /// How many bits of each are set.
  @inline(__always)
  private func bits(_ v: SIMD4<UInt64>) -> SIMD4<UInt64> {
    let pairs = v &- (v &>> 1 & SIMD4(repeating: 0x5555_5555_5555_5555))
    let threes = SIMD4<UInt64>(repeating: 0x3333_3333_3333_3333)
    let fours = (pairs & threes) &+ (pairs &>> 2 & threes)
    let bytes = (fours &+ fours &>> 4) & SIMD4(repeating: 0x0F0F_0F0F_0F0F_0F0F)
    // Added up without a product of 64 bits, which the smallest instruction sets have not for vectors.
    let two = bytes &+ bytes &>> 8
    let four = two &+ two &>> 16
    return (four &+ four &>> 32) & SIMD4(repeating: 0x7F)
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
