import Crypto
import Foundation
import SightlineInput

/// Codes that change every 30 seconds (RFC 6238, with SHA-1 and six digits: what all authenticator programs know).
enum TimeCode {
  /// How long a code holds, seconds.
  static let period: Int64 = 30
  /// Digits of a code.
  static let digits = 6
  /// Bytes of a secret: as many as SHA-1 gives (RFC 4226, 4, R6).
  static let secretBytes = 20
  /// How many steps the clocks may differ, each way.
  static let tolerance: Int64 = 1

  /// The number of the 30 seconds that a time lies in.
  static func step(at time: Date) -> Int64 {
    Int64(clamped: (time.timeIntervalSince1970 / Double(period)).rounded(.down))
  }

  /// The code of a step.
  ///
  /// Source: RFC 4226, 5.3 and RFC 6238, 4.
  static func code(_ secret: Data, step: Int64, digits: Int = TimeCode.digits) -> String {
    var counter = step.bigEndian
    let message = withUnsafeBytes(of: &counter) { Data($0) }
    let hash = Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: secret)))
    let offset = Int(hash[hash.count - 1] & 15)
    let word = hash[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    let modulus = (0..<digits).reduce(UInt32(1)) { product, _ in product &* 10 }
    let text = String(word % modulus)
    return String(repeating: "0", count: digits - text.count) + text
  }

  /// The step whose code was typed, if it is one of those that hold now and comes after `last`.
  ///
  /// All steps are looked at, so that the time tells nothing about which it was.
  static func step(of typed: String, secret: Data, after last: Int64, at time: Date) -> Int64? {
    let text = typed.filter { !$0.isWhitespace }
    let now = step(at: time)
    var found: Int64?
    for step in now.saturatingSubtract(tolerance)...now.saturatingAdd(tolerance) {
      let isEqual = SecretToken.equal(code(secret, step: step).utf8, text.utf8)
      if isEqual, step > last, found == nil { found = step }
    }
    return found
  }

  /// The address that authenticator programs read out of a code.
  ///
  /// Source: the "Key URI Format" that they share; issuer and name are in both places, for programs that read only one.
  static func address(_ secret: Data, name: String, issuer: String) -> String {
    let (issuer, name) = (FormFields.encode(issuer), FormFields.encode(name))
    return "otpauth://totp/\(issuer):\(name)?secret=\(Base32.encode(secret))&issuer=\(issuer)"
      + "&algorithm=SHA1&digits=\(digits)&period=\(period)"
  }
}

/// Base 32 (RFC 4648, 6), without padding.
enum Base32 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  /// Bytes as letters.
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var (buffer, bits): (UInt32, Int) = (0, 0)
    var text: [UInt8] = []
    for byte in bytes {
      buffer = (buffer & 0xFF) << 8 | UInt32(byte)
      bits += 8
      while bits >= 5 {
        bits -= 5
        text.append(alphabet[Int(buffer >> bits & 31)])
      }
    }
    if bits > 0 { text.append(alphabet[Int(buffer << (5 - bits) & 31)]) }
    return String(decoding: text, as: UTF8.self)
  }
}

/// Codes for the day when the device with the second factor is gone: each opens once.
enum RecoveryCode {
  /// How many there are.
  static let count = 10
  /// Bytes of a code: 120 bits, too many to be tried, so that a plain hash is enough to keep it.
  private static let bytes = 15
  private static let group = 4

  /// Ten new ones, as they are shown: `K4QZ-…`, six groups of four.
  static func make() -> [String] {
    (0..<count).map { _ in
      let letters = Array(Base32.encode(SecretToken.bytes(bytes)))
      return stride(from: 0, to: letters.count, by: group)
        .map { String(letters[$0..<min($0 + group, letters.count)]) }.joined(separator: "-")
    }
  }

  /// What of a code is stored; `nil` for what cannot be one.
  static func digest(_ typed: String) -> Data? {
    let letters = typed.uppercased().filter { $0.isLetter || $0.isNumber }
    guard letters.utf8.count == bytes * 8 / 5 else { return nil }
    return SecretToken.digest("recovery " + letters)
  }
}
