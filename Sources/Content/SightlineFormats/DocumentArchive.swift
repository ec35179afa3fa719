import Foundation
import SightlineArchive
import SightlineContent

/// Finds the document in an archive that has its pictures and models too: KMZ, or any other zip file.
package enum DocumentArchive {
  /// Endings of documents, those first that count before others.
  private static let endings = [".kml", ".arml", ".gddf", ".geojson", ".xml", ".json"]

  /// The entry that is the document: the first KML, as readers of KMZ choose it; without one the first of the next kind.
  ///
  /// - Parameter names: of all entries, in order.
  /// - Returns: its name; `nil` when there is none.
  package static func document(among names: some Sequence<String>) -> String? {
    var best: (name: String, rank: Int)?
    for name in names {
      let lower = name.lowercased()
      guard let rank = endings.firstIndex(where: { lower.hasSuffix($0) }), rank < best?.rank ?? endings.count else {
        continue
      }
      best = (name, rank)
      if rank == 0 { break }
    }
    return best?.name
  }

  /// Whether the bytes are those of a zip archive.
  static func isArchive(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
  }

  /// The document in an archive.
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
      let name = document(among: archive.entries.lazy.map(\.name))
      guard let entry = archive.entries.first(where: { $0.name == name }) else {
        throw DocumentFailure(
          code: "format.unknown",
          line: nil,
          message:
            "The archive holds no document: no .kml file, as a KMZ archive has it, and none that ends in .arml, .gddf, .geojson, .xml or .json. Add one."
        )
      }
      let parts = entry.name.split(separator: "/", omittingEmptySubsequences: false)
      guard !entry.name.hasPrefix("/"), !entry.name.contains("\\"), !parts.contains("..") else {
        throw DocumentFailure(
          code: "archive.path",
          line: nil,
          message: "The archive's entry \(quoted(entry.name)) leads out of the archive. Pack it again, as doc.kml."
        )
      }
      return try archive.open(entry).readAll(limit: limits.bytes, name: entry.name)
    } catch let failure as DocumentFailure {
      throw failure
    } catch {
      throw DocumentFailure(code: "archive.damaged", line: nil, message: "The archive cannot be read: \(error)")
    }
  }
}
