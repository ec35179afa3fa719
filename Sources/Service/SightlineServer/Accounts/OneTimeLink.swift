public import Foundation
public import SightlineStore

/// An address that makes one account, or sets one password, once.
public struct OneTimeLink: Sendable {
  /// What stands in the address, after `#`, where browsers keep it to themselves.
  let token: String
  /// When it ends.
  public let expires: Date

  /// How long a link for a new account can be used, seconds.
  public static let invitationTime: TimeInterval = 7 * 24 * 3600
  /// How long a link for a new password can be used, seconds.
  public static let resetTime: TimeInterval = 30 * 60

  /// The address on a server.
  public func address(origin: String) -> String { "\(origin)/#/account/link/\(token)" }

  /// Makes a link; with `replacing`, links for new accounts that were made before end.
  ///
  /// `creator` is the operator who makes it; it ends with his rights.
  public static func make(
    in store: any InvitationStore,
    role: AccountRole,
    account: Int64? = nil,
    creator: Int64? = nil,
    lifetime: TimeInterval = OneTimeLink.invitationTime,
    replacing: Bool = false,
    at time: Date = Date()
  ) async throws -> OneTimeLink {
    let link = OneTimeLink(token: SecretToken.make(), expires: time.addingTimeInterval(lifetime))
    try await store.addInvitation(
      token: SecretToken.digest(link.token),
      role: role,
      account: account,
      creator: creator,
      made: time,
      expires: link.expires,
      replacing: replacing
    )
    return link
  }

  /// A link for the first operator of a store without accounts; `nil` when there are some.
  public static func forFirstAccount(
    of accounts: any AccountStore,
    in store: any InvitationStore
  ) async throws -> OneTimeLink? {
    guard try await accounts.accounts().isEmpty else { return nil }
    return try await make(in: store, role: .operator, lifetime: 24 * 3600, replacing: true)
  }
}
