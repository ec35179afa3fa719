import Hummingbird
import SightlineInput
import SightlineStore

/// Deletes accounts with what is theirs, in the store and in what the server keeps in memory.
struct AccountRemoval: Sendable {
  let accounts: Accounts
  let tours: TourService
  let catalog: Catalog

  /// Deletes an account, or hands its things to another.
  func delete(
    _ account: Account,
    to heir: Int64?,
    by actor: Int64?,
    _ exchange: Exchange
  ) async throws
    -> AccountBelongings
  {
    switch try await accounts.store.deleteAccount(account.id, transferringTo: heir) {
    case .unknown: throw RequestProblem.unknownAccount
    case .lastOperator: throw RequestProblem.lastOperator
    case .noHeir:
      throw RequestProblem(
        .unprocessableContent,
        "account.heir",
        "transferTo has to be the id of another account that may sign in. GET /api/v1/accounts lists them."
      )
    case .deleted(let belongings, let runs):
      for run in runs {
        if heir == nil { tours.removed(run) } else { tours.forget(run) }
      }
      try await catalog.refresh()
      await accounts.note(.accountDeleted, account.id, by: actor, exchange, detail: heir.map { "to \($0)" } ?? "")
      return belongings
    }
  }

  /// What an account has, for those who are to decide about it.
  static func answer(_ found: AccountBelongings) -> Response {
    var json = JSONWriter(capacity: 1024)
    json.beginObject()
    for (name, items) in [("worlds", found.worlds), ("posters", found.posters), ("tours", found.tours)]
      as [(StaticString, [AccountBelongings.Item])]
    {
      json.name(name)
      json.beginArray()
      for item in items {
        json.beginObject()
        json.member("id", item.id)
        json.member("title", item.title)
        json.endObject()
      }
      json.endArray()
    }
    json.member("publishedWorlds", found.publishedWorlds)
    json.member("runs", found.runs)
    json.member("files", found.files)
    json.member("bytes", found.bytes)
    json.member("sharedWorlds", found.sharedWorlds)
    json.endObject()
    return Answers.json(json.buffer)
  }
}

extension RequestProblem {
  /// 404 for an account.
  static let unknownAccount = RequestProblem.notFound(
    "account.unknown",
    "There is no such account. GET /api/v1/accounts lists them."
  )

  /// 409 where none would be left who may manage accounts.
  static let lastOperator = RequestProblem(
    .conflict,
    "account.last-operator",
    "This is the only operator there is. Make somebody else operator first."
  )
}
