import SightlineStore

extension StudioError: ProblemConvertible {
  var problem: RequestProblem {
    switch self {
    case .unknown(let id):
      .notFound(
        "studio.unknown",
        "There is no world \"\(id)\" in the studio that is yours or shared with you. GET /api/v1/studio/worlds lists them."
      )
    case .removed: .notFound("studio.unknown", "The world has been removed meanwhile.")
    case .badIdentifier(let id):
      RequestProblem(.unprocessableContent, "studio.identifier", StoreError.badIdentifier(id).description)
    case .taken(let id):
      RequestProblem(.conflict, "studio.taken", "The name \"\(id)\" is taken already. Choose another.")
    case .titleTaken(let stem):
      RequestProblem(
        .conflict,
        "studio.taken",
        "There are too many worlds called \"\(stem)\". Choose another title."
      )
    case .tooManyWorlds(let count):
      RequestProblem(
        .conflict,
        "studio.quota",
        "You have \(count) worlds, as many as one may have. Remove one that is no longer needed."
      )
    case .noRoom(let used, let limit):
      RequestProblem(
        .contentTooLarge,
        "studio.room",
        "The worlds and their earlier versions take \(used / 1_048_576) of \(limit / 1_048_576) MiB. Remove a "
          + "world that is no longer needed, or ask an operator for more room."
      )
    case .futureVersion(let base):
      .badRequest("studio.version", "There is no version \(base) yet. Load the world anew.")
    case .unknownVersion(let version):
      .notFound("studio.version", "There is no version \(version) of this world (any more).")
    case .busy:
      RequestProblem(
        .serviceUnavailable,
        "studio.busy",
        "Others are saving this world all the time. Try again in a moment; your draft is still in the page.",
        headers: [.retryAfter: "2"]
      )
    case .malformed(let error): Exchange.problem(error)
    case .unfit(let findings):
      RequestProblem(
        .unprocessableContent,
        "studio.invalid",
        "The draft cannot be kept as it is: \(findings.first?.message ?? "")",
        findings: findings
      )
    case .tooLarge(let bytes, let limit):
      RequestProblem(
        .contentTooLarge,
        "studio.quota",
        "The world takes \(bytes / 1024) KiB; \(limit / 1024) are possible. Make two of it."
      )
    }
  }
}
