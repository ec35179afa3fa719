/// What has no operator of its own, or one that asks about each number by itself.
extension SIMD4<Float> {
  /// Where some number is negative the first, else the second.
  ///
  /// By signs, since masks of comparisons are taken apart when they meet bits.
  @inline(__always)
  static func chosen(_ sign: SIMD4<Float>, _ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
    let mask = unsafeBitCast(sign, to: SIMD4<Int32>.self) &>> SIMD4<Int32>(repeating: 31)
    return unsafeBitCast(
      unsafeBitCast(a, to: SIMD4<Int32>.self) & mask | unsafeBitCast(b, to: SIMD4<Int32>.self) & ~mask,
      to: SIMD4<Float>.self
    )
  }

  /// Without signs.
  @inline(__always)
  static func size(_ v: SIMD4<Float>) -> SIMD4<Float> {
    let mask = SIMD4<UInt32>(repeating: 0x7FFF_FFFF)
    return unsafeBitCast(unsafeBitCast(v, to: SIMD4<UInt32>.self) & mask, to: SIMD4<Float>.self)
  }

  /// The largest whole numbers not above some from 0 to a million.
  @inline(__always)
  static func roundedDown(_ v: SIMD4<Float>) -> SIMD4<Float> {
    let near = (v + 8_388_608) - 8_388_608
    return near - chosen(v - near, SIMD4(repeating: 1), .zero)
  }
}
