/// Why bytes from outside are no image.
public enum ImageError: Error, Equatable, Sendable {
  /// A side is less than one pixel or more than ``GrayView/longestSide``.
  case size(width: Int, height: Int)
  /// A row is shorter than the pixels in it: give the number of bytes from one row to the next.
  case stride(needed: Int, given: Int)
  /// The buffer ends before the last pixel.
  case tooFewBytes(needed: Int, given: Int)
}
