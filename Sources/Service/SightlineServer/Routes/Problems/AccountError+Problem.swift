extension AccountError: ProblemConvertible {
  var problem: RequestProblem {
    switch self {
    case .notOwner:
      RequestProblem(
        .forbidden,
        "account.owner",
        "This belongs to somebody else. Ask its owner to share it with you, or make a copy of your own."
      )
    case .unknown: .notFound("account.unknown", "There is no such account. GET /api/v1/accounts lists them.")
    case .lastOperator:
      RequestProblem(
        .conflict,
        "account.last-operator",
        "This is the only operator there is. Make somebody else operator first."
      )
    case .noHeir:
      RequestProblem(
        .unprocessableContent,
        "account.heir",
        "transferTo has to be the id of another account that may sign in. GET /api/v1/accounts lists them."
      )
    case .wrongPassword:
      RequestProblem(.forbidden, "account.password", "The present password is not the one that was given.")
    case .weakPassword(let objection): RequestProblem(.unprocessableContent, "account.weak-password", objection)
    case .codeMissing:
      RequestProblem(
        .unauthorized,
        "account.second-factor",
        "This account has a second factor. Send the code of now, or a recovery code, as the member code."
      )
    case .wrongCode:
      RequestProblem(
        .unauthorized,
        "account.code",
        "This is not the code of now, or it was used already. Wait for the next one, and check the device's clock."
      )
    case .factorNotBegun:
      RequestProblem(
        .conflict,
        "account.second-factor-not-begun",
        "There is no second factor to confirm. Begin with POST /api/v1/session/second-factor."
      )
    case .tooManyCodes(let seconds):
      RequestProblem(
        .tooManyRequests,
        "account.too-many-codes",
        "There were too many wrong codes. Try again in \(seconds) seconds.",
        headers: [.retryAfter: String(seconds)]
      )
    case .tooManyAttempts(let seconds):
      RequestProblem(
        .tooManyRequests,
        "account.too-many",
        "There were too many attempts that failed. Try again in \(seconds) seconds.",
        headers: [.retryAfter: String(seconds)]
      )
    }
  }
}

extension FilesFull: ProblemConvertible {
  var problem: RequestProblem {
    RequestProblem(
      .contentTooLarge,
      "asset.quota",
      "Your files take \(used / 1024) of \(limit / 1024) KiB, and this one does not fit. Use smaller ones, "
        + "or ask an operator for more room."
    )
  }
}
