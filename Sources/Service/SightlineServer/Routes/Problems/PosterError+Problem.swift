extension PosterError: ProblemConvertible {
  var problem: RequestProblem {
    switch self {
    case .unknown(let id):
      .notFound(
        "poster.unknown",
        "There is no poster \"\(id.prefix(80))\" here. GET /api/v1/posters lists those there are."
      )
    case .noPicture:
      RequestProblem(
        .unprocessableContent,
        "poster.picture",
        "The member picture is missing: the hash that POST /api/v1/assets gave for the poster's picture."
      )
    case .picture(let reason): RequestProblem(.unprocessableContent, "poster.picture", reason)
    case .noTarget(let id):
      .notFound(
        "poster.picture",
        "The poster \"\(id)\" has no picture here that a target could be made of. Send it with one."
      )
    case .unreadableTarget(let id, let reason):
      .notFound("poster.picture", "The picture of the poster \"\(id)\" cannot be read: \(reason)")
    case .tooMany(let count):
      RequestProblem(
        .conflict,
        "poster.quota",
        "You have \(count) posters, as many as one may have. Remove one that is no longer needed."
      )
    case .taken(let id):
      RequestProblem(
        .conflict,
        "poster.taken",
        "The name \"\(id)\" is taken already. Choose another identifier, or another title."
      )
    case .otherIdentifier(let given, let known):
      .badRequest(
        "poster.id",
        "The member id is \"\(given.prefix(80))\", the address has \"\(known)\". Identifiers never change."
      )
    case .conflict:
      RequestProblem(
        .preconditionFailed,
        "poster.conflict",
        "Somebody else has changed or removed this poster meanwhile. Load it again, and make your change there."
      )
    case .unfit(let findings):
      RequestProblem(
        .unprocessableContent,
        "poster.invalid",
        "The poster cannot be taken like this: \(findings.first?.message ?? "")",
        findings: findings
      )
    }
  }
}
