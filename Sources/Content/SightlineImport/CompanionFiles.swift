import SightlineArchive
import SightlineFormats

public import struct Foundation.Data

/// The files that a document names by relative addresses: beside it, or packed with it in an archive (KMZ).
public struct CompanionFiles: Sendable {
  private enum Place: Sendable {
    case folder(String)
    /// Entries by their paths, and where in the archive the document lies: empty, or a path that ends in a slash.
    case archive(ZipArchive, [String: ZipArchive.Entry], folder: String)
  }

  private let place: Place

  /// Most entries of an archive that are looked at.
  private static let mostEntries = 10_000

  /// What lies with a document.
  ///
  /// - Parameters:
  ///   - path: the document's file, or the archive that has it.
  ///   - bytes: the file's content.
  public init(ofDocumentAt path: String, bytes: Data) {
    var limits = ZipArchive.Limits()
    limits.entries = Self.mostEntries
    limits.unpackedBytes = ImportedDocument.largestPicture
    if ZipArchive.isArchive(bytes), let archive = try? ZipArchive(data: bytes, limits: limits) {
      let entries = Dictionary(archive.entries.map { ($0.name, $0) }) { first, _ in first }
      // As the reader chooses the document.
      let document = DocumentArchive.document(among: archive.entries.lazy.map(\.name)) ?? ""
      let folder = document.lastIndex(of: "/").map { String(document[...$0]) } ?? ""
      place = .archive(archive, entries, folder: folder)
    } else {
      let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
      place = .folder(folder.isEmpty ? "/" : folder)
    }
  }

  /// The path in an archive that an address names, as readers write it: the archive's address, `#` and the path; `nil` for the address of
  /// a file of its own.
  static func packedName(in address: String) -> String? {
    guard let mark = address.firstIndex(of: "#"), address[..<mark].lowercased().hasSuffix(".zip") else { return nil }
    let name = PercentCoding.decode(address[address.index(after: mark)...].utf8, plusIsBlank: false)
    return name.isEmpty ? nil : name
  }

  /// A file in an archive that lies with the document: the pictures of an ARML tracker.
  ///
  /// - Parameters:
  ///   - inner: the entry's path; without that, one in any folder of the archive that has the same name counts.
  ///   - relative: the archive's path, as in ``read(_:)``.
  /// - Returns: the bytes.
  /// - Throws: why it was not read.
  public func read(_ inner: String, packedIn relative: String) throws(LocalFile.Unreadable) -> Data {
    let bytes = try read(relative)
    var limits = ZipArchive.Limits()
    limits.entries = Self.mostEntries
    limits.unpackedBytes = ImportedDocument.largestPicture
    do {
      let archive = try ZipArchive(data: bytes, limits: limits)
      let entry =
        archive.entries.first { $0.name == inner } ?? archive.entries.first { $0.name.hasSuffix("/" + inner) }
      guard let entry else { throw LocalFile.Unreadable(description: "\(inner) is not in the archive \(relative).") }
      return Data(try archive.open(entry).readAll(limit: ImportedDocument.largestPicture, name: entry.name))
    } catch let unreadable as LocalFile.Unreadable {
      throw unreadable
    } catch {
      throw LocalFile.Unreadable(description: "\(inner) cannot be unpacked from \(relative): \(error)")
    }
  }

  /// A file's bytes, of at most ``ImportedDocument/largestPicture``.
  ///
  /// - Parameter relative: its path, see ``LocalFile/relativePath(_:)``. In an archive it counts from the document's folder, else
  ///   from the archive's top, else from the folder `files`, where programs put them without saying so.
  /// - Returns: the bytes.
  /// - Throws: why it was not read; the sentence names the file as the document does: where the folder lies is no part of the world.
  public func read(_ relative: String) throws(LocalFile.Unreadable) -> Data {
    switch place {
    case .folder(let folder):
      return try LocalFile.read(
        folder + "/" + relative,
        named: relative,
        largest: ImportedDocument.largestPicture,
        below: folder
      )
    case .archive(let archive, let entries, let folder):
      guard let entry = entries[folder + relative] ?? entries[relative] ?? entries["files/" + relative] else {
        throw LocalFile.Unreadable(description: "\(relative) is not in the archive.")
      }
      do {
        return Data(try archive.open(entry).readAll(limit: ImportedDocument.largestPicture, name: entry.name))
      } catch {
        throw LocalFile.Unreadable(description: "\(relative) cannot be unpacked: \(error)")
      }
    }
  }
}
