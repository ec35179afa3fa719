/// Sums over all rectangles of a picture in constant time each.
///
/// The sums are kept modulo 2³²: those of rectangles of up to 16.8 million pixels are exact, however large the picture is.
public struct IntegralImage: Sendable {
  /// Pixels in a row of the picture.
  public private(set) var width = 0
  /// Rows of the picture.
  public private(set) var height = 0
  /// `(width + 1) × (height + 1)` sums over everything above and left, exclusively.
  var sums: [UInt32] = []

  /// Sums of no picture yet.
  public init() {}

  /// Takes the sums of a picture; allocates only when its size differs from the last one's.
  public mutating func set(_ image: GrayView) {
    let line = image.width + 1
    if width != image.width || height != image.height {
      width = image.width
      height = image.height
      sums = [UInt32](repeating: 0, count: line * (height + 1))
    }
    sums.withUnsafeMutableBufferPointer { sums in
      guard let base = sums.baseAddress else { return }
      for y in 0..<image.height {
        let row = image.row(y)
        var sum: UInt32 = 0
        let (above, here) = (base + (y &* line &+ 1), base + ((y &+ 1) &* line &+ 1))
        for x in 0..<image.width {
          sum &+= UInt32(row[x])
          here[x] = above[x] &+ sum
        }
      }
    }
  }

  /// The sum of the pixels with x in `minX..<maxX` and y in `minY..<maxY`.
  /// - Precondition: the rectangle lies in the picture; it may be empty.
  public func sum(minX: Int, minY: Int, maxX: Int, maxY: Int) -> UInt32 {
    precondition(0 <= minX && minX <= maxX && maxX <= width && 0 <= minY && minY <= maxY && maxY <= height)
    let line = width + 1
    let below = sums[maxY * line + maxX] &- sums[maxY * line + minX]
    return below &- sums[minY * line + maxX] &+ sums[minY * line + minX]
  }
}
