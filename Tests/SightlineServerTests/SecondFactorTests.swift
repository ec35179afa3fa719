import Foundation
import HTTPTypes
import HummingbirdTesting
import SightlineStore
import Testing

@testable import SightlineServer

@Suite struct TimeCodeTests {
  @Test(
    arguments: [
      // RFC 6238, appendix B, SHA-1: time, eight digits; the secret is "12345678901234567890".
      (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
      (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
    ]
  )
  func `codes are those of RFC 6238`(time: Int, code: String) {
    let secret = Data("12345678901234567890".utf8)
    let step = TimeCode.step(at: Date(timeIntervalSince1970: Double(time)))
    #expect(TimeCode.code(secret, step: step, digits: 8) == code)
    #expect(TimeCode.code(secret, step: step) == String(code.suffix(6)))
  }

  @Test(
    arguments: [
      // RFC 4226, appendix D: counter, code.
      (0, "755224"), (1, "287082"), (2, "359152"), (3, "969429"), (4, "338314"), (5, "254676"), (6, "287922"),
      (7, "162583"), (8, "399871"), (9, "520489"),
    ]
  )
  func `codes are those of RFC 4226`(counter: Int64, code: String) {
    #expect(TimeCode.code(Data("12345678901234567890".utf8), step: counter) == code)
  }

  @Test(
    arguments: [
      // RFC 4648, 10.
      ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
      ("foobar", "MZXW6YTBOI"),
    ]
  )
  func `base 32 is that of RFC 4648`(text: String, code: String) { #expect(Base32.encode(text.utf8) == code) }

  @Test func `a code of the step before and after is taken, none else, and none twice`() {
    let secret = Data("12345678901234567890".utf8)
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let step = TimeCode.step(at: now)
    for distance in -3...3 {
      let code = TimeCode.code(secret, step: step + Int64(distance))
      let found = TimeCode.step(of: code, secret: secret, after: 0, at: now)
      #expect(found == (abs(distance) <= 1 ? step + Int64(distance) : nil))
      #expect(TimeCode.step(of: code, secret: secret, after: step + Int64(distance), at: now) == nil)
    }
    for typed in ["", "0", "12345", "1234567", "abcdef", "१२३४५६", String(repeating: "1", count: 64)] {
      #expect(TimeCode.step(of: typed, secret: secret, after: 0, at: now) == nil)
    }
    let code = TimeCode.code(secret, step: step)
    #expect(TimeCode.step(of: " \(code.prefix(3)) \(code.suffix(3))", secret: secret, after: 0, at: now) == step)
  }

  @Test func `the address is one that authenticator programs read`() throws {
    let text = TimeCode.address(Data("foobar".utf8), name: "åsa@example", issuer: "Sightline ar.example.org")
    #expect(
      text == "otpauth://totp/Sightline%20ar.example.org:%C3%A5sa%40example?secret=MZXW6YTBOI"
        + "&issuer=Sightline%20ar.example.org&algorithm=SHA1&digits=6&period=30"
    )
  }

  @Test func `recovery codes have 120 bits, and are read however they are typed`() throws {
    let codes = RecoveryCode.make()
    #expect(codes.count == 10 && Set(codes).count == 10)
    for code in codes {
      #expect(code.count == 29 && code.split(separator: "-").map(\.count) == [4, 4, 4, 4, 4, 4])
      let digest = try #require(RecoveryCode.digest(code))
      #expect(RecoveryCode.digest(" " + code.lowercased().replacing("-", with: " ")) == digest)
    }
    for typed in ["", "123456", String(codes[0].dropLast()), codes[0] + "A", String(repeating: "é", count: 24)] {
      #expect(RecoveryCode.digest(typed) == nil)
    }
  }
}

@Suite struct SecondFactorTests {
  private static let path = "/api/v1/session/second-factor"
  private static let password = #""password":"\#(ServerFixture.password)""#

  /// A fixture with a clock that the test moves.
  private func fixture(
    _ clock: TestClock,
    _ policy: SecondFactorPolicy = .none
  ) async throws -> ServerFixture {
    try await ServerFixture(clock: FixtureClock(now: { clock.now })) { options in
      options.passwordCost = 4
      options.secondFactorPolicy = policy
    }
  }

  /// Sets up a second factor as a page does: the secret and the recovery codes.
  private func enrol(_ person: SignedIn, _ clock: TestClock) async throws -> (secret: Data, recovery: [String]) {
    let begun = try await person.request(Self.path, .post, "{\(Self.password)}")
    #expect(begun.status == .created)
    let uri = try #require(try JSONAnswer(begun)["uri"] as? String)
    let text = try #require(try JSONAnswer(begun)["secret"] as? String)
    #expect(uri.contains("secret=\(text)&"))
    #expect((try JSONAnswer(begun)["svg"] as? String)?.hasPrefix("<svg") == true)
    let secret = try base32(text)
    let code = TimeCode.code(secret, step: TimeCode.step(at: clock.now))
    let confirmed = try await person.request(Self.path, .put, #"{"code":"\#(code)"}"#)
    #expect(confirmed.status == .ok)
    let recovery = try #require(try JSONAnswer(confirmed)["recoveryCodes"] as? [String])
    #expect(recovery.count == 10)
    return (secret, recovery)
  }

  /// The bytes of base 32: an authenticator's way back.
  private func base32(_ text: String) throws -> Data {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    var bits = ""
    for letter in text {
      let value = try #require(alphabet.firstIndex(of: letter))
      let digits = String(value, radix: 2)
      bits += String(repeating: "0", count: 5 - digits.count) + digits
    }
    var bytes = Data()
    while bits.count >= 8 {
      bytes.append(try #require(UInt8(bits.prefix(8), radix: 2)))
      bits.removeFirst(8)
    }
    return bytes
  }

  private func signIn(_ fixture: ServerFixture, _ name: String, code: String?) async throws -> TestResponse {
    let member = code.map { #","code":"\#($0)""# } ?? ""
    return try await fixture.request(
      "/api/v1/session",
      .post,
      headers: [.contentType: "application/json"],
      body: #"{"name":"\#(name)",\#(Self.password)\#(member)}"#
    )
  }

  @Test func `signing in takes the code of now, and each code once`() async throws {
    let clock = TestClock()
    let fixture = try await fixture(clock)
    let chief = try await fixture.signedIn("chief", .operator)
    let other = try await fixture.signIn("chief")
    let elsewhere = String(try #require(other.headers[.setCookie]).prefix { $0 != ";" })
    let (secret, recovery) = try await enrol(chief, clock)
    // Sessions that were begun without it end, this one goes on.
    #expect(
      try JSONAnswer(try await fixture.request("/api/v1/session", headers: [.cookie: elsewhere]))["account"] is NSNull
    )
    let now = try JSONAnswer(try await chief.request("/api/v1/session"))
    #expect((now["account"] as? [String: Any])?["secondFactor"] as? Bool == true)
    #expect(now["recoveryCodes"] as? Int == 10)
    // The code that confirmed is used up.
    let first = TimeCode.code(secret, step: TimeCode.step(at: clock.now))
    try expectProblem(try await signIn(fixture, "chief", code: nil), 401, "account.second-factor")
    try expectProblem(try await signIn(fixture, "chief", code: ""), 401, "account.second-factor")
    try expectProblem(try await signIn(fixture, "chief", code: first), 401, "account.code")
    clock.advance(30)
    let second = TimeCode.code(secret, step: TimeCode.step(at: clock.now))
    #expect(try await signIn(fixture, "chief", code: second).status == .ok)
    try expectProblem(try await signIn(fixture, "chief", code: second), 401, "account.code")
    // A recovery code takes its place, once.
    #expect(try await signIn(fixture, "chief", code: recovery[3].lowercased()).status == .ok)
    try expectProblem(try await signIn(fixture, "chief", code: recovery[3]), 401, "account.code")
    #expect(try await fixture.stores.secondFactors.recoveryCodeCount(of: chief.account.id) == 9)
  }

  @Test func `wrong codes are counted, and the right one does not help before the time is over`() async throws {
    let clock = TestClock()
    let fixture = try await fixture(clock)
    let chief = try await fixture.signedIn("chief", .operator)
    let (secret, _) = try await enrol(chief, clock)
    clock.advance(60)
    func tryCode(_ code: String) async throws -> Accounts.CodeUse? {
      let account = try #require(try await fixture.stores.accounts.account(chief.account.id))
      return try await fixture.server.accounts.takeCode(code, of: account)
    }
    // Not one that holds by chance.
    let steps = (-1...1).map { TimeCode.code(secret, step: TimeCode.step(at: clock.now) + $0) }
    let wrong = try #require(["000000", "111111", "222222", "333333"].first { !steps.contains($0) })
    for _ in 0..<CodeAttempts.free { #expect(try await tryCode(wrong) == nil) }
    let right = TimeCode.code(secret, step: TimeCode.step(at: clock.now))
    await #expect(throws: AccountError.self) { _ = try await tryCode(right) }
    // Another server over the same database counts on.
    let again = try await SightlineServerOver(fixture, clock).takeCode(right, of: chief.account.id)
    #expect(again == "account.too-many-codes")
    clock.advance(31)
    #expect(try await tryCode(TimeCode.code(secret, step: TimeCode.step(at: clock.now))) == .time)
    // A success forgives.
    clock.advance(30)
    for _ in 0..<(CodeAttempts.free - 1) { #expect(try await tryCode(wrong) == nil) }
    #expect(try await tryCode(TimeCode.code(secret, step: TimeCode.step(at: clock.now))) == .time)
  }

  @Test func `many tries at once are not more than many in turn`() async throws {
    let clock = TestClock()
    let fixture = try await fixture(clock)
    let chief = try await fixture.signedIn("chief", .operator)
    _ = try await enrol(chief, clock)
    let account = try #require(try await fixture.stores.accounts.account(chief.account.id))
    let tried = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<40 {
        group.addTask {
          do {
            _ = try await fixture.server.accounts.takeCode("no code", of: account)
            return true
          } catch {
            return false
          }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(tried == CodeAttempts.free)
  }

  @Test func `setting up takes the password, taking away takes password and code`() async throws {
    let clock = TestClock()
    let fixture = try await fixture(clock)
    let olga = try await fixture.signedIn("olga")
    try expectProblem(try await olga.request(Self.path, .post, #"{"password":"no"}"#), 403, "account.password")
    try expectProblem(
      try await olga.request(Self.path, .put, #"{"code":"123456"}"#),
      409,
      "account.second-factor-not-begun"
    )
    try expectProblem(
      try await olga.request(Self.path + "/recovery-codes", .post, "{\(Self.password)}"),
      409,
      "account.second-factor-none"
    )
    let (secret, former) = try await enrol(olga, clock)
    // The secret is never shown again, nor replaced by who has only the password.
    try expectProblem(
      try await olga.request(Self.path, .post, "{\(Self.password)}"),
      409,
      "account.second-factor-set"
    )
    clock.advance(30)
    func code() -> String { TimeCode.code(secret, step: TimeCode.step(at: clock.now)) }
    let renewed = try await olga.request(
      Self.path + "/recovery-codes",
      .post,
      #"{\#(Self.password),"code":"\#(code())"}"#
    )
    let codes = try #require(try JSONAnswer(renewed)["recoveryCodes"] as? [String])
    #expect(Set(codes).isDisjoint(with: former))
    try expectProblem(try await signIn(fixture, "olga", code: former[0]), 401, "account.code")
    try expectProblem(try await olga.request(Self.path, .delete, "{\(Self.password)}"), 401, "account.second-factor")
    clock.advance(30)
    try expectProblem(
      try await olga.request(Self.path, .delete, #"{"password":"no","code":"\#(code())"}"#),
      403,
      "account.password"
    )
    let off = try await olga.request(Self.path, .delete, #"{\#(Self.password),"code":"\#(code())"}"#)
    #expect(off.status == .noContent)
    #expect(try await signIn(fixture, "olga", code: nil).status == .ok)
    #expect(try await fixture.stores.secondFactors.recoveryCodeCount(of: olga.account.id) == 0)
  }

  @Test func `an operator takes another's away, not his own, and its sessions end`() async throws {
    let clock = TestClock()
    let fixture = try await fixture(clock)
    let chief = try await fixture.signedIn("chief", .operator)
    let olga = try await fixture.signedIn("olga")
    _ = try await enrol(olga, clock)
    let path = "/api/v1/accounts/\(olga.account.id)/second-factor"
    #expect(try await chief.request(path, .delete).status == .noContent)
    #expect(try await olga.request("/api/v1/sessions").status == .unauthorized)
    #expect(try await signIn(fixture, "olga", code: nil).status == .ok)
    try expectProblem(try await chief.request(path, .delete), 404, "account.second-factor-none")
    try expectProblem(
      try await chief.request("/api/v1/accounts/\(chief.account.id)/second-factor", .delete),
      409,
      "account.own"
    )
  }

  @Test func `a link for a new password does not take the place of the second factor`() async throws {
    let clock = TestClock()
    let fixture = try await fixture(clock)
    let olga = try await fixture.signedIn("olga")
    let (secret, _) = try await enrol(olga, clock)
    let link = try await OneTimeLink.make(
      in: fixture.stores.invitations,
      role: .author,
      account: olga.account.id,
      at: clock.now
    )
    func accept(_ code: String?) async throws -> TestResponse {
      let member = code.map { #","code":"\#($0)""# } ?? ""
      return try await fixture.request(
        "/api/v1/invitations/accept",
        .post,
        headers: [.contentType: "application/json"],
        body: #"{"token":"\#(link.token)","password":"violet anchor seven"\#(member)}"#
      )
    }
    try expectProblem(try await accept(nil), 401, "account.second-factor")
    try expectProblem(try await accept("no"), 401, "account.code")
    clock.advance(30)
    #expect(try await accept(TimeCode.code(secret, step: TimeCode.step(at: clock.now))).status == .ok)
  }

  @Test(arguments: [SecondFactorPolicy.operators, .authors])
  func `who has to have one can do nothing else before`(policy: SecondFactorPolicy) async throws {
    let clock = TestClock()
    let fixture = try await fixture(clock, policy)
    let chief = try await fixture.signedIn("chief", .operator)
    let olga = try await fixture.signedIn("olga")
    for path in ["/api/v1/accounts", "/api/v1/studio/worlds", "/api/v1/sessions", "/api/v1/security-log"] {
      try expectProblem(try await chief.request(path), 403, "account.second-factor-missing")
    }
    let forAll = policy == .authors
    #expect(try await olga.request("/api/v1/studio/worlds").status == (forAll ? .forbidden : .ok))
    #expect(try JSONAnswer(try await chief.request("/api/v1/session"))["needsSecondFactor"] as? Bool == true)
    _ = try await enrol(chief, clock)
    #expect(try JSONAnswer(try await chief.request("/api/v1/session"))["needsSecondFactor"] as? Bool == false)
    #expect(try await chief.request("/api/v1/accounts").status == .ok)
  }

  @Test func `neither secret nor codes are in any answer or log line after setting up`() async throws {
    let clock = TestClock()
    let fixture = try await fixture(clock)
    let chief = try await fixture.signedIn("chief", .operator)
    let (secret, recovery) = try await enrol(chief, clock)
    let secrets = recovery + [Base32.encode(secret), secret.hexadecimal]
    var texts = fixture.logLines.all
    for path in ["/api/v1/session", "/api/v1/accounts", "/api/v1/security-log", "/api/v1/sessions"] {
      texts.append(String(buffer: try await chief.request(path).body))
    }
    for text in texts { for secret in secrets { #expect(!text.contains(secret)) } }
    #expect(texts.contains { $0.contains("second-factor-set") })
  }
}

/// Accounts of another process over the same database.
private struct SightlineServerOver {
  let accounts: Accounts

  init(_ fixture: ServerFixture, _ clock: TestClock) {
    accounts = Accounts(
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
  }

  func takeCode(_ code: String, of id: Int64) async throws -> String? {
    let account = try #require(try await accounts.store.account(id))
    do {
      _ = try await accounts.takeCode(code, of: account)
      return nil
    } catch let error as AccountError {
      return error.problem.code
    }
  }
}
