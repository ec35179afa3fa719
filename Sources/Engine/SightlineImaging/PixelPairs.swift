/// Grey levels of sixteen pixels beside each other as numbers of 16 bits, eight of even and eight of odd places, so that sums of
/// them fit.
///
/// Two neighbours are one number of 16 bits in memory: to part them takes a mask and a shift, where a conversion of sixteen
/// lanes, as the compiler has it, takes each lane by itself.
struct PixelPairs {
  /// Places 0, 2, 4 and so on.
  var even: SIMD8<UInt16>
  /// Places 1, 3, 5 and so on.
  var odd: SIMD8<UInt16>

  @inline(__always)
  init(even: SIMD8<UInt16>, odd: SIMD8<UInt16>) {
    self.even = even
    self.odd = odd
  }

  @inline(__always)
  init(_ pixels: UnsafePointer<UInt8>) {
    self.init(pairs: UnsafeRawPointer(pixels).loadUnaligned(as: SIMD8<UInt16>.self))
  }

  @inline(__always)
  init(_ levels: SIMD16<UInt8>) { self.init(pairs: unsafeBitCast(levels, to: SIMD8<UInt16>.self)) }

  @inline(__always)
  private init(pairs: SIMD8<UInt16>) {
    even = pairs & SIMD8(repeating: 255)
    odd = pairs &>> SIMD8(repeating: 8)
  }

  /// All sixteen again.
  /// - Precondition: none is above 255.
  @inline(__always)
  var levels: SIMD16<UInt8> { unsafeBitCast(even | (odd &<< SIMD8(repeating: 8)), to: SIMD16<UInt8>.self) }

  @inline(__always)
  func store(_ pixels: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(pixels).storeBytes(of: levels, as: SIMD16<UInt8>.self)
  }
}

/// Copies levels from one place to another that does not overlap.
///
/// Unlike `update(from:count:)`, which Embedded Swift makes a call for each byte of.
@inline(__always)
func copyLevels(_ from: UnsafePointer<UInt8>, to: UnsafeMutablePointer<UInt8>, count: Int) {
  UnsafeMutableRawPointer(to).copyMemory(from: from, byteCount: count)
}

/// Visits all columns of a row, sixteen at once, some of them twice where they do not come out even; a narrow one's one by one.
@inline(__always)
func visitSixteen(_ width: Int, _ many: (Int) -> Void, one: (Int) -> Void) {
  guard width >= 16 else {
    for x in 0..<width { one(x) }
    return
  }
  var x = 0
  while x &+ 16 <= width {
    many(x)
    x &+= 16
  }
  if x < width { many(width &- 16) }
}
