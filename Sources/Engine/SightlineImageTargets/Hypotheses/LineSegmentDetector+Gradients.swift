import SightlineImaging

extension LineSegmentDetector {
  /// The gradient of each pixel but those at the rim, eight at a time; the last eight of a row may be taken twice.
  @_optimize(speed)
  func measure(_ image: GrayView) {
    @_optimize(speed)
    func level(_ row: UnsafePointer<UInt8>, _ x: Int) -> Whole { levels8(row + x) }
    let leastGradient = Whole(repeating: Int16(Self.leastGradient))
    let (sign, three, none) = (Whole(repeating: 15), Whole(repeating: 3), Whole(repeating: 255))
    for y in 1..<(height - 1) {
      let (a, b, c) = (image.row(y - 1), image.row(y), image.row(y + 1))
      let to = UnsafeMutableRawPointer(gradients.base + y &* width)
      let way = UnsafeMutableRawPointer(directions.base + y &* width)
      var x = 1
      while true {
        let (a0, a2, c0, c2) = (level(a, x &- 1), level(a, x &+ 1), level(c, x &- 1), level(c, x &+ 1))
        let (across, down) = (level(b, x &+ 1) &- level(b, x &- 1), level(c, x) &- level(a, x))
        let (falling, rising) = (c2 &- a0, a2 &- c0)
        let gx = falling &+ rising &+ across &+ across
        let gy = falling &- rising &+ down &+ down
        let (signX, signY) = (gx &>> sign, gy &>> sign)
        let (ax, ay) = ((gx ^ signX) &- signX, (gy ^ signY) &- signY)
        let (less, more) = (ax.replacing(with: ay, where: ay .< ax), ax.replacing(with: ay, where: ay .> ax))
        let gradient = more &+ (less &+ less &+ less) &>> three
        to.storeBytes(of: gradient, toByteOffset: 2 &* x, as: Whole.self)
        let isFlat = gradient .< leastGradient
        let flat = unsafeBitCast(isFlat, to: SIMD2<UInt64>.self)
        if flat[0] & flat[1] == .max {
          way.storeBytes(of: .max, toByteOffset: x, as: UInt64.self)
        } else {
          let steep = (ax &- ay) &>> sign
          let low = Self.direction(less.lowHalf, more.lowHalf, steep.lowHalf, signX.lowHalf, signY.lowHalf)
          let high = Self.direction(less.highHalf, more.highHalf, steep.highHalf, signX.highHalf, signY.highHalf)
          let direction = Whole(low, high).replacing(with: none, where: isFlat)
          way.storeBytes(of: direction.bytes, toByteOffset: x, as: SIMD8<UInt8>.self)
        }
        if x == width &- 9 { break }
        x = min(x &+ 8, width &- 9)
      }
    }
  }

  /// Eight whole numbers of pixels side by side.
  private typealias Whole = SIMD8<Int16>

  /// The directions of four vectors that are not zero, by the steps of ``roughAngle(_:_:)``.
  ///
  /// Of each the smaller and the larger of both numbers without their signs; and −1 for it is nearer to the y axis, x
  /// is less than nothing, y is.
  @inline(__always)
  private static func direction(
    _ less: SIMD4<Int16>,
    _ more: SIMD4<Int16>,
    _ steep: SIMD4<Int16>,
    _ signX: SIMD4<Int16>,
    _ signY: SIMD4<Int16>
  ) -> SIMD4<UInt32> {
    func number(_ v: SIMD4<Int16>) -> SIMD4<Float> { SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: v)) }
    func isSet(_ v: SIMD4<Int16>) -> SIMDMask<SIMD4<Int32>> { SIMD4<Int32>(truncatingIfNeeded: v) .< .zero }
    let t = number(less) / number(more)
    let t2 = t * t
    var angle = ((-0.046_496_47 * t2 + 0.159_314_22) * t2 - 0.327_622_76) * t2 * t + t
    angle = angle.replacing(with: .pi / 2 - angle, where: isSet(steep))
    angle = angle.replacing(with: .pi - angle, where: isSet(signX))
    angle = angle.replacing(with: -angle, where: isSet(signY))
    return (angle * (128 / (2 * .pi)) + 128.5).truncated & 127
  }

  /// Keeps the pixels that are steepest across their edge; answers how many pixels with a gradient there were.
  func thin() -> Int {
    let lanes = Whole(0, 1, 2, 3, 4, 5, 6, 7)
    let (eight, ten, eleven) = (Whole(repeating: 8), Whole(repeating: 10), Whole(repeating: 11))
    let none = Whole(repeating: 255)
    var sloped = 0
    for y in 1..<(height - 1) {
      let row = y &* width
      let gradients = gradients.base + row
      let (from, to) = (UnsafeRawPointer(directions.base + row), UnsafeMutableRawPointer(ridges.base + row))
      func gradient(_ at: Int) -> Whole { UnsafeRawPointer(gradients + at).loadUnaligned(as: Whole.self) }
      var count = Whole.zero
      var (x, done) = (1, 1)
      while true {
        let eightOf = from.loadUnaligned(fromByteOffset: x, as: UInt64.self)
        if eightOf == .max {
          to.storeBytes(of: .max, toByteOffset: x, as: UInt64.self)
        } else {
          let direction = Whole(levels: from.loadUnaligned(fromByteOffset: x, as: SIMD8<UInt8>.self))
          // Taken the second time at the end of a row, they count no more.
          let isNew = lanes .>= Whole(repeating: Int16(truncatingIfNeeded: done &- x))
          count &-= unsafeBitCast((direction .< none) .& isNew, to: Whole.self)
          // Of eight directions, to the neighbour that lies there: to the right, below it, below, to the left of that.
          let step = direction &+ eight
          let (isOdd, isLate) = (step &<< eleven .< Whole.zero, step &<< ten .< Whole.zero)
          let before = gradient(x &- 1).replacing(with: gradient(x &- width &- 1), where: isOdd)
            .replacing(
              with: gradient(x &- width).replacing(with: gradient(x &- width &+ 1), where: isOdd),
              where: isLate
            )
          let after = gradient(x &+ 1).replacing(with: gradient(x &+ width &+ 1), where: isOdd)
            .replacing(
              with: gradient(x &+ width).replacing(with: gradient(x &+ width &- 1), where: isOdd),
              where: isLate
            )
          let own = gradient(x)
          let isRidge = (own .> before) .& (own .>= after)
          let kept = none.replacing(with: direction, where: isRidge)
          to.storeBytes(of: kept.bytes, toByteOffset: x, as: SIMD8<UInt8>.self)
        }
        done = x &+ 8
        if x == width &- 9 { break }
        x = min(x &+ 8, width &- 9)
      }
      sloped &+= Int(SIMD8<Int32>(truncatingIfNeeded: count).wrappedSum())
    }
    return sloped
  }
}
