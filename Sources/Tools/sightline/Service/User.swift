import ArgumentParser
import Foundation
import SightlineServer
import SightlineStore

/// `sightline user`.
struct User: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Accounts of those who make worlds, posters and tours.",
    subcommands: [
      UserAdd.self, UserList.self, UserReset.self, UserChange.self, UserDelete.self, UserLinks.self, UserRevoke.self,
      UserLog.self,
    ]
  )
}

extension AccountRole: ExpressibleByArgument {}

/// `sightline user add`.
struct UserAdd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Make an account.",
    discussion: """
      With --password-stdin the password is the first line of standard input. Without, a one-time link is printed with \
      which its owner chooses name and password; --url says under which address the server is known.
      """
  )

  @Argument(help: "Name to sign in with; only with --password-stdin.") var name: String?
  @Option(help: "author: makes things; operator: manages everybody's.") var role: AccountRole = .author
  @Flag(help: "Read the password from standard input.") var passwordStdin = false
  @Option(help: "Address of the server in the link.") var url = "http://127.0.0.1:8080"
  @OptionGroup var database: DatabaseOption

  func validate() throws {
    guard (name != nil) == passwordStdin else {
      throw ValidationError("Give NAME together with --password-stdin, or neither, for a one-time link.")
    }
  }

  func run() async throws {
    let file = try await database.open(mustExist: false)
    defer { try? file.close() }
    let stores = Stores(file)
    guard let text = name else {
      let link = try await OneTimeLink.make(in: stores.invitations, role: role)
      try await stores.securityLog.note(.invitationMade, nil, detail: role.rawValue)
      Console.say(link.address(origin: url))
      return Console.note("This link makes one account (\(role.rawValue)), once, within seven days.")
    }
    guard let name = AccountName.normalized(text) else {
      throw Failure("\"\(text)\" cannot be a name: use letters, digits and . _ - @ +, without blanks.")
    }
    let password = readLine(strippingNewline: true) ?? ""
    if let objection = PasswordHasher.objection(to: password, name: name) { throw Failure(objection) }
    let hash = try await PasswordHasher().hash(password)
    guard let account = try await stores.accounts.addAccount(name: name, role: role, password: hash) else {
      throw Failure("There is an account \(name) already. See: sightline user list")
    }
    try await stores.securityLog.note(.accountMade, account.id, detail: role.rawValue)
    Console.say("\(account.name) can sign in (\(account.role.rawValue)).")
  }
}

/// `sightline user list`.
struct UserList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List the accounts.")

  @OptionGroup var database: DatabaseOption

  func run() async throws {
    let file = try await database.open(mustExist: true)
    defer { try? file.close() }
    let stores = Stores(file)
    let dates = ISO8601DateFormatter()
    var rows: [[String]] = []
    for account in try await stores.accounts.accounts() {
      let use = try await stores.assets.assetUse(of: account.id)
      rows.append([
        account.name, account.role.rawValue, account.isActive ? "active" : "closed", "\(use.bytes / 1024)",
        account.lastSignIn.map { dates.string(from: $0) } ?? "never",
      ])
    }
    for line in Table.lines(["NAME", "ROLE", "STATE", "KIB", "SIGNED IN"], rows) { Console.say(line) }
  }
}

extension SecurityLogStore {
  /// Writes a line into the security log for what is done here.
  func note(_ kind: SecurityEvent.Kind, _ account: Int64?, detail: String = "") async throws {
    try await addSecurityEvent(
      SecurityEvent(time: Date(), kind: kind, account: account, origin: .commandLine, detail: detail)
    )
  }
}

/// Finds an account by what was typed.
func account(named text: String, in accounts: any AccountStore) async throws -> Account {
  guard let name = AccountName.normalized(text), let known = try await accounts.credentials(of: name) else {
    throw Failure("There is no account \"\(text)\". See: sightline user list")
  }
  return known.account
}

/// `sightline user reset`.
struct UserReset: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Print a one-time link for a new password; good for 30 minutes."
  )

  @Argument(help: "Name of the account.") var name: String
  @Option(help: "Address of the server in the link.") var url = "http://127.0.0.1:8080"
  @OptionGroup var database: DatabaseOption

  func run() async throws {
    let file = try await database.open(mustExist: true)
    defer { try? file.close() }
    let stores = Stores(file)
    let account = try await account(named: name, in: stores.accounts)
    let link = try await OneTimeLink.make(
      in: stores.invitations,
      role: account.role,
      account: account.id,
      lifetime: OneTimeLink.resetTime
    )
    try await stores.securityLog.note(.resetLinkMade, account.id)
    Console.say(link.address(origin: url))
  }
}

/// `sightline user change`.
struct UserChange: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "change",
    abstract: "Change an account's role, close it or open it, take its second factor away; its sessions end."
  )

  @Argument(help: "Name of the account.") var name: String
  @Option(help: "author or operator.") var role: AccountRole?
  @Flag(inversion: .prefixedNo, help: "Whether it may sign in.") var active: Bool?
  @Flag(help: "Take the second factor away, for somebody who has lost the device and the recovery codes.")
  var removeSecondFactor = false
  @OptionGroup var database: DatabaseOption

  func run() async throws {
    let file = try await database.open(mustExist: true)
    defer { try? file.close() }
    let stores = Stores(file)
    let account = try await account(named: name, in: stores.accounts)
    let done = try await stores.accounts.changeAccount(
      account.id,
      role: role ?? account.role,
      isActive: active ?? account.isActive
    )
    guard done else { throw Failure("\(account.name) is the only operator. Make another one first.") }
    if let role, role != account.role {
      try await stores.securityLog.note(.roleChanged, account.id, detail: role.rawValue)
    }
    if let active, active != account.isActive {
      try await stores.securityLog.note(active ? .accountOpened : .accountClosed, account.id)
    }
    if removeSecondFactor {
      guard try await stores.secondFactors.removeSecondFactor(of: account.id) else {
        throw Failure("\(account.name) has no second factor.")
      }
      try await stores.sessions.endSessions(of: account.id, keeping: nil)
      try await stores.securityLog.note(.secondFactorRemoved, account.id)
    }
    Console.say(
      "\(account.name): \((role ?? account.role).rawValue), \(active ?? account.isActive ? "active" : "closed")"
    )
  }
}
