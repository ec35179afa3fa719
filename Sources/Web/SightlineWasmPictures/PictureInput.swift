import SightlineImaging

// The room that the page puts a camera picture into, for whatever looks into it.

// One thread enters the instance, see Host.swift.
nonisolated(unsafe) private var picture = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

/// Room for a picture of so many bytes, kept until a larger one is asked for; 0 when there is no memory for it.
@_expose(wasm) @c public func sl_picture(_ count: Int32) -> UnsafeMutablePointer<UInt8>? {
  guard count > 0 else { return nil }
  if picture.count < Int(count) {
    picture.deallocate()
    picture = UnsafeMutableBufferPointer(start: nil, count: 0)
    let base = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(count))
    guard UInt(bitPattern: base) != 0 else { return nil }
    picture = UnsafeMutableBufferPointer(start: base, count: Int(count))
  }
  return picture.baseAddress
}

/// The first bytes of the room; `nil` when it is smaller.
public func roomBytes(_ count: Int32) -> UnsafeBufferPointer<UInt8>? {
  guard count >= 0, Int(count) <= picture.count else { return nil }
  return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(picture)[..<Int(count)])
}

extension GrayImage {
  /// Takes over the luminance of the picture in the room; whether the room holds such a picture.
  ///
  /// `format` is 0 for grey or a plane of luminance, 1 for red, green, blue and a byte, 2 for blue, green, red and a byte;
  /// `width` and `height` are pixels, `offset` the bytes before the first pixel, `stride` those from row to row;
  /// `isLimited` says that luminance runs from 16 to 235.
  public mutating func setPicture(
    _ format: Int32,
    _ width: Int32,
    _ height: Int32,
    _ offset: Int32,
    _ stride: Int32,
    _ isLimited: Int32
  ) -> Bool {
    guard offset >= 0, Int(offset) <= picture.count else { return false }
    let pixels: PixelFormat = format == 1 ? .rgba : format == 2 ? .bgra : .gray
    do throws(ImageError) {
      try setLuminance(
        of: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(picture)[Int(offset)...]),
        format: pixels,
        width: Int(width),
        height: Int(height),
        stride: Int(stride),
        range: isLimited != 0 ? .limited : .full
      )
      return true
    } catch {
      return false
    }
  }
}
