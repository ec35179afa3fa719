/// Words for descriptors: those that fall to the same word are likely to be alike.
///
/// Two steps of spherical k-means (Nistér and Stewénius 2006): a descriptor is compared with the trunks, then with the words
/// of the nearest of them only. Learned from the descriptors that are to be found, so that none is needed from elsewhere; the same
/// descriptors always give the same words.
final class Vocabulary {
  /// How many words there are.
  let count: Int
  private let trunks: Int
  private let branches: Int
  private let trunkCenters: Memory<Int16>
  private let centers: Memory<Int16>
  private var nearTrunks: [(score: Int32, trunk: Int)] = []

  private static let length = Feature.descriptorLength
  private static let rounds = 5

  /// Words for descriptors one after another.
  ///
  /// - Parameters:
  ///   - samples: descriptors to learn from.
  ///   - sampleCount: how many.
  ///   - words: about how many words are wanted; fewer when there are few samples.
  init(_ samples: UnsafePointer<Int16>, sampleCount: Int, words: Int) {
    var trunks = 1
    while trunks * trunks < words && trunks < 64 && sampleCount > trunks * 16 { trunks *= 2 }
    var branches = 1
    while trunks * branches < words && sampleCount > trunks * branches * 8 { branches *= 2 }
    self.trunks = trunks
    self.branches = branches
    count = trunks * branches
    trunkCenters = Memory(count: trunks * Self.length, filledWith: 0)
    centers = Memory(count: trunks * branches * Self.length, filledWith: 0)
    var members = [Int](0..<sampleCount)
    let places = Self.cluster(samples, members, into: trunkCenters.base, trunks)
    for trunk in 0..<trunks {
      members.removeAll(keepingCapacity: true)
      for i in 0..<sampleCount where places[i] == trunk { members.append(i) }
      let to = centers.base + trunk * branches * Self.length
      // A trunk nobody came to has words like itself.
      for b in 0..<branches {
        copy(to + b * Self.length, trunkCenters.base + trunk * Self.length, Self.length)
      }
      if !members.isEmpty { _ = Self.cluster(samples, members, into: to, branches) }
    }
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
    for t in 0..<trunks {
      let score = similarity(descriptor, trunkCenters.base + t &* Self.length)
      if score > best.score { best = (score, t) }
    }
    let first = best.place &* branches
    best = (.min, first)
    for w in first..<(first &+ branches) {
      let score = similarity(descriptor, centers.base + w &* Self.length)
      if score > best.score { best = (score, w) }
    }
    return best.place
  }

  /// The words nearest to a descriptor, nearest first, at most `limit`, looked for under so many trunks.
  func words(
    near descriptor: UnsafePointer<Int16>,
    trunks wanted: Int,
    limit: Int,
    into result: inout [(score: Int32, word: Int)]
  ) {
    result.removeAll(keepingCapacity: true)
    nearTrunks.removeAll(keepingCapacity: true)
    for t in 0..<trunks {
      Self.insert(similarity(descriptor, trunkCenters.base + t &* Self.length), t, wanted, &nearTrunks)
    }
    for near in nearTrunks {
      let first = near.trunk &* branches
      for w in first..<(first &+ branches) {
        let score = similarity(descriptor, centers.base + w &* Self.length)
        var at = result.count
        if at == limit {
          if score <= result[at - 1].score { continue }
          result.removeLast()
          at -= 1
        }
        while at > 0 && result[at - 1].score < score { at -= 1 }
        result.insert((score, w), at: at)
      }
    }
  }

  @inline(__always)
  private static func insert(_ score: Int32, _ place: Int, _ limit: Int, _ list: inout [(score: Int32, trunk: Int)]) {
    var at = list.count
    if at == limit {
      if score <= list[at - 1].score { return }
      list.removeLast()
      at -= 1
    }
    while at > 0 && list[at - 1].score < score { at -= 1 }
    list.insert((score, place), at: at)
  }
}
