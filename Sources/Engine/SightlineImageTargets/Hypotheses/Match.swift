/// A feature of a frame that looks like one of a target.
struct Match {
  /// Index among the frame's features.
  var frame: Int
  /// Index among the target's.
  var target: Int
  /// How much it is to be believed, more than 0.
  var weight: Float
  /// The weight of all matches that say about the same.
  var consensus: Float = 0
}

/// The scalar product of two descriptors.
@inline(__always)
func similarity(_ a: UnsafePointer<Int16>, _ b: UnsafePointer<Int16>) -> Int32 {
  let (p, q) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
  var sum = SIMD4<Int32>.zero
  for i in 0..<(Feature.descriptorLength / 8) {
    let v = p.loadUnaligned(fromByteOffset: 16 &* i, as: SIMD8<Int16>.self)
    let w = q.loadUnaligned(fromByteOffset: 16 &* i, as: SIMD8<Int16>.self)
    sum &+= v.lowHalf.wide &* w.lowHalf.wide &+ v.highHalf.wide &* w.highHalf.wide
  }
  return sum[0] &+ sum[1] &+ sum[2] &+ sum[3]
}

/// The scalar product of two descriptors whose sum fits 16 bits.
@inline(__always)
private func shortSimilarity(_ a: UnsafePointer<Int16>, _ b: UnsafePointer<Int16>) -> Int32 {
  let (p, q) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
  var sum = SIMD8<Int16>.zero
  for i in 0..<8 {
    sum &+=
      p.loadUnaligned(fromByteOffset: 16 &* i, as: SIMD8<Int16>.self)
      &* q.loadUnaligned(fromByteOffset: 16 &* i, as: SIMD8<Int16>.self)
  }
  return Int32(sum.wrappedSum())
}

/// Matches by comparing everything with everything: exact, and quick enough for a few targets.
///
/// A target file's descriptors are multiples of ``TargetFile/descriptorStep``; those are compared without it, and a sum
/// then fits 16 bits, see
/// ``PackedProduct``. Others are compared as they are.
struct BruteForceMatcher {
  /// Least cosine of the angle between descriptors.
  var leastSimilarity: Float = 0.80
  /// Largest ratio of the best distance to the second best.
  var ratio: Float = 0.92
  private var best: [(score: Int32, second: Int32, index: Int)] = []
  private var ofFrame: [(score: Int32, index: Int)] = []
  /// The frame's features, the dark ones first, and their descriptors in that order.
  private var order: [Int] = []
  private var sorted: [Int16] = []
  /// The target's descriptors, and what each of their numbers counts.
  private var known: [Int16] = []
  private var step: Int32 = 1

  init() {}

  /// For each feature of the target the most alike of the frame, if it is clearly so.
  @_optimize(speed)
  mutating func match(_ frame: FeatureSet, with target: FeatureSet, into matches: inout [Match]) {
    matches.removeAll(keepingCapacity: true)
    best.removeAll(keepingCapacity: true)
    ofFrame.removeAll(keepingCapacity: true)
    for _ in 0..<frame.count { ofFrame.append((-1, -1)) }
    let length = Feature.descriptorLength
    let dark = sort(frame)
    take(target)
    let step = step
    sorted.withUnsafeBufferPointer { frames in
      known.withUnsafeBufferPointer { targets in
        ofFrame.withUnsafeMutableBufferPointer { ofFrame in
          guard let f = frames.baseAddress, let t = targets.baseAddress else { return }
          for i in 0..<target.count {
            let own = t + i &* length
            let range = target.features[i].response > 0 ? dark..<frame.count : 0..<dark
            var (first, second, index): (Int32, Int32, Int) = (-1, -1, -1)
            for j in range {
              let score = step > 1 ? shortSimilarity(own, f + j &* length) : similarity(own, f + j &* length)
              if score > ofFrame[j].score { ofFrame[j] = (score, i) }
              if score > second {
                if score > first {
                  second = first
                  first = score
                  index = j
                } else {
                  second = score
                }
              }
            }
            best.append((first < 0 ? -1 : first &* step, second < 0 ? -1 : second &* step, index))
          }
        }
      }
    }
    let unit = FeatureSet.unit * FeatureSet.unit
    for i in 0..<best.count where best[i].index >= 0 {
      let (cosine, other) = (Float(best[i].score) / unit, Float(best[i].second) / unit)
      guard cosine >= leastSimilarity else { continue }
      let distances = (max(1e-4, 2 - 2 * cosine) / max(1e-4, 2 - 2 * other)).squareRoot()
      let isMutual = ofFrame[best[i].index].index == i
      guard distances < ratio || isMutual else { continue }
      matches.append(
        Match(
          frame: order[best[i].index],
          target: i,
          weight: (isMutual ? 1.5 : 0.8) * (1.08 - min(1, distances)) * cosine
        )
      )
    }
  }

  /// Takes the descriptors of a target, without their step if all have it.
  private mutating func take(_ target: FeatureSet) {
    let (whole, most) = (Int16(TargetFile.descriptorStep), Int16(15 * TargetFile.descriptorStep))
    var areAll = true
    known = target.descriptors
    known.withUnsafeMutableBufferPointer { known in
      for i in known.indices {
        let (number, share) = (known[i], known[i] / whole)
        areAll = areAll && number >= 0 && number <= most && share &* whole == number
        known[i] = share
      }
    }
    step = areAll ? Int32(whole) : 1
    if !areAll { known = target.descriptors }
  }

  /// Sorts the frame's features by whether they are dark, so that none is asked for nothing; answers how many are.
  private mutating func sort(_ frame: FeatureSet) -> Int {
    order.removeAll(keepingCapacity: true)
    sorted.removeAll(keepingCapacity: true)
    for (j, feature) in frame.features.enumerated() where !(feature.response > 0) { order.append(j) }
    let dark = order.count
    for (j, feature) in frame.features.enumerated() where feature.response > 0 { order.append(j) }
    let length = Feature.descriptorLength
    for j in order { sorted.append(contentsOf: frame.descriptors[(j * length)..<((j + 1) * length)]) }
    return dark
  }
}
