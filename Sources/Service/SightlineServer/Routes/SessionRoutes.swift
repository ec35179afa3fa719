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
    routes.add(.get, "/api/v1/sessions", accounts.guarded { _, session in try await list(session) })
    routes.add(.delete, "/api/v1/sessions", accounts.guarded { try await endOthers($0, $1) })
    routes.add(.delete, "/api/v1/sessions/{id}", accounts.guarded { try await end($0, $1) })
    routes.add(.get, "/api/v1/security-log", accounts.author { try await log($0, $1) })
    routes.add(.get, "/api/v1/session/account", accounts.author { _, account in try await belongings(account) })
    routes.add(.delete, "/api/v1/session/account", accounts.guarded { try await delete($0, $1) })
    // Who has to set up a second factor first must be able to.
    let unready = true
    routes.add(.post, SessionRoutes.factor, accounts.guarded(unready: unready) { try await beginFactor($0, $1) })
    routes.add(.put, SessionRoutes.factor, accounts.guarded(unready: unready) { try await confirmFactor($0, $1) })
    routes.add(.delete, SessionRoutes.factor, accounts.guarded { try await removeFactor($0, $1) })
    routes.add(
      .post,
      SessionRoutes.factor + "/recovery-codes",
      accounts.guarded { try await renewRecoveryCodes($0, $1) }
    )
  }

  // MARK: Sessions

  private func list(_ session: AccountSession) async throws -> Response {
    let now = accounts.clock()
    let all = try await accounts.store.sessions(of: session.account.id).filter { !accounts.hasEnded($0, at: now) }
    var json = JSONWriter(capacity: 64 + all.count * 200)
    json.beginObject()
    json.name("sessions")
    json.beginArray()
    for other in all {
      json.beginObject()
      json.member("id", Int(clamped: other.id))
      json.name("current")
      json.value(other.id == session.id)
      json.member("device", other.origin.device)
      json.member("network", other.origin.network)
      json.member("created", Timestamp.iso8601(other.created))
      json.member("used", Timestamp.iso8601(other.used))
      json.endObject()
    }
    json.endArray()
    json.endObject()
    return Answers.json(json.buffer)
  }

  private func endOthers(_ exchange: Exchange, _ session: AccountSession) async throws -> Response {
    let count = try await accounts.store.endSessions(of: session.account.id, keeping: session.id)
    if count > 0 { await accounts.note(.sessionsRevoked, session.account.id, exchange, detail: "\(count)") }
    return Response(status: .noContent)
  }

  private func end(_ exchange: Exchange, _ session: AccountSession) async throws -> Response {
    // Somebody else's session is answered like one that is not there.
    guard let id = Int64(exchange.parameters[0]), let other = try await accounts.store.session(id),
      other.account.id == session.account.id
    else {
      throw RequestProblem.notFound(
        "session.unknown",
        "There is no such session, or no more. GET /api/v1/sessions lists yours."
      )
    }
    try await accounts.store.endSession(id)
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
    let page = try await accounts.store.securityEvents(of: about, before: before, limit: limit)
    var json = JSONWriter(capacity: 128 + page.events.count * 200)
    json.beginObject()
    json.name("events")
    json.beginArray()
    for event in page.events {
      json.beginObject()
      json.member("id", Int(clamped: event.id))
      json.member("time", Timestamp.iso8601(event.time))
      json.member("kind", event.kind.rawValue)
      for (name, id) in [("account", event.account), ("actor", event.actor)] as [(StaticString, Int64?)] {
        guard let id else { continue }
        json.name(name)
        json.beginObject()
        json.member("id", Int(clamped: id))
        if let known = page.names[id] { json.member("name", known) }
        json.endObject()
      }
      json.member("device", event.origin.device)
      json.member("network", event.origin.network)
      if !event.detail.isEmpty { json.member("detail", event.detail) }
      json.endObject()
    }
    json.endArray()
    json.name("next")
    if let next = page.next { json.value(Int(clamped: next)) } else { json.null() }
    json.endObject()
    return Answers.json(json.buffer)
  }

  // MARK: The second factor

  private struct Password: Decodable { var password: String }
  private struct Code: Decodable { var code: String }
  private struct PasswordAndCode: Decodable {
    var password: String
    var code: String?
  }

  private func beginFactor(_ exchange: Exchange, _ session: AccountSession) async throws -> Response {
    let given = try await exchange.json(Password.self)
    try await accounts.requirePassword(given.password, of: session.account, exchange)
    let secret = SecretToken.bytes(TimeCode.secretBytes)
    let id = session.account.id
    guard try await accounts.store.beginSecondFactor(of: id, secret: secret, at: accounts.clock()) else {
      throw RequestProblem(
        .conflict,
        "account.second-factor-set",
        "This account has a second factor. Take it away first, with the password and a code, to set up another."
      )
    }
    let host = accounts.host(exchange)
    let issuer = host.isEmpty ? "Sightline" : "Sightline \(host)"
    let address = TimeCode.address(secret, name: session.account.name, issuer: issuer)
    var json = JSONWriter(capacity: 16 * 1024)
    json.beginObject()
    json.member("secret", Base32.encode(secret))
    json.member("uri", address)
    json.member("svg", QRDrawing(address: address, name: nil, side: 60)?.svg() ?? "")
    json.endObject()
    return Answers.json(json.buffer, status: .created)
  }

  private func confirmFactor(_ exchange: Exchange, _ session: AccountSession) async throws -> Response {
    let given = try await exchange.json(Code.self)
    guard let codes = try await accounts.confirmSecondFactor(given.code, of: session) else {
      await accounts.note(.codeFailed, session.account.id, exchange)
      throw RequestProblem(
        .unprocessableContent,
        "account.code",
        "This is not the code of now. Check that the device's clock is right, and type the next code."
      )
    }
    await accounts.note(.secondFactorSet, session.account.id, exchange)
    return SessionRoutes.answer(codes)
  }

  private func removeFactor(_ exchange: Exchange, _ session: AccountSession) async throws -> Response {
    let given = try await exchange.json(PasswordAndCode.self)
    try await accounts.requireBoth(given.password, given.code, of: session.account, exchange)
    _ = try await accounts.store.removeSecondFactor(of: session.account.id)
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
    try await accounts.store.setRecoveryCodes(codes.compactMap(RecoveryCode.digest), of: session.account.id)
    await accounts.note(.recoveryCodesMade, session.account.id, exchange)
    return SessionRoutes.answer(codes)
  }

  private static func answer(_ codes: [String]) -> Response {
    var json = JSONWriter(capacity: 512)
    json.beginObject()
    json.name("recoveryCodes")
    json.beginArray()
    for code in codes { json.value(code) }
    json.endArray()
    json.endObject()
    return Answers.json(json.buffer)
  }

  // MARK: The end of an account

  private func belongings(_ account: Account) async throws -> Response {
    guard let found = try await accounts.store.belongings(of: account.id) else { throw RequestProblem.unknownAccount }
    return AccountRemoval.answer(found)
  }

  private func delete(_ exchange: Exchange, _ session: AccountSession) async throws -> Response {
    let given = try await exchange.json(PasswordAndCode.self)
    try await accounts.requireBoth(given.password, given.code, of: session.account, exchange)
    _ = try await removal.delete(session.account, to: nil, by: nil, exchange)
    return Response(status: .noContent, headers: [.setCookie: accounts.cookie(""), .clearSiteData: "\"cache\""])
  }
}
