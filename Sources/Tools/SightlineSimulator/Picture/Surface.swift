import SightlineMath

/// A flat rectangle in the world with something on it.
struct Surface: Sendable {
  /// Where u = v = 0, metres, world frame.
  var corner: Vector3
  /// To u = 1.
  var across: Vector3
  /// To v = 1.
  var down: Vector3
  var material: Material
  /// What it belongs to, for the truth of a sequence.
  var name = "surface"
  /// Whether it is seen from its front alone, from where `across` goes to the right and `down` down; else from both sides.
  var isOneSided = false
  /// What of the rectangle is there: rings over (u, v), by the even-odd rule; none: all of it.
  var outline: [[Vector2]] = []

  /// A vertical wall between two points of the ground, its top first, as seen with `from` on the left.
  static func wall(from: Vector3, to: Vector3, height: Double, _ material: Material) -> Surface {
    Surface(
      corner: from + Vector3(0, 0, height),
      across: to - from,
      down: Vector3(0, 0, -height),
      material: material
    )
  }

  /// Whether it stands in the way from one point to another.
  func isBetween(_ from: Vector3, _ to: Vector3) -> Bool {
    let normal = across.cross(down)
    let way = to - from
    let along = normal.dot(way)
    let share = normal.dot(corner - from) / along
    guard share > 0, share < 1, along > 0 || !isOneSided else { return false }
    let offset = from + way * share - corner
    let (u, v) = (offset.dot(across) / across.dot(across), offset.dot(down) / down.dot(down))
    return u >= 0 && u <= 1 && v >= 0 && v <= 1 && outline.holds(u, v)
  }

  /// The walls and the lid of an upright box.
  static func box(center: Vector3, side: Double, height: Double, _ colour: SIMD3<Float>) -> [Surface] {
    let (h, low) = (side / 2, center.z - height / 2)
    let corners = [(-h, -h), (h, -h), (h, h), (-h, h)].map { Vector3(center.x + $0.0, center.y + $0.1, low) }
    var all: [Surface] = []
    for k in 0..<4 {
      // The four sides are told apart by their light.
      let light: Float = [0.86, 1, 0.94, 0.78][k]
      all.append(.wall(from: corners[k], to: corners[(k + 1) % 4], height: height, .plain(colour * light)))
    }
    // As seen from below, and from above.
    for (z, light, y) in [(low, Float(0.6), -1.0), (low + height, Float(1.05), 1)] {
      all.append(
        Surface(
          corner: Vector3(center.x - h, center.y + y * h, z),
          across: Vector3(side, 0, 0),
          down: Vector3(0, -y * side, 0),
          material: .plain(colour * light)
        )
      )
    }
    return all
  }
}

extension [[Vector2]] {
  /// Whether a place is in an outline of rings, by the even-odd rule; in none of rings everything is.
  func holds(_ u: Double, _ v: Double) -> Bool {
    guard !isEmpty else { return true }
    var isInside = false
    for ring in self {
      guard var a = ring.last else { continue }
      for b in ring {
        if (a.y > v) != (b.y > v), (v - a.y) / (b.y - a.y) * (b.x - a.x) + a.x > u { isInside.toggle() }
        a = b
      }
    }
    return isInside
  }
}

/// What a surface looks like; tones 0 … 255.
enum Material: Sendable {
  case plain(SIMD3<Float>)
  case texture(Texture)
  /// The front of a house: its size in metres, its own number, its tone.
  case facade(width: Double, height: Double, number: UInt64, tone: SIMD3<Float>)
  /// Paving of so many metres a side.
  case ground(width: Double, height: Double)
  /// A carriageway with kerbs and a broken line in its middle.
  case road(width: Double, length: Double)
  /// A wall, floor or piece of furniture of a room.
  case pattern(Pattern)

  /// The tone at a place, both 0 … 1.
  func tone(_ u: Double, _ v: Double) -> SIMD3<Float> {
    switch self {
    case .plain(let tone): tone
    case .texture(let texture): texture.tone(u, v)
    case .facade(let width, let height, let number, let tone):
      Self.facade(u * width, (1 - v) * height, width, height, number, tone)
    case .ground(let width, let height): Self.ground(u * width, v * height)
    case .road(let width, let length): Self.road(u * width, v * length, width)
    case .pattern(let pattern): pattern.tone(u, v)
    }
  }

  /// A house's front at metres from its left lower corner.
  private static func facade(
    _ x: Double,
    _ y: Double,
    _ width: Double,
    _ height: Double,
    _ number: UInt64,
    _ tone: SIMD3<Float>
  ) -> SIMD3<Float> {
    // Plinth, cornices between the storeys, and a wall that is not quite even.
    if y < 0.6 { return tone * 0.55 }
    let storey = 3.3
    let floor = (y / storey).rounded(.down)
    let up = y - floor * storey
    let wall = tone * Float(0.96 + 0.08 * noise(x * 1.3, y * 1.3, number))
    if up < 0.18 && floor > 0 { return tone * 1.12 }
    if y > height - 0.35 { return tone * 0.7 }
    let columns = max(1, (width / 2.6).rounded())
    let pitch = width / columns
    let column = (x / pitch).rounded(.down)
    let along = x - column * pitch - pitch / 2
    let key = number &+ UInt64(bitPattern: Int64(floor)) &* 977 &+ UInt64(bitPattern: Int64(column)) &* 31
    if floor == 0 && chance(key, 5) < 0.3 {
      // A door.
      if abs(along) < 0.55 && y < 2.4 { return SIMD3(70, 50, 40) * Float(0.7 + 0.6 * chance(key, 9)) }
      return wall
    }
    guard up > 0.95, up < 2.55, abs(along) < 0.65, (floor + 1) * storey < height + 0.3 else { return wall }
    if abs(along) > 0.56 || up < 1.04 || up > 2.46 || abs(along) < 0.04 { return SIMD3(232, 230, 224) }
    let light = chance(key, 3)
    let glass: SIMD3<Float> = light < 0.15 ? SIMD3(214, 196, 140) : SIMD3(58, 74, 92) * Float(0.6 + 0.8 * light)
    return glass * Float(0.85 + 0.3 * (up - 0.95) / 1.6)
  }

  private static func ground(_ x: Double, _ y: Double) -> SIMD3<Float> {
    let coarse = noise(x * 0.15, y * 0.15, 1)
    let fine = noise(x * 2, y * 2, 2)
    return SIMD3(112, 118, 96) * Float(0.82 + 0.26 * coarse + 0.1 * fine)
  }

  private static func road(_ x: Double, _ y: Double, _ width: Double) -> SIMD3<Float> {
    let side = min(2.2, width * 0.2)
    let fine = Float(0.9 + 0.2 * noise(x * 3, y * 3, 3))
    let edge = min(x, width - x)
    if edge < side {
      // Pavement of slabs, half a metre each.
      let (a, b) = (x / 0.5, y / 0.5)
      let joint = min(a - a.rounded(.down), b - b.rounded(.down)) < 0.06
      return SIMD3(150, 146, 140) * (joint ? 0.8 : fine)
    }
    if edge < side + 0.15 { return SIMD3(176, 174, 170) }
    let dash = y / 6
    if abs(x - width / 2) < 0.07 && dash - dash.rounded(.down) < 0.5 { return SIMD3(225, 225, 220) }
    return SIMD3(84, 85, 88) * fine
  }

  /// A number of its own for a key, 0 … 1.
  static func chance(_ key: UInt64, _ salt: UInt64) -> Double {
    var generator = SeededGenerator(seed: key &* 0x9E37_79B9_7F4A_7C15 &+ salt)
    return generator.uniform()
  }

  /// Smooth noise on the plane, 0 … 1: values of a unit lattice, blended.
  static func noise(_ x: Double, _ y: Double, _ salt: UInt64) -> Double {
    let (column, row) = (x.rounded(.down), y.rounded(.down))
    let (a, b) = (x - column, y - row)
    let (s, t) = (a * a * (3 - 2 * a), b * b * (3 - 2 * b))
    func corner(_ i: Double, _ j: Double) -> Double {
      let key = UInt64(bitPattern: Int64(column + i)) &* 0x9E37_79B1 ^ UInt64(bitPattern: Int64(row + j)) &* 0x85EB_CA77
      var z = (key &+ salt) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return Double((z ^ (z >> 31)) >> 11) * 0x1p-53
    }
    let top = corner(0, 0) + (corner(1, 0) - corner(0, 0)) * s
    let bottom = corner(0, 1) + (corner(1, 1) - corner(0, 1)) * s
    return top + (bottom - top) * t
  }
}
