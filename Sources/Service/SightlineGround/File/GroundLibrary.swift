import Foundation
import SightlineWalking
import Synchronization

/// The grounds of a folder, open for many askers at a time.
///
/// What was added, replaced or removed meanwhile is noticed after ``freshness``. A damaged file is left out, and named by
/// ``problems``. Where two grounds have the same tile, that of the first name is taken.
public final class GroundLibrary: Sendable {
  /// Seconds for which the folder is taken to be as it was.
  public static let freshness = 10.0

  private struct Known: Sendable {
    var grounds: [String: (file: GroundFile, changed: Date?)] = [:]
    var failed: [String: (changed: Date?, what: String)] = [:]
    var checked = -Double.infinity
  }

  /// Where the grounds are.
  public let folder: GroundFolder
  private let clock: @Sendable () -> Double
  private let known = Mutex(Known())
  private let graphs = Mutex<[String: WalkingGraph]>([:])

  /// - Parameters:
  ///   - folder: where the grounds are.
  ///   - clock: seconds, not running backwards.
  public init(
    _ folder: GroundFolder,
    clock: @escaping @Sendable () -> Double = { ProcessInfo.processInfo.systemUptime }
  ) {
    self.folder = folder
    self.clock = clock
  }

  /// The grounds that there are, by name.
  public var grounds: [GroundFile] { current().grounds.sorted { $0.key < $1.key }.map(\.value.file) }

  /// What is wrong with those that cannot be used, by name.
  public var problems: [String: String] { current().failed.mapValues(\.what) }

  /// A tile, packed as gzip, and what tells its version from others.
  public func tile(_ id: TileID) -> (packed: Data, version: String)? {
    for ground in grounds {
      if let packed = ground.tile(id) { return (packed, ground.identifier) }
    }
    return nil
  }

  /// The ways to walk of the ground around a position; `nil` where there is none.
  ///
  /// Read when it is asked for first.
  public func walkingGraph(latitudeDegrees: Double, longitudeDegrees: Double) throws(GroundProblem) -> WalkingGraph? {
    for ground in grounds where ground.info.bounds.contains(latitudeDegrees, longitudeDegrees) {
      if let known = graphs.withLock({ $0[ground.identifier] }) { return known }
      guard let graph = try ground.walkingGraph() else { continue }
      let present = Set(grounds.map(\.identifier))
      graphs.withLock { graphs in
        graphs = graphs.filter { present.contains($0.key) }
        graphs[ground.identifier] = graph
      }
      return graph
    }
    return nil
  }

  private func current() -> Known {
    let now = clock()
    return known.withLock { known in
      guard now - known.checked >= Self.freshness else { return known }
      known.checked = now
      var next = Known(checked: now)
      for name in folder.names {
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder.file(of: name))
        let changed = attributes?[.modificationDate] as? Date
        if let same = known.grounds[name], same.changed == changed {
          next.grounds[name] = same
        } else if let same = known.failed[name], same.changed == changed {
          next.failed[name] = same
        } else {
          do { next.grounds[name] = (try folder.open(name), changed) } catch {
            next.failed[name] = (changed, "\(error)")
          }
        }
      }
      known = next
      return next
    }
  }
}
