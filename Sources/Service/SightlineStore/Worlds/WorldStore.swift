/// Where published worlds are kept.
///
/// Every implementation passes the same conformance suite (`WorldStoreConformance`). Rules that hold for all stores:
/// - When a call that writes has returned, what it wrote survives the end of the process and of the machine.
/// - Readers see whole transactions, never half of one.
/// - Several processes may use one store; each sees the others' changes at its next call.
public protocol WorldStore: Sendable {
  /// Current versions of all worlds, by identifier.
  func worlds() async throws -> [WorldRecord]

  /// A world's current version, or the given earlier one; `nil` when there is none.
  func world(_ id: String, version: Int?) async throws -> WorldContent?

  /// All versions of a world, newest first; empty when there is none.
  func versions(of id: String) async throws -> [WorldRecord]

  /// Saves content as a new version, unless it equals the current one.
  ///
  /// - Throws: ``StoreError`` when the identifier is not well formed or the content cannot be written as JSON.
  func save(_ draft: WorldDraft) async throws -> SaveOutcome

  /// Takes a world out of the lists. Its versions stay for a while (``RetentionRules/removedWorldDays``), and an import in
  /// that time goes on counting from them.
  ///
  /// - Returns: Whether there was one.
  func remove(_ id: String) async throws -> Bool

  /// Number of the store's latest change; 0 for a new store.
  func generation() async throws -> Int64

  /// Places of a world's current version that have a position; `nil` when there is no such world.
  func places(of id: String) async throws -> PlaceList?
}

/// How much history of a published world is kept at most, whatever the retention's rules say.
public enum WorldHistory {
  /// Most versions.
  public static let versions = 10_000
  /// Most bytes of all versions.
  public static let bytes = 256 * 1024 * 1024
}
