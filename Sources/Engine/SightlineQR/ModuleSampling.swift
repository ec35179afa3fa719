import SightlineCamera
import SightlineMath

extension SamplingGrid {
  /// Grey levels of all modules, row by row: the mean of five points in each.
  @_optimize(speed)
  func levels(_ sampler: GraySampler) -> [Float] {
    var levels = [Float](repeating: 0, count: size * size)
    // A quarter of a module away from the centre, along the picture's axes.
    let side = (point(Double(size), Double(size)) - point(0, 0)).length / (1.4142 * Double(size))
    let offset = Float(min(0.22 * side, 3))
    levels.withUnsafeMutableBufferPointer { levels in
      for row in 0..<size {
        let v = Double(row) + 0.5
        for column in 0..<size {
          let u = Double(column) + 0.5
          let p = point(u, v)
          let (x, y) = (Float(p.x), Float(p.y))
          let level: Float
          if sampler.contains(p, margin: offset) {
            let (left, right) = (sampler.inside(x - offset, y), sampler.inside(x + offset, y))
            let (above, below) = (sampler.inside(x, y - offset), sampler.inside(x, y + offset))
            level = 0.5 * sampler.inside(x, y) + 0.125 * (left + right + above + below)
          } else {
            let (left, right) = (sampler(x - offset, y), sampler(x + offset, y))
            let (above, below) = (sampler(x, y - offset), sampler(x, y + offset))
            level = 0.5 * sampler(x, y) + 0.125 * (left + right + above + below)
          }
          levels[row &* size &+ column] = level
        }
      }
    }
    return levels
  }
}

/// Makes dark and light of modules' grey levels.
struct ModuleClassifier {
  private let size: Int
  private var darkSums: [Float]
  private var lightSums: [Float]
  private var darkCounts: [Float]
  private var lightCounts: [Float]

  init(size: Int) {
    self.size = size
    darkSums = [Float](repeating: 0, count: (size + 1) * (size + 1))
    lightSums = darkSums
    darkCounts = darkSums
    lightCounts = darkSums
  }

  /// How dark each module is, about −1 … 1, against the dark and the light ones around it.
  ///
  /// First against the mean of the 11 × 11 modules around, then against the middle between the means of the dark and of the
  /// light ones among them: light that changes across the code does not matter, nor does an imbalance of its content.
  /// `sharpening` is the share of the difference from the four neighbours that is added, against blur; 0 for none.
  @_optimize(speed)
  mutating func reading(_ levels: [Float], sharpening: Float) -> QRReading {
    let levels = sharpening > 0 ? sharpened(levels, sharpening) : levels
    var reading = QRReading(size: size, darkness: [Float](repeating: 0, count: size * size))
    setSums(levels, thresholds: nil)
    var thresholds = [Float](repeating: 0, count: size * size)
    forEachWindow { index, at in
      thresholds[index] = sum(darkSums, at) / max(1, sum(darkCounts, at))
    }
    for round in 0..<2 {
      setSums(levels, thresholds: thresholds)
      forEachWindow { index, at in
        let (darkCount, lightCount) = (sum(darkCounts, at), sum(lightCounts, at))
        guard darkCount > 0, lightCount > 0 else { return }
        let (dark, light) = (sum(darkSums, at) / darkCount, sum(lightSums, at) / lightCount)
        thresholds[index] = (dark + light) / 2
        if round == 1 { reading.darkness[index] = (thresholds[index] - levels[index]) * 2 / max(1, light - dark) }
      }
    }
    return reading
  }

  /// Summed-area tables of the dark and the light modules; without thresholds all count as dark.
  @_optimize(speed)
  private mutating func setSums(_ levels: [Float], thresholds: [Float]?) {
    let line = size + 1
    for y in 0..<size {
      var (dark, light, darks, lights): (Float, Float, Float, Float) = (0, 0, 0, 0)
      for x in 0..<size {
        let level = levels[y * size + x]
        if let thresholds, level > thresholds[y * size + x] {
          light += level
          lights += 1
        } else {
          dark += level
          darks += 1
        }
        let at = (y + 1) * line + x + 1
        darkSums[at] = darkSums[at - line] + dark
        lightSums[at] = lightSums[at - line] + light
        darkCounts[at] = darkCounts[at - line] + darks
        lightCounts[at] = lightCounts[at - line] + lights
      }
    }
  }

  /// Corners of a window in a summed-area table.
  private struct Window {
    var topLeft: Int
    var topRight: Int
    var bottomLeft: Int
    var bottomRight: Int
  }

  @inline(__always)
  private func sum(_ table: [Float], _ w: Window) -> Float {
    table.withUnsafeBufferPointer { $0[w.bottomRight] - $0[w.topRight] - $0[w.bottomLeft] + $0[w.topLeft] }
  }

  @inline(__always)
  private func forEachWindow(_ body: (Int, Window) -> Void) {
    let line = size + 1
    let radius = 5
    for y in 0..<size {
      let (top, bottom) = (max(0, y - radius) * line, min(size, y + radius + 1) * line)
      for x in 0..<size {
        let (left, right) = (max(0, x - radius), min(size, x + radius + 1))
        body(
          y * size + x,
          Window(topLeft: top + left, topRight: top + right, bottomLeft: bottom + left, bottomRight: bottom + right)
        )
      }
    }
  }

  private func sharpened(_ levels: [Float], _ amount: Float) -> [Float] {
    var result = levels
    for y in 0..<size {
      for x in 0..<size {
        let at = y * size + x
        let left = levels[x > 0 ? at - 1 : at]
        let right = levels[x < size - 1 ? at + 1 : at]
        let above = levels[y > 0 ? at - size : at]
        let below = levels[y < size - 1 ? at + size : at]
        result[at] += amount * (4 * levels[at] - left - right - above - below)
      }
    }
    return result
  }
}
