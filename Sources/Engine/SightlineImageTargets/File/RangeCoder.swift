import SightlineImaging

// Binary arithmetic coding with adapting probabilities, as in LZMA (I. Pavlov): eleven bits of probability, 32 bits of
// range, carries kept back until they are settled.

/// Probabilities that bits are 0, by context.
struct BitModels {
  private let probabilities: FixedBuffer<UInt16>
  /// The first one's.
  var base: UnsafeMutablePointer<UInt16> { probabilities.base }

  init(count: Int) { probabilities = FixedBuffer(count: count, filledWith: 1024) }

  @inline(__always)
  func probability(_ context: Int) -> UInt32 { UInt32(probabilities.base[context]) }

  @inline(__always)
  func learn(_ context: Int, bit: Int) {
    let p = probabilities.base[context]
    probabilities.base[context] = bit == 0 ? p &+ ((2048 &- p) &>> 4) : p &- (p &>> 4)
  }
}

/// Writes bits in little room.
struct RangeEncoder {
  private var low: UInt64 = 0
  private var range: UInt32 = .max
  private var cache: UInt8 = 0
  private var pending = 1
  private(set) var bytes: [UInt8] = []

  init() {}

  mutating func encode(_ bit: Int, _ models: BitModels, _ context: Int) {
    let bound = (range >> 11) &* models.probability(context)
    if bit == 0 {
      range = bound
    } else {
      low &+= UInt64(bound)
      range &-= bound
    }
    models.learn(context, bit: bit)
    while range < 1 << 24 {
      range <<= 8
      shift()
    }
  }

  /// A bit that is 0 or 1 equally often.
  mutating func encodeEvenly(_ bit: Int) {
    range >>= 1
    if bit != 0 { low &+= UInt64(range) }
    while range < 1 << 24 {
      range <<= 8
      shift()
    }
  }

  mutating func finish() -> [UInt8] {
    for _ in 0..<5 { shift() }
    return bytes
  }

  private mutating func shift() {
    if low < 0xFF00_0000 || low > 0xFFFF_FFFF {
      let carry = UInt8(truncatingIfNeeded: low >> 32)
      var byte = cache
      while pending > 0 {
        bytes.append(byte &+ carry)
        byte = 0xFF
        pending -= 1
      }
      cache = UInt8(truncatingIfNeeded: low >> 24)
    }
    pending += 1
    low = (low & 0x00FF_FFFF) << 8
  }
}

/// Reads them; past the end it reads zeros and says so.
struct RangeDecoder {
  private var next: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private var range: UInt32 = .max
  private var code: UInt32 = 0
  /// Bytes that were read past the end.
  ///
  /// An encoder writes five more than it needs, so any is a sign of damage.
  private(set) var missing = 0

  /// Of bytes that stay where they are while it reads.
  init(_ bytes: UnsafePointer<UInt8>, count: Int) {
    next = bytes
    end = bytes + count
    for _ in 0..<5 { code = code << 8 | UInt32(byte()) }
  }

  /// The next bit, of a probability that learns from it.
  @inline(__always)
  mutating func decode(_ probability: UnsafeMutablePointer<UInt16>) -> Int {
    let p = UInt32(probability.pointee)
    let bound = (range &>> 11) &* p
    let bit: Int
    if code < bound {
      range = bound
      probability.pointee = UInt16(truncatingIfNeeded: p &+ (2048 &- p) &>> 4)
      bit = 0
    } else {
      range &-= bound
      code &-= bound
      probability.pointee = UInt16(truncatingIfNeeded: p &- p &>> 4)
      bit = 1
    }
    // A probability has at least four bits: one byte more is always enough.
    if range < 1 << 24 { refill() }
    return bit
  }

  /// The next bit that is 0 or 1 equally often.
  @inline(__always)
  mutating func decodeEvenly() -> Int {
    range &>>= 1
    // Without a jump that could go either way: what is less than nothing has its highest bit set.
    let rest = code &- range
    let isLess = rest &>> 31
    code = rest &+ (range & (0 &- isLess))
    if range < 1 << 24 { refill() }
    return Int(truncatingIfNeeded: 1 &- isLess)
  }

  @inline(__always)
  private mutating func refill() {
    range = range &<< 8
    code = code &<< 8 | UInt32(byte())
  }

  @inline(__always)
  private mutating func byte() -> UInt8 {
    guard next < end else {
      missing += 1
      return 0
    }
    next += 1
    return next[-1]
  }
}
