import SightlineMath

/// A picture that is laid onto a surface: red, green and blue, row by row from the top.
public struct Texture: Sendable {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  private let pixels: [SIMD3<Float>]
  /// Whether tones are blended between the pixels' centres; else each pixel is a cell of one tone with hard edges.
  public let isSmooth: Bool

  /// A texture from bytes.
  ///
  /// - Parameters:
  ///   - width: > 0.
  ///   - height: > 0.
  ///   - bytes: `width` · `height` · `channels`.
  ///   - channels: 1 for grey, 3 for red, green, blue, 4 for one more that is left out.
  ///   - isSmooth: see ``isSmooth``.
  /// - Precondition: the number of bytes fits.
  public init(width: Int, height: Int, bytes: [UInt8], channels: Int, isSmooth: Bool) {
    precondition(width > 0 && height > 0 && [1, 3, 4].contains(channels) && bytes.count == width * height * channels)
    self.width = width
    self.height = height
    self.isSmooth = isSmooth
    pixels = (0..<(width * height)).map { index in
      if channels == 1 { return SIMD3(repeating: Float(bytes[index])) }
      let start = index * channels
      return SIMD3(Float(bytes[start]), Float(bytes[start + 1]), Float(bytes[start + 2]))
    }
  }

  /// The tone at a place, both 0 … 1 from the top left corner.
  func tone(_ u: Double, _ v: Double) -> SIMD3<Float> {
    let (x, y) = (u * Double(width), v * Double(height))
    guard isSmooth else {
      return pixels[min(height - 1, max(0, Int(y))) * width + min(width - 1, max(0, Int(x)))]
    }
    let (a, b) = (clamp(x - 0.5, 0, Double(width - 1)), clamp(y - 0.5, 0, Double(height - 1)))
    let (column, row) = (min(Int(a), max(0, width - 2)), min(Int(b), max(0, height - 2)))
    let (right, below) = (Float(a - Double(column)), Float(b - Double(row)))
    let (next, down) = (width > 1 ? 1 : 0, height > 1 ? width : 0)
    let start = row * width + column
    let top = pixels[start] + (pixels[start + next] - pixels[start]) * right
    let bottom = pixels[start + down] + (pixels[start + down + next] - pixels[start + down]) * right
    return top + (bottom - top) * below
  }
}
