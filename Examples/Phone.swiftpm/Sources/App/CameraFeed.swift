#if canImport(AVFoundation) && canImport(UIKit)
import AVFoundation
import CoreVideo
import Foundation
import Observation

// `@Observable` and `import Sightline` do not go into one file: the engine has a type `Observation`, which hides the module that the
// macro means.

/// The rear camera: its session for the preview, its pictures for the engine.
@MainActor @Observable
final class CameraFeed {
  let session = AVCaptureSession()
  /// What keeps the camera from being shown, in words.
  private(set) var problem: String?
  @ObservationIgnored private let engine: PhoneEngine
  @ObservationIgnored private var receiver: FrameReceiver?
  // Starting and stopping take a moment, which the screen does not wait for.
  @ObservationIgnored private let queue = DispatchQueue(label: "sightline.camera")

  init(engine: PhoneEngine) { self.engine = engine }

  func start() async {
    guard await AVCaptureDevice.requestAccess(for: .video) else {
      problem = "Allow the camera in Settings."
      return
    }
    if receiver == nil {
      do { try configure() } catch {
        problem = "The camera cannot be used: \(error.localizedDescription)"
        return
      }
    }
    guard receiver != nil else {
      problem = "This device has no rear camera."
      return
    }
    let capture = Capture(session: session)
    queue.async { capture.session.startRunning() }
  }

  func stop() {
    let capture = Capture(session: session)
    queue.async { capture.session.stopRunning() }
  }

  private func configure() throws {
    guard let device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back) else { return }
    let output = AVCaptureVideoDataOutput()
    session.beginConfiguration()
    let isConnected = Result { try connect(device, to: output) }
    session.commitConfiguration()
    guard try isConnected.get() else { return }
    // Known only now: the session chose the camera's format.
    let receiver = FrameReceiver(engine: engine, fieldOfViewDegrees: Double(device.activeFormat.videoFieldOfView))
    output.setSampleBufferDelegate(receiver, queue: DispatchQueue(label: "sightline.frames", qos: .userInteractive))
    self.receiver = receiver
  }

  private func connect(_ device: AVCaptureDevice, to output: AVCaptureVideoDataOutput) throws -> Bool {
    session.sessionPreset = .vga640x480
    let input = try AVCaptureDeviceInput(device: device)
    guard session.canAddInput(input), session.canAddOutput(output) else { return false }
    session.addInput(input)
    session.addOutput(output)
    // The first plane is luma, as the engine wants it.
    output.videoSettings = [
      kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    ]
    output.alwaysDiscardsLateVideoFrames = true
    // Upright pictures: the app is held in portrait.
    guard let connection = output.connection(with: .video), connection.isVideoRotationAngleSupported(90) else {
      return false
    }
    connection.videoRotationAngle = 90
    return true
  }
}

/// A session may be started and stopped from any one queue.
private struct Capture: @unchecked Sendable {
  let session: AVCaptureSession
}
#endif
