import Synchronization

/// What other devices have to open to come to this server: goes into QR codes and onto cards.
struct PublicAddress: Sendable {
  /// What the operator says (`--public-url`); wins over everything.
  let configured: String?
  /// What the server listens on.
  let host: String
  let isEncrypted: Bool
  let port: ListeningPort
  /// This machine's addresses in its network, best one first.
  var localAddresses: @Sendable () -> [String] = { LocalAddresses.ipv4() }

  /// The address without a slash at its end; `nil` when only this machine can open the server, or nobody knows how others can.
  ///
  /// Looked up each time: a laptop changes its network while the server runs.
  var current: String? {
    if let configured { return configured }
    guard let port = port.number, !isThisMachine else { return nil }
    let listensEverywhere = host == "0.0.0.0" || host == "::"
    guard let name = listensEverywhere ? localAddresses().first : host else { return nil }
    return "\(isEncrypted ? "https" : "http")://\(name.contains(":") ? "[\(name)]" : name):\(port)"
  }

  private var isThisMachine: Bool {
    let name = host.lowercased()
    guard name != "localhost", !name.hasSuffix(".localhost") else { return true }
    guard let address = NetworkAddress(name)?.unmapped else { return false }
    return address.bytes.first == 127 && address.bytes.count == 4 || address == .version6Loopback
  }
}

/// The port that a server listens on, known once it does when the operator left the choice to the system.
final class ListeningPort: Sendable {
  private let value: Mutex<Int?>

  /// A port as configured; 0 for one that is still to be found.
  init(_ configured: Int) { value = Mutex(configured == 0 ? nil : configured) }

  /// `nil` until the server listens.
  var number: Int? { value.withLock { $0 } }

  /// The server listens.
  func become(_ number: Int) { value.withLock { $0 = number } }
}
