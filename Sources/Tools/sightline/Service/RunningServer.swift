import Foundation
import Logging
import ServiceLifecycle
import SightlineServer
import SightlineStore

/// The server as a service of the process: tells where it listens, and ends the process if stopping takes too long.
struct RunningServer: Service {
  let server: SightlineServer
  let database: any StoreDatabase
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
        let notice = notice(url)
        for line in notice.lines(isTerminal: isatty(STDOUT_FILENO) == 1) { Console.say(line) }
        certificateNotes()
        guard let first else { return }
        let origin = options.publicURL ?? notice.firstOrigin
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

  private func notice(_ url: String) -> ListeningNotice {
    ListeningNotice(
      url: url,
      listensEverywhere: options.host == "0.0.0.0" || options.host == "::",
      isSecure: options.tls != nil,
      port: options.port,
      localAddresses: LocalAddresses.ipv4()
    )
  }

  private func certificateNotes() {
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
