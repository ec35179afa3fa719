import SightlineCamera
import SightlineImaging
import SightlineMath

/// What each target looks like from afar: a few grey levels, by which the likely ones of a thousand are told when an outline says where all
/// four corners are.
final class PictureSignatures {
  /// Numbers along a side.
  static let side = 16
  private static let count = side * side
  private static let coarseCount = count / 4
  /// Share of the picture at its rim that is left out: the outline is not exact, and what lies beyond is something else.
  private static let rim = 0.04
  /// Length of a signature.
  private static let unit: Float = 500
  private static let coarseUnit: Float = 250

  /// A target that may be what an outline holds.
  struct Likely {
    var target: Int
    /// Which corner of the outline is the target's first.
    var turn: Int
    /// Cosine of the angle between both signatures.
    var likeness: Float
  }

  private let targets: Int
  private let numbers: Memory<Int8>
  /// Means of four numbers each: what differs there differs in all.
  private let coarse: Memory<Int16>
  private let own = Memory<Int16>(count: PictureSignatures.count, filledWith: 0)
  private let ownCoarse = Memory<Int16>(count: PictureSignatures.coarseCount, filledWith: 0)
  private let means = Memory<Float>(count: PictureSignatures.coarseCount, filledWith: 0)
  private let fine = Memory<Float>(count: PictureSignatures.count, filledWith: 0)

  /// The signatures of some targets.
  init(_ models: [TargetModel]) {
    targets = models.count
    numbers = Memory(count: models.count * Self.count, filledWith: 0)
    coarse = Memory(count: models.count * Self.coarseCount, filledWith: 0)
    for (i, model) in models.enumerated() {
      let picture = model.target.smallReference()
      let (w, h) = (Double(picture.width), Double(picture.height))
      let corners: InlineArray<4, Vector2> = [
        Vector2(-0.5, -0.5), Vector2(w - 0.5, -0.5), Vector2(w - 0.5, h - 0.5), Vector2(-0.5, h - 0.5),
      ]
      _ = picture.withView { take($0, corners) }
      for k in 0..<Self.count { numbers.base[i * Self.count + k] = Int8(own.base[k]) }
      for k in 0..<Self.coarseCount { coarse.base[i * Self.coarseCount + k] = ownCoarse.base[k] }
    }
  }

  /// The targets that look most like what an outline holds, best first.
  ///
  /// - Parameters:
  ///   - frames: the frame.
  ///   - corners: of the outline, pixels of the frame.
  ///   - isWanted: which targets are looked for.
  ///   - least: cosine below which none is told of.
  ///   - limit: most that are told of.
  ///   - result: is filled with them.
  func look(
    _ frames: FramePyramid,
    _ corners: InlineArray<4, Vector2>,
    isWanted: [Bool],
    least: Float,
    limit: Int,
    into result: inout [Likely]
  ) {
    result.removeAll(keepingCapacity: true)
    let size = (doubleArea(corners) / 2).squareRoot()
    var level = 0
    while level + 1 < frames.levels.count && size / Double(2 << level) > 1.4 * Double(Self.side) { level += 1 }
    var scaled = corners
    let map = FramePyramid.levelFromFrame(level)
    for i in 0..<4 { scaled[i] = map(corners[i]) ?? corners[i] }
    guard frames.levels[level].withView({ take($0, scaled) }) else { return }
    let scale = 1 / (Self.unit * Self.unit)
    for turn in 0..<4 {
      if turn > 0 { rotate() }
      let wanted = Int32((least - 0.2) * Self.coarseUnit * Self.coarseUnit)
      let (query, rough) = (own.base, ownCoarse.base)
      for target in 0..<targets where isWanted[target] {
        guard product(rough, coarse.base + target &* Self.coarseCount, Self.coarseCount) > wanted else { continue }
        let likeness = Float(product(query, numbers.base + target &* Self.count)) * scale
        guard likeness > least else { continue }
        if result.count == limit {
          if likeness <= result[limit - 1].likeness { continue }
          result.removeLast()
        }
        var at = result.count
        while at > 0 && result[at - 1].likeness < likeness { at -= 1 }
        result.insert(Likely(target: target, turn: turn, likeness: likeness), at: at)
      }
    }
  }

  @inline(__always)
  private func product(_ a: UnsafePointer<Int16>, _ b: UnsafePointer<Int16>, _ count: Int) -> Int32 {
    var sum = SIMD8<Int32>.zero
    for k in stride(from: 0, to: count, by: 16) {
      let p = UnsafeRawPointer(a + k).loadUnaligned(as: SIMD16<Int16>.self)
      let q = UnsafeRawPointer(b + k).loadUnaligned(as: SIMD16<Int16>.self)
      // Numbers of at most 127: two products fit 16 bits.
      let r = p &* q
      sum &+= SIMD8<Int32>(truncatingIfNeeded: r.lowHalf &+ r.highHalf)
    }
    return sum.wrappedSum()
  }

  @inline(__always)
  private func product(_ a: UnsafePointer<Int16>, _ b: UnsafePointer<Int8>) -> Int32 {
    var sum = SIMD8<Int32>.zero
    for k in stride(from: 0, to: Self.count, by: 16) {
      let p = UnsafeRawPointer(a + k).loadUnaligned(as: SIMD16<Int16>.self)
      let q = UnsafeRawPointer(b + k).loadUnaligned(as: SIMD16<Int8>.self)
      let r = p &* SIMD16<Int16>(truncatingIfNeeded: q)
      sum &+= SIMD8<Int32>(truncatingIfNeeded: r.lowHalf &+ r.highHalf)
    }
    return sum.wrappedSum()
  }

  /// Turns the signature so that the outline's next corner comes first.
  private func rotate() {
    let n = Self.side
    // Four places each change places in a ring.
    let p = own.base
    for y in 0..<(n / 2) {
      for x in 0..<(n / 2) {
        let (a, b) = (y &* n &+ x, x &* n &+ n &- 1 &- y)
        let (c, d) = ((n &- 1 &- y) &* n &+ n &- 1 &- x, (n &- 1 &- x) &* n &+ y)
        (p[a], p[b], p[c], p[d]) = (p[b], p[c], p[d], p[a])
      }
    }
    roughen()
  }

  /// Takes the means of four numbers each, with a length of their own: fine print has little of it.
  private func roughen() {
    let half = Self.side / 2
    let (own, means, ownCoarse) = (own.base, means.base, ownCoarse.base)
    var square: Float = 0
    for y in 0..<half {
      for x in 0..<half {
        let at = 2 * y * Self.side + 2 * x
        let sum = Float(own[at] + own[at + 1] + own[at + Self.side] + own[at + Self.side + 1])
        means[y * half + x] = sum
        square += sum * sum
      }
    }
    let scale = Self.coarseUnit / max(1, square).squareRoot()
    for k in 0..<Self.coarseCount { ownCoarse[k] = Int16(max(-127, min(127, (means[k] * scale).rounded()))) }
  }

  /// Takes the signature of what four corners hold; answers whether there is anything.
  private func take(_ picture: GrayView, _ corners: InlineArray<4, Vector2>) -> Bool {
    guard let map = Homography(unitSquareTo: corners) else { return false }
    let n = Self.side
    let step = (1 - 2 * Self.rim) / Double(2 * n)
    let m = map.matrix
    let (fine, own) = (fine.base, own.base)
    var mean: Float = 0
    for y in 0..<n {
      for x in 0..<n {
        var sum: Float = 0
        for k in 0..<4 {
          let u = Self.rim + (Double(2 * x + k & 1) + 0.5) * step
          let v = Self.rim + (Double(2 * y + k >> 1) + 0.5) * step
          let w = 1 / (m.row2.x * u + m.row2.y * v + m.row2.z)
          sum += Self.level(
            picture,
            Float((m.row0.x * u + m.row0.y * v + m.row0.z) * w),
            Float((m.row1.x * u + m.row1.y * v + m.row1.z) * w)
          )
        }
        fine[y * n + x] = sum
        mean += sum
      }
    }
    mean /= Float(Self.count)
    var square: Float = 0
    for k in 0..<Self.count {
      fine[k] -= mean
      square += fine[k] * fine[k]
    }
    // Less than a grey level: there is nothing to tell it by.
    guard square > Float(Self.count) * 16 else { return false }
    // What stands out by far (a light's reflection) counts no more than three times the usual; then the length is made one.
    let bound = 2.5 * (square / Float(Self.count)).squareRoot()
    square = 0
    for k in 0..<Self.count {
      fine[k] = max(-bound, min(bound, fine[k]))
      square += fine[k] * fine[k]
    }
    let scale = Self.unit / square.squareRoot()
    for k in 0..<Self.count { own[k] = Int16(max(-127, min(127, (fine[k] * scale).rounded()))) }
    roughen()
    return true
  }

  /// A grey level between pixels; outside, that of the rim.
  @inline(__always)
  private static func level(_ picture: GrayView, _ x: Float, _ y: Float) -> Float {
    let x = max(0, min(Float(picture.width - 1) - 0.001, x))
    let y = max(0, min(Float(picture.height - 1) - 0.001, y))
    let (ix, iy) = (Int(x), Int(y))
    let (fx, fy) = (x - Float(ix), y - Float(iy))
    let a = picture.row(iy)
    let b = picture.row(min(picture.height - 1, iy + 1))
    let right = min(picture.width - 1, ix + 1)
    let upper = Float(a[ix]) + fx * (Float(a[right]) - Float(a[ix]))
    let lower = Float(b[ix]) + fx * (Float(b[right]) - Float(b[ix]))
    return upper + fy * (lower - upper)
  }
}
