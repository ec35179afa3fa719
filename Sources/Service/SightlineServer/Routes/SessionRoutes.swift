import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import SightlineInput
import SightlinePrint
import SightlineStore

/// `/api/v1/sessions`, `/api/v1/session/second-factor`, `/api/v1/session/account`: what people do with their own account
/// beside signing in.
struct SessionRoutes: Sendable {
  let accounts: Accounts
  let removal: AccountRemoval

  private static let factor = "/api/v1/session/second-factor"

  func add(to routes: inout RouteTable) {
    routes.add(
      .get,
      "/api/v1/sessions",
      .init("One's sessions", for: .author, answer: .json(SessionList.self)),
      accounts.guarded { _, session in try await list(session) }
    )
    routes.add(
      .delete,
      "/api/v1/sessions",
      .init("Ends all others", for: .author, answer: .nothing),
      accounts.guarded { try await endOthers($0, $1) }
    )
    routes.add(
      .delete,
      "/api/v1/sessions/{id}",
      .init("Ends one", for: .author, answer: .nothing),
      accounts.guarded { try await end($0, $1) }
    )
    routes.add(
      .get,
      "/api/v1/security-log",
      .init(
        "What happened to one's account; for operators to all of them",
        for: .author,
        query: [
          "before": .integer(in: 0...), "limit": .integer(in: 0...200), "own": .flag, "account": .integer(in: 0...),
        ],
        answer: .json(SecurityLogPage.self)
      ),
      accounts.author { try await log($0, $1) }
    )
    routes.add(
      .get,
      "/api/v1/session/account",
      .init("What is one's own", for: .author, answer: .json(BelongingsAnswer.self)),
      accounts.author { _, account in try await belongings(account) }
    )
    routes.add(
      .delete,
      "/api/v1/session/account",
      .init(
        "Deletes one's own account",
        for: .author,
        body: .json(PasswordAndCode.self),
        answer: .nothing,
        refusals: [409]
      ),
      accounts.guarded { try await delete($0, $1) }
    )
    addSecondFactor(to: &routes)
  }

  private func addSecondFactor(to routes: inout RouteTable) {
    // Who has to set up a second factor first must be able to.
    let unready = true
    routes.add(
      .post,
      SessionRoutes.factor,
      .init(
        "A secret for a second factor",
        for: .author,
        body: .json(Confirmation.self),
        answer: .json(FactorSecret.self),
        success: 201,
        refusals: [409]
      ),
      accounts.guarded(unready: unready) { try await beginFactor($0, $1) }
    )
    routes.add(
      .put,
      SessionRoutes.factor,
      .init(
        "Turns it on by its first code",
        for: .author,
        body: .json(FactorCode.self),
        answer: .json(RecoveryCodes.self),
        refusals: [409]
      ),
      accounts.guarded(unready: unready) { try await confirmFactor($0, $1) }
    )
    routes.add(
      .delete,
      SessionRoutes.factor,
      .init("Turns it off", for: .author, body: .json(PasswordAndCode.self), answer: .nothing),
      accounts.guarded { try await removeFactor($0, $1) }
    )
    routes.add(
      .post,
      SessionRoutes.factor + "/recovery-codes",
      .init(
        "New codes for want of it",
        for: .author,
        body: .json(PasswordAndCode.self),
        answer: .json(RecoveryCodes.self),
        refusals: [409]
      ),
      accounts.guarded { try await renewRecoveryCodes($0, $1) }
    )
  }

  // MARK: Sessions

  private func list(_ session: AccountSession) async throws -> Response {
    let now = accounts.clock()
    let all = try await accounts.sessions.sessions(of: session.account.id).filter { !accounts.hasEnded($0, at: now) }
    return try Answers.json(
      SessionList(sessions: all.map { SessionList.Entry($0, current: $0.id == session.id) })
    )
  }

  private func endOthers(_ exchange: Exchange, _ session: AccountSession) async throws -> Response {
    let count = try await accounts.sessions.endSessions(of: session.account.id, keeping: session.id)
    if count > 0 { await accounts.note(.sessionsRevoked, session.account.id, exchange, detail: "\(count)") }
    return Response(status: .noContent)
  }

  private func end(_ exchange: Exchange, _ session: AccountSession) async throws -> Response {
    // Somebody else's session is answered like one that is not there.
    guard let id = Int64(exchange.parameters[0]), let other = try await accounts.sessions.session(id),
      other.account.id == session.account.id
    else {
      throw RequestProblem.notFound(
        "session.unknown",
        "There is no such session, or no more. GET /api/v1/sessions lists yours."
      )
    }
    try await accounts.sessions.endSession(id)
    await accounts.note(.sessionsRevoked, session.account.id, exchange, detail: "1")
    guard id == session.id else { return Response(status: .noContent) }
    return Response(status: .noContent, headers: [.setCookie: accounts.cookie(""), .clearSiteData: "\"cache\""])
  }

  // MARK: The security log

  /// Lines of a page.
  private static let mostLines = 200

  private func log(_ exchange: Exchange, _ account: Account) async throws -> Response {
    let fields = exchange.queryFields
    func number(_ name: String) throws(RequestProblem) -> Int64? {
      guard let text = fields[name] else { return nil }
      guard let number = Int64(text), number >= 0 else {
        throw RequestProblem.badRequest("security-log.\(name)", "\(name) has to be a whole number, such as 50.")
      }
      return number
    }
    let limit = Int(clamped: try number("limit") ?? 50).clamped(to: 1...SessionRoutes.mostLines)
    let before = try number("before")
    // Authors see what concerns themselves, whatever they ask for.
    let isAll = account.role == .operator && fields["own"] != "1"
    let about = isAll ? try number("account") : account.id
    let page = try await accounts.securityLog.securityEvents(of: about, before: before, limit: limit)
    return try Answers.json(
      SecurityLogPage(
        events: page.events.map { SecurityLogPage.Entry($0, names: page.names) },
        next: page.next
      )
    )
  }

  // MARK: The second factor

  struct Confirmation: Decodable, Described { var password: String }
  struct FactorCode: Decodable, Described { var code: String }
  struct PasswordAndCode: Decodable, Described {
    var password: String
    var code: String?
  }

  private func beginFactor(_ exchange: Exchange, _ session: AccountSession) async throws -> Response {
    let given = try await exchange.json(Confirmation.self)
    try await accounts.requirePassword(given.password, of: session.account, exchange)
    let secret = SecretToken.bytes(TimeCode.secretBytes)
    let id = session.account.id
    guard try await accounts.secondFactors.beginSecondFactor(of: id, secret: secret, at: accounts.clock()) else {
      throw RequestProblem(
        .conflict,
        "account.second-factor-set",
        "This account has a second factor. Take it away first, with the password and a code, to set up another."
      )
    }
    let host = accounts.host(exchange)
    let issuer = host.isEmpty ? "Sightline" : "Sightline \(host)"
    let address = TimeCode.address(secret, name: session.account.name, issuer: issuer)
    return try Answers.json(
      FactorSecret(
        secret: Base32.encode(secret),
        uri: address,
        svg: QRDrawing(address: address, name: nil, side: 60)?.svg() ?? ""
      ),
      status: .created
    )
  }

  private func confirmFactor(_ exchange: Exchange, _ session: AccountSession) async throws -> Response {
    let given = try await exchange.json(FactorCode.self)
    guard let codes = try await accounts.confirmSecondFactor(given.code, of: session) else {
      await accounts.note(.codeFailed, session.account.id, exchange)
      throw RequestProblem(
        .unprocessableContent,
        "account.code",
        "This is not the code of now. Check that the device's clock is right, and type the next code."
      )
    }
    await accounts.note(.secondFactorSet, session.account.id, exchange)
    return try Answers.json(RecoveryCodes(recoveryCodes: codes))
  }

  private func removeFactor(_ exchange: Exchange, _ session: AccountSession) async throws -> Response {
    let given = try await exchange.json(PasswordAndCode.self)
    try await accounts.requireBoth(given.password, given.code, of: session.account, exchange)
    _ = try await accounts.secondFactors.removeSecondFactor(of: session.account.id)
    await accounts.note(.secondFactorRemoved, session.account.id, exchange)
    return Response(status: .noContent)
  }

  private func renewRecoveryCodes(_ exchange: Exchange, _ session: AccountSession) async throws -> Response {
    let given = try await exchange.json(PasswordAndCode.self)
    guard session.account.hasSecondFactor else {
      throw RequestProblem(
        .conflict,
        "account.second-factor-none",
        "This account has no second factor. Set one up with POST /api/v1/session/second-factor."
      )
    }
    try await accounts.requireBoth(given.password, given.code, of: session.account, exchange)
    let codes = RecoveryCode.make()
    try await accounts.secondFactors.setRecoveryCodes(codes.compactMap(RecoveryCode.digest), of: session.account.id)
    await accounts.note(.recoveryCodesMade, session.account.id, exchange)
    return try Answers.json(RecoveryCodes(recoveryCodes: codes))
  }

  // MARK: The end of an account

  private func belongings(_ account: Account) async throws -> Response {
    guard let found = try await accounts.store.belongings(of: account.id) else { throw AccountError.unknown }
    return try Answers.json(BelongingsAnswer(found))
  }

  private func delete(_ exchange: Exchange, _ session: AccountSession) async throws -> Response {
    let given = try await exchange.json(PasswordAndCode.self)
    try await accounts.requireBoth(given.password, given.code, of: session.account, exchange)
    _ = try await removal.delete(session.account, to: nil, by: nil, exchange)
    return Response(status: .noContent, headers: [.setCookie: accounts.cookie(""), .clearSiteData: "\"cache\""])
  }
}
