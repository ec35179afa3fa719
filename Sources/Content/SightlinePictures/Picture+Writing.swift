import CPng
import CTurboJPEG
import SightlineInput

extension Picture {
  /// The picture as a PNG file, 8 bits a channel, without loss.
  ///
  /// - Parameter pixelsPerMetre: how large it is on paper; said in the file when given, which print programs obey.
  /// - Returns: the bytes of the file.
  /// - Throws: ``PictureError`` when the library fails.
  public func png(pixelsPerMetre: Double? = nil) throws(PictureError) -> [UInt8] {
    var image = png_image()
    image.version = sl_png_version()
    image.width = UInt32(clamping: width)
    image.height = UInt32(clamping: height)
    image.format =
      switch layout {
      case .gray: sl_png_format_gray()
      case .rgb: sl_png_format_rgb()
      case .rgba: sl_png_format_rgba()
      }
    defer { png_image_free(&image) }
    var size = png_alloc_size_t(sl_png_size_max(image))
    var file = [UInt8](repeating: 0, count: Int(clamping: size))
    let status = png_image_write_to_memory(&image, &file, &size, 0, pixels, 0, nil)
    guard status != 0 else { throw PNGFile.failure(&image) }
    file.removeLast(file.count - Int(clamping: size))
    if let pixelsPerMetre {
      // Behind the header, which ends at byte 33: the chunk pHYs, unit 1 is the metre.
      let density = UInt32(clamped: pixelsPerMetre.rounded()).clamped(to: 1...2_147_483_647)
      var chunk = Array("pHYs".utf8) + bigEndian(density) + bigEndian(density) + [1]
      chunk = bigEndian(9) + chunk + bigEndian(crc32(chunk))
      file.insert(contentsOf: chunk, at: 33)
    }
    return file
  }

  /// The picture as a baseline JPEG file; alpha is dropped.
  ///
  /// - Parameters:
  ///   - quality: 1 … 100; 92 keeps edges clean.
  ///   - halvesColors: whether colours are stored at half the resolution, as usual for photographs.
  /// - Returns: the bytes of the file.
  /// - Throws: ``PictureError`` when a side is longer than the format allows.
  public func jpeg(quality: Int = 92, halvesColors: Bool = true) throws(PictureError) -> [UInt8] {
    guard width <= 65535, height <= 65535 else {
      throw PictureError(.notWritable, .jpeg, "no side may be longer than 65535 pixels", "Write it as PNG.")
    }
    guard let encoder = tjInitCompress() else {
      throw PictureError(.notWritable, .jpeg, "there is not enough memory", "Close other programs.")
    }
    defer { tjDestroy(encoder) }
    let (format, sampling) =
      switch layout {
      case .gray: (TJPF_GRAY, TJSAMP_GRAY)
      case .rgb: (TJPF_RGB, halvesColors ? TJSAMP_420 : TJSAMP_444)
      case .rgba: (TJPF_RGBX, halvesColors ? TJSAMP_420 : TJSAMP_444)
      }
    var size = tjBufSize(Int32(clamping: width), Int32(clamping: height), Int32(clamping: sampling.rawValue))
    var file = [UInt8](repeating: 0, count: Int(clamping: size))
    let status = file.withUnsafeMutableBufferPointer { buffer in
      var target = buffer.baseAddress
      return tjCompress2(
        encoder,
        pixels,
        Int32(clamping: width),
        0,
        Int32(clamping: height),
        Int32(clamping: format.rawValue),
        &target,
        &size,
        Int32(clamping: sampling.rawValue),
        Int32(clamping: quality.clamped(to: 1...100)),
        TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT
      )
    }
    guard status == 0 else {
      let text = tjGetErrorStr2(encoder).map { String(cString: $0) } ?? "libjpeg-turbo"
      throw PictureError(.notWritable, .jpeg, "the picture cannot be written (\(text))", "Write it as PNG.")
    }
    file.removeLast(file.count - Int(clamping: size))
    return file
  }
}

private func bigEndian(_ value: UInt32) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
}

/// The checksum of PNG chunks (ISO 3309).
private func crc32(_ bytes: [UInt8]) -> UInt32 {
  var crc: UInt32 = .max
  for byte in bytes {
    crc ^= UInt32(byte)
    for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320 }
  }
  return ~crc
}
