import Foundation
import HTTPTypes
import HummingbirdTesting
import SightlineStore
import Synchronization
import Testing

@testable import SightlineServer

/// A browser that keeps the session's cookie and sends its secret, as the web client does.
final class SignedIn: Sendable {
  let fixture: ServerFixture
  let account: Account
  private let state: Mutex<(cookie: String, csrf: String)>

  init(_ fixture: ServerFixture, _ account: Account, cookie: String, csrf: String) {
    self.fixture = fixture
    self.account = account
    state = Mutex((cookie, csrf))
  }

  var cookie: String { state.withLock { $0.cookie } }
  var csrf: String { state.withLock { $0.csrf } }

  var headers: HTTPFields {
    state.withLock { [.cookie: $0.cookie, .csrfToken: $0.csrf, .contentType: "application/json"] }
  }

  func request(
    _ uri: String,
    _ method: HTTPRequest.Method = .get,
    _ body: String? = nil,
    headers extra: HTTPFields = [:]
  ) async throws -> TestResponse {
    var headers = headers
    for field in extra { headers[field.name] = field.value }
    let response = try await fixture.request(uri, method, headers: headers, body: body)
    if let set = response.headers[.setCookie] {
      state.withLock { $0.cookie = String(set.prefix { $0 != ";" }) }
    }
    return response
  }
}

extension ServerFixture {
  static let password = "correct horse 9"

  /// A fixture whose scrypt is quick.
  static func withAccounts(_ change: (inout ServerOptions) -> Void = { _ in }) async throws -> ServerFixture {
    try await ServerFixture { options in
      options.passwordCost = 4
      change(&options)
    }
  }

  /// Makes an account.
  func account(_ name: String, _ role: AccountRole = .author) async throws -> Account {
    let hash = try await server.accounts.hasher.hash(ServerFixture.password)
    return try #require(try await stores.accounts.addAccount(name: name, role: role, password: hash))
  }

  /// Makes an account and signs it in.
  func signedIn(_ name: String, _ role: AccountRole = .author) async throws -> SignedIn {
    let account = try await account(name, role)
    let response = try await signIn(name)
    #expect(response.status == .ok)
    let cookie = try #require(response.headers[.setCookie]).prefix { $0 != ";" }
    let csrf = try #require(try JSONAnswer(response)["csrf"] as? String)
    return SignedIn(self, account, cookie: String(cookie), csrf: csrf)
  }

  func signIn(
    _ name: String,
    password: String = ServerFixture.password,
    headers: HTTPFields = [:]
  ) async throws
    -> TestResponse
  {
    var all: HTTPFields = [.contentType: "application/json"]
    for field in headers { all[field.name] = field.value }
    return try await request(
      "/api/v1/session",
      .post,
      headers: all,
      body: #"{"name":"\#(name)","password":"\#(password)"}"#
    )
  }
}
