import SightlineFusion
import SightlineMath
import SightlineTestSupport

/// Sensor readings of a device that turns as a function says, in a field of 48 µT dipping 65°.
struct SyntheticMotion {
  var rate = 100.0
  var gyroscopeBias = Vector3.zero
  var gyroscopeNoise = 0.0
  var forceNoise = 0.0
  var fieldNoise = 0.0
  var hardIron = Vector3.zero
  var seed: UInt64 = 1
  /// East-North-Up, microtesla.
  static let field = Vector3(0, 20.3, -43.5)

  /// Samples over a time, with the true attitude of each.
  func samples(
    seconds: Double,
    attitude: (Double) -> Quaternion,
    acceleration: (Double) -> Vector3 = { _ in .zero }
  ) -> [(sample: MotionSample, truth: Quaternion)] {
    var g = SplitMix64(seed: seed)
    func noise(_ deviation: Double) -> Vector3 {
      // Sum of twelve uniform numbers: close enough to normal, and the same on every platform.
      func one() -> Double { (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &g) } * deviation }
      return deviation == 0 ? .zero : Vector3(one(), one(), one())
    }
    return (0..<Int(seconds * rate)).map { k in
      let t = Double(k) / rate
      let now = attitude(t)
      let before = attitude(max(0, t - 1 / rate))
      let turn = before.inverse * now
      let half = Vector3(turn.x, turn.y, turn.z) * (turn.w < 0 ? -1 : 1)
      let angle = 2 * asin(half.length)
      let axis = half.normalized ?? .zero
      return (
        MotionSample(
          time: t,
          angularVelocity: axis * (angle * rate) + gyroscopeBias + noise(gyroscopeNoise),
          specificForce: now.inverse * (Vector3(0, 0, 9.80665) + acceleration(t)) + noise(forceNoise),
          magneticField: now.inverse * Self.field + hardIron + noise(fieldNoise)
        ), now
      )
    }
  }

  /// Wandering about all axes: incommensurate sines, up to about 60° a second.
  static func wander(_ t: Double) -> Quaternion {
    Quaternion(axis: Vector3(0, 0, 1), angle: Angle(radians: 0.9 * sin(0.7 * t)))
      * Quaternion(axis: Vector3(1, 0, 0), angle: Angle(radians: 1.2 + 0.5 * sin(1.1 * t)))
      * Quaternion(axis: Vector3(0, 1, 0), angle: Angle(radians: 0.6 * sin(0.53 * t + 1)))
  }
}
