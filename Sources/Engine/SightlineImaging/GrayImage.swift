/// A picture of grey levels that owns its pixels, rows without gaps.
///
/// Made once and filled again for each frame: the functions of this module write into one and allocate only when its size
/// changes.
public struct GrayImage: Equatable, Sendable {
  /// Pixels in a row.
  public private(set) var width: Int
  /// Rows.
  public private(set) var height: Int
  /// All pixels, row by row.
  public private(set) var pixels: [UInt8]

  /// A picture of one grey level.
  /// - Precondition: both sides are 1 … ``GrayView/longestSide`` pixels.
  public init(width: Int, height: Int, level: UInt8 = 0) {
    precondition(width > 0 && height > 0 && width <= GrayView.longestSide && height <= GrayView.longestSide)
    self.width = width
    self.height = height
    pixels = [UInt8](repeating: level, count: width * height)
  }

  /// A copy of what a view shows.
  public init(copying view: GrayView) {
    self.init(width: view.width, height: view.height)
    set(view)
  }

  /// Fills the picture with a copy of what a view shows; allocates only when the size changes.
  public mutating func set(_ view: GrayView) {
    resize(width: view.width, height: view.height)
    withMutablePixels { target in
      for y in 0..<view.height { copyLevels(view.row(y), to: target + y &* view.width, count: view.width) }
    }
  }

  /// The grey level of a pixel.
  /// - Precondition: the pixel lies in the picture.
  public subscript(x: Int, y: Int) -> UInt8 {
    get {
      precondition(x >= 0 && x < width && y >= 0 && y < height)
      return pixels[y * width + x]
    }
    set {
      precondition(x >= 0 && x < width && y >= 0 && y < height)
      pixels[y * width + x] = newValue
    }
  }

  /// Makes the picture this size; its content is undefined afterwards.
  ///
  /// Allocates only when the picture becomes larger than it ever was.
  /// - Precondition: both sides are 1 … ``GrayView/longestSide`` pixels.
  public mutating func resize(width: Int, height: Int) {
    guard width != self.width || height != self.height else { return }
    precondition(width > 0 && height > 0 && width <= GrayView.longestSide && height <= GrayView.longestSide)
    let count = width * height
    if count > pixels.capacity {
      pixels = [UInt8](repeating: 0, count: count)
    } else if count > pixels.count {
      pixels.append(contentsOf: repeatElement(0, count: count - pixels.count))
    } else {
      pixels.removeLast(pixels.count - count)
    }
    self.width = width
    self.height = height
  }

  /// Lends the pixels for reading.
  @inline(__always)
  public func withView<Result>(_ body: (GrayView) -> Result) -> Result {
    pixels.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure() }
      return body(GrayView(pixels: base, width: width, height: height, stride: width))
    }
  }

  /// Lends the pixels for writing, `width` bytes a row.
  @inline(__always)
  public mutating func withMutablePixels<Result>(_ body: (UnsafeMutablePointer<UInt8>) -> Result) -> Result {
    pixels.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure() }
      return body(base)
    }
  }
}
