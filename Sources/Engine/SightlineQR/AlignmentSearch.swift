import SightlineCamera
import SightlineMath

extension SamplingGrid {
  /// Finds the alignment pattern that the grid has at a place, and gives its centre in the picture; `nil` when nothing near
  /// looks like one.
  ///
  /// `u` and `v` are its centre in module coordinates, `reach` is how far it may be away in modules, `contrast` the grey
  /// levels between dark and light.
  @_optimize(speed)
  func alignmentPattern(_ sampler: GraySampler, u: Double, v: Double, reach: Int, contrast: Float) -> Vector2? {
    let center = point(u, v)
    let along = (point(u + 0.5, v) - point(u - 0.5, v)) * 0.5
    let down = (point(u, v + 0.5) - point(u, v - 0.5)) * 0.5
    // Levels at every half module around, so that every shift of the pattern reads the same ones.
    let half = 2 * reach + 4
    let side = 2 * half + 1
    var levels = [Float](repeating: 0, count: side * side)
    for j in -half...half {
      for i in -half...half {
        let p = center + along * Double(i) + down * Double(j)
        levels[(j + half) * side + i + half] = sampler(Float(p.x), Float(p.y))
      }
    }
    var best: (score: Float, i: Int, j: Int)?
    for j in (-2 * reach)...(2 * reach) {
      for i in (-2 * reach)...(2 * reach) {
        let at = (j + half) * side + i + half
        let middle = levels[at]
        var (light, dark): (Float, Float) = (0, 0)
        var darkest: Float = 255
        for (dx, dy) in lightRing {
          let level = levels[at + 2 * (dy * side + dx)]
          light += level
          darkest = min(darkest, level)
        }
        for (dx, dy) in darkRing { dark += levels[at + 2 * (dy * side + dx)] }
        let mean = light / 8
        let score =
          min(mean - dark / 16, mean - middle) + 0.5 * (darkest - mean) - 0.01 * contrast * Float(abs(i) + abs(j))
        if score > best?.score ?? 0.25 * contrast { best = (score, i, j) }
      }
    }
    guard let best else { return nil }
    return center + along * Double(best.i) + down * Double(best.j)
  }

  /// The grid moved so that it has a place where the picture has it, without turning or scaling.
  func moved(by offset: Vector2) -> SamplingGrid {
    let m = homography.matrix
    var result = self
    result.homography = Homography(
      Matrix3(rows: m.row0 + m.row2 * offset.x, m.row1 + m.row2 * offset.y, m.row2)
    )
    return result
  }
}

private let lightRing = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]
private let darkRing = [
  (-2, -2), (-1, -2), (0, -2), (1, -2), (2, -2), (-2, -1), (2, -1), (-2, 0), (2, 0), (-2, 1), (2, 1), (-2, 2), (-1, 2),
  (0, 2), (1, 2), (2, 2),
]
