import SightlineImaging

/// Finds places that can be followed: the strongest corner of each part of a picture that has no track yet.
///
/// A corner's strength is the smaller eigenvalue of the structure tensor over 5 × 5 pixels of the halved picture.
/// Source: Shi and Tomasi, Good Features to Track, CVPR 1994.
struct CornerFinder {
  /// A place and its strength.
  struct Corner {
    /// Pixels of the whole picture.
    var (x, y): (Float, Float)
    /// Smaller eigenvalue by the pixel, (grey levels a pixel)².
    var strength: Float
  }

  /// Side of a part, pixels of the halved picture.
  static let cell = 20
  /// From a corner to the picture's border at least, pixels of the halved picture.
  private static let margin = 8
  /// Strength below which the sensor's noise is followed, (grey levels a pixel)².
  private static let leastStrength: Float = 1.5

  private static let side = cell + 8
  /// Products of the gradients, and their sums over five neighbours across: six squares, one after the other.
  private let products = FixedBuffer<Float>(count: 6 * side * side, filledWith: 0)

  init() {}

  /// Parts across and down in a picture of a size, pixels.
  static func cells(width: Int, height: Int) -> (columns: Int, rows: Int) {
    (max(1, (width / 2 - 2 * margin) / cell), max(1, (height / 2 - 2 * margin) / cell))
  }

  /// Which part a place of the whole picture is in; those beyond the last part are counted to it.
  static func cell(x: Float, y: Float, columns: Int, rows: Int) -> Int {
    let column = min(columns - 1, max(0, (Int(max(0, min(32767, x))) / 2 - margin) / cell))
    let row = min(rows - 1, max(0, (Int(max(0, min(32767, y))) / 2 - margin) / cell))
    return row * columns + column
  }

  /// The strongest corner of a part; `nil` when there is nothing to follow.
  @_optimize(speed)
  func strongest(in level: LevelPyramid.Level, column: Int, row: Int) -> Corner? {
    let (left, top) = (Self.margin + column * Self.cell, Self.margin + row * Self.cell)
    // Two pixels of the window and one of the gradient around the part.
    let (x0, y0) = (left - 2, top - 2)
    let (width, height) = (min(Self.cell + 4, level.width - 1 - x0), min(Self.cell + 4, level.height - 1 - y0))
    guard width > 5, height > 5 else { return nil }
    let size = Self.side * Self.side
    let (xx, xy, yy) = (products.base, products.base + size, products.base + 2 * size)
    let (sumXX, sumXY, sumYY) = (products.base + 3 * size, products.base + 4 * size, products.base + 5 * size)
    for y in 0..<height {
      let from = level.pixels + ((y0 + y) * level.width + x0)
      let to = y &* Self.side
      for x in 0..<width {
        let gx = 0.5 * (from[x &+ 1] - from[x &- 1])
        let gy = 0.5 * (from[x &+ level.width] - from[x &- level.width])
        xx[to &+ x] = gx * gx
        xy[to &+ x] = gx * gy
        yy[to &+ x] = gy * gy
      }
    }
    Self.sumRows(xx, sumXX, width, height)
    Self.sumRows(xy, sumXY, width, height)
    Self.sumRows(yy, sumYY, width, height)
    var best = Corner(x: 0, y: 0, strength: Self.leastStrength)
    var found = false
    for y in 2..<(height - 2) {
      for x in 2..<(width - 2) {
        let at = y &* Self.side &+ x
        var (a, b, c): (Float, Float, Float) = (0, 0, 0)
        for k in -2...2 {
          a += sumXX[at &+ k &* Self.side]
          b += sumXY[at &+ k &* Self.side]
          c += sumYY[at &+ k &* Self.side]
        }
        let root = ((a - c) * (a - c) + 4 * b * b).squareRoot()
        let strength = (a + c - root) / 50
        if strength > best.strength {
          best = Corner(x: Float(2 * (x0 + x)) + 0.5, y: Float(2 * (y0 + y)) + 0.5, strength: strength)
          found = true
        }
      }
    }
    return found ? best : nil
  }

  /// Sums of five neighbours across.
  @_optimize(speed)
  private static func sumRows(
    _ from: UnsafeMutablePointer<Float>,
    _ to: UnsafeMutablePointer<Float>,
    _ width: Int,
    _ height: Int
  ) {
    for y in 0..<height {
      let row = y &* side
      for x in 2..<(width - 2) {
        to[row &+ x] =
          from[row &+ x &- 2] + from[row &+ x &- 1] + from[row &+ x] + from[row &+ x &+ 1] + from[row &+ x &+ 2]
      }
    }
  }
}
