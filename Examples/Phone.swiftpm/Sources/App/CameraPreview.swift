#if canImport(SwiftUI) && canImport(UIKit)
import AVFoundation
import SwiftUI
import UIKit

/// The camera's picture, covering the view as the engine takes it to.
struct CameraPreview: UIViewRepresentable {
  let session: AVCaptureSession

  func makeUIView(context: Context) -> PreviewView {
    let view = PreviewView()
    view.preview?.session = session
    view.preview?.videoGravity = .resizeAspectFill
    return view
  }

  func updateUIView(_ view: PreviewView, context: Context) {}
}

/// A view whose layer is the preview.
final class PreviewView: UIView {
  override class var layerClass: AnyClass { AVCaptureVideoPreviewLayer.self }

  var preview: AVCaptureVideoPreviewLayer? { layer as? AVCaptureVideoPreviewLayer }
}
#endif
