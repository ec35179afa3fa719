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
    case .unknown: throw AccountError.unknown
    case .lastOperator: throw AccountError.lastOperator
    case .noHeir: throw AccountError.noHeir
    case .deleted(let belongings, let runs):
      for run in runs {
        if heir == nil { tours.removed(run) } else { tours.forget(run) }
      }
      try await catalog.refresh()
      await accounts.note(.accountDeleted, account.id, by: actor, exchange, detail: heir.map { "to \($0)" } ?? "")
      return belongings
    }
  }
}
