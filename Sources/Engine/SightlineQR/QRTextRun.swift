/// Neighbouring segments of one character set: a character may begin in one segment and end in the next.
public struct QRTextRun: Equatable, Sendable {
  /// The set that was named, in the numbers of AIM's register (20 is Shift JIS, 26 UTF-8, 3 ISO 8859-1); `nil` for none.
  public var named: Int?
  /// What the bytes look like, for when none was named or the bytes are not of it: 26, 20 or 3.
  public var likely: Int
  /// All its bytes.
  public var bytes: [UInt8]
}

extension QRContent {
  /// The content by character sets, in order.
  ///
  /// Kanji segments are Shift JIS whatever is named. Bytes of no named set are UTF-8 when they can be; else Shift JIS when
  /// they can be and look like it; else ISO 8859-1, which the standard has in mind and in which every byte means something.
  public var textRuns: [QRTextRun] {
    var runs: [QRTextRun] = []
    for segment in segments {
      let named = segment.mode == .kanji ? 20 : segment.characterSet
      if let last = runs.indices.last, runs[last].named == named {
        runs[last].bytes.append(contentsOf: segment.bytes)
      } else {
        runs.append(QRTextRun(named: named, likely: 3, bytes: segment.bytes))
      }
    }
    for index in runs.indices {
      let bytes = runs[index].bytes
      runs[index].likely = isUTF8(bytes) ? 26 : looksLikeShiftJIS(bytes) ? 20 : 3
    }
    return runs
  }
}

/// Whether bytes are well-formed UTF-8 (RFC 3629: no surrogates, nothing longer than needed).
private func isUTF8(_ bytes: [UInt8]) -> Bool {
  var index = 0
  while index < bytes.count {
    let first = bytes[index]
    index += 1
    if first < 0x80 { continue }
    guard first >= 0xC2, first <= 0xF4 else { return false }
    let more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3
    guard index + more <= bytes.count else { return false }
    let (low, high): (UInt8, UInt8) =
      switch first {
      case 0xE0: (0xA0, 0xBF)
      case 0xED: (0x80, 0x9F)
      case 0xF0: (0x90, 0xBF)
      case 0xF4: (0x80, 0x8F)
      default: (0x80, 0xBF)
      }
    guard bytes[index] >= low, bytes[index] <= high else { return false }
    for place in 1..<3 where place < more {
      guard bytes[index + place] & 0xC0 == 0x80 else { return false }
    }
    index += more
  }
  return true
}

/// Whether bytes are Shift JIS (JIS X 0208, annex 1) rather than ISO 8859-1.
///
/// Every byte beyond ASCII has to be half of a two-byte character or half-width katakana. Lead bytes below A0 are control
/// characters in ISO 8859-1 and decide. Lead bytes from E0 on are its small letters with accents, mostly before an ASCII
/// letter: alone they say nothing, or speak against it. Half-width katakana is spread over signs and capitals of ISO 8859-1
/// and stands in words, capitals with accents stand alone: three in a row with a sign or a voiced mark after a letter that
/// can have one speak for it.
private func looksLikeShiftJIS(_ bytes: [UInt8]) -> Bool {
  var (hasControl, supporting, opposing) = (false, 0, 0)
  // Katakana in a row, the last of them, and whether it has what capitals do not have.
  var (row, last, isWord): (Int, UInt8, Bool) = (0, 0, false)
  func endRow() {
    if row >= 3 && isWord { supporting += row } else { opposing += row }
    (row, last, isWord) = (0, 0, false)
  }
  var index = 0
  while index < bytes.count {
    let byte = bytes[index]
    index += 1
    if (0xA1...0xDF).contains(byte) {
      row += 1
      switch byte {
      // Guillemets and inverted marks stand before capitals.
      case 0xA1, 0xAB, 0xBB, 0xBF: break
      case 0xA2...0xBE: isWord = true
      // Voiced marks: after ka to to and ha to ho, or after ha to ho alone.
      case 0xDE: isWord = isWord || (0xB6...0xC4).contains(last) || (0xCA...0xCE).contains(last)
      case 0xDF: isWord = isWord || (0xCA...0xCE).contains(last)
      default: break
      }
      last = byte
      continue
    }
    endRow()
    if byte < 0x80 { continue }
    guard (0x81...0x9F).contains(byte) || (0xE0...0xEA).contains(byte), index < bytes.count else { return false }
    let next = bytes[index]
    guard (0x40...0xFC).contains(next), next != 0x7F else { return false }
    index += 1
    if byte < 0xA0 { hasControl = true } else if next < 0x80 { opposing += 1 }
  }
  endRow()
  return hasControl || supporting > opposing
}
