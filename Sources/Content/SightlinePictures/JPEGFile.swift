import CTurboJPEG

/// Reading of JPEG files, by libjpeg-turbo.
enum JPEGFile {
  private struct Header {
    var width: Int32 = 0
    var height: Int32 = 0
    var subsampling: Int32 = 0
    var colors: Int32 = 0
  }

  private static func header(_ bytes: UnsafeBufferPointer<UInt8>, _ decoder: tjhandle) throws(PictureError) -> Header {
    var header = Header()
    let status = tjDecompressHeader3(
      decoder,
      bytes.baseAddress,
      UInt(clamping: bytes.count),
      &header.width,
      &header.height,
      &header.subsampling,
      &header.colors
    )
    guard status == 0 else { throw failure(decoder) }
    return header
  }

  static func size(_ bytes: UnsafeBufferPointer<UInt8>) throws(PictureError) -> (width: Int, height: Int) {
    guard let decoder = tjInitDecompress() else { throw noMemory }
    defer { tjDestroy(decoder) }
    let header = try header(bytes, decoder)
    return (Int(header.width), Int(header.height))
  }

  static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ size: PictureHeader,
    _ layout: PixelLayout
  ) throws(PictureError) -> Picture {
    guard let decoder = tjInitDecompress() else { throw noMemory }
    defer { tjDestroy(decoder) }
    let header = try header(bytes, decoder)
    // A print's four inks are not among the formats that the library turns into light by itself.
    let isPrint =
      header.colors == Int32(clamping: TJCS_CMYK.rawValue) || header.colors == Int32(clamping: TJCS_YCCK.rawValue)
    let isGray = layout == .gray && !isPrint
    let (format, channels) = isPrint ? (TJPF_CMYK, 4) : isGray ? (TJPF_GRAY, 1) : (TJPF_RGB, 3)
    var pixels = [UInt8](repeating: 0, count: size.width * size.height * channels)
    let status = tjDecompress2(
      decoder,
      bytes.baseAddress,
      UInt(clamping: bytes.count),
      &pixels,
      header.width,
      0,
      header.height,
      Int32(clamping: format.rawValue),
      TJFLAG_LIMITSCANS | TJFLAG_ACCURATEDCT
    )
    if status != 0 {
      let error = failure(decoder)
      // Bytes between two parts, as some web cameras leave them, harm nothing.
      let isHarmless = tjGetErrorCode(decoder) == 0 && error.description.contains("extraneous bytes before marker")
      if !isHarmless { throw error }
    }
    guard isPrint else {
      return Picture(width: size.width, height: size.height, layout: isGray ? .gray : .rgb, pixels: pixels)
    }
    // Stored inverted, as every known program does: 255 is no ink.
    let count = size.width * size.height
    for i in 0..<count {
      let key = UInt32(pixels[4 * i + 3])
      for c in 0..<3 { pixels[3 * i + c] = UInt8(truncatingIfNeeded: UInt32(pixels[4 * i + c]) &* key / 255) }
    }
    pixels.removeLast(count)
    return Picture(width: size.width, height: size.height, layout: .rgb, pixels: pixels)
  }

  private static func failure(_ decoder: tjhandle) -> PictureError {
    let text = tjGetErrorStr2(decoder).map { String(cString: $0) } ?? "libjpeg-turbo"
    if text.contains("premature") || text.contains("Premature") || text.contains("no image") || text.contains("empty") {
      return PictureError(.truncated, .jpeg, "the file ends too early (\(text))", "Copy or export it again.")
    }
    if text.contains("nsupported") || text.contains("progressive scans") {
      return PictureError(
        .unsupported,
        .jpeg,
        "this kind of JPEG is not read (\(text))",
        "Export it as baseline JPEG or PNG."
      )
    }
    return PictureError(.damaged, .jpeg, "the file is damaged (\(text))", "Export it again.")
  }

  private static var noMemory: PictureError {
    PictureError(.unreadable, .jpeg, "there is not enough memory", "Close other programs.")
  }
}
