import SightlineImaging

/// Finds what stands out in a row of a level, eight pixels at a time.
final class RowExtrema {
  private var found = FixedBuffer<Int32>(count: 1024, filledWith: 0)
  /// Groups of eight pixels with such ones: the first column, and which they are.
  private var places = FixedBuffer<Int32>(count: 129, filledWith: 0)
  private var marks = FixedBuffer<UInt64>(count: 129, filledWith: 0)

  /// Columns of the pixels that stand out.
  var columns: UnsafeMutablePointer<Int32> { found.base }

  /// Finds the pixels of a row that stand out from the eight around them, into ``columns``; answers how many.
  ///
  /// Of equal neighbours the last one counts.
  @_optimize(speed)
  func find(_ row: UnsafePointer<Int16>, _ width: Int, threshold: Int16) -> Int {
    if found.count < width {
      found = FixedBuffer(count: width, filledWith: 0)
      places = FixedBuffer(count: width / 8 + 1, filledWith: 0)
      marks = FixedBuffer(count: width / 8 + 1, filledWith: 0)
    }
    let (columns, places, marks) = (columns, places.base, marks.base)
    let least = SIMD8<Int16>(repeating: threshold &- 1)
    // Where eight have any is hard to foresee: all are written, and those without written over.
    var (groups, x) = (0, 2)
    while x < width &- 2 {
      // What is read beyond the row's end is the next one's.
      let mark = Self.extrema(row + x, width, least)
      places[groups] = Int32(truncatingIfNeeded: x)
      marks[groups] = mark
      groups &+= Int(truncatingIfNeeded: (mark | (0 &- mark)) &>> 63)
      x &+= 8
    }
    var count = 0
    for k in 0..<groups {
      var rest = marks[k]
      repeat {
        columns[count] = places[k] &+ Int32(truncatingIfNeeded: rest.trailingZeroBitCount &>> 3)
        count &+= 1
        rest &= rest &- 1
      } while rest != 0
    }
    while count > 0 && columns[count &- 1] >= width &- 2 { count &-= 1 }
    return count
  }

  /// Which of eight pixels stand out from the eight around them and by more than some number: the highest of 8 bits
  /// each.
  @inline(__always)
  private static func extrema(_ p: UnsafePointer<Int16>, _ stride: Int, _ least: SIMD8<Int16>) -> UInt64 {
    @inline(__always) func load(_ offset: Int) -> SIMD8<Int16> {
      UnsafeRawPointer(p + offset).loadUnaligned(as: SIMD8<Int16>.self)
    }
    let v = load(0)
    let one = SIMD8<Int16>(repeating: 1)
    // Those after it may be equal.
    let (a, b, c, d) = (load(-1), load(-stride), load(-stride &- 1), load(stride &- 1))
    let (e, f, g, h) = (load(1), load(stride), load(-stride &+ 1), load(stride &+ 1))
    let before = larger(larger(a, b), larger(c, d))
    let after = larger(larger(e, f), larger(g, h)) &- one
    let above = larger(larger(before, least), after)
    let firsts = smaller(smaller(a, b), smaller(c, d))
    let lasts = smaller(smaller(e, f), smaller(g, h)) &+ one
    let below = smaller(smaller(firsts, 0 &- least), lasts)
    // Levels are under 2¹², so that differences have the right signs.
    let isExtremum = ((above &- v) | (v &- below)) &>> SIMD8(repeating: 15)
    return unsafeBitCast(SIMD8<Int8>(truncatingIfNeeded: isExtremum), to: UInt64.self) & 0x8080_8080_8080_8080
  }

  @inline(__always)
  private static func larger(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    a.replacing(with: b, where: a .< b)
  }

  @inline(__always)
  private static func smaller(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    a.replacing(with: b, where: b .< a)
  }
}
