#if canImport(AVFoundation) && canImport(UIKit)
import AVFoundation
import CoreMedia
import CoreVideo
import Foundation
import Sightline

/// Takes the camera's pictures, on a queue of their own.
final class FrameReceiver: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
  private let engine: PhoneEngine
  private let longSideFieldOfView: Angle

  /// A receiver of a lens that sees so much along the picture's longer side.
  init(engine: PhoneEngine, fieldOfViewDegrees: Double) {
    self.engine = engine
    longSideFieldOfView = Angle(degrees: fieldOfViewDegrees)
    super.init()
  }

  func captureOutput(
    _ output: AVCaptureOutput,
    didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    guard let buffer = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    // The clock of pictures is that of Core Motion: since the phone was started.
    let time = CMTimeGetSeconds(CMSampleBufferGetPresentationTimeStamp(sampleBuffer))
    guard time.isFinite, CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess else { return }
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    let (width, height) = (CVPixelBufferGetWidthOfPlane(buffer, 0), CVPixelBufferGetHeightOfPlane(buffer, 0))
    let stride = CVPixelBufferGetBytesPerRowOfPlane(buffer, 0)
    guard let start = CVPixelBufferGetBaseAddressOfPlane(buffer, 0) else { return }
    let bytes = UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: stride * height)
    let picture = LumaPlane(bytes: bytes, width: width, height: height, stride: stride)
    let camera = FrameCamera(
      intrinsics: Intrinsics(
        width: Double(width),
        height: Double(height),
        longSideFieldOfView: longSideFieldOfView
      )
    )
    engine.tell { $0.setCamera(camera, at: time) }
    // Only a picture without its bytes cannot be looked at; the next one will do.
    try? engine.look(at: picture, time: time, camera: camera)
  }
}
#endif
