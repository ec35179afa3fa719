import Foundation

/// What the server fetches for others.
public struct ProxyPolicy: Sendable {
  /// Whether private addresses and this machine itself may be asked.
  ///
  /// Off: a stranger could otherwise look round in the operator's network through the server.
  public var allowsPrivateAddresses = false
  /// Ports of public addresses.
  ///
  /// A private address may have any port when private addresses are allowed.
  public var ports: Set<Int> = [80, 443]
  /// Longest answer, bytes, after decompression.
  public var largestBody = 8 * 1024 * 1024
  /// Time for the whole of a fetch, redirects included.
  public var timeLimit = Duration.seconds(30)
  /// Time to connect.
  public var connectLimit = Duration.seconds(10)
  /// Redirects that are followed.
  public var redirectLimit = 5
  /// Fetches at a time, for all clients and for each.
  public var concurrentFetches = 64
  /// Fetches at a time for one client address.
  public var concurrentFetchesPerClient = 12

  /// The usual rules.
  public init() {}
}

/// An address that may be fetched, as far as its text tells.
struct ProxyTarget: Equatable, Sendable {
  let url: URL
  let isSecure: Bool
  let host: String
  let port: Int

  /// Scheme, host and port, for comparing origins.
  var absolute: String { url.absoluteString }

  /// Reads and checks an address.
  ///
  /// `gamaray:` is another name for `http:`.
  ///
  /// - Parameters:
  ///   - text: As the client or a `Location` field gave it.
  ///   - base: What a relative address in a redirect is resolved against.
  /// - Throws: What is wrong with it.
  init(_ text: String, relativeTo base: ProxyTarget? = nil) throws(FetchError) {
    let text = String(text.trimming())
    guard !text.isEmpty, text.utf8.count <= 4096,
      !text.unicodeScalars.contains(where: { $0.value < 0x21 || $0.value == 0x7F || $0 == "\\" })
    else {
      throw .malformed
    }
    guard let resolved = URL(string: text, relativeTo: base?.url)?.absoluteURL,
      var parts = URLComponents(url: resolved, resolvingAgainstBaseURL: true), let scheme = parts.scheme?.lowercased()
    else {
      throw .incomplete(text)
    }
    guard ["http", "https", "gamaray"].contains(scheme) else {
      throw .scheme(scheme)
    }
    guard parts.user == nil, parts.password == nil else {
      throw .userName
    }
    isSecure = scheme == "https"
    parts.scheme = isSecure ? "https" : "http"
    parts.fragment = nil
    if parts.percentEncodedPath.isEmpty { parts.percentEncodedPath = "/" }
    // Letters outside ASCII stand in their xn-- form here, by the rules of the URL library alone.
    guard let host = parts.encodedHost?.lowercased(), !host.isEmpty, !host.contains("%"),
      host.utf8.allSatisfy({ $0 < 0x80 })
    else {
      throw .noHost
    }
    port = parts.port ?? (isSecure ? 443 : 80)
    guard (1...65535).contains(port) else {
      throw .port(port)
    }
    parts.encodedHost = host
    guard let url = parts.url, let urlHost = url.host else {
      throw .incomplete(text)
    }
    self.url = url
    // As the HTTP client will see it: without the brackets of an IPv6 literal.
    self.host = urlHost
  }

  /// Whether what was meant for the other may be sent here: the same host, at the same port or at the secure one in place
  /// of the usual insecure one.
  func isSameHost(as other: ProxyTarget) -> Bool {
    guard host == other.host else { return false }
    return (port == other.port && isSecure == other.isSecure) || (isSecure && port == 443 && other.port == 80)
  }

  /// Refuses addresses that this target must not lead to, and returns the others in their order.
  func permitted(_ addresses: [NetworkAddress], by policy: ProxyPolicy) throws(FetchError) -> [NetworkAddress] {
    var refusal = "no address"
    let allowed = addresses.filter { address in
      switch address.reach {
      case .global:
        guard policy.ports.contains(port) else {
          refusal = "port \(port)"
          return false
        }
        return true
      case .local:
        refusal = "a private address"
        return policy.allowsPrivateAddresses
      case .never(let reason):
        refusal = "an address that is \(reason)"
        return false
      }
    }
    guard !allowed.isEmpty else {
      throw .refused(host: host, reason: refusal, ports: policy.ports.sorted())
    }
    return allowed
  }
}
