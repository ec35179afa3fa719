/// Thresholds that follow the light: one for each block of 8 × 8 pixels, from the contrast around it.
///
/// Made once and filled again for each picture; allocates only when the size changes.
public struct BlockThresholds: Sendable {
  /// Pixels along a side of a block.
  static let side = 8

  private(set) var columns = 0
  private(set) var rows = 0
  private(set) var levels: [UInt8] = []
  private var sums: [Float] = []
  private var weights: [Float] = []
  private var rowSums: [Float] = []
  private var rowWeights: [Float] = []

  /// Thresholds of no picture yet.
  public init() {}

  /// Takes the thresholds of a picture.
  ///
  /// A block's threshold is the mean of the middles between darkest and lightest pixel of the 5 × 5 blocks around it, each
  /// weighted by its contrast squared: edges decide, and flat areas beside them follow. Where they have less contrast than
  /// `minimumContrast`, which noise has too, that of the whole picture is taken.
  mutating func set(_ image: GrayView, minimumContrast: UInt8) {
    let side = Self.side
    columns = (image.width + side - 1) / side
    rows = (image.height + side - 1) / side
    let count = columns * rows
    if levels.count != count {
      levels = [UInt8](repeating: 0, count: count)
      sums = [Float](repeating: 0, count: count)
      weights = sums
      rowSums = sums
      rowWeights = sums
    }
    setExtremes(image)
    average(minimumContrast: Float(minimumContrast))
  }

  /// Middle times weight, and weight, of each block.
  private mutating func setExtremes(_ image: GrayView) {
    let width = image.width
    let (side, columns) = (Self.side, self.columns)
    for row in 0..<rows {
      let top = row * side
      let count = min(image.height, top + side) - top
      let first = UnsafeRawPointer(image.row(top))
      sums.withUnsafeMutableBufferPointer { sums in
        weights.withUnsafeMutableBufferPointer { weights in
          func set(_ column: Int, _ darkest: UInt8, _ lightest: UInt8) {
            let contrast = Float(lightest &- darkest)
            let weight = contrast * contrast
            weights[row &* columns &+ column] = weight
            sums[row &* columns &+ column] = weight * 0.5 * (Float(darkest) + Float(lightest))
          }
          var column = 0
          // Two blocks at a time, as long as there are whole ones.
          while (column &+ 2) &* side <= width {
            var low = first.loadUnaligned(fromByteOffset: column &* side, as: SIMD16<UInt8>.self)
            var high = low
            for y in 1..<max(count, 1) {
              let line = first.loadUnaligned(
                fromByteOffset: y &* image.stride &+ column &* side,
                as: SIMD16<UInt8>.self
              )
              low = pointwiseMin(low, line)
              high = pointwiseMax(high, line)
            }
            set(column, low.lowHalf.min(), high.lowHalf.max())
            set(column &+ 1, low.highHalf.min(), high.highHalf.max())
            column &+= 2
          }
          while column < columns {
            var (low, high): (UInt8, UInt8) = (255, 0)
            for y in 0..<count {
              let line = image.row(top + y)
              for x in (column * side)..<min(width, column * side + side) {
                low = min(low, line[x])
                high = max(high, line[x])
              }
            }
            set(column, low, high)
            column += 1
          }
        }
      }
    }
  }

  private mutating func average(minimumContrast: Float) {
    let (columns, rows) = (self.columns, self.rows)
    var total: Float = 0
    var totalWeight: Float = 0
    for index in 0..<(columns * rows) {
      total += sums[index]
      totalWeight += weights[index]
    }
    let whole = totalWeight > 0 ? total / totalWeight : 0
    let enough = 25 * minimumContrast * minimumContrast
    sums.withUnsafeBufferPointer { sums in
      weights.withUnsafeBufferPointer { weights in
        rowSums.withUnsafeMutableBufferPointer { rowSums in
          rowWeights.withUnsafeMutableBufferPointer { rowWeights in
            levels.withUnsafeMutableBufferPointer { levels in
              for y in 0..<rows {
                for x in 0..<columns {
                  var (sum, weight): (Float, Float) = (0, 0)
                  for other in max(0, x &- 2)...min(columns &- 1, x &+ 2) {
                    sum += sums[y &* columns &+ other]
                    weight += weights[y &* columns &+ other]
                  }
                  rowSums[y &* columns &+ x] = sum
                  rowWeights[y &* columns &+ x] = weight
                }
              }
              for y in 0..<rows {
                let (top, bottom) = (max(0, y &- 2), min(rows &- 1, y &+ 2))
                for x in 0..<columns {
                  var (sum, weight): (Float, Float) = (0, 0)
                  for other in top...bottom {
                    sum += rowSums[other &* columns &+ x]
                    weight += rowWeights[other &* columns &+ x]
                  }
                  levels[y &* columns &+ x] = UInt8(weight > enough ? sum / weight : whole)
                }
              }
            }
          }
        }
      }
    }
  }
}

/// The least of the first eight and of the last eight values.
@inline(__always)
private func leastOfHalves(_ values: SIMD16<UInt8>) -> (UInt8, UInt8) {
  var least = values
  for shift: UInt64 in [32, 16, 8] {
    let moved = unsafeBitCast(unsafeBitCast(least, to: SIMD2<UInt64>.self) &>> shift, to: SIMD16<UInt8>.self)
    least.replace(with: moved, where: moved .< least)
  }
  return (least[0], least[8])
}

extension GrayImage {
  /// Marks the pixels that are not lighter than the threshold of their surroundings with ``maskLevel``; the others become 0.
  ///
  /// Several times faster than the mean around each pixel, and the inside of dark areas wider than the window stays dark
  /// where the picture as a whole is lighter. Made for codes of small modules.
  ///
  /// - Parameters:
  ///   - image: grey levels.
  ///   - minimumContrast: grey levels between the darkest and the lightest pixel of blocks that have a threshold of their
  ///     own; a smaller one makes more of noise.
  ///   - thresholds: a buffer for the thresholds, filled here.
  public mutating func setBlockThreshold(
    of image: GrayView,
    minimumContrast: UInt8 = 24,
    thresholds: inout BlockThresholds
  ) {
    thresholds.set(image, minimumContrast: minimumContrast)
    resize(width: image.width, height: image.height)
    let (width, side, columns) = (image.width, BlockThresholds.side, thresholds.columns)
    var line = [UInt8](repeating: 0, count: columns * side)
    for row in 0..<thresholds.rows {
      for column in 0..<columns {
        let level = thresholds.levels[row * columns + column]
        for x in 0..<side { line[column &* side &+ x] = level }
      }
      line.withUnsafeBufferPointer { line in
        withMutablePixels { target in
          for y in (row * side)..<min(image.height, row * side + side) {
            let from = image.row(y)
            let to = target + y &* width
            for x in 0..<width { to[x] = from[x] <= line[x] ? maskLevel : 0 }
          }
        }
      }
    }
  }

  /// Fills the picture with another one's, dark and light exchanged: every level becomes 255 less itself.
  public mutating func setInverted(of image: GrayView) {
    resize(width: image.width, height: image.height)
    withMutablePixels { target in
      for y in 0..<image.height {
        let (from, to) = (image.row(y), target + y &* image.width)
        for x in 0..<image.width { to[x] = ~from[x] }
      }
    }
  }

  /// Turns dark into light and light into dark: every level becomes 255 less itself.
  public mutating func invert() {
    let count = width * height
    withMutablePixels { pixels in for index in 0..<count { pixels[index] = ~pixels[index] } }
  }

  /// Fills the picture with one of twice the size, linear between the pixels.
  ///
  /// Pixel (x, y) of the smaller picture stands for (2x + 0.5, 2y + 0.5).
  /// - Precondition: no side gets longer than ``GrayView/longestSide``.
  public mutating func setDouble(of image: GrayView) {
    resize(width: 2 * image.width, height: 2 * image.height)
    let width = image.width
    var blend = [UInt16](repeating: 0, count: width)
    withMutablePixels { target in
      for y in 0..<(2 * image.height) {
        let near = image.row(y / 2)
        let far = image.row(min(max(y / 2 + (y % 2 == 0 ? -1 : 1), 0), image.height - 1))
        for x in 0..<width { blend[x] = 3 &* UInt16(near[x]) &+ UInt16(far[x]) }
        let to = target + y &* 2 &* width
        blend.withUnsafeBufferPointer { blend in
          for x in 0..<width {
            let here = 3 &* blend[x] &+ 8
            to[2 &* x] = UInt8(truncatingIfNeeded: (here &+ blend[max(x &- 1, 0)]) &>> 4)
            to[2 &* x &+ 1] = UInt8(truncatingIfNeeded: (here &+ blend[min(x &+ 1, width &- 1)]) &>> 4)
          }
        }
      }
    }
  }
}
