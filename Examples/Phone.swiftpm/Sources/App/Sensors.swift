#if canImport(SwiftUI) && canImport(UIKit)
import CoreGraphics
import CoreLocation
import CoreMotion
import Foundation
import Observation

/// Everything of the phone that tells the engine something.
@MainActor @Observable
final class Sensors {
  let engine = PhoneEngine()
  let camera: CameraFeed
  private let motion = CMMotionManager()
  private let location: LocationFeed

  init() {
    camera = CameraFeed(engine: engine)
    location = LocationFeed(engine: engine)
  }

  /// Asks for what is needed, and begins.
  func start() async {
    let year = Double(Calendar.current.component(.year, from: Date()))
    let day = Double(Calendar.current.ordinality(of: .day, in: .year, for: Date()) ?? 1)
    let now = ProcessInfo.processInfo.systemUptime
    engine.tell { $0.setDate(decimalYear: year + (day - 1) / 366, at: now) }
    location.start()
    startMotion()
    await camera.start()
  }

  func stop() {
    motion.stopDeviceMotionUpdates()
    location.stop()
    camera.stop()
  }

  func setView(_ size: CGSize) {
    let now = ProcessInfo.processInfo.systemUptime
    let (width, height) = (Double(size.width), Double(size.height))
    engine.tell { $0.setView(width: width, height: height, at: now) }
  }

  private func startMotion() {
    // Geographic north needs the position; where that is not allowed there is the magnetic one.
    let isTrueNorth = CMMotionManager.availableAttitudeReferenceFrames().contains(.xTrueNorthZVertical)
    motion.deviceMotionUpdateInterval = 1 / 100
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let engine = engine
    motion.startDeviceMotionUpdates(
      using: isTrueNorth ? .xTrueNorthZVertical : .xMagneticNorthZVertical,
      to: queue
    ) { @Sendable motion, _ in
      if let motion { engine.take(MotionReading(motion, isTrueNorth: isTrueNorth)) }
    }
  }
}
#endif
