public import Foundation

/// Where files are kept, pictures and models, and whose they are.
///
/// A file lies under the SHA-256 of its bytes; it counts once for each author who sent it.
public protocol AssetStore: Sendable {
  /// Keeps a file under the SHA-256 of its bytes; saving it again changes nothing.
  ///
  /// - Returns: The hash, 64 hexadecimal digits.
  func saveAsset(_ bytes: Data, mediaType: String) async throws -> String

  /// A kept file; `nil` when there is none.
  func asset(_ hash: String) async throws -> StoredAsset?

  // MARK: Authors

  /// Notes that an author uses a file, if the author's files stay within a number of bytes.
  ///
  /// A file counts once for each author who uploaded it.
  ///
  /// - Returns: Bytes in use by the author after the call; `nil` when the file would go beyond.
  func claimAsset(_ hash: String, bytes: Int, account: Int64, limit: Int) async throws -> Int?

  /// Files of an author and their bytes.
  func assetUse(of account: Int64) async throws -> (count: Int, bytes: Int)

  /// Files of an author, the largest first.
  func ownAssets(of account: Int64) async throws -> [OwnedAsset]

  /// Keeps files for an author if all of them together stay within a number of bytes: looked at and written in one
  /// transaction.
  ///
  /// A file counts once for each author who sent it.
  func keepAssets(_ files: [AssetFile], account: Int64, limit: Int) async throws -> AssetKeeping

  /// Takes a file from an author unless something refers to it.
  func removeAsset(_ hash: String, of account: Int64) async throws -> AssetRemoval
}

/// A stored file.
public struct StoredAsset: Equatable, Sendable {
  /// SHA-256 of the bytes, 64 hexadecimal digits.
  public var hash: String
  /// Media type, decided from the bytes by whoever saved it.
  public var mediaType: String
  /// The file.
  public var bytes: Data

  /// A stored file.
  public init(hash: String, mediaType: String, bytes: Data) {
    self.hash = hash
    self.mediaType = mediaType
    self.bytes = bytes
  }
}

/// A file of an author.
public struct OwnedAsset: Equatable, Sendable {
  /// SHA-256 of the bytes, 64 hexadecimal digits.
  public var hash: String
  /// Media type.
  public var mediaType: String
  /// How many bytes it counts for the author.
  public var bytes: Int
  /// When it was sent first, by whomever.
  public var saved: Date
  /// Whether a world, a draft, a poster or a tour refers to it, or an earlier version of one that is kept.
  public var isUsed: Bool
}

/// A file on its way into the store.
public struct AssetFile: Sendable {
  /// The bytes.
  public var bytes: Data
  /// Media type, decided from the bytes.
  public var mediaType: String

  /// A file.
  public init(bytes: Data, mediaType: String) {
    self.bytes = bytes
    self.mediaType = mediaType
  }
}

/// What became of files that were to be kept.
public enum AssetKeeping: Equatable, Sendable {
  /// All are kept; their hashes in order, and the bytes the author's files take now.
  case kept(hashes: [String], used: Int)
  /// They do not fit, and none of them is kept; the bytes the author's files take.
  case full(used: Int)
}

/// What became of a file that was to be removed.
public enum AssetRemoval: Equatable, Sendable {
  /// It is none of the author's any more, and gone unless it is another's too.
  case removed
  /// Something refers to it.
  case inUse
  /// The author has no such file.
  case unknown
}
