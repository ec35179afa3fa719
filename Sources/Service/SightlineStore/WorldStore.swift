public import Foundation

/// Where worlds and files are kept.
///
/// Every implementation passes the same conformance suite (`WorldStoreConformance`). Rules that hold for all:
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

  /// Keeps a file under the SHA-256 of its bytes; saving it again changes nothing.
  ///
  /// - Returns: The hash, 64 hexadecimal digits.
  func saveAsset(_ bytes: Data, mediaType: String) async throws -> String

  /// A kept file; `nil` when there is none.
  func asset(_ hash: String) async throws -> StoredAsset?
}

/// How much history of a published world is kept at most, whatever the retention's rules say.
public enum WorldHistory {
  /// Most versions.
  public static let versions = 10_000
  /// Most bytes of all versions.
  public static let bytes = 256 * 1024 * 1024
}

/// Why something could not be stored.
public enum StoreError: Error, Equatable, CustomStringConvertible {
  /// The identifier is not one of ``WorldIdentifier``.
  case badIdentifier(String)
  /// The content holds something that JSON has no form for, such as a number that is not finite.
  case notEncodable(String)
  /// The database belongs to a newer program.
  case newerDatabase(String)
  /// A page's cursor was not made by this store for this order.
  case badCursor

  /// A sentence that says what to do.
  public var description: String {
    switch self {
    case .badIdentifier(let id):
      "\"\(id)\" cannot be used as the identifier of a world: use 1 to \(WorldIdentifier.maximumLength) lower-case "
        + "letters, digits, hyphens, dots and underscores, beginning with a letter or digit."
    case .notEncodable(let reason): "The content cannot be stored: \(reason)"
    case .badCursor: "This is no cursor of such a list. Begin again with its first page."
    case .newerDatabase(let path):
      "The database \(path) was written by a newer version of Sightline. Use that version, or another database file."
    }
  }
}
