import SightlineMath

/// Where the components of the error state lie that are always there.
enum Component {
  /// Attitude: turn of the world's axes, radians.
  static let attitude = 0
  /// Velocity, m/s.
  static let velocity = 3
  /// Position, metres.
  static let position = 6
  /// Bias of the gyroscope, rad/s.
  static let gyroBias = 9
  /// Bias of the accelerometer, m/s².
  static let forceBias = 12
  /// Lateness of the stamps, seconds; the first of the camera's components.
  static let timeOffset = 15
  /// From the first line to the last, seconds.
  static let readout = 16
  /// Logarithm of the focal length.
  static let logFocal = 17
  /// Radial terms.
  static let (k1, k2) = (18, 19)
  /// Principal point, pixels.
  static let (centerX, centerY) = (20, 21)
  /// Turn of the camera in the device's axes, radians.
  static let mounting = 22
  /// Place of the lens in the device's axes, metres.
  static let lever = 25
  /// How many there are.
  static let count = 28
  /// How many of them belong to the camera, from ``timeOffset`` on.
  static let cameraCount = 13
}

/// What is believed of the camera: lens, shutter, mounting.
struct CameraEstimate {
  var focal: Double
  var (k1, k2): (Double, Double)
  var center: Vector2
  var deviceFromCamera: Matrix3
  var lever: Vector3
  var readout: Double
  var timeOffset: Double
  let direction: ReadoutDirection
  let (width, height): (Double, Double)

  init(_ configuration: OdometryConfiguration) {
    focal = configuration.focal
    (k1, k2) = (configuration.k1, configuration.k2)
    (width, height) = (Double(configuration.width), Double(configuration.height))
    center = Vector2((width - 1) / 2, (height - 1) / 2)
    deviceFromCamera = configuration.deviceFromCamera
    lever = configuration.lever
    readout = configuration.readout
    timeOffset = configuration.timeOffset
    direction = configuration.readoutDirection
  }

  /// Where the line of a pixel lies between the first that is read and the last, −½ … ½.
  @inline(__always)
  func line(of pixel: Vector2) -> Double {
    switch direction {
    case .right: pixel.x / (width - 1) - 0.5
    case .left: 0.5 - pixel.x / (width - 1)
    case .down: pixel.y / (height - 1) - 0.5
    case .up: 0.5 - pixel.y / (height - 1)
    }
  }

  /// The direction a pixel is seen in, as a point at z = 1 in camera axes.
  func ray(through pixel: Vector2) -> Vector3 {
    let seen = (pixel - center) * (1 / focal)
    var p = seen
    for _ in 0..<5 {
      let r2 = p.dot(p)
      let f = 1 + r2 * (k1 + r2 * k2)
      p = seen * (1 / max(0.5, f))
    }
    return Vector3(p.x, p.y, 1)
  }

  /// The pixel of a point in camera axes; `nil` when it is not in front of the lens.
  func pixel(of point: Vector3) -> Vector2? {
    guard point.z > 0.02 else { return nil }
    let p = Vector2(point.x / point.z, point.y / point.z)
    let r2 = p.dot(p)
    guard r2 < 1.2 else { return nil }
    return center + p * (focal * (1 + r2 * (k1 + r2 * k2)))
  }

  /// Takes a correction of the camera's components.
  mutating func correct(_ x: UnsafePointer<Double>) {
    timeOffset = clamp(timeOffset + x[Component.timeOffset], -0.05, 0.15)
    readout = clamp(readout + x[Component.readout], 0, 0.06)
    focal *= SightlineMath.exp(clamp(x[Component.logFocal], -0.1, 0.1))
    k1 = clamp(k1 + x[Component.k1], -0.4, 0.4)
    k2 = clamp(k2 + x[Component.k2], -0.2, 0.2)
    center = center + Vector2(x[Component.centerX], x[Component.centerY])
    let turn = Vector3(x[Component.mounting], x[Component.mounting + 1], x[Component.mounting + 2])
    deviceFromCamera = Matrix3(Quaternion(rotationVector: turn)) * deviceFromCamera
    lever = lever + Vector3(x[Component.lever], x[Component.lever + 1], x[Component.lever + 2])
  }
}

/// Pose and motion of the device in the middle of a frame's exposure: what the filter remembers of a frame.
struct Clone {
  /// Place of its observations in the table of tracks.
  var slot: Int
  /// First of its six components in the error state: turn of the world's axes, then position.
  var start: Int
  /// On the clock of the sensors, seconds.
  var time: Double
  /// World from device.
  var attitude: Matrix3
  /// Of the inertial sensors in the world, metres.
  var position: Vector3
  /// In the world, m/s.
  var velocity: Vector3
  /// In the world, m/s².
  var acceleration: Vector3
  /// rad/s and rad/s², device axes.
  var (rate, rateSlope): (Vector3, Vector3)
}

/// A point as a line of the sensor sees it: pixel, and how it depends on the point and on the camera.
struct PointView {
  /// Pixels.
  var pixel: Vector2
  /// Derivatives of the pixel's x and y by the point in the world, pixels by the metre.
  var (byPointX, byPointY): (Vector3, Vector3)
  /// Derivatives by the camera's components, x before y.
  var byCamera = InlineArray<26, Double>(repeating: 0)

  /// The view of a point of the world from a clone.
  ///
  /// - Parameters:
  ///   - point: metres, in the world.
  ///   - clone: pose in the middle of the exposure.
  ///   - camera: lens, shutter, mounting.
  ///   - seen: the pixel at which it was seen, which says when its line was read.
  @_optimize(speed)
  init?(of point: Vector3, from clone: Clone, camera: CameraEstimate, seen: Vector2) {
    let line = camera.line(of: seen)
    let delay = camera.readout * line
    let turn = clone.rate * delay + clone.rateSlope * (0.5 * delay * delay)
    let attitude = clone.attitude * Matrix3(Quaternion(rotationVector: turn))
    let position = clone.position + clone.velocity * delay + clone.acceleration * (0.5 * delay * delay)
    let inDevice = attitude.transposedTimes(point - position)
    let fromLens = inDevice - camera.lever
    let inCamera = camera.deviceFromCamera.transposedTimes(fromLens)
    guard inCamera.z > 0.05 else { return nil }
    let z = 1 / inCamera.z
    let (x, y) = (inCamera.x * z, inCamera.y * z)
    let r2 = x * x + y * y
    guard r2 < 1.5 else { return nil }
    let (k1, k2, f) = (camera.k1, camera.k2, camera.focal)
    let bend = 1 + r2 * (k1 + r2 * k2)
    let slope = 2 * (k1 + 2 * k2 * r2)
    pixel = Vector2(camera.center.x + f * x * bend, camera.center.y + f * y * bend)
    let (xx, xy, yy) = (f * (bend + x * x * slope), f * x * y * slope, f * (bend + y * y * slope))
    // By the point in camera axes.
    let cx = Vector3(xx * z, xy * z, -(xx * x + xy * y) * z)
    let cy = Vector3(xy * z, yy * z, -(xy * x + yy * y) * z)
    // By the point in device axes, and in the world.
    let dx = camera.deviceFromCamera * cx
    let dy = camera.deviceFromCamera * cy
    byPointX = attitude * dx
    byPointY = attitude * dy
    // The device turns and moves while lines are read.
    let rate = clone.rate + clone.rateSlope * delay
    let velocity = clone.velocity + clone.acceleration * delay
    let drift = -rate.cross(inDevice)
    byCamera[1] = (dx.dot(drift) - byPointX.dot(velocity)) * line
    byCamera[14] = (dy.dot(drift) - byPointY.dot(velocity)) * line
    byCamera[2] = f * x * bend
    byCamera[15] = f * y * bend
    byCamera[3] = f * x * r2
    byCamera[16] = f * y * r2
    byCamera[4] = f * x * r2 * r2
    byCamera[17] = f * y * r2 * r2
    byCamera[5] = 1
    byCamera[19] = 1
    let (tx, ty) = (dx.cross(fromLens), dy.cross(fromLens))
    for i in 0..<3 {
      byCamera[7 + i] = tx[i]
      byCamera[20 + i] = ty[i]
      byCamera[10 + i] = -dx[i]
      byCamera[23 + i] = -dy[i]
    }
  }
}
