/// The servers in front of this one whose word about a client's address is taken.
///
/// Everybody can write `X-Forwarded-For`. It is believed only when the connection itself comes from one of these.
public struct TrustedProxies: Equatable, Sendable {
  private struct Block: Equatable, Sendable {
    var address: NetworkAddress
    var bits: Int
  }

  private var blocks: [Block] = []

  /// Nobody: each connection's own address counts.
  public static let none = TrustedProxies()

  /// Programs on this machine.
  public static let loopback = TrustedProxies(blocks: [
    Block(address: NetworkAddress(version4: 127, 0, 0, 0), bits: 8),
    Block(address: NetworkAddress.version6Loopback, bits: 128),
  ])

  private init(blocks: [Block] = []) { self.blocks = blocks }

  /// Reads `10.0.0.7,192.168.0.0/16,2001:db8::/32`, `loopback` for this machine, or `none`; `nil` when it is none of these.
  public init?(_ text: String) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let word = part.trimming()
      if word == "none" { continue }
      if word == "loopback" {
        blocks += TrustedProxies.loopback.blocks
        continue
      }
      let pieces = word.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard let first = pieces.first, let address = NetworkAddress(String(first)) else { return nil }
      var bits = address.bytes.count * 8
      if pieces.count == 2 {
        guard pieces[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(pieces[1]),
          (1...bits).contains(length)
        else { return nil }
        bits = length
      }
      blocks.append(Block(address: address, bits: bits))
    }
  }

  /// Whether nobody is trusted.
  var isEmpty: Bool { blocks.isEmpty }

  /// Whether the word of an address is taken.
  func contains(_ address: NetworkAddress) -> Bool {
    let plain = address.unmapped
    return blocks.contains {
      $0.address.bytes.count == plain.bytes.count && plain.begins($0.address.bytes, bits: $0.bits)
    }
  }

  /// Whom a connection's request comes from.
  ///
  /// The last entry of the field is what the server next to this one has seen itself. As long as that is a trusted one too,
  /// the entry before it is looked at. What is no address ends the search: then the last one that was is the best there is.
  ///
  /// - Parameters:
  ///   - peer: the other end of the connection.
  ///   - forwarded: the value of `X-Forwarded-For`.
  /// - Returns: the peer, or the last address that a trusted server names.
  func client(peer: NetworkAddress, forwarded: String?) -> NetworkAddress {
    guard let forwarded, contains(peer) else { return peer }
    var found = peer
    // A list longer than any chain of servers is somebody's joke.
    for entry in forwarded.split(separator: ",").suffix(16).reversed() {
      guard let address = TrustedProxies.address(entry.trimming()) else { return found }
      found = address
      if !contains(address) { return found }
    }
    return found
  }

  /// An address as servers write it into the field: with a port or brackets, perhaps.
  private static func address(_ text: Substring) -> NetworkAddress? {
    guard text.utf8.count <= 64 else { return nil }
    var text = text
    if text.utf8.first == UInt8(ascii: "\""), text.utf8.last == UInt8(ascii: "\""), text.utf8.count >= 2 {
      text = text.dropFirst().dropLast()
    }
    if text.utf8.first == UInt8(ascii: "[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      return NetworkAddress(String(text[text.index(after: text.startIndex)..<end]))
    }
    if let address = NetworkAddress(String(text)) { return address }
    // `192.0.2.1:4711`; an IPv6 address with a port has brackets.
    guard let colon = text.firstIndex(of: ":"), !text[text.index(after: colon)...].contains(":") else { return nil }
    return NetworkAddress(String(text[..<colon]))
  }
}
