public import SightlineContent
import SightlineFormats

public import struct Foundation.Data

/// A world from a file in any format, with what its reader found.
///
/// ```swift
/// let document = try ImportedDocument(fileAt: "walk.gddf")
/// for problem in document.problems { print(problem.message) }
/// guard let dimension = document.dimension else { return }
/// ```
public struct ImportedDocument: Sendable {
  /// The world; `nil` when the document was refused.
  public private(set) var dimension: Dimension?
  /// Name of the format it was read in; `unknown` for none.
  public private(set) var format: String
  /// What the reader found, and files beside it that are missing.
  public private(set) var problems: [Problem]
  /// The file's name without its folder.
  public let name: String
  private let files: CompanionFiles

  /// Largest document that is read, bytes.
  ///
  /// The readers have closer limits of their own.
  public static let largestDocument = 256 * 1024 * 1024
  /// Largest picture or model beside it, bytes.
  public static let largestPicture = 16 * 1024 * 1024

  /// Reads a file; its format is recognised by its content.
  ///
  /// One's own files may be larger than what is accepted from strangers. A world with faults (``Dimension/faults(limit:)``),
  /// which could not be written in every format, is refused like one that cannot be read.
  ///
  /// - Throws: ``LocalFile/Unreadable`` for what is no file. A document that is refused is no error.
  public init(fileAt path: String) throws(LocalFile.Unreadable) {
    let bytes = try LocalFile.read(path, named: path, largest: Self.largestDocument)
    name = path.split(separator: "/").last.map(String.init) ?? path
    files = CompanionFiles(ofDocumentAt: path, bytes: bytes)
    var options = ReadingOptions(fileName: name)
    options.limits.bytes = Self.largestDocument
    options.limits.elements = 20_000_000
    options.limits.values = 100_000_000
    let (format, reading) = FormatRegistry.read(Array(bytes), options: options)
    self.format = format?.rawValue ?? "unknown"
    problems = reading.problems
    guard format != nil, let dimension = reading.dimension else { return }
    let faults = dimension.faults()
    problems += faults
    if faults.isEmpty { self.dimension = dimension }
  }

  /// Takes in the files that relative addresses name: pictures, models and sounds beside the document, in folders below it, or in the
  /// archive that it came in.
  ///
  /// A file that is missing, or is not what it is named for, keeps its address and becomes a problem.
  ///
  /// - Parameter store: keeps a file's bytes of a media type, and answers its new address.
  /// - Throws: what `store` throws.
  public mutating func takeFiles(_ store: (Data, String) async throws -> String) async throws {
    guard var dimension else { return }
    for index in dimension.assets.indices {
      let asset = dimension.assets[index]
      dimension.assets[index].url = try await taken(asset.url, .asset, "assets/\(asset.id)", store)
    }
    if let url = dimension.soundURL { dimension.soundURL = try await taken(url, .sound, "soundURL", store) }
    for index in dimension.places.indices {
      if let url = dimension.places[index].imageURL {
        dimension.places[index].imageURL = try await taken(url, .asset, "places/\(index)/imageURL", store)
      }
      if let url = dimension.places[index].soundURL {
        dimension.places[index].soundURL = try await taken(url, .sound, "places/\(index)/soundURL", store)
      }
    }
    self.dimension = dimension
  }

  private mutating func taken(
    _ url: String,
    _ kind: CompanionKind,
    _ place: String,
    _ store: (Data, String) async throws -> String
  ) async throws -> String {
    guard let relative = LocalFile.relativePath(url) else { return url }
    let bytes: Data
    let inner = CompanionFiles.packedName(in: url)
    do throws(LocalFile.Unreadable) {
      if let inner { bytes = try files.read(inner, packedIn: relative) } else { bytes = try files.read(relative) }
    } catch {
      problems.append(Problem(.warning, "asset.missing", line: nil, path: place, message: error.description))
      return url
    }
    guard let mediaType = kind.mediaType(of: bytes) else {
      problems.append(
        Problem(
          .warning,
          "asset.type",
          line: nil,
          path: place,
          message: "\(relative) is \(kind.refusal); \(kind.advice)."
        )
      )
      return url
    }
    return try await store(bytes, mediaType)
  }
}
