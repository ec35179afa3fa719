import SightlineInput

/// Bytes that accessors read from: a part of the file, or what a `data:` address was decoded to.
final class BufferStore {
  struct Buffer {
    let bytes: UnsafeBufferPointer<UInt8>
    /// Where it begins in the file; −1 when it does not lie there.
    let start: Int
  }
  var buffers: [Buffer] = []
  private var owned: [UnsafeMutableBufferPointer<UInt8>] = []

  func append(decoded: [UInt8], length: Int) {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, decoded.count))
    for k in 0..<decoded.count { copy[k] = decoded[k] }
    owned.append(copy)
    buffers.append(Buffer(bytes: UnsafeBufferPointer(rebasing: copy[0..<length]), start: -1))
  }

  deinit { for buffer in owned { buffer.deallocate() } }
}

/// A stretch of a buffer.
struct BufferView {
  let buffer: Int
  let offset: Int
  let length: Int
  /// Bytes from one element to the next; 0 when they lie without gaps.
  let stride: Int
}

extension ModelReader {
  mutating func readBuffers() throws(ModelError) {
    for entry in try entries(.buffer, "buffers") {
      let length = try neededCount(entry, "byteLength")
      if let address = json.member(entry.value, "uri") {
        try expect(.string, address, entry, "uri")
        let decoded = try dataAddress(address, entry)
        guard decoded.count >= length else { throw error(.outside, entry, "byteLength") }
        buffers.append(decoded: decoded, length: length)
      } else {
        // Only the first buffer may be the binary chunk.
        guard entry.index == 0 else { throw error(.missing, entry, "uri") }
        guard length <= binary.count else { throw error(.outside, entry, "byteLength") }
        let range = binary.lowerBound..<binary.lowerBound + length
        buffers.buffers.append(.init(bytes: UnsafeBufferPointer(rebasing: bytes[range]), start: range.lowerBound))
      }
    }
    for entry in try entries(.bufferView, "bufferViews") {
      guard let buffer = try reference(entry, "buffer", into: buffers.buffers.count) else {
        throw error(.missing, entry, "buffer")
      }
      let offset = try count(entry, "byteOffset") ?? 0
      let length = try neededCount(entry, "byteLength")
      let stride = try count(entry, "byteStride") ?? 0
      guard stride == 0 || (stride >= 4 && stride <= 252) else { throw error(.value, entry, "byteStride") }
      guard let end = offset.checkedAdd(length), end <= buffers.buffers[buffer].bytes.count else {
        throw error(.outside, entry, "byteLength")
      }
      views.append(BufferView(buffer: buffer, offset: offset, length: length, stride: stride))
    }
    for entry in try entries(.accessor, "accessors") { accessors.append(entry.value) }
  }

  /// The bytes of a view.
  func bytes(of view: BufferView) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: buffers.buffers[view.buffer].bytes[view.offset..<view.offset + view.length])
  }

  /// What a `data:` address holds, which has to be base64; any other address leads out of the file.
  func dataAddress(_ value: Int, _ entry: Entry) throws(ModelError) -> [UInt8] {
    let text = json.string(value) ?? []
    let scheme: StaticString = "data:"
    var isData = text.count > 5
    for k in 0..<5 where isData { isData = text[k] | 0x20 == scheme.utf8Start[k] | 0x20 }
    guard isData else { throw error(.external, entry, "uri") }
    let marker: StaticString = ";base64"
    guard let comma = text.firstIndex(of: UInt8(ascii: ",")), comma >= 12 else { throw error(.dataURI, entry, "uri") }
    for k in 0..<7 where text[comma - 7 + k] != marker.utf8Start[k] { throw error(.dataURI, entry, "uri") }
    guard let decoded = decodedBase64(text[(comma + 1)...]) else { throw error(.dataURI, entry, "uri") }
    return decoded
  }
}

/// The bytes of base64 text (RFC 4648, section 4), with its padding or without.
func decodedBase64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
  var result: [UInt8] = []
  result.reserveCapacity(text.count / 4 * 3)
  var (bits, count) = (UInt32(0), 0)
  var padding = 0
  for byte in text {
    let value: UInt8
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte &- UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte &- UInt8(ascii: "a") &+ 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte &- UInt8(ascii: "0") &+ 52
    case UInt8(ascii: "+"): value = 62
    case UInt8(ascii: "/"): value = 63
    case UInt8(ascii: "="):
      padding += 1
      continue
    default: return nil
    }
    guard padding == 0 else { return nil }
    bits = bits << 6 | UInt32(value)
    count += 6
    if count >= 8 {
      count -= 8
      result.append(UInt8(truncatingIfNeeded: bits >> count))
    }
  }
  // Six bits left over are the first part of a byte that is cut off.
  return count == 6 || padding > 2 ? nil : result
}
