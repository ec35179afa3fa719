import SightlineCamera
import SightlineImaging
import SightlineMath

/// What each target looks like from afar: a few grey levels, by which the likely ones of a thousand are told when an
/// outline says where all
/// four corners are.
final class ThumbnailIndex {
  /// Numbers along a side.
  static let side = 16
  private static let count = side * side
  private static let coarseCount = count / 4
  /// Share of the picture at its rim that is left out: the outline is not exact, and what lies beyond is something
  /// else.
  private static let rim = 0.04
  /// Length of a thumbnail descriptor.
  private static let unit: Float = 500
  private static let coarseUnit: Float = 250

  /// A target that may be what an outline holds.
  struct Likely {
    var target: Int
    /// Which corner of the outline is the target's first.
    var turn: Int
    /// Cosine of the angle between both thumbnail descriptors.
    var likeness: Float
  }

  private let targets: Int
  private let numbers: FixedBuffer<Int8>
  /// Means of four numbers each: what differs there differs in all.
  private let coarse: FixedBuffer<Int16>
  /// Which of those are ``isEven(_:)``.
  private let even: FixedBuffer<Bool>
  private let own = FixedBuffer<Int16>(count: ThumbnailIndex.count, filledWith: 0)
  private let ownCoarse = FixedBuffer<Int16>(count: ThumbnailIndex.coarseCount, filledWith: 0)
  /// The coarse thumbnail descriptor turned by none to three quarters.
  private let turned = FixedBuffer<Int16>(count: 4 * ThumbnailIndex.coarseCount, filledWith: 0)
  /// For each turn the targets that are alike coarsely.
  private let near: FixedBuffer<Int32>
  private let means = FixedBuffer<Float>(count: ThumbnailIndex.coarseCount, filledWith: 0)
  private let fine = FixedBuffer<Float>(count: ThumbnailIndex.count, filledWith: 0)
  /// Where an outline is read: for each of the columns of places the first two columns' share in the three rows of its
  /// map, and the same of rows.
  private let across = FixedBuffer<SIMD4<Double>>(count: 3 * ThumbnailIndex.side, filledWith: .zero)

  /// The thumbnail descriptors of some targets.
  init(_ models: [TargetModel]) {
    targets = models.count
    numbers = FixedBuffer(count: models.count * Self.count, filledWith: 0)
    coarse = FixedBuffer(count: models.count * Self.coarseCount, filledWith: 0)
    near = FixedBuffer(count: 4 * models.count, filledWith: 0)
    even = FixedBuffer(count: models.count, filledWith: false)
    for (i, model) in models.enumerated() {
      let picture = model.target.thumbnail()
      let (w, h) = (Double(picture.width), Double(picture.height))
      let corners: InlineArray<4, Vector2> = [
        Vector2(-0.5, -0.5), Vector2(w - 0.5, -0.5), Vector2(w - 0.5, h - 0.5), Vector2(-0.5, h - 0.5),
      ]
      _ = picture.withView { take($0, corners) }
      for k in 0..<Self.count { numbers.base[i * Self.count + k] = Int8(own.base[k]) }
      for k in 0..<Self.coarseCount { coarse.base[i * Self.coarseCount + k] = ownCoarse.base[k] }
      even.base[i] = Self.isEven(ownCoarse.base)
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
    let wanted = Int32((least - 0.2) * Self.coarseUnit * Self.coarseUnit)
    let counts = nearTargets(isWanted, wanted)
    let scale = 1 / (Self.unit * Self.unit)
    for turn in 0..<4 {
      if turn > 0 { Self.rotate(own.base, Self.side) }
      let (query, near) = (own.base, near.base + turn &* targets)
      for k in 0..<counts[turn] {
        let target = Int(near[k])
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

  /// The targets whose coarse thumbnail descriptor has a scalar product of more than so much with what was taken,
  /// turned or not; answers how many for
  /// each turn.
  ///
  /// All turns at once: a thousand thumbnail descriptors do not fit the nearest memory.
  private func nearTargets(_ isWanted: [Bool], _ wanted: Int32) -> InlineArray<4, Int> {
    let (turned, near, coarse, count) = (turned.base, near.base, coarse.base, Self.coarseCount)
    copy(turned, ownCoarse.base, count)
    var areEven = InlineArray<4, Bool>(repeating: Self.isEven(turned))
    for turn in 1..<4 {
      copy(turned + turn * count, turned + (turn - 1) * count, count)
      // Means of four numbers turn as the numbers do, and keep their length.
      Self.rotate(turned + turn * count, Self.side / 2)
      areEven[turn] = Self.isEven(turned + turn * count)
    }
    var found = InlineArray<4, Int>(repeating: 0)
    isWanted.withUnsafeBufferPointer { isWanted in
      for target in 0..<targets where isWanted[target] {
        let (own, isEven) = (coarse + target &* count, even.base[target])
        for turn in 0..<4 {
          near[turn &* targets &+ found[turn]] = Int32(truncatingIfNeeded: target)
          let query = turned + turn &* count
          let score = isEven && areEven[turn] ? Self.evenProduct(query, own) : product(query, own, count)
          found[turn] &+= score > wanted ? 1 : 0
        }
      }
    }
    return found
  }

  /// Whether every eighth number of a coarse thumbnail descriptor together are so short that their product with others
  /// of that kind fits 16 bits.
  private static func isEven(_ numbers: UnsafePointer<Int16>) -> Bool {
    for lane in 0..<8 {
      var square = 0
      for k in stride(from: lane, to: coarseCount, by: 8) { square += Int(numbers[k]) * Int(numbers[k]) }
      if square > Int(Int16.max) { return false }
    }
    return true
  }

  /// The scalar product of two coarse thumbnail descriptors, both ``isEven(_:)``.
  @inline(__always)
  private static func evenProduct(_ a: UnsafePointer<Int16>, _ b: UnsafePointer<Int16>) -> Int32 {
    let (p, q) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
    var sum = SIMD8<Int16>.zero
    for i in 0..<(coarseCount / 8) {
      sum &+=
        p.loadUnaligned(fromByteOffset: 16 &* i, as: SIMD8<Int16>.self)
        &* q.loadUnaligned(fromByteOffset: 16 &* i, as: SIMD8<Int16>.self)
    }
    let four = SIMD4<Int32>(truncatingIfNeeded: sum.lowHalf) &+ SIMD4<Int32>(truncatingIfNeeded: sum.highHalf)
    return four.wrappedSum()
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

  /// Turns a thumbnail descriptor of so many numbers along a side so that the outline's next corner comes first.
  private static func rotate(_ p: UnsafeMutablePointer<Int16>, _ n: Int) {
    // Four places each change places in a ring.
    for y in 0..<(n / 2) {
      for x in 0..<(n / 2) {
        let (a, b) = (y &* n &+ x, x &* n &+ n &- 1 &- y)
        let (c, d) = ((n &- 1 &- y) &* n &+ n &- 1 &- x, (n &- 1 &- x) &* n &+ y)
        (p[a], p[b], p[c], p[d]) = (p[b], p[c], p[d], p[a])
      }
    }
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
    Self.round(means, scale, ownCoarse, Self.coarseCount)
  }

  /// Takes the thumbnail descriptor of what four corners hold; answers whether there is anything.
  @_optimize(speed)
  private func take(_ picture: GrayView, _ corners: InlineArray<4, Vector2>) -> Bool {
    guard let map = Homography(unitSquareTo: corners) else { return false }
    let n = Self.side
    let step = (1 - 2 * Self.rim) / Double(2 * n)
    let m = map.matrix
    let (fine, own, across) = (fine.base, own.base, across.base)
    // Four places for each number: two columns of them in two rows.
    for x in 0..<n {
      let (u, v) = (Self.rim + (Double(2 * x) + 0.5) * step, Self.rim + (Double(2 * x + 1) + 0.5) * step)
      let us = SIMD4(u, v, u, v)
      (across[3 * x], across[3 * x + 1], across[3 * x + 2]) = (m.row0.x * us, m.row1.x * us, m.row2.x * us)
    }
    // Beyond that there is no pixel to the right, or below.
    let right = Float(picture.width - 1) - 0.001
    let bottom = Float(picture.height - 1) - 0.001
    var mean: Float = 0
    for y in 0..<n {
      let (u, v) = (Self.rim + (Double(2 * y) + 0.5) * step, Self.rim + (Double(2 * y + 1) + 0.5) * step)
      let vs = SIMD4(u, u, v, v)
      let (downX, downY, downW) = (m.row0.y * vs, m.row1.y * vs, m.row2.y * vs)
      for x in 0..<n {
        let w = 1 / (across[3 &* x &+ 2] + downW + m.row2.z)
        let px = SIMD4<Float>((across[3 &* x] + downX + m.row0.z) * w)
        let py = SIMD4<Float>((across[3 &* x + 1] + downY + m.row1.z) * w)
        let levels = Self.levels(picture, px, py, right, bottom)
        var sum: Float = 0
        for k in 0..<4 { sum += levels[k] }
        fine[y &* n &+ x] = sum
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
    // What stands out by far (a light's reflection) counts no more than three times the usual; then the length is made
    // one.
    let bound = 2.5 * (square / Float(Self.count)).squareRoot()
    square = 0
    for k in 0..<Self.count {
      fine[k] = max(-bound, min(bound, fine[k]))
      square += fine[k] * fine[k]
    }
    let scale = Self.unit / square.squareRoot()
    Self.round(fine, scale, own, Self.count)
    roughen()
    return true
  }

  /// Numbers times a factor to the nearest whole ones of at most 127, halves away from nothing; a multiple of four of
  /// them.
  private static func round(
    _ numbers: UnsafePointer<Float>,
    _ factor: Float,
    _ to: UnsafeMutablePointer<Int16>,
    _ count: Int
  ) {
    let (half, one, most) = (SIMD4<Float>(repeating: 0.5), SIMD4<Int32>(repeating: 1), SIMD4<Float>(repeating: 127))
    for k in stride(from: 0, to: count, by: 4) {
      let number = load4(numbers + k) * factor
      let size = most.replacing(with: number.magnitudes, where: number.magnitudes .< most)
      let low = SIMD4<Int32>(truncatingIfNeeded: size.truncated)
      let whole = low.replacing(with: low &+ one, where: size - SIMD4<Float>(low) .>= half)
      let signed = whole.replacing(with: .zero &- whole, where: number .< SIMD4<Float>.zero)
      UnsafeMutableRawPointer(to + k).storeBytes(of: SIMD4<Int16>(truncatingIfNeeded: signed), as: SIMD4<Int16>.self)
    }
  }

  /// Four grey levels between pixels; outside, those of the rim.
  @inline(__always)
  private static func levels(
    _ picture: GrayView,
    _ x: SIMD4<Float>,
    _ y: SIMD4<Float>,
    _ right: Float,
    _ bottom: Float
  ) -> SIMD4<Float> {
    let (rights, bottoms) = (SIMD4(repeating: right), SIMD4(repeating: bottom))
    var x = x.replacing(with: rights, where: .!(x .< rights))
    var y = y.replacing(with: bottoms, where: .!(y .< bottoms))
    let none = SIMD4<Float>.zero
    x = none.replacing(with: x, where: x .> none)
    y = none.replacing(with: y, where: y .> none)
    let (columns, rows) = (x.truncated, y.truncated)
    // Two pixels and the two below them; the last column and the last row are not reached, but where they are the only
    // ones.
    let (isWide, below) = (picture.width > 1, picture.height > 1 ? picture.stride : 0)
    var four = SIMD4<UInt32>.zero
    for k in 0..<4 {
      let upper = picture.pixels + (Int(rows[k]) &* picture.stride &+ Int(columns[k]))
      let lower = upper + below
      if isWide {
        let pair = UnsafeRawPointer(lower).loadUnaligned(as: UInt16.self)
        four[k] = UInt32(UnsafeRawPointer(upper).loadUnaligned(as: UInt16.self)) | UInt32(pair) &<< 16
      } else {
        four[k] = UInt32(upper[0]) &* 0x101 | UInt32(lower[0]) &* 0x101_0000
      }
    }
    let (low, eight) = (SIMD4<UInt32>(repeating: 255), SIMD4<UInt32>(repeating: 8))
    let (a, b) = (number(four & low), number(four &>> eight & low))
    let (c, d) = (number(four &>> (eight &+ eight) & low), number(four &>> (eight &+ eight &+ eight)))
    let (fx, fy) = (x - number(columns), y - number(rows))
    let (upper, lower) = (a + fx * (b - a), c + fx * (d - c))
    return upper + fy * (lower - upper)
  }

  @inline(__always)
  private static func number(_ v: SIMD4<UInt32>) -> SIMD4<Float> { SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: v)) }
}
