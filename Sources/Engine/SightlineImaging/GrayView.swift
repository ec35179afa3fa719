/// A picture of grey levels in memory that someone else owns, such as the first plane of a camera frame.
///
/// Pixel (x, y) lies at `pixels[y * stride + x]`; x to the right, y down, the centre of the first pixel is (0, 0). Valid as
/// long as the memory is. No side is longer than ``longestSide``, so that a product of two sides fits 32 bits.
public struct GrayView {
  /// Most pixels along a side.
  public static let longestSide = 32767

  /// The first pixel.
  public let pixels: UnsafePointer<UInt8>
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Bytes from one row to the next.
  public let stride: Int

  /// A view of a buffer that may come from outside: nothing is read past its end.
  public init(_ bytes: UnsafeBufferPointer<UInt8>, width: Int, height: Int, stride: Int) throws(ImageError) {
    try checkLayout(bytes: bytes.count, width: width, height: height, stride: stride, bytesInPixel: 1)
    guard let pixels = bytes.baseAddress else { throw .tooFewBytes(needed: 1, given: 0) }
    self.init(pixels: pixels, width: width, height: height, stride: stride)
  }

  /// A view of memory that is known to hold the rows.
  @inlinable init(pixels: UnsafePointer<UInt8>, width: Int, height: Int, stride: Int) {
    self.pixels = pixels
    self.width = width
    self.height = height
    self.stride = stride
  }

  /// The grey level of a pixel.
  /// - Precondition: the pixel lies in the picture.
  @inlinable public subscript(x: Int, y: Int) -> UInt8 {
    precondition(x >= 0 && x < width && y >= 0 && y < height)
    return pixels[y &* stride &+ x]
  }

  /// The first pixel of a row, for inner loops; nothing checks what is read through it.
  @inlinable public func row(_ y: Int) -> UnsafePointer<UInt8> { pixels + y &* stride }

  /// A part of the picture, without copying.
  /// - Precondition: the part lies in the picture and is not empty.
  public func cropped(x: Int, y: Int, width: Int, height: Int) -> GrayView {
    precondition(x >= 0 && y >= 0 && width > 0 && height > 0)
    precondition(width <= self.width - x && height <= self.height - y)
    return GrayView(pixels: row(y) + x, width: width, height: height, stride: stride)
  }
}

/// Refuses a layout whose rows overlap or reach past the end of the buffer.
func checkLayout(bytes: Int, width: Int, height: Int, stride: Int, bytesInPixel: Int) throws(ImageError) {
  guard width > 0, height > 0, width <= GrayView.longestSide, height <= GrayView.longestSide else {
    throw .size(width: width, height: height)
  }
  let row = width * bytesInPixel
  guard stride >= row else { throw .stride(needed: row, given: stride) }
  // A stride from outside may be anything: the product must not overflow 32 bits.
  let (skipped, overflow) = stride.multipliedReportingOverflow(by: height - 1)
  let (needed, overflow2) = skipped.addingReportingOverflow(row)
  guard !overflow, !overflow2, bytes >= needed else {
    throw .tooFewBytes(needed: overflow || overflow2 ? .max : needed, given: bytes)
  }
}
