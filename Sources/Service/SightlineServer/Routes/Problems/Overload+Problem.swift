import SightlineInput

extension Overload: ProblemConvertible {
  var problem: RequestProblem {
    switch self {
    case .running, .waiting:
      RequestProblem(
        .serviceUnavailable,
        "server.busy",
        "The server has too much of this to do at the moment. Try again in a few seconds.",
        headers: [.retryAfter: "5"]
      )
    case .runningForNetwork:
      RequestProblem(
        .tooManyRequests,
        "server.queue",
        "Too many requests of this kind are running for your address. Try again when some have ended.",
        headers: [.retryAfter: "2"]
      )
    case .waitingForNetwork:
      RequestProblem(
        .tooManyRequests,
        "server.queue",
        "Too much of this waits for your address already. Try again in a few seconds.",
        headers: [.retryAfter: "3"]
      )
    }
  }
}

extension RateExceeded: ProblemConvertible {
  var problem: RequestProblem {
    RequestProblem(
      .tooManyRequests,
      code,
      "Too many requests came from your address. Wait a moment, and \(advice).",
      headers: [.retryAfter: "\(max(1, Int(clamped: wait.rounded(.up))))"]
    )
  }
}

extension NotReady: ProblemConvertible {
  var problem: RequestProblem {
    RequestProblem(
      .serviceUnavailable,
      "server.starting",
      "The server is still reading its worlds. Try again in a moment.",
      headers: [.retryAfter: "1"]
    )
  }
}

extension TransitStreamError: ProblemConvertible {
  var problem: RequestProblem {
    switch self {
    case .tooMany(let most):
      RequestProblem(
        .tooManyRequests,
        "transit.streams",
        "There are \(most) streams to your address already. Close one first; a stream can hold 50 stops.",
        headers: [.retryAfter: "15"]
      )
    case .full:
      RequestProblem(
        .serviceUnavailable,
        "transit.streams-full",
        "The server has all the streams it can. Ask for the departures every half minute instead.",
        headers: [.retryAfter: "60"]
      )
    case .unknown:
      .notFound(
        "transit.stream-unknown",
        "There is no such stream any more. Make a new one by POST /api/v1/transit/stream."
      )
    }
  }
}
