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
              low.replace(with: line, where: line .< low)
              high.replace(with: line, where: line .> high)
            }
            let (darkest, lightest) = (leastOfHalves(low), leastOfHalves(~high))
            set(column, darkest.0, ~lightest.0)
            set(column &+ 1, darkest.1, ~lightest.1)
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
    averageRows(sums, into: &rowSums)
    averageRows(weights, into: &rowWeights)
    // The lines that were summed to sums over columns.
    sums.withUnsafeMutableBufferPointer { sums in
      weights.withUnsafeMutableBufferPointer { weights in
        rowSums.withUnsafeBufferPointer { rowSums in
          rowWeights.withUnsafeBufferPointer { rowWeights in
            levels.withUnsafeMutableBufferPointer { levels in
              for y in 0..<rows {
                let (top, bottom) = (max(0, y &- 2), min(rows &- 1, y &+ 2))
                let here = y &* columns
                for x in 0..<columns { (sums[x], weights[x]) = (0, 0) }
                for other in top...bottom {
                  let line = other &* columns
                  for x in 0..<columns {
                    sums[x] += rowSums[line &+ x]
                    weights[x] += rowWeights[line &+ x]
                  }
                }
                for x in 0..<columns {
                  levels[here &+ x] = UInt8(weights[x] > enough ? sums[x] / weights[x] : whole)
                }
              }
            }
          }
        }
      }
    }
  }

  /// Sums of each block, the two before and the two after it in its row.
  private func averageRows(_ values: [Float], into result: inout [Float]) {
    let columns = self.columns
    values.withUnsafeBufferPointer { values in
      result.withUnsafeMutableBufferPointer { result in
        for y in 0..<rows {
          let line = y &* columns
          for x in 0..<columns {
            let at = line &+ x
            if x >= 2 && x &+ 2 < columns {
              result[at] = values[at &- 2] + values[at &- 1] + values[at] + values[at &+ 1] + values[at &+ 2]
            } else {
              var sum: Float = 0
              for other in max(0, x &- 2)...min(columns &- 1, x &+ 2) { sum += values[line &+ other] }
              result[at] = sum
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
        let to = UnsafeMutableRawPointer(target + y &* 2 &* width)
        blend.withUnsafeBufferPointer { blend in
          // Both pixels of a pair at once, the left one in the lower byte.
          func set(_ x: Int, _ left: Int, _ right: Int) {
            let here = 3 &* blend[x] &+ 8
            let pair = ((here &+ blend[left]) &>> 4) | ((here &+ blend[right]) &>> 4) &<< 8
            to.storeBytes(of: pair.littleEndian, toByteOffset: 2 &* x, as: UInt16.self)
          }
          // The ends apart, so that many pairs are made at once between them.
          set(0, 0, min(1, width - 1))
          var x = 1
          while x < width &- 1 {
            set(x, x &- 1, x &+ 1)
            x &+= 1
          }
          if width > 1 { set(width - 1, width - 2, width - 1) }
        }
      }
    }
  }
}
