// swift-format-ignore-file
// Declarations without explanations: Apple's own explain them.
// For checking only, see README.md.
import Foundation

public typealias CLLocationDegrees = Double
public typealias CLLocationDistance = Double
public typealias CLLocationAccuracy = Double
public typealias CLLocationDirection = Double
public typealias CLLocationSpeed = Double
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
public struct CLLocationCoordinate2D: Sendable {
  public var latitude: CLLocationDegrees
  public var longitude: CLLocationDegrees
}
public class CLLocation: NSObject {
  public var coordinate: CLLocationCoordinate2D { fatalError() }
  public var altitude: CLLocationDistance { fatalError() }
  public var horizontalAccuracy: CLLocationAccuracy { fatalError() }
  public var verticalAccuracy: CLLocationAccuracy { fatalError() }
  public var course: CLLocationDirection { fatalError() }
  public var speed: CLLocationSpeed { fatalError() }
  public var timestamp: Date { fatalError() }
}
public struct CLError: Error {
  public enum Code: Int, Sendable {
    case locationUnknown
    case denied
    case network
  }
  public var code: Code
}
public class CLLocationManager: NSObject {
  public weak var delegate: (any CLLocationManagerDelegate)?
  public var desiredAccuracy: CLLocationAccuracy = 0
  public func requestWhenInUseAuthorization() {}
  public func startUpdatingLocation() {}
  public func stopUpdatingLocation() {}
}
public protocol CLLocationManagerDelegate: AnyObject {
  // Optional there, which Swift without Objective-C does not have; here a wrong name or type is found.
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
}
