/// The turn that a camera noted beside the pixels of a JPEG file (Exif 2.3, tag 274).
public enum ExifOrientation {
  /// 1 … 8; 1, as stored, when there is no readable note.
  public static func ofJPEG(_ bytes: [UInt8]) -> Int {
    guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return 1 }
    var index = 2
    while index + 4 <= bytes.count, bytes[index] == 0xFF {
      let marker = bytes[index + 1]
      // Scan data and the end: no notes come after.
      if marker == 0xDA || marker == 0xD9 { return 1 }
      let length = Int(bytes[index + 2]) << 8 | Int(bytes[index + 3])
      guard length >= 2, index + 2 + length <= bytes.count else { return 1 }
      let segment = bytes[(index + 4)..<(index + 2 + length)]
      if marker == 0xE1, segment.starts(with: Array("Exif\0\0".utf8)) { return orientation(tiff: segment.dropFirst(6)) }
      index += 2 + length
    }
    return 1
  }

  /// Looks for the tag in the first directory of the TIFF structure that an Exif segment is.
  private static func orientation(tiff: ArraySlice<UInt8>) -> Int {
    let start = tiff.startIndex
    guard tiff.count >= 8 else { return 1 }
    let isLittle = tiff[start] == UInt8(ascii: "I")
    guard isLittle || tiff[start] == UInt8(ascii: "M") else { return 1 }
    func number(_ offset: Int, _ count: Int) -> Int? {
      guard offset >= 0, offset + count <= tiff.count else { return nil }
      var value = 0
      for place in 0..<count {
        value = value << 8 | Int(tiff[start + offset + (isLittle ? count - 1 - place : place)])
      }
      return value
    }
    guard let directory = number(4, 4), let entries = number(directory, 2) else { return 1 }
    for entry in 0..<entries {
      let at = directory + 2 + entry * 12
      guard let tag = number(at, 2) else { return 1 }
      if tag == 274, let value = number(at + 8, 2), (1...8).contains(value) { return value }
    }
    return 1
  }
}
