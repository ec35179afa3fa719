/// Ten rows of ten places in a picture, and what lies between its pixels there.
///
/// Done in three steps over all places, each a loop that compilers make vectors of; the places of a patch one after another would
/// be done number by number. Kept in this order: the first eight of each row, then the last two of two rows at a time.
final class PatchPlaces {
  /// How many.
  private static let count = 100
  /// How far right of a pixel and below it.
  private let right = Memory<Float>(count: PatchPlaces.count, filledWith: 0)
  private let below = Memory<Float>(count: PatchPlaces.count, filledWith: 0)
  /// The pixel's number, in the lowest bits of a number.
  private let pixel = Memory<UInt32>(count: PatchPlaces.count, filledWith: 0)
  /// The pixel and its right neighbour, and the two under them.
  private let upper = Memory<UInt64>(count: PatchPlaces.count, filledWith: 0)
  private let lower = Memory<UInt64>(count: PatchPlaces.count, filledWith: 0)

  /// Finds the places from a start on, so much apart along a row and from row to row.
  func find(_ start: SIMD2<Float>, _ across: SIMD2<Float>, _ down: SIMD2<Float>, width: Float) {
    let (x, y, number) = (right.base, below.base, pixel.base)
    for pair in 0..<5 {
      let q = start + down * Float(2 &* pair)
      let r = q + down
      let (first, ends) = (16 &* pair, 80 &+ 4 &* pair)
      for i in 0..<8 {
        let (dx, dy) = (Float(i) * across.x, Float(i) * across.y)
        (x[first &+ i], y[first &+ i]) = (dx + q.x, dy + q.y)
        (x[first &+ 8 &+ i], y[first &+ 8 &+ i]) = (dx + r.x, dy + r.y)
      }
      for i in 0..<2 {
        let (dx, dy) = (Float(8 &+ i) * across.x, Float(8 &+ i) * across.y)
        (x[ends &+ i], y[ends &+ i]) = (dx + q.x, dy + q.y)
        (x[ends &+ 2 &+ i], y[ends &+ 2 &+ i]) = (dx + down.x + q.x, dy + down.y + q.y)
      }
    }
    Self.split(x, y, number, width)
  }

  /// Splits places into pixels and what is left.
  @inline(never)
  private static func split(
    _ x: UnsafeMutablePointer<Float>,
    _ y: UnsafeMutablePointer<Float>,
    _ number: UnsafeMutablePointer<UInt32>,
    _ width: Float
  ) {
    // To the nearest whole number of half less. What lies on a pixel may be counted to the one before it, which gives the same level.
    let large: Float = 12_582_912
    for i in stride(from: 0, to: count, by: 4) {
      let (px, py) = (load4(x + i), load4(y + i))
      let fx = (px - 0.5) + large - large
      let fy = (py - 0.5) + large - large
      // Whole numbers under 2²³ added to it lie in the lowest bits.
      let places = unsafeBitCast(fy * width + fx + 8_388_608, to: SIMD4<UInt32>.self) & 0x7F_FFFF
      UnsafeMutableRawPointer(x + i).storeBytes(of: px - fx, as: SIMD4<Float>.self)
      UnsafeMutableRawPointer(y + i).storeBytes(of: py - fy, as: SIMD4<Float>.self)
      UnsafeMutableRawPointer(number + i).storeBytes(of: places, as: SIMD4<UInt32>.self)
    }
  }

  /// Takes the four pixels around each place; pixels have to be there.
  func take(_ pixels: UnsafePointer<Float>, width: Int) {
    let (number, upper, lower) = (pixel.base, upper.base, lower.base)
    for i in 0..<Self.count {
      let at = UnsafeRawPointer(pixels + Int(truncatingIfNeeded: number[i]))
      upper[i] = at.loadUnaligned(as: UInt64.self)
      lower[i] = (at + 4 &* width).loadUnaligned(as: UInt64.self)
    }
  }

  /// Writes what lies between the pixels, row by row.
  func interpolate(to: UnsafeMutablePointer<Float>) {
    Self.interpolate(UnsafeRawPointer(upper.base), UnsafeRawPointer(lower.base), right.base, below.base, to)
  }

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
        UnsafeMutableRawPointer(to + (row &* 10 &+ half &* 4)).storeBytes(of: levels, as: SIMD4<Float>.self)
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
