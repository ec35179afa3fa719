import SightlineImaging
import SightlineMath

/// The descriptors of many targets under words, so that those like a given one are found without looking at all.
///
/// An inverted file with Hamming embedding (Jégou, Douze and Schmid 2008): each descriptor lies in the list of its word
/// (``Vocabulary``) with a binaryCode of 128 comparisons of two of its numbers, where it stands in its target, and
/// whose it is. A look-up
/// reads the lists of the nearest words from end to end, so that its time is that of the lists' length and no memory is
/// jumped
/// through. Of few targets what is left is compared number by number; of many all that is near counts by how near it
/// is.
final class DescriptorIndex {
  /// A descriptor like the one that was asked for.
  struct Neighbour {
    /// Which target it belongs to.
    var owner: Int
    /// Its place among that target's features.
    var feature: Int
    /// Scalar product of both; of many targets 0.
    var score: Int32
    /// Bits in which their binary codes differ.
    var distance: Int
    /// Where it is, in its reference's pixels.
    var place: Keypoint
  }

  /// Where a feature is, in the steps of a target file: x, y, size, direction.
  private typealias PackedPlace = SIMD4<UInt16>

  /// Most neighbours that are told of when products are compared.
  let kept: Int
  /// Whether scalar products are compared as well.
  let isExact: Bool
  /// Most neighbours that are told of when products are not compared: one feature may be in every target.
  static let most = 256
  /// Most bits in which two binary codes may differ.
  var reach: Int { lists.reach }
  private let nodes: Int
  private let words: Int
  private static let packed = Feature.descriptorLength / 2
  private let count: Int
  private let targets: [Target]
  private let vocabulary: Vocabulary
  private let chooser: BinaryEncoder
  /// Of each word that of light and that of dark keypoints; the id of an entry is its owner, and its feature in the
  /// lower half.
  private let lists: InvertedFile
  /// Numbers of 4 bits, as in the target file, in the order of the targets; none when products are not compared.
  private let codes: FixedBuffer<UInt8>
  private let firsts: FixedBuffer<UInt32>
  private var near: [(score: Int32, word: Int)] = []

  /// An index of the features of targets.
  init(_ targets: [Target], isExact: Bool) {
    self.isExact = isExact
    var total = 0
    for target in targets { total += target.featureCount }
    count = total
    kept = 8
    // Of few the lists are short, and what is missed there is not looked for again.
    nodes = isExact ? 4 : 3
    words = isExact ? 10 : 6
    firsts = FixedBuffer(count: targets.count + 1, filledWith: 0)
    self.targets = targets
    let codes = FixedBuffer<UInt8>(count: isExact ? total * Self.packed : 1, filledWith: 0)
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
    chooser = BinaryEncoder(targets)
    vocabulary = Self.learn(targets, total)
    let list = Self.sort(targets, firsts, vocabulary, total)
    // Among many targets what differs more in the first half is seldom among the nearest.
    lists = InvertedFile(
      list,
      count: total,
      lists: vocabulary.count * 2,
      atOnce: words,
      reach: isExact ? 46 : 26,
      halfReach: isExact ? 27 : 12,
      owners: targets.count,
      features: targets.reduce(0) { max($0, $1.featureCount) }
    )
    fill(list)
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

  /// Words for descriptors, learned from some of them that are coverage over all.
  private static func learn(_ targets: [Target], _ total: Int) -> Vocabulary {
    let step = max(1, total / 20000)
    let rows = total / step
    let samples = FixedBuffer<Int16>(count: rows * Feature.descriptorLength, filledWith: 0)
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
    // Lists of some sixty on each side, but at most 4096 of them: a look-up compares with every word of some nodes.
    var words = 1
    while words < 4096 && words * 120 < total { words *= 2 }
    return Vocabulary(samples.base, sampleCount: rows, words: words)
  }

  /// Which list each descriptor falls to.
  private static func sort(
    _ targets: [Target],
    _ firsts: FixedBuffer<UInt32>,
    _ vocabulary: Vocabulary,
    _ total: Int
  ) -> FixedBuffer<UInt16> {
    let list = FixedBuffer<UInt16>(count: total, filledWith: 0)
    let numbers = FixedBuffer<Int16>(count: Feature.descriptorLength, filledWith: 0)
    for (owner, target) in targets.enumerated() {
      withFeatures(of: target) { features in
        for k in 0..<target.featureCount {
          let feature = features + k * TargetFile.featureLength
          unpack(feature + codeOffset, to: numbers.base)
          let place = vocabulary.word(of: numbers.base) * 2 + Int(feature[6] & 1)
          list.base[Int(firsts.base[owner]) + k] = UInt16(truncatingIfNeeded: place)
        }
      }
    }
    return list
  }

  /// Puts the descriptors into their lists.
  private func fill(_ list: FixedBuffer<UInt16>) {
    let numbers = FixedBuffer<Int16>(count: Feature.descriptorLength, filledWith: 0)
    for (owner, target) in targets.enumerated() {
      Self.withFeatures(of: target) { features in
        for k in 0..<target.featureCount {
          let feature = features + k * TargetFile.featureLength
          Self.unpack(feature + Self.codeOffset, to: numbers.base)
          lists.put(
            chooser.binaryCode(of: numbers.base),
            id: UInt32(owner) << 16 | UInt32(k),
            into: Int(list.base[Int(firsts.base[owner]) + k])
          )
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
  private static func unpacked(_ p: PackedPlace) -> Keypoint {
    let turn = Float(p.w) * (2 * .pi / 65536)
    return Keypoint(
      x: Float(p.x) * (1 / 64) - 0.5,
      y: Float(p.y) * (1 / 64) - 0.5,
      size: Float(p.z) * (1 / 1024),
      direction: turn > .pi ? turn - 2 * .pi : turn
    )
  }

  /// Where a target's features are, in its reference's pixels; answers how many it has.
  func places(of owner: Int, into places: UnsafeMutablePointer<Keypoint>) -> Int {
    let count = targets[owner].featureCount
    Self.withFeatures(of: targets[owner]) { features in
      for i in 0..<count { places[i] = Self.unpacked(Self.packedPlace(features + i * TargetFile.featureLength)) }
    }
    return count
  }

  /// The descriptors most like one, best first, at most ``kept``.
  ///
  /// `isWanted` says whether a target is looked for, by its place.
  @_optimize(speed)
  func neighbours(
    of descriptor: UnsafePointer<Int16>,
    isLight: Bool,
    isWanted: UnsafePointer<Bool>,
    into result: inout [Neighbour]
  ) {
    result.removeAll(keepingCapacity: true)
    let binaryCode = chooser.binaryCode(of: descriptor)
    vocabulary.words(near: descriptor, nodes: nodes, limit: words, into: &near)
    lists.begin()
    for (_, word) in near { lists.look(in: word &* 2 &+ (isLight ? 1 : 0), for: binaryCode, isWanted: isWanted) }
    guard lists.postingCount > 0 else { return }
    if isExact { compare(descriptor, &result) } else { list(&result) }
  }

  private func neighbour(_ posting: InvertedFile.Posting, _ id: UInt32, _ score: Int32) -> Neighbour {
    let (owner, feature) = (Int(id &>> 16), Int(id & 0xFFFF))
    var place = Keypoint.zero
    // Where it is stands in its target's file; kept here as well it would be a quarter of the index.
    Self.withFeatures(of: targets[owner]) {
      place = Self.unpacked(Self.packedPlace($0 + feature &* TargetFile.featureLength))
    }
    return Neighbour(owner: owner, feature: feature, score: score, distance: Int(posting.distance), place: place)
  }

  /// All that are near by their binaryCodes, up to ``most`` of the nearest.
  private func list(_ result: inout [Neighbour]) {
    lists.keepNearest(Self.most, least: 0)
    for k in 0..<lists.postingCount {
      let posting = lists.postings.base[k]
      result.append(neighbour(posting, lists.id(posting.entry), 0))
    }
  }

  /// The nearest by their numbers of those that are near by their binary codes.
  @_optimize(speed)
  private func compare(_ descriptor: UnsafePointer<Int16>, _ result: inout [Neighbour]) {
    lists.keepNearest(60, least: 12)
    let product = PackedProduct(descriptor)
    var worst = Int32(0.80 * FeatureSet.unit * FeatureSet.unit)
    for k in 0..<lists.postingCount {
      let posting = lists.postings.base[k]
      let id = lists.id(posting.entry)
      let item = Int(firsts.base[Int(id &>> 16)] &+ (id & 0xFFFF))
      let score = product(codes.base + item &* Self.packed)
      guard score > worst else { continue }
      if result.count == kept { result.removeLast() }
      var place = result.count
      while place > 0 && result[place - 1].score < score { place -= 1 }
      result.insert(neighbour(posting, id, score), at: place)
      if result.count == kept { worst = result[kept - 1].score }
    }
  }
}
