import Foundation

/// The geoid's file that the web client loads; empty when it is missing.
public func geoidFile() -> [UInt8] {
  let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "../../WebClient/data/egm96.geoid"
  )
  return (try? Data(contentsOf: file)).map { [UInt8]($0) } ?? []
}

/// The shortest file of a geoid that is one: every tile is empty.
public func emptyGeoidFile() -> [UInt8] {
  var file = Array("SLGEOID1".utf8) + [0, 0, 0, 0, 58, 0, 0, 0] + [UInt8](repeating: 0, count: 144)
  setGeoidChecksum(&file)
  return file
}

/// Writes the checksum that the rest of a geoid's file has.
public func setGeoidChecksum(_ bytes: inout [UInt8]) {
  var value = UInt32.max
  for byte in bytes[12...] {
    value ^= UInt32(byte)
    for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }
  for k in 0..<4 { bytes[8 + k] = UInt8(truncatingIfNeeded: ~value >> UInt32(8 * k)) }
}
