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
          if range == .full { to.update(from: from, count: width) } else { expandRow(from, to, width) }
        case .rgb: weighRow(from, to, width, step: 3, red: 0, blue: 2)
        case .rgba: weighRow(from, to, width, step: 4, red: 0, blue: 2)
        case .bgra: weighRow(from, to, width, step: 4, red: 2, blue: 0)
        }
      }
    }
  }
}

@inline(__always)
private func weighRow(
  _ from: UnsafePointer<UInt8>,
  _ to: UnsafeMutablePointer<UInt8>,
  _ width: Int,
  step: Int,
  red: Int,
  blue: Int
) {
  // The weights in 65536ths; they add up to 65536, so that white stays white.
  for x in 0..<width {
    let p = from + x &* step
    let sum = 19595 &* UInt32(p[red]) &+ 38470 &* UInt32(p[1]) &+ 7471 &* UInt32(p[blue])
    to[x] = UInt8(truncatingIfNeeded: (sum &+ 32768) &>> 16)
  }
}

private func expandRow(_ from: UnsafePointer<UInt8>, _ to: UnsafeMutablePointer<UInt8>, _ width: Int) {
  for x in 0..<width {
    // 255 / 219 in 65536ths.
    let level = (Int32(from[x]) &- 16) &* 76309 &+ 32768
    to[x] = UInt8(truncatingIfNeeded: max(0, min(255, level &>> 16)))
  }
}
