import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import SightlineInput
import SightlineStore

/// `/api/v1/session`, `/api/v1/invitations`, `/api/v1/accounts`: signing in, one-time links, and the operators' list.
struct AccountRoutes: Sendable {
  let accounts: Accounts
  let assets: any AssetStore
  let quotas: Quotas
  let removal: AccountRemoval

  func add(to routes: inout RouteTable) {
    routes.add(.get, "/api/v1/session", .init("Who is signed in", answer: .json(SessionAnswer.self))) {
      try await current($0)
    }
    routes.add(
      .post,
      "/api/v1/session",
      .init("Signs in", body: .json(Credentials.self), answer: .json(SessionAnswer.self), refusals: [401, 403])
    ) { try await signIn($0) }
    // Who has to set up a second factor first may leave, and change the password.
    let unready = true
    routes.add(
      .delete,
      "/api/v1/session",
      .init("Signs out", for: .author, query: ["everywhere": .flag], answer: .nothing),
      accounts.guarded(unready: unready) { try await signOut($0, $1) }
    )
    routes.add(
      .put,
      "/api/v1/session/password",
      .init(
        "Changes the password",
        for: .author,
        body: .json(PasswordChange.self),
        answer: .json(SessionAnswer.self)
      ),
      accounts.guarded(unready: unready) { try await changePassword($0, $1) }
    )
    routes.add(
      .post,
      "/api/v1/invitations/open",
      .init(
        "What a one-time link is for",
        body: .json(Link.self),
        answer: .json(LinkAnswer.self),
        refusals: [403, 404]
      )
    ) { try await open($0) }
    routes.add(
      .post,
      "/api/v1/invitations/accept",
      .init(
        "Makes the account, or sets the password",
        body: .json(Acceptance.self),
        answer: .json(SessionAnswer.self),
        refusals: [401, 403, 404, 409]
      )
    ) { try await accept($0) }
    addForOperators(to: &routes)
  }

  private func addForOperators(to routes: inout RouteTable) {
    routes.add(
      .get,
      "/api/v1/invitations",
      .init("The one-time links", for: .operators, answer: .json(InvitationList.self)),
      accounts.operator { _, _ in try await links() }
    )
    routes.add(
      .delete,
      "/api/v1/invitations/{id}",
      .init("Revokes one", for: .operators, answer: .nothing),
      accounts.operator { try await revoke($0, $1) }
    )
    routes.add(
      .get,
      "/api/v1/accounts",
      .init("All accounts", for: .operators, answer: .json(AccountList.self)),
      accounts.operator { _, _ in try await list() }
    )
    routes.add(
      .post,
      "/api/v1/accounts",
      .init(
        "A link for a new account",
        for: .operators,
        body: .json(NewAccount.self),
        answer: .json(NewLink.self),
        success: 201
      ),
      accounts.operator { try await invite($0, $1) }
    )
    routes.add(
      .get,
      "/api/v1/accounts/{id}",
      .init("What is an account's", for: .operators, answer: .json(BelongingsAnswer.self)),
      accounts.operator { exchange, _ in try await belongings(exchange) }
    )
    routes.add(
      .patch,
      "/api/v1/accounts/{id}",
      .init(
        "Changes role or state",
        for: .operators,
        body: .json(AccountChange.self),
        answer: .json(AccountAnswer.self),
        refusals: [409]
      ),
      accounts.operator { try await change($0, $1) }
    )
    routes.add(
      .delete,
      "/api/v1/accounts/{id}",
      .init(
        "Deletes it with what is its, and says what that was",
        for: .operators,
        body: .json(Deletion.self),
        answer: .json(BelongingsAnswer.self),
        refusals: [409]
      ),
      accounts.operator { try await delete($0, $1) }
    )
    routes.add(
      .post,
      "/api/v1/accounts/{id}/reset",
      .init("A link for a new password", for: .operators, answer: .json(NewLink.self), success: 201),
      accounts.operator { try await reset($0, $1) }
    )
    routes.add(
      .delete,
      "/api/v1/accounts/{id}/second-factor",
      .init("Drops its second factor", for: .operators, answer: .nothing, refusals: [409]),
      accounts.operator { try await removeFactor($0, $1) }
    )
  }

  // MARK: The session

  private func current(_ exchange: Exchange) async throws -> Response {
    if try await accounts.session(of: exchange) != nil {
      return try await accounts.guarded(unready: true) { _, session in try await answer(session) }(exchange)
    }
    let isNew = try await accounts.store.accounts().isEmpty
    return try Answers.json(SessionAnswer(account: nil, needsFirstAccount: isNew))
  }

  private func answer(_ session: AccountSession) async throws -> Response {
    let use = try await assets.assetUse(of: session.account.id)
    let codes = try await accounts.secondFactors.recoveryCodeCount(of: session.account.id)
    return try describe(session, files: use.count, bytes: use.bytes, recoveryCodes: codes)
  }

  private func describe(
    _ session: AccountSession,
    files: Int,
    bytes: Int,
    recoveryCodes: Int
  ) throws -> Response {
    try Answers.json(
      SessionAnswer(
        account: AccountAnswer(session.account),
        csrf: session.csrf,
        needsSecondFactor: accounts.lacksSecondFactor(session.account),
        recoveryCodes: session.account.hasSecondFactor ? recoveryCodes : nil,
        files: files,
        bytes: bytes,
        quota: SessionAnswer.Quota(bytes: quotas.assetBytes, worlds: quotas.worlds)
      )
    )
  }

  struct Credentials: Decodable, Described {
    var name: String
    var password: String
    var code: String?
  }

  private func signIn(_ exchange: Exchange) async throws -> Response {
    try accounts.requireOwnOrigin(exchange)
    let given = try await exchange.json(Credentials.self)
    // What cannot be a name is treated as an unknown one, and counts.
    let name = AccountName.normalized(given.name) ?? "?"
    try await accounts.limiter.attempt(name: name, client: exchange.client, at: accounts.clock())
    let known = try await accounts.store.credentials(of: name)
    let usable = known.flatMap { $0.account.isActive ? $0 : nil }
    let password = String(given.password.prefix(2048))
    guard try await accounts.hasher.verify(password, against: usable?.password), let account = usable?.account,
      let hash = usable?.password
    else {
      // A name that nobody has is not written down: it may be a password in the wrong field.
      await accounts.note(.signInFailed, known?.account.id, exchange)
      throw RequestProblem(
        .unauthorized,
        "account.credentials",
        "Name and password do not belong together. Check both; an operator can give you a link for a new password."
      )
    }
    try await accounts.requireCode(given.code, of: account, exchange)
    try await accounts.limiter.succeeded(name: name, client: exchange.client, at: accounts.clock())
    // The one time that the password is known: a hash of former times is made anew as they are made now.
    if accounts.hasher.needsRenewal(hash) {
      let new = try await accounts.hasher.hash(password)
      try await accounts.store.renewPassword(new, replacing: hash, of: account.id)
    }
    // The browser's former session does not outlive the change of who uses it.
    if let former = try await accounts.session(of: exchange) { try await accounts.sessions.endSession(former.id) }
    return try await begin(account, exchange, as: .signedIn)
  }

  /// Begins a session, and says so in the security log.
  private func begin(
    _ account: Account,
    _ exchange: Exchange,
    as kind: SecurityEvent.Kind,
    by creator: Int64? = nil
  ) async throws -> Response {
    let use = try await assets.assetUse(of: account.id)
    let codes = try await accounts.secondFactors.recoveryCodeCount(of: account.id)
    let response = try await accounts.begin(account, from: RequestOrigin(exchange)) {
      try describe($0, files: use.count, bytes: use.bytes, recoveryCodes: codes)
    }
    await accounts.note(kind, account.id, by: creator, exchange)
    return response
  }

  private func signOut(_ exchange: Exchange, _ session: AccountSession) async throws -> Response {
    if exchange.queryFields["everywhere"] == "1" {
      let count = try await accounts.sessions.endSessions(of: session.account.id, keeping: nil)
      await accounts.note(.sessionsRevoked, session.account.id, exchange, detail: "\(count)")
    } else {
      try await accounts.sessions.endSession(session.id)
      await accounts.note(.signedOut, session.account.id, exchange)
    }
    // What the browser has kept of the account's pages goes with the session. Worlds and tours that somebody keeps on this phone
    // for the way stay: they belong to whoever walks, signed in or not.
    return Response(status: .noContent, headers: [.setCookie: accounts.cookie(""), .clearSiteData: "\"cache\""])
  }

  struct PasswordChange: Decodable, Described {
    var current: String
    var new: String
  }

  private func changePassword(_ exchange: Exchange, _ session: AccountSession) async throws -> Response {
    let given = try await exchange.json(PasswordChange.self)
    try await accounts.requirePassword(given.current, of: session.account, exchange)
    try accounts.check(given.new, name: session.account.name, exchange)
    let hash = try await accounts.hasher.hash(given.new)
    try await accounts.store.setPassword(hash, of: session.account.id, keeping: nil)
    return try await begin(session.account, exchange, as: .passwordChanged)
  }

  // MARK: One-time links

  struct Link: Decodable, Described { var token: String }

  struct Acceptance: Decodable, Described {
    var token: String
    var name: String?
    var password: String
    var code: String?
  }

  private static let unknownLink = RequestProblem.notFound(
    "invitation.unknown",
    "This link has been used or has ended. Ask an operator for another."
  )

  private func invitation(_ token: String, _ exchange: Exchange) async throws -> Invitation {
    let now = accounts.clock()
    // Nobody guesses 256 bits: only what a network costs the server counts, never what others have sent.
    try await accounts.limiter.attempt(name: nil, client: exchange.client, at: now)
    guard let found = try await accounts.invitations.invitation(token: SecretToken.digest(token), at: now) else {
      throw AccountRoutes.unknownLink
    }
    try await accounts.limiter.succeeded(name: nil, client: exchange.client, at: now)
    return found
  }

  private func open(_ exchange: Exchange) async throws -> Response {
    try accounts.requireOwnOrigin(exchange)
    let found = try await invitation(try await exchange.json(Link.self).token, exchange)
    return try Answers.json(LinkAnswer(role: found.role, name: found.account?.name, expires: found.expires))
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
    try accounts.check(given.password, name: name, exchange)
    // A link takes the place of the password, not of the second factor.
    if let account = found.account { try await accounts.requireCode(given.code, of: account, exchange) }
    let hash = try await accounts.hasher.hash(given.password)
    let token = SecretToken.digest(given.token)
    switch try await accounts.invitations.acceptInvitation(
      token: token,
      name: name,
      password: hash,
      at: accounts.clock()
    ) {
    case .unknown: throw AccountRoutes.unknownLink
    case .nameTaken:
      throw RequestProblem(.conflict, "account.name-taken", "Somebody has the name \(name) already. Take another.")
    case .accepted(let account):
      if let former = try await accounts.session(of: exchange) { try await accounts.sessions.endSession(former.id) }
      let kind: SecurityEvent.Kind = found.account == nil ? .invitationUsed : .passwordReset
      return try await begin(account, exchange, as: kind, by: found.creator?.id)
    }
  }

  private func links() async throws -> Response {
    let found = try await accounts.invitations.invitations(at: accounts.clock())
    return try Answers.json(InvitationList(invitations: found.map(InvitationList.Entry.init)))
  }

  private func revoke(_ exchange: Exchange, _ operator: Account) async throws -> Response {
    guard let id = Int64(exchange.parameters[0]), let link = try await accounts.invitations.removeInvitation(id) else {
      throw RequestProblem.notFound(
        "invitation.unknown",
        "There is no such link, or no more. GET /api/v1/invitations lists those that can be used."
      )
    }
    await accounts.note(.linkRevoked, link.account?.id ?? link.creator?.id, by: `operator`.id, exchange)
    return Response(status: .noContent)
  }

  // MARK: The operators' list

  private func list() async throws -> Response {
    let all = try await accounts.store.accounts()
    var uses: [Int64: (count: Int, bytes: Int)] = [:]
    for account in all { uses[account.id] = try await assets.assetUse(of: account.id) }
    return try Answers.json(AccountList(accounts: all.map { AccountAnswer($0, bytes: uses[$0.id]?.bytes) }))
  }

  struct NewAccount: Decodable, Described { var role: AccountRole }

  private func invite(_ exchange: Exchange, _ operator: Account) async throws -> Response {
    let role = try await exchange.json(NewAccount.self).role
    return try await link(exchange, role: role, account: nil, by: `operator`)
  }

  private func reset(_ exchange: Exchange, _ operator: Account) async throws -> Response {
    let account = try await account(exchange)
    return try await link(exchange, role: account.role, account: account.id, by: `operator`)
  }

  private func link(
    _ exchange: Exchange,
    role: AccountRole,
    account: Int64?,
    by operator: Account
  ) async throws -> Response {
    let origin = exchange.origin(secure: accounts.isSecure, configured: accounts.publicURL)
    let made = try await OneTimeLink.make(
      in: accounts.invitations,
      role: role,
      account: account,
      creator: `operator`.id,
      lifetime: account == nil ? OneTimeLink.invitationTime : OneTimeLink.resetTime,
      at: accounts.clock()
    )
    if let account {
      await accounts.note(.resetLinkMade, account, by: `operator`.id, exchange)
    } else {
      await accounts.note(.invitationMade, `operator`.id, exchange, detail: role.rawValue)
    }
    return try Answers.json(
      NewLink(link: made.address(origin: origin), expires: made.expires),
      status: .created
    )
  }

  private func account(_ exchange: Exchange) async throws -> Account {
    guard let id = Int64(exchange.parameters[0]), let account = try await accounts.store.account(id) else {
      throw AccountError.unknown
    }
    return account
  }

  struct AccountChange: Decodable, Described {
    var role: AccountRole?
    var active: Bool?
  }

  private func change(_ exchange: Exchange, _ operator: Account) async throws -> Response {
    let account = try await account(exchange)
    let given = try await exchange.json(AccountChange.self)
    let done = try await accounts.store.changeAccount(
      account.id,
      role: given.role ?? account.role,
      isActive: given.active ?? account.isActive
    )
    guard done, let changed = try await accounts.store.account(account.id) else { throw AccountError.lastOperator }
    if changed.role != account.role {
      await accounts.note(.roleChanged, account.id, by: `operator`.id, exchange, detail: changed.role.rawValue)
    }
    if changed.isActive != account.isActive {
      let kind: SecurityEvent.Kind = changed.isActive ? .accountOpened : .accountClosed
      await accounts.note(kind, account.id, by: `operator`.id, exchange)
    }
    return try Answers.json(AccountAnswer(changed))
  }

  private func removeFactor(_ exchange: Exchange, _ operator: Account) async throws -> Response {
    let account = try await account(exchange)
    // One's own takes the password and a code: a session that somebody has got hold of is not enough.
    guard account.id != `operator`.id else { throw AccountRoutes.ownAccount }
    guard try await accounts.secondFactors.removeSecondFactor(of: account.id) else {
      throw RequestProblem.notFound("account.second-factor-none", "This account has no second factor.")
    }
    try await accounts.sessions.endSessions(of: account.id, keeping: nil)
    await accounts.note(.secondFactorRemoved, account.id, by: `operator`.id, exchange)
    return Response(status: .noContent)
  }

  // MARK: The end of an account

  private func belongings(_ exchange: Exchange) async throws -> Response {
    guard let found = try await accounts.store.belongings(of: try await account(exchange).id) else {
      throw AccountError.unknown
    }
    return try Answers.json(BelongingsAnswer(found))
  }

  struct Deletion: Decodable, Described { var transferTo: Int64? }

  private func delete(_ exchange: Exchange, _ operator: Account) async throws -> Response {
    let account = try await account(exchange)
    let heir = try await exchange.json(Deletion.self).transferTo
    guard account.id != `operator`.id else { throw AccountRoutes.ownAccount }
    return try Answers.json(
      BelongingsAnswer(try await removal.delete(account, to: heir, by: `operator`.id, exchange))
    )
  }

  private static let ownAccount = RequestProblem(
    .conflict,
    "account.own",
    "This is your own account. Use the address under /api/v1/session, which asks for your password."
  )
}
