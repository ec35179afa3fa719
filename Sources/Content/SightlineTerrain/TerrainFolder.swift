import Foundation

/// The terrain that an operator has, in a folder: a file for each tile.
///
/// Files are added all together or not at all, by renaming: a server that runs meanwhile sees each tile whole, the old one or
/// the new one.
public struct TerrainFolder: Sendable {
  /// A tile that there is.
  public struct Entry: Equatable, Sendable {
    /// Where it is.
    public var id: TerrainTileID
    /// Seconds of arc between its heights: 1 or 3.
    public var seconds: Int
    /// What it takes on the disk.
    public var bytes: Int
  }

  /// The folder, which need not be there.
  public let path: String

  /// The terrain of a folder.
  public init(path: String) { self.path = path }

  static let ending = ".terrain"

  func file(of id: TerrainTileID) -> String { "\(path)/\(id)\(Self.ending)" }

  /// Whether there is any.
  public var isEmpty: Bool { names.isEmpty }

  private var names: [TerrainTileID] {
    let found = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return found.compactMap { name in
      name.hasSuffix(Self.ending) ? TerrainTileID(name: name.dropLast(Self.ending.count)) : nil
    }.sorted()
  }

  /// What there is, from south to north.
  public func list() throws(TerrainProblem) -> [Entry] {
    var entries: [Entry] = []
    for id in names {
      let tile = try tile(id)
      entries.append(Entry(id: id, seconds: 3600 / (tile.tile.side - 1), bytes: tile.bytes))
    }
    return entries
  }

  /// A stored tile, and its size.
  func tile(_ id: TerrainTileID) throws(TerrainProblem) -> (tile: StoredTile, bytes: Int) {
    let file = file(of: id)
    guard FileManager.default.fileExists(atPath: file) else { throw .missing("\(id)") }
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped) else {
      throw .unreadable(file)
    }
    let tile = try StoredTile(data, name: file)
    guard tile.id == id else { throw .damaged(file) }
    return (tile, data.count)
  }

  /// Adds files, all of them or, when one is wrong, none.
  ///
  /// - Parameter files: paths of `.hgt` files; a tile that is there already is replaced.
  /// - Returns: what was added, from south to north.
  /// - Throws: what is wrong, where, and what to do.
  @discardableResult
  public func add(_ files: [String]) throws(TerrainProblem) -> [TerrainTileID] {
    let manager = FileManager.default
    var known: [TerrainTileID: String] = [:]
    // Names first: nobody waits for a file to be packed to learn that the next one's name is wrong.
    for file in files {
      let name = URL(fileURLWithPath: file).lastPathComponent
      guard let id = TerrainTileID(name: name.prefix(7)) else { throw .name(file) }
      if let other = known[id] { throw .twice(other, file) }
      known[id] = file
    }
    let waiting = "\(path)/.adding-\(UUID().uuidString)"
    do { try manager.createDirectory(atPath: waiting, withIntermediateDirectories: true) } catch {
      throw .unwritable(path)
    }
    defer { try? manager.removeItem(atPath: waiting) }
    for (id, file) in known.sorted(by: { $0.key < $1.key }) {
      try store(file, as: "\(waiting)/\(id)\(Self.ending)")
    }
    for id in known.keys.sorted() {
      guard rename("\(waiting)/\(id)\(Self.ending)", self.file(of: id)) == 0 else {
        throw .unwritable(self.file(of: id))
      }
    }
    return known.keys.sorted()
  }

  private func store(_ file: String, as target: String) throws(TerrainProblem) {
    // A tile's size and a byte: what is larger is told by it, and not read.
    let most = 2 * HGTFile.sides[0] * HGTFile.sides[0] + 1
    guard let handle = FileHandle(forReadingAtPath: file), let data = try? handle.read(upToCount: most) else {
      throw .unreadable(file)
    }
    let name = URL(fileURLWithPath: file).lastPathComponent
    let packed = StoredTile.pack(try HGTFile(name: name, bytes: [UInt8](data)))
    do { try Data(packed).write(to: URL(fileURLWithPath: target)) } catch { throw .unwritable(target) }
  }

  /// Removes tiles, all of them or, when one is not there, none.
  ///
  /// - Parameter names: like `N48E009`.
  /// - Throws: what is wrong, where, and what to do.
  public func remove(_ names: [String]) throws(TerrainProblem) {
    var files: [String] = []
    for name in names {
      guard let id = TerrainTileID(name: name), FileManager.default.fileExists(atPath: file(of: id)) else {
        throw .missing(name)
      }
      files.append(file(of: id))
    }
    for file in Set(files) {
      do { try FileManager.default.removeItem(atPath: file) } catch { throw .unwritable(file) }
    }
  }
}
