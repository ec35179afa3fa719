/// Value of a pixel that belongs to something dark in a picture made by thresholding; all others are 0.
public let maskLevel: UInt8 = 255

extension GrayImage {
  /// Marks the pixels that are darker than the mean around them, with ``maskLevel``; the others become 0.
  ///
  /// The window has `2 * radius + 1` pixels a side and is cut off at the edge of the picture, so nothing is assumed about
  /// what lies outside. A small window loses the inside of large dark areas; a small offset makes noise visible.
  ///
  /// - Parameters:
  ///   - image: grey levels.
  ///   - radius: of the window, pixels, 1 or more.
  ///   - offset: a pixel is dark when it is darker than the mean by more than this many levels.
  ///   - integral: a buffer for the sums of the picture, filled here.
  public mutating func setAdaptiveThreshold(
    of image: GrayView,
    radius: Int,
    offset: Int,
    integral: inout IntegralImage
  ) {
    precondition(radius >= 1)
    integral.set(image)
    resize(width: image.width, height: image.height)
    let line = image.width + 1
    integral.sums.withUnsafeBufferPointer { buffer in
      guard let sums = buffer.baseAddress else { return }
      withMutablePixels { target in
        for y in 0..<image.height {
          let minY = max(0, y - radius)
          let maxY = min(image.height, y + radius + 1)
          let row = image.row(y)
          let (upper, lower) = (sums + minY &* line, sums + maxY &* line)
          let to = target + y &* image.width
          func set(_ x: Int) {
            let minX = max(0, x &- radius)
            let maxX = min(image.width, x &+ radius &+ 1)
            let sum = lower[maxX] &- lower[minX] &- upper[maxX] &+ upper[minX]
            // Compared times the number of pixels: no division, no rounding.
            let pixels = Int64((maxY - minY) &* (maxX &- minX))
            to[x] = (Int64(row[x]) &+ Int64(offset)) &* pixels < Int64(sum) ? maskLevel : 0
          }
          // Whole windows have one number of pixels, and 32 bits hold what is compared: many at once.
          let pixels = Int32(truncatingIfNeeded: (maxY &- minY) &* (2 &* radius &+ 1))
          let isNarrow = radius <= 1000 && abs(offset) <= 255
          let inner = isNarrow && image.width > 2 * radius ? radius..<(image.width - radius) : 0..<0
          for x in 0..<inner.lowerBound { set(x) }
          let (level, width) = (Int32(truncatingIfNeeded: offset), 2 &* radius &+ 1)
          var x = inner.lowerBound
          while x < inner.upperBound {
            let left = x &- radius
            let sum = lower[left &+ width] &- lower[left] &- upper[left &+ width] &+ upper[left]
            to[x] = (Int32(row[x]) &+ level) &* pixels < Int32(bitPattern: sum) ? maskLevel : 0
            x &+= 1
          }
          for x in inner.upperBound..<image.width { set(x) }
        }
      }
    }
  }

  /// Marks the pixels up to a level with ``maskLevel``; the others become 0.
  public mutating func setThreshold(of image: GrayView, upTo level: UInt8) {
    resize(width: image.width, height: image.height)
    withMutablePixels { target in
      for y in 0..<image.height {
        let row = image.row(y)
        for x in 0..<image.width { target[y &* image.width &+ x] = row[x] <= level ? maskLevel : 0 }
      }
    }
  }
}

/// How often each grey level occurs.
public struct Histogram: Sendable {
  /// Number of pixels of each of the 256 levels.
  public private(set) var counts = [Int32](repeating: 0, count: 256)

  /// Of no pixels.
  public init() {}

  /// Of a picture.
  public init(_ image: GrayView) {
    for y in 0..<image.height {
      let row = image.row(y)
      for x in 0..<image.width { counts[Int(row[x])] &+= 1 }
    }
  }

  /// Counts one more pixel.
  public mutating func add(_ level: UInt8) { counts[Int(level)] &+= 1 }

  /// The level that parts dark from light best.
  ///
  /// The classes `≤ level` and `> level` differ most in their means, weighted by their sizes. The lowest of equally
  /// good ones; `nil` when there are fewer than two levels.
  ///
  /// Source: Otsu 1979, doi:10.1109/TSMC.1979.4310076, equation 18.
  public var otsuThreshold: UInt8? {
    var total = 0.0
    var moment = 0.0
    for level in 0..<256 {
      total += Double(counts[level])
      moment += Double(level) * Double(counts[level])
    }
    var best: UInt8?
    var largest = 0.0
    var dark = 0.0
    var darkMoment = 0.0
    for level in 0..<255 {
      dark += Double(counts[level])
      darkMoment += Double(level) * Double(counts[level])
      guard dark > 0, dark < total else { continue }
      let difference = moment * dark - darkMoment * total
      let variance = difference * difference / (dark * (total - dark))
      if variance > largest {
        largest = variance
        best = UInt8(level)
      }
    }
    return best
  }
}
