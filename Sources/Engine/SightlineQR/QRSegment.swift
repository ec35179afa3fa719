/// How characters are packed.
public enum QRMode: UInt8, CaseIterable, Sendable {
  /// Digits, three in ten bits.
  case numeric
  /// Digits, capitals and `$%*+-./:` with blank, two in eleven bits.
  case alphanumeric
  /// Bytes.
  case byte
  /// Two-byte characters of Shift JIS, in 13 bits.
  case kanji

  /// The four bits before a segment.
  var indicator: Int { [1, 2, 4, 8][Int(rawValue)] }
}

/// A stretch of the content in one mode.
public struct QRSegment: Equatable, Sendable {
  /// How it is packed.
  public var mode: QRMode
  /// The character set in force by an extended channel interpretation (26 is UTF-8, 20 Shift JIS, 3 ISO 8859-1); `nil` when
  /// none was named.
  ///
  /// The bytes of a kanji segment are Shift JIS whatever is in force.
  public var characterSet: Int?
  /// Its bytes.
  public var bytes: [UInt8]

  /// A segment from its parts.
  public init(mode: QRMode, characterSet: Int? = nil, bytes: [UInt8]) {
    self.mode = mode
    self.characterSet = characterSet
    self.bytes = bytes
  }
}

/// The place of a code among several that belong together.
public struct QRStructuredAppend: Equatable, Sendable {
  /// 0 … 15.
  public var index: Int
  /// How many there are, 1 … 16.
  public var count: Int
  /// All bytes of the whole content, combined by exclusive or; equal in all codes that belong together.
  public var parity: UInt8

  /// A place from its parts.
  public init(index: Int, count: Int, parity: UInt8) {
    self.index = index
    self.count = count
    self.parity = parity
  }
}

/// That content follows an industry's rules.
public enum QRApplication: Equatable, Sendable {
  /// GS1 element strings (FNC1 in first position); a byte 29 parts them.
  case gs1
  /// An application by its indicator, 0 … 99 or 100 + a letter (FNC1 in second position).
  case industry(UInt8)
}

/// What a code says.
public struct QRContent: Equatable, Sendable {
  /// The content, in order.
  public var segments: [QRSegment]
  /// The code's place when it is one of several.
  public var structuredAppend: QRStructuredAppend?
  /// The rules it follows, if any.
  public var application: QRApplication?

  /// Content from its parts.
  public init(
    segments: [QRSegment],
    structuredAppend: QRStructuredAppend? = nil,
    application: QRApplication? = nil
  ) {
    self.segments = segments
    self.structuredAppend = structuredAppend
    self.application = application
  }

  /// The bytes of all segments.
  public var bytes: [UInt8] {
    var all: [UInt8] = []
    for segment in segments { all.append(contentsOf: segment.bytes) }
    return all
  }
}

/// The value of a character in the alphanumeric mode; `nil` for one it does not have (ISO/IEC 18004, table 5).
func alphanumericValue(_ byte: UInt8) -> Int? {
  switch byte {
  case 48...57: return Int(byte) - 48
  case 65...90: return Int(byte) - 55
  default:
    for index in 0..<9 where alphanumericSigns[index] == byte { return 36 + index }
    return nil
  }
}

/// The character with a value of 0 … 44 in the alphanumeric mode.
func alphanumericByte(_ value: Int) -> UInt8 {
  if value < 10 { return UInt8(48 + value) }
  return value < 36 ? UInt8(55 + value) : alphanumericSigns[value - 36]
}

/// Blank and `$%*+-./:`.
private let alphanumericSigns: [UInt8] = [32, 36, 37, 42, 43, 45, 46, 47, 58]
