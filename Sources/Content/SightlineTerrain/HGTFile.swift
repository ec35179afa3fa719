/// A file of heights as the Shuttle Radar Topography Mission's are given out (`.hgt`): rows from north to south, each from west to
/// east, of big-endian 16-bit metres over the sea (EGM96), 3601 or 1201 to a side; −32768 where there is none.
///
/// Its name is all that says where it is.
public struct HGTFile: Sendable {
  /// Where it is.
  public let id: TerrainTileID
  /// Heights along a side: 3601 for 1 second of arc, 1201 for 3.
  public let side: Int
  private let bytes: [UInt8]

  static let sides = [3601, 1201]
  static let void: Int16 = .min
  /// What the Earth has, with room: the Dead Sea's shore at −430, open-cast mines, Mount Everest at 8849.
  static let possible: ClosedRange<Int16> = -1000...9000

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - name: of the file, `N48E009.hgt`.
  ///   - bytes: its contents.
  /// - Throws: what is wrong, where, and what to do.
  public init(name: String, bytes: [UInt8]) throws(TerrainProblem) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].lowercased() == "hgt", let id = TerrainTileID(name: parts[0]) else {
      throw .name(name)
    }
    guard let side = Self.sides.first(where: { 2 * $0 * $0 == bytes.count }) else {
      throw .size(name, bytes: bytes.count)
    }
    self.id = id
    self.side = side
    self.bytes = bytes
    var hasHeight = false
    for k in 0..<(side * side) {
      let value = self[k]
      guard value != Self.void else { continue }
      guard Self.possible.contains(value) else {
        throw .height(name, metres: Int(value), row: k / side + 1, column: k % side + 1)
      }
      hasHeight = true
    }
    guard hasHeight else { throw .empty(name) }
  }

  /// A height by its place in the file.
  subscript(index: Int) -> Int16 { Int16(bitPattern: UInt16(bytes[2 * index]) << 8 | UInt16(bytes[2 * index + 1])) }
}

/// What is wrong with terrain: what, where, and what to do.
public enum TerrainProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// The name of a file does not say where it is.
  case name(String)
  /// A file has another size than a tile has.
  case size(String, bytes: Int)
  /// A height that the Earth does not have.
  case height(String, metres: Int, row: Int, column: Int)
  /// A file without a single height.
  case empty(String)
  /// Two files are of one place.
  case twice(String, String)
  /// A file cannot be read.
  case unreadable(String)
  /// A file cannot be written.
  case unwritable(String)
  /// There is no such tile.
  case missing(String)
  /// A stored tile is not what was stored.
  case damaged(String)

  /// In a sentence.
  public var description: String {
    switch self {
    case .name(let name):
      "\(name): the name of a terrain file says where it is, like N48E009.hgt; give it back the name that it came with."
    case .size(let name, let bytes):
      "\(name): it has \(bytes) bytes; tiles have 25934402 (1 second of arc) or 2884802 (3 seconds). Unpack it, or fetch it again."
    case .height(let name, let metres, let row, let column):
      "\(name): row \(row), column \(column): \(metres) m is no height on Earth. Heights have to be metres, the higher byte first; "
        + "fetch it again."
    case .empty(let name): "\(name): there is no height in it, only voids. Leave it out."
    case .twice(let first, let second): "\(first) and \(second) are of the same place. Leave one of them out."
    case .unreadable(let path): "\(path): cannot be read. Check the path and the rights."
    case .unwritable(let path): "\(path): cannot be written. Check the rights of the folder and the room on the disk."
    case .missing(let name): "\(name): there is no such tile. See which there are with: sightline terrain list"
    case .damaged(let name): "\(name): this stored tile is damaged. Add its file again."
    }
  }
}
