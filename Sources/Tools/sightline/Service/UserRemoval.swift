import ArgumentParser
import Foundation
import SightlineServer
import SightlineStore

/// `sightline user delete`.
struct UserDelete: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete an account with all that is its own, or hand its things to another.",
    discussion: """
      Says what goes: worlds with their drafts and history, posters, tours with their runs and all that teams left in \
      them. Nothing is deleted without --yes. In the history of others' worlds "\(AccountName.deleted)" takes its place; \
      pictures and models that nothing shows any more are removed by the server. The only operator cannot be deleted.
      """
  )

  @Argument(help: "Name of the account.") var name: String
  @Option(help: ArgumentHelp("Who gets worlds, posters, tours and files.", valueName: "name")) var transferTo: String?
  @Flag(help: "Do it.") var yes = false
  @OptionGroup var database: DatabaseOption

  func run() async throws {
    let file = try await database.open(mustExist: true)
    defer { try? file.close() }
    let stores = Stores(file)
    let leaving = try await account(named: name, in: stores.accounts)
    var heir: Account?
    if let transferTo { heir = try await account(named: transferTo, in: stores.accounts) }
    guard let found = try await stores.accounts.belongings(of: leaving.id) else {
      throw Failure("There is no account \"\(name)\" any more.")
    }
    for line in statement(found, of: leaving, to: heir) { Console.say(line) }
    guard yes else { return Console.note("Nothing was done. Add --yes to do it; it cannot be taken back.") }
    switch try await stores.accounts.deleteAccount(leaving.id, transferringTo: heir?.id) {
    case .deleted:
      try await stores.securityLog.note(.accountDeleted, leaving.id, detail: heir.map { "to \($0.id)" } ?? "")
      Console.say("\(leaving.name) is deleted.")
    case .unknown: throw Failure("There is no account \"\(name)\" any more.")
    case .lastOperator: throw Failure("\(leaving.name) is the only operator. Make another one first.")
    case .noHeir: throw Failure("\(transferTo ?? "") cannot have the things: name another account that may sign in.")
    }
  }

  private func statement(_ found: AccountBelongings, of leaving: Account, to heir: Account?) -> [String] {
    var lines = [heir.map { "\(leaving.name): this goes to \($0.name):" } ?? "\(leaving.name): this is deleted, too:"]
    for (kind, items) in [("world", found.worlds), ("poster", found.posters), ("tour", found.tours)] {
      for item in items { lines.append("  \(kind) \(item.id): \(item.title)") }
    }
    if found.runs > 0 {
      lines.append("  \(Console.count(found.runs, "run")) of the tours, with all answers and positions")
    }
    if found.files > 0 { lines.append("  \(Console.count(found.files, "file")), \(found.bytes / 1024) KiB") }
    return lines.count == 1 ? ["\(leaving.name) has nothing of its own."] : lines
  }
}

/// `sightline user links`.
struct UserLinks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "links",
    abstract: "List the one-time links that can be used; see also: sightline user revoke."
  )

  @OptionGroup var database: DatabaseOption

  func run() async throws {
    let file = try await database.open(mustExist: true)
    defer { try? file.close() }
    let stores = Stores(file)
    let dates = ISO8601DateFormatter()
    let rows = try await stores.invitations.invitations(at: Date()).map { link in
      [
        "\(link.id)", link.account.map { "password of \($0.name)" } ?? "new \(link.role.rawValue)",
        link.creator?.name ?? "-", dates.string(from: link.expires),
      ]
    }
    for line in Table.lines(["LINK", "FOR", "MADE BY", "ENDS"], rows) { Console.say(line) }
  }
}

/// `sightline user revoke`.
struct UserRevoke: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "End a one-time link before it is used."
  )

  @Argument(help: "Number of the link; sightline user links shows it.") var link: Int64
  @OptionGroup var database: DatabaseOption

  func run() async throws {
    let file = try await database.open(mustExist: true)
    defer { try? file.close() }
    let stores = Stores(file)
    guard let found = try await stores.invitations.removeInvitation(link) else {
      throw Failure("There is no link \(link). See: sightline user links")
    }
    try await stores.securityLog.note(.linkRevoked, found.account?.id ?? found.creator?.id)
    Console.say("Link \(link) opens nothing any more.")
  }
}

/// `sightline user log`.
struct UserLog: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Show the security log: signing in, changes of accounts, second factors; the latest first."
  )

  @Argument(help: "Name of an account; without, everybody's.") var name: String?
  @Option(help: "Most lines.") var limit = 50
  @OptionGroup var database: DatabaseOption

  func validate() throws {
    guard (1...25_000).contains(limit) else { throw ValidationError("--limit is \(limit); write 1 to 25000.") }
  }

  func run() async throws {
    let file = try await database.open(mustExist: true)
    defer { try? file.close() }
    let stores = Stores(file)
    var about: Int64?
    if let name { about = try await account(named: name, in: stores.accounts).id }
    let page = try await stores.securityLog.securityEvents(of: about, before: nil, limit: limit)
    let dates = ISO8601DateFormatter()
    func word(_ id: Int64?) -> String { id.map { page.names[$0] ?? "(\($0))" } ?? "-" }
    let rows = page.events.map { event in
      [
        dates.string(from: event.time), event.kind.rawValue, word(event.account), word(event.actor),
        [event.origin.device, event.origin.network, event.detail].filter { !$0.isEmpty }.joined(separator: " "),
      ]
    }
    for line in Table.lines(["TIME", "WHAT", "ACCOUNT", "BY", ""], rows) { Console.say(line) }
  }
}
