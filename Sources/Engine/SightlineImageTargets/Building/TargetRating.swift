import SightlineImaging
import SightlineMath

extension TargetRating {
  /// Mean corner score below which light and dark hardly differ.
  private static let leastContrast = 20.0

  /// Rates a target by what it can be found and held by.
  ///
  /// Stars grow with the number of features that are like no other of the picture and with how much of the picture has
  /// something to hold on to; see ``TargetRating/Reasons`` for what takes them away.
  static func rate(features: FeatureSet, width: Int, height: Int, pyramid: ReferencePyramid) -> TargetRating {
    var reasons: Reasons = []
    if max(width, height) < 160 || min(width, height) < 60 { reasons.insert(.tooSmall) }
    let twins = twinCount(features)
    let distinct = features.count - twins
    // A pattern beside enough that is like nothing else is no hindrance, and a few alike features are no pattern.
    if features.count >= 80 && twins * 2 > features.count && distinct < 150 { reasons.insert(.repeatsItself) }
    let (covered, contrast) = coverage(pyramid)
    if distinct < 120 || covered < 0.35 { reasons.insert(.littleTexture) }
    if contrast < leastContrast { reasons.insert(.lowContrast) }
    let spread = spread(features, pyramid)
    if spread < 0.45 { reasons.insert(.unevenlySpread) }
    // Each part saturates: a hundred features more change nothing for a picture that has three hundred.
    let count = 1 - exp(-Double(distinct) / 110)
    var stars =
      5 * (0.5 * count + 0.25 * min(1, covered / 0.6) + 0.15 * min(1, spread / 0.8) + 0.1 * min(1, contrast / 40))
    stars *= min(1, Double(distinct) / 12)
    // Faint features are as many as others from near, and gone with the first noise.
    stars *= min(1, contrast / (1.2 * leastContrast))
    return TargetRating(stars: (clamp(stars, 0, 5) * 50).rounded() / 50, reasons: reasons)
  }

  /// How many features have another like them elsewhere in the picture.
  @_optimize(speed)
  private static func twinCount(_ set: FeatureSet) -> Int {
    var twins = 0
    let limit = Int32(0.955 * FeatureSet.unit * FeatureSet.unit)
    set.descriptors.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for i in 0..<set.count {
        let a = set.features[i]
        let own = base + i * Feature.descriptorLength
        for j in 0..<set.count where j != i {
          let b = set.features[j]
          guard (a.response > 0) == (b.response > 0) else { continue }
          let distance = (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)
          guard distance > 16 * a.scale * a.scale else { continue }
          if similarity(own, base + j * Feature.descriptorLength) > limit {
            twins += 1
            break
          }
        }
      }
    }
    return twins
  }

  /// The share of the picture with something to hold on to, and the mean contrast there.
  private static func coverage(_ pyramid: ReferencePyramid) -> (share: Double, contrast: Double) {
    let level = pyramid.levels[min(2, pyramid.levels.count - 1)]
    var (held, sum) = (0, 0.0)
    let cells = level.columns * level.rows
    for i in 0..<cells where level.cornerScore.base[i] > 12 {
      held += 1
      sum += Double(level.cornerScore.base[i])
    }
    return (Double(held) / Double(max(1, cells)), held > 0 ? sum / Double(held) : 0)
  }

  /// The share of 4 × 4 parts of the picture with features.
  private static func spread(_ set: FeatureSet, _ pyramid: ReferencePyramid) -> Double {
    var counts = InlineArray<16, Int>(repeating: 0)
    for f in set.features {
      let column = min(3, max(0, Int((Double(f.x) + 0.5) / pyramid.width * 4)))
      let row = min(3, max(0, Int((Double(f.y) + 0.5) / pyramid.height * 4)))
      counts[row * 4 + column] += 1
    }
    var filled = 0
    for i in 0..<16 where counts[i] >= 3 { filled += 1 }
    return Double(filled) / 16
  }
}
