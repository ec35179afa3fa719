import Foundation
import HTTPTypes
import Hummingbird
import SightlineStore

extension RequestOrigin {
  /// Where a request comes from, in coarse words: enough to know one's own sessions by, too little to follow anybody.
  init(_ exchange: Exchange) {
    self.init(
      device: RequestOrigin.device(exchange.request.headers[.userAgent] ?? ""),
      network: RequestOrigin.network(exchange.client)
    )
  }

  /// Browser and system by what a browser says of itself: `Firefox/Android`; empty when it says nothing known.
  static func device(_ agent: String) -> String {
    // What comes first decides: most browsers say that they are others, too.
    let browsers = [
      ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"),
      ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Chromium/", "Chromium"),
      ("Safari/", "Safari"), ("curl/", "curl"),
    ]
    let systems = [
      ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
      ("Mac OS X", "macOS"), ("Linux", "Linux"),
    ]
    let agent = agent.prefix(512)
    let found = [browsers, systems].compactMap { list in list.first { agent.contains($0.0) }?.1 }
    return found.joined(separator: "/")
  }

  /// The network of an address: 24 bits of an IPv4 address, 48 of an IPv6 address; empty for what is no address.
  static func network(_ text: String) -> String {
    guard let address = NetworkAddress(text) else { return "" }
    var bytes = address.bytes
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    if bytes.count == 16, bytes.starts(with: mapped) { bytes.removeFirst(12) }
    if bytes.count == 4 { return bytes.prefix(3).map(String.init).joined(separator: ".") + ".0/24" }
    let groups = (0..<3).map { String(Int(bytes[2 * $0]) << 8 | Int(bytes[2 * $0 + 1]), radix: 16) }
    return groups.joined(separator: ":") + "::/48"
  }
}

extension Accounts {
  /// Writes a line into the security log, in the database and on the server's own.
  ///
  /// What could not be written is said in the server's log; what was done stays done.
  func note(
    _ kind: SecurityEvent.Kind,
    _ account: Int64?,
    by actor: Int64? = nil,
    _ exchange: Exchange,
    detail: String = ""
  ) async {
    let event = SecurityEvent(
      time: clock(),
      kind: kind,
      account: account,
      actor: actor == account ? nil : actor,
      origin: RequestOrigin(exchange),
      detail: detail
    )
    onEvent(kind)
    var metadata = event.metadata
    metadata["request"] = .string(exchange.requestID)
    exchange.log.notice("security", metadata: metadata)
    do {
      try await securityLog.addSecurityEvent(event)
    } catch {
      exchange.log.error(
        "the security log could not be written",
        metadata: ["request": .string(exchange.requestID), "reason": .string("\(error)")]
      )
    }
  }
}
