extension GrayImage {
  /// Fills the picture with the mean around each pixel by the weights 1 2 1 in either direction, rounded to the nearest level.
  ///
  /// Takes five eighths off the noise of single pixels and 0.7 pixels of sharpness; a small part of the cost of
  /// ``setGaussianBlur(of:sigma:)``. Pixels outside the picture are those at its edge.
  public mutating func setSmoothed(_ image: GrayView, sums: inout [UInt16]) {
    let (width, height) = (image.width, image.height)
    resize(width: width, height: height)
    if sums.count != width + 2 { sums = [UInt16](repeating: 0, count: width + 2) }
    withMutablePixels { target in
      sums.withUnsafeMutableBufferPointer { buffer in
        guard let sums = buffer.baseAddress else { return }
        for y in 0..<height {
          let a = image.row(max(0, y - 1))
          let b = image.row(y)
          let c = image.row(min(height - 1, y + 1))
          for x in 0..<width { sums[x &+ 1] = UInt16(a[x]) &+ 2 &* UInt16(b[x]) &+ UInt16(c[x]) }
          sums[0] = sums[1]
          sums[width + 1] = sums[width]
          let to = target + y * width
          for x in 0..<width {
            let sum = sums[x] &+ 2 &* sums[x &+ 1] &+ sums[x &+ 2] &+ 8
            to[x] = UInt8(truncatingIfNeeded: sum &>> 4)
          }
        }
      }
    }
  }
}
