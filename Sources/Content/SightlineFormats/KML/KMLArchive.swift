import Foundation
import SightlineArchive
import SightlineContent

/// Finds the document in a KMZ archive.
enum KMLArchive {
  /// Whether the bytes are those of a zip archive.
  static func isArchive(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
  }

  /// The first KML document in an archive.
  ///
  /// Only that entry is unpacked, and not beyond the reader's limit.
  ///
  /// - Throws: ``DocumentFailure`` when there is none, or it cannot be unpacked.
  static func document(in bytes: [UInt8], limits: ReadingLimits) throws(DocumentFailure) -> [UInt8] {
    var archiveLimits = ZipArchive.Limits()
    archiveLimits.entries = 10_000
    archiveLimits.unpackedBytes = limits.bytes
    do {
      let archive = try ZipArchive(data: Data(bytes), limits: archiveLimits)
      let documents = archive.entries.filter { $0.name.lowercased().hasSuffix(".kml") }
      guard let entry = documents.first else {
        throw DocumentFailure(
          code: "format.unknown",
          line: nil,
          message:
            "The archive holds no .kml file. A KMZ archive has the document doc.kml; other archives are not read."
        )
      }
      let parts = entry.name.split(separator: "/", omittingEmptySubsequences: false)
      guard !entry.name.hasPrefix("/"), !entry.name.contains("\\"), !parts.contains("..") else {
        throw DocumentFailure(
          code: "archive.path",
          line: nil,
          message: "The archive's entry \(quoted(entry.name)) leads out of the archive. Pack it again as doc.kml."
        )
      }
      return try archive.open(entry).readAll(limit: limits.bytes, name: entry.name)
    } catch let failure as DocumentFailure {
      throw failure
    } catch {
      throw DocumentFailure(code: "archive.damaged", line: nil, message: "The KMZ archive cannot be read: \(error)")
    }
  }
}
