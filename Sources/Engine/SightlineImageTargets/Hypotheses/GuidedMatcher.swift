import SightlineImaging
import SightlineMath

/// Matches all features of a target with a frame's, each only near the place where one match says it is.
///
/// What an index finds among many targets is a part of what is there: a descriptor that the view changed falls to
/// another word, and
/// many targets show the same thing. Where one match already says about where a target is, how large and how turned,
/// few features of the
/// frame come into question for each of the target's, and those are compared number by number.
final class GuidedMatcher {
  /// Pixels along a side of the cells that the frame's features lie in.
  private static let cell = 32
  /// Their logarithm.
  private static let cellBits: UInt32 = 5
  /// Least cosine of the angle between descriptors.
  private static let leastSimilarity: Float = 0.86
  /// Sizes of features below which a frame has none, in the frame's pixels.
  private static let leastSize: Float = 0.7
  private var columns = 1
  private var rows = 1
  /// Where each cell's features begin: the cells of the dark ones, row by row, then those of the light ones.
  private var starts = FixedBuffer<Int32>(count: 1, filledWith: 0)
  private var sorted = FixedBuffer<Int32>(count: 1024, filledWith: 0)
  /// Places of the frame's features in that order, by kind of number, so that four are looked at together.
  private var x = FixedBuffer<Float>(count: 1024, filledWith: 0)
  private var y = FixedBuffer<Float>(count: 1024, filledWith: 0)
  private var sizes = FixedBuffer<Float>(count: 1024, filledWith: 0)
  private var directions = FixedBuffer<Float>(count: 1024, filledWith: 0)
  /// Their descriptors in that order.
  private var numbers = FixedBuffer<Int16>(count: 1024, filledWith: 0)
  /// How many pairs the last call of ``match(_:known:seed:limit:into:)`` compared.
  private(set) var compared = 0

  init() {}

  /// Takes the features of a frame.
  func set(_ features: FeatureSet, width: Int, height: Int) {
    let length = Feature.descriptorLength
    columns = width / Self.cell + 1
    rows = height / Self.cell + 1
    let cells = 2 * columns * rows
    if starts.count < cells + 1 { starts = FixedBuffer(count: cells + 1, filledWith: 0) }
    // Four are read at a time, also where fewer are left.
    if sorted.count < features.count + 4 {
      let room = 2 * features.count + 4
      sorted = FixedBuffer(count: room, filledWith: 0)
      x = FixedBuffer(count: room, filledWith: 0)
      y = FixedBuffer(count: room, filledWith: 0)
      sizes = FixedBuffer(count: room, filledWith: 0)
      directions = FixedBuffer(count: room, filledWith: 0)
    }
    if numbers.count < features.count * length {
      numbers = FixedBuffer(count: 2 * features.count * length, filledWith: 0)
    }
    for i in 0...cells { starts.base[i] = 0 }
    for f in features.features { starts.base[cell(f) + 1] += 1 }
    for i in 0..<cells { starts.base[i + 1] += starts.base[i] }
    features.descriptors.withUnsafeBufferPointer { descriptors in
      // Filled from the end of each cell, so that `starts` ends as the cells' beginnings once more.
      for i in stride(from: features.count - 1, through: 0, by: -1) {
        let f = features.features[i]
        let c = cell(f) + 1
        starts.base[c] -= 1
        let at = Int(starts.base[c])
        sorted.base[at] = Int32(truncatingIfNeeded: i)
        x.base[at] = f.x
        y.base[at] = f.y
        sizes.base[at] = f.scale
        directions.base[at] = f.angle
        if let base = descriptors.baseAddress { copy(numbers.base + at * length, base + i * length, length) }
      }
    }
    // Each start was moved one cell back by that.
    for i in 0..<cells { starts.base[i] = starts.base[i + 1] }
    starts.base[cells] = Int32(truncatingIfNeeded: features.count)
  }

  @inline(__always)
  private func cell(_ f: Feature) -> Int {
    let column = max(0, min(columns - 1, Int(f.x) / Self.cell))
    let row = max(0, min(rows - 1, Int(f.y) / Self.cell))
    return (f.response > 0 ? rows + row : row) * columns + column
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
    known: UnsafePointer<Keypoint>,
    seed: (frame: Keypoint, target: Keypoint),
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
        let d = t.position - seed.target.position
        let x = seed.frame.x + c * d.x - s * d.y
        let y = seed.frame.y + s * d.x + c * d.y
        let tolerance = min(40, 4 + 0.3 * ratio * (d.x * d.x + d.y * d.y).squareRoot())
        guard x > -tolerance, y > -tolerance, x < right + tolerance, y < bottom + tolerance else { continue }
        guard left > 0 else { return }
        left -= 1
        let wanted = Keypoint(x: x, y: y, size: size, direction: t.direction + turn)
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
    _ wanted: Keypoint,
    _ tolerance: Float,
    isLight light: Bool,
    _ code: UnsafePointer<UInt8>,
    _ worst: Int32
  ) -> (index: Int, score: Int32) {
    var (index, best) = (-1, worst)
    var own = InlineArray<8, SIMD8<Int16>>(repeating: .zero)
    var isUnpacked = false
    let (low, high) = (SIMD4(repeating: 0.55 * wanted.size), SIMD4(repeating: 1.8 * wanted.size))
    let (most, mostLean) = (SIMD4(repeating: tolerance * tolerance), SIMD4<Float>(repeating: 0.6))
    // The cells that the first and the last place that come into question lie in.
    let none = SIMD4<Float>.zero
    let reach = SIMD4(wanted.x - tolerance, wanted.x + tolerance, wanted.y - tolerance, wanted.y + tolerance)
    let cells = none.replacing(with: reach, where: reach .> none).truncated &>> SIMD4(repeating: Self.cellBits)
    let (left, right) = (min(columns &- 1, Int(cells[0])), min(columns &- 1, Int(cells[1])))
    let bottom = min(rows &- 1, Int(cells[3]))
    var row = min(rows &- 1, Int(cells[2]))
    let (x, y, sizes, directions) = (x.base, y.base, sizes.base, directions.base)
    let (starts, numbers) = (starts.base + (light ? rows &* columns : 0), numbers.base)
    while row <= bottom {
      var at = Int(starts[row &* columns &+ left])
      let end = Int(starts[row &* columns &+ right &+ 1])
      row &+= 1
      while at < end {
        let (ex, ey, size) = (load4(x + at) - wanted.x, load4(y + at) - wanted.y, load4(sizes + at))
        // The same direction, or one or two whole turns from it.
        let lean = (load4(directions + at) - wanted.direction).magnitudes
        let (once, twice) = ((lean - 2 * .pi).magnitudes, (lean - 2 * .pi - 2 * .pi).magnitudes)
        let isNear = (ex * ex + ey * ey .< most) .& (size .> low) .& (size .< high)
        let isAlong = (lean .< mostLean) .| (once .< mostLean) .| (twice .< mostLean)
        var mask = (isNear .& isAlong).laneMask(first: end &- at)
        while mask != 0 {
          let place = at &+ mask.trailingZeroBitCount
          mask &= mask &- 1
          if !isUnpacked {
            for i in 0..<8 { own[i] = Self.unpacked(code + 4 &* i) }
            isUnpacked = true
          }
          compared &+= 1
          let frame = UnsafeRawPointer(numbers + place &* Feature.descriptorLength)
          // The whole sum fits 16 bits, see ``PackedProduct``.
          var sum = frame.loadUnaligned(as: SIMD8<Int16>.self) &* own[0]
          for i in 1..<8 {
            sum &+= frame.loadUnaligned(fromByteOffset: 16 &* i, as: SIMD8<Int16>.self) &* own[i]
          }
          let score = Int32(sum.wrappedSum()) &* Int32(TargetFile.descriptorStep)
          if score > best { (index, best) = (Int(sorted.base[place]), score) }
        }
        at &+= 4
      }
    }
    return (index, best)
  }

  /// Eight numbers of a packed descriptor, two to a byte.
  @inline(__always)
  private static func unpacked(_ code: UnsafePointer<UInt8>) -> SIMD8<Int16> {
    let bytes = UnsafeRawPointer(code).loadUnaligned(as: SIMD4<UInt8>.self)
    let pairs = SIMD4<UInt32>(truncatingIfNeeded: bytes)
    let (first, second) = (pairs & SIMD4(repeating: 0x0F), pairs & SIMD4(repeating: 0xF0))
    return unsafeBitCast(first | second &<< SIMD4(repeating: 12), to: SIMD8<Int16>.self)
  }
}
