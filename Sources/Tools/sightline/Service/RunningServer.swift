import Foundation
import Logging
import ServiceLifecycle
import SightlineServer
import SightlineStore

/// The server as a service of the process: tells where it listens, and ends the process if stopping takes too long.
struct RunningServer: Service {
  let server: SightlineServer
  let database: SQLiteDatabase
  let options: ServerOptions
  let certificate: SelfSignedCertificate?
  let log: Logger

  /// From the signal to the end of the process at the latest.
  static let longestStop = Duration.milliseconds(4500)

  func run() async throws {
    let stores = Stores(database)
    try await withGracefulShutdownHandler {
      let first = try await OneTimeLink.forFirstAccount(of: stores.accounts, in: stores.invitations)
      try await server.run { url in
        announce(url)
        guard let first else { return }
        let origin = options.publicURL ?? firstOrigin(url)
        Console.note(
          """
          There is no account yet. This link makes the first one, an operator's, once, within a day:
            \(first.address(origin: origin))
          """
        )
      }
    } onGracefulShutdown: { [database, log] in
      log.notice("stopping")
      Task.detached {
        try? await Task.sleep(for: RunningServer.longestStop)
        // Whatever still runs is without effect on the store: what was confirmed is on the disk.
        log.warning("requests were still running; stopping without them")
        try? database.close()
        exit(0)
      }
    }
  }

  private var listensEverywhere: Bool { options.host == "0.0.0.0" || options.host == "::" }

  private func announce(_ url: String) {
    guard listensEverywhere else {
      Console.say("listening on \(url)")
      return certificateNotes(url)
    }
    let parts = URLComponents(string: url)
    let scheme = parts?.scheme ?? "http"
    let port = parts?.port ?? options.port
    Console.say("listening on \(scheme)://localhost:\(port)")
    let addresses = LocalAddresses.ipv4().map { "\(scheme)://\($0):\(port)" }
    for address in addresses { Console.say("in the local network: \(address)") }
    if options.tls == nil, !addresses.isEmpty {
      Console.say(
        "Phones give camera and motion sensors only to secure pages: start again with --tls-self-signed to use one."
      )
    } else if let first = addresses.first {
      Console.say("On a phone in the same network open \(first)")
      // Typing an address into a phone is what people give up at.
      if isatty(STDOUT_FILENO) == 1 { for line in TerminalCode.lines(for: first) { Console.say(line) } }
    }
    certificateNotes(addresses.first ?? url)
  }

  /// An address of this server that can be opened from where it runs.
  private func firstOrigin(_ url: String) -> String {
    guard listensEverywhere, let parts = URLComponents(string: url) else { return url }
    return "\(parts.scheme ?? "http")://localhost:\(parts.port ?? options.port)"
  }

  private func certificateNotes(_ url: String) {
    guard let certificate else { return }
    Console.say(
      """
      The certificate is this machine's own (\(certificate.files.certificate)). Its SHA-256 fingerprint is
        \(certificate.fingerprint)
      The phone's browser warns once. Let it show the certificate, compare the fingerprint, and go on: in Chrome by \
      "Advanced", "Proceed"; in Safari by "Show Details", "visit this website". After that the page counts as secure.
      """
    )
  }
}

/// The number of files and connections that the process may have open.
enum FileLimit {
  /// Raises it as far as the system lets an ordinary process.
  static func raise() {
    var limit = rlimit()
    #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 65536)
    setrlimit(resource, &limit)
  }
}
