public import SightlineContent
public import SightlineImport

/// Brings documents from files into the store, together with the pictures that lie beside them.
public struct WorldImporter: Sendable {
  /// What became of a file.
  public struct Outcome: Sendable {
    /// The stored world, or `nil` when the document was refused.
    public var saved: SaveOutcome?
    /// Name of the format it was read in.
    public var format: String
    /// What the reader found, and pictures that are missing.
    public var problems: [Problem]
  }

  private let store: any WorldStore

  /// An importer for a store.
  public init(store: any WorldStore) { self.store = store }

  /// Imports one file.
  ///
  /// Relative addresses of pictures name files beside the document or in folders below it; those files are stored too
  /// and the addresses become `/assets/…`.
  ///
  /// - Parameters:
  ///   - path: The document.
  ///   - id: The world's identifier; `nil` derives it from the file's name.
  /// - Returns: What became of it.
  /// - Throws: `LocalFile.Unreadable`, or the store's errors. A document that is refused is not an error but an outcome.
  public func importFile(at path: String, id: String? = nil) async throws -> Outcome {
    var document = try ImportedDocument(fileAt: path)
    let store = store
    try await document.takeFiles { bytes, mediaType in
      "/assets/" + (try await store.saveAsset(bytes, mediaType: mediaType))
    }
    guard let dimension = document.dimension else {
      return Outcome(saved: nil, format: document.format, problems: document.problems)
    }
    let draft = WorldDraft(
      id: id ?? WorldIdentifier.derived(fromFileName: document.name),
      dimension: dimension,
      problems: document.problems,
      format: document.format,
      source: document.name
    )
    return Outcome(saved: try await store.save(draft), format: document.format, problems: document.problems)
  }
}
