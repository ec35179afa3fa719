/// A descriptor ready to be compared with many that are packed as in a target file, two numbers to a byte.
///
/// Sixteen bits of such a descriptor hold four of its numbers, which masks and shifts bring out where they are; so this
/// one's numbers are
/// kept in four groups, every fourth together. A sum fits 16 bits: a frame's descriptor is at most 259 long, the packed
/// one, with sixty-four
/// numbers of 15, at most 120, and no product is negative.
struct PackedProduct {
  /// Bytes of a packed descriptor.
  static let packedLength = Feature.descriptorLength / 2
  private var groups = InlineArray<4, SIMD16<UInt16>>(repeating: .zero)

  /// Of a descriptor of ``Feature/descriptorLength`` numbers.
  @inline(__always)
  init(_ numbers: UnsafePointer<Int16>) {
    for group in 0..<4 {
      for i in 0..<16 { groups[group][i] = UInt16(truncatingIfNeeded: numbers[4 &* i &+ group]) }
    }
  }

  /// The scalar product with a packed descriptor.
  @inline(__always)
  func callAsFunction(_ code: UnsafePointer<UInt8>) -> Int32 {
    let four = UnsafeRawPointer(code).loadUnaligned(as: SIMD16<UInt16>.self)
    let low = SIMD16<UInt16>(repeating: 15)
    let a = (four & low) &* groups[0] &+ (four &>> 4 & low) &* groups[1]
    let b = (four &>> 8 & low) &* groups[2] &+ (four &>> 12) &* groups[3]
    return Int32((a &+ b).wrappedSum()) &* Int32(TargetFile.descriptorStep)
  }
}
