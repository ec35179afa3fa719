import Crypto
import Foundation
import SightlineStore

/// Who asks an S3-compatible store.
public struct S3Credentials: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  let accessKey: String
  let secretKey: String
  let sessionToken: String?

  /// Credentials; a session token where they are for a while only.
  public init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.sessionToken = sessionToken
  }

  /// Nothing of them.
  public var description: String { "S3Credentials" }
  /// Nothing of them.
  public var debugDescription: String { description }
  /// Nothing of them.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Signature version 4 of a request to an S3-compatible store.
///
/// Source: "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)", Amazon S3 API Reference, whose
/// examples are this type's tests.
struct S3Signature {
  var credentials: S3Credentials
  var region: String
  var time: Date

  /// The headers that a request needs beyond its own.
  ///
  /// - Parameters:
  ///   - method: `GET`, `PUT` …
  ///   - path: The path, not encoded, beginning with a slash.
  ///   - query: Names and values, not encoded.
  ///   - headers: The headers to be signed, `host` among them, in small letters.
  ///   - payload: SHA-256 of the body, hexadecimal.
  /// - Returns: Those that were given, and those of the signature.
  func headers(
    method: String,
    path: String,
    query: [(String, String)] = [],
    headers: [String: String],
    payload: String
  ) -> [String: String] {
    let (day, instant) = Self.stamps(time)
    var signed = headers
    signed["x-amz-content-sha256"] = payload
    signed["x-amz-date"] = instant
    if let token = credentials.sessionToken { signed["x-amz-security-token"] = token }
    let names = signed.keys.sorted()
    let lines = names.map { "\($0):\((signed[$0] ?? "").trimmingCharacters(in: .whitespaces))\n" }.joined()
    let pairs = query.map { "\(Self.encode($0.0, keepsSlash: false))=\(Self.encode($0.1, keepsSlash: false))" }.sorted()
    let request = [
      method, Self.encode(path, keepsSlash: true), pairs.joined(separator: "&"), lines, names.joined(separator: ";"),
      payload,
    ].joined(separator: "\n")
    let scope = "\(day)/\(region)/s3/aws4_request"
    let text = "AWS4-HMAC-SHA256\n\(instant)\n\(scope)\n\(Self.digest(Data(request.utf8)))"
    var key = SymmetricKey(data: Data("AWS4\(credentials.secretKey)".utf8))
    for part in [day, region, "s3", "aws4_request"] {
      key = SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: key))
    }
    let signature = Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)).hexadecimal
    signed["authorization"] =
      "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope),SignedHeaders=\(names.joined(separator: ";")),"
      + "Signature=\(signature)"
    return signed
  }

  /// SHA-256, hexadecimal.
  static func digest(_ bytes: Data) -> String { Data(SHA256.hash(data: bytes)).hexadecimal }

  /// `20130524` and `20130524T000000Z`.
  private static func stamps(_ time: Date) -> (day: String, instant: String) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: time)
    func digits(_ number: Int?, _ count: Int) -> String {
      let text = "\(number ?? 0)"
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let day = digits(parts.year, 4) + digits(parts.month, 2) + digits(parts.day, 2)
    return (day, "\(day)T\(digits(parts.hour, 2))\(digits(parts.minute, 2))\(digits(parts.second, 2))Z")
  }

  /// All but letters, digits, `-`, `.`, `_` and `~` as `%XX`.
  static func encode(_ text: String, keepsSlash: Bool) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      case UInt8(ascii: "/") where keepsSlash: bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
