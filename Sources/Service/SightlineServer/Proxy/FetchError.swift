/// Why a foreign address is not fetched, or nothing came from it.
enum FetchError: Error, Equatable {
  /// The address is empty, too long, or holds blanks or control characters.
  case malformed
  /// It is not complete.
  case incomplete(String)
  /// Addresses of this scheme are not fetched.
  case scheme(String)
  /// It holds a user name.
  case userName
  /// It has no host name, or one that no host can have.
  case noHost
  /// There is no such port.
  case port(Int)
  /// The host leads to addresses that are not asked: what they are, and the ports that public ones may have.
  case refused(host: String, reason: String, ports: [Int])
  /// The host is not known.
  case unresolved(host: String)
  /// The host redirects more often than is followed.
  case redirects(host: String, limit: Int)
  /// The host answered with this status.
  case status(host: String, code: Int, phrase: String)
  /// The host takes no connections on the port.
  case unreachable(host: String, port: Int)
  /// What it sends is larger than is fetched, bytes.
  case tooLarge(host: String, limit: Int)
  /// It did not answer in time.
  case timeout(host: String)
  /// Its certificate is not trusted, or it speaks no TLS.
  case insecure(host: String)
  /// It broke off, or its answer is not well-formed HTTP.
  case failed(host: String)
  /// The server fetches as much as it may.
  case busy
  /// It fetches as much for this network as it may.
  case tooMany
}
