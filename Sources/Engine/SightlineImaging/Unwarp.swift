import SightlineMath

extension GrayImage {
  /// Fills the picture with a flat thing as it looks from straight ahead.
  ///
  /// The level of each pixel is taken at the place where the map has it, linear between the centres of the pixels there. A thing
  /// that is much larger in the given picture than in this one should be made smaller first, else fine lines are lost
  /// between the places.
  ///
  /// - Parameters:
  ///   - image: the picture that shows the thing, tilted or not.
  ///   - width: of the result, pixels.
  ///   - height: of the result, pixels.
  ///   - imageFromResult: takes the centre of a pixel of the result, (x, y, 1), to a homogeneous point of `image`.
  ///   - outside: level of pixels that have no place in `image`.
  public mutating func setUnwarped(
    of image: GrayView,
    width: Int,
    height: Int,
    imageFromResult: Matrix3,
    outside: UInt8 = 0
  ) {
    resize(width: width, height: height)
    withMutablePixels { target in
      for y in 0..<height {
        for x in 0..<width {
          let h = imageFromResult * Vector3(Double(x), Double(y), 1)
          // Behind the line that goes to infinity there is nothing to see.
          let level = h.z > 0 ? image.level(x: h.x / h.z, y: h.y / h.z) : nil
          target[y &* width &+ x] = level.map { UInt8(($0 + 0.5)) } ?? outside
        }
      }
    }
  }
}
