import SightlineInput
import SightlineProtobuf

extension ProtobufReader {
  /// An id or another short string, checked to be UTF-8 and not longer than ``RealtimeLimits/idBytes``.
  mutating func string() throws(Failure) -> String {
    let bytes = try message()
    guard bytes.count <= RealtimeLimits.idBytes, let text = String(validating: bytes, as: UTF8.self) else {
      throw .malformed
    }
    return text
  }

  /// A text for people, checked to be UTF-8, cut after ``RealtimeLimits/textBytes``.
  mutating func text() throws(Failure) -> String {
    let bytes = try message()
    guard bytes.count > RealtimeLimits.textBytes else {
      guard let text = String(validating: bytes, as: UTF8.self) else { throw .malformed }
      return text
    }
    var end = RealtimeLimits.textBytes
    // Not within a character.
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    guard let text = String(validating: UnsafeRawBufferPointer(rebasing: bytes[..<end]), as: UTF8.self) else {
      throw .malformed
    }
    return text + "…"
  }

  /// A time, POSIX seconds; one that nobody can mean becomes the nearest that is believed, see `Instant`.
  mutating func instant() throws(Failure) -> Int { Instant.clamped(try integer()) }

  /// A small number without sign, as protobuf's `uint32`; `nil` for anything else.
  mutating func count() throws(Failure) -> Int? {
    let value = try integer()
    return (0...Int(UInt32.max)).contains(value) ? value : nil
  }
}
