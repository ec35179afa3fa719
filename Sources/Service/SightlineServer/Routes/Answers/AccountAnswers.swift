import Foundation
import SightlineInput
import SightlineStore

/// An account, as its owner and operators see it.
struct AccountAnswer: Codable, Described, Sendable {
  var id: Int64
  var name: String
  var role: AccountRole
  var active: Bool
  var secondFactor: Bool
  var created: Date
  @OrNull var signedIn: Date?
  /// Of its files; in the operators' list.
  var bytes: Int?

  static let schemaName = "Account"

  init(_ account: Account, bytes: Int? = nil) {
    id = account.id
    name = account.name
    role = account.role
    active = account.isActive
    secondFactor = account.hasSecondFactor
    created = account.created
    _signedIn = OrNull(wrappedValue: account.lastSignIn)
    self.bytes = bytes
  }
}

/// All accounts.
struct AccountList: Codable, Described, Sendable {
  var accounts: [AccountAnswer]
}

/// Who is signed in, or that nobody is.
struct SessionAnswer: Codable, Described, Sendable {
  struct Quota: Codable, Sendable {
    var bytes: Int
    var worlds: Int
  }

  @OrNull var account: AccountAnswer?
  /// Whether there is no account yet at all; when nobody is signed in.
  var needsFirstAccount: Bool?
  /// What changes have to bring along in `X-CSRF-Token`.
  var csrf: String?
  var needsSecondFactor: Bool?
  /// How many recovery codes are left.
  var recoveryCodes: Int?
  var files: Int?
  var bytes: Int?
  var quota: Quota?
}

/// What a one-time link is for.
struct LinkAnswer: Codable, Described, Sendable {
  var role: AccountRole
  /// The account whose password is set; `null` for a new one.
  @OrNull var name: String?
  var expires: Date
}

/// A one-time link that was made.
struct NewLink: Codable, Described, Sendable {
  var link: String
  var expires: Date
}

/// The one-time links that can be used.
struct InvitationList: Codable, Described, Sendable {
  struct Entry: Codable, Sendable {
    var id: Int64
    var kind: String
    var role: AccountRole
    var name: String?
    var creator: String?
    var made: Date
    var expires: Date

    init(_ link: Invitation) {
      id = link.id
      kind = link.account == nil ? "account" : "password"
      role = link.role
      name = link.account?.name
      creator = link.creator?.name
      made = link.made
      expires = link.expires
    }
  }

  var invitations: [Entry]
}

/// What an account has, for those who are to decide about it.
struct BelongingsAnswer: Codable, Described, Sendable {
  struct Item: Codable, Sendable {
    var id: String
    var title: String
  }

  var worlds: [Item]
  var posters: [Item]
  var tours: [Item]
  var publishedWorlds: Int
  var runs: Int
  var files: Int
  var bytes: Int
  var sharedWorlds: Int

  static let schemaName = "Belongings"

  init(_ found: AccountBelongings) {
    func items(_ list: [AccountBelongings.Item]) -> [Item] { list.map { Item(id: $0.id, title: $0.title) } }
    worlds = items(found.worlds)
    posters = items(found.posters)
    tours = items(found.tours)
    publishedWorlds = found.publishedWorlds
    runs = found.runs
    files = found.files
    bytes = found.bytes
    sharedWorlds = found.sharedWorlds
  }
}

/// One's sessions.
struct SessionList: Codable, Described, Sendable {
  struct Entry: Codable, Sendable {
    var id: Int64
    var current: Bool
    var device: String
    var network: String
    var created: Date
    var used: Date

    init(_ session: AccountSession, current: Bool) {
      id = session.id
      self.current = current
      device = session.origin.device
      network = session.origin.network
      created = session.created
      used = session.used
    }
  }

  var sessions: [Entry]
}

/// A page of the security log.
struct SecurityLogPage: Codable, Described, Sendable {
  struct Person: Codable, Sendable {
    var id: Int64
    /// Missing when the account is no more.
    var name: String?
  }

  struct Entry: Codable, Sendable {
    var id: Int64
    var time: Date
    var kind: String
    /// Whose account it is about.
    var account: Person?
    /// Who did it, if that was somebody else.
    var actor: Person?
    var device: String
    var network: String
    var detail: String?

    init(_ event: SecurityEvent, names: [Int64: String]) {
      id = event.id
      time = event.time
      kind = event.kind.rawValue
      account = event.account.map { Person(id: $0, name: names[$0]) }
      actor = event.actor.map { Person(id: $0, name: names[$0]) }
      device = event.origin.device
      network = event.origin.network
      detail = event.detail.isEmpty ? nil : event.detail
    }
  }

  var events: [Entry]
  /// What to send as `before` for the next page.
  @OrNull var next: Int64?
}

/// The secret of a second factor that is being set up.
struct FactorSecret: Codable, Described, Sendable {
  /// In base 32, to be typed.
  var secret: String
  /// `otpauth:` address.
  var uri: String
  /// The same as a QR code.
  var svg: String
}

/// Codes for want of the second factor, told once.
struct RecoveryCodes: Codable, Described, Sendable {
  var recoveryCodes: [String]
}
