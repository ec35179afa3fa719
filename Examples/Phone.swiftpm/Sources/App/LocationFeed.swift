#if canImport(CoreLocation)
import CoreLocation
import Foundation
import Sightline

/// Positions for the engine.
@MainActor
final class LocationFeed: NSObject, CLLocationManagerDelegate {
  private let engine: PhoneEngine
  private let manager = CLLocationManager()

  init(engine: PhoneEngine) {
    self.engine = engine
    super.init()
    manager.delegate = self
    manager.desiredAccuracy = kCLLocationAccuracyBest
  }

  func start() {
    manager.requestWhenInUseAuthorization()
    manager.startUpdatingLocation()
  }

  func stop() { manager.stopUpdatingLocation() }

  nonisolated func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    for location in locations {
      // Positions have the time of day, everything else the time since the phone was started.
      let age = max(0, -location.timestamp.timeIntervalSinceNow)
      let time = ProcessInfo.processInfo.systemUptime - age
      let fix = LocationFix(location)
      engine.tell { $0.take(fix, at: time) }
    }
  }

  nonisolated func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    // Others pass; the position is then late.
    guard (error as? CLError)?.code == .denied else { return }
    engine.tell { $0.positionIsDenied(at: ProcessInfo.processInfo.systemUptime) }
  }
}

extension LocationFix {
  /// What Core Location says: negative values are its way to say unknown, and altitudes are over the sea.
  init(_ location: CLLocation) {
    self.init(
      latitudeDegrees: location.coordinate.latitude,
      longitudeDegrees: location.coordinate.longitude,
      altitude: location.verticalAccuracy > 0 ? location.altitude : nil,
      altitudeDatum: .seaLevel,
      horizontalAccuracy: location.horizontalAccuracy,
      verticalAccuracy: location.verticalAccuracy > 0 ? location.verticalAccuracy : nil,
      courseDegrees: location.course >= 0 ? location.course : nil,
      speed: location.speed >= 0 ? location.speed : nil
    )
  }
}
#endif
