import Foundation
import Hummingbird
import SightlineArchive
import SightlineContent
import SightlineStore

/// Pictures and models that lie beside the document in an archive (KMZ): brought into the store as if they had been
/// uploaded.
struct PackedPictures: Sendable {
  let store: any ServerStore
  let quotas: Quotas
  let worker: BackgroundWorker

  /// Most files that are taken from an archive.
  static let mostFiles = 300

  /// Puts addresses of stored files in the place of relative ones.
  ///
  /// - Returns: The findings, without those about addresses that were found in the archive, and with what could not be
  ///   taken, and why.
  func keepAll(
    of dimension: inout SightlineContent.Dimension,
    from bytes: Data,
    for author: Account,
    findings: [Problem]
  ) async throws -> [Problem] {
    guard ZipArchive.isArchive(bytes) else { return findings }
    var limits = ZipArchive.Limits()
    limits.entries = 10_000
    limits.unpackedBytes = quotas.uploadBytes
    guard let archive = try? ZipArchive(data: bytes, limits: limits) else { return findings }
    let entries = Dictionary(archive.entries.map { ($0.name, $0) }) { first, _ in first }
    var problems: [Problem] = []
    var stored: [String: String] = [:]
    var failed: Set<String> = []

    func address(_ url: String, _ path: String) async throws -> String {
      guard let name = WorldImporter.relativePath(url), let entry = entries[name] ?? entries["files/" + name] else {
        return url
      }
      if let known = stored[entry.name] { return known }
      // Five thousand places that name one bad file cost one look at it.
      guard stored.count + failed.count < PackedPictures.mostFiles, !failed.contains(entry.name) else { return url }
      do {
        let data = try archive.open(entry).readAll(limit: quotas.uploadBytes, name: entry.name)
        let address = try await keep(data, for: author)
        stored[entry.name] = address
        return address
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        failed.insert(entry.name)
        let reason = (error as? RequestProblem)?.detail ?? "\(error)"
        problems.append(
          Problem(.warning, "asset.unreadable", line: nil, path: path, message: "\(name) was left out: \(reason)")
        )
        return url
      }
    }

    for index in dimension.places.indices {
      guard let url = dimension.places[index].imageURL else { continue }
      dimension.places[index].imageURL = try await address(url, "places/\(index)/imageURL")
    }
    for index in dimension.assets.indices {
      dimension.assets[index].url = try await address(
        dimension.assets[index].url,
        "assets/\(dimension.assets[index].id)"
      )
    }
    let told = findings.filter { finding in
      finding.code != "url.relative" || !stored.keys.contains { finding.message.contains($0) }
    }
    return told + problems
  }

  /// Keeps one file within the author's quota.
  private func keep(_ bytes: [UInt8], for author: Account) async throws -> String {
    let result = try await worker.run { try PictureIntake.read(bytes, side: PictureIntake.usualSide) }
    let file = AssetFile(bytes: result.bytes, mediaType: result.mediaType)
    return "/assets/" + (try await store.keep([file], of: author, quotas)).hashes[0]
  }
}
