import SightlineImaging
import SightlineMath

/// Looks for finder patterns in a binary picture: dark 1, light 1, dark 3, light 1, dark 1 along every line through the centre.
struct FinderSearch {
  /// What was found.
  private(set) var patterns: [FinderPattern] = []
  /// Edges of a row, with room for more.
  private var edges: [Int32] = []
  private var edgeCount = 0
  /// Places that were measured in this search.
  private var measuredCount = 0
  /// Every place that was measured in the pictures of this search and of those before, and what was there.
  private var measured: [Measurement] = []

  /// Changes among a hundred pixels from which on it is noise.
  private static let noiseChanges = 36

  /// A place that was measured.
  private struct Measurement {
    /// Number of the picture.
    var picture: Int
    /// Where it was looked, pixels, and for modules of what side.
    var center: Vector2
    var module: Double
    /// What was found.
    var pattern: FinderPattern?
  }

  /// Forgets the pictures that were searched.
  mutating func begin() { measured.removeAll(keepingCapacity: true) }

  /// Whether black and white change so often along the rows that it is mostly noise: half of the pixels of pure noise differ from
  /// the one before, a quarter in a code of modules of two pixels that fills the picture.
  mutating func isNoise(_ binary: GrayView) -> Bool {
    var (changes, rows) = (0, 0)
    for y in Swift.stride(from: 4, to: binary.height, by: 16) {
      setEdges(binary.row(y), binary.width)
      changes += edgeCount
      rows += 1
    }
    return changes > Self.noiseChanges * rows * binary.width / 100
  }

  /// Searches.
  ///
  /// - Parameters:
  ///   - binary: made by thresholding.
  ///   - gray: the picture it was made of, where what is found is measured.
  ///   - picture: number of the picture: thresholded in another way, it is not measured twice at the same place.
  ///   - step: rows from one that is looked at to the next.
  ///   - most: places that are measured at most. Codes make a hundred; noise makes a thousand, and is better searched at
  ///     half the size.
  ///   - noisy: patterns after which the search ends, since more of them are noise.
  @_optimize(speed)
  mutating func search(_ binary: GrayView, gray: GrayView, picture: Int, step: Int, most: Int, noisy: Int) {
    patterns.removeAll(keepingCapacity: true)
    measuredCount = 0
    let sampler = GraySampler(gray)
    var y = step / 2
    while y < binary.height, measuredCount < most, patterns.count <= noisy {
      setEdges(binary.row(y), binary.width)
      // Edges at even places begin dark runs.
      var index = 0
      while index + 5 < edgeCount {
        let (length, middle) = (edges[index + 5] - edges[index], edges[index + 3] - edges[index + 2])
        // First what refuses nearly all, in whole numbers: the middle run has 1.6 to 4.6 modules of the seven, half a pixel more or less.
        if length >= 7, 70 &* middle > 16 &* length &- 35, 70 &* middle < 46 &* length &+ 35 {
          let runs = (
            edges[index + 1] - edges[index], edges[index + 2] - edges[index + 1], middle,
            edges[index + 4] - edges[index + 3], edges[index + 5] - edges[index + 4]
          )
          if isFinder(runs) {
            let x = 0.5 * Double(edges[index + 2] + edges[index + 3] - 1)
            take(x, y, length, binary, sampler, picture)
          }
        }
        index += 2
      }
      y += step
    }
  }

  /// Places where the row changes, its beginning if that is dark, and its end.
  @_optimize(speed)
  private mutating func setEdges(_ row: UnsafePointer<UInt8>, _ width: Int) {
    // No more than one for each pixel, and one for the end.
    if edges.count <= width { edges = [Int32](repeating: 0, count: width + 1) }
    edges.withUnsafeMutableBufferPointer { edges in
      guard let first = edges.baseAddress else { return }
      var next = first
      func add(_ x: Int) {
        next.pointee = Int32(truncatingIfNeeded: x)
        next += 1
      }
      if row[0] != 0 { add(0) }
      let raw = UnsafeRawPointer(row)
      var x = 1
      while x < width {
        // Sixteen pixels without a change are passed over at once.
        if x &+ 16 <= width {
          let here = raw.loadUnaligned(fromByteOffset: x, as: SIMD2<UInt64>.self)
          let before = raw.loadUnaligned(fromByteOffset: x &- 1, as: SIMD2<UInt64>.self)
          let changes = here ^ before
          if changes.x | changes.y == 0 {
            x &+= 16
            continue
          }
          for half in 0..<2 {
            var bits = changes[half]
            while bits != 0 {
              let byte = bits.trailingZeroBitCount >> 3
              add(x &+ half &* 8 &+ byte)
              bits &= ~(0xFF << UInt64(byte &* 8))
            }
          }
          x &+= 16
          continue
        }
        if row[x] != row[x &- 1] { add(x) }
        x &+= 1
      }
      add(width)
      edgeCount = next - first
    }
  }

  /// Whether five runs may be a line through the centre of a finder pattern.
  ///
  /// Lengths from one edge to the next but one do not change when dark spreads into light, so they are held to more closely.
  @inline(__always)
  private func isFinder(_ runs: (Int32, Int32, Int32, Int32, Int32)) -> Bool {
    let (a, b, c, d, e) = (Float(runs.0), Float(runs.1), Float(runs.2), Float(runs.3), Float(runs.4))
    let module = (a + b + c + d + e) / 7
    guard module >= 1, c > 1.6 * module - 0.5, c < 4.6 * module + 0.5 else { return false }
    let least = 0.25 * module
    guard a > least, b > least, d > least, e > least else { return false }
    guard abs(b + c - 4 * module) < 1.3 * module + 0.6, abs(c + d - 4 * module) < 1.3 * module + 0.6 else {
      return false
    }
    return abs(a + b - 2 * module) < module + 0.6 && abs(d + e - 2 * module) < module + 0.6
  }

  @_optimize(speed)
  private mutating func take(
    _ x: Double,
    _ y: Int,
    _ length: Int32,
    _ binary: GrayView,
    _ sampler: GraySampler,
    _ picture: Int
  ) {
    let module = Double(length) / 7
    for index in patterns.indices {
      let offset = patterns[index].center - Vector2(x, Double(y))
      let near = 2 * patterns[index].module
      if abs(offset.x) < near && abs(offset.y) < near {
        patterns[index].hits += 1
        return
      }
    }
    guard let vertical = crossing(binary, Int(x + 0.5), y, dx: 0, dy: 1, longest: 3 * length) else { return }
    let middle = Double(y) + vertical.middle
    guard
      let horizontal = crossing(binary, Int(x + 0.5), Int(middle + 0.5), dx: 1, dy: 0, longest: 2 * length + 2)
    else { return }
    let center = Vector2(Double(Int(x + 0.5)) + horizontal.middle, middle)
    // Every line through the centre is alike, the diagonals too; a speck may spoil one of them.
    let (x, y) = (Int(center.x + 0.5), Int(center.y + 0.5))
    guard
      crossing(binary, x, y, dx: 1, dy: 1, longest: 3 * length) != nil
        || crossing(binary, x, y, dx: 1, dy: -1, longest: 3 * length) != nil
    else { return }
    // Along either axis the pattern is at most 1.42 times as long as its side when it is turned, more when it is tilted.
    let size = max(module, max(vertical.length, horizontal.length) / 7)
    measuredCount += 1
    guard var pattern = pattern(near: center, module: size, sampler, picture) else { return }
    for index in patterns.indices where (patterns[index].center - pattern.center).length < 2 * pattern.module {
      patterns[index].hits += 1
      return
    }
    pattern.hits = 1
    patterns.append(pattern)
  }

  /// What is around a point, measured unless it was before.
  private mutating func pattern(
    near center: Vector2,
    module: Double,
    _ sampler: GraySampler,
    _ picture: Int
  ) -> FinderPattern? {
    for known in measured where known.picture == picture {
      let offset = known.center - center
      // Half a module away the measurement goes to the same centre.
      let near = 0.5 * known.module
      if abs(offset.x) < near && abs(offset.y) < near && abs(known.module - module) < 0.2 * module {
        return known.pattern
      }
    }
    let pattern = sampler.finderPattern(near: center, module: module)
    measured.append(Measurement(picture: picture, center: center, module: module, pattern: pattern))
    return pattern
  }

  /// The five runs through a dark pixel in a direction: offset of the middle from the pixel, and length, pixels.
  @_optimize(speed)
  private func crossing(
    _ binary: GrayView,
    _ x: Int,
    _ y: Int,
    dx: Int,
    dy: Int,
    longest: Int32
  ) -> (middle: Double, length: Double)? {
    guard x >= 0, y >= 0, x < binary.width, y < binary.height, binary[x, y] != 0 else { return nil }
    var runs: InlineArray<6, Int32> = [0, 0, 0, 0, 0, 0]
    let step = binary.row(1) - binary.row(0)
    for side in 0..<2 {
      let (sx, sy) = side == 0 ? (-dx, -dy) : (dx, dy)
      // Steps to the last pixel of the picture in this direction.
      let across = sx > 0 ? binary.width &- 1 &- x : sx < 0 ? x : Int.max
      let down = sy > 0 ? binary.height &- 1 &- y : sy < 0 ? y : Int.max
      var (pixel, left) = (binary.row(y) + x, min(across, down))
      for part in 0..<3 {
        let wanted = part != 1
        var count: Int32 = 0
        while left >= 0, (pixel.pointee != 0) == wanted, count <= longest {
          count &+= 1
          left &-= 1
          pixel += sy &* step &+ sx
        }
        guard count > 0, count <= longest else { return nil }
        runs[side * 3 + part] = count
      }
    }
    // The pixel itself was counted on both sides.
    let center = runs[0] + runs[3] - 1
    guard isFinder((runs[2], runs[1], center, runs[4], runs[5])) else { return nil }
    let length = Double(runs[2] + runs[1] + center + runs[4] + runs[5])
    return (0.5 * Double(runs[3] - runs[0]), length)
  }
}
