import SightlineMath

/// Matches all features of a target with a frame's, each only near the place where one match says it is.
///
/// What an index finds among many targets is a part of what is there: a descriptor that the view changed falls to another word, and
/// many targets show the same thing. Where one match already says about where a target is, how large and how turned, few features of the
/// frame come into question for each of the target's, and those are compared number by number.
final class GuidedMatcher {
  /// Pixels along a side of the cells that the frame's features lie in.
  private static let cell = 32
  /// Least cosine of the angle between descriptors.
  private static let leastSimilarity: Float = 0.86
  /// Sizes of features below which a frame has none, in the frame's pixels.
  private static let leastSize: Float = 0.7
  private var columns = 1
  private var rows = 1
  private var starts = Memory<Int32>(count: 1, filledWith: 0)
  private var sorted = Memory<Int32>(count: 1024, filledWith: 0)
  private var places = Memory<FeaturePlace>(count: 1024, filledWith: .zero)
  /// Descriptors of the frame's features in the order of the cells, the even numbers of each before the odd ones; the last
  /// number says whether it is the middle of something light.
  private var numbers = Memory<Int16>(count: 1024, filledWith: 0)
  private var isLight = Memory<Bool>(count: 1024, filledWith: false)
  /// How many pairs the last call of ``match(_:known:seed:limit:into:)`` compared.
  private(set) var compared = 0

  init() {}

  /// Takes the features of a frame.
  func set(_ features: FeatureSet, width: Int, height: Int) {
    let length = Feature.descriptorLength
    columns = width / Self.cell + 1
    rows = height / Self.cell + 1
    if starts.count < columns * rows + 1 { starts = Memory(count: columns * rows + 1, filledWith: 0) }
    if sorted.count < features.count {
      sorted = Memory(count: 2 * features.count, filledWith: 0)
      places = Memory(count: 2 * features.count, filledWith: .zero)
      isLight = Memory(count: 2 * features.count, filledWith: false)
    }
    if numbers.count < features.count * length { numbers = Memory(count: 2 * features.count * length, filledWith: 0) }
    for i in 0...(columns * rows) { starts.base[i] = 0 }
    for f in features.features { starts.base[cell(f.x, f.y) + 1] += 1 }
    for i in 0..<(columns * rows) { starts.base[i + 1] += starts.base[i] }
    // Filled from the end of each cell, so that `starts` ends as the cells' beginnings once more.
    for i in stride(from: features.count - 1, through: 0, by: -1) {
      let f = features.features[i]
      let c = cell(f.x, f.y) + 1
      starts.base[c] -= 1
      let at = Int(starts.base[c])
      sorted.base[at] = Int32(truncatingIfNeeded: i)
      places.base[at] = FeaturePlace(f.x, f.y, f.scale, f.angle)
      isLight.base[at] = f.response > 0
      for k in 0..<(length / 2) {
        numbers.base[at &* length &+ k] = features.descriptors[i * length + 2 * k]
        numbers.base[at &* length &+ length / 2 &+ k] = features.descriptors[i * length + 2 * k + 1]
      }
    }
    // Each start was moved one cell back by that.
    for i in 0..<(columns * rows) { starts.base[i] = starts.base[i + 1] }
    starts.base[columns * rows] = Int32(truncatingIfNeeded: features.count)
  }

  @inline(__always)
  private func cell(_ x: Float, _ y: Float) -> Int {
    let column = max(0, min(columns - 1, Int(x) / Self.cell))
    return max(0, min(rows - 1, Int(y) / Self.cell)) * columns + column
  }

  /// What matches when a feature of the frame and one of the target are taken as the same.
  ///
  /// - Parameters:
  ///   - target: whose features they are.
  ///   - known: their places.
  ///   - seed: place of the frame's feature, and of the target's.
  ///   - limit: how many of the target's features that are in the frame are asked, the strongest first.
  ///   - matches: is filled with at most one match for each of the target's features.
  func match(
    _ target: Target,
    known: UnsafePointer<FeaturePlace>,
    seed: (frame: FeaturePlace, target: FeaturePlace),
    limit: Int,
    into matches: inout [Match]
  ) {
    matches.removeAll(keepingCapacity: true)
    var left = limit
    compared = 0
    let ratio = seed.frame.size / seed.target.size
    let turn = seed.frame.direction - seed.target.direction
    let (c, s) = (Float(cos(Double(turn))) * ratio, Float(sin(Double(turn))) * ratio)
    let (right, bottom) = (Float(columns * Self.cell), Float(rows * Self.cell))
    let unit = FeatureSet.unit * FeatureSet.unit
    let worst = Int32(Self.leastSimilarity * unit)
    target.bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      let codes = base + target.smallCode.upperBound
      for k in 0..<target.featureCount {
        let t = known[k]
        let size = t.size * ratio
        guard size > Self.leastSize else { continue }
        let d = t.lowHalf - seed.target.lowHalf
        let x = seed.frame.x + c * d.x - s * d.y
        let y = seed.frame.y + s * d.x + c * d.y
        let tolerance = min(40, 4 + 0.3 * ratio * (d.x * d.x + d.y * d.y).squareRoot())
        guard x > -tolerance, y > -tolerance, x < right + tolerance, y < bottom + tolerance else { continue }
        guard left > 0 else { return }
        left -= 1
        let wanted = FeaturePlace(x, y, size, t.direction + turn)
        let code = codes + k &* TargetFile.featureLength
        let found = nearest(wanted, tolerance, isLight: code[6] & 1 == 1, code + 8, worst)
        guard found.index >= 0 else { continue }
        let cosine = Float(found.score) / unit
        matches.append(Match(frame: found.index, target: k, weight: min(1, (cosine - 0.8) * 5.5)))
      }
    }
  }

  /// The frame's feature most like one that is thought to be at a place.
  @inline(__always)
  private func nearest(
    _ wanted: FeaturePlace,
    _ tolerance: Float,
    isLight light: Bool,
    _ code: UnsafePointer<UInt8>,
    _ worst: Int32
  ) -> (index: Int, score: Int32) {
    var (index, best) = (-1, worst)
    var own = InlineArray<2, SIMD32<Int16>>(repeating: .zero)
    var isUnpacked = false
    let (low, high) = (0.55 * wanted.size, 1.8 * wanted.size)
    let left = max(0, min(columns - 1, Int(max(0, wanted.x - tolerance)) / Self.cell))
    let right = max(0, min(columns - 1, Int(max(0, wanted.x + tolerance)) / Self.cell))
    let top = max(0, min(rows - 1, Int(max(0, wanted.y - tolerance)) / Self.cell))
    let bottom = max(0, min(rows - 1, Int(max(0, wanted.y + tolerance)) / Self.cell))
    for row in top...bottom {
      var at = Int(starts.base[row &* columns &+ left])
      let end = Int(starts.base[row &* columns &+ right &+ 1])
      while at < end {
        defer { at &+= 1 }
        let p = places.base[at]
        let (ex, ey) = (p.x - wanted.x, p.y - wanted.y)
        guard ex * ex + ey * ey < tolerance * tolerance, p.size > low, p.size < high else { continue }
        guard isLight.base[at] == light else { continue }
        var lean = p.direction - wanted.direction
        if lean > .pi { lean -= 2 * .pi } else if lean < -.pi { lean += 2 * .pi }
        if lean > .pi { lean -= 2 * .pi } else if lean < -.pi { lean += 2 * .pi }
        guard abs(lean) < 0.6 else { continue }
        if !isUnpacked {
          let bytes = SIMD32<Int16>(truncatingIfNeeded: UnsafeRawPointer(code).loadUnaligned(as: SIMD32<UInt8>.self))
          own = [bytes & 15, bytes &>> 4]
          isUnpacked = true
        }
        compared &+= 1
        let frame = UnsafeRawPointer(numbers.base + at &* Feature.descriptorLength)
        // The whole sum fits 16 bits, see ``PackedProduct``.
        let even = frame.loadUnaligned(as: SIMD32<Int16>.self) &* own[0]
        let odd = (frame + 64).loadUnaligned(as: SIMD32<Int16>.self) &* own[1]
        let score = Int32((even &+ odd).wrappedSum()) &* Int32(TargetFile.descriptorStep)
        if score > best { (index, best) = (Int(sorted.base[at]), score) }
      }
    }
    return (index, best)
  }
}
