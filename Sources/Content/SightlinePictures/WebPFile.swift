import CWebP

/// Reading of WebP files, by libwebp.
enum WebPFile {
  private static func features(_ bytes: UnsafeBufferPointer<UInt8>) throws(PictureError) -> WebPBitstreamFeatures {
    var features = WebPBitstreamFeatures()
    let status = WebPGetFeatures(bytes.baseAddress, bytes.count, &features)
    guard status == VP8_STATUS_OK else { throw failure(status, bytes.count) }
    return features
  }

  static func size(_ bytes: UnsafeBufferPointer<UInt8>) throws(PictureError) -> (width: Int, height: Int) {
    let features = try features(bytes)
    guard features.has_animation == 0 else {
      throw PictureError(.unsupported, .webp, "this is an animation", "Export one of its pictures.")
    }
    return (Int(features.width), Int(features.height))
  }

  static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ header: PictureHeader,
    _ layout: PixelLayout
  ) throws(PictureError) -> Picture {
    let stride = header.width * (layout == .rgba ? 4 : 3)
    var pixels = [UInt8](repeating: 0, count: stride * header.height)
    let count = pixels.count
    let result = pixels.withUnsafeMutableBufferPointer { target in
      layout == .rgba
        ? WebPDecodeRGBAInto(bytes.baseAddress, bytes.count, target.baseAddress, count, Int32(clamping: stride))
        : WebPDecodeRGBInto(bytes.baseAddress, bytes.count, target.baseAddress, count, Int32(clamping: stride))
    }
    guard result != nil else { throw failure(VP8_STATUS_BITSTREAM_ERROR, bytes.count) }
    return Picture(width: header.width, height: header.height, layout: layout == .rgba ? .rgba : .rgb, pixels: pixels)
  }

  private static func failure(_ status: VP8StatusCode, _ count: Int) -> PictureError {
    switch status {
    case VP8_STATUS_NOT_ENOUGH_DATA:
      PictureError(.truncated, .webp, "the file ends too early (after \(count) bytes)", "Copy or export it again.")
    case VP8_STATUS_UNSUPPORTED_FEATURE:
      PictureError(.unsupported, .webp, "this kind of WebP is not read", "Export it as PNG.")
    default: PictureError(.damaged, .webp, "the file is damaged or ends too early", "Copy or export it again.")
    }
  }
}
