/// A binary mask of what is dark: ``maskLevel`` where it is, 0 elsewhere, with a frame of zeros around it, so that whoever walks
/// along a border needs no test for the edge of the picture.
public struct BinaryMask: Sendable {
  /// Pixels in a row.
  public private(set) var width = 0
  /// Rows.
  public private(set) var height = 0
  /// Bytes from one row to the next.
  public private(set) var stride = 0
  private var cells: [UInt8] = []

  /// A map of nothing yet.
  public init() {}

  /// Makes the map this size; allocates only when it needs more room than ever before.
  ///
  /// There is a frame of zeros afterwards, the inside is undefined.
  public mutating func resize(width: Int, height: Int) {
    guard width != self.width || height != self.height else { return }
    self.width = width
    self.height = height
    // Eight more, so that a scan by whole words may read past the last column.
    stride = width + 10
    let (stride, count) = (self.stride, self.stride * (height + 2))
    guard cells.count >= count else {
      cells = [UInt8](repeating: 0, count: count)
      return
    }
    // Of an older size there may be anything.
    cells.withUnsafeMutableBufferPointer { cells in
      for x in 0..<stride { cells[x] = 0 }
      for x in (stride * (height + 1))..<count { cells[x] = 0 }
      for y in 1...height {
        cells[y * stride] = 0
        for x in (width + 1)..<stride { cells[y * stride + x] = 0 }
      }
    }
  }

  /// Lends the first pixel of the inside for writing; rows are ``stride`` bytes apart.
  @inline(__always)
  mutating func withPixels<Result>(_ body: (UnsafeMutablePointer<UInt8>) -> Result) -> Result {
    let first = stride + 1
    return cells.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure() }
      return body(base + first)
    }
  }

  /// Lends the map as a picture.
  /// - Precondition: it has been filled.
  public func withView<Result>(_ body: (GrayView) -> Result) -> Result {
    precondition(width > 0)
    return cells.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure() }
      return body(GrayView(pixels: base + (stride + 1), width: width, height: height, stride: stride))
    }
  }
}
