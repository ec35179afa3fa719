/// How the bytes of a colour picture lie in memory.
public enum PixelFormat: CaseIterable, Sendable {
  /// One byte a pixel.
  case gray
  /// Red, green, blue.
  case rgb
  /// Red, green, blue, and a fourth byte that is not used.
  case rgba
  /// Blue, green, red, and a fourth byte that is not used.
  case bgra
  /// A plane of luminance, then one of interleaved colour differences, which is not read.
  case nv12
  /// A plane of luminance, then two of colour differences, which are not read.
  case i420

  /// Bytes from one pixel to the next in the plane that is read.
  public var bytesInPixel: Int {
    switch self {
    case .gray, .nv12, .i420: 1
    case .rgb: 3
    case .rgba, .bgra: 4
    }
  }
}

/// Which numbers stand for black and white.
public enum LuminanceRange: Sendable {
  /// 0 … 255.
  case full
  /// 16 … 235, as video has it; what lies outside is cut off.
  case limited
}

extension GrayImage {
  /// Fills the picture with the luminance of a colour picture, 0 … 255.
  ///
  /// Weights 0.299, 0.587, 0.114 (ITU-R BT.601, section 2.5.1), rounded to the nearest level.
  ///
  /// - Parameters:
  ///   - bytes: the picture; for NV12 and I420 the plane of luminance, what follows it is not read.
  ///   - format: order of the bytes.
  ///   - width: pixels.
  ///   - height: pixels.
  ///   - stride: bytes from one row to the next.
  ///   - range: of luminance planes and grey pictures; colours are taken as full range.
  /// - Throws: ``ImageError`` when the bytes do not hold such a picture; the picture is unchanged then.
  public mutating func setLuminance(
    of bytes: UnsafeBufferPointer<UInt8>,
    format: PixelFormat,
    width: Int,
    height: Int,
    stride: Int,
    range: LuminanceRange = .full
  ) throws(ImageError) {
    let step = format.bytesInPixel
    try checkLayout(bytes: bytes.count, width: width, height: height, stride: stride, bytesInPixel: step)
    guard let source = bytes.baseAddress else { throw .tooFewBytes(needed: 1, given: 0) }
    resize(width: width, height: height)
    withMutablePixels { target in
      for y in 0..<height {
        let from = source + y * stride
        let to = target + y * width
        switch format {
        case .gray, .nv12, .i420:
          if range == .full { copyLevels(from, to: to, count: width) } else { expandRow(from, to, width) }
        case .rgb:
          // Three bytes a pixel: no vector has whole ones.
          for x in 0..<width { to[x] = weighed(from + 3 &* x, red: 0, blue: 2) }
        case .rgba: weighRow(from, to, width, red: 0, blue: 2)
        case .bgra: weighRow(from, to, width, red: 2, blue: 0)
        }
      }
    }
  }
}

/// The weights in 65536ths; they add up to 65536, so that white stays white.
private let redWeight: UInt32 = 19595
private let greenWeight: UInt32 = 38470
private let blueWeight: UInt32 = 7471

/// The luminance of a pixel.
@inline(__always)
private func weighed(_ pixel: UnsafePointer<UInt8>, red: Int, blue: Int) -> UInt8 {
  let sum =
    redWeight &* UInt32(pixel[red]) &+ greenWeight &* UInt32(pixel[1]) &+ blueWeight &* UInt32(pixel[blue])
  return UInt8(truncatingIfNeeded: (sum &+ 32768) &>> 16)
}

/// The luminance of a row of pixels of four bytes, sixteen at once.
@inline(__always)
private func weighRow(
  _ from: UnsafePointer<UInt8>,
  _ to: UnsafeMutablePointer<UInt8>,
  _ width: Int,
  red: UInt32,
  blue: UInt32
) {
  visitSixteen(width) { x in
    let pixels = UnsafeRawPointer(from + 4 &* x)
    // Of four pixels, in the upper half of 32 bits each.
    @inline(__always) func sums(_ offset: Int) -> SIMD8<UInt16> {
      let four = pixels.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt32>.self)
      let byte = SIMD4<UInt32>(repeating: 255)
      let reds = (four &>> SIMD4(repeating: 8 &* red)) & byte
      let greens = (four &>> SIMD4(repeating: 8)) & byte
      let blues = (four &>> SIMD4(repeating: 8 &* blue)) & byte
      // Half the green weight, so that both factors fit 15 bits, which some processors have a faster product for.
      let sum =
        reds &* SIMD4(repeating: redWeight) &+ (greens &+ greens) &* SIMD4(repeating: greenWeight / 2)
        &+ blues &* SIMD4(repeating: blueWeight) &+ SIMD4(repeating: 32768)
      return unsafeBitCast(sum &>> SIMD4(repeating: 16), to: SIMD8<UInt16>.self)
    }
    let first = SIMD8<UInt16>(lowHalf: sums(0).evenHalf, highHalf: sums(16).evenHalf)
    let second = SIMD8<UInt16>(lowHalf: sums(32).evenHalf, highHalf: sums(48).evenHalf)
    let even = SIMD8<UInt16>(lowHalf: first.evenHalf, highHalf: second.evenHalf)
    let odd = SIMD8<UInt16>(lowHalf: first.oddHalf, highHalf: second.oddHalf)
    PixelPairs(even: even, odd: odd).store(to + x)
  } one: { x in
    to[x] = weighed(from + 4 &* x, red: Int(red), blue: Int(blue))
  }
}

/// Stretches 16 … 235 to 0 … 255, sixteen pixels at once.
private func expandRow(_ from: UnsafePointer<UInt8>, _ to: UnsafeMutablePointer<UInt8>, _ width: Int) {
  visitSixteen(width) { x in
    let pairs = PixelPairs(from + x)
    PixelPairs(even: expanded(pairs.even), odd: expanded(pairs.odd)).store(to + x)
  } one: { x in
    to[x] = UInt8(truncatingIfNeeded: expanded(SIMD8(repeating: UInt16(from[x])))[0])
  }
}

/// Levels above 16 times 76309 / 65536, which is 255 / 219, rounded.
@inline(__always)
private func expanded(_ levels: SIMD8<UInt16>) -> SIMD8<UInt16> {
  let (black, range) = (SIMD8<UInt16>(repeating: 16), SIMD8<UInt16>(repeating: 219))
  let above = levels.replacing(with: black, where: levels .< black) &- black
  let y = above.replacing(with: range, where: above .> range)
  // 10773 = 42 · 256 + 21 are the 65536ths beyond 1: nothing is lost when the lower part gives away its low byte first.
  let low = (y &* SIMD8(repeating: 21)) &>> SIMD8(repeating: 8)
  return y &+ ((y &* SIMD8(repeating: 42) &+ low &+ SIMD8(repeating: 128)) &>> SIMD8(repeating: 8))
}
