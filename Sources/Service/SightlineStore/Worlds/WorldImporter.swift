public import SightlineContent
import SightlineImport

/// Brings documents from files into the stores, together with the pictures that lie beside them.
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

  private let worlds: any WorldStore
  private let assets: any AssetStore

  /// An importer for these stores.
  public init(worlds: any WorldStore, assets: any AssetStore) {
    self.worlds = worlds
    self.assets = assets
  }

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
    let assets = assets
    try await document.takeFiles { bytes, mediaType in
      "/assets/" + (try await assets.saveAsset(bytes, mediaType: mediaType))
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
    return Outcome(saved: try await worlds.save(draft), format: document.format, problems: document.problems)
  }
}
