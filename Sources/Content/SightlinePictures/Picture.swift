/// What the bytes of a pixel stand for.
public enum PixelLayout: Int, Sendable {
  /// One byte: grey.
  case gray = 1
  /// Three bytes: red, green, blue.
  case rgb = 3
  /// Four bytes: red, green, blue, alpha (255 is opaque; colours are not multiplied by it).
  case rgba = 4

  /// Bytes from one pixel to the next.
  public var bytesInPixel: Int { rawValue }
}

/// A picture in memory, 8 bits a channel, rows from top to bottom without gaps.
///
/// ```swift
/// let picture = try Picture(contentsOfFile: "table.jpg", as: .gray)
/// // picture.pixels[y * picture.width + x]
/// ```
public struct Picture: Equatable, Sendable {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// What the bytes of a pixel are.
  public let layout: PixelLayout
  /// `width × height × layout.bytesInPixel` bytes.
  public var pixels: [UInt8]

  /// A picture of given pixels.
  /// - Precondition: both sides are positive, and there are as many bytes as the sides and the layout say.
  public init(width: Int, height: Int, layout: PixelLayout, pixels: [UInt8]) {
    precondition(width > 0 && height > 0, "a picture has at least one pixel")
    precondition(pixels.count == width * height * layout.bytesInPixel, "the bytes do not fit the sides")
    self.width = width
    self.height = height
    self.layout = layout
    self.pixels = pixels
  }

  /// The same picture in another layout.
  ///
  /// Colours become grey with the weights 0.299, 0.587, 0.114, rounded to the nearest level; alpha is dropped, and is opaque
  /// where there was none.
  public func converted(to target: PixelLayout) -> Picture {
    if target == layout { return self }
    let count = width * height
    let step = layout.bytesInPixel
    let result = [UInt8](unsafeUninitializedCapacity: count * target.bytesInPixel) { out, used in
      pixels.withUnsafeBufferPointer { source in
        for i in 0..<count {
          let p = i &* step
          let (r, g, b) =
            layout == .gray ? (source[p], source[p], source[p]) : (source[p], source[p + 1], source[p + 2])
          switch target {
          case .gray:
            // The weights in 65536ths; they add up to 65536, so that white stays white.
            let sum = 19595 &* UInt32(r) &+ 38470 &* UInt32(g) &+ 7471 &* UInt32(b)
            out[i] = UInt8(truncatingIfNeeded: (sum &+ 32768) &>> 16)
          case .rgb:
            (out[i &* 3], out[i &* 3 &+ 1], out[i &* 3 &+ 2]) = (r, g, b)
          case .rgba:
            (out[i &* 4], out[i &* 4 &+ 1], out[i &* 4 &+ 2]) = (r, g, b)
            out[i &* 4 &+ 3] = 255
          }
        }
      }
      used = count * target.bytesInPixel
    }
    return Picture(width: width, height: height, layout: target, pixels: result)
  }
}
