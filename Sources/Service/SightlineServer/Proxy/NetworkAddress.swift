import Foundation
import NIOCore

/// An IP address as its bytes, most significant first.
struct NetworkAddress: Equatable, Hashable, Sendable, CustomStringConvertible {
  /// 4 or 16 bytes.
  let bytes: [UInt8]

  /// What an address leads to, as far as requests on behalf of strangers are concerned.
  enum Reach: Equatable, Sendable {
    /// The public Internet.
    case global
    /// This machine or its own network; reachable if the operator allows it.
    case local
    /// Nothing that a world could be fetched from, whatever is allowed: the reason.
    case never(String)
  }

  /// Reads the usual notation of IPv4 and IPv6; `nil` for anything else, short IPv4 forms such as `127.1` included.
  init?(_ text: String) {
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      bytes = withUnsafeBytes(of: &four) { Array($0) }
      return
    }
    var six = in6_addr()
    guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
    bytes = withUnsafeBytes(of: &six) { Array($0) }
  }

  /// The address of a socket; `nil` for Unix sockets.
  init?(_ socket: SocketAddress) {
    switch socket {
    case .v4(let address):
      var value = address.address.sin_addr
      bytes = withUnsafeBytes(of: &value) { Array($0) }
    case .v6(let address):
      var value = address.address.sin6_addr
      bytes = withUnsafeBytes(of: &value) { Array($0) }
    case .unixDomainSocket: return nil
    }
  }

  /// Four bytes.
  init(version4 first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) {
    bytes = [first, second, third, fourth]
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// This machine, by IPv6.
  static let version6Loopback = NetworkAddress(bytes: [UInt8](repeating: 0, count: 15) + [1])

  /// The IPv4 address that an IPv6 one stands for (`::ffff:192.0.2.1`), or the address itself.
  var unmapped: NetworkAddress {
    guard bytes.count == 16, begins([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], bits: 96) else { return self }
    return NetworkAddress(bytes: Array(bytes[12...]))
  }

  /// The usual notation.
  var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    _ = bytes.withUnsafeBytes { raw in
      inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, raw.baseAddress, &text, socklen_t(text.count))
    }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Whether the first bits are those of a prefix.
  func begins(_ prefix: [UInt8], bits: Int) -> Bool {
    for bit in 0..<bits {
      let mask = UInt8(0x80) >> (bit % 8)
      if (bytes[bit / 8] ^ prefix[bit / 8]) & mask != 0 { return false }
    }
    return true
  }

  /// Where the address leads, by the special-purpose registries of IANA (RFC 6890 and its successors).
  var reach: Reach { bytes.count == 4 ? reachOfVersion4 : reachOfVersion6 }

  private var reachOfVersion4: Reach {
    let local: [([UInt8], Int)] = [
      ([10, 0, 0, 0], 8), ([172, 16, 0, 0], 12), ([192, 168, 0, 0], 16), ([127, 0, 0, 0], 8), ([100, 64, 0, 0], 10),
    ]
    if local.contains(where: { begins($0.0, bits: $0.1) }) { return .local }
    let never: [([UInt8], Int, String)] = [
      ([0, 0, 0, 0], 8, "\"this network\""), ([169, 254, 0, 0], 16, "link-local"),
      ([192, 0, 0, 0], 24, "for protocols"), ([192, 0, 2, 0], 24, "for documentation"),
      ([192, 88, 99, 0], 24, "6to4 relay"), ([198, 18, 0, 0], 15, "for benchmarks"),
      ([198, 51, 100, 0], 24, "for documentation"), ([203, 0, 113, 0], 24, "for documentation"),
      ([224, 0, 0, 0], 4, "multicast"), ([240, 0, 0, 0], 4, "reserved"),
    ]
    if let rule = never.first(where: { begins($0.0, bits: $0.1) }) { return .never(rule.2) }
    return .global
  }

  private var reachOfVersion6: Reach {
    let zeros = [UInt8](repeating: 0, count: 15)
    if bytes == zeros + [1] { return .local }
    if begins([0xFC], bits: 7) { return .local }
    // Forms that carry an IPv4 address inside could reach what the IPv4 rules refuse.
    let never: [([UInt8], Int, String)] = [
      (zeros + [0], 128, "unspecified"), ([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF], 96, "IPv4-mapped"),
      ([0x00, 0x64, 0xFF, 0x9B], 32, "NAT64"), ([0x20, 0x02], 16, "6to4"),
      ([0x20, 0x01, 0x0D, 0xB8], 32, "for documentation"),
      ([0x20, 0x01, 0x00], 23, "for protocols"), ([0x3F, 0xFF, 0x00], 20, "for documentation"),
      ([0xFE, 0x80], 10, "link-local"), ([0xFF], 8, "multicast"),
    ]
    if let rule = never.first(where: { begins($0.0, bits: $0.1) }) { return .never(rule.2) }
    // Of all the rest only 2000::/3 has been given out.
    return begins([0x20], bits: 3) ? .global : .never("reserved")
  }
}
