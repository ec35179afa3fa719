/// Why no code can be made.
public enum QREncodingError: Error, Equatable, Sendable {
  /// The content needs more bits than the largest code that is allowed has.
  case tooLong(neededBits: Int, availableBits: Int)
  /// A byte of a segment is not in its mode, or a kanji segment has an odd number of bytes; the number of the segment.
  case mode(segment: Int)
}

/// A finished code.
public struct QRCode: Equatable, Sendable {
  /// Its size.
  public var version: QRVersion
  /// How much damage it stands.
  public var level: QRLevel
  /// The mask that was chosen, 0 … 7.
  public var mask: Int
  /// Its modules, without the quiet zone, which is four modules wide.
  public var matrix: QRMatrix
}

/// Makes codes.
///
/// ```swift
/// let code = try QREncoder().encode("https://example.org".utf8.map { QRCharacter($0) })
/// ```
public struct QREncoder: Sendable {
  /// How much damage the code has to stand; default `medium`.
  ///
  /// A higher level makes larger codes.
  public var level = QRLevel.medium
  /// Whether a higher level is taken when the code does not grow by it; default true.
  public var raisesLevel = true
  /// The smallest version that is tried; default 1.
  public var minimumVersion = 1
  /// The largest; default 40.
  public var maximumVersion = 40
  /// A mask, 0 … 7; default the one with the fewest penalty points.
  public var mask: Int?

  /// The defaults.
  public init() {}

  /// The smallest code for a text.
  ///
  /// - Parameters:
  ///   - text: the characters.
  ///   - characterSet: the extended channel interpretation that the bytes are written in, named in the code when a byte
  ///     beyond ASCII is in it (26 for UTF-8); `nil` names none.
  ///   - structuredAppend: the code's place when it is one of several.
  ///   - application: the rules that the text follows.
  /// - Returns: the code, with its mask.
  /// - Throws: ``QREncodingError/tooLong(neededBits:availableBits:)``.
  public func encode(
    _ text: [QRCharacter],
    characterSet: Int? = nil,
    structuredAppend: QRStructuredAppend? = nil,
    application: QRApplication? = nil
  ) throws(QREncodingError) -> QRCode {
    // The heads' lengths change with the version, and with them the best way to part the text.
    var needed = 0
    for (first, last) in [(1, 9), (10, 26), (27, 40)] where last >= minimumVersion && first <= maximumVersion {
      guard let version = QRVersion(last) else { continue }
      var segments = segmented(text, for: version, characterSet: characterSet)
      let namesSet = segments.contains { $0.mode == .byte && $0.bytes.contains { $0 >= 128 } }
      if !namesSet { for index in segments.indices { segments[index].characterSet = nil } }
      let content = QRContent(segments: segments, structuredAppend: structuredAppend, application: application)
      do throws(QREncodingError) {
        return try encode(content, versions: max(first, minimumVersion)...min(last, maximumVersion))
      } catch {
        guard case .tooLong(let bits, _) = error else { throw error }
        needed = bits
      }
    }
    throw tooLong(needed)
  }

  /// The smallest code for content whose modes are given.
  ///
  /// - Throws: ``QREncodingError``.
  public func encode(_ content: QRContent) throws(QREncodingError) -> QRCode {
    try encode(content, versions: minimumVersion...maximumVersion)
  }

  private func tooLong(_ needed: Int) -> QREncodingError {
    let available = QRVersion(maximumVersion).map { $0.blocks(level).dataCount * 8 } ?? 0
    return .tooLong(neededBits: needed, availableBits: available)
  }

  private func encode(_ content: QRContent, versions: ClosedRange<Int>) throws(QREncodingError) -> QRCode {
    var needed = 0
    for number in versions {
      guard let version = QRVersion(number) else { continue }
      let bits = try content.bits(for: version)
      needed = bits.count
      guard bits.count <= version.blocks(level).dataCount * 8 else { continue }
      var best = level
      if raisesLevel {
        for higher in QRLevel.allCases where higher.rawValue > best.rawValue {
          if bits.count <= version.blocks(higher).dataCount * 8 { best = higher }
        }
      }
      return code(version, best, padded(bits, to: version.blocks(best).dataCount))
    }
    throw tooLong(needed)
  }

  /// Terminator, zeros to the next byte, then the two pad bytes in turn (ISO/IEC 18004, 7.4.9 and 7.4.10).
  private func padded(_ bits: BitWriter, to count: Int) -> [UInt8] {
    var bits = bits
    bits.append(0, bits: min(4, count * 8 - bits.count))
    bits.append(0, bits: (8 - bits.count % 8) % 8)
    var pad = 0xEC
    while bits.count < count * 8 {
      bits.append(pad, bits: 8)
      pad ^= 0xEC ^ 0x11
    }
    return bits.bytes
  }

  private func code(_ version: QRVersion, _ level: QRLevel, _ data: [UInt8]) -> QRCode {
    let layout = QRLayout(version)
    let words = interleaved(data, version.blocks(level))
    var matrix = layout.patterns
    var bit = 0
    layout.forEachDataModule { index in
      // A few modules may be left over; they stay light before masking.
      if bit < words.count * 8 { matrix.modules[index] = words[bit / 8] >> UInt8(7 - bit % 8) & 1 }
      bit += 1
    }
    if version.number >= 7 {
      let value = QRInformation.version(version.number)
      for bit in 0..<18 where value >> bit & 1 == 1 {
        let (x, y) = QRLayout.versionModule(bit, size: version.size)
        matrix[x, y] = true
        matrix[y, x] = true
      }
    }
    var best: QRCode?
    var fewest = Int.max
    for mask in mask.map({ $0...$0 }) ?? 0...7 {
      let masked = matrix.masked(mask & 7, layout, level)
      let points = self.mask == nil ? masked.penalty : 0
      if points < fewest {
        fewest = points
        best = QRCode(version: version, level: level, mask: mask & 7, matrix: masked)
      }
    }
    guard let best else { preconditionFailure() }
    return best
  }

  /// Data and check words of all blocks in the order of the code: the first of each block, the second of each, … (7.6).
  func interleaved(_ data: [UInt8], _ blocks: QRBlocks) -> [UInt8] {
    let code = ReedSolomon()
    var parts: [ArraySlice<UInt8>] = []
    var checks: [[UInt8]] = []
    var start = 0
    for block in 0..<blocks.count {
      let part = data[start..<(start + blocks.dataCount(block: block))]
      start = part.endIndex
      parts.append(part)
      checks.append(code.checkWords(of: part, count: blocks.checks))
    }
    var words: [UInt8] = []
    words.reserveCapacity(blocks.total)
    for place in 0..<blocks.dataCount(block: blocks.count - 1) {
      for part in parts where place < part.count { words.append(part[part.startIndex + place]) }
    }
    for place in 0..<blocks.checks { for check in checks { words.append(check[place]) } }
    return words
  }
}

extension QRContent {
  /// All segments with their heads.
  func bits(for version: QRVersion) throws(QREncodingError) -> BitWriter {
    var bits = BitWriter()
    if let place = structuredAppend {
      bits.append(3, bits: 4)
      bits.append(place.index, bits: 4)
      bits.append(place.count - 1, bits: 4)
      bits.append(Int(place.parity), bits: 8)
    }
    var characterSet: Int?
    var hasApplication = false
    for (number, segment) in segments.enumerated() {
      if let set = segment.characterSet, set != characterSet {
        bits.appendInterpretation(set)
        characterSet = set
      }
      if !hasApplication {
        hasApplication = true
        bits.append(application)
      }
      try bits.append(segment, number: number, version: version, escapes: application != nil)
    }
    return bits
  }
}

extension BitWriter {
  fileprivate mutating func append(_ application: QRApplication?) {
    switch application {
    case nil: break
    case .gs1: append(5, bits: 4)
    case .industry(let indicator):
      append(9, bits: 4)
      append(Int(indicator), bits: 8)
    }
  }

  /// The number of an extended channel interpretation, 0 … 999999 (ISO/IEC 18004, table 4).
  fileprivate mutating func appendInterpretation(_ number: Int) {
    append(7, bits: 4)
    if number < 1 << 7 {
      append(number, bits: 8)
    } else if number < 1 << 14 {
      append(0b10 << 14 | number, bits: 16)
    } else {
      append(0b110 << 21 | number, bits: 24)
    }
  }

  fileprivate mutating func append(
    _ segment: QRSegment,
    number: Int,
    version: QRVersion,
    escapes: Bool
  ) throws(QREncodingError) {
    append(segment.mode.indicator, bits: 4)
    let countBits = version.countBits(segment.mode)
    var bytes = segment.bytes
    // In application content a percent sign stands for the separator; a real one is doubled.
    if escapes && segment.mode == .alphanumeric {
      bytes = []
      for byte in segment.bytes {
        switch byte {
        case 37: bytes += [37, 37]
        case 29: bytes.append(37)
        default: bytes.append(byte)
        }
      }
    }
    // A count too large for its field needs more bits than any version of the range has, so it is refused by length.
    append(segment.mode == .kanji ? bytes.count / 2 : bytes.count, bits: countBits)
    var index = 0
    switch segment.mode {
    case .numeric:
      while index < bytes.count {
        let length = min(3, bytes.count - index)
        var value = 0
        for byte in bytes[index..<(index + length)] {
          guard byte >= 48, byte <= 57 else { throw .mode(segment: number) }
          value = value * 10 + Int(byte) - 48
        }
        append(value, bits: 3 * length + 1)
        index += length
      }
    case .alphanumeric:
      while index < bytes.count {
        guard let first = alphanumericValue(bytes[index]) else { throw .mode(segment: number) }
        if index + 1 < bytes.count {
          guard let second = alphanumericValue(bytes[index + 1]) else { throw .mode(segment: number) }
          append(first * 45 + second, bits: 11)
        } else {
          append(first, bits: 6)
        }
        index += 2
      }
    case .byte: for byte in bytes { append(Int(byte), bits: 8) }
    case .kanji:
      guard bytes.count % 2 == 0 else { throw .mode(segment: number) }
      while index < bytes.count {
        let code = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
        guard let value = kanjiValue(code) else { throw .mode(segment: number) }
        append(value, bits: 13)
        index += 2
      }
    }
  }
}
