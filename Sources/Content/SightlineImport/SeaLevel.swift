import Foundation
import SightlineGeodesy
import Synchronization

/// How far mean sea level is above the WGS84 ellipsoid, by a geoid in a file; many may ask at a time.
package final class SeaLevel: Sendable {
  private let geoid: Mutex<Geoid>

  /// The geoid of a file; `nil` where the file is not, or is damaged.
  ///
  /// - Parameter path: of the file, such as the web client's `data/egm96.geoid`.
  package init?(geoidFile path: String) {
    guard let bytes = FileManager.default.contents(atPath: path),
      let geoid = try? Geoid([UInt8](bytes))
    else { return nil }
    self.geoid = Mutex(geoid)
  }

  /// Metres from the ellipsoid up to the sea at a position in degrees; `nil` for what is none.
  package func height(latitudeDegrees: Double, longitudeDegrees: Double) -> Double? {
    // What has been decoded is kept for the next.
    geoid.withLock { $0.height(latitudeDegrees: latitudeDegrees, longitudeDegrees: longitudeDegrees) }
  }
}
