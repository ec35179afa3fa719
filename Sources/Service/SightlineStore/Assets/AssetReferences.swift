import Foundation
import SightlineInput

/// Finds the files that a document refers to: every text of 64 digits `0–9a–f` that stands alone.
///
/// It does not matter where in the document it stands or which kind of document it is: a text that could be a reference
/// is taken for one, so that at worst a file is kept that nobody needs. Also found are references whose digits are written
/// as `%61`, and those that follow other digits directly (`%2fassets%2f…`). Linear in the document's length.
enum AssetReferences {
  /// Bytes of a hash that are kept; see `asset_reference`.
  static let keptBytes = 16
  private static let digits = 64

  /// The first 16 bytes of each hash in a document, each once.
  static func find(in document: Data) -> Set<Data> {
    var found: Set<Data> = []
    document.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
      find(in: bytes, &found)
      if bytes.contains(UInt8(ascii: "%")) { percentDecoded(bytes).withUnsafeBytes { find(in: $0, &found) } }
    }
    return found
  }

  private static func find(in bytes: UnsafeRawBufferPointer, _ found: inout Set<Data>) {
    var start = 0
    for index in 0...bytes.count {
      if index < bytes.count, isDigit(bytes[index]) { continue }
      if index - start >= digits {
        // Exactly 64 digits, or a longer text that begins or ends with a reference.
        for first in Set([start, index - digits]) {
          let text = String(decoding: bytes[first..<first + 2 * keptBytes], as: UTF8.self)
          if let hash = Data(hexadecimal: text) { found.insert(hash) }
        }
      }
      start = index + 1
    }
  }

  @inline(__always) private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  private static func percentDecoded(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    func value(_ digit: UInt8) -> UInt8? { Digit.hexadecimal(digit).map { UInt8(clamped: $0) } }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = value(bytes[index + 1]),
        let low = value(bytes[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }
}
