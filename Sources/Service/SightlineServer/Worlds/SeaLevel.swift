import Foundation
import SightlineGeodesy
import Synchronization

/// How far mean sea level is above the ellipsoid, for whoever asks at a time.
public final class SeaLevel: Sendable {
  private let geoid: Mutex<Geoid>

  /// By the geoid that the web client has.
  ///
  /// - Returns: `nil` where the file is not, or is damaged.
  public init?(webClientFolder: String) {
    guard let bytes = FileManager.default.contents(atPath: webClientFolder + "/data/egm96.geoid"),
      let geoid = try? Geoid([UInt8](bytes))
    else { return nil }
    self.geoid = Mutex(geoid)
  }

  /// Metres from the ellipsoid up to the sea; `nil` for what is no place.
  public func height(latitudeDegrees: Double, longitudeDegrees: Double) -> Double? {
    // What has been decoded is kept for the next.
    geoid.withLock { $0.height(latitudeDegrees: latitudeDegrees, longitudeDegrees: longitudeDegrees) }
  }
}
