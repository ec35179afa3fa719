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
  /// - Throws: A problem that says what is wrong with it.
  init(_ text: String, relativeTo base: ProxyTarget? = nil) throws(RequestProblem) {
    let text = String(text.trimming())
    guard !text.isEmpty, text.utf8.count <= 4096,
      !text.unicodeScalars.contains(where: { $0.value < 0x21 || $0.value == 0x7F || $0 == "\\" })
    else {
      throw .badRequest("open.url-malformed", "The address is empty, too long, or holds blanks or control characters.")
    }
    guard let resolved = URL(string: text, relativeTo: base?.url)?.absoluteURL,
      var parts = URLComponents(url: resolved, resolvingAgainstBaseURL: true), let scheme = parts.scheme?.lowercased()
    else {
      throw .badRequest(
        "open.url-malformed",
        "\"\(text.prefix(200))\" is not a complete address; it begins with http:// or https://."
      )
    }
    guard ["http", "https", "gamaray"].contains(scheme) else {
      throw .badRequest(
        "open.scheme",
        "Addresses that begin with \"\(scheme.prefix(30)):\" are not fetched; use http: or https:."
      )
    }
    guard parts.user == nil, parts.password == nil else {
      throw .badRequest("open.userinfo", "The address holds a user name. Remove what stands before the @ sign.")
    }
    isSecure = scheme == "https"
    parts.scheme = isSecure ? "https" : "http"
    parts.fragment = nil
    if parts.percentEncodedPath.isEmpty { parts.percentEncodedPath = "/" }
    // Letters outside ASCII stand in their xn-- form here, by the rules of the URL library alone.
    guard let host = parts.encodedHost?.lowercased(), !host.isEmpty, !host.contains("%"),
      host.utf8.allSatisfy({ $0 < 0x80 })
    else {
      throw .badRequest("open.host", "The address has no host name, or one that no host can have.")
    }
    port = parts.port ?? (isSecure ? 443 : 80)
    guard (1...65535).contains(port) else {
      throw .badRequest("open.port", "There is no port \(port).")
    }
    parts.encodedHost = host
    guard let url = parts.url, let urlHost = url.host else {
      throw .badRequest("open.url-malformed", "\"\(text.prefix(200))\" is not a complete address.")
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
  func permitted(_ addresses: [NetworkAddress], by policy: ProxyPolicy) throws(RequestProblem) -> [NetworkAddress] {
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
      let ports = policy.ports.sorted().map(String.init).joined(separator: ", ")
      throw RequestProblem(
        .forbidden,
        "open.address-refused",
        "This server does not fetch from \(host): it leads to \(refusal). Only public addresses on the ports \(ports) "
          + "are fetched; the operator can allow private ones with --allow-private-proxy."
      )
    }
    return allowed
  }
}
