import Foundation
import NIOPosix

/// Turns host names into addresses, with the system's resolver.
struct HostResolver: Sendable {
  /// All addresses of a host, in the system's order of preference.
  let addresses: @Sendable (_ host: String) async throws -> [NetworkAddress]

  /// `getaddrinfo`, on a thread where it may block.
  static let system = HostResolver { host in
    try await NIOThreadPool.singleton.runIfActive { () -> [NetworkAddress] in
      var hints = addrinfo()
      hints.ai_family = AF_UNSPEC
      hints.ai_socktype = Int32(clamping: SOCK_STREAM.rawValue)
      hints.ai_flags = AI_ADDRCONFIG
      var list: UnsafeMutablePointer<addrinfo>?
      guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
      defer { freeaddrinfo(list) }
      var found: [NetworkAddress] = []
      var next = list
      while let entry = next {
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        if getnameinfo(
          entry.pointee.ai_addr,
          entry.pointee.ai_addrlen,
          &name,
          socklen_t(name.count),
          nil,
          0,
          NI_NUMERICHOST
        ) == 0 {
          // An IPv6 scope (`%eth0`) is not part of the address.
          let text = String(decoding: name.prefix { $0 != 0 && $0 != 0x25 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
          if let address = NetworkAddress(text), !found.contains(address) { found.append(address) }
        }
        next = entry.pointee.ai_next
      }
      return found
    }
  }
}
