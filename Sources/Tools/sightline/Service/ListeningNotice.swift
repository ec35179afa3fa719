import Foundation

/// What a server says when it has begun to listen: its addresses, and how a phone gets there.
struct ListeningNotice {
  /// The address that the server reports, such as `https://0.0.0.0:8443`.
  let url: String
  /// Whether it listens on every address of the machine.
  let listensEverywhere: Bool
  /// Whether phones take its pages for secure ones.
  let isSecure: Bool
  /// The port for an address without one.
  let port: Int
  /// The machine's addresses in its network.
  let localAddresses: [String]

  private var parts: URLComponents? { URLComponents(string: url) }
  private var scheme: String { parts?.scheme ?? "http" }
  private var openPort: Int { parts?.port ?? port }
  private var localURLs: [String] { localAddresses.map { "\(scheme)://\($0):\(openPort)" } }

  /// An address of the server that can be opened from where it runs.
  var firstOrigin: String { listensEverywhere && parts != nil ? "\(scheme)://localhost:\(openPort)" : url }

  /// What is said.
  ///
  /// - Parameter isTerminal: whether a person reads it, who can hold a phone before a code; letters in a file help nobody.
  /// - Returns: the lines, without their ends.
  func lines(isTerminal: Bool) -> [String] {
    guard listensEverywhere else { return ["listening on \(url)"] }
    let first = "listening on \(scheme)://localhost:\(openPort)"
    let network = localURLs.map { "in the local network: \($0)" }
    guard let phone = localURLs.first else { return [first] }
    guard isSecure else {
      let advice =
        "Phones give camera and motion sensors only to secure pages: start again with --tls-self-signed to use one."
      return [first] + network + [advice]
    }
    // Typing an address into a phone is what people give up at.
    let code = isTerminal ? TerminalCode.lines(for: phone) : []
    return [first] + network + ["On a phone in the same network open \(phone)"] + code
  }
}
