import Foundation
import Logging
import ServiceLifecycle
import SightlineServer
import UnixSignals

/// Ends the server as signals ask for: the first one drains and stops it, the second one ends the process at once.
struct StopSignals: Sendable {
  private let signals: UnixSignalsSequence
  private let drain: Duration
  private let log: Logger

  /// From now on SIGTERM and SIGINT do not end the process by themselves.
  init(drain: Duration, log: Logger) async {
    signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    self.drain = drain
    self.log = log
  }

  /// Follows signals until its task is cancelled.
  func follow(_ server: SightlineServer, _ group: ServiceGroup) async {
    var isFirst = true
    for await signal in signals {
      guard isFirst else {
        // What was confirmed is on the disk; whoever sends two signals does not want to wait for the rest.
        log.warning("stopping at once", metadata: ["signal": .string("\(signal)")])
        exit(1)
      }
      isFirst = false
      // Beside the signals, for the second one must be heard meanwhile.
      Task {
        await server.drain(for: drain)
        await group.triggerGracefulShutdown()
      }
    }
  }
}
