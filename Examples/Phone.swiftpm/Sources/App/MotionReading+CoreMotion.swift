#if canImport(CoreMotion)
import CoreMotion
import Sightline

extension MotionReading {
  /// What Core Motion says.
  init(_ motion: CMDeviceMotion, isTrueNorth: Bool) {
    let attitude = motion.attitude.quaternion
    let field = motion.magneticField
    self.init(
      time: motion.timestamp,
      attitude: Quaternion(w: attitude.w, x: attitude.x, y: attitude.y, z: attitude.z),
      isTrueNorth: isTrueNorth,
      rotationRate: Vector3(motion.rotationRate.x, motion.rotationRate.y, motion.rotationRate.z),
      gravity: Vector3(motion.gravity.x, motion.gravity.y, motion.gravity.z),
      userAcceleration: Vector3(motion.userAcceleration.x, motion.userAcceleration.y, motion.userAcceleration.z),
      magneticField: field.accuracy == .uncalibrated ? nil : Vector3(field.field.x, field.field.y, field.field.z)
    )
  }
}
#endif
