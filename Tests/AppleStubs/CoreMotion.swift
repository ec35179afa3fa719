// swift-format-ignore-file
// Declarations without explanations: Apple's own explain them.
// For checking only, see README.md.
import Foundation

public struct CMQuaternion: Sendable {
  public var x: Double
  public var y: Double
  public var z: Double
  public var w: Double
}
public struct CMRotationRate: Sendable {
  public var x: Double
  public var y: Double
  public var z: Double
}
public struct CMAcceleration: Sendable {
  public var x: Double
  public var y: Double
  public var z: Double
}
public struct CMMagneticField: Sendable {
  public var x: Double
  public var y: Double
  public var z: Double
}
public enum CMMagneticFieldCalibrationAccuracy: Int32, Sendable {
  case uncalibrated = -1
  case low
  case medium
  case high
}
public struct CMCalibratedMagneticField: Sendable {
  public var field: CMMagneticField
  public var accuracy: CMMagneticFieldCalibrationAccuracy
}
public struct CMAttitudeReferenceFrame: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let xMagneticNorthZVertical = CMAttitudeReferenceFrame(rawValue: 4)
  public static let xTrueNorthZVertical = CMAttitudeReferenceFrame(rawValue: 8)
}
public class CMAttitude: NSObject {
  public var quaternion: CMQuaternion { fatalError() }
}
public class CMLogItem: NSObject {
  public var timestamp: TimeInterval { fatalError() }
}
public class CMDeviceMotion: CMLogItem {
  public var attitude: CMAttitude { fatalError() }
  public var rotationRate: CMRotationRate { fatalError() }
  public var gravity: CMAcceleration { fatalError() }
  public var userAcceleration: CMAcceleration { fatalError() }
  public var magneticField: CMCalibratedMagneticField { fatalError() }
}
public typealias CMDeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void
public class CMMotionManager: NSObject {
  public class func availableAttitudeReferenceFrames() -> CMAttitudeReferenceFrame { fatalError() }
  public var deviceMotionUpdateInterval: TimeInterval = 0
  public func startDeviceMotionUpdates(
    using referenceFrame: CMAttitudeReferenceFrame,
    to queue: OperationQueue,
    withHandler handler: @escaping CMDeviceMotionHandler
  ) {}
  public func stopDeviceMotionUpdates() {}
}
