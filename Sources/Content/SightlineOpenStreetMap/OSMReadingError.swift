/// Why an extract could not be read: what, where, and what to do.
public enum OSMReadingError: Error, Equatable, CustomStringConvertible, Sendable {
  /// The file is not there or may not be read.
  case unreadable(String)
  /// It is neither PBF nor OSM XML.
  case unknownFormat(String)
  /// A block of a PBF file: its number, counted from 1, the byte of the file where it begins, and what is wrong.
  case block(Int, offset: Int, String)
  /// A line of an XML file.
  case line(Int, String)
  /// More than this program takes.
  case tooLarge(String)

  /// What is wrong, where, and what to do.
  public var description: String {
    switch self {
    case .unreadable(let path): "\(path) cannot be read. Is the path right, and may this program read it?"
    case .unknownFormat(let path):
      "\(path) is no OpenStreetMap extract. Give an .osm.pbf or .osm file, as download.geofabrik.de, extract.bbbike.org or osmium write it."
    case .block(let number, let offset, let what):
      "Block \(number), at byte \(offset): \(what). The file is damaged or was cut off: download it again."
    case .line(let number, let what): "Line \(number): \(what). Write the file again, or give the .osm.pbf."
    case .tooLarge(let what): "\(what). Cut the extract to the area that is needed: osmium extract --bbox."
    }
  }
}

/// What an extract may hold at most, so that a file of few bytes cannot fill the memory.
public struct OSMLimits: Sendable {
  /// Nodes: 16 bytes each.
  public var nodes = 60_000_000
  /// Ways and relations.
  public var elements = 12_000_000
  /// Nodes that ways name, and members of relations: 8 and 32 bytes each.
  public var references = 120_000_000
  /// Tags that are kept: 32 bytes each.
  public var tags = 30_000_000

  /// The usual limits.
  public init() {}
}

/// Which tags are kept: what nobody asks for takes no memory.
public struct OSMTagFilter: Sendable {
  let isKept: @Sendable (String) -> Bool

  /// Keeps the tags whose key a function says yes to.
  public init(_ isKept: @escaping @Sendable (String) -> Bool) { self.isKept = isKept }

  /// Keeps all tags.
  public static let all = OSMTagFilter { _ in true }
}
