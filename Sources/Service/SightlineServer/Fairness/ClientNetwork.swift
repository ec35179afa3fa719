import NIOCore

/// Whose requests are counted together: an IPv4 address, or the first 64 bits of an IPv6 address, for one household has
/// all the rest of those.
struct ClientNetwork: Hashable, Sendable, CustomStringConvertible {
  private let bits: UInt64
  private let isVersion6: Bool

  /// The network of an address; an IPv4 address in IPv6 form (`::ffff:192.0.2.1`) is the IPv4 one.
  init(_ address: NetworkAddress) {
    // An IPv4 client of a socket for both kinds is one of IPv4.
    let bytes = address.unmapped.bytes
    bits = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    isVersion6 = bytes.count == 16
  }

  /// The network of the other end of a connection; `nil` for one without an address, such as a Unix socket.
  init?(_ socket: SocketAddress?) {
    guard let socket, let address = NetworkAddress(socket) else { return nil }
    self.init(address)
  }

  /// `192.0.2.1`, or `2001:db8:0:1::/64`.
  var description: String {
    if isVersion6 {
      let groups = (0..<4).map { String((bits >> (48 - 16 * $0)) & 0xFFFF, radix: 16) }
      return groups.joined(separator: ":") + "::/64"
    }
    return "\(bits >> 24).\(bits >> 16 & 0xFF).\(bits >> 8 & 0xFF).\(bits & 0xFF)"
  }

  /// For whom the work at hand is done, so that queues deep below a route can be fair without being told by each layer.
  ///
  /// Empty for the server's own work.
  static var current: String { scope.get() }

  /// Where ``current`` is held; without the macro, which tools that read the sources one by one do not have.
  static let scope = TaskLocal<String>(wrappedValue: "")
}
