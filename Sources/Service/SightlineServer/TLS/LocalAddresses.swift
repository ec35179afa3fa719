import Foundation
import NIOCore

/// By which names and addresses other machines of the local network reach this one.
public enum LocalAddresses {
  /// IPv4 addresses of the interfaces that are up, without loopback and link-local, private ones first.
  public static func ipv4() -> [String] {
    addresses().filter { $0.bytes.count == 4 }.map(\.description)
  }

  /// All such addresses, IPv6 included.
  static func addresses() -> [NetworkAddress] {
    let devices = (try? System.enumerateDevices()) ?? []
    var found: [NetworkAddress] = []
    for device in devices {
      guard let socket = device.address, let address = NetworkAddress(socket), !found.contains(address) else {
        continue
      }
      let isLoopback = address.bytes == NetworkAddress.loopback4 || address.bytes == NetworkAddress.loopback6
      if case .never = address.reach { continue }
      if !isLoopback { found.append(address) }
    }
    return found.sorted { ($0.reach == .local ? 0 : 1, $0.bytes.count) < ($1.reach == .local ? 0 : 1, $1.bytes.count) }
  }

  /// The machine's name without a trailing dot; `nil` when it is not a host name.
  static func hostName() -> String? {
    let name = ProcessInfo.processInfo.hostName.lowercased()
    let isName =
      !name.isEmpty && name.utf8.count <= 253
      && name.utf8.allSatisfy { byte in
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      }
    return isName ? name : nil
  }
}

extension NetworkAddress {
  static let loopback4: [UInt8] = [127, 0, 0, 1]
  static let loopback6 = [UInt8](repeating: 0, count: 15) + [1]
}
