import SightlineStore

extension AssetStore {
  /// Keeps an author's files, all or none.
  ///
  /// - Returns: Their hashes in order, and the bytes of all the author's files.
  /// - Throws: ``FilesFull`` when they do not fit.
  func keep(
    _ files: [AssetFile],
    of author: Account,
    _ quotas: Quotas
  ) async throws -> (hashes: [String], used: Int) {
    switch try await keepAssets(files, account: author.id, limit: quotas.assetBytes) {
    case .kept(let hashes, let used): return (hashes, used)
    case .full(let used): throw FilesFull(used: used, limit: quotas.assetBytes)
    }
  }
}
