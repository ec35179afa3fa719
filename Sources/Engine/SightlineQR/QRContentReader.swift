extension QRContent {
  /// Reads the data words of a code; `nil` when they are no content: a mode that does not exist, a value that no character
  /// has, an end too early, or nothing at all.
  ///
  /// - Parameters:
  ///   - data: the words, mended.
  ///   - version: the code's size.
  ///   - isStrict: whether what follows the content has to be as the standard wants it, which guards against content that
  ///     came out of wrong words.
  init?(data: [UInt8], version: QRVersion, isStrict: Bool) {
    var reader = BitReader(data)
    self.init(segments: [])
    var characterSet: Int?
    while reader.remaining >= 4, let indicator = reader.read(4), indicator != 0 {
      switch indicator {
      case 1, 2, 4, 8:
        guard let mode = QRMode.allCases.first(where: { $0.indicator == indicator }),
          var bytes = reader.characters(mode, version)
        else { return nil }
        if application != nil && mode == .alphanumeric { bytes = withSeparators(bytes) }
        segments.append(QRSegment(mode: mode, characterSet: characterSet, bytes: bytes))
      case 3:
        guard let index = reader.read(4), let last = reader.read(4), let parity = reader.read(8), index <= last,
          structuredAppend == nil
        else { return nil }
        structuredAppend = QRStructuredAppend(index: index, count: last + 1, parity: UInt8(truncatingIfNeeded: parity))
      case 5: application = .gs1
      case 9:
        guard let value = reader.read(8) else { return nil }
        application = .industry(UInt8(truncatingIfNeeded: value))
      case 7:
        guard let number = reader.interpretation() else { return nil }
        characterSet = number
      default: return nil
      }
    }
    guard segments.contains(where: { !$0.bytes.isEmpty }) else { return nil }
    guard !isStrict || reader.isPadded() else { return nil }
  }
}

/// A percent sign stands for the separator, two for themselves.
private func withSeparators(_ bytes: [UInt8]) -> [UInt8] {
  var result: [UInt8] = []
  var index = 0
  while index < bytes.count {
    let isSign = bytes[index] == 37
    let isDouble = isSign && index + 1 < bytes.count && bytes[index + 1] == 37
    result.append(isSign && !isDouble ? 29 : bytes[index])
    index += isDouble ? 2 : 1
  }
  return result
}

extension BitReader {
  /// The characters of a segment after its mode.
  fileprivate mutating func characters(_ mode: QRMode, _ version: QRVersion) -> [UInt8]? {
    guard var count = read(version.countBits(mode)) else { return nil }
    // Refused before anything is stored: no more characters than bits that are left.
    guard count <= remaining else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(mode == .kanji ? 2 * count : count)
    switch mode {
    case .numeric:
      while count > 0 {
        let length = min(3, count)
        guard let value = read(3 * length + 1), value < [10, 100, 1000][length - 1] else { return nil }
        if length == 3 { bytes.append(UInt8(truncatingIfNeeded: 48 + value / 100)) }
        if length >= 2 { bytes.append(UInt8(truncatingIfNeeded: 48 + value / 10 % 10)) }
        bytes.append(UInt8(truncatingIfNeeded: 48 + value % 10))
        count -= length
      }
    case .alphanumeric:
      while count > 1 {
        guard let value = read(11), value < 45 * 45 else { return nil }
        bytes.append(alphanumericByte(value / 45))
        bytes.append(alphanumericByte(value % 45))
        count -= 2
      }
      if count == 1 {
        guard let value = read(6), value < 45 else { return nil }
        bytes.append(alphanumericByte(value))
      }
    case .byte:
      for _ in 0..<count {
        guard let value = read(8) else { return nil }
        bytes.append(UInt8(truncatingIfNeeded: value))
      }
    case .kanji:
      for _ in 0..<count {
        guard let value = read(13), let code = kanjiCode(value) else { return nil }
        bytes.append(UInt8(truncatingIfNeeded: code >> 8))
        bytes.append(UInt8(truncatingIfNeeded: code))
      }
    }
    return bytes
  }

  /// The number of an extended channel interpretation.
  fileprivate mutating func interpretation() -> Int? {
    guard let first = read(8) else { return nil }
    if first & 0x80 == 0 { return first }
    if first & 0xC0 == 0x80 { return read(8).map { (first & 0x3F) << 8 | $0 } }
    guard first & 0xE0 == 0xC0, let rest = read(16) else { return nil }
    let number = (first & 0x1F) << 16 | rest
    return number < 1_000_000 ? number : nil
  }

  /// Whether only zeros to the next whole byte and the two pad bytes in turn are left.
  fileprivate mutating func isPadded() -> Bool {
    guard skipToByte() == 0 else { return false }
    var pad = 0xEC
    while let byte = read(8) {
      guard byte == pad else { return false }
      pad ^= 0xEC ^ 0x11
    }
    return true
  }
}
