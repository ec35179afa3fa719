extension GrayImage {
  /// Fills the picture with the mean around each pixel by the weights 1 2 1 in either direction, rounded to the nearest level.
  ///
  /// Takes five eighths off the noise of single pixels and 0.7 pixels of sharpness; a small part of the cost of
  /// ``setGaussianBlur(of:sigma:)``. Pixels outside the picture are those at its edge.
  public mutating func setSmoothed(_ image: GrayView) {
    let (width, height) = (image.width, image.height)
    resize(width: width, height: height)
    withMutablePixels { target in
      for y in 0..<height {
        let above = image.row(max(0, y - 1))
        let here = image.row(y)
        let below = image.row(min(height - 1, y + 1))
        smoothRow(above, here, below, to: target + y &* width, width)
      }
    }
  }
}

/// A row from the three around it.
private func smoothRow(
  _ above: UnsafePointer<UInt8>,
  _ here: UnsafePointer<UInt8>,
  _ below: UnsafePointer<UInt8>,
  to target: UnsafeMutablePointer<UInt8>,
  _ width: Int
) {
  // Sixteen columns that have a neighbour on either side, from a column on.
  @inline(__always) func many(_ x: Int) {
    let left = columnSums(above + (x &- 1), here + (x &- 1), below + (x &- 1))
    let right = columnSums(above + (x &+ 1), here + (x &+ 1), below + (x &+ 1))
    // The column itself is an odd place of what begins to its left; the next one an even place of what begins there.
    let half = SIMD8<UInt16>(repeating: 8)
    let even = left.even &+ left.odd &+ left.odd &+ right.even &+ half
    let odd = left.odd &+ right.even &+ right.even &+ right.odd &+ half
    PixelPairs(even: even &>> SIMD8(repeating: 4), odd: odd &>> SIMD8(repeating: 4)).store(target + x)
  }
  func one(_ x: Int) {
    func sum(_ x: Int) -> UInt16 { UInt16(above[x]) &+ 2 &* UInt16(here[x]) &+ UInt16(below[x]) }
    let sum = sum(max(0, x &- 1)) &+ 2 &* sum(x) &+ sum(min(width &- 1, x &+ 1)) &+ 8
    target[x] = UInt8(truncatingIfNeeded: sum &>> 4)
  }
  guard width >= 18 else {
    for x in 0..<width { one(x) }
    return
  }
  one(0)
  var x = 1
  while x &+ 17 <= width {
    many(x)
    x &+= 16
  }
  // The last ones once more, where they do not come out even.
  many(width &- 17)
  one(width &- 1)
}

/// The weighted sums of sixteen columns of three rows.
@inline(__always)
private func columnSums(
  _ above: UnsafePointer<UInt8>,
  _ here: UnsafePointer<UInt8>,
  _ below: UnsafePointer<UInt8>
) -> PixelPairs {
  let (a, b, c) = (PixelPairs(above), PixelPairs(here), PixelPairs(below))
  return PixelPairs(even: a.even &+ b.even &+ b.even &+ c.even, odd: a.odd &+ b.odd &+ b.odd &+ c.odd)
}
