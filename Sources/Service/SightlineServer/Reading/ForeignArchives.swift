import Foundation
import NIOCore
import SightlineArchive
import SightlineContent
import SightlineFormats
import SightlineImport
import Synchronization

/// Archives elsewhere that a world came in (KMZ) or names (the pictures of an ARML tracker), while their files are asked for one after the
/// other: fetched once for all of them.
final class ForeignArchives: Sendable {
  private struct Kept: Sendable {
    let body: ByteBuffer
    let until: ContinuousClock.Instant
  }

  /// How long an archive stays.
  private static let duration = Duration.seconds(60)
  /// Bytes of all that stay.
  private static let mostBytes = 48 << 20

  private let flight = SingleFlight<String, ByteBuffer>()
  private let kept = Mutex<[String: Kept]>([:])

  /// What stands at an address; an archive stays for a while.
  func body(at address: String, fetch: @escaping @Sendable () async throws -> ByteBuffer) async throws -> ByteBuffer {
    let now = ContinuousClock.now
    if let known = kept.withLock({ $0[address] }), known.until > now { return known.body }
    return try await flight.value(for: address) {
      let body = try await fetch()
      if Self.isArchive(body) { self.keep(body, at: address) }
      return body
    }
  }

  private func keep(_ body: ByteBuffer, at address: String) {
    let now = ContinuousClock.now
    kept.withLock { kept in
      kept = kept.filter { $0.value.until > now }
      let all = kept.values.reduce(body.readableBytes) { $0 + $1.body.readableBytes }
      if all > Self.mostBytes { kept.removeAll() }
      kept[address] = Kept(body: body, until: now.advanced(by: Self.duration))
    }
  }

  static func isArchive(_ body: ByteBuffer) -> Bool { ZipArchive.isArchive(Data(body.readableBytesView.prefix(4))) }

  /// An address whose part behind `#` names a file in an archive: that of the archive, and the file's path.
  static func parts(of url: String) -> (address: String, name: String)? {
    guard let mark = url.firstIndex(of: "#") else { return nil }
    let name = PercentCoding.decode(url[url.index(after: mark)...].utf8, plusIsBlank: false)
    return name.isEmpty ? nil : (String(url[..<mark]), name)
  }

  // MARK: In the worker

  private static let mostEntries = 10_000

  private static func archive(_ bytes: [UInt8]) -> ZipArchive? {
    var limits = ZipArchive.Limits()
    limits.entries = mostEntries
    limits.unpackedBytes = ImportedDocument.largestPicture
    return try? ZipArchive(data: Data(bytes), limits: limits)
  }

  /// A file in an archive: at a path, or where there is none, of that name in any folder; `nil` when it cannot be had.
  static func unpack(_ name: String, from bytes: [UInt8]) -> [UInt8]? {
    guard let archive = archive(bytes),
      let entry = archive.entries.first(where: { $0.name == name })
        ?? archive.entries.first(where: { $0.name.hasSuffix("/" + name) })
    else { return nil }
    return try? archive.open(entry).readAll(limit: ImportedDocument.largestPicture, name: entry.name)
  }

  /// Has the files of a world that lie in its archive named as such: their addresses were resolved against the archive's own.
  ///
  /// - Parameters:
  ///   - dimension: The world, read out of the archive.
  ///   - bytes: The archive.
  ///   - url: Its address.
  static func nameFiles(of dimension: inout SightlineContent.Dimension, in bytes: [UInt8], at url: String) {
    guard ZipArchive.isArchive(Data(bytes.prefix(4))), let archive = archive(bytes) else { return }
    let names = Set(archive.entries.map(\.name))
    // As the reader chooses the document.
    let document = DocumentArchive.document(among: archive.entries.lazy.map(\.name)) ?? ""
    let inner = document.lastIndex(of: "/").map { String(document[...$0]) } ?? ""
    let own = url.prefix { $0 != "#" }
    let path = own.prefix { $0 != "?" }
    guard let slash = path.lastIndex(of: "/") else { return }
    let folder = path[...slash]

    func packed(_ address: String) -> String? {
      guard address.hasPrefix(folder), !address.contains("#") else { return nil }
      guard let name = LocalFile.relativePath(String(address.dropFirst(folder.count))) else { return nil }
      let places = [inner + name, name, "files/" + name]
      return places.first { names.contains($0) }.map { PackedAddress.make(archive: String(own), path: $0) }
    }

    if let address = dimension.soundURL.flatMap(packed) { dimension.soundURL = address }
    for index in dimension.assets.indices {
      if let address = packed(dimension.assets[index].url) { dimension.assets[index].url = address }
    }
    for index in dimension.places.indices {
      if let address = dimension.places[index].imageURL.flatMap(packed) { dimension.places[index].imageURL = address }
      if let address = dimension.places[index].soundURL.flatMap(packed) { dimension.places[index].soundURL = address }
    }
  }
}
