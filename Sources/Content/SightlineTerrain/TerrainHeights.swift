import Foundation
import Synchronization

/// Heights of the ground out of a folder, for many askers at a time.
///
/// Tiles are opened when they are asked for first; what was added, replaced or removed meanwhile is noticed after
/// ``freshness``. A damaged tile has no heights.
public final class TerrainHeights: Sendable {
  /// Seconds for which a tile, or its absence, is taken to be as it was.
  public static let freshness = 10.0
  /// Most tiles that are kept open: they are mapped, so that the system has their pages in memory only while it likes.
  private static let most = 256

  private struct Open {
    var tile: StoredTile?
    var changed: Date?
    var checked: Double
  }

  /// Where the tiles are.
  public let folder: TerrainFolder
  private let clock: @Sendable () -> Double
  private let open = Mutex<[TerrainTileID: Open]>([:])

  /// The heights of a folder.
  ///
  /// - Parameters:
  ///   - folder: where the tiles are.
  ///   - clock: seconds, not running backwards.
  public init(
    _ folder: TerrainFolder,
    clock: @escaping @Sendable () -> Double = { ProcessInfo.processInfo.systemUptime }
  ) {
    self.folder = folder
    self.clock = clock
  }

  /// Metres over the sea; `nil` where there is no tile or no height in it, and for what is no place.
  public func height(latitudeDegrees: Double, longitudeDegrees: Double) -> Double? {
    guard let id = TerrainTileID(latitudeDegrees: latitudeDegrees, longitudeDegrees: longitudeDegrees) else {
      return nil
    }
    return tile(id)?.height(latitudeDegrees: latitudeDegrees, longitudeDegrees: longitudeDegrees)
  }

  private func tile(_ id: TerrainTileID) -> StoredTile? {
    let now = clock()
    return open.withLock { open in
      if let known = open[id], now - known.checked < Self.freshness { return known.tile }
      let attributes = try? FileManager.default.attributesOfItem(atPath: folder.file(of: id))
      let changed = attributes?[.modificationDate] as? Date
      if let known = open[id], known.changed == changed {
        open[id]?.checked = now
        return known.tile
      }
      if open.count >= Self.most { open.removeAll() }
      let tile = changed == nil ? nil : try? folder.tile(id).tile
      open[id] = Open(tile: tile, changed: changed, checked: now)
      return tile
    }
  }
}
