import SightlineInput

/// The parts of a GLB file: glTF 2.0, section 4.4.
struct GLBContainer {
  /// Where the JSON text lies in the file.
  let json: Range<Int>
  /// Where the binary chunk lies; empty when there is none.
  let binary: Range<Int>

  init(_ bytes: UnsafeBufferPointer<UInt8>, limits: ModelLimits) throws(ModelError) {
    guard bytes.count <= limits.bytes else { throw ModelError(.limit, .file, offset: 0) }
    guard bytes.count >= 4, Self.word(bytes, 0) == 0x4654_6C67 else { throw ModelError(.notGLB, .file, offset: 0) }
    guard bytes.count >= 12 else { throw ModelError(.truncated, .file, offset: bytes.count) }
    guard Self.word(bytes, 4) == 2 else { throw ModelError(.version, .file, offset: 4) }
    guard let end = Int(checked: Self.word(bytes, 8)), end >= 12, end <= bytes.count else {
      throw ModelError(.truncated, .file, offset: 8)
    }
    // What follows the length that the header gives, up to `end`, is not part of the file.
    var json: Range<Int>?
    var binary: Range<Int>?
    var position = 12
    var index = 0
    while position < end {
      guard end - position >= 8 else { throw ModelError(.truncated, .chunk, index, offset: position) }
      let count = Int(checked: Self.word(bytes, position))
      let kind = Self.word(bytes, position + 4)
      let start = position + 8
      guard let count, count <= end - start else { throw ModelError(.truncated, .chunk, index, offset: position) }
      let range = start..<start + count
      if index == 0 {
        guard kind == 0x4E4F_534A else { throw ModelError(.noJSON, .chunk, 0, offset: position + 4) }
        json = range
      } else if index == 1, kind == 0x004E_4942 {
        binary = range
      }
      // Chunks of other kinds are for extensions and are passed over, as are their padding bytes.
      position = min(end, range.upperBound + (4 - range.count % 4) % 4)
      index += 1
    }
    guard let json else { throw ModelError(.noJSON, .file, offset: 12) }
    self.json = json
    self.binary = binary ?? 0..<0
  }

  private static func word(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> UInt32 {
    UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2]) << 16
      | UInt32(bytes[offset + 3]) << 24
  }
}
