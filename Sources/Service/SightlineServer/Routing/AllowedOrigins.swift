import HTTPTypes
import Hummingbird

/// The origins whose pages may read what this server answers to everybody: worlds, files, the client's modules.
///
/// Never with cookies: no answer allows credentials, and what a request with a cookie gets is not opened. So a page elsewhere
/// sees what anybody sees who has no account. Answers that say `*` themselves stay open to all.
public struct AllowedOrigins: Equatable, Sendable {
  private var isEverybody = false
  private var origins: Set<String> = []

  /// No origin beside the server's own.
  public static let none = AllowedOrigins()

  private init() {}

  /// Reads `https://example.org,http://localhost:3000`, `*` for every origin, or `none`; `nil` when it is none of these.
  ///
  /// An origin is scheme, host and, where it is not the usual one, port, as browsers send it: small letters, no path.
  public init?(_ text: String) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let word = part.trimming()
      switch word {
      case "none": continue
      case "*": isEverybody = true
      default:
        guard let origin = AllowedOrigins.origin(String(word)) else { return nil }
        origins.insert(origin)
      }
    }
  }

  /// Whether only the server's own pages may read.
  var isEmpty: Bool { !isEverybody && origins.isEmpty }

  /// What browsers send for the same origin; `nil` for what is none.
  private static func origin(_ text: String) -> String? {
    let text = text.lowercased()
    for (scheme, usual) in [("https://", ":443"), ("http://", ":80")] where text.hasPrefix(scheme) {
      let host = text.dropFirst(scheme.count)
      guard HostName.isWellFormed(String(host)) else { return nil }
      return host.hasSuffix(usual) ? scheme + host.dropLast(usual.count) : text
    }
    return nil
  }

  /// Field names that a page elsewhere may send, and those of answers that it may read.
  private static let sent = "Accept, Accept-Language, Content-Type, If-None-Match"
  private static let read = "Content-Length, ETag, Retry-After, X-Request-ID"

  /// Opens an answer to the page that asks, when its origin is one of these.
  func open(_ headers: inout HTTPFields, to request: HTTPFields) {
    guard !isEmpty else { return }
    // What is answered depends on who asks, for caches between as well.
    if !isEverybody { headers.appendVary("Origin") }
    guard request[.cookie] == nil, headers[.accessControlAllowOrigin] == nil else { return }
    guard let origin = request[.origin] else {
      // Styles and pictures are loaded without saying for whom; the page does not get to read them.
      headers[.crossOriginResourcePolicy] = "cross-origin"
      return
    }
    guard isEverybody || origins.contains(origin) else { return }
    headers[.accessControlAllowOrigin] = isEverybody ? "*" : origin
    headers[.accessControlExposeHeaders] = AllowedOrigins.read
    headers[.crossOriginResourcePolicy] = "cross-origin"
  }

  /// The answer to a browser that asks before it sends a request to an address with these methods.
  func answerBeforehand(_ request: HTTPFields, allow: String) -> Response {
    var headers: HTTPFields = [.allow: allow]
    if request[.accessControlRequestMethod] != nil {
      headers[.accessControlAllowMethods] = allow
      headers[.accessControlAllowHeaders] = AllowedOrigins.sent
      headers[.accessControlMaxAge] = "86400"
    }
    return Response(status: .noContent, headers: headers)
  }
}

extension HTTPFields {
  /// Adds a name to `Vary`, which may have some.
  fileprivate mutating func appendVary(_ name: String) {
    self[.vary] = self[.vary].map { "\($0), \(name)" } ?? name
  }
}
