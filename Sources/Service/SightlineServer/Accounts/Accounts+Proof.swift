import Foundation
import HTTPTypes
import Hummingbird
import SightlineStore

extension Accounts {
  /// Asks for the present password where a session alone is not enough.
  ///
  /// - Throws: 403 when it is another; 429 after too many such tries.
  func requirePassword(_ given: String, of account: Account, _ exchange: Exchange) async throws {
    try limiter.attempt(name: account.name, client: exchange.client, at: clock())
    let known = try await store.credentials(of: account.name)
    guard try await hasher.verify(String(given.prefix(2048)), against: known?.password) else {
      await note(.passwordRefused, account.id, exchange)
      throw RequestProblem(.forbidden, "account.password", "The present password is not the one that was given.")
    }
    limiter.succeeded(name: account.name, client: exchange.client, at: clock())
  }

  /// Asks for the password, and for a code where the account has a second factor.
  ///
  /// - Throws: What ``requirePassword(_:of:_:)`` and ``requireCode(_:of:_:)`` throw.
  func requireBoth(_ password: String, _ code: String?, of account: Account, _ exchange: Exchange) async throws {
    try await requirePassword(password, of: account, exchange)
    try await requireCode(code, of: account, exchange)
  }

  /// Asks for a code where the account has a second factor.
  ///
  /// - Throws: 401 `account.second-factor` when there is none in the request, `account.code` when it is wrong or was
  ///   used; 429 after too many wrong ones.
  func requireCode(_ code: String?, of account: Account, _ exchange: Exchange) async throws {
    guard account.hasSecondFactor else { return }
    guard let code, !code.allSatisfy(\.isWhitespace) else {
      throw RequestProblem(
        .unauthorized,
        "account.second-factor",
        "This account has a second factor. Send the code of now, or a recovery code, as the member code."
      )
    }
    switch try await takeCode(code, of: account) {
    case .time: break
    case .recovery: await note(.recoveryCodeUsed, account.id, exchange)
    case nil:
      await note(.codeFailed, account.id, exchange)
      throw RequestProblem(
        .unauthorized,
        "account.code",
        "This is not the code of now, or it was used already. Wait for the next one, and check the device's clock."
      )
    }
  }

  /// Refuses a new password that would be guessed too soon.
  func check(_ password: String, name: String, _ exchange: Exchange) throws(RequestProblem) {
    guard let objection = PasswordHasher.objection(to: password, name: name, host: host(exchange)) else { return }
    throw RequestProblem(.unprocessableContent, "account.weak-password", objection)
  }

  /// The name by which a client knows this server, without scheme and port.
  func host(_ exchange: Exchange) -> String {
    let origin = exchange.origin(secure: isSecure, configured: publicURL)
    return URL(string: origin)?.host ?? ""
  }
}
