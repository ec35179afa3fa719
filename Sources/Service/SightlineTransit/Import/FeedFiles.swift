import Foundation
import SightlineArchive

/// The files of a GTFS feed: a zip archive or a folder.
struct FeedFiles {
  /// What a feed may be at most; it comes from outside.
  struct Limits: Sendable {
    /// Bytes of the archive.
    var archive = 512 << 20
    /// Bytes of a file, unpacked.
    var file = 8 << 30
  }

  /// The files that are read, whatever else there is.
  static let known = [
    "agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt", "calendar.txt", "calendar_dates.txt",
    "frequencies.txt", "shapes.txt", "transfers.txt", "translations.txt", "feed_info.txt", "attributions.txt",
  ]

  private enum Place {
    case folder(String)
    case archive(ZipArchive, [String: ZipArchive.Entry])
  }

  private let place: Place
  private let limits: Limits

  /// Looks into a folder or an archive.
  ///
  /// - Throws: ``TransitImportError`` or ``ArchiveError``.
  init(path: String, limits: Limits = Limits()) throws {
    self.limits = limits
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw TransitImportError("\(path) is not there. Check the path.")
    }
    if isFolder.boolValue {
      place = .folder(path)
      return
    }
    let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    guard size <= limits.archive else {
      throw TransitImportError(
        "\(path) has \(size) bytes; at most \(limits.archive) are read. If the feed is as large as that, import it with "
          + "sightline transit import --largest-archive MiB, which makes a schedule file that can be served."
      )
    }
    var zipLimits = ZipArchive.Limits()
    zipLimits.unpackedBytes = limits.file
    let archive = try ZipArchive(path: path, limits: zipLimits)
    place = .archive(archive, try Self.choose(archive.entries))
  }

  /// The known files, at the top or in the one folder that has them.
  private static func choose(_ entries: [ZipArchive.Entry]) throws -> [String: ZipArchive.Entry] {
    var folders: [String: [String: ZipArchive.Entry]] = [:]
    for entry in entries where !entry.name.hasPrefix("__MACOSX/") {
      let parts = entry.name.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count <= 2, let name = parts.last.map(String.init), known.contains(name) else { continue }
      folders[parts.count == 2 ? String(parts[0]) : "", default: [:]][name] = entry
    }
    if let top = folders[""] { return top }
    guard folders.count <= 1 else {
      throw TransitImportError(
        "The archive holds several feeds, in the folders \(folders.keys.sorted().joined(separator: ", ")). Give one."
      )
    }
    return folders.first?.value ?? [:]
  }

  /// A file's bytes; `nil` when the feed has no such file.
  func open(_ name: String) throws -> (any ByteSource)? {
    switch place {
    case .folder(let folder):
      let path = (folder as NSString).appendingPathComponent(name)
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      return try FileSource(path: path)
    case .archive(let archive, let entries): return try entries[name].map { try archive.open($0) }
    }
  }

  /// A file's size in bytes, unpacked; 0 when there is none.
  func size(_ name: String) -> Int {
    switch place {
    case .folder(let folder):
      let path = (folder as NSString).appendingPathComponent(name)
      return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    case .archive(_, let entries): return entries[name]?.size ?? 0
    }
  }
}
