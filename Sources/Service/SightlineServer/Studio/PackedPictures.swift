import Foundation
import Hummingbird
import SightlineArchive
import SightlineContent
import SightlineImport
import SightlineStore

/// Pictures, models and sounds that lie beside the document in an archive (KMZ): brought into the store as if they had been
/// uploaded.
struct PackedPictures: Sendable {
  let assets: any AssetStore
  let quotas: Quotas

  /// Most files that are taken from an archive.
  static let mostFiles = 300
  /// Bytes of all files of an archive, whatever room its author has.
  static let mostBytes = 40 << 20

  /// Reads the files in an archive that the world names by relative addresses, in a worker: of at most `fileBytes` each,
  /// unpacked, and of `allBytes` together, as they are stored.
  static func unpack(
    _ dimension: SightlineContent.Dimension,
    from bytes: Data,
    fileBytes: Int,
    allBytes: Int
  ) -> [PackedFile] {
    guard ZipArchive.isArchive(bytes) else { return [] }
    var limits = ZipArchive.Limits()
    limits.entries = 10_000
    limits.unpackedBytes = fileBytes
    guard let archive = try? ZipArchive(data: bytes, limits: limits) else { return [] }
    let entries = Dictionary(archive.entries.map { ($0.name, $0) }) { first, _ in first }
    var files: [PackedFile] = []
    var seen: Set<String> = []
    var left = min(allBytes, mostBytes)
    let shown = dimension.places.compactMap(\.imageURL) + dimension.assets.map(\.url)
    let heard = dimension.places.compactMap(\.soundURL) + [dimension.soundURL].compactMap(\.self)
    for (url, kind) in shown.map({ ($0, CompanionKind.asset) }) + heard.map({ ($0, .sound) }) {
      // Five thousand places that name one bad file cost one look at it.
      guard files.count < mostFiles, let name = LocalFile.relativePath(url), seen.insert(name).inserted,
        let entry = entries[name] ?? entries["files/" + name]
      else { continue }
      do {
        let data = try archive.open(entry).readAll(limit: fileBytes, name: entry.name)
        let outcome =
          kind == .sound ? PackedFile.Outcome(sound: data) : PackedFile.Outcome(data, side: PictureIntake.usualSide)
        if case .taken(let result) = outcome {
          guard result.bytes.count <= left else {
            files.append(PackedFile(name: name, outcome: .refused(.unreadable("the files are too many bytes in all"))))
            continue
          }
          left -= result.bytes.count
        }
        files.append(PackedFile(name: name, outcome: outcome))
      } catch {
        files.append(PackedFile(name: name, outcome: .refused(.unreadable("\(error)"))))
      }
    }
    return files
  }

  /// Stores the files, and puts their addresses in the place of the relative ones.
  ///
  /// - Returns: The findings, without those about addresses that were found in the archive, and with what could not be
  ///   taken, and why.
  func keepAll(
    _ files: [PackedFile],
    of dimension: inout SightlineContent.Dimension,
    for author: Account,
    findings: [Problem]
  ) async throws -> [Problem] {
    let byName = Dictionary(files.map { ($0.name, $0.outcome) }) { first, _ in first }
    var problems: [Problem] = []
    var stored: [String: String] = [:]
    var failed: Set<String> = []

    func address(_ url: String, _ path: String) async throws -> String {
      guard let name = LocalFile.relativePath(url), let outcome = byName[name], !failed.contains(name) else {
        return url
      }
      if let known = stored[name] { return known }
      do {
        switch outcome {
        case .refused(let refusal): throw refusal
        case .taken(let result):
          let address = try await keep(result, for: author)
          stored[name] = address
          return address
        }
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        failed.insert(name)
        let reason = (error as? any ProblemConvertible)?.problem.detail ?? "\(error)"
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
    for index in dimension.places.indices {
      guard let url = dimension.places[index].soundURL else { continue }
      dimension.places[index].soundURL = try await address(url, "places/\(index)/soundURL")
    }
    if let url = dimension.soundURL { dimension.soundURL = try await address(url, "soundURL") }
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
  private func keep(_ result: PictureIntake.Result, for author: Account) async throws -> String {
    let file = AssetFile(bytes: result.bytes, mediaType: result.mediaType)
    return "/assets/" + (try await assets.keep([file], of: author, quotas)).hashes[0]
  }
}
