import SightlineArchive
public import SightlineContent
public import SightlineFormats

/// Writes KMZ: a world as KML in a zip archive, with the pictures, models and sounds that lie with it.
public enum KMZWriter {
  /// Most files that are packed with a document.
  public static let mostFiles = 5000

  /// Writes a world.
  ///
  /// Files keep the addresses that the document gives them, from the archive's top. One that is not there, or is no picture, model or
  /// sound, is left out and said; addresses with a scheme stay addresses.
  ///
  /// - Parameters:
  ///   - dimension: the world.
  ///   - files: where what it names by relative addresses lies; `nil` for nowhere.
  ///   - options: what the world does not say itself.
  /// - Returns: the archive, and what it does not hold.
  /// - Throws: `ZipWriter.Failure` when it would be larger than 4 GiB.
  public static func write(
    _ dimension: Dimension,
    files: CompanionFiles?,
    options: WritingOptions = .init()
  )
    throws -> Writing
  {
    var used: Set<String> = []
    var writing = KMLWriter.write(dimension, options: options, assets: &used)
    var zip = ZipWriter()
    // Readers take the first .kml for the document.
    try zip.add("doc.kml", writing.bytes)
    var seen: Set = ["doc.kml"]
    var named = dimension.places.compactMap(\.imageURL).map { (CompanionKind.asset, $0) }
    named += dimension.assets.filter { used.contains($0.id) }.map { (.asset, $0.url) }
    named += dimension.places.compactMap(\.soundURL).map { (.sound, $0) }
    for (kind, url) in named {
      guard let relative = LocalFile.relativePath(url), seen.insert(relative).inserted else { continue }
      guard seen.count <= mostFiles + 1 else {
        writing.problems.append(problem("More than \(mostFiles) files lie with the document; the others are left out."))
        break
      }
      guard let files else {
        writing.problems.append(problem("\(relative) is left out: standard input has no files beside it."))
        continue
      }
      do {
        let bytes = try files.read(relative)
        guard kind.mediaType(of: bytes) != nil else {
          writing.problems.append(problem("\(relative) is left out: it is \(kind.refusal)."))
          continue
        }
        try zip.add(relative, Array(bytes))
      } catch let error as LocalFile.Unreadable {
        writing.problems.append(problem("A file is left out: \(error.description)"))
      }
    }
    writing.bytes = try zip.finish()
    return writing
  }

  private static func problem(_ message: String) -> Problem {
    Problem(.warning, "asset.missing", line: nil, path: "", message: message)
  }
}
