// Numbers side by side. What the standard library has for eight and more of them, comparing with one number and
// changing their size above
// all, goes through a function or one by one; what is here is a few instructions.

extension SIMDMask where Storage == SIMD4<Int32> {
  /// One bit for each of four, that of the first the least; all but so many at the beginning are left out.
  @inline(__always)
  func laneMask(first count: Int = 4) -> UInt32 {
    guard any(self) else { return 0 }
    let signs = unsafeBitCast(self, to: SIMD2<UInt64>.self) & SIMD2(repeating: 0x8000_0000_8000_0000)
    let two = signs[0] &>> 31 | signs[1] &>> 29
    let meant: UInt64 = count < 4 ? (1 &<< UInt64(truncatingIfNeeded: count)) &- 1 : 15
    return UInt32(truncatingIfNeeded: (two | two &>> 31) & meant)
  }
}

extension SIMD4<UInt8> {
  /// The same numbers, wider.
  @inline(__always)
  var wide: SIMD4<Int32> { SIMD4<Int32>(Int32(self[0]), Int32(self[1]), Int32(self[2]), Int32(self[3])) }
}

extension SIMD4<Int16> {
  /// The same numbers, wider.
  @inline(__always)
  var wide: SIMD4<Int32> { SIMD4<Int32>(Int32(self[0]), Int32(self[1]), Int32(self[2]), Int32(self[3])) }
}

extension SIMD4<Float> {
  /// The whole numbers of four that are at least 0 and less than four million, what is behind the point left out.
  @inline(__always)
  var truncated: SIMD4<UInt32> {
    // Beside so large a number that is lost; where it was rounded up, one less is meant.
    let large: Float = 8_388_608
    let near = self + large
    let number = unsafeBitCast(near, to: SIMD4<UInt32>.self)
    let one = SIMD4<UInt32>(repeating: 1)
    let isAbove = (near - large) .> self
    return number.replacing(with: number &- one, where: isAbove) & SIMD4<UInt32>(repeating: 0x3F_FFFF)
  }

  /// The numbers without their signs.
  @inline(__always)
  var magnitudes: SIMD4<Float> {
    let mask = SIMD4<UInt32>(repeating: 0x7FFF_FFFF)
    return unsafeBitCast(unsafeBitCast(self, to: SIMD4<UInt32>.self) & mask, to: SIMD4<Float>.self)
  }

  /// Where some number is negative the first, else the second.
  ///
  /// By signs, since masks of comparisons are taken apart when they meet bits.
  @inline(__always)
  static func select(_ sign: SIMD4<Float>, _ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
    let mask = unsafeBitCast(sign, to: SIMD4<Int32>.self) &>> SIMD4<Int32>(repeating: 31)
    return unsafeBitCast(
      unsafeBitCast(a, to: SIMD4<Int32>.self) & mask | unsafeBitCast(b, to: SIMD4<Int32>.self) & ~mask,
      to: SIMD4<Float>.self
    )
  }

  /// The largest whole numbers not above some from 0 to a million.
  @inline(__always)
  static func roundedDown(_ v: SIMD4<Float>) -> SIMD4<Float> {
    let near = (v + 8_388_608) - 8_388_608
    return near - select(v - near, SIMD4(repeating: 1), .zero)
  }
}

extension SIMD8<Int16> {
  /// Eight grey levels as numbers.
  @inline(__always)
  init(levels v: SIMD8<UInt8>) {
    self.init(
      lowHalf: SIMD4<Int16>(truncatingIfNeeded: v.lowHalf),
      highHalf: SIMD4<Int16>(truncatingIfNeeded: v.highHalf)
    )
  }

  /// The lower sixteen bits of eight numbers.
  @inline(__always)
  init(_ low: SIMD4<UInt32>, _ high: SIMD4<UInt32>) {
    self.init(lowHalf: SIMD4<Int16>(truncatingIfNeeded: low), highHalf: SIMD4<Int16>(truncatingIfNeeded: high))
  }

  /// The lower eight bits of each.
  @inline(__always)
  var bytes: SIMD8<UInt8> {
    SIMD8<UInt8>(
      lowHalf: SIMD4<UInt8>(truncatingIfNeeded: lowHalf),
      highHalf: SIMD4<UInt8>(truncatingIfNeeded: highHalf)
    )
  }
}

/// Eight grey levels from memory as numbers.
@inline(__always)
func levels8(_ pointer: UnsafePointer<UInt8>) -> SIMD8<Int16> {
  SIMD8<Int16>(levels: UnsafeRawPointer(pointer).loadUnaligned(as: SIMD8<UInt8>.self))
}
