import Foundation
import SightlineOpenStreetMap
import SightlineWalking

/// The grounds that an operator has, in a folder: a file for each, and the one before it.
///
/// A ground is added whole or not at all, by renaming: a server that runs meanwhile sees the old one or the new one.
public struct GroundFolder: Sendable {
  /// The folder, which need not be there.
  public let path: String

  /// The grounds of a folder.
  public init(path: String) { self.path = path }

  static let ending = ".ground"
  static let previousEnding = ".previous"

  /// The file of a ground.
  public func file(of name: String) -> String { "\(path)/\(name)\(Self.ending)" }

  private func previousFile(of name: String) -> String { "\(path)/\(name)\(Self.previousEnding)" }

  /// The names of the grounds, sorted.
  public var names: [String] {
    let found = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return found.filter { $0.hasSuffix(Self.ending) && !$0.hasPrefix(".") }.map {
      String($0.dropLast(Self.ending.count))
    }
    .filter(Self.isName).sorted()
  }

  /// Whether there is an earlier ground of that name.
  public func hasPrevious(_ name: String) -> Bool { FileManager.default.fileExists(atPath: previousFile(of: name)) }

  /// Opens a ground.
  public func open(_ name: String) throws(GroundProblem) -> GroundFile {
    guard Self.isName(name) else { throw .name(name) }
    guard FileManager.default.fileExists(atPath: file(of: name)) else { throw .missing(name) }
    return try GroundFile(path: file(of: name))
  }

  static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2D || $0 == 0x5F
      }
  }

  /// The name that an extract's file gives its ground: that of the file without endings.
  public static func name(ofExtract path: String) -> String {
    String((path as NSString).lastPathComponent.prefix { $0 != "." })
  }

  /// Reads an extract and adds its ground; what was there under that name is kept as the previous one.
  ///
  /// - Parameters:
  ///   - extract: path of an `.osm.pbf` or `.osm` file.
  ///   - name: what the ground is called.
  ///   - heights: metres over the sea at a latitude and longitude, for the time that slopes take; `nil` for level ground.
  ///   - progress: told what is done, and how much of it, 0…1.
  /// - Returns: the ground.
  /// - Throws: `OSMReadingError` or ``GroundProblem``; nothing has changed then.
  @discardableResult
  public func add(
    extract: String,
    as name: String,
    heights: ((_ latitudeDegrees: Double, _ longitudeDegrees: Double) -> Double?)? = nil,
    progress: (GroundStage, Double) -> Void = { _, _ in }
  ) async throws -> GroundFile {
    guard Self.isName(name) else { throw GroundProblem.name(name) }
    do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
      throw GroundProblem.unwritable(path)
    }
    let waiting = "\(path)/.adding-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: waiting) }
    try await GroundBuilder.build(extract: extract, into: waiting, heights: heights, progress: progress)
    // Read again before it takes anybody's place.
    try GroundFile(path: waiting).check()
    if FileManager.default.fileExists(atPath: file(of: name)) {
      try Self.move(file(of: name), to: previousFile(of: name))
    }
    do { try Self.move(waiting, to: file(of: name)) } catch {
      try? Self.move(previousFile(of: name), to: file(of: name))
      throw error
    }
    return try open(name)
  }

  /// Removes a ground and the one before it.
  public func remove(_ name: String) throws(GroundProblem) {
    guard Self.isName(name) else { throw .name(name) }
    guard FileManager.default.fileExists(atPath: file(of: name)) else { throw .missing(name) }
    do {
      try FileManager.default.removeItem(atPath: file(of: name))
      if hasPrevious(name) { try FileManager.default.removeItem(atPath: previousFile(of: name)) }
    } catch { throw .unwritable(file(of: name)) }
  }

  /// Goes back to the ground before; what is there now becomes the one before.
  public func rollBack(_ name: String) throws(GroundProblem) {
    guard Self.isName(name) else { throw .name(name) }
    guard hasPrevious(name) else { throw .noPrevious(name) }
    try GroundFile(path: previousFile(of: name)).check()
    let waiting = "\(path)/.adding-\(UUID().uuidString)"
    let isThere = FileManager.default.fileExists(atPath: file(of: name))
    if isThere { try Self.move(file(of: name), to: waiting) }
    try Self.move(previousFile(of: name), to: file(of: name))
    if isThere { try Self.move(waiting, to: previousFile(of: name)) }
  }

  private static func move(_ from: String, to target: String) throws(GroundProblem) {
    guard rename(from, target) == 0 else { throw .unwritable(target) }
  }
}
