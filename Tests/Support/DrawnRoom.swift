import Foundation

/// A room with patterned walls, a hand that moves a phone in it, and what sensors and camera of the phone make of it.
///
/// Device axes: x right, y to the top edge, z out of the screen; the phone is held upright, its picture read by columns from right to
/// left. Everything is given by formulas, so that the truth is exact. Built with the optimiser, as it draws pixel by pixel.
public struct DrawnRoom: Sendable {
  /// How the hand moves.
  public enum Motion: Sendable {
    /// Some decimetres to and fro, looking about.
    case walk
    /// Held still, but for a tremor.
    case rest
    /// Turned to the left by 60° a second from before the first frame on, at arm's length.
    case turn
    /// The walk, that ends within two seconds from a moment on; at a later moment the phone is 0.25 m further east, all at once.
    case walkThenRest(from: Double, movedAt: Double)
  }

  /// Pixels.
  public static let (width, height) = (240, 320)
  /// Pixels.
  public let focal = 258.0
  /// Seconds from the first column to the last.
  public let readout = 0.022
  /// By how much a stamp is later than the middle of the exposure, seconds.
  public let timeOffset = 0.031
  /// Place of the lens in the device's axes, metres.
  public let lever = SIMD3(0.004, 0.052, -0.003)
  /// Bias of the gyroscope, rad/s.
  public let gyroBias = SIMD3(0.002, -0.001, 0.0015)
  let motion: Motion
  /// Which patterns its walls have.
  let pattern: Int

  /// A room and a way through it.
  public init(_ motion: Motion, pattern: Int = 0) { (self.motion, self.pattern) = (motion, pattern) }

  /// A rotation by columns: the axes of the device in the world.
  public struct Rotation: Sendable {
    /// Columns.
    public var (x, y, z): (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    func turned(_ v: SIMD3<Double>) -> SIMD3<Double> { x * v.x + y * v.y + z * v.z }
    func back(_ v: SIMD3<Double>) -> SIMD3<Double> { SIMD3((x * v).sum(), (y * v).sum(), (z * v).sum()) }
  }

  /// How fast ``Motion/turn`` turns, rad/s.
  private static let turnRate = Double.pi / 3

  /// The walk's own time of one that ends: it slows down evenly.
  private static func slowed(_ t: Double, from start: Double) -> Double {
    let since = min(2, max(0, t - start))
    return min(t, start) + since - since * since / 4
  }

  /// Place of the inertial sensors, metres; z up, the floor at 0.
  public func position(_ t: Double) -> SIMD3<Double> {
    switch motion {
    case .walkThenRest(let start, let moved):
      Self(.walk).position(Self.slowed(t, from: start)) + SIMD3(t >= moved ? 0.25 : 0, 0, 0)
    case .walk:
      SIMD3(
        0.35 * sin(1.9 * t) + 0.12 * sin(4.3 * t),
        0.3 * cos(1.4 * t) + 0.08 * sin(5.1 * t),
        1.4 + 0.12 * sin(2.7 * t)
      )
    case .turn: SIMD3(-0.25 * sin(Self.turnRate * t), 0.25 * cos(Self.turnRate * t), 1.4)
    case .rest: SIMD3(0.002 * sin(2.1 * t), 0.3 + 0.002 * sin(1.7 * t + 1), 1.4 + 0.0001 * sin(60 * t))
    }
  }

  /// Attitude of the device: it looks to the north, about level.
  public func attitude(_ t: Double) -> Rotation {
    if case .walkThenRest(let start, _) = motion { return Self(.walk).attitude(Self.slowed(t, from: start)) }
    let (yaw, pitch, roll) =
      switch motion {
      case .walk: (0.5 * sin(0.9 * t) + 0.1 * sin(3.1 * t), -0.15 + 0.15 * sin(1.3 * t), 0.08 * sin(2.2 * t))
      case .turn: (Self.turnRate * t, -0.1 + 0.02 * sin(1.3 * t), 0.02 * sin(2.2 * t))
      case .rest, .walkThenRest: (0.003 * sin(1.2 * t), -0.15 + 0.003 * sin(0.9 * t), 0.0003 * sin(55 * t))
      }
    // Upright: x east, y up, z to the south; then roll about the view, pitch, yaw.
    let (cy, sy, cp, sp, cr, sr) = (cos(yaw), sin(yaw), cos(pitch), sin(pitch), cos(roll), sin(roll))
    let right = SIMD3(cy, sy, 0)
    let forward = SIMD3(-sy * cp, cy * cp, sp)
    let up = SIMD3(
      right.y * forward.z - right.z * forward.y,
      right.z * forward.x - right.x * forward.z,
      right.x * forward.y - right.y * forward.x
    )
    let x = right * cr + up * sr
    let y = up * cr - right * sr
    return Rotation(x: x, y: y, z: -forward)
  }

  /// Which way the lens looks, counter-clockwise from the north, radians.
  public func yaw(_ t: Double) -> Double {
    let forward = -attitude(t).z
    return atan2(-forward.x, forward.y)
  }

  /// Place of the lens.
  public func lens(_ t: Double) -> SIMD3<Double> { position(t) + attitude(t).turned(lever) }

  /// Mean angular velocity and specific force over an interval, device axes, with the sensors' bias.
  public func reading(from start: Double, to end: Double) -> (rate: SIMD3<Double>, force: SIMD3<Double>) {
    var (rate, force) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
    let (steps, h) = (6, 1e-4)
    for i in 0..<steps {
      let t = start + (end - start) * (Double(i) + 0.5) / Double(steps)
      let (a, b, now) = (attitude(t - h), attitude(t + h), attitude(t))
      // Rᵀ dR/dt is the skew matrix of the rate.
      let (dx, dy, dz) = ((b.x - a.x) / (2 * h), (b.y - a.y) / (2 * h), (b.z - a.z) / (2 * h))
      rate += SIMD3((now.z * dy).sum(), (now.x * dz).sum(), (now.y * dx).sum())
      let acceleration = (position(t + h) - 2 * position(t) + position(t - h)) / (h * h)
      force += now.back(acceleration + SIMD3(0, 0, 9.80665))
    }
    return (rate / Double(steps) + gyroBias, force / Double(steps))
  }

  /// The grey picture whose middle column was exposed at a moment.
  public func picture(at time: Double) -> [UInt8] {
    let (width, height) = (Self.width, Self.height)
    var pixels = [UInt8](repeating: 0, count: width * height)
    for column in 0..<width {
      let moment = time + readout * (0.5 - Double(column) / Double(width - 1))
      let (from, axes) = (lens(moment), attitude(moment))
      for row in 0..<height {
        let u = (Double(column) - Double(width - 1) / 2) / focal
        let v = (Double(row) - Double(height - 1) / 2) / focal
        let ray = axes.x * u - axes.y * v - axes.z
        pixels[row * width + column] = level(from, ray)
      }
    }
    return pixels
  }

  /// Where a point of the room is seen in the picture whose middle column was exposed at a moment; `nil` behind the lens.
  public func pixel(of point: SIMD3<Double>, at time: Double) -> SIMD2<Double>? {
    var pixel = SIMD2(Double(Self.width - 1) / 2, Double(Self.height - 1) / 2)
    // The column a point falls on decides from when the pose is.
    for _ in 0..<8 {
      let moment = time + readout * (0.5 - pixel.x / Double(Self.width - 1))
      let p = attitude(moment).back(point - lens(moment))
      guard p.z < -0.05 else { return nil }
      pixel.x = Double(Self.width - 1) / 2 + focal * p.x / -p.z
      pixel.y = Double(Self.height - 1) / 2 - focal * p.y / -p.z
    }
    return pixel
  }

  /// How far away from the lens is what is seen in the picture's middle, metres.
  public func distance(at time: Double) -> Double { Self.meeting(lens(time), -attitude(time).z).distance }

  /// Where a ray meets the walls of a room of 5 × 5 × 2.6 m or a column in it: as a multiple of the ray, and which of them.
  private static func meeting(_ from: SIMD3<Double>, _ ray: SIMD3<Double>) -> (distance: Double, side: Int) {
    var (distance, side) = (Double.infinity, 0)
    let (low, high) = (SIMD3(-2.5, -2.5, 0.0), SIMD3(2.5, 2.5, 2.6))
    for axis in 0..<3 where ray[axis] != 0 {
      let t = ((ray[axis] > 0 ? high[axis] : low[axis]) - from[axis]) / ray[axis]
      if t > 0, t < distance { (distance, side) = (t, axis) }
    }
    // A box before the northern wall, for depth.
    if ray.y > 0 {
      let t = (1.4 - from.y) / ray.y
      let p = from + ray * t
      if t > 0, t < distance, abs(p.x - 0.3) < 0.35, p.z < 1.3 { (distance, side) = (t, 3) }
    }
    return (distance, side)
  }

  /// What is seen along a ray.
  private func level(_ from: SIMD3<Double>, _ ray: SIMD3<Double>) -> UInt8 {
    let (distance, side) = Self.meeting(from, ray)
    let p = from + ray * distance
    let (a, b) = side == 0 ? (p.y, p.z) : side == 2 ? (p.x, p.y) : (p.x, p.z)
    let seed = side * 7 + (ray[min(side, 2)] > 0 ? 1 : 0) + 1000 * pattern
    let value =
      128 + 90 * (Self.noise(a * 3.1, b * 3.1, seed) - 0.5) + 110 * (Self.noise(a * 11.3, b * 11.3, seed + 50) - 0.5)
    return UInt8(max(0, min(255, value)))
  }

  /// Smooth noise between points of a grid, 0 … 1.
  private static func noise(_ x: Double, _ y: Double, _ seed: Int) -> Double {
    let (cx, cy) = (x.rounded(.down), y.rounded(.down))
    let (i, j) = (Int(cx), Int(cy))
    let (fx, fy) = (x - cx, y - cy)
    let (u, v) = (fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy))
    func at(_ i: Int, _ j: Int) -> Double {
      var h = UInt64(bitPattern: Int64(i &* 73_856_093 ^ j &* 19_349_663 ^ seed &* 83_492_791))
      h = (h ^ (h >> 30)) &* 0xBF58_476D_1CE4_E5B9
      h = (h ^ (h >> 27)) &* 0x94D0_49BB_1331_11EB
      return Double((h ^ (h >> 31)) >> 11) / 9_007_199_254_740_992
    }
    let (a, b) = (at(i, j) + u * (at(i + 1, j) - at(i, j)), at(i, j + 1) + u * (at(i + 1, j + 1) - at(i, j + 1)))
    return a + v * (b - a)
  }
}
