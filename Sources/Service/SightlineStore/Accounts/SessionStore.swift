public import Foundation

/// A browser that is signed in.
public struct AccountSession: Equatable, Sendable {
  /// Number in the store.
  public var id: Int64
  /// Whose it is.
  public var account: Account
  /// Secret that pages of this session send with every change.
  public var csrf: String
  /// When it was made.
  public var created: Date
  /// When it was last used, to the minute.
  public var used: Date
  /// When its token was last changed.
  public var rotated: Date
  /// Where it was begun.
  public var origin: RequestOrigin

  /// A session with every member given.
  public init(
    id: Int64,
    account: Account,
    csrf: String,
    created: Date,
    used: Date,
    rotated: Date,
    origin: RequestOrigin = RequestOrigin()
  ) {
    self.id = id
    self.account = account
    self.csrf = csrf
    self.created = created
    self.used = used
    self.rotated = rotated
    self.origin = origin
  }
}

/// Where sessions are kept.
///
/// Tokens come as the SHA-256 of what the browser holds: whoever reads the database can sign in with nothing in it.
public protocol SessionStore: Sendable {
  /// Begins a session.
  func addSession(
    token: Data,
    csrf: String,
    account: Int64,
    origin: RequestOrigin,
    at time: Date
  ) async throws -> AccountSession

  /// A session of an active account; `nil` when it has ended.
  func session(_ id: Int64) async throws -> AccountSession?

  /// Sessions of an account, the last used first.
  func sessions(of account: Int64) async throws -> [AccountSession]

  /// The session of a token, or of the one before it for `grace` seconds after it was changed.
  func session(token: Data, at time: Date, grace: TimeInterval) async throws -> AccountSession?

  /// Notes that a session is in use.
  func touchSession(_ id: Int64, at time: Date) async throws

  /// Gives a session a new token.
  ///
  /// - Returns: Whether it was done; not when another request has done it since `rotated`.
  func rotateSession(_ id: Int64, token: Data, rotated: Date, at time: Date) async throws -> Bool

  /// Ends a session.
  func endSession(_ id: Int64) async throws

  /// Ends all sessions of an account, but for one.
  ///
  /// - Returns: How many.
  @discardableResult
  func endSessions(of account: Int64, keeping session: Int64?) async throws -> Int

  /// Removes sessions not used since the first date or made before the second.
  func removeStale(unusedSince: Date, madeBefore: Date) async throws
}
