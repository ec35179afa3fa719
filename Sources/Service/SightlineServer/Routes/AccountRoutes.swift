import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import SightlineStore

/// `/api/v1/session`, `/api/v1/invitations`, `/api/v1/accounts`: signing in, one-time links, and the operators' list.
struct AccountRoutes: Sendable {
  let accounts: Accounts
  let quotas: Quotas

  func add(to routes: inout RouteTable) {
    routes.add(.get, "/api/v1/session") { exchange in try await current(exchange) }
    routes.add(.post, "/api/v1/session") { exchange in try await signIn(exchange) }
    routes.add(.delete, "/api/v1/session", accounts.guarded { try await signOut($0, $1) })
    routes.add(.put, "/api/v1/session/password", accounts.guarded { try await changePassword($0, $1) })
    routes.add(.post, "/api/v1/invitations/open") { exchange in try await open(exchange) }
    routes.add(.post, "/api/v1/invitations/accept") { exchange in try await accept(exchange) }
    routes.add(.get, "/api/v1/accounts", accounts.operator { _, _ in try await list() })
    routes.add(.post, "/api/v1/accounts", accounts.operator { exchange, _ in try await invite(exchange) })
    routes.add(.patch, "/api/v1/accounts/{id}", accounts.operator { exchange, _ in try await change(exchange) })
    routes.add(.post, "/api/v1/accounts/{id}/reset", accounts.operator { exchange, _ in try await reset(exchange) })
  }

  // MARK: The session

  private func current(_ exchange: Exchange) async throws -> Response {
    if try await accounts.session(of: exchange) != nil {
      return try await accounts.guarded { _, session in try await answer(session) }(exchange)
    }
    let isNew = try await accounts.store.accounts().isEmpty
    var json = JSONWriter(capacity: 64)
    json.beginObject()
    json.name("account")
    json.null()
    json.name("needsFirstAccount")
    json.value(isNew)
    json.endObject()
    return Answers.json(json.buffer)
  }

  private func answer(_ session: AccountSession) async throws -> Response {
    let use = try await accounts.store.assetUse(of: session.account.id)
    return describe(session, files: use.count, bytes: use.bytes)
  }

  private func describe(_ session: AccountSession, files: Int, bytes: Int) -> Response {
    var json = JSONWriter(capacity: 512)
    json.beginObject()
    json.name("account")
    AccountRoutes.write(session.account, to: &json)
    json.member("csrf", session.csrf)
    json.member("files", files)
    json.member("bytes", bytes)
    json.name("quota")
    json.beginObject()
    json.member("bytes", quotas.assetBytes)
    json.member("worlds", quotas.worlds)
    json.endObject()
    json.endObject()
    return Answers.json(json.buffer)
  }

  private struct Credentials: Decodable {
    var name: String
    var password: String
  }

  private func signIn(_ exchange: Exchange) async throws -> Response {
    try accounts.requireOwnOrigin(exchange)
    let given = try await exchange.json(Credentials.self)
    // What cannot be a name is treated as an unknown one, and counts.
    let name = AccountName.normalized(given.name) ?? "?"
    try accounts.limiter.attempt(name: name, client: exchange.client, at: accounts.clock())
    let known = try await accounts.store.credentials(of: name)
    let usable = known.flatMap { $0.account.isActive ? $0 : nil }
    guard try await accounts.hasher.verify(String(given.password.prefix(2048)), against: usable?.password),
      let account = usable?.account
    else {
      throw RequestProblem(
        .unauthorized,
        "account.credentials",
        "Name and password do not belong together. Check both; an operator can give you a link for a new password."
      )
    }
    accounts.limiter.succeeded(name: name, client: exchange.client, at: accounts.clock())
    // The browser's former session does not outlive the change of who uses it.
    if let former = try await accounts.session(of: exchange) { try await accounts.store.endSession(former.id) }
    let use = try await accounts.store.assetUse(of: account.id)
    return try await accounts.begin(account) { describe($0, files: use.count, bytes: use.bytes) }
  }

  private func signOut(_ exchange: Exchange, _ session: AccountSession) async throws -> Response {
    if exchange.queryFields["everywhere"] == "1" {
      try await accounts.store.endSessions(of: session.account.id)
    } else {
      try await accounts.store.endSession(session.id)
    }
    // What the browser has kept of the account's pages goes with the session. Worlds and tours that somebody keeps on this phone
    // for the way stay: they belong to whoever walks, signed in or not.
    return Response(status: .noContent, headers: [.setCookie: accounts.cookie(""), .clearSiteData: "\"cache\""])
  }

  private struct PasswordChange: Decodable {
    var current: String
    var new: String
  }

  private func changePassword(_ exchange: Exchange, _ session: AccountSession) async throws -> Response {
    let given = try await exchange.json(PasswordChange.self)
    let name = session.account.name
    try accounts.limiter.attempt(name: name, client: exchange.client, at: accounts.clock())
    let known = try await accounts.store.credentials(of: name)
    guard try await accounts.hasher.verify(String(given.current.prefix(2048)), against: known?.password) else {
      throw RequestProblem(.forbidden, "account.password", "The present password is not the one that was given.")
    }
    accounts.limiter.succeeded(name: name, client: exchange.client, at: accounts.clock())
    try AccountRoutes.check(given.new, name: name)
    let hash = try await accounts.hasher.hash(given.new)
    try await accounts.store.setPassword(hash, of: session.account.id, keeping: nil)
    let use = try await accounts.store.assetUse(of: session.account.id)
    return try await accounts.begin(session.account) { describe($0, files: use.count, bytes: use.bytes) }
  }

  private static func check(_ password: String, name: String) throws(RequestProblem) {
    guard let objection = PasswordHasher.objection(to: password, name: name) else { return }
    throw RequestProblem(.unprocessableContent, "account.weak-password", objection)
  }

  // MARK: One-time links

  private struct Link: Decodable { var token: String }

  private struct Acceptance: Decodable {
    var token: String
    var name: String?
    var password: String
  }

  private static let unknownLink = RequestProblem.notFound(
    "invitation.unknown",
    "This link has been used or has ended. Ask an operator for another."
  )

  private func invitation(_ token: String, _ exchange: Exchange) async throws -> Invitation {
    let now = accounts.clock()
    // Nobody guesses 256 bits: only what a network costs the server counts, never what others have sent.
    try accounts.limiter.attempt(name: nil, client: exchange.client, at: now)
    guard let found = try await accounts.store.invitation(token: SecretToken.digest(token), at: now) else {
      throw AccountRoutes.unknownLink
    }
    accounts.limiter.succeeded(name: nil, client: exchange.client, at: now)
    return found
  }

  private func open(_ exchange: Exchange) async throws -> Response {
    try accounts.requireOwnOrigin(exchange)
    let found = try await invitation(try await exchange.json(Link.self).token, exchange)
    var json = JSONWriter(capacity: 128)
    json.beginObject()
    json.member("role", found.role.rawValue)
    json.name("name")
    if let name = found.account?.name { json.value(name) } else { json.null() }
    json.member("expires", Timestamp.iso8601(found.expires))
    json.endObject()
    return Answers.json(json.buffer)
  }

  private func accept(_ exchange: Exchange) async throws -> Response {
    try accounts.requireOwnOrigin(exchange)
    let given = try await exchange.json(Acceptance.self)
    let found = try await invitation(given.token, exchange)
    guard let name = found.account?.name ?? given.name.flatMap(AccountName.normalized) else {
      throw RequestProblem(
        .unprocessableContent,
        "account.name",
        "A name has 1 to \(AccountName.maximumLength) letters, digits and . _ - @ + in it, and no blanks."
      )
    }
    try AccountRoutes.check(given.password, name: name)
    let hash = try await accounts.hasher.hash(given.password)
    let token = SecretToken.digest(given.token)
    switch try await accounts.store.acceptInvitation(token: token, name: name, password: hash, at: accounts.clock()) {
    case .unknown: throw AccountRoutes.unknownLink
    case .nameTaken:
      throw RequestProblem(.conflict, "account.name-taken", "Somebody has the name \(name) already. Take another.")
    case .accepted(let account):
      if let former = try await accounts.session(of: exchange) { try await accounts.store.endSession(former.id) }
      return try await accounts.begin(account) { describe($0, files: 0, bytes: 0) }
    }
  }

  // MARK: The operators' list

  private func list() async throws -> Response {
    let all = try await accounts.store.accounts()
    var uses: [Int64: (count: Int, bytes: Int)] = [:]
    for account in all { uses[account.id] = try await accounts.store.assetUse(of: account.id) }
    var json = JSONWriter(capacity: 64 + all.count * 160)
    json.beginObject()
    json.name("accounts")
    json.beginArray()
    for account in all { AccountRoutes.write(account, bytes: uses[account.id]?.bytes, to: &json) }
    json.endArray()
    json.endObject()
    return Answers.json(json.buffer)
  }

  private struct NewAccount: Decodable { var role: AccountRole }

  private func invite(_ exchange: Exchange) async throws -> Response {
    try await link(exchange, role: try await exchange.json(NewAccount.self).role, account: nil)
  }

  private func reset(_ exchange: Exchange) async throws -> Response {
    let account = try await account(exchange)
    return try await link(exchange, role: account.role, account: account.id)
  }

  private func link(_ exchange: Exchange, role: AccountRole, account: Int64?) async throws -> Response {
    let origin = exchange.origin(secure: accounts.isSecure, configured: accounts.publicURL)
    let made = try await OneTimeLink.make(
      in: accounts.store,
      role: role,
      account: account,
      lifetime: account == nil ? OneTimeLink.invitationTime : OneTimeLink.resetTime,
      at: accounts.clock()
    )
    var json = JSONWriter(capacity: 256)
    json.beginObject()
    json.member("link", made.address(origin: origin))
    json.member("expires", Timestamp.iso8601(made.expires))
    json.endObject()
    return Answers.json(json.buffer, status: .created)
  }

  private func account(_ exchange: Exchange) async throws -> Account {
    guard let id = Int64(exchange.parameters[0]), let account = try await accounts.store.account(id) else {
      throw RequestProblem.notFound("account.unknown", "There is no such account. GET /api/v1/accounts lists them.")
    }
    return account
  }

  private struct Change: Decodable {
    var role: AccountRole?
    var active: Bool?
  }

  private func change(_ exchange: Exchange) async throws -> Response {
    let account = try await account(exchange)
    let given = try await exchange.json(Change.self)
    let done = try await accounts.store.changeAccount(
      account.id,
      role: given.role ?? account.role,
      isActive: given.active ?? account.isActive
    )
    guard done, let changed = try await accounts.store.account(account.id) else {
      throw RequestProblem(
        .conflict,
        "account.last-operator",
        "This is the only operator there is. Make somebody else operator first."
      )
    }
    var json = JSONWriter(capacity: 256)
    AccountRoutes.write(changed, to: &json)
    return Answers.json(json.buffer)
  }

  private static func write(_ account: Account, bytes: Int? = nil, to json: inout JSONWriter) {
    json.beginObject()
    json.member("id", Int(account.id))
    json.member("name", account.name)
    json.member("role", account.role.rawValue)
    json.name("active")
    json.value(account.isActive)
    json.member("created", Timestamp.iso8601(account.created))
    json.name("signedIn")
    if let date = account.lastSignIn { json.value(Timestamp.iso8601(date)) } else { json.null() }
    if let bytes { json.member("bytes", bytes) }
    json.endObject()
  }
}
