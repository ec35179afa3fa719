import Sightline
import Synchronization

/// The engine for all threads of the app: sensors, camera and screen come to it each from their own.
///
/// Looking at a picture takes some milliseconds; the session is not held up by it.
final class PhoneEngine: Sendable {
  private let session = Mutex(PhoneSession())
  private let vision = Mutex(PhoneVision())

  /// A reading of the motion sensors.
  func take(_ motion: MotionReading) {
    session.withLock { $0.take(motion) }
    vision.withLock { $0.take(motion) }
  }

  /// Hands something to the session.
  func tell<Result: Sendable>(_ body: (inout PhoneSession) -> Result) -> Result {
    session.withLock { session in body(&session) }
  }

  /// Looks at an upright picture of the camera; see ``PhoneVision/look(at:time:camera:)``.
  func look(at picture: LumaPlane, time: Double, camera: FrameCamera) throws {
    let seen = try vision.withLock { try $0.look(at: picture, time: time, camera: camera) }
    session.withLock { $0.take(seen, at: time) }
  }
}
