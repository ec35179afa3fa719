import Crypto
import Foundation

/// What tells one GTFS feed in a file or folder from another.
struct FeedDigest: Sendable {
  /// SHA-256 of its content.
  let hash: Data
  /// When it was changed last.
  let changed: Date

  /// Of a feed; `nil` when it is not there or cannot be read.
  init?(_ path: String) {
    let manager = FileManager.default
    guard let found = try? manager.attributesOfItem(atPath: path), let changed = found[.modificationDate] as? Date
    else { return nil }
    guard found[.type] as? FileAttributeType == .typeDirectory else {
      guard let hash = Self.hash(ofFile: path) else { return nil }
      (self.hash, self.changed) = (hash, changed)
      return
    }
    // Of a folder: names and contents of its tables.
    guard let names = try? manager.contentsOfDirectory(atPath: path) else { return nil }
    var hash = SHA256()
    var latest = changed
    for name in names.sorted() where name.hasSuffix(".txt") {
      guard let part = Self.hash(ofFile: "\(path)/\(name)") else { continue }
      hash.update(data: Data(name.utf8))
      hash.update(data: part)
      let time = (try? manager.attributesOfItem(atPath: "\(path)/\(name)"))?[.modificationDate] as? Date
      latest = max(latest, time ?? latest)
    }
    (self.hash, self.changed) = (Data(hash.finalize()), latest)
  }

  /// SHA-256 of a file, read in parts; `nil` when it cannot be read.
  static func hash(ofFile path: String) -> Data? {
    guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? handle.close() }
    var hash = SHA256()
    do {
      while let part = try handle.read(upToCount: 1 << 20), !part.isEmpty { hash.update(data: part) }
    } catch { return nil }
    return Data(hash.finalize())
  }
}
