extension GrayImage {
  /// Fills the picture with another one without its grain: each pixel is the median of the square around it.
  ///
  /// A median filter: grass, gravel and brick turn even; what is straight, and longer than the square, stays where it is and
  /// as steep as it was. Pixels nearer to the rim than `radius` stay as they are, and so does a picture of fewer than 16 columns of others.
  ///
  /// - Parameters:
  ///   - image: the other picture.
  ///   - radius: pixels from the middle of the square to its sides, 1 or 2.
  public mutating func setMedian(of image: GrayView, radius: Int) {
    precondition(radius == 1 || radius == 2)
    set(image)
    let (width, height) = (image.width, image.height)
    guard width >= 16 + 2 * radius else { return }
    withMutablePixels { pixels in
      for y in radius..<max(radius, height - radius) {
        let to = UnsafeMutableRawPointer(pixels + y &* width)
        var x = radius
        while true {
          let median = radius == 1 ? medianOf9(image, x, y) : medianOf25(image, x, y)
          to.storeBytes(of: median, toByteOffset: x, as: SIMD16<UInt8>.self)
          if x == width - radius - 16 { break }
          x = min(x + 16, width - radius - 16)
        }
      }
    }
  }
}

private typealias Levels = SIMD16<UInt8>

/// Sixteen pixels side by side.
@inline(__always)
private func load(_ image: GrayView, _ x: Int, _ y: Int) -> Levels {
  UnsafeRawPointer(image.row(y) + x).loadUnaligned(as: Levels.self)
}

/// Puts the less of two numbers first.
@inline(__always)
private func order(_ a: inout Levels, _ b: inout Levels) {
  (a, b) = (lesser(a, b), larger(a, b))
}

/// The lesser ones of both: `pointwiseMin` goes through a function for each.
@inline(__always)
private func lesser(_ a: Levels, _ b: Levels) -> Levels { a.replacing(with: b, where: b .< a) }

/// The larger ones of both.
@inline(__always)
private func larger(_ a: Levels, _ b: Levels) -> Levels { a.replacing(with: b, where: b .> a) }

/// The medians of the nine pixels around each of sixteen (the network of Smith 1996).
@inline(__always)
private func medianOf9(_ image: GrayView, _ x: Int, _ y: Int) -> Levels {
  var (a, b, c) = (load(image, x - 1, y - 1), load(image, x, y - 1), load(image, x + 1, y - 1))
  var (d, e, f) = (load(image, x - 1, y), load(image, x, y), load(image, x + 1, y))
  var (g, h, i) = (load(image, x - 1, y + 1), load(image, x, y + 1), load(image, x + 1, y + 1))
  func sort(_ a: inout Levels, _ b: inout Levels, _ c: inout Levels) {
    order(&b, &c)
    order(&a, &b)
    order(&b, &c)
  }
  sort(&a, &b, &c)
  sort(&d, &e, &f)
  sort(&g, &h, &i)
  // The largest of the least, the middle one of those in the middle, the least of the largest.
  var low = larger(larger(a, d), g)
  sort(&b, &e, &h)
  var high = lesser(lesser(c, f), i)
  sort(&low, &e, &high)
  return e
}

/// The medians of the twenty-five pixels around each of sixteen.
///
/// Of so many as are more than half, neither the least nor the largest can be the median: both are dropped, and one
/// more is taken.
@inline(__always)
private func medianOf25(_ image: GrayView, _ x: Int, _ y: Int) -> Levels {
  func at(_ k: Int) -> Levels { load(image, x &+ k % 5 &- 2, y &+ k / 5 &- 2) }
  var kept = InlineArray<14, Levels>(repeating: .zero)
  for k in 0..<14 { kept[k] = at(k) }
  var (count, next) = (14, 14)
  while true {
    // The least away from the beginning, the largest away from the end.
    var (least, largest) = (kept[0], kept[count - 1])
    order(&least, &largest)
    for k in 1..<(count - 1) {
      var level = kept[k]
      order(&least, &level)
      order(&level, &largest)
      kept[k] = level
    }
    if count == 3 { return kept[1] }
    count -= 1
    kept[0] = at(next)
    next += 1
  }
}
