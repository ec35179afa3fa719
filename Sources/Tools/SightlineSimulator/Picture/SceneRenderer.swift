import SightlineCamera
import SightlineMath

/// Draws flat surfaces as a pinhole camera sees them, by asking for each sample which surface is nearest there.
///
/// The map between picture and surface is the exact homography, so what is drawn on a surface lies where it should. Each pixel
/// is the mean over its square: one sample where its surroundings are even, and otherwise a Fibonacci lattice, shifted by
/// another amount in each pixel. Such a lattice sees an edge through one pixel to about 0.01 pixel with 55 samples, and as the
/// shifts make the errors of neighbours independent, the line through many pixels much better.
struct SceneRenderer {
  let surfaces: [Surface]
  let samples: Int
  private let offsets: [(x: Double, y: Double)]
  private let tile = 16
  /// Least depth at which the corners of surfaces are looked for, metres.
  private static let near = 0.02

  /// A renderer of some surfaces, with at most so many samples in a pixel with detail (brought down to a Fibonacci number).
  init(surfaces: [Surface], samples: Int) {
    self.surfaces = surfaces
    var (before, count) = (1, 1)
    while count + before <= samples { (before, count) = (count, count + before) }
    self.samples = count
    let step = before
    offsets = (0..<count).map { k in
      let (n, i) = (Double(count), Double(k))
      return (i / n, Double(k * step % count) / n)
    }
  }

  /// A surface as one camera sees it: `plane · ray` is (u, v, 1) over the depth.
  private struct Seen {
    var plane: Matrix3
    var material: Material
    var outline: [[Vector2]]
    /// No part of it is closer: 1 over its least depth.
    var closest: Double
    var area: (left: Int, top: Int, right: Int, bottom: Int)
    /// Its place among the surfaces: of two at the same depth the first is seen.
    var number: Int32
  }

  /// Draws a picture.
  ///
  /// - Parameters:
  ///   - cameraFromWorld: turns world vectors into the camera frame.
  ///   - eye: of the camera, world frame.
  ///   - intrinsics: lens and size.
  ///   - mixesLight: whether samples are mixed as light, by sRGB's curve, instead of as tones.
  /// - Returns: red, green and blue of each pixel, 0 … 255, row by row.
  func draw(
    cameraFromWorld: Quaternion,
    eye: Vector3,
    intrinsics: Intrinsics,
    mixesLight: Bool
  ) -> [SIMD3<Float>] {
    let (width, height) = (Int(intrinsics.width), Int(intrinsics.height))
    let columns = (width + tile - 1) / tile
    var lists = [[Int32]](repeating: [], count: columns * ((height + tile - 1) / tile))
    var seen: [Seen] = []
    for (number, surface) in surfaces.enumerated() {
      let (c, u, v) = (
        cameraFromWorld * (surface.corner - eye), cameraFromWorld * surface.across, cameraFromWorld * surface.down
      )
      if surface.isOneSided, u.cross(v).dot(c) <= 0 { continue }
      guard let area = area(of: c, u, v, intrinsics), let plane = Self.inverse(u, v, c) else { continue }
      let depth = min(c.z, c.z + u.z, c.z + v.z, c.z + u.z + v.z)
      seen.append(
        Seen(
          plane: plane,
          material: surface.material,
          outline: surface.outline,
          // With room for rounding.
          closest: depth > Self.near ? (1 + 1e-9) / depth : .infinity,
          area: area,
          number: Int32(number)
        )
      )
    }
    // What may be nearest comes first, so that what is certainly behind it need not be looked at.
    seen.sort { ($1.closest, $0.number) < ($0.closest, $1.number) }
    for (index, surface) in seen.enumerated() {
      let area = surface.area
      for row in (area.top / tile)...(area.bottom / tile) {
        for column in (area.left / tile)...(area.right / tile) { lists[row * columns + column].append(Int32(index)) }
      }
    }
    let worldFromCamera = cameraFromWorld.inverse
    func look(_ x: Double, _ y: Double, _ list: [Int32]) -> (tone: SIMD3<Float>, surface: Int32) {
      let ray = Vector3((x - intrinsics.centerX) / intrinsics.focalX, (y - intrinsics.centerY) / intrinsics.focalY, 1)
      var (nearest, best, place) = (Int32(-1), 1e-9, (0.0, 0.0))
      for index in list {
        if seen[Int(index)].closest < best { break }
        let plane = seen[Int(index)].plane
        let closeness = plane.row2.dot(ray)
        guard
          closeness > best
            || (closeness == best && nearest >= 0 && seen[Int(index)].number < seen[Int(nearest)].number)
        else { continue }
        let u = plane.row0.dot(ray)
        let v = plane.row1.dot(ray)
        guard u >= 0, v >= 0, u <= closeness, v <= closeness,
          seen[Int(index)].outline.holds(u / closeness, v / closeness)
        else { continue }
        (nearest, best, place) = (index, closeness, (u / closeness, v / closeness))
      }
      guard nearest >= 0 else { return (Self.sky(worldFromCamera * ray), -1) }
      return (seen[Int(nearest)].material.tone(place.0, place.1), nearest)
    }

    var tones = [SIMD3<Float>](repeating: .zero, count: width * height)
    var ids = [Int32](repeating: 0, count: width * height)
    for y in 0..<height {
      for x in 0..<width {
        let list = lists[y / tile * columns + x / tile]
        (tones[y * width + x], ids[y * width + x]) = look(Double(x), Double(y), list)
      }
    }
    guard samples > 1 else { return tones }
    let detailed = Self.detail(tones, ids, width, height)
    for k in 0..<(width * height) where detailed[k] {
      let (x, y) = (k % width, k / width)
      let list = lists[y / tile * columns + x / tile]
      var sum = SIMD3<Float>.zero
      let shift = (x: Material.chance(UInt64(k), 1), y: Material.chance(UInt64(k), 2))
      for offset in offsets {
        let place = (x: offset.x + shift.x, y: offset.y + shift.y)
        let tone = look(
          Double(x) + (place.x >= 1 ? place.x - 1 : place.x) - 0.5,
          Double(y) + (place.y >= 1 ? place.y - 1 : place.y) - 0.5,
          list
        ).tone
        sum += mixesLight ? ToneCurve.light(of: tone) : tone
      }
      let mean = sum / Float(offsets.count)
      tones[k] = mixesLight ? ToneCurve.tone(of: mean) : mean
    }
    return tones
  }

  /// Pixels whose neighbours show something else.
  private static func detail(_ tones: [SIMD3<Float>], _ ids: [Int32], _ width: Int, _ height: Int) -> [Bool] {
    var result = [Bool](repeating: false, count: width * height)
    for y in 0..<height {
      for x in 0..<width {
        let k = y * width + x
        // Each pair once: to the right, and the three below.
        for (i, j) in [(1, 0), (-1, 1), (0, 1), (1, 1)] {
          guard x + i >= 0, x + i < width, y + j < height else { continue }
          let other = k + j * width + i
          let d = tones[k] - tones[other]
          if ids[k] != ids[other] || abs(d.x) + abs(d.y) + abs(d.z) > 6 {
            result[k] = true
            result[other] = true
          }
        }
      }
    }
    return result
  }

  /// The part of the picture that a parallelogram can touch; `nil` for none of it.
  private func area(
    of corner: Vector3,
    _ across: Vector3,
    _ down: Vector3,
    _ lens: Intrinsics
  ) -> (left: Int, top: Int, right: Int, bottom: Int)? {
    let near = Self.near
    let points = [corner, corner + across, corner + across + down, corner + down]
    var (left, top, right, bottom) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
    func take(_ p: Vector3) {
      let (x, y) = (lens.centerX + lens.focalX * p.x / p.z, lens.centerY + lens.focalY * p.y / p.z)
      (left, right) = (min(left, x), max(right, x))
      (top, bottom) = (min(top, y), max(bottom, y))
    }
    for k in 0..<4 {
      let (a, b) = (points[k], points[(k + 1) % 4])
      if a.z >= near { take(a) }
      // Where an edge passes the near plane.
      if (a.z >= near) != (b.z >= near) { take(a + (b - a) * ((near - a.z) / (b.z - a.z))) }
    }
    // A pixel of margin for the samples around the centres.
    guard right >= -1, bottom >= -1, left <= lens.width, top <= lens.height else { return nil }
    return (
      Int(clamp(left - 1, 0, lens.width - 1)), Int(clamp(top - 1, 0, lens.height - 1)),
      Int(clamp(right + 1, 0, lens.width - 1)), Int(clamp(bottom + 1, 0, lens.height - 1))
    )
  }

  /// The inverse of the matrix with these columns; `nil` for a surface seen from its edge.
  private static func inverse(_ a: Vector3, _ b: Vector3, _ c: Vector3) -> Matrix3? {
    let determinant = a.dot(b.cross(c))
    guard abs(determinant) > 1e-12 else { return nil }
    let k = 1 / determinant
    return Matrix3(rows: b.cross(c) * k, c.cross(a) * k, a.cross(b) * k)
  }

  /// A bright sky with thin clouds; darker haze below the horizon, where the ground ends.
  static func sky(_ direction: Vector3) -> SIMD3<Float> {
    let d = direction.normalized ?? Vector3(0, 0, 1)
    guard d.z > 0 else { return SIMD3(172, 178, 180) }
    let up = Float(d.z)
    let blue =
      SIMD3<Float>(206, 220, 234) + (SIMD3<Float>(96, 146, 206) - SIMD3<Float>(206, 220, 234)) * min(1, up * 1.6)
    let (x, y) = (d.x / (d.z + 0.15), d.y / (d.z + 0.15))
    let cloud = Material.noise(x * 1.5, y * 1.5, 11) * 0.6 + Material.noise(x * 4, y * 4, 12) * 0.4
    let share = Float(clamp((cloud - 0.45) * 2.2, 0, 0.8))
    return blue + (SIMD3<Float>(246, 246, 244) - blue) * share
  }
}

/// sRGB's curve between tones, 0 … 255, and light, 0 … 1.
///
/// Source: IEC 61966-2-1, section 5.2.
enum ToneCurve {
  static func light(of tone: SIMD3<Float>) -> SIMD3<Float> { SIMD3(light(tone.x), light(tone.y), light(tone.z)) }
  static func tone(of light: SIMD3<Float>) -> SIMD3<Float> { SIMD3(tone(light.x), tone(light.y), tone(light.z)) }

  private static let table: [Float] = (0...1024).map { k in
    let value = Double(k) / 1024
    return Float(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
  }

  private static func light(_ tone: Float) -> Float {
    let place = min(max(tone, 0), 255) * (1024 / 255)
    let index = min(1023, Int(place))
    return table[index] + (table[index + 1] - table[index]) * (place - Float(index))
  }

  private static func tone(_ light: Float) -> Float {
    let value = Double(light)
    return Float(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055))
  }
}
