/// The slope of the grey levels at each pixel, by the Sobel operator: eight times the change a pixel.
///
/// Pixels outside the picture are those at its edge.
public struct GradientImage: Sendable {
  /// Pixels in a row.
  public private(set) var width = 0
  /// Rows.
  public private(set) var height = 0
  /// Change to the right, row by row; positive where it becomes lighter.
  public private(set) var alongX: [Int16] = []
  /// Change downwards, row by row; positive where it becomes lighter.
  public private(set) var alongY: [Int16] = []

  /// Slopes of no picture yet.
  public init() {}

  /// Takes the slopes of a picture; allocates only when its size differs from the last one's.
  public mutating func set(_ image: GrayView) {
    if width != image.width || height != image.height {
      width = image.width
      height = image.height
      alongX = [Int16](repeating: 0, count: width * height)
      alongY = alongX
    }
    let width = self.width
    alongX.withUnsafeMutableBufferPointer { alongX in
      alongY.withUnsafeMutableBufferPointer { alongY in
        for y in 0..<image.height {
          let a = image.row(max(0, y - 1))
          let b = image.row(y)
          let c = image.row(min(image.height - 1, y + 1))
          func set(_ x: Int, _ l: Int, _ r: Int) {
            let right = Int16(a[r]) &+ 2 &* Int16(b[r]) &+ Int16(c[r])
            let left = Int16(a[l]) &+ 2 &* Int16(b[l]) &+ Int16(c[l])
            let below = Int16(c[l]) &+ 2 &* Int16(c[x]) &+ Int16(c[r])
            let above = Int16(a[l]) &+ 2 &* Int16(a[x]) &+ Int16(a[r])
            alongX[y &* width &+ x] = right &- left
            alongY[y &* width &+ x] = below &- above
          }
          set(0, 0, min(1, width - 1))
          if width > 1 {
            for x in 1..<(width - 1) { set(x, x &- 1, x &+ 1) }
            set(width - 1, width - 2, width - 1)
          }
        }
      }
    }
  }
}
