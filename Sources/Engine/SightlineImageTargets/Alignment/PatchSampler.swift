import SightlineImaging

/// Ten rows of ten places in a picture, and what lies between its pixels there.
///
/// Done in three steps over all places, each a loop that compilers make vectors of; the places of a patch one after
/// another would
/// be done number by number. Kept in this order: the first eight of each row, then the last two of two rows at a time.
final class PatchSampler {
  /// How many.
  private static let count = 100
  /// How far right of a pixel and below it.
  private let right = FixedBuffer<Float>(count: PatchSampler.count, filledWith: 0)
  private let below = FixedBuffer<Float>(count: PatchSampler.count, filledWith: 0)
  /// The pixel's number in the picture.
  private let pixel = FixedBuffer<UInt32>(count: PatchSampler.count, filledWith: 0)
  /// The pixel and its right neighbour, and the two under them.
  private let upper = FixedBuffer<UInt64>(count: PatchSampler.count, filledWith: 0)
  private let lower = FixedBuffer<UInt64>(count: PatchSampler.count, filledWith: 0)
  /// How far the places of a row are from its start, x and y: eight, then two and the two under them.
  private let offsets = FixedBuffer<Float>(count: 24, filledWith: 0)
  /// Where the rows start, x and y.
  private let starts = FixedBuffer<Float>(count: 20, filledWith: 0)

  /// Finds the places from a start on, so much apart along a row and from row to row; all have to lie inside the
  /// picture, and its
  /// pixels have to be fewer than 2²³.
  @_optimize(speed)
  func find(_ start: SIMD2<Float>, _ across: SIMD2<Float>, _ down: SIMD2<Float>, width: Int) {
    let (offsets, starts) = (offsets.base, starts.base)
    for i in 0..<10 {
      (offsets[i], offsets[12 &+ i]) = (Float(i) * across.x, Float(i) * across.y)
    }
    for i in 8..<10 {
      (offsets[i &+ 2], offsets[i &+ 14]) = (offsets[i] + down.x, offsets[i &+ 12] + down.y)
    }
    for pair in 0..<5 {
      let q = start + down * Float(2 &* pair)
      let r = q + down
      (starts[2 &* pair], starts[10 &+ 2 &* pair]) = (q.x, q.y)
      (starts[2 &* pair &+ 1], starts[11 &+ 2 &* pair]) = (r.x, r.y)
    }
    Self.split(offsets, starts, Float(width), right.base, below.base, pixel.base)
  }

  /// Splits places into pixels and what is left.
  @_optimize(speed)
  @inline(never)
  private static func split(
    _ offsets: UnsafePointer<Float>,
    _ starts: UnsafePointer<Float>,
    _ width: Float,
    _ right: UnsafeMutablePointer<Float>,
    _ below: UnsafeMutablePointer<Float>,
    _ pixel: UnsafeMutablePointer<UInt32>
  ) {
    for four in 0..<25 {
      let row = four < 20 ? four &>> 1 : 2 &* (four &- 20)
      let offset = offsets + (four < 20 ? 4 &* (four & 1) : 8)
      let (x, y) = (load4(offset) + starts[row], load4(offset + 12) + starts[row &+ 10])
      // To the nearest whole number of half less. What lies on a pixel may be counted to the one before it, which gives
      // the same level.
      let fx = (x - 0.5) + 12_582_912 - 12_582_912
      let fy = (y - 0.5) + 12_582_912 - 12_582_912
      // Whole numbers under 2²³ added to it lie in the lowest bits.
      let places = unsafeBitCast(fy * width + fx + 8_388_608, to: SIMD4<UInt32>.self) & 0x7F_FFFF
      put(x - fx, right + 4 &* four)
      put(y - fy, below + 4 &* four)
      UnsafeMutableRawPointer(pixel + 4 &* four).storeBytes(of: places, as: SIMD4<UInt32>.self)
    }
  }

  /// Finds places that may lie outside: these are moved to the rim.
  @_optimize(speed)
  func findAtRim(
    _ start: SIMD2<Float>,
    _ across: SIMD2<Float>,
    _ down: SIMD2<Float>,
    width: Int,
    height: Int
  ) {
    let (x, y, offsets) = (right.base, below.base, offsets.base)
    for i in 0..<10 {
      let q = start + across * Float(i)
      (offsets[i], offsets[12 &+ i]) = (q.x, q.y)
    }
    for j in 0..<10 {
      let d = down * Float(j)
      for i in 0..<8 { (x[8 &* j &+ i], y[8 &* j &+ i]) = (offsets[i] + d.x, offsets[12 &+ i] + d.y) }
      for i in 0..<2 {
        let at = 80 &+ 2 &* j &+ i
        (x[at], y[at]) = (offsets[8 &+ i] + d.x, offsets[20 &+ i] + d.y)
      }
    }
    Self.splitAtRim(x, y, Float(width) - 1.001, Float(height) - 1.001, UInt32(truncatingIfNeeded: width), pixel.base)
  }

  @_optimize(speed)
  @inline(never)
  private static func splitAtRim(
    _ right: UnsafeMutablePointer<Float>,
    _ below: UnsafeMutablePointer<Float>,
    _ mostX: Float,
    _ mostY: Float,
    _ width: UInt32,
    _ pixel: UnsafeMutablePointer<UInt32>
  ) {
    for four in 0..<25 {
      let (x, column) = split(load4(right + 4 &* four), mostX)
      let (y, row) = split(load4(below + 4 &* four), mostY)
      put(x, right + 4 &* four)
      put(y, below + 4 &* four)
      UnsafeMutableRawPointer(pixel + 4 &* four).storeBytes(
        of: row &* SIMD4(repeating: width) &+ column,
        as: SIMD4<UInt32>.self
      )
    }
  }

  /// Of numbers, not less than nothing and not more than some, what is over the whole ones, and these; what is no
  /// number is nothing.
  @inline(__always)
  private static func split(_ v: SIMD4<Float>, _ most: Float) -> (rest: SIMD4<Float>, whole: SIMD4<UInt32>) {
    let (none, all) = (SIMD4<Float>.zero, SIMD4<Float>(repeating: most))
    let cut = none.replacing(with: all.replacing(with: v, where: v .< all), where: v .> none)
    // The nearest whole number, and one less where that is more.
    let near = cut + 8_388_608 - 8_388_608
    let one = SIMD4<Float>(repeating: 1)
    let whole = near - none.replacing(with: one, where: near .> cut)
    return (cut - whole, unsafeBitCast(whole + 8_388_608, to: SIMD4<UInt32>.self) & 0x7F_FFFF)
  }

  @inline(__always)
  private static func put(_ value: SIMD4<Float>, _ place: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(place).storeBytes(of: value, as: SIMD4<Float>.self)
  }

  /// Takes the four pixels around each place; pixels have to be there.
  @_optimize(speed)
  func take(_ pixels: UnsafePointer<Float>, width: Int) {
    let (pixel, upper, lower) = (pixel.base, upper.base, lower.base)
    let next = UnsafeRawPointer(pixels + width)
    for i in 0..<Self.count {
      let at = 4 &* Int(truncatingIfNeeded: pixel[i])
      upper[i] = (UnsafeRawPointer(pixels) + at).loadUnaligned(as: UInt64.self)
      lower[i] = (next + at).loadUnaligned(as: UInt64.self)
    }
  }

  /// Writes what lies between the pixels, row by row.
  @_optimize(speed)
  func interpolate(to: UnsafeMutablePointer<Float>) {
    Self.interpolate(UnsafeRawPointer(upper.base), UnsafeRawPointer(lower.base), right.base, below.base, to)
  }

  @_optimize(speed)
  @inline(never)
  private static func interpolate(
    _ upper: UnsafeRawPointer,
    _ lower: UnsafeRawPointer,
    _ right: UnsafePointer<Float>,
    _ below: UnsafePointer<Float>,
    _ to: UnsafeMutablePointer<Float>
  ) {
    for row in 0..<10 {
      for half in 0..<2 {
        let at = row &* 8 &+ half &* 4
        let levels = between(upper + 8 &* at, lower + 8 &* at, load4(right + at), load4(below + at))
        put(levels, to + (row &* 10 &+ half &* 4))
      }
    }
    for pair in 0..<5 {
      let at = 80 &+ 4 &* pair
      let levels = between(upper + 8 &* at, lower + 8 &* at, load4(right + at), load4(below + at))
      UnsafeMutableRawPointer(to + (pair &* 20 &+ 8)).storeBytes(of: levels.lowHalf, as: SIMD2<Float>.self)
      UnsafeMutableRawPointer(to + (pair &* 20 &+ 18)).storeBytes(of: levels.highHalf, as: SIMD2<Float>.self)
    }
  }

  /// Four levels between pairs of pixels.
  @inline(__always)
  private static func between(
    _ upper: UnsafeRawPointer,
    _ lower: UnsafeRawPointer,
    _ x: SIMD4<Float>,
    _ y: SIMD4<Float>
  ) -> SIMD4<Float> {
    let a = upper.loadUnaligned(as: SIMD8<Float>.self)
    let b = lower.loadUnaligned(as: SIMD8<Float>.self)
    let u = a.evenHalf + x * (a.oddHalf - a.evenHalf)
    let v = b.evenHalf + x * (b.oddHalf - b.evenHalf)
    return u + y * (v - u)
  }
}
