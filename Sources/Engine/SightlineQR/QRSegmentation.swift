/// A character to be put into a code.
public struct QRCharacter: Equatable, Sendable {
  /// Its bytes in the character set of the text, 1 … 4; the first in the lowest bits.
  public var bytes: UInt32
  /// How many bytes.
  public var byteCount: Int
  /// The character in Shift JIS when that has two bytes and can be packed as kanji, 0x8140 … 0x9FFC or 0xE040 … 0xEBBF.
  public var shiftJIS: UInt16?

  /// One byte.
  public init(_ byte: UInt8) {
    bytes = UInt32(byte)
    byteCount = 1
    shiftJIS = nil
  }

  /// A character from its parts.
  /// - Precondition: 1 … 4 bytes.
  public init(bytes: UInt32, byteCount: Int, shiftJIS: UInt16?) {
    precondition(byteCount >= 1 && byteCount <= 4)
    self.bytes = bytes
    self.byteCount = byteCount
    self.shiftJIS = shiftJIS.flatMap { kanjiValue($0) == nil ? nil : $0 }
  }

  /// The byte when there is one, and it is ASCII.
  var ascii: UInt8? { byteCount == 1 && bytes < 128 ? UInt8(bytes) : nil }
}

/// The 13 bits of a two-byte character of Shift JIS; `nil` for one that has none (ISO/IEC 18004, 7.4.6).
func kanjiValue(_ code: UInt16) -> Int? {
  let low = Int(code & 0xFF)
  guard low >= 0x40, low <= 0xFC, low != 0x7F else { return nil }
  let base: Int
  switch code {
  case 0x8140...0x9FFC: base = Int(code) - 0x8140
  case 0xE040...0xEBBF: base = Int(code) - 0xC140
  default: return nil
  }
  return (base >> 8) * 0xC0 + (base & 0xFF)
}

/// The two-byte character of Shift JIS with a 13-bit value; `nil` when no character has it.
func kanjiCode(_ value: Int) -> UInt16? {
  let base = (value / 0xC0) << 8 | (value % 0xC0)
  let code = base + (base < 0x1F00 ? 0x8140 : 0xC140)
  guard code <= 0xEBBF else { return nil }
  return UInt16(code)
}

/// Parts text into segments so that it needs the fewest bits in a range of versions.
///
/// Every character is tried in every mode that has it, and only the cheapest way to each mode is followed on: the result is
/// the best there is.
func segmented(_ text: [QRCharacter], for version: QRVersion, characterSet: Int?) -> [QRSegment] {
  // In sixths of a bit, so that three digits in ten bits and two signs in eleven are whole.
  let never = Int.max / 4
  var heads: [Int] = []
  for mode in QRMode.allCases { heads.append(6 * (4 + version.countBits(mode))) }
  var costs = heads
  // For each character, and each mode it may be in: the mode of the one before it.
  var origins: [InlineArray<4, UInt8>] = []
  origins.reserveCapacity(text.count)
  for character in text {
    var next = [Int](repeating: never, count: 4)
    for mode in QRMode.allCases {
      guard let price = price(of: character, in: mode) else { continue }
      next[Int(mode.rawValue)] = min(never, costs[Int(mode.rawValue)] + price)
    }
    var origin: InlineArray<4, UInt8> = [0, 1, 2, 3]
    // A segment may end after any character: then the next starts with a head, and the bits so far are whole ones.
    let ended = next
    for to in 0..<4 {
      for from in 0..<4 where from != to && ended[from] < never {
        let cost = (ended[from] + 5) / 6 * 6 + heads[to]
        if cost < next[to] {
          next[to] = cost
          origin[to] = UInt8(from)
        }
      }
    }
    costs = next
    origins.append(origin)
  }
  var mode = 0
  for other in 1..<4 where costs[other] < costs[mode] { mode = other }
  var modes = [Int](repeating: 0, count: text.count)
  var index = text.count
  while index > 0 {
    index -= 1
    // Where the way changed after this character, it was in another mode.
    mode = Int(origins[index][mode])
    modes[index] = mode
  }
  return join(text, modes, characterSet)
}

private func join(_ text: [QRCharacter], _ modes: [Int], _ characterSet: Int?) -> [QRSegment] {
  var segments: [QRSegment] = []
  for (index, character) in text.enumerated() {
    let mode = QRMode.allCases[modes[index]]
    if segments.last?.mode != mode { segments.append(QRSegment(mode: mode, characterSet: characterSet, bytes: [])) }
    let last = segments.count - 1
    if mode == .kanji, let code = character.shiftJIS {
      segments[last].bytes.append(UInt8(code >> 8))
      segments[last].bytes.append(UInt8(code & 0xFF))
    } else {
      for byte in 0..<character.byteCount {
        segments[last].bytes.append(UInt8(truncatingIfNeeded: character.bytes >> UInt32(8 * byte)))
      }
    }
  }
  return segments
}

/// Sixths of a bit for a character; `nil` when the mode does not have it.
private func price(of character: QRCharacter, in mode: QRMode) -> Int? {
  switch mode {
  case .numeric:
    guard let byte = character.ascii, byte >= 48, byte <= 57 else { return nil }
    return 20
  case .alphanumeric:
    guard let byte = character.ascii, alphanumericValue(byte) != nil else { return nil }
    return 33
  case .byte: return 48 * character.byteCount
  case .kanji: return character.shiftJIS == nil ? nil : 78
  }
}
