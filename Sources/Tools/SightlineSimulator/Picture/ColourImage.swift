import SightlineImaging

/// A picture of red, green and blue bytes, row by row from the top.
public struct ColourImage: Equatable, Sendable {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Three bytes a pixel.
  public var bytes: [UInt8]

  /// A black picture.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
    bytes = [UInt8](repeating: 0, count: 3 * width * height)
  }

  /// Its brightness (the weights of ITU-R BT.601).
  public var gray: GrayImage {
    var image = GrayImage(width: width, height: height)
    image.withMutablePixels { target in
      for k in 0..<(width * height) {
        let (r, g, b) = (Int(bytes[3 * k]), Int(bytes[3 * k + 1]), Int(bytes[3 * k + 2]))
        target[k] = UInt8((77 * r + 150 * g + 29 * b + 128) >> 8)
      }
    }
    return image
  }
}
