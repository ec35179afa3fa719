import SightlineCamera
import SightlineImaging
import SightlineMath

/// Photometric refinement: fits the picture that a marker of known cells should give to all of its pixels at once, by the
/// method of Gauss and Newton (image alignment after Lucas and Kanade 1981).
///
/// Edges of small cells lie in each other's blur, and a measurement of each by itself leaves much of what the pixels say
/// unused. Here the whole pattern, blurred and bent by the camera's tone curve, is moved until it differs least from what is
/// seen: no other use of the same pixels can be more exact, as long as the pattern is all that there is.
///
/// Unknown are the eight entries of the map, the two levels, their common slope over the marker, the blur along both
/// directions and the bend of the tone curve: of a level p between 0 (dark) and 1 (light) it makes `p + (t + s (1 − 2 p)) p (1 − p)`.
struct PhotometricRefinement: Sendable {
  /// What is fitted, beside the map.
  struct Terms: Sendable {
    /// Dark level, and how much lighter light is, grey levels.
    var (dark, contrast) = (Float(0), Float(0))
    /// Share by which both grow over the marker's width and over its height.
    var (slopeX, slopeY) = (Float(0), Float(0))
    /// Blur of edges that x and that y cross, standard deviation in pixels.
    var (blurX, blurY) = (Float(1), Float(1))
    /// Bend of the tone curve, and how much stronger it is on the dark side than on the light one.
    var (tone, bow) = (Float(0), Float(0))
  }
  /// A marker and its pattern where they are seen.
  struct Result {
    /// From the unit square, with origin in the centre (½, ½), to the picture.
    var map: Matrix3
    var terms: Terms
    /// Inverse of the curvature at the minimum, times the variance that is left over: of the map's own eight unknowns.
    var covariance: InlineArray<8, InlineArray<8, Double>>
    /// Root mean square of what is left over, grey levels.
    var rest = 0.0
    /// Share of the differences between the pixels that the pattern explains, 0 … 1.
    var share = 0.0
    /// Unit of the two perspective unknowns, pixels.
    var scale = 1.0

    /// How surely the corners are known.
    ///
    /// - Parameter floor: deviation of a coordinate that comes on top, pixels.
    /// - Returns: `nil` when it is not finite.
    func cornerCovariance(floor: Double) -> CornerCovariance? {
      var rows = InlineArray<8, InlineArray<8, Double>>(repeating: .init(repeating: 0))
      for i in 0..<4 {
        let (p, q) = (i == 1 || i == 2 ? 0.5 : -0.5, i < 2 ? -0.5 : 0.5)
        let h = map * Vector3(p, q, 1)
        guard h.z != 0 else { return nil }
        let k = map.row2.z / h.z
        let (x, y) = (h.x / h.z, h.y / h.z)
        rows[2 * i] = [k, k * p, k * q, 0, 0, 0, -k * x * p / scale, -k * x * q / scale]
        rows[2 * i + 1] = [0, 0, 0, k, k * p, k * q, -k * y * p / scale, -k * y * q / scale]
      }
      return CornerCovariance(covariance: covariance, rows: rows, floor: floor)
    }
  }

  /// Cells of the grid along a side: of a marker, and three of margin on either side.
  static let line = 16
  private let step = BlurredStep()
  /// 1 where light, row by row.
  private var grid = [Float](repeating: 1, count: line * line)
  /// Sums of products of the pixels' derivatives: of row i the first i / 4 + 1 fours, then those of the right side.
  private var sums = [SIMD4<Float>](repeating: .zero, count: 44)
  /// Pixels that are looked at.
  private static let mostPixels: Float = 500
  /// Movement of the corners below which another step is of no use, pixels.
  private static let still = 0.3
  /// Bend of the tone curve for a shift of edges by the whole deviation of the blur.
  static let bendOfShift = 1.2

  init() {}

  /// Moves a map until the pattern agrees with the picture.
  ///
  /// - Parameters:
  ///   - image: the whole frame.
  ///   - start: from the unit square to the picture, relative to `center`, without distortion.
  ///   - center: pixels.
  ///   - lens: bends what is straight; `nil` when it is not known.
  ///   - code: of the marker, row by row, 1 = white.
  ///   - n: cells along a side, without the border.
  ///   - terms: first guess.
  ///   - noise: standard deviation of a pixel, grey levels, above which it is no longer believed.
  ///   - rounds: most steps of Gauss and Newton; one that hardly moves the corners is the last.
  /// - Returns: `nil` where it runs away.
  mutating func fit(
    _ image: GrayView,
    start: Matrix3,
    center: Vector2,
    lens: MarkerLens?,
    code: UInt64,
    cells n: Int,
    terms: Terms,
    noise: Double,
    rounds: Int
  ) -> Result? {
    setGrid(code, n)
    // Origin in the middle, so that the unknowns hardly depend on each other.
    let middle = Matrix3(rows: Vector3(1, 0, 0.5), Vector3(0, 1, 0.5), Vector3(0, 0, 1))
    var map = start * middle
    var terms = terms
    var noise = Float(noise)
    var result: Result?
    for _ in 0..<rounds {
      guard let pass = pass(image, map, center, lens, n, terms, noise) else { return nil }
      guard let solved = pass.solve() else { return nil }
      let rest = (pass.squares / max(1, pass.weights)).squareRoot()
      map = Self.moved(map, solved.step, scale: Double(pass.scale))
      terms = Self.moved(terms, solved.step)
      guard terms.contrast > 2 else { return nil }
      result = Result(
        map: map,
        terms: terms,
        covariance: solved.covariance,
        rest: Double(rest),
        share: Double(1 - pass.squares / max(1, pass.weights) / max(0.01, pass.variance)),
        scale: Double(pass.scale)
      )
      noise = max(0.7, min(noise, rest))
      if Self.reach(solved.step) < Self.still { break }
    }
    return result
  }

  /// Dark and light level of a marker by its border and by the margin beside it; `nil` when they cannot be told apart.
  static func levels(
    _ image: GrayView,
    _ map: Matrix3,
    _ center: Vector2,
    _ lens: MarkerLens?,
    cells n: Int
  ) -> (dark: Double, light: Double)? {
    let all = n + 2
    let cell = 1 / Double(all)
    var sums = (dark: 0.0, light: 0.0)
    for side in 0..<4 {
      for i in 0..<all {
        let t = (Double(i) + 0.5) * cell
        for isLight in [false, true] {
          let depth = isLight ? -0.35 * cell : 0.5 * cell
          let place: Vector2 =
            switch side {
            case 0: Vector2(depth, t)
            case 1: Vector2(t, depth)
            case 2: Vector2(1 - depth, t)
            default: Vector2(t, 1 - depth)
            }
          guard var p = Homography(map)(place) else { return nil }
          p = lens.map { $0.bent(p + center).point } ?? p + center
          guard let level = image.level(x: p.x, y: p.y) else { return nil }
          if isLight { sums.light += level } else { sums.dark += level }
        }
      }
    }
    let count = Double(4 * all)
    // Both are drawn towards each other by blur.
    let (dark, light) = (sums.dark / count, sums.light / count)
    return light - dark > 3 ? (dark, light) : nil
  }

  private mutating func setGrid(_ code: UInt64, _ n: Int) {
    for i in grid.indices { grid[i] = 1 }
    for row in 0..<(n + 2) {
      for column in 0..<(n + 2) {
        let isInner = row > 0 && column > 0 && row <= n && column <= n
        let isLight = isInner && code >> UInt64(n * n - 1 - (row - 1) * n - (column - 1)) & 1 == 1
        grid[(row + 3) * Self.line + column + 3] = isLight ? 1 : 0
      }
    }
  }

  /// How far a step moves the corners, pixels; more than that.
  private static func reach(_ s: InlineArray<16, Double>) -> Double {
    let x = abs(s[0]) + 0.5 * (abs(s[1]) + abs(s[2]))
    let y = abs(s[3]) + 0.5 * (abs(s[4]) + abs(s[5]))
    return max(x, y) + 0.5 * (abs(s[6]) + abs(s[7]))
  }

  private static func moved(_ map: Matrix3, _ s: InlineArray<16, Double>, scale: Double) -> Matrix3 {
    let k = map.row2.z
    return Matrix3(
      rows: Vector3(map.row0.x + k * s[1], map.row0.y + k * s[2], map.row0.z + k * s[0]),
      Vector3(map.row1.x + k * s[4], map.row1.y + k * s[5], map.row1.z + k * s[3]),
      Vector3(map.row2.x + k * s[6] / scale, map.row2.y + k * s[7] / scale, map.row2.z)
    )
  }

  private static func moved(_ terms: Terms, _ s: InlineArray<16, Double>) -> Terms {
    func limited(_ x: Double, _ most: Double) -> Float { Float(max(-most, min(most, x))) }
    var next = terms
    next.dark += Float(s[8])
    next.contrast += Float(s[9])
    next.slopeX += Float(s[10])
    next.slopeY += Float(s[11])
    next.blurX = max(0.3, min(8, next.blurX * (1 + limited(s[12], 0.4))))
    next.blurY = max(0.3, min(8, next.blurY * (1 + limited(s[13], 0.4))))
    next.tone = max(-0.9, min(0.9, next.tone + Float(s[14])))
    next.bow = max(-0.5, min(0.9, next.bow + Float(s[15])))
    return next
  }

  /// What one look at all pixels says.
  private struct Pass {
    var equations = NormalEquations<16>()
    /// Sums of weights, of weighted squares of what is left over.
    var (weights, squares) = (Float(0), Float(0))
    /// Variance of the pixels.
    var variance = Float(0)
    /// Half the size of the marker, pixels: the unit of the two perspective unknowns.
    var scale = Float(1)

    func solve() -> (step: InlineArray<16, Double>, covariance: InlineArray<8, InlineArray<8, Double>>)? {
      guard let triangle = Cholesky<16>(equations.matrix, leastPivot: 1e-7) else { return nil }
      let variance = Double(squares / max(1, weights))
      var covariance = InlineArray<8, InlineArray<8, Double>>(repeating: .init(repeating: 0))
      for i in 0..<8 {
        var unit = InlineArray<16, Double>(repeating: 0)
        unit[i] = 1
        let column = triangle.solve(unit)
        for j in 0..<8 { covariance[i][j] = column[j] * variance }
      }
      return (triangle.solve(equations.right), covariance)
    }
  }

  /// Sums over all pixels of the marker and a part of its margin.
  @_optimize(speed)
  private mutating func pass(
    _ image: GrayView,
    _ map: Matrix3,
    _ center: Vector2,
    _ lens: MarkerLens?,
    _ n: Int,
    _ terms: Terms,
    _ noise: Float
  ) -> Pass? {
    guard let inverse = Homography(map).inverse?.matrix else { return nil }
    let all = Float(n + 2)
    // Corners of what is looked at, in the picture.
    let reach = 0.5 + 0.45 / Double(all)
    var (left, right, top, bottom) = (Double.infinity, -Double.infinity, Double.infinity, -Double.infinity)
    var scale = 0.0
    var outline = Quadrilateral(repeating: .zero)
    for i in 0..<4 {
      let (a, b) = (i == 1 || i == 2 ? reach : -reach, i < 2 ? -reach : reach)
      guard let p = Homography(map)(Vector2(a, b)) else { return nil }
      scale = max(scale, max(abs(p.x), abs(p.y)))
      var seen = p + center
      if let lens { seen = lens.bent(seen).point }
      // Also false for what is no number, which a lens that is none makes.
      guard abs(seen.x) < 1e5, abs(seen.y) < 1e5 else { return nil }
      outline[i] = seen
      (left, right) = (min(left, seen.x), max(right, seen.x))
      (top, bottom) = (min(top, seen.y), max(bottom, seen.y))
    }
    guard left > -1e4, right < 1e5, top > -1e4, bottom < 1e5 else { return nil }
    let (x0, x1) = (max(0, Int(left.rounded(.up))), min(image.width - 1, Int(right.rounded(.down))))
    let (y0, y1) = (max(0, Int(top.rounded(.up))), min(image.height - 1, Int(bottom.rounded(.down))))
    guard x1 > x0, y1 > y0 else { return nil }
    var pass = Pass()
    pass.scale = Float(scale)
    let view = Look(
      map: map,
      inverse: inverse,
      all: all,
      reach: Float(reach),
      scale: 1 / Float(scale),
      terms: terms,
      believed: 1 / (6 * noise * noise)
    )
    var (count, sum, squares) = (Float(0), Float(0), Float(0))
    for i in sums.indices { sums[i] = .zero }
    // Of a large marker some pixels are enough: each row begins farther on, so that all directions are met alike.
    let skip = max(1, Int((Float(outline.signedArea) / Self.mostPixels).rounded(.up)))
    let shift = skip < 3 ? 1 : Int((0.382 * Double(skip)).rounded())
    sums.withUnsafeMutableBufferPointer { sums in
      grid.withUnsafeBufferPointer { grid in
        step.withTables { tables in
          guard let sums = sums.baseAddress, let grid = grid.baseAddress else { return }
          for y in y0...y1 {
            let row = image.row(y)
            var next = x0 + (y * shift) % skip
            while next <= x1 {
              let x = next
              next += skip
              var at = Vector2(Double(x), Double(y))
              if let lens {
                guard let straight = lens.straightened(at) else { continue }
                at = straight
              }
              at = at - center
              let level = Float(row[x])
              guard
                view.add(Float(at.x), Float(at.y), level, grid, tables, to: sums, &pass.weights, &pass.squares)
              else { continue }
              count += 1
              sum += level
              squares += level * level
            }
          }
        }
      }
    }
    guard count >= 40 else { return nil }
    pass.variance = (squares - sum * sum / count) / count
    for i in 0..<16 {
      let own = 2 * (i / 4) * (i / 4 + 1) + (i & 3) * (i / 4 + 1)
      for j in 0..<(i + 1) {
        pass.equations.matrix[i][j] = Double(sums[own + j / 4][j & 3])
      }
      pass.equations.right[i] = Double(sums[40 + i / 4][i & 3])
    }
    // What few pixels hardly tell stays near where it was: slopes, blur and bend.
    let strength = Double(pass.squares / max(1, pass.weights))
    pass.equations.hold(10, weight: strength * 4)
    pass.equations.hold(11, weight: strength * 4)
    pass.equations.hold(12, weight: strength * 25)
    pass.equations.hold(13, weight: strength * 25)
    pass.equations.hold(14, weight: strength * 16)
    pass.equations.hold(15, weight: strength * 9)
    return pass
  }
}

private func abs(_ value: Double) -> Double { value < 0 ? -value : value }
