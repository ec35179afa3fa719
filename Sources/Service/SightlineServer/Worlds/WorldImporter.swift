import SightlineContent
import SightlineFormats
public import SightlineStore

import struct Foundation.Data
import class Foundation.FileHandle
import struct Foundation.URL

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

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

  /// A file could not be read at all.
  public struct Unreadable: Error, CustomStringConvertible {
    /// A sentence with path and reason.
    public let description: String
  }

  /// Largest document that is read, bytes.
  ///
  /// The readers have closer limits of their own.
  static let largestDocument = 256 * 1024 * 1024
  /// Largest picture that is stored, bytes.
  static let largestPicture = 16 * 1024 * 1024

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
  /// - Throws: ``Unreadable``, or the store's errors. A document that is refused is not an error but an outcome.
  public func importFile(at path: String, id: String? = nil) async throws -> Outcome {
    let bytes = try WorldImporter.read(path, named: path, largest: WorldImporter.largestDocument)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    var options = ReadingOptions(fileName: name)
    // The operator's own files may be larger than what is accepted from strangers.
    options.limits.bytes = WorldImporter.largestDocument
    options.limits.elements = 20_000_000
    options.limits.values = 100_000_000
    let (format, reading) = FormatRegistry.read(Array(bytes), options: options)
    var problems = reading.problems
    guard let format, var dimension = reading.dimension else {
      return Outcome(saved: nil, format: format?.rawValue ?? "unknown", problems: problems)
    }
    // What is stored has to be writable in every format, for as long as it is there.
    let faults = dimension.faults()
    guard faults.isEmpty else { return Outcome(saved: nil, format: format.rawValue, problems: problems + faults) }
    let folder = path.contains("/") ? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) : "."
    problems += try await storeFiles(of: &dimension, folder: folder.isEmpty ? "/" : folder)
    let draft = WorldDraft(
      id: id ?? WorldIdentifier.derived(fromFileName: name),
      dimension: dimension,
      problems: problems,
      format: format.rawValue,
      source: name
    )
    return Outcome(saved: try await store.save(draft), format: format.rawValue, problems: problems)
  }

  private func storeFiles(of dimension: inout Dimension, folder: String) async throws -> [Problem] {
    var problems: [Problem] = []
    for index in dimension.assets.indices {
      let url = dimension.assets[index].url
      dimension.assets[index].url = try await stored(url, folder, "assets/\(dimension.assets[index].id)", &problems)
    }
    for index in dimension.places.indices {
      guard let url = dimension.places[index].imageURL else { continue }
      dimension.places[index].imageURL = try await stored(url, folder, "places/\(index)/imageURL", &problems)
    }
    return problems
  }

  private func stored(
    _ url: String,
    _ folder: String,
    _ place: String,
    _ problems: inout [Problem]
  ) async throws
    -> String
  {
    guard let relative = WorldImporter.relativePath(url) else { return url }
    do {
      // Messages name the file as the document does: where the folder lies is no part of the world.
      let bytes = try WorldImporter.read(
        folder + "/" + relative,
        named: relative,
        largest: WorldImporter.largestPicture,
        below: folder
      )
      guard let mediaType = AssetSniffer.mediaType(of: bytes) else {
        problems.append(
          Problem(
            .warning,
            "asset.type",
            line: nil,
            path: place,
            message: "\(relative) is no picture or model that can be shown; use PNG, JPEG, GIF or WebP, or GLB for a "
              + "model."
          )
        )
        return url
      }
      return "/assets/" + (try await store.saveAsset(bytes, mediaType: mediaType))
    } catch let error as Unreadable {
      problems.append(Problem(.warning, "asset.missing", line: nil, path: place, message: error.description))
      return url
    }
  }

  /// The path of an address without scheme, host and leading slash; `nil` for every other address, and for one that
  /// leads upwards.
  static func relativePath(_ url: String) -> String? {
    guard !url.isEmpty, !url.hasPrefix("/"), !url.hasPrefix("#"), !url.hasPrefix("?") else { return nil }
    let head = url.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard !head.contains(":") else { return nil }
    let path = FormFields.percentDecode(url.prefix { $0 != "?" && $0 != "#" }.utf8, plusIsBlank: false)
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." && !$0.utf8.contains(0) }) else { return nil }
    return path
  }

  /// A file's bytes; with `below`, only a file that really lies under that folder, links resolved.
  static func read(_ path: String, named name: String, largest: Int, below folder: String? = nil) throws -> Data {
    if let folder {
      let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      let root = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
      guard file.hasPrefix(root.hasSuffix("/") ? root : root + "/") else {
        throw Unreadable(description: "\(name) leads out of the document's folder and is not stored.")
      }
    }
    // Not blocking: a pipe in the place of a file would otherwise be waited for without end.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw Unreadable(description: "\(name) cannot be opened: \(String(cString: strerror(errno))).")
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Unreadable(description: "\(name) is not a file.")
    }
    guard status.st_size <= largest else {
      throw Unreadable(description: "\(name) is larger than the \(largest / 1_048_576) MiB that are read; split it.")
    }
    do {
      return try handle.readToEnd() ?? Data()
    } catch {
      throw Unreadable(description: "\(name) cannot be read.")
    }
  }
}
