#if canImport(SwiftUI) && canImport(UIKit)
import Foundation
import SwiftUI

/// The camera's picture with labels and outlines over it.
struct PhoneView: View {
  @State private var sensors = Sensors()

  var body: some View {
    GeometryReader { view in
      ZStack {
        CameraPreview(session: sensors.camera.session)
        TimelineView(.animation) { _ in
          // Labels belong to the moment that is drawn, not to that of the last reading.
          FrameView(frame: sensors.engine.tell { $0.frame(at: ProcessInfo.processInfo.systemUptime) })
        }
        if let problem = sensors.camera.problem {
          Text(problem).padding().background(.regularMaterial)
        }
      }
      .onAppear { sensors.setView(view.size) }
      .onChange(of: view.size) { _, size in sensors.setView(size) }
    }
    .ignoresSafeArea()
    .task { await sensors.start() }
    .onDisappear { sensors.stop() }
  }
}

/// What the session found.
struct FrameView: View {
  let frame: PhoneFrame

  var body: some View {
    ZStack {
      ForEach(frame.outlines) { outline in
        Path { path in
          path.addLines(outline.corners.map { CGPoint(x: $0.x, y: $0.y) })
          path.closeSubpath()
        }
        .stroke(Color.green, lineWidth: 4)
        .opacity(outline.opacity)
      }
      ForEach(frame.labels) { label in
        Text(label.text)
          .font(.footnote)
          .multilineTextAlignment(.center)
          .frame(width: label.width, height: label.height)
          .background(.regularMaterial)
          .rotationEffect(.radians(label.turn))
          .position(x: label.x, y: label.y)
          .opacity(label.opacity)
      }
      if let missing = frame.missing {
        Text(words(missing)).padding().background(.regularMaterial)
      }
    }
  }

  private func words(_ missing: PhoneFrame.Missing) -> String {
    switch missing {
    case .position: "Waiting for your position…"
    case .positionDenied: "Allow the position in Settings to see places."
    case .orientation: "Waiting for the compass…"
    }
  }
}
#endif
