/// Eight by eight grey levels around a point, and how they change across and down.
///
/// Row by row, eight numbers at once. The mean is taken out, so that a brighter picture is no displacement.
struct Patch {
  /// Pixels along a side.
  static let side = 8
  /// From the point to the outermost pixels of what is read around it.
  static let reach: Float = 6

  private var levels: InlineArray<8, SIMD8<Float>>
  private var across: InlineArray<8, SIMD8<Float>>
  private var down: InlineArray<8, SIMD8<Float>>
  /// Inverse of the structure tensor, and its smaller eigenvalue by the pixel.
  private var (inverseXX, inverseXY, inverseYY): (Float, Float, Float) = (0, 0, 0)
  /// Products of the levels with their gradients.
  private var (templateX, templateY): (Float, Float) = (0, 0)
  /// Standard deviation of the levels, grey levels.
  private(set) var deviation: Float = 0
  /// Smaller eigenvalue of the structure tensor by the pixel: (grey levels a pixel)².
  private(set) var cornerness: Float = 0

  /// The patch around a point of a level.
  /// - Precondition: the point is ``reach`` pixels or more from every border.
  @_optimize(speed)
  init(_ level: LevelPyramid.Level, x: Float, y: Float) {
    let sampler = PatchSampler(level, x: x - 3.5, y: y - 3.5)
    let zero = InlineArray<8, SIMD8<Float>>(repeating: .zero)
    (levels, across, down) = (zero, zero, zero)
    for row in 0..<8 {
      levels[row] = sampler.row(row, shift: 0)
      across[row] = 0.5 * (sampler.row(row, shift: 1) - sampler.row(row, shift: -1))
      down[row] = 0.5 * (sampler.row(row + 1, shift: 0) - sampler.row(row - 1, shift: 0))
    }
    finish()
  }

  /// The patch of ten by ten levels, row by row; the outermost are there for the gradients.
  @_optimize(speed)
  init(_ ten: InlineArray<100, Float>) {
    let zero = InlineArray<8, SIMD8<Float>>(repeating: .zero)
    (levels, across, down) = (zero, zero, zero)
    for row in 0..<8 {
      for column in 0..<8 {
        let at = (row + 1) * 10 + column + 1
        levels[row][column] = ten[at]
        across[row][column] = 0.5 * (ten[at + 1] - ten[at - 1])
        down[row][column] = 0.5 * (ten[at + 10] - ten[at - 10])
      }
    }
    finish()
  }

  @inline(__always)
  private mutating func finish() {
    var sum = SIMD8<Float>.zero
    var (sumX, sumY) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    for row in 0..<8 {
      sum += levels[row]
      sumX += across[row]
      sumY += down[row]
    }
    let (mean, meanX, meanY) = (sum.sum() / 64, sumX.sum() / 64, sumY.sum() / 64)
    var (xx, xy, yy, variance) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
    for row in 0..<8 {
      levels[row] -= mean
      across[row] -= meanX
      down[row] -= meanY
      xx += across[row] * across[row]
      xy += across[row] * down[row]
      yy += down[row] * down[row]
      variance += levels[row] * levels[row]
    }
    deviation = (variance.sum() / 64).squareRoot()
    var (ownX, ownY) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    for row in 0..<8 {
      ownX += levels[row] * across[row]
      ownY += levels[row] * down[row]
    }
    (templateX, templateY) = (ownX.sum(), ownY.sum())
    let (a, b, c) = (xx.sum(), xy.sum(), yy.sum())
    let determinant = a * c - b * b
    let root = ((a - c) * (a - c) + 4 * b * b).squareRoot()
    cornerness = max(0, (a + c - root) / 128)
    guard determinant > 1e-3 else { return }
    (inverseXX, inverseXY, inverseYY) = (c / determinant, -b / determinant, a / determinant)
  }

  /// Whether the patch fixes a place.
  var isCorner: Bool { inverseXX > 0 && cornerness > 0.3 }

  /// Where the patch lies in another picture of the same level, and how well it fits there.
  ///
  /// Inverse compositional alignment with the mean and the contrast of both made equal.
  /// Source: Baker and Matthews, Lucas–Kanade 20 Years On, IJCV 56(3), 2004.
  ///
  /// - Parameters:
  ///   - level: of the other picture.
  ///   - x: start, pixels of the level; on return the place.
  ///   - y: as `x`, down.
  ///   - steps: most iterations.
  /// - Returns: correlation of the two, −1 … 1; `nil` when it leaves the picture.
  @_optimize(speed)
  func align(to level: LevelPyramid.Level, x: inout Float, y: inout Float, steps: Int) -> Float? {
    let (maxX, maxY) = (Float(level.width) - 1 - Self.reach, Float(level.height) - 1 - Self.reach)
    var correlation: Float = -1
    for step in 0..<steps {
      guard x >= Self.reach, y >= Self.reach, x <= maxX, y <= maxY else { return nil }
      let sampler = PatchSampler(level, x: x - 3.5, y: y - 3.5)
      var (sum, squares, product) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
      var (bx, by) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
      for row in 0..<8 {
        let seen = sampler.row(row, shift: 0)
        sum += seen
        squares += seen * seen
        product += seen * levels[row]
        bx += seen * across[row]
        by += seen * down[row]
      }
      let mean = sum.sum() / 64
      let variance = max(1e-6, squares.sum() / 64 - mean * mean)
      let gain = deviation / variance.squareRoot()
      correlation = product.sum() / 64 / max(1e-6, deviation * variance.squareRoot())
      // The gradients have no mean, so the seen mean falls out of the products by itself.
      let errorX = min(2, max(0.5, gain)) * bx.sum() - templateX
      let errorY = min(2, max(0.5, gain)) * by.sum() - templateY
      let dx = inverseXX * errorX + inverseXY * errorY
      let dy = inverseXY * errorX + inverseYY * errorY
      guard dx.isFinite, dy.isFinite else { return nil }
      let length = max(abs(dx), abs(dy))
      let scale: Float = length > 2 ? 2 / length : 1
      x -= dx * scale
      y -= dy * scale
      if length < 0.015, step > 0 { break }
    }
    guard x >= Self.reach, y >= Self.reach, x <= maxX, y <= maxY else { return nil }
    return correlation
  }
}

/// Reads rows of eight pixels between those of a picture, linear between their centres.
private struct PatchSampler {
  private let base: UnsafePointer<Float>
  private let width: Int
  private let (a, b, c, d): (Float, Float, Float, Float)

  /// Reads from a place on.
  ///
  /// - Parameters:
  ///   - level: with room for what is read.
  ///   - x: column of the first pixel of a row.
  ///   - y: row of the first row.
  @inline(__always)
  init(_ level: LevelPyramid.Level, x: Float, y: Float) {
    let (column, line) = (x.rounded(.down), y.rounded(.down))
    let (fx, fy) = (x - column, y - line)
    // The caller has seen to it that both are small and positive.
    width = level.width
    base = UnsafePointer(level.pixels) + (Int(line) * level.width + Int(column))
    (a, b, c, d) = ((1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy)
  }

  @inline(__always)
  func row(_ index: Int, shift: Int) -> SIMD8<Float> {
    let upper = UnsafeRawPointer(base + (index * width + shift))
    let lower = upper + 4 * width
    var sum = a * upper.loadUnaligned(as: SIMD8<Float>.self)
    sum += b * upper.loadUnaligned(fromByteOffset: 4, as: SIMD8<Float>.self)
    sum += c * lower.loadUnaligned(as: SIMD8<Float>.self)
    sum += d * lower.loadUnaligned(fromByteOffset: 4, as: SIMD8<Float>.self)
    return sum
  }
}
