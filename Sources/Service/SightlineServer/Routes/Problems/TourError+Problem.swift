import SightlineInput
import SightlineTours

extension TourError: ProblemConvertible {
  var problem: RequestProblem {
    switch self {
    case .codeUnknown:
      .notFound(
        "tour.code-unknown",
        "There is no team with this code. Check it on the sheet, or ask your teacher for a new one."
      )
    case .teamFull(let most):
      RequestProblem(
        .conflict,
        "tour.team-full",
        "The team has \(most) phones already. The teacher can give the team a new code, which ends them."
      )
    case .deviceUnknown:
      RequestProblem(
        .unauthorized,
        "tour.device-unknown",
        "This phone is in no team any more. Scan the team's code again.",
        headers: [.wwwAuthenticate: "Bearer"]
      )
    case .gone: RequestProblem(.gone, "tour.gone", "This tour has been deleted. There is nothing more to answer.")
    case .tooFast(let wait):
      TourError.rate(
        "tour.rate",
        "This phone sends more than anybody can do on a tour. What it has kept is taken when it waits a moment.",
        wait
      )
    case .calledTooOften(let wait):
      TourError.rate(
        "tour.help-rate",
        "The teacher was asked several times and sees it. Wait half a minute before you ask again.",
        wait
      )
    case .tooManyGuesses(let wait):
      TourError.rate(
        "tour.too-many-codes",
        "Too many wrong codes came from this address. Wait a minute, and scan the code instead of typing it.",
        wait
      )
    case .ended: RequestProblem(.conflict, "tour.ended", "The tour is over; the teacher is no longer asked.")
    case .foreignEvent:
      RequestProblem(
        .conflict,
        "tour.event-foreign",
        "Another team has sent an event with this identifier. Make a random one for each event."
      )
    case .eventsFull:
      RequestProblem(
        .conflict,
        "tour.events-full",
        "The team has sent \(TourEvent.mostOfTeam) answers, as many as are kept of one team. The teacher can make a new run."
      )
    }
  }

  /// 429 with the seconds to wait.
  private static func rate(_ code: String, _ detail: String, _ wait: Double) -> RequestProblem {
    let seconds = max(1, Int(clamped: wait.rounded(.up)).clamped(to: 0...3600))
    return RequestProblem(.tooManyRequests, code, detail, headers: [.retryAfter: "\(seconds)"])
  }
}
