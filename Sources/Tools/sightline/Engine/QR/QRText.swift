import Foundation
import SightlineQR

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Texts of codes, to and from the bytes in them.
enum QRText {
  /// What a code says, as text.
  ///
  /// Which set bytes without a named one are likely of is for the engine to say, see `QRTextRun`.
  static func text(of content: QRContent) -> String {
    content.textRuns.map { run in
      if let named = run.named, let text = decode(run.bytes, name(ofInterpretation: named)) { return text }
      if run.likely != 3, let text = decode(run.bytes, name(ofInterpretation: run.likely)) { return text }
      return String(String.UnicodeScalarView(run.bytes.map { Unicode.Scalar($0) }))
    }.joined()
  }

  /// The characters of a text, ready for the encoder: UTF-8, and Shift JIS where a character has a kanji's code there.
  static func characters(of text: String) -> [QRCharacter] {
    text.unicodeScalars.map { scalar in
      var packed: UInt32 = 0
      var count = 0
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
        packed |= UInt32(byte) << UInt32(clamping: 8 * count)
        count += 1
      }
      var kanji: UInt16?
      if count > 1, let bytes = convert(Array(String(scalar).utf8), from: "UTF-8", to: "CP932"), bytes.count == 2,
        decode(bytes, "CP932") == String(scalar)
      {
        kanji = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
      }
      return QRCharacter(bytes: packed, byteCount: count, shiftJIS: kanji)
    }
  }

  private static func decode(_ bytes: [UInt8], _ set: String) -> String? {
    if set == "UTF-8" { return String(validating: bytes, as: UTF8.self) }
    return convert(bytes, from: set, to: "UTF-8").flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// The C library's name of an extended channel interpretation (AIM ECI register).
  private static func name(ofInterpretation number: Int) -> String {
    switch number {
    case 0, 2: "CP437"
    case 1: "ISO-8859-1"
    case 3...18: "ISO-8859-\(number - 2)"
    case 20: "CP932"
    case 21: "CP1250"
    case 22: "CP1251"
    case 23: "CP1252"
    case 24: "CP1256"
    case 25: "UTF-16BE"
    case 26: "UTF-8"
    case 27: "ASCII"
    case 28: "BIG5"
    case 29, 31: "GBK"
    case 30: "EUC-KR"
    case 32: "GB18030"
    case 33: "UTF-16LE"
    case 34: "UTF-32BE"
    case 35: "UTF-32LE"
    default: "unknown"
    }
  }

  /// Bytes in another character set; `nil` when a set is not known or a character cannot be said.
  private static func convert(_ bytes: [UInt8], from: String, to: String) -> [UInt8]? {
    let descriptor = iconv_open(to, from)
    guard Int(bitPattern: descriptor) != -1 else { return nil }
    defer { iconv_close(descriptor) }
    var input = bytes.map { CChar(bitPattern: $0) }
    var output = [CChar](repeating: 0, count: 4 * bytes.count + 16)
    let written: Int? = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var (from, to) = (input.baseAddress, output.baseAddress)
        var (left, free) = (input.count, output.count)
        guard iconv(descriptor, &from, &left, &to, &free) != -1, left == 0 else { return nil }
        return output.count - free
      }
    }
    return written.map { output[0..<$0].map { UInt8(bitPattern: $0) } }
  }
}
