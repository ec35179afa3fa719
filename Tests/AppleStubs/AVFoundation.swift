// swift-format-ignore-file
// Declarations without explanations: Apple's own explain them.
// For checking only, see README.md. No class is Sendable here: stricter than some of them are.
@_exported import CoreMedia
@_exported import CoreVideo
import Foundation
import QuartzCore

public struct AVMediaType: Hashable, Sendable {
  public static let video = AVMediaType()
}
open class AVCaptureInput: NSObject {}
open class AVCaptureOutput: NSObject {
  public func connection(with mediaType: AVMediaType) -> AVCaptureConnection? { fatalError() }
}
public class AVCaptureConnection: NSObject {
  public func isVideoRotationAngleSupported(_ angle: CGFloat) -> Bool { fatalError() }
  public var videoRotationAngle: CGFloat = 0
}
public class AVCaptureSession: NSObject {
  public struct Preset: Hashable, Sendable {
    public static let vga640x480 = Preset()
  }
  public var sessionPreset = Preset()
  public func beginConfiguration() {}
  public func commitConfiguration() {}
  public func canAddInput(_ input: AVCaptureInput) -> Bool { fatalError() }
  public func addInput(_ input: AVCaptureInput) {}
  public func canAddOutput(_ output: AVCaptureOutput) -> Bool { fatalError() }
  public func addOutput(_ output: AVCaptureOutput) {}
  public func startRunning() {}
  public func stopRunning() {}
}
public class AVCaptureDevice: NSObject {
  public struct DeviceType: Hashable, Sendable {
    public static let builtInWideAngleCamera = DeviceType()
  }
  public enum Position: Int, Sendable {
    case unspecified
    case back
    case front
  }
  public class Format: NSObject {
    public var videoFieldOfView: Float { fatalError() }
  }
  public class func `default`(
    _ deviceType: DeviceType,
    for mediaType: AVMediaType?,
    position: Position
  ) -> AVCaptureDevice? { fatalError() }
  public class func requestAccess(for mediaType: AVMediaType) async -> Bool { fatalError() }
  public var activeFormat: Format {
    get { fatalError() }
    set {}
  }
}
public class AVCaptureDeviceInput: AVCaptureInput {
  public init(device: AVCaptureDevice) throws {}
}
public class AVCaptureVideoDataOutput: AVCaptureOutput {
  public var videoSettings: [String: Any]! = nil
  public var alwaysDiscardsLateVideoFrames = true
  public func setSampleBufferDelegate(
    _ delegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?,
    queue: DispatchQueue?
  ) {}
}
public protocol AVCaptureVideoDataOutputSampleBufferDelegate: AnyObject {
  // Optional there, which Swift without Objective-C does not have; here a wrong name or type is found.
  func captureOutput(
    _ output: AVCaptureOutput,
    didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  )
}
public struct AVLayerVideoGravity: Hashable, Sendable {
  public static let resizeAspectFill = AVLayerVideoGravity()
}
public class AVCaptureVideoPreviewLayer: CALayer {
  public var session: AVCaptureSession?
  public var videoGravity = AVLayerVideoGravity()
}
