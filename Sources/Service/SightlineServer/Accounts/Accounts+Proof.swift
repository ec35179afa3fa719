import Foundation
import HTTPTypes
import Hummingbird
import SightlineStore

extension Accounts {
  /// Asks for the present password where a session alone is not enough.
  ///
  /// - Throws: ``AccountError/wrongPassword``, and ``AccountError/tooManyAttempts(wait:)`` after too many such tries.
  func requirePassword(_ given: String, of account: Account, _ exchange: Exchange) async throws {
    try await limiter.attempt(name: account.name, client: exchange.client, at: clock())
    let known = try await store.credentials(of: account.name)
    guard try await hasher.verify(String(given.prefix(2048)), against: known?.password) else {
      await note(.passwordRefused, account.id, exchange)
      throw AccountError.wrongPassword
    }
    try await limiter.succeeded(name: account.name, client: exchange.client, at: clock())
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
  /// - Throws: ``AccountError/codeMissing`` when none was given, ``AccountError/wrongCode`` when it is wrong or was used, and
  ///   ``AccountError/tooManyCodes(wait:)``.
  func requireCode(_ code: String?, of account: Account, _ exchange: Exchange) async throws {
    guard account.hasSecondFactor else { return }
    guard let code, !code.allSatisfy(\.isWhitespace) else {
      throw AccountError.codeMissing
    }
    switch try await takeCode(code, of: account) {
    case .time: break
    case .recovery: await note(.recoveryCodeUsed, account.id, exchange)
    case nil:
      await note(.codeFailed, account.id, exchange)
      throw AccountError.wrongCode
    }
  }

  /// Refuses a new password that would be guessed too soon.
  func check(_ password: String, name: String, _ exchange: Exchange) throws(AccountError) {
    guard let objection = PasswordHasher.objection(to: password, name: name, host: host(exchange)) else { return }
    throw .weakPassword(objection)
  }

  /// The name by which a client knows this server, without scheme and port.
  func host(_ exchange: Exchange) -> String {
    let origin = exchange.origin(secure: isSecure, configured: publicURL)
    return URL(string: origin)?.host ?? ""
  }
}
