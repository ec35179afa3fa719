import Foundation
import HTTPTypes
import Hummingbird
import SightlineStore

/// Guards of handlers: sessions by cookie, and what keeps other sites' pages out.
///
/// ```swift
/// routes.add(.post, "/api/v1/tours", …, accounts.author { exchange, author in … })
/// routes.add(.delete, "/api/v1/tours/{id}", …, accounts.author { exchange, author in
///   let tour = …
///   try author.require(owner: tour.owner)
/// })
/// ```
///
/// A guarded handler of an unsafe method (all but GET and HEAD) runs only for pages of this server that send the
/// session's secret in `X-CSRF-Token`.
extension Accounts {
  /// What is done for an account.
  typealias AccountHandler = @Sendable (Exchange, Account) async throws -> Response

  // MARK: Guards

  /// A handler for those who are signed in; others get 401.
  func author(_ handler: @escaping AccountHandler) -> Handler {
    guarded { exchange, session in try await handler(exchange, session.account) }
  }

  /// A handler for operators; authors get 403.
  func `operator`(_ handler: @escaping AccountHandler) -> Handler {
    guarded { exchange, session in
      guard session.account.role == .operator else {
        throw RequestProblem(
          .forbidden,
          "account.role",
          "This is for operators of the server. Ask one of them to do it, or to make you one."
        )
      }
      return try await handler(exchange, session.account)
    }
  }

  /// A handler that gets the whole session; with `unready` also for who has to set up a second factor first.
  func guarded(
    unready: Bool = false,
    _ handler: @escaping @Sendable (Exchange, AccountSession) async throws -> Response
  ) -> Handler {
    { [self] exchange in
      guard let session = try await session(of: exchange) else {
        throw RequestProblem(
          .unauthorized,
          "account.required",
          "This is for those who are signed in. Sign in at /#/account.",
          headers: [.wwwAuthenticate: "Sightline-Session"]
        )
      }
      try requireOwnRequest(exchange, session)
      guard unready || !lacksSecondFactor(session.account) else {
        throw RequestProblem(
          .forbidden,
          "account.second-factor-missing",
          "This server asks for a second factor. Set one up at /#/account; everything else works then."
        )
      }
      return try await finishing(exchange, session) { try await handler(exchange, session) }
    }
  }

  // MARK: Sessions

  var cookieName: String { isSecure ? "__Host-sightline" : "sightline" }

  /// The session that a request belongs to.
  func session(of exchange: Exchange) async throws -> AccountSession? {
    guard let token = Cookies.value(cookieName, in: exchange.request.headers) else { return nil }
    let now = clock()
    guard
      let session = try await sessions.session(token: SecretToken.digest(token), at: now, grace: Accounts.grace)
    else { return nil }
    guard !hasEnded(session, at: now) else {
      try await sessions.endSession(session.id)
      return nil
    }
    // Once a minute is enough to tell use from disuse.
    if now.timeIntervalSince(session.used) >= 60 { try await sessions.touchSession(session.id, at: now) }
    return session
  }

  /// Begins a session and puts its cookie into the answer.
  func begin(
    _ account: Account,
    from origin: RequestOrigin = RequestOrigin(),
    _ make: (AccountSession) throws -> Response
  ) async throws -> Response {
    let token = SecretToken.make()
    let session = try await sessions.addSession(
      token: SecretToken.digest(token),
      csrf: SecretToken.make(),
      account: account.id,
      origin: origin,
      at: clock()
    )
    var response = try make(session)
    response.headers.append(HTTPField(name: .setCookie, value: cookie(token)))
    return response
  }

  /// The `Set-Cookie` value; an empty token takes the cookie away.
  func cookie(_ token: String) -> String {
    var value = "\(cookieName)=\(token); Path=/; HttpOnly; SameSite=Lax"
    if isSecure { value += "; Secure" }
    if token.isEmpty { value += "; Max-Age=0" }
    return value
  }

  /// Answers, and changes the session's token when it is time.
  private func finishing(
    _ exchange: Exchange,
    _ session: AccountSession,
    _ answer: () async throws -> Response
  ) async throws -> Response {
    var response = try await answer()
    // What depends on who asks is for the one who asked.
    response.headers[.cacheControl] = "no-store"
    guard response.headers[.setCookie] == nil,
      clock().timeIntervalSince(session.rotated) >= Accounts.rotationTime
    else { return response }
    let token = SecretToken.make()
    // Of requests at the same time one changes the token; the others' is good for the grace time.
    if try await sessions.rotateSession(
      session.id,
      token: SecretToken.digest(token),
      rotated: session.rotated,
      at: clock()
    ) {
      response.headers.append(HTTPField(name: .setCookie, value: cookie(token)))
    }
    return response
  }

  /// Refuses changes that a page of another site has made the browser ask for.
  private func requireOwnRequest(_ exchange: Exchange, _ session: AccountSession) throws(RequestProblem) {
    let method = exchange.request.method
    guard method != .get, method != .head else { return }
    try requireOwnOrigin(exchange)
    let given = exchange.request.headers[.csrfToken] ?? ""
    guard SecretToken.equal(given.utf8, session.csrf.utf8) else {
      throw RequestProblem(
        .forbidden,
        "account.csrf",
        "The field X-CSRF-Token does not have this session's value, which GET /api/v1/session tells. Load the page anew."
      )
    }
  }

  /// Refuses requests whose `Origin` or `Sec-Fetch-Site` names another site.
  func requireOwnOrigin(_ exchange: Exchange) throws(RequestProblem) {
    let foreign = RequestProblem(
      .forbidden,
      "account.cross-site",
      "Pages of other sites may change nothing here. Use the page of this server."
    )
    if let site = exchange.request.headers[.fetchSite], site != "same-origin", site != "none" { throw foreign }
    guard let origin = exchange.request.headers[.origin] else { return }
    if let publicURL {
      guard origin == publicURL else { throw foreign }
    } else {
      // The scheme may differ where a server in front does the encryption.
      let host = origin.split(separator: "/", maxSplits: 2).last.map(String.init) ?? ""
      guard host == exchange.request.head.authority else { throw foreign }
    }
  }
}

/// The `Cookie` field.
enum Cookies {
  /// The value of the first cookie of this name.
  static func value(_ name: String, in headers: HTTPFields) -> String? {
    for field in headers[values: .cookie] {
      for part in field.split(separator: ";") {
        let pair = part.trimming()
        guard pair.hasPrefix(name), pair.dropFirst(name.count).first == "=" else { continue }
        let value = pair.dropFirst(name.count + 1)
        return value.isEmpty ? nil : String(value)
      }
    }
    return nil
  }
}

extension HTTPField.Name {
  // swift-format-ignore: NeverForceUnwrap
  static let csrfToken = HTTPField.Name("X-CSRF-Token")!
}
