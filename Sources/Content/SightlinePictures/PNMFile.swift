import SightlineInput

/// Reading of binary PGM and PPM files (netpbm's `pgm(5)` and `ppm(5)`).
enum PNMFile {
  struct Header {
    var width = 0
    var height = 0
    var largest = 0
    var channels = 1
    /// Offset of the first pixel.
    var start = 0
  }

  static func header(_ bytes: UnsafeBufferPointer<UInt8>) throws(PictureError) -> Header {
    var header = Header()
    header.channels = bytes[1] == UInt8(ascii: "6") ? 3 : 1
    var offset = 2
    header.width = try number(bytes, &offset, "width")
    header.height = try number(bytes, &offset, "height")
    header.largest = try number(bytes, &offset, "largest value")
    guard (1...65535).contains(header.largest) else {
      throw PictureError(
        .damaged,
        .pnm,
        "the largest value is \(header.largest) (before byte \(offset)); it has to be 1 to 65535",
        "Export it again."
      )
    }
    // Exactly one white space, since a pixel may look like white space itself.
    guard offset < bytes.count, isSpace(bytes[offset]) else { throw truncated(bytes.count) }
    header.start = offset + 1
    return header
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

  private static func truncated(_ count: Int) -> PictureError {
    PictureError(.truncated, .pnm, "the file ends too early (after \(count) bytes)", "Copy or export it again.")
  }

  /// A number after white space and comments.
  private static func number(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ offset: inout Int,
    _ name: String
  ) throws(PictureError) -> Int {
    let first = offset
    while offset < bytes.count {
      if bytes[offset] == UInt8(ascii: "#") {
        while offset < bytes.count, bytes[offset] != 10, bytes[offset] != 13 { offset += 1 }
      } else if isSpace(bytes[offset]) {
        offset += 1
      } else {
        break
      }
    }
    guard offset < bytes.count else { throw truncated(bytes.count) }
    var value = 0
    var digits = 0
    while offset < bytes.count, let digit = Digit.decimal(bytes[offset]), digits < 10,
      let longer = value.appendingDigit(digit)
    {
      value = longer
      offset += 1
      digits += 1
    }
    guard digits > 0, digits < 10, offset > first + digits else {
      throw PictureError(
        .damaged,
        .pnm,
        "there is no number where the \(name) is expected (byte \(offset))",
        "Export it again."
      )
    }
    return value
  }

  static func decode(_ bytes: UnsafeBufferPointer<UInt8>, _ layout: PixelLayout) throws(PictureError) -> Picture {
    let header = try header(bytes)
    let size = header.largest > 255 ? 2 : 1
    guard let count = header.width.checkedMultiply(header.height)?.checkedMultiply(header.channels),
      let needed = count.checkedMultiply(size), bytes.count - header.start >= needed
    else { throw truncated(bytes.count) }
    let (largest, start) = (header.largest, header.start)
    let pixels = [UInt8](unsafeUninitializedCapacity: count) { out, used in
      for i in 0..<count {
        let p = start + i * size
        let value = size == 2 ? Int(bytes[p]) << 8 | Int(bytes[p + 1]) : Int(bytes[p])
        // Rounded; values above the largest are not allowed, and are white.
        out[i] =
          largest == 255 ? UInt8(truncatingIfNeeded: value) : UInt8(clamping: (value * 255 + largest / 2) / largest)
      }
      used = count
    }
    return Picture(
      width: header.width,
      height: header.height,
      layout: header.channels == 3 ? .rgb : .gray,
      pixels: pixels
    )
  }
}
