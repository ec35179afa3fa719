import SightlineImaging
import SightlineMath

/// One of the three large squares in the corners of a code, as seen in a picture.
struct FinderPattern {
  /// The centre, pixels.
  var center: Vector2
  /// Side of a module, pixels: root of its area.
  var module: Double
  /// Difference between light and dark, grey levels.
  var contrast: Double
  /// How much its rings are as they should be: 1 for a sharp one, less where the dark ring is not as dark as the centre or not
  /// as wide as the light one.
  var quality: Double
  /// How many rows of the search met it.
  var hits = 1
}

/// How far the rings of a finder pattern are from its centre in one direction, pixels.
struct RingCrossing {
  /// Where the dark centre ends.
  var inner: Float
  /// Where the dark ring begins.
  var outer: Float
  /// Lightest level between them.
  var light: Float
  /// Darkest level of the dark ring.
  var dark: Float

  /// The middle of the light ring: two modules from the centre, whatever a blur or the threshold does to the edges.
  var middle: Float { (inner + outer) / 2 }
}

extension GraySampler {
  /// Follows a direction from a finder pattern's centre to where the dark ring begins; `nil` when there is no such thing.
  ///
  /// `dark` is the level of the centre, `reach` how far away the dark ring may begin, pixels.
  @_optimize(speed)
  func ringCrossing(
    _ center: Vector2,
    _ dx: Float,
    _ dy: Float,
    dark: Float,
    contrast: Float,
    reach: Float
  ) -> RingCrossing? {
    let (x, y) = (Float(center.x), Float(center.y))
    let step = max(0.5, reach / 24)
    // The last step begins within reach, and may end beyond it.
    let isInside = contains(center, margin: reach + step)
    let (rise, fall) = (0.25 * contrast, 0.12 * contrast)
    // Levels at whole steps from the centre; the division above makes 25 of them at most.
    var levels = InlineArray<32, Float>(repeating: dark)
    // Up to a peak, down to a valley; a blur along the direction may leave little of both.
    var (peak, peakAt) = (dark, 0)
    var (valley, valleyAt): (Float, Int) = (.infinity, 0)
    var index = 0
    while Float(index) * step < reach, index < 31 {
      index &+= 1
      let distance = Float(index) * step
      let level =
        isInside ? inside(x + dx * distance, y + dy * distance) : self(x + dx * distance, y + dy * distance)
      levels[index] = level
      if valley.isInfinite {
        if level > peak {
          peak = level
          peakAt = index
        } else if peak > dark + rise && level < peak - fall {
          valley = level
          valleyAt = index
        }
      } else if level < valley {
        valley = level
        valleyAt = index
      } else if level > valley + fall {
        break
      }
    }
    guard valley < peak else { return nil }
    guard let outer = Self.crossing(levels, from: peakAt, to: valleyAt, below: (peak + valley) / 2),
      let inner = Self.crossing(levels, from: peakAt, to: 0, below: (peak + dark) / 2)
    else { return nil }
    return RingCrossing(inner: inner * step, outer: outer * step, light: peak, dark: valley)
  }

  /// Where the level falls below a limit on the way from one step to another, in steps.
  @inline(__always)
  private static func crossing(
    _ levels: borrowing InlineArray<32, Float>,
    from start: Int,
    to end: Int,
    below limit: Float
  ) -> Float? {
    let sign = end > start ? 1 : -1
    var index = start
    while index != end {
      let last = levels[index]
      index &+= sign
      let level = levels[index]
      if level < limit { return Float(index) - Float(sign) * (limit - level) / max(last - level, 1e-3) }
    }
    return nil
  }

  /// How much lighter than the centre it is around, at the lightest.
  @_optimize(speed)
  func contrast(around center: Vector2, module: Float) -> Float {
    var light: Float = 0
    let radii: InlineArray<3, Float> = [1.4 * module, 2 * module, 2.6 * module]
    let isInside = contains(center, margin: radii[2])
    for index in ringDirections.indices {
      let direction = ringDirections[index]
      for ring in radii.indices {
        let (x, y) = (Float(center.x) + direction.0 * radii[ring], Float(center.y) + direction.1 * radii[ring])
        light = max(light, isInside ? inside(x, y) : self(x, y))
      }
    }
    return light - self(Float(center.x), Float(center.y))
  }

  /// Measures a finder pattern around a point near its centre; `nil` when there is none.
  ///
  /// The light ring must be met in nearly every direction, and its middle gives centre and size.
  /// `module` is about the side of a module in pixels, or up to half as large again.
  @_optimize(speed)
  func finderPattern(near center: Vector2, module: Double) -> FinderPattern? {
    var center = center
    var pattern: FinderPattern?
    for _ in 0..<2 {
      let dark = self(Float(center.x), Float(center.y))
      let around = contrast(around: center, module: Float(module))
      guard around > 8 else { return nil }
      var rings = InlineArray<16, RingCrossing?>(repeating: nil)
      var missing = 0
      for place in ringOrder.indices {
        let index = ringOrder[place]
        let direction = ringDirections[index]
        guard
          let ring = ringCrossing(
            center,
            direction.0,
            direction.1,
            dark: dark,
            contrast: around,
            reach: Float(module) * 4.2
          ),
          ring.outer < 3.4 * ring.inner
        else {
          missing += 1
          guard missing <= 2 else { return nil }
          continue
        }
        rings[index] = ring
      }
      var radii = InlineArray<16, Float>(repeating: 0)
      var (sumX, sumY, contrast, area): (Float, Float, Float, Float) = (0, 0, 0, 0)
      var (depth, unevenness): (Float, Float) = (0, 0)
      for index in rings.indices {
        guard let ring = rings[index] else { continue }
        radii[index] = ring.middle
        contrast += ring.light - dark
        depth += (ring.light - ring.dark) / max(1, ring.light - dark)
        unevenness += min(1, abs(ring.outer / ring.inner - 5.0 / 3))
      }
      for index in radii.indices where radii[index] == 0 {
        // What lies opposite stands in.
        radii[index] = radii[(index + radii.count / 2) % radii.count]
        guard radii[index] > 0 else { return nil }
      }
      for index in radii.indices {
        let next = (index + 1) % radii.count
        let (a, b) = (ringDirections[index], ringDirections[next])
        let (ax, ay) = (a.0 * radii[index], a.1 * radii[index])
        let (bx, by) = (b.0 * radii[next], b.1 * radii[next])
        let cross = ax * by - ay * bx
        area += cross
        sumX += (ax + bx) * cross
        sumY += (ay + by) * cross
      }
      guard area > 0 else { return nil }
      let offset = Vector2(Double(sumX / (3 * area)), Double(sumY / (3 * area)))
      center = center + offset
      // Four modules a side; the polygon cuts the corners of the square a little.
      let side = (Double(area) / 2 * 1.05).squareRoot()
      pattern = FinderPattern(
        center: center,
        module: side / 4,
        contrast: Double(contrast) / Double(radii.count - missing),
        quality: Double(depth - unevenness) / Double(radii.count)
      )
      guard depth > unevenness else { return nil }
      // From a point so near the second look would see the same.
      if offset.length < 0.025 * side { break }
    }
    return pattern
  }
}

/// Sixteen directions around a circle.
private let ringDirections: InlineArray<16, (Float, Float)> = [
  (1, 0), (0.92388, 0.38268), (0.70711, 0.70711), (0.38268, 0.92388), (0, 1), (-0.38268, 0.92388), (-0.70711, 0.70711),
  (-0.92388, 0.38268), (-1, 0), (-0.92388, -0.38268), (-0.70711, -0.70711), (-0.38268, -0.92388), (0, -1),
  (0.38268, -0.92388), (0.70711, -0.70711), (0.92388, -0.38268),
]

/// The order in which they are looked at: first between the axes and the diagonals, which the search has seen in black and
/// white already.
private let ringOrder: InlineArray<16, Int> = [1, 3, 5, 7, 9, 11, 13, 15, 2, 6, 10, 14, 0, 4, 8, 12]
