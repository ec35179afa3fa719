import SightlineCamera
import SightlineMath

/// Draws what a camera with a rolling shutter and a lens that bends sees of flat rectangles: each line of the sensor with the pose of
/// its own moment, each exposure as the mean of several moments.
///
/// The nearest surface is kept for each pixel of a line; what it shows comes from maps of light that get coarser with the distance.
/// Which of two levels is taken alternates over the moments of an exposure, the same way before and behind its middle, so that
/// neither levels nor edges pull the picture to one side.
struct RollingRenderer {
  private struct Face {
    var corner: Vector3
    /// Across and down over their squared lengths.
    var across: Vector3
    var down: Vector3
    var normal: Vector3
    var corners: [Vector3]
    /// Pixels of its map in a square metre.
    var density: Float
    /// Its place among the maps; −1 for what is drawn by its formula.
    var map: Int
    var material: Material
    var isOneSided: Bool
    var outline: [[Vector2]]
  }

  private let rig: Rig
  private let trajectory: Trajectory
  private var faces: [Face] = []
  private var levels: [[LightMap.Level]] = []
  private var light: [Float] = []
  private let lines: Int
  private let length: Int
  private var blocks: Int { (length + 7) / 8 }

  /// Prepares to draw surfaces along a way; how fine their maps are follows from how near the way comes to them.
  init(_ surfaces: [Surface], rig: Rig, trajectory: Trajectory, duration: Double) {
    self.rig = rig
    self.trajectory = trajectory
    lines = rig.lines
    length = rig.width * rig.height / rig.lines
    let way = stride(from: 0, through: duration, by: 0.2).map { rig.pose(trajectory.state(at: $0)).position }
    for surface in surfaces {
      let (a, d) = (surface.across, surface.down)
      let (width, height) = (a.length, d.length)
      guard width > 1e-6, height > 1e-6, let normal = a.cross(d).normalized else { continue }
      var face = Face(
        corner: surface.corner,
        across: a * (1 / (width * width)),
        down: d * (1 / (height * height)),
        normal: normal,
        corners: [surface.corner, surface.corner + a, surface.corner + a + d, surface.corner + d],
        density: 0,
        map: levels.count,
        material: surface.material,
        isOneSided: surface.isOneSided,
        outline: surface.outline
      )
      var map: LightMap
      switch surface.material {
      case .plain(let tone): map = LightMap(tone)
      case .ground:
        face.map = -1
        faces.append(face)
        continue
      default:
        let nearest = way.map { Self.distance($0, surface, width, height) }.min() ?? 1
        // Of a town most is far: thousands of walls have maps that are as coarse as they are seen.
        var scale = clamp(rig.focal / max(0.3, nearest), surface.isOneSided ? 1 : 8, 700)
        if case .texture(let texture) = surface.material {
          // Hard edges between cells want to be hard; and a photograph is not finer than it is.
          scale =
            texture.isSmooth
            ? min(scale, 1.5 * Double(texture.width) / width) : max(scale, 24 * Double(texture.width) / width)
        }
        scale *= min(1, (6e6 / (scale * scale * width * height)).squareRoot())
        // Sides that can be halved six times.
        func pixels(_ metres: Double) -> Int { Int(clamp((metres * scale / 64).rounded(.up), 1, 256)) * 64 }
        map = LightMap(surface.material, width: pixels(width), height: pixels(height))
      }
      face.density = Float(Double(map.width * map.height) / (width * height))
      levels.append(
        map.levels.map { LightMap.Level(width: $0.width, height: $0.height, start: $0.start + light.count) }
      )
      light += map.light
      faces.append(face)
    }
  }

  private static func distance(_ p: Vector3, _ surface: Surface, _ width: Double, _ height: Double) -> Double {
    let offset = p - surface.corner
    let u = clamp(offset.dot(surface.across) / (width * width), 0, 1)
    let v = clamp(offset.dot(surface.down) / (height * height), 0, 1)
    return (offset - surface.across * u - surface.down * v).length
  }

  /// Directions at depth 1 of all pixels, eight at a time, line by line of the sensor, for a place within the pixel.
  private func rays(_ dx: Double, _ dy: Double) -> Rays {
    var rays = Rays(x: [], y: [])
    rays.x.reserveCapacity(lines * blocks)
    rays.y.reserveCapacity(lines * blocks)
    for line in 0..<lines {
      for block in 0..<blocks {
        var (x, y) = (Lane.zero, Lane.zero)
        for lane in 0..<8 {
          // A block beyond the end repeats the last place.
          let pixel = pixel(line, min(length - 1, block * 8 + lane))
          let ray = rig.ray(Double(pixel.x) + dx, Double(pixel.y) + dy)
          (x[lane], y[lane]) = (Float(ray.x), Float(ray.y))
        }
        rays.x.append(x)
        rays.y.append(y)
      }
    }
    return rays
  }

  /// The pixel at a place of a line.
  private func pixel(_ line: Int, _ place: Int) -> (x: Int, y: Int) {
    switch rig.order {
    case .left: (rig.width - 1 - line, place)
    case .right: (line, place)
    case .down: (place, line)
    case .up: (place, rig.height - 1 - line)
    }
  }

  /// Places within the pixel and the exposure, one for each moment: in each row and column of a grid once, and the same
  /// backwards with the other sign.
  static func moments(_ count: Int) -> [(x: Double, y: Double)] {
    // Powers of generators modulo the prime count + 1.
    let prime = count + 1
    return (1...count).map { k in
      let x = 2 * k % prime
      let y = 3 * x % prime
      return (Double(2 * x - prime) / Double(2 * count), Double(2 * y - prime) / Double(2 * count))
    }
  }

  private typealias Lane = SIMD8<Float>

  /// Directions of all pixels.
  struct Rays {
    var x: [SIMD8<Float>]
    var y: [SIMD8<Float>]
  }

  /// Directions that were asked for already, by the number of moments.
  struct RayCache { var rays: [Int: [Rays]] = [:] }

  private struct Reach {
    var face: Int
    var (first, last): (Int, Int)
    var (low, high): (Int, Int)
  }

  /// Light of each pixel, row by row of the picture, as the mean over an exposure.
  ///
  /// - Parameters:
  ///   - time: middle of the exposure of the middle line, seconds of the run.
  ///   - exposure: seconds.
  ///   - count: moments: 4, 6 or 10.
  ///   - cache: directions that were asked for already.
  /// - Returns: 0 … 1 and more, as many as the picture has pixels.
  func light(at time: Double, exposure: Double, count: Int, cache: inout RayCache) -> [Float] {
    if cache.rays[count] == nil { cache.rays[count] = Self.moments(count).map { rays($0.x, $0.y) } }
    guard let rays = cache.rays[count] else { return [] }
    var sum = [Float](repeating: 0, count: lines * length)
    let reaches = reaches(at: time, exposure: exposure)
    for k in 0..<count {
      let shift = ((Double(k) + 0.5) / Double(count) - 0.5) * exposure
      // From one level to the next by the share of the moments that take it.
      let step = Double(2 * min(k, count - 1 - k) + 1) / Double(count)
      expose(rays[k], at: time + shift, step: step, reaches, &sum)
    }
    var picture = [Float](repeating: 0, count: sum.count)
    let share = 1 / Float(count)
    for line in 0..<lines {
      for place in 0..<length {
        let pixel = pixel(line, place)
        picture[pixel.y * rig.width + pixel.x] = sum[line * length + place] * share
      }
    }
    return picture
  }

  /// Which lines and places each face can touch during an exposure.
  private func reaches(at time: Double, exposure: Double) -> [Reach] {
    let half = rig.rowTime * Double(lines - 1) / 2 + exposure / 2
    let poses = [-half, 0, half].map { rig.pose(trajectory.state(at: time + $0)) }
    // How far the lens bends at the corners, and what moves between the three moments.
    let corner = rig.ray(-0.5, -0.5)
    let bend = abs(corner.x * rig.focal + rig.center.x + 0.5) + abs(corner.y * rig.focal + rig.center.y + 0.5)
    let margin = bend + 12
    let near = 0.02
    var result: [Reach] = []
    for (index, face) in faces.enumerated() {
      var (left, top, right, bottom) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
      for pose in poses {
        let turn = pose.worldFromCamera.inverse
        let points = face.corners.map { turn * ($0 - pose.position) }
        func take(_ p: Vector3) {
          let (x, y) = (rig.center.x + rig.focal * p.x / p.z, rig.center.y + rig.focal * p.y / p.z)
          (left, right) = (min(left, x), max(right, x))
          (top, bottom) = (min(top, y), max(bottom, y))
        }
        for k in 0..<4 {
          let (a, b) = (points[k], points[(k + 1) % 4])
          if a.z >= near { take(a) }
          if (a.z >= near) != (b.z >= near) { take(a + (b - a) * ((near - a.z) / (b.z - a.z))) }
        }
      }
      let (w, h) = (Double(rig.width), Double(rig.height))
      guard right + margin >= 0, bottom + margin >= 0, left - margin <= w - 1, top - margin <= h - 1 else { continue }
      let x = (Int(clamp(left - margin, 0, w - 1)), Int(clamp(right + margin, 0, w - 1)))
      let y = (Int(clamp(top - margin, 0, h - 1)), Int(clamp(bottom + margin, 0, h - 1)))
      switch rig.order {
      case .left:
        result.append(Reach(face: index, first: rig.width - 1 - x.1, last: rig.width - 1 - x.0, low: y.0, high: y.1))
      case .right: result.append(Reach(face: index, first: x.0, last: x.1, low: y.0, high: y.1))
      case .down: result.append(Reach(face: index, first: y.0, last: y.1, low: x.0, high: x.1))
      case .up:
        result.append(Reach(face: index, first: rig.height - 1 - y.1, last: rig.height - 1 - y.0, low: x.0, high: x.1))
      }
    }
    return result
  }

  /// One moment of the exposure: adds the light of all pixels.
  private func expose(_ rays: Rays, at time: Double, step: Double, _ reaches: [Reach], _ sum: inout [Float]) {
    let blocks = blocks
    var depth = [Lane](repeating: .zero, count: blocks)
    var across = depth
    var down = depth
    var owner = [SIMD8<Int32>](repeating: SIMD8(repeating: -1), count: blocks)
    // Of each face on the line: what turns depth into the area that a pixel sees, and where the eye's foot is on it.
    var foot = [(u: Double, v: Double, area: Float)](repeating: (0, 0, 0), count: faces.count)
    // 4 to the step: what moves the change between levels by so much of a level; half as coarse as a single sample would need.
    let scale = Float(0.5 * pow(4, step) / (rig.focal * rig.focal))
    for line in 0..<lines {
      let pose = rig.pose(trajectory.state(at: time + (Double(line) - Double(lines - 1) / 2) * rig.rowTime))
      let cameraFromWorld = pose.worldFromCamera.inverse
      for block in 0..<blocks {
        depth[block] = Lane(repeating: 1e-6)
        owner[block] = SIMD8(repeating: -1)
      }
      for reach in reaches where line >= reach.first && line <= reach.last {
        let face = faces[reach.face]
        let eye = pose.position - face.corner
        let distance = -face.normal.dot(eye)
        guard abs(distance) > 1e-4, distance > 0 || !face.isOneSided else { continue }
        let closeness = cameraFromWorld * (face.normal * (1 / distance))
        let (a, d) = (cameraFromWorld * face.across, cameraFromWorld * face.down)
        let place = (u: face.across.dot(eye), v: face.down.dot(eye))
        foot[reach.face] = (place.u, place.v, face.density * scale / Float(abs(distance)))
        let (kx, ky, kz) = (Float(closeness.x), Float(closeness.y), Float(closeness.z))
        let (ax, ay, az) = (Float(a.x), Float(a.y), Float(a.z))
        let (dx, dy, dz) = (Float(d.x), Float(d.y), Float(d.z))
        let (u, v) = (Float(place.u), Float(place.v))
        let own = SIMD8<Int32>(repeating: Int32(truncatingIfNeeded: reach.face))
        for block in (reach.low / 8)...(reach.high / 8) {
          let (x, y) = (rays.x[line * blocks + block], rays.y[line * blocks + block])
          let k = kx * x + ky * y + kz
          let nearer = k .> depth[block]
          guard any(nearer) else { continue }
          let inverse = 1 / k
          let p = (ax * x + ay * y + az) * inverse
          let q = (dx * x + dy * y + dz) * inverse
          let (s, t) = (p + u, q + v)
          var isIn = nearer .& (s .>= 0) .& (s .<= 1) .& (t .>= 0) .& (t .<= 1)
          guard any(isIn) else { continue }
          if !face.outline.isEmpty {
            for lane in 0..<8 where isIn[lane] {
              isIn[lane] = face.outline.holds(Double(s[lane]), Double(t[lane]))
            }
          }
          depth[block].replace(with: k, where: isIn)
          across[block].replace(with: p, where: isIn)
          down[block].replace(with: q, where: isIn)
          owner[block].replace(with: own, where: isIn)
        }
      }
      light.withUnsafeBufferPointer { light in
        for place in 0..<length {
          let (block, lane) = (place / 8, place % 8)
          let face = Int(owner[block][lane])
          guard face >= 0 else {
            let (x, y) = (rays.x[line * blocks + block][lane], rays.y[line * blocks + block][lane])
            let tone = SceneRenderer.sky(pose.worldFromCamera * Vector3(Double(x), Double(y), 1))
            sum[line * length + place] += LightMap.light(tone)
            continue
          }
          let map = faces[face].map
          let (u, v) = (across[block][lane], down[block][lane])
          guard map >= 0 else {
            let tone = faces[face].material.tone(foot[face].u + Double(u), foot[face].v + Double(v))
            sum[line * length + place] += LightMap.light(tone)
            continue
          }
          let z = 1 / depth[block][lane]
          // Pixels of the map that one of the picture sees: half the logarithm is the level.
          let area = foot[face].area * z * z * z
          let level = area < 4 ? 0 : min(levels[map].count - 1, (Int(area.bitPattern >> 23) - 127) / 2)
          sum[line * length + place] += Self.look(
            light,
            levels[map][level],
            Float(foot[face].u) + u,
            Float(foot[face].v) + v
          )
        }
      }
    }
  }

  /// Blended between the pixels of a level.
  private static func look(
    _ light: UnsafeBufferPointer<Float>,
    _ level: LightMap.Level,
    _ u: Float,
    _ v: Float
  ) -> Float {
    let x = min(max(u * Float(level.width) - 0.5, 0), Float(level.width - 1))
    let y = min(max(v * Float(level.height) - 0.5, 0), Float(level.height - 1))
    let (column, row) = (min(Int(x), max(0, level.width - 2)), min(Int(y), max(0, level.height - 2)))
    let (a, b) = (x - Float(column), y - Float(row))
    let start = level.start + row * level.width + column
    let (right, below) = (level.width > 1 ? 1 : 0, level.height > 1 ? level.width : 0)
    let top = light[start] + (light[start + right] - light[start]) * a
    let bottom = light[start + below] + (light[start + below + right] - light[start + below]) * a
    return top + (bottom - top) * b
  }
}
