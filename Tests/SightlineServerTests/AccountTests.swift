import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import SightlineStore
import Synchronization
import Testing

@testable import SightlineServer

@Suite struct AccountTests {
  // MARK: Signing in

  @Test func `who signs in has a session that says who it is, and none after signing out`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let olga = try await fixture.signedIn("olga")
    let now = try JSONAnswer(try await olga.request("/api/v1/session"))
    #expect((now["account"] as? [String: Any])?["name"] as? String == "olga")
    #expect(now["csrf"] as? String == olga.csrf)
    let former = olga.cookie
    let out = try await olga.request("/api/v1/session", .delete)
    #expect(out.status == .noContent)
    #expect(out.headers[.setCookie]?.contains("Max-Age=0") == true)
    let after = try await fixture.request("/api/v1/session", headers: [.cookie: former])
    #expect(try JSONAnswer(after)["account"] is NSNull)
  }

  @Test func `the cookie is for this server alone and out of reach of scripts`() async throws {
    let fixture = try await ServerFixture.withAccounts { $0.publicURL = "https://ar.example.org" }
    _ = try await fixture.account("olga")
    let response = try await fixture.signIn("olga", headers: [.origin: "https://ar.example.org"])
    let cookie = try #require(response.headers[.setCookie])
    #expect(cookie.hasPrefix("__Host-sightline="))
    for part in ["Path=/", "HttpOnly", "SameSite=Lax", "Secure"] { #expect(cookie.contains("; " + part)) }
    #expect(!cookie.contains("Domain"))
    #expect(response.headers[.cacheControl] == "no-store")
  }

  @Test func `a wrong password, an unknown name and a closed account get the same answer`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let closed = try await fixture.account("clara")
    _ = try await fixture.account("olga")
    _ = try await fixture.stores.accounts.changeAccount(closed.id, role: .author, isActive: false)
    var texts: Set<String> = []
    for (name, password) in [
      ("olga", "wrong password"), ("nobody", "wrong password"), ("clara", ServerFixture.password), ("a b", "x"),
    ] {
      let response = try await fixture.signIn(name, password: password)
      try expectProblem(response, 401, "account.credentials")
      #expect(response.headers[.setCookie] == nil)
      texts.insert(try #require(try JSONAnswer(response)["detail"] as? String))
    }
    #expect(texts.count == 1)
  }

  @Test func `names are told apart by letters, not by how they are typed`() async throws {
    #expect(AccountName.normalized("  Åsa ") == "åsa")
    #expect(AccountName.normalized("A\u{30A}sa") == "åsa")
    #expect(AccountName.normalized("ｏｌｇａ") == "olga")
    for bad in ["", " ", "a b", "a\nb", "a/b", "<b>", String(repeating: "a", count: 65)] {
      #expect(AccountName.normalized(bad) == nil)
    }
    let fixture = try await ServerFixture.withAccounts()
    _ = try await fixture.account("olga")
    #expect(try await fixture.signIn(" OLGA ").status == .ok)
  }

  /// One over a database of its own, which is gone with its fixture.
  private func limiter() async throws -> (limiter: SignInLimiter, fixture: ServerFixture) {
    let fixture = try await ServerFixture()
    return (SignInLimiter(store: fixture.stores.signInFailures), fixture)
  }

  @Test func `guessing is slowed down, and an honest success forgives`() async throws {
    let clock = TestClock()
    let (fixture, accounts) = try await withClock(clock)
    let limiter = accounts.limiter
    func wait(_ name: String?, _ client: String, at time: Date) async -> TimeInterval {
      do {
        try await limiter.attempt(name: name, client: client, at: time)
        return 0
      } catch {
        return Double((error as? AccountError)?.problem.headers[.retryAfter] ?? "") ?? -1
      }
    }
    var waits: [TimeInterval] = []
    for _ in 0..<10 {
      // Tries before the time is over cost nothing more.
      let left = await wait("olga", "192.0.2.1", at: clock.now)
      waits.append(left)
      if left > 0 {
        clock.advance(left)
        #expect(await wait("olga", "192.0.2.1", at: clock.now) == 0)
      }
    }
    #expect(waits == [0, 0, 0, 0, 0, 1, 2, 4, 8, 16])
    // Somebody else's failures do not keep the owner out, elsewhere or under another name.
    #expect(await wait("olga", "192.0.2.2", at: clock.now) == 0)
    #expect(await wait("otto", "192.0.2.1", at: clock.now) == 0)
    clock.advance(60)
    #expect(await wait("olga", "192.0.2.1", at: clock.now) == 0)
    try await limiter.succeeded(name: "olga", client: "192.0.2.1", at: clock.now)
    #expect(await wait("olga", "192.0.2.1", at: clock.now) == 0)

    _ = try await fixture.account("olga")
    var table = RouteTable()
    let removal = AccountRemoval(accounts: accounts, tours: fixture.server.tours, catalog: fixture.server.catalog)
    AccountRoutes(accounts: accounts, assets: fixture.stores.assets, quotas: Quotas(), removal: removal).add(to: &table)
    let routes = table
    func attempt(_ password: String) async throws -> TestResponse {
      try await fixture.request(
        "/api/v1/session",
        .post,
        routes: routes,
        headers: [.contentType: "application/json"],
        body: #"{"name":"olga","password":"\#(password)"}"#
      )
    }
    for _ in 0..<5 {
      let wrong = try await attempt("wrong password")
      #expect(wrong.status == .unauthorized)
    }
    // The right password does not help before the time is over.
    let early = try await attempt(ServerFixture.password)
    try expectProblem(early, 429, "account.too-many")
    #expect(early.headers[.retryAfter] == "1")
    clock.advance(2)
    let later = try await attempt(ServerFixture.password)
    #expect(later.status == .ok)
  }

  @Test func `tries at the same time are counted before they are looked at`() async throws {
    let (limiter, fixture) = try await limiter()
    defer { withExtendedLifetime(fixture) {} }
    let time = Date()
    let admitted = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<32 {
        group.addTask {
          (try? await limiter.attempt(name: "olga", client: "192.0.2.1", at: time)) == nil ? 0 : 1
        }
      }
      return await group.reduce(0, +)
    }
    #expect(admitted == SignInLimiter.free.pair)
  }

  @Test func `strangers lock nobody out where he has signed in before`() async throws {
    let (limiter, fixture) = try await limiter()
    defer { withExtendedLifetime(fixture) {} }
    let time = Date()
    try await limiter.attempt(name: "olga", client: "192.0.2.1", at: time)
    try await limiter.succeeded(name: "olga", client: "192.0.2.1", at: time)
    // Eighty others, a few failures each: the name is blocked for everybody new.
    for number in 0..<80 {
      let client = "198.51.100.\(number)"
      for _ in 0..<4 { try? await limiter.attempt(name: "olga", client: client, at: time) }
    }
    await #expect(throws: AccountError.self) {
      try await limiter.attempt(name: "olga", client: "203.0.113.9", at: time)
    }
    try await limiter.attempt(name: "olga", client: "192.0.2.1", at: time)
    try await limiter.succeeded(name: "olga", client: "192.0.2.1", at: time)
    // Nor where somebody behind the same address guesses at other names; only guesses at this name from here count.
    for number in 0..<40 { try? await limiter.attempt(name: "n\(number)", client: "192.0.2.1", at: time) }
    await #expect(throws: AccountError.self) { try await limiter.attempt(name: "n99", client: "192.0.2.1", at: time) }
    try await limiter.attempt(name: "olga", client: "192.0.2.1", at: time)
  }

  @Test func `wrong one-time links of strangers block no true one`() async throws {
    let (fixture, accounts) = try await withClock(TestClock())
    var table = RouteTable()
    let removal = AccountRemoval(accounts: accounts, tours: fixture.server.tours, catalog: fixture.server.catalog)
    AccountRoutes(accounts: accounts, assets: fixture.stores.assets, quotas: Quotas(), removal: removal).add(to: &table)
    let routes = table
    let link = try await OneTimeLink.make(
      in: accounts.invitations,
      role: .author,
      account: nil,
      lifetime: OneTimeLink.invitationTime,
      at: accounts.clock()
    )
    let token = String(link.address(origin: "").split(separator: "/").last ?? "")
    for number in 0..<80 {
      let client = "198.51.100.\(number)"
      for _ in 0..<3 { try? await accounts.limiter.attempt(name: nil, client: client, at: accounts.clock()) }
    }
    let answer = try await fixture.request(
      "/api/v1/invitations/open",
      .post,
      routes: routes,
      headers: [.contentType: "application/json"],
      body: "{\"token\":\"\(token)\"}"
    )
    #expect(answer.status == .ok, "\(String(buffer: answer.body))")
  }

  // MARK: Sessions

  @Test func `a session's token is changed while it is used, and the old one ends`() async throws {
    let clock = TestClock()
    let (fixture, accounts) = try await withClock(clock)
    let account = try await fixture.account("olga")
    let (token, _) = try await begin(accounts, account)
    let handler = accounts.author { _, _ in Answers.json(ByteBuffer(string: "{}")) }
    func ask(_ token: String) async throws -> TestResponse {
      try await respond(handler, cookie: "sightline=\(token)")
    }
    #expect(try await ask(token).headers[.setCookie] == nil)
    clock.advance(Accounts.rotationTime + 1)
    let set = try #require(try await ask(token).headers[.setCookie])
    let next = String(set.prefix { $0 != ";" }.dropFirst("sightline=".count))
    #expect(next != token)
    // Requests that were on their way with the former token are still answered, for a while.
    #expect(try await ask(token).status == .ok)
    #expect(try await ask(next).status == .ok)
    clock.advance(Accounts.grace + 1)
    #expect(try await ask(token).status == .unauthorized)
    #expect(try await ask(next).status == .ok)
  }

  @Test func `a session ends by disuse and by age`() async throws {
    let clock = TestClock()
    let (fixture, accounts) = try await withClock(clock)
    let account = try await fixture.account("olga")
    let handler = accounts.author { _, _ in Answers.json(ByteBuffer(string: "{}")) }
    var (token, _) = try await begin(accounts, account)
    clock.advance(Accounts.idleTime + 1)
    #expect(try await respond(handler, cookie: "sightline=\(token)").status == .unauthorized)
    (token, _) = try await begin(accounts, account)
    var last = TestResponseStatus.ok
    var hours = 0
    while last == .ok, hours < 20 {
      clock.advance(3600)
      hours += 1
      let response = try await respond(handler, cookie: "sightline=\(token)")
      last = response.status == .ok ? .ok : .refused
      if let set = response.headers[.setCookie] {
        token = String(set.prefix { $0 != ";" }.dropFirst("sightline=".count))
      }
    }
    #expect(hours == 13)
    let (other, _) = try await begin(accounts, account)
    try await accounts.removeStale()
    let digest = SecretToken.digest(other)
    #expect(try await fixture.stores.sessions.session(token: digest, at: clock.now, grace: 0) != nil)
    clock.advance(Accounts.idleTime + 1)
    try await accounts.removeStale()
    #expect(try await fixture.stores.sessions.session(token: digest, at: clock.now, grace: 0) == nil)
  }

  private enum TestResponseStatus { case ok, refused }

  @Test func `nothing in the database lets a reader sign in`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let olga = try await fixture.signedIn("olga")
    let token = String(olga.cookie.dropFirst("sightline=".count))
    let link = try await OneTimeLink.make(in: fixture.stores.invitations, role: .author)
    let secrets = [token, ServerFixture.password, link.token]
    // Closing writes the journal into the file.
    try fixture.database.close()
    let file = try Data(contentsOf: URL(fileURLWithPath: fixture.folder + "/test.sqlite"))
    for secret in secrets { #expect(file.range(of: Data(secret.utf8)) == nil) }
    #expect(file.range(of: Data("olga".utf8)) != nil)
  }

  @Test func `a change of password ends all other sessions and gives a new one`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let here = try await fixture.signedIn("olga")
    let there = try await fixture.signIn("olga")
    let elsewhere = String(try #require(there.headers[.setCookie]).prefix { $0 != ";" })
    let old = here.cookie
    try expectProblem(
      try await here.request("/api/v1/session/password", .put, #"{"current":"no","new":"a better one 7"}"#),
      403,
      "account.password"
    )
    try expectProblem(
      try await here.request(
        "/api/v1/session/password",
        .put,
        #"{"current":"\#(ServerFixture.password)","new":"short"}"#
      ),
      422,
      "account.weak-password"
    )
    let done = try await here.request(
      "/api/v1/session/password",
      .put,
      #"{"current":"\#(ServerFixture.password)","new":"a better one 7"}"#
    )
    #expect(done.status == .ok)
    #expect(here.cookie != old)
    for cookie in [old, elsewhere] {
      let answer = try JSONAnswer(try await fixture.request("/api/v1/session", headers: [.cookie: cookie]))
      #expect(answer["account"] is NSNull)
    }
    #expect(try await fixture.signIn("olga").status == .unauthorized)
    #expect(try await fixture.signIn("olga", password: "a better one 7").status == .ok)
  }

  // MARK: Links

  @Test func `the first account is made by a link that works once`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    #expect(try JSONAnswer(try await fixture.request("/api/v1/session"))["needsFirstAccount"] as? Bool == true)
    let stale = try #require(
      try await OneTimeLink.forFirstAccount(of: fixture.stores.accounts, in: fixture.stores.invitations)
    )
    let link = try #require(
      try await OneTimeLink.forFirstAccount(of: fixture.stores.accounts, in: fixture.stores.invitations)
    )
    #expect(link.address(origin: "http://h").hasPrefix("http://h/#/account/link/"))
    func accept(_ token: String, _ name: String) async throws -> TestResponse {
      try await fixture.request(
        "/api/v1/invitations/accept",
        .post,
        headers: [.contentType: "application/json"],
        body: #"{"token":"\#(token)","name":"\#(name)","password":"\#(ServerFixture.password)"}"#
      )
    }
    // A start makes the links of earlier starts worthless.
    try expectProblem(try await accept(stale.token, "chief"), 404, "invitation.unknown")
    try expectProblem(try await accept(link.token, "two words"), 422, "account.name")
    let made = try await accept(link.token, "Chief")
    #expect(made.status == .ok)
    #expect(made.headers[.setCookie] != nil)
    #expect((try JSONAnswer(made)["account"] as? [String: Any])?["role"] as? String == "operator")
    try expectProblem(try await accept(link.token, "thief"), 404, "invitation.unknown")
    #expect(try await OneTimeLink.forFirstAccount(of: fixture.stores.accounts, in: fixture.stores.invitations) == nil)
    #expect(try await fixture.stores.accounts.accounts().map(\.name) == ["chief"])
  }

  @Test func `the link for the first operator ends when the command line makes one`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let stores = fixture.stores
    let link = try #require(try await OneTimeLink.forFirstAccount(of: stores.accounts, in: stores.invitations))
    // An author is no operator: the link is still needed.
    _ = try #require(try await stores.accounts.addAccount(name: "author", role: .author, password: "hash"))
    #expect(try await stores.invitations.invitation(token: SecretToken.digest(link.token), at: Date()) != nil)
    let other = try await ServerFixture.withAccounts()
    let ended = try #require(
      try await OneTimeLink.forFirstAccount(of: other.stores.accounts, in: other.stores.invitations)
    )
    _ = try #require(try await other.stores.accounts.addAccount(name: "chief", role: .operator, password: "hash"))
    #expect(try await other.stores.invitations.invitation(token: SecretToken.digest(ended.token), at: Date()) == nil)
    // Links made on purpose afterwards stay.
    let meant = try await OneTimeLink.make(in: other.stores.invitations, role: .operator)
    _ = try #require(try await other.stores.accounts.addAccount(name: "second", role: .operator, password: "hash"))
    #expect(try await other.stores.invitations.invitation(token: SecretToken.digest(meant.token), at: Date()) != nil)
  }

  @Test func `operators invite, reset, promote and close, but never the last of them`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let chief = try await fixture.signedIn("chief", .operator)
    let olga = try await fixture.signedIn("olga")
    let invited = try JSONAnswer(try await chief.request("/api/v1/accounts", .post, #"{"role":"author"}"#))
    #expect((invited["link"] as? String)?.contains("/#/account/link/") == true)
    try expectProblem(try await chief.request("/api/v1/accounts", .post, #"{"role":"god"}"#), 400, "body.member")
    let own = "/api/v1/accounts/\(chief.account.id)"
    try expectProblem(try await chief.request(own, .patch, #"{"active":false}"#), 409, "account.last-operator")
    try expectProblem(try await chief.request(own, .patch, #"{"role":"author"}"#), 409, "account.last-operator")
    let reset = try await chief.request("/api/v1/accounts/\(olga.account.id)/reset", .post, "{}")
    let link = try #require(try JSONAnswer(reset)["link"] as? String)
    let token = try #require(link.split(separator: "/").last)
    let changed = try await fixture.request(
      "/api/v1/invitations/accept",
      .post,
      headers: [.contentType: "application/json"],
      body: #"{"token":"\#(token)","password":"seven gulls on a pier"}"#
    )
    #expect(changed.status == .ok)
    // A new password ends what was signed in with the old one.
    #expect(try await olga.request("/api/v1/assets", .post, "{}").status == .unauthorized)
    #expect(try await fixture.signIn("olga", password: "seven gulls on a pier").status == .ok)
    let list = try JSONAnswer(try await chief.request("/api/v1/accounts")).objects("accounts")
    #expect(list.compactMap { $0["name"] as? String } == ["chief", "olga"])
    #expect(try await chief.request("/api/v1/accounts/\(olga.account.id)", .patch, #"{"active":false}"#).status == .ok)
    #expect(try await fixture.signIn("olga", password: "seven gulls on a pier").status == .unauthorized)
  }

  // MARK: Passwords

  @Test func `hashes carry their parameters and differ for equal passwords`() async throws {
    let hasher = PasswordHasher(logCost: 4)
    let one = try await hasher.hash("pässword 123")
    let other = try await hasher.hash("pässword 123")
    #expect(one != other)
    #expect(one.hasPrefix("scrypt$4$8$1$"))
    #expect(try await hasher.verify("pa\u{308}ssword 123", against: one))
    #expect(try await !hasher.verify("pässword 124", against: one))
    #expect(try await !hasher.verify("pässword 123", against: nil))
    // A hash of other parameters is still understood.
    #expect(try await PasswordHasher(logCost: 6).verify("pässword 123", against: one))
    // What would take all memory is no hash that was made here.
    for damaged in [
      "scrypt$20$1048576$1$00$00", "scrypt$4$8$1000000$00$00", "scrypt$-4$8$1$00$00", "", "plain", "scrypt$4$8$1$zz$zz",
      "scrypt$99$8$1$00$00", String(one.dropLast(2)),
    ] {
      #expect(try await !hasher.verify("pässword 123", against: damaged))
    }
  }

  @Test func `scrypt is the one of RFC 7914`() async throws {
    // Section 12, second vector: P "password", S "NaCl", N 1024, r 8, p 16.
    let hash = "scrypt$10$8$16$4e61436c$fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
    #expect(try await PasswordHasher(logCost: 4).verify("password", against: hash))
  }

  @Test(arguments: [
    // Too short, too long, too few characters.
    "short", "elf zeichen", "a     b     c", "aaaaaaaaaaaa", String(repeating: "ab1!", count: 300),
    "violet anchor \(String(repeating: "x y z ", count: 20))",
    // The first that are tried.
    "password1234", "Password123!", "passwordpassword", "P@ssw0rd2024", "p455w0rdp455w0rd", "qwertyuiop12",
    "1q2w3e4r5t6y", "1qaz2wsx3edc", "qazwsxedcrfv", "abcdefghijkl", "zyxwvutsrqpo", "123456789012", "098765432109",
    "1234567890123", "111222333444", "121212121212", "abcabcabcabc", "asdfghjkl123", "iloveyou1234", "ILoveYou2020!",
    "administrator", "Administrator1", "letmeinletmein", "welcome12345", "manchesterunited", "liverpool1892",
    "passwort2024!", "Sommer2024!!", "geheim123456", "motdepasse123", "contraseña123", "wachtwoord12", "hejhejhejhej",
    "princess1234", "superman12345", "michael123456", "footballfootball", "qwertzuiop123", "azertyuiop123",
    "monkey dragon 1", "internetinternet",
    // What only this server's visitors would try.
    "olga-olga-olga", "olgaolgaolga1", "sightline2026", "Sightline123!", "S1ghtl1ne1234", "ar.example.org1",
    "example 123456", "sightlineolga",
  ])
  func `passwords that are tried first are refused with a reason`(password: String) throws {
    let objection = try #require(PasswordHasher.objection(to: password, name: "olga", host: "ar.example.org"))
    #expect(objection.count > 20 && objection.hasSuffix("."))
  }

  @Test(arguments: [
    "correct horse 9", "correct horse battery staple", "a gull and 7 boats", "walking through town 7", "a better one 7",
    "violet anchor seven", "Zwölf Boxkämpfer!", "三只小猪在河边走路吃草喝水", "xK9#mQ2vL7pR",
    "tr0ub4dor&3 and more",
    "  blanks at the ends  ", "emoji 🐚🌊🦀 by the sea",
  ])
  func `passwords that are hard to guess are taken`(password: String) {
    #expect(PasswordHasher.objection(to: password, name: "olga", host: "ar.example.org") == nil)
  }

  @Test func `a name of one letter does not rule out all passwords with it`() {
    #expect(PasswordHasher.objection(to: "a gull and 7 boats", name: "a") == nil)
  }

  @Test func `judging a password takes little, whatever it is`() {
    // 1024 bytes are all that is looked at; each of 128 characters at most begins 40 pieces.
    for text in [String(repeating: "a\u{301}", count: 100_000), String(repeating: "é", count: 512)] {
      #expect(PasswordHasher.objection(to: text, name: "olga") != nil)
    }
  }

  @Test func `a hash of less work is made anew when its owner signs in, and only then`() async throws {
    let fixture = try await ServerFixture.withAccounts { $0.passwordCost = 6 }
    let old = try await PasswordHasher(logCost: 4).hash(ServerFixture.password)
    let account = try #require(try await fixture.stores.accounts.addAccount(name: "olga", role: .author, password: old))
    #expect(try await fixture.signIn("olga", password: "wrong password").status == .unauthorized)
    #expect(try await fixture.stores.accounts.credentials(of: "olga")?.password == old)
    #expect(try await fixture.signIn("olga").status == .ok)
    let new = try #require(try await fixture.stores.accounts.credentials(of: "olga")?.password)
    #expect(new.hasPrefix("scrypt$6$8$1$"))
    #expect(!fixture.server.accounts.hasher.needsRenewal(new))
    #expect(try await fixture.signIn("olga").status == .ok)
    #expect(try await fixture.stores.accounts.credentials(of: "olga")?.password == new)
    // A change of the password meanwhile is not undone.
    try await fixture.stores.accounts.renewPassword(old, replacing: old, of: account.id)
    #expect(try await fixture.stores.accounts.credentials(of: "olga")?.password == new)
  }

  @Test func `the usual hash takes the work that OWASP asks for, at least`() async throws {
    #expect(ServerOptions().passwordCost == 17)
    let hash = try await PasswordHasher().hash("a gull and 7 boats")
    #expect(hash.hasPrefix("scrypt$17$8$1$"))
    #expect(try await PasswordHasher().verify("a gull and 7 boats", against: hash))
  }

  // MARK: Tools

  private func withClock(_ clock: TestClock) async throws -> (ServerFixture, Accounts) {
    let fixture = try await ServerFixture.withAccounts()
    let accounts = Accounts(
      store: fixture.stores.accounts,
      sessions: fixture.stores.sessions,
      invitations: fixture.stores.invitations,
      secondFactors: fixture.stores.secondFactors,
      securityLog: fixture.stores.securityLog,
      signInFailures: fixture.stores.signInFailures,
      isSecure: false,
      publicURL: nil,
      hasher: PasswordHasher(logCost: 4),
      clock: { clock.now }
    )
    return (fixture, accounts)
  }

  private func begin(_ accounts: Accounts, _ account: Account) async throws -> (token: String, csrf: String) {
    let csrf = Mutex("")
    let response = try await accounts.begin(account) { session in
      csrf.withLock { $0 = session.csrf }
      return Answers.json(ByteBuffer(string: "{}"))
    }
    let cookie = try #require(response.headers[.setCookie])
    return (String(cookie.prefix { $0 != ";" }.dropFirst("sightline=".count)), csrf.withLock { $0 })
  }

  private func respond(_ handler: @escaping Handler, cookie: String) async throws -> TestResponse {
    var routes = RouteTable()
    routes.add(.get, "/x", .init("test", answer: .nothing), handler)
    let fixture = try await ServerFixture(prepared: false)
    return try await fixture.request("/x", routes: routes, headers: [.cookie: cookie])
  }
}

/// A clock that the test moves.
final class TestClock: Sendable {
  private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

  var now: Date { time.withLock { $0 } }

  func advance(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
