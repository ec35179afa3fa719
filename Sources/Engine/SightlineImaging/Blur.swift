import SightlineMath

extension GrayImage {
  /// Fills the picture with the mean of the `(2 * radius + 1)²` pixels around each one, rounded to the nearest level; the
  /// window is cut off at the edge of the picture.
  public mutating func setBoxBlur(of image: GrayView, radius: Int, integral: inout IntegralImage) {
    precondition(radius >= 0)
    integral.set(image)
    resize(width: image.width, height: image.height)
    for y in 0..<image.height {
      let minY = max(0, y - radius)
      let maxY = min(image.height, y + radius + 1)
      for x in 0..<image.width {
        let minX = max(0, x - radius)
        let maxX = min(image.width, x + radius + 1)
        let count = UInt32((maxY - minY) * (maxX - minX))
        let sum = integral.sum(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
        self[x, y] = UInt8(truncatingIfNeeded: (sum &+ count / 2) / count)
      }
    }
  }

  /// Fills the picture with the Gaussian-weighted mean around each pixel, rounded to the nearest level.
  ///
  /// The weights reach to three standard deviations; pixels outside the picture are those at its edge.
  ///
  /// - Parameters:
  ///   - image: grey levels.
  ///   - sigma: standard deviation, pixels, more than 0 and at most 100.
  public mutating func setGaussianBlur(of image: GrayView, sigma: Double) {
    precondition(sigma > 0 && sigma <= 100)
    let radius = max(1, Int((3 * sigma).rounded(.up)))
    var weights = [Float](repeating: 0, count: 2 * radius + 1)
    var total = 0.0
    for i in -radius...radius { total += exp(-Double(i * i) / (2 * sigma * sigma)) }
    for i in -radius...radius { weights[i + radius] = Float(exp(-Double(i * i) / (2 * sigma * sigma)) / total) }

    let (width, height) = (image.width, image.height)
    resize(width: width, height: height)
    // One row of vertical sums with `radius` repeated pixels at both ends, so that the inner loops need no test.
    var line = [Float](repeating: 0, count: width + 2 * radius)
    var result = [Float](repeating: 0, count: width)
    for y in 0..<height {
      for i in line.indices { line[i] = 0 }
      for i in -radius...radius {
        let row = image.row(min(max(y + i, 0), height - 1))
        let weight = weights[i + radius]
        line.withUnsafeMutableBufferPointer { line in
          for x in 0..<width { line[x &+ radius] += weight * Float(row[x]) }
        }
      }
      for i in 0..<radius {
        line[i] = line[radius]
        line[radius + width + i] = line[radius + width - 1]
      }
      for x in 0..<width { result[x] = 0.5 }
      for i in 0...(2 * radius) {
        let weight = weights[i]
        line.withUnsafeBufferPointer { line in
          result.withUnsafeMutableBufferPointer { result in
            for x in 0..<width { result[x] += weight * line[x &+ i] }
          }
        }
      }
      withMutablePixels { target in
        for x in 0..<width { target[y &* width &+ x] = UInt8(min(255, result[x])) }
      }
    }
  }

  /// Fills the picture with one of half the size, each pixel the mean of four, rounded to the nearest level.
  ///
  /// Pixel (x, y) stands for (2x + 0.5, 2y + 0.5) of the larger picture. An odd last row or column is left out.
  /// - Precondition: the larger picture has two pixels a side at least.
  public mutating func setHalf(of image: GrayView) {
    precondition(image.width >= 2 && image.height >= 2)
    let width = image.width / 2
    resize(width: width, height: image.height / 2)
    withMutablePixels { target in
      for y in 0..<(image.height / 2) {
        let upper = image.row(2 * y)
        let lower = image.row(2 * y + 1)
        let to = target + y * width
        // Two neighbours as one number of 16 bits: sums of all of a vector's lanes, without sorting even from odd first.
        let (above, below) = (UnsafeRawPointer(upper), UnsafeRawPointer(lower))
        for x in 0..<width {
          let a = above.loadUnaligned(fromByteOffset: 2 &* x, as: UInt16.self)
          let b = below.loadUnaligned(fromByteOffset: 2 &* x, as: UInt16.self)
          let sum = (a & 255) &+ (a &>> 8) &+ (b & 255) &+ (b &>> 8)
          to[x] = UInt8(truncatingIfNeeded: (sum &+ 2) &>> 2)
        }
      }
    }
  }
}
