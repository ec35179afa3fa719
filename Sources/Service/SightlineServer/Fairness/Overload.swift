/// Too much is asked of the server.
enum Overload: Error, Equatable {
  /// As much of a kind runs as may run.
  case running
  /// As much of a kind runs for the network as may.
  case runningForNetwork
  /// As much waits as may wait.
  case waiting
  /// As much waits for the network as may.
  case waitingForNetwork
}

/// A network asks too often.
struct RateExceeded: Error, Equatable {
  /// The refusal's code.
  let code: String
  /// What to do besides waiting; the second half of a sentence.
  let advice: String
  /// Seconds to wait.
  let wait: Double
}
