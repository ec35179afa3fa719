import Foundation
import HTTPTypes
import HummingbirdTesting
import SightlineContent
import SightlineStore
import Synchronization
import Testing

@testable import SightlineServer

/// What people see of their account and end of it: sessions, links, the security log, the account itself.
@Suite struct AccountSecurityTests {
  private static let password = #""password":"\#(ServerFixture.password)""#

  private func token(in link: String?) throws -> String {
    String(try #require(link?.split(separator: "/").last))
  }

  private func open(_ fixture: ServerFixture, _ token: String) async throws -> TestResponse {
    try await fixture.request(
      "/api/v1/invitations/open",
      .post,
      headers: [.contentType: "application/json"],
      body: #"{"token":"\#(token)"}"#
    )
  }

  private func kinds(_ person: SignedIn, _ query: String = "") async throws -> [String] {
    try JSONAnswer(try await person.request("/api/v1/security-log\(query)")).objects("events")
      .compactMap { $0["kind"] as? String }
  }

  // MARK: Sessions

  @Test func `one's own sessions are listed in coarse words, and end one by one or all but this`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let here = try await fixture.signedIn("olga")
    let otto = try await fixture.signedIn("otto")
    var cookies: [String] = []
    for agent in [
      "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605 (KHTML, like Gecko) Version/18.5 Safari/604.1",
    ] {
      let response = try await fixture.signIn("olga", headers: [.userAgent: agent])
      cookies.append(String(try #require(response.headers[.setCookie]).prefix { $0 != ";" }))
    }
    let list = try JSONAnswer(try await here.request("/api/v1/sessions")).objects("sessions")
    #expect(list.count == 3)
    #expect(list.filter { $0["current"] as? Bool == true }.count == 1)
    #expect(Set(list.compactMap { $0["device"] as? String }) == ["Firefox/Android", "Safari/iPhone", ""])
    for session in list { #expect(Set(session.keys) == ["id", "current", "device", "network", "created", "used"]) }

    // Somebody else's is not there.
    let android = try #require(list.first { $0["device"] as? String == "Firefox/Android" }?["id"] as? Int)
    try expectProblem(try await otto.request("/api/v1/sessions/\(android)", .delete), 404, "session.unknown")
    #expect(try await here.request("/api/v1/sessions/\(android)", .delete).status == .noContent)
    try expectProblem(try await here.request("/api/v1/sessions/\(android)", .delete), 404, "session.unknown")
    func isSignedIn(_ cookie: String) async throws -> Bool {
      !(try JSONAnswer(try await fixture.request("/api/v1/session", headers: [.cookie: cookie]))["account"] is NSNull)
    }
    #expect(try await !isSignedIn(cookies[0]))
    #expect(try await isSignedIn(cookies[1]))
    #expect(try await here.request("/api/v1/sessions", .delete).status == .noContent)
    #expect(try await !isSignedIn(cookies[1]))
    #expect(try await isSignedIn(here.cookie))
    #expect(try await isSignedIn(otto.cookie))
    // The session one is in ends like by signing out.
    let own = try JSONAnswer(try await here.request("/api/v1/sessions")).objects("sessions")
    let id = try #require(own.first?["id"] as? Int)
    let out = try await here.request("/api/v1/sessions/\(id)", .delete)
    #expect(out.headers[.setCookie]?.contains("Max-Age=0") == true)
    #expect(try await here.request("/api/v1/sessions").status == .unauthorized)
  }

  @Test(arguments: [
    ("192.0.2.77", "192.0.2.0/24"), ("::ffff:192.0.2.77", "192.0.2.0/24"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
    ("::1", "0:0:0::/48"), ("-", ""), ("not an address", ""), ("", ""),
  ])
  func `a network is all that is kept of an address`(address: String, network: String) {
    #expect(RequestOrigin.network(address) == network)
  }

  @Test func `browsers are known by what they say first of themselves`() {
    for (agent, words) in [
      (
        "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537 (KHTML, like Gecko) Chrome/138.0 Safari/537 Edg/138.0",
        "Edge/Windows"
      ),
      ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537 (KHTML, like Gecko) Chrome/138.0 Safari/537", "Chrome/Linux"),
      ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605 Version/18 Safari/605", "Safari/macOS"),
      ("Mozilla/5.0 (Linux; Android 15) Chrome/138.0 Mobile Safari/537 SamsungBrowser/28", "Samsung Internet/Android"),
      ("curl/8.14", "curl"), ("", ""), ("<script>alert(1)</script>", ""), (String(repeating: "x", count: 9000), ""),
    ] {
      #expect(RequestOrigin.device(agent) == words)
    }
  }

  // MARK: Links

  @Test func `links are listed with their makers and revoked`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let chief = try await fixture.signedIn("chief", .operator)
    let olga = try await fixture.signedIn("olga")
    let invited = try JSONAnswer(try await chief.request("/api/v1/accounts", .post, #"{"role":"operator"}"#))
    let reset = try JSONAnswer(try await chief.request("/api/v1/accounts/\(olga.account.id)/reset", .post, "{}"))
    _ = try await OneTimeLink.make(in: fixture.stores.invitations, role: .author)
    let answer = try await chief.request("/api/v1/invitations")
    let list = try JSONAnswer(answer).objects("invitations")
    #expect(list.map { $0["kind"] as? String } == ["account", "password", "account"])
    try #require(list.map { $0["creator"] as? String } == [nil, "chief", "chief"])
    #expect(list.map { $0["name"] as? String } == [nil, "olga", nil])
    #expect(list.map { $0["role"] as? String } == ["author", "author", "operator"])
    // What opens is in no list.
    for link in [invited, reset] {
      #expect(!String(buffer: answer.body).contains(try token(in: link["link"] as? String)))
    }
    let id = try #require(list[2]["id"] as? Int)
    #expect(try await open(fixture, try token(in: invited["link"] as? String)).status == .ok)
    #expect(try await chief.request("/api/v1/invitations/\(id)", .delete).status == .noContent)
    try expectProblem(try await open(fixture, try token(in: invited["link"] as? String)), 404, "invitation.unknown")
    try expectProblem(try await chief.request("/api/v1/invitations/\(id)", .delete), 404, "invitation.unknown")
    #expect(try await open(fixture, try token(in: reset["link"] as? String)).status == .ok)
  }

  @Test(arguments: [#"{"role":"author"}"#, #"{"active":false}"#, "delete"])
  func `an operator's links end with his rights`(change: String) async throws {
    let fixture = try await ServerFixture.withAccounts()
    let chief = try await fixture.signedIn("chief", .operator)
    let second = try await fixture.signedIn("second", .operator)
    let olga = try await fixture.account("olga")
    let invited = try JSONAnswer(try await second.request("/api/v1/accounts", .post, #"{"role":"operator"}"#))
    let reset = try JSONAnswer(try await second.request("/api/v1/accounts/\(olga.id)/reset", .post, "{}"))
    let path = "/api/v1/accounts/\(second.account.id)"
    let done = try await (change == "delete" ? chief.request(path, .delete, "{}") : chief.request(path, .patch, change))
    #expect(done.status == .ok)
    for link in [invited, reset] {
      try expectProblem(try await open(fixture, try token(in: link["link"] as? String)), 404, "invitation.unknown")
    }
    #expect(try JSONAnswer(try await chief.request("/api/v1/invitations")).objects("invitations").isEmpty)
  }

  @Test func `a link for a new password ends when the password is changed otherwise`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let olga = try await fixture.signedIn("olga")
    let link = try await OneTimeLink.make(in: fixture.stores.invitations, role: .author, account: olga.account.id)
    #expect(try await open(fixture, link.token).status == .ok)
    let body = #"{"current":"\#(ServerFixture.password)","new":"violet anchor seven"}"#
    #expect(try await olga.request("/api/v1/session/password", .put, body).status == .ok)
    try expectProblem(try await open(fixture, link.token), 404, "invitation.unknown")
  }

  // MARK: The security log

  @Test func `what concerns accounts is written down, for operators all, for authors their own`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let chief = try await fixture.signedIn("chief", .operator)
    let olga = try await fixture.signedIn("olga")
    let otto = try await fixture.signedIn("otto")
    _ = try await fixture.signIn("olga", password: "the wrong one")
    // Somebody typed the password into the field of the name.
    _ = try await fixture.signIn("SecretOfSomebody", password: "x")
    let account = "/api/v1/accounts/\(olga.account.id)"
    let reset = try JSONAnswer(try await chief.request("\(account)/reset", .post, "{}"))
    _ = try await fixture.request(
      "/api/v1/invitations/accept",
      .post,
      headers: [.contentType: "application/json"],
      body: #"{"token":"\#(try token(in: reset["link"] as? String))","password":"violet anchor seven"}"#
    )
    _ = try await chief.request(account, .patch, #"{"role":"operator"}"#)
    _ = try await chief.request(account, .patch, #"{"role":"author","active":false}"#)
    _ = try await chief.request(account, .patch, #"{"active":true}"#)
    let made = try JSONAnswer(try await chief.request("/api/v1/accounts", .post, #"{"role":"author"}"#))
    let nils = try token(in: made["link"] as? String)
    _ = try await fixture.request(
      "/api/v1/invitations/accept",
      .post,
      headers: [.contentType: "application/json"],
      body: #"{"token":"\#(nils)","name":"nils","password":"violet anchor seven"}"#
    )
    _ = try await otto.request("/api/v1/sessions", .delete)
    _ = try await otto.request("/api/v1/session", .delete)

    let all = try await kinds(chief, "?limit=200")
    #expect(
      all == [
        "signed-out", "invitation-used", "invitation-made", "account-opened", "account-closed", "role-changed",
        "role-changed", "password-reset", "reset-link-made", "sign-in-failed", "sign-in-failed", "signed-in",
        "signed-in", "signed-in",
      ]
    )
    // Page after page gives the same.
    var paged: [String] = []
    var next = ""
    repeat {
      let page = try JSONAnswer(try await chief.request("/api/v1/security-log?limit=4\(next)"))
      #expect(page.objects("events").count <= 4)
      paged += page.objects("events").compactMap { $0["kind"] as? String }
      next = (page["next"] as? Int).map { "&before=\($0)" } ?? ""
    } while !next.isEmpty
    #expect(paged == all)
    #expect(try await kinds(chief, "?own=1&limit=1").count == 1)
    #expect(try await kinds(chief, "?account=\(otto.account.id)") == ["signed-out", "signed-in"])
    // An author sees what concerns himself, whatever he asks for, and who has done it.
    let author = try await fixture.signIn("olga", password: "violet anchor seven")
    let cookie = String(try #require(author.headers[.setCookie]).prefix { $0 != ";" })
    let own = try JSONAnswer(
      try await fixture.request("/api/v1/security-log?account=\(chief.account.id)", headers: [.cookie: cookie])
    )
    let events = own.objects("events")
    #expect(events.allSatisfy { ($0["account"] as? [String: Any])?["name"] as? String == "olga" })
    #expect(events.first { $0["kind"] as? String == "password-reset" } != nil)
    let changed = try #require(events.first { $0["kind"] as? String == "role-changed" })
    #expect((changed["actor"] as? [String: Any])?["name"] as? String == "chief")
    #expect(changed["detail"] as? String == "author")
    // Nothing that anybody typed, here or in the server's log, which has the same lines.
    let texts = [String(buffer: try await chief.request("/api/v1/security-log?limit=200").body)] + fixture.logLines.all
    for text in texts {
      for secret in ["ecretofsomebody", "SecretOfSomebody", "the wrong one", "violet anchor", nils] {
        #expect(!text.contains(secret))
      }
    }
    let lines = fixture.logLines.all.filter { $0.contains(#""security""#) }
    for kind in Set(all) { #expect(lines.contains { $0.contains(#""\#(kind)""#) }) }
  }

  @Test(arguments: ["before=x", "limit=-1", "account=1e9"])
  func `a malformed page of the security log is refused`(query: String) async throws {
    let fixture = try await ServerFixture.withAccounts()
    let chief = try await fixture.signedIn("chief", .operator)
    #expect(try await chief.request("/api/v1/security-log?\(query)").status == .badRequest)
  }

  // MARK: Boards

  @Test(arguments: ["sign-out", "closed", "demoted", "deleted", "aged"])
  func `a teacher's board ends with the rights it was opened with`(how: String) async throws {
    let clock = TestClock()
    let fixture = try await ServerFixture(clock: FixtureClock(now: { clock.now })) { $0.passwordCost = 4 }
    let chief = try await fixture.signedIn("chief", .operator)
    let teacher = try await fixture.signedIn("teacher")
    // An operator watches somebody else's run, which an author may not.
    let watcher = how == "demoted" ? try await fixture.signedIn("second", .operator) : teacher
    let tour = try #require(
      try JSONAnswer(try await teacher.request("/api/v1/tours", .post, TourTests.tour))["id"] as? String
    )
    let teams = ##"{"teams":[{"name":"T","color":"#112233"}]}"##
    let made = try JSONAnswer(try await teacher.request("/api/v1/tours/\(tour)/runs", .post, teams))
    let run = try #require((made["run"] as? [String: Any])?["id"] as? String)
    let hub = fixture.server.boards.hub
    let hasEnded = Mutex(false)
    let board = Task {
      let response = try await watcher.request("/api/v1/tour-runs/\(run)/events")
      hasEnded.withLock { $0 = true }
      return response
    }
    while hub.subscriberCount == 0 { try await Task.sleep(for: .milliseconds(2)) }
    // As long as nothing has changed it goes on.
    for _ in 0..<20 {
      hub.beat()
      try await Task.sleep(for: .milliseconds(2))
    }
    #expect(!hasEnded.withLock { $0 })
    switch how {
    case "sign-out": _ = try await watcher.request("/api/v1/session", .delete)
    case "closed": _ = try await chief.request("/api/v1/accounts/\(watcher.account.id)", .patch, #"{"active":false}"#)
    case "demoted": _ = try await chief.request("/api/v1/accounts/\(watcher.account.id)", .patch, #"{"role":"author"}"#)
    case "deleted":
      let to = #"{"transferTo":\#(chief.account.id)}"#
      _ = try await chief.request("/api/v1/accounts/\(watcher.account.id)", .delete, to)
    default: clock.advance(Accounts.longestTime + 1)
    }
    for _ in 0..<1000 where !hasEnded.withLock({ $0 }) {
      hub.beat()
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(hasEnded.withLock { $0 })
    hub.close()
    #expect(try await board.value.status == .ok)
  }

  @Test func `a session that shows a board is in use`() async throws {
    let clock = TestClock()
    let fixture = try await ServerFixture(clock: FixtureClock(now: { clock.now })) { $0.passwordCost = 4 }
    let olga = try await fixture.signedIn("olga")
    let accounts = fixture.server.accounts
    let id = try #require(try await fixture.stores.sessions.sessions(of: olga.account.id).first?.id)
    for _ in 0..<11 {
      clock.advance(3600)
      #expect(try await accounts.goesOn(id) { _ in true })
    }
    #expect(try await olga.request("/api/v1/sessions").status == .ok)
    #expect(try await !accounts.goesOn(id) { _ in false })
    clock.advance(3601)
    #expect(try await !accounts.goesOn(id) { _ in true })
  }

  // MARK: The end of an account

  /// A world, shared and published, a poster, a tour with a run, and a file.
  private func furnish(_ person: SignedIn, sharedWith name: String) async throws -> (world: String, run: String) {
    let answer = try JSONAnswer(
      try await person.request("/api/v1/studio/worlds", .post, #"{"title":"Of \#(person.account.name)"}"#)
    )
    let world = try #require((answer["world"] as? [String: Any])?["id"] as? String)
    let path = "/api/v1/studio/worlds/\(world)"
    _ = try await person.request("\(path)/members", .put, #"{"names":["\#(name)"]}"#)
    _ = try await person.request("\(path)/publish", .post, #"{"version":1}"#)
    let poster = Poster(
      id: "poster-of-\(person.account.name)",
      title: "Poster",
      sizes: [PosterSize(name: "A3", width: 297, height: 420)],
      pictures: [PosterPicture(url: "/assets/00", width: 240, height: 340)]
    )
    _ = try await person.fixture.stores.posters.addPoster(poster, owner: person.account.id, limit: 100)
    let tour = try JSONAnswer(try await person.request("/api/v1/tours", .post, TourTests.tour))
    let teams = ##"{"teams":[{"name":"T","color":"#112233"}]}"##
    let run = try JSONAnswer(
      try await person.request("/api/v1/tours/\(try #require(tour["id"] as? String))/runs", .post, teams)
    )
    let bytes = Data("a picture of \(person.account.name)".utf8)
    let hash = try await person.fixture.stores.assets.saveAsset(bytes, mediaType: "image/png")
    _ = try await person.fixture.stores.assets.claimAsset(
      hash,
      bytes: bytes.count,
      account: person.account.id,
      limit: 1000
    )
    return (world, try #require((run["run"] as? [String: Any])?["id"] as? String))
  }

  @Test func `one's own account is deleted with all that is in it, after the password`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let chief = try await fixture.signedIn("chief", .operator)
    let olga = try await fixture.signedIn("olga")
    let otto = try await fixture.signedIn("otto")
    let (world, run) = try await furnish(olga, sharedWith: "otto")
    let (others, _) = try await furnish(otto, sharedWith: "olga")
    // She has a hand in somebody else's world, too.
    _ = try await fixture.stores.studio.saveDraft(
      StudioContent(json: Data(#"{"title":"by olga"}"#.utf8), title: "by olga", places: 0),
      of: others,
      base: try #require(try await fixture.stores.studio.studioWorld(others)).version,
      author: olga.account.id
    )

    let what = try JSONAnswer(try await olga.request("/api/v1/session/account"))
    #expect(what.objects("worlds").map { $0["id"] as? String } == [world])
    #expect(what.objects("posters").map { $0["title"] as? String } == ["Poster"])
    #expect(what.objects("tours").count == 1)
    #expect(what["runs"] as? Int == 1 && what["files"] as? Int == 1 && what["sharedWorlds"] as? Int == 1)
    try expectProblem(
      try await olga.request("/api/v1/session/account", .delete, #"{"password":"no"}"#),
      403,
      "account.password"
    )
    let gone = try await olga.request("/api/v1/session/account", .delete, "{\(Self.password)}")
    #expect(gone.status == .noContent)
    #expect(gone.headers[.setCookie]?.contains("Max-Age=0") == true)

    #expect(try await olga.request("/api/v1/sessions").status == .unauthorized)
    #expect(try await fixture.signIn("olga").status == .unauthorized)
    #expect(try await fixture.stores.accounts.accounts().map(\.name) == ["chief", "otto"])
    #expect(try await fixture.stores.studio.studioWorlds(for: nil).map(\.id) == [others])
    #expect(try await fixture.stores.worlds.worlds().map(\.id) == [others])
    #expect(try await fixture.stores.worlds.versions(of: world).isEmpty)
    #expect(try await fixture.request("/api/v1/worlds/\(world)").status == .notFound)
    #expect(try await fixture.stores.posters.ownedPosters(of: nil).map(\.poster.id) == ["poster-of-otto"])
    #expect(try await fixture.stores.tours.tours(owner: nil).count == 1)
    #expect(try await fixture.stores.tourRuns.run(run) == nil)
    #expect(try await chief.request("/api/v1/tour-runs/\(run)").status == .notFound)
    // What she wrote in a world that stays is nobody's.
    let history = try await fixture.stores.studio.drafts(of: others)
    #expect(history.first?.title == "by olga")
    #expect(history.first?.author == AccountName.deleted)
    #expect(try await fixture.stores.studio.studioWorld(others)?.members.isEmpty == true)
    #expect(try await fixture.signIn(AccountName.deleted).status == .unauthorized)
    // The log knows it by its number.
    let line = try #require(
      try JSONAnswer(try await chief.request("/api/v1/security-log")).objects("events")
        .first { $0["kind"] as? String == "account-deleted" }
    )
    #expect((line["account"] as? [String: Any])?["id"] as? Int == Int(olga.account.id))
    #expect((line["account"] as? [String: Any])?["name"] == nil)
  }

  @Test func `an operator hands an account's things to another`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let chief = try await fixture.signedIn("chief", .operator)
    let olga = try await fixture.signedIn("olga")
    let otto = try await fixture.signedIn("otto")
    let (world, run) = try await furnish(olga, sharedWith: "otto")
    #expect(try await olga.request("/api/v1/tour-runs/\(run)").status == .ok)
    let path = "/api/v1/accounts/\(olga.account.id)"
    #expect(try JSONAnswer(try await chief.request(path)).objects("worlds").count == 1)
    for heir in [olga.account.id, 999] {
      try expectProblem(try await chief.request(path, .delete, #"{"transferTo":\#(heir)}"#), 422, "account.heir")
    }
    #expect(try await chief.request(path, .delete, #"{"transferTo":\#(otto.account.id)}"#).status == .ok)
    #expect(try await otto.request("/api/v1/studio/worlds/\(world)").status == .ok)
    let heirs = try #require(try await fixture.stores.studio.studioWorld(world))
    #expect(heirs.owner == otto.account.id && heirs.members.isEmpty && heirs.published == 1)
    #expect(try await fixture.request("/api/v1/worlds/\(world)").status == .ok)
    #expect(try await fixture.stores.posters.ownedPosters(of: otto.account.id).count == 1)
    #expect(try await otto.request("/api/v1/tour-runs/\(run)").status == .ok)
    #expect(try await fixture.stores.assets.assetUse(of: otto.account.id).count == 1)
    #expect(try await fixture.stores.studio.drafts(of: world).map(\.author) == [AccountName.deleted])
    try expectProblem(try await chief.request(path, .delete, "{}"), 404, "account.unknown")
  }

  @Test func `the only operator stays, and nobody deletes himself without the password`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let chief = try await fixture.signedIn("chief", .operator)
    try expectProblem(
      try await chief.request("/api/v1/session/account", .delete, "{\(Self.password)}"),
      409,
      "account.last-operator"
    )
    try expectProblem(
      try await chief.request("/api/v1/accounts/\(chief.account.id)", .delete, "{}"),
      409,
      "account.own"
    )
    _ = try await fixture.account("second", .operator)
    let gone = try await chief.request("/api/v1/session/account", .delete, "{\(Self.password)}")
    #expect(gone.status == .noContent)
    #expect(try await fixture.stores.accounts.accounts().map(\.name) == ["second"])
  }

  @Test func `the placeholder of deleted accounts is no account`() async throws {
    let fixture = try await ServerFixture.withAccounts()
    let chief = try await fixture.signedIn("chief", .operator)
    let olga = try await fixture.signedIn("olga")
    let (world, _) = try await furnish(olga, sharedWith: "chief")
    _ = try await chief.request("/api/v1/accounts/\(olga.account.id)", .delete, #"{"transferTo":\#(chief.account.id)}"#)
    #expect(try await fixture.stores.studio.drafts(of: world).first?.author == AccountName.deleted)
    #expect(AccountName.normalized(AccountName.deleted) == nil)
    #expect(try JSONAnswer(try await chief.request("/api/v1/accounts")).objects("accounts").count == 1)
    for id in 1...10 where Int64(id) != chief.account.id {
      try expectProblem(
        try await chief.request("/api/v1/accounts/\(id)", .patch, #"{"active":true,"role":"operator"}"#),
        404,
        "account.unknown"
      )
    }
  }
}
