/// A feature of a frame that looks like one of a target.
struct Match {
  /// Index among the frame's features.
  var frame: Int
  /// Index among the target's.
  var target: Int
  /// How much it is to be believed, more than 0.
  var weight: Float
  /// The weight of all matches that say about the same.
  var company: Float = 0
}

/// The scalar product of two descriptors.
@inline(__always)
func similarity(_ a: UnsafePointer<Int16>, _ b: UnsafePointer<Int16>) -> Int32 {
  var sum: Int32 = 0
  for i in 0..<Feature.descriptorLength { sum &+= Int32(a[i]) &* Int32(b[i]) }
  return sum
}

/// Matches by comparing everything with everything: exact, and quick enough for a few targets.
struct PlainMatcher {
  /// Least cosine of the angle between descriptors.
  var leastSimilarity: Float = 0.80
  /// Largest ratio of the best distance to the second best.
  var ratio: Float = 0.92
  private var best: [(score: Int32, second: Int32, index: Int)] = []
  private var ofFrame: [(score: Int32, index: Int)] = []
  /// The frame's features, the dark ones first, and their descriptors in that order.
  private var order: [Int] = []
  private var sorted: [Int16] = []

  init() {}

  /// For each feature of the target the most alike of the frame, if it is clearly so.
  mutating func match(_ frame: FeatureSet, with target: FeatureSet, into matches: inout [Match]) {
    matches.removeAll(keepingCapacity: true)
    best.removeAll(keepingCapacity: true)
    ofFrame.removeAll(keepingCapacity: true)
    for _ in 0..<frame.count { ofFrame.append((-1, -1)) }
    let length = Feature.descriptorLength
    let dark = sort(frame)
    sorted.withUnsafeBufferPointer { frames in
      target.descriptors.withUnsafeBufferPointer { targets in
        ofFrame.withUnsafeMutableBufferPointer { ofFrame in
          guard let f = frames.baseAddress, let t = targets.baseAddress else { return }
          for i in 0..<target.count {
            let own = t + i &* length
            let range = target.features[i].response > 0 ? dark..<frame.count : 0..<dark
            var (first, second, index): (Int32, Int32, Int) = (-1, -1, -1)
            for j in range {
              let score = similarity(own, f + j &* length)
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
            best.append((first, second, index))
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
