import SightlineImaging

/// Words for descriptors: those that fall to the same word are likely to be alike.
///
/// Two steps of spherical k-means (Nistér and Stewénius 2006): a descriptor is compared with the nodes, then with the
/// words
/// of the nearest of them only. Learned from the descriptors that are to be found, so that none is needed from
/// elsewhere; the same
/// descriptors always give the same words.
final class Vocabulary {
  /// How many words there are.
  let count: Int
  private let nodes: Int
  private let leavesPerNode: Int
  private let nodeCenters: FixedBuffer<Int16>
  private let centers: FixedBuffer<Int16>
  /// How near the nodes, or the words of one, are to what is looked for.
  private let scores: FixedBuffer<Int32>
  /// Whether products can be added up in 16 bits.
  private let isNarrow: Bool
  /// Room for the nearest nodes and words.
  private var nearNodes = FixedBuffer<Near>(count: 16, filledWith: Near())
  private var nearWords = FixedBuffer<Near>(count: 16, filledWith: Near())

  /// A node or word and how near it is.
  private struct Near {
    var score: Int32 = 0
    var place: Int32 = 0
  }

  private static let length = Feature.descriptorLength
  private static let rounds = 5

  /// Words for descriptors one after another.
  ///
  /// - Parameters:
  ///   - samples: descriptors to learn from.
  ///   - sampleCount: how many.
  ///   - words: about how many words are wanted; fewer when there are few samples.
  init(_ samples: UnsafePointer<Int16>, sampleCount: Int, words: Int) {
    var nodes = 1
    while nodes * nodes < words && nodes < 64 && sampleCount > nodes * 16 { nodes *= 2 }
    var leavesPerNode = 1
    while nodes * leavesPerNode < words && sampleCount > nodes * leavesPerNode * 8 { leavesPerNode *= 2 }
    self.nodes = nodes
    self.leavesPerNode = leavesPerNode
    count = nodes * leavesPerNode
    nodeCenters = FixedBuffer(count: nodes * Self.length, filledWith: 0)
    centers = FixedBuffer(count: nodes * leavesPerNode * Self.length, filledWith: 0)
    scores = FixedBuffer(count: max(nodes, leavesPerNode), filledWith: 0)
    var members = [Int](0..<sampleCount)
    let places = Self.cluster(samples, members, into: nodeCenters.base, nodes)
    for node in 0..<nodes {
      members.removeAll(keepingCapacity: true)
      for i in 0..<sampleCount where places[i] == node { members.append(i) }
      let to = centers.base + node * leavesPerNode * Self.length
      // A node nobody came to has words like itself.
      for b in 0..<leavesPerNode {
        copy(to + b * Self.length, nodeCenters.base + node * Self.length, Self.length)
      }
      if !members.isEmpty { _ = Self.cluster(samples, members, into: to, leavesPerNode) }
    }
    isNarrow = Self.fit16Bits(nodeCenters) && Self.fit16Bits(centers)
  }

  /// Moves centres to the middles of what is nearest to them; answers which centre each member is nearest to.
  private static func cluster(
    _ samples: UnsafePointer<Int16>,
    _ members: [Int],
    into centers: UnsafeMutablePointer<Int16>,
    _ count: Int
  ) -> [Int] {
    var places = [Int](repeating: 0, count: members.count)
    // Of pictures without features there is nothing to learn, and nothing to find.
    guard !members.isEmpty else { return places }
    for c in 0..<count {
      let sample = samples + members[c * members.count / count] * length
      copy(centers + c * length, sample, length)
    }
    guard count > 1 else { return places }
    var sums = [Float](repeating: 0, count: count * length)
    for _ in 0..<rounds {
      for i in sums.indices { sums[i] = 0 }
      for (i, member) in members.enumerated() {
        let sample = samples + member * length
        var best: (score: Int32, place: Int) = (.min, 0)
        for c in 0..<count {
          let score = similarity(sample, centers + c &* length)
          if score > best.score { best = (score, c) }
        }
        places[i] = best.place
        for d in 0..<length { sums[best.place &* length &+ d] += Float(sample[d]) }
      }
      for c in 0..<count {
        var square: Float = 0
        for d in 0..<length { square += sums[c * length + d] * sums[c * length + d] }
        // One without members stays where it is.
        guard square > 0 else { continue }
        let scale = FeatureSet.unit / square.squareRoot()
        for d in 0..<length { centers[c * length + d] = Int16(sums[c * length + d] * scale + 0.5) }
      }
    }
    return places
  }

  /// The word of a descriptor.
  func word(of descriptor: UnsafePointer<Int16>) -> Int {
    var best: (score: Int32, place: Int) = (.min, 0)
    for t in 0..<nodes {
      let score = similarity(descriptor, nodeCenters.base + t &* Self.length)
      if score > best.score { best = (score, t) }
    }
    let first = best.place &* leavesPerNode
    best = (.min, first)
    for w in first..<(first &+ leavesPerNode) {
      let score = similarity(descriptor, centers.base + w &* Self.length)
      if score > best.score { best = (score, w) }
    }
    return best.place
  }

  /// The words nearest to a descriptor of a picture, nearest first, at most `limit`, looked for under so many nodes.
  func words(
    near descriptor: UnsafePointer<Int16>,
    nodes wanted: Int,
    limit: Int,
    into result: inout [(score: Int32, word: Int)]
  ) {
    result.removeAll(keepingCapacity: true)
    if nearNodes.count < wanted { nearNodes = FixedBuffer(count: wanted, filledWith: Near()) }
    if nearWords.count < limit { nearWords = FixedBuffer(count: limit, filledWith: Near()) }
    let (nodesFound, wordsFound) = (nearNodes.base, nearWords.base)
    compare(descriptor, nodeCenters.base, nodes)
    var nodeCount = 0
    keep(nodes, from: 0, at: nodesFound, &nodeCount, wanted)
    var wordCount = 0
    for k in 0..<nodeCount {
      let first = Int(nodesFound[k].place) &* leavesPerNode
      compare(descriptor, centers.base + first &* Self.length, leavesPerNode)
      keep(leavesPerNode, from: first, at: wordsFound, &wordCount, limit)
    }
    for k in 0..<wordCount { result.append((wordsFound[k].score, Int(wordsFound[k].place))) }
  }

  /// Sets ``scores`` for so many centres.
  private func compare(_ descriptor: UnsafePointer<Int16>, _ centers: UnsafePointer<Int16>, _ count: Int) {
    let scores = scores.base
    guard isNarrow else {
      for i in 0..<count { scores[i] = similarity(descriptor, centers + i &* Self.length) }
      return
    }
    @inline(__always) func load(_ p: UnsafePointer<Int16>) -> SIMD8<UInt16> {
      UnsafeRawPointer(p).loadUnaligned(as: SIMD8<UInt16>.self)
    }
    let (a, b, c, d) = (load(descriptor), load(descriptor + 8), load(descriptor + 16), load(descriptor + 24))
    let (e, f, g, h) = (load(descriptor + 32), load(descriptor + 40), load(descriptor + 48), load(descriptor + 56))
    for i in 0..<count {
      let p = centers + i &* Self.length
      let first = (a &* load(p) &+ b &* load(p + 8)) &+ (c &* load(p + 16) &+ d &* load(p + 24))
      let second = (e &* load(p + 32) &+ f &* load(p + 40)) &+ (g &* load(p + 48) &+ h &* load(p + 56))
      let sums = unsafeBitCast(first &+ second, to: SIMD4<UInt32>.self)
      let wide = (sums & SIMD4(repeating: 0xFFFF)) &+ (sums &>> SIMD4(repeating: 16))
      scores[i] = Int32(truncatingIfNeeded: wide.wrappedSum())
    }
  }

  /// Whether sums of every eighth product of a descriptor's and a centre's numbers fit 16 bits, for all centres.
  ///
  /// None of a picture's descriptors is longer than 259, so that centres may have 253 in every eighth of their numbers:
  /// 259 · 253 < 2¹⁶.
  private static func fit16Bits(_ centers: FixedBuffer<Int16>) -> Bool {
    for first in Swift.stride(from: 0, to: centers.count / length * length, by: length) {
      for lane in 0..<8 {
        var square = 0
        for k in Swift.stride(from: first + lane, to: first + length, by: 8) {
          guard centers.base[k] >= 0 else { return false }
          square += Int(centers.base[k]) * Int(centers.base[k])
        }
        if square > 253 * 253 { return false }
      }
    }
    return true
  }

  /// Puts the first of ``scores`` among the best of those before, of equal ones the later behind; `first` is the place
  /// of the first.
  @inline(__always)
  private func keep(
    _ count: Int,
    from first: Int,
    at best: UnsafeMutablePointer<Near>,
    _ kept: inout Int,
    _ limit: Int
  ) {
    let scores = scores.base
    var least = kept == limit ? best[limit &- 1].score : Int32.min
    for i in 0..<count {
      let score = scores[i]
      if kept == limit {
        if score <= least { continue }
      } else {
        kept &+= 1
      }
      var at = kept &- 1
      while at > 0 && best[at &- 1].score < score {
        best[at] = best[at &- 1]
        at &-= 1
      }
      best[at] = Near(score: score, place: Int32(truncatingIfNeeded: first &+ i))
      if kept == limit { least = best[limit &- 1].score }
    }
  }
}
