extension FetchError: ProblemConvertible {
  var problem: RequestProblem {
    switch self {
    case .malformed:
      .badRequest("open.url-malformed", "The address is empty, too long, or holds blanks or control characters.")
    case .incomplete(let text):
      .badRequest(
        "open.url-malformed",
        "\"\(text.prefix(200))\" is not a complete address; it begins with http:// or https://."
      )
    case .scheme(let scheme):
      .badRequest(
        "open.scheme",
        "Addresses that begin with \"\(scheme.prefix(30)):\" are not fetched; use http: or https:."
      )
    case .userName:
      .badRequest("open.userinfo", "The address holds a user name. Remove what stands before the @ sign.")
    case .noHost: .badRequest("open.host", "The address has no host name, or one that no host can have.")
    case .port(let port): .badRequest("open.port", "There is no port \(port).")
    case .refused(let host, let reason, let ports):
      RequestProblem(
        .forbidden,
        "open.address-refused",
        "This server does not fetch from \(host): it leads to \(reason). Only public addresses on the ports "
          + "\(ports.map(String.init).joined(separator: ", ")) are fetched; the operator can allow private ones with "
          + "--allow-private-proxy."
      )
    case .busy:
      RequestProblem(
        .serviceUnavailable,
        "open.busy",
        "The server is fetching too much at the moment. Try again shortly.",
        headers: [.retryAfter: "2"]
      )
    case .tooMany:
      RequestProblem(
        .tooManyRequests,
        "open.too-many",
        "Too many fetches are running for you. Try again when some have ended.",
        headers: [.retryAfter: "1"]
      )
    case .timeout(let host):
      RequestProblem(.gatewayTimeout, "open.timeout", "\(host) did not answer in time. Try again later.")
    default: gatewayProblem
    }
  }

  /// 502: the foreign host is to blame.
  private var gatewayProblem: RequestProblem {
    switch self {
    case .unresolved(let host):
      RequestProblem(
        .badGateway,
        "open.unresolved",
        "The host \(host) is not known. Check the spelling of the address."
      )
    case .redirects(let host, let limit):
      RequestProblem(
        .badGateway,
        "open.redirects",
        "\(host) redirects more than \(limit) times. Open the final address instead."
      )
    case .status(let host, let code, let phrase):
      RequestProblem(.badGateway, "open.status", "\(host) answered \(code) \(phrase).")
    case .unreachable(let host, let port):
      RequestProblem(.badGateway, "open.unreachable", "\(host) does not take connections on port \(port).")
    case .tooLarge(let host, let limit):
      RequestProblem(
        .badGateway,
        "open.too-large",
        "What \(host) sends is larger than \(limit / 1_048_576) MiB, the most that is fetched."
      )
    case .insecure(let host):
      RequestProblem(
        .badGateway,
        "open.tls",
        "The secure connection to \(host) failed: its certificate is not trusted, or it speaks no TLS."
      )
    case .failed(let host):
      RequestProblem(.badGateway, "open.failed", "\(host) broke off, or its answer is not well-formed HTTP.")
    default: RequestProblem(.badGateway, "open.failed", "The foreign host did not answer as it should.")
    }
  }
}

extension ServiceError: ProblemConvertible {
  var problem: RequestProblem {
    switch self {
    case .mapUnreadable:
      RequestProblem(
        .badGateway,
        "osm.unreadable",
        "What the map service sent could not be read as its JSON; it may be busy. Try again in a minute."
      )
    case .mapBusy:
      RequestProblem(
        .serviceUnavailable,
        "osm.busy",
        "This server has asked OpenStreetMap's service as often as it may for the moment. Try again in a minute.",
        headers: [.retryAfter: "60"]
      )
    case .geocoderUnreadable:
      RequestProblem(
        .badGateway,
        "geocode.unreadable",
        "What the geocoder sent is neither GeoJSON nor a list of places. Its operator has to look at --geocoder."
      )
    case .geocoderBusy:
      RequestProblem(
        .serviceUnavailable,
        "geocode.busy",
        "This server has asked its geocoder as often as it may for the moment. Try again in a minute.",
        headers: [.retryAfter: "60"]
      )
    }
  }
}
