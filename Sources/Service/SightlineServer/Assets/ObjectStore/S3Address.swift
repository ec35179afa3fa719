import Foundation
import SightlineStore

/// Where files lie in an S3-compatible store: `s3://bucket/prefix?endpoint=https://host:port&region=name`.
public struct S3Address: Equatable, Sendable, CustomStringConvertible {
  var bucket: String
  /// Before the names of files; empty, or with a slash at its end.
  var prefix: String
  /// `https://host:port`, without a path.
  var endpoint: String
  var region: String

  /// For people, and for a log: there is nothing secret in it.
  public var description: String { "s3://\(bucket)/\(prefix)" }

  /// Whether a text is meant as such an address.
  public static func isAddress(_ text: String) -> Bool { text.lowercased().hasPrefix("s3://") }

  /// Reads an address.
  ///
  /// - Throws: ``AssetPlaceError/badAddress(_:reason:)``.
  public init(_ text: String) throws {
    func refuse(_ reason: String) -> AssetPlaceError { .badAddress(String(text.prefix(300)), reason: reason) }
    guard Self.isAddress(text), !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      throw refuse("write s3://BUCKET/PREFIX?endpoint=https://HOST&region=NAME.")
    }
    let parts = text.dropFirst(5).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    bucket = String(path[0])
    let letters = bucket.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
    }
    guard (3...63).contains(bucket.utf8.count), letters, !bucket.hasPrefix("."), !bucket.contains("..") else {
      throw refuse("its bucket is not 3 to 63 small letters, digits, hyphens and dots.")
    }
    let folders = (path.count > 1 ? path[1] : "").split(separator: "/").map(String.init)
    guard !folders.contains(where: { $0 == "." || $0 == ".." }), (path.count > 1 ? path[1] : "").utf8.count <= 500
    else {
      throw refuse("its prefix has . or .. in it, or is longer than 500 bytes.")
    }
    prefix = folders.map { $0 + "/" }.joined()
    var (endpoint, region): (String?, String) = (nil, "us-east-1")
    var allowsPlain = false
    for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
      let sides = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard sides.count == 2, let value = sides[1].removingPercentEncoding, !value.isEmpty else {
        throw refuse("after its ? stands something other than NAME=VALUE.")
      }
      switch sides[0] {
      case "endpoint": endpoint = value
      case "region": region = value
      case "plain" where value == "1": allowsPlain = true
      default: throw refuse("after its ? can stand endpoint=, region= and plain=1, not \"\(sides[0])\".")
      }
    }
    guard region.utf8.count <= 64, region.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
      throw refuse("its region is not letters, digits and hyphens.")
    }
    self.region = region
    var base = endpoint ?? "https://s3.\(region).amazonaws.com"
    while base.hasSuffix("/") { base.removeLast() }
    if let fault = HTTPTransport.fault(in: base, allowsPlain: allowsPlain) {
      throw refuse("its endpoint \(fault). In a network of your own plain=1 allows http.")
    }
    guard let url = URL(string: base), url.path.isEmpty, url.query == nil, url.fragment == nil else {
      throw refuse("its endpoint has more than https://HOST:PORT.")
    }
    self.endpoint = base
  }
}
