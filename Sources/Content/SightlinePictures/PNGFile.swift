import CPng

/// Reading of PNG files, by libpng.
enum PNGFile {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Chunks that pixels are made of.
  ///
  /// Nothing else is handed on: texts, profiles and the like would only be unpacked for nothing, and a gamma would change
  /// the stored levels.
  private static let needed: [UInt32] = ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"].map {
    $0.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> UInt32 {
    UInt32(bytes[offset]) << 24 | UInt32(bytes[offset + 1]) << 16 | UInt32(bytes[offset + 2]) << 8
      | UInt32(bytes[offset + 3])
  }

  static func size(_ bytes: UnsafeBufferPointer<UInt8>) throws(PictureError) -> (width: Int, height: Int) {
    guard bytes.count >= 33 else { throw truncated(bytes.count) }
    guard number(bytes, 8) == 13, number(bytes, 12) == needed[0] else {
      throw PictureError(.damaged, .png, "the file does not begin with its header (IHDR, byte 8)", "Export it again.")
    }
    return (Int(number(bytes, 16)), Int(number(bytes, 20)))
  }

  private static func truncated(_ count: Int) -> PictureError {
    PictureError(.truncated, .png, "the file ends too early (after \(count) bytes)", "Copy or export it again.")
  }

  /// The file without chunks that are not needed.
  private static func stripped(_ bytes: UnsafeBufferPointer<UInt8>) throws(PictureError) -> [UInt8] {
    var result = signature
    result.reserveCapacity(bytes.count)
    var offset = 8
    while true {
      guard offset + 12 <= bytes.count else { throw truncated(bytes.count) }
      let length = Int(number(bytes, offset))
      let kind = number(bytes, offset + 4)
      guard length <= bytes.count - offset - 12 else { throw truncated(bytes.count) }
      if needed.contains(kind) {
        result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[offset..<(offset + 12 + length)]))
      } else if kind & 0x2000_0000 == 0 {
        throw PictureError(
          .unsupported,
          .png,
          "the file has a part of an unknown kind that it cannot be read without (byte \(offset))",
          "Export it again."
        )
      }
      offset += 12 + length
      if kind == needed[4] { return result }
    }
  }

  static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ header: PictureHeader,
    _ layout: PixelLayout
  ) throws(PictureError) -> Picture {
    let file = try stripped(bytes)
    // libpng keeps the address and reads on from it below; without this the optimiser frees the bytes before.
    defer { withExtendedLifetime(file) {} }
    var image = png_image()
    image.version = sl_png_version()
    defer { png_image_free(&image) }
    let hasBegun = file.withUnsafeBytes { png_image_begin_read_from_memory(&image, $0.baseAddress, $0.count) }
    guard hasBegun != 0 else { throw failure(&image) }
    // 16 bits are cut to 8 in the same scale, not taken for linear light.
    image.flags |= sl_png_16_bit_is_srgb()
    guard Int(image.width) == header.width, Int(image.height) == header.height else {
      throw PictureError(.damaged, .png, "the file has two headers", "Export it again.")
    }
    // libpng would weigh colours its own way and lay transparent pixels on a background: grey is made from what is stored.
    let isGray = image.format & sl_png_color_flag() == 0
    let channels = isGray ? 2 : 4
    image.format = isGray ? sl_png_format_gray_alpha() : sl_png_format_rgba()
    let count = header.width * header.height
    var pixels = [UInt8](repeating: 0, count: count * channels)
    guard png_image_finish_read(&image, nil, &pixels, 0, nil) != 0, image.warning_or_error & 2 == 0 else {
      throw failure(&image)
    }
    if !isGray { return Picture(width: header.width, height: header.height, layout: .rgba, pixels: pixels) }
    if layout == .rgba {
      var colors = [UInt8](repeating: 0, count: count * 4)
      for i in 0..<count {
        for c in 0..<3 { colors[4 * i + c] = pixels[2 * i] }
        colors[4 * i + 3] = pixels[2 * i + 1]
      }
      return Picture(width: header.width, height: header.height, layout: .rgba, pixels: colors)
    }
    for i in 0..<count { pixels[i] = pixels[2 * i] }
    pixels.removeLast(count)
    return Picture(width: header.width, height: header.height, layout: .gray, pixels: pixels)
  }

  /// The library's own words; it says "Not enough image data" and the like.
  static func failure(_ image: inout png_image) -> PictureError {
    let text = withUnsafeBytes(of: &image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return PictureError(.damaged, .png, "the file is damaged (\(text.isEmpty ? "libpng" : text))", "Export it again.")
  }
}
