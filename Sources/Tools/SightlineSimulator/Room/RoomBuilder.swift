import SightlineMath

/// Builds a room: walls, floor, ceiling, posters, and furniture where nothing is in its way.
struct RoomBuilder {
  private struct Area {
    var (low, high): (Vector3, Vector3)

    func touches(_ other: Area) -> Bool {
      low.x < other.high.x && high.x > other.low.x && low.y < other.high.y && high.y > other.low.y
        && low.z < other.high.z && high.z > other.low.z
    }
  }

  private let room: Scenery.Room
  private var random: SeededGenerator
  private var taken: [Area] = []
  /// Around pictures of the script.
  private var hung: [Area] = []
  private var surfaces: [Surface] = []
  private let (low, high): (Vector3, Vector3)

  init(_ room: Scenery.Room, seed: UInt64) {
    self.room = room
    random = SeededGenerator(seed: seed, purpose: "room")
    low = Vector3(room.east - room.width / 2, room.north - room.depth / 2, 0)
    high = Vector3(room.east + room.width / 2, room.north + room.depth / 2, room.height)
  }

  /// Nothing stands within half a metre of where the phone goes: nobody holds it into a cupboard.
  mutating func keepFree(_ way: [Vector3]) {
    for p in way { keepFree(p, aside: 0.5) }
  }

  /// Nothing stands before a picture or a marker that hangs or lies somewhere.
  mutating func keepFree(_ picture: Scenery.Picture) {
    keepFree(picture.center, aside: picture.width / 2 + 0.5)
    let reach = Vector3(1, 1, 1) * (max(picture.width, picture.height ?? picture.width) * 0.75 + 0.05)
    hung.append(Area(low: picture.center - reach, high: picture.center + reach))
  }

  /// Nothing stands in a table of the script.
  mutating func keepFree(_ table: Scenery.Table) { keepFree(table.center, aside: table.side / 2 + 0.1) }

  private mutating func keepFree(_ p: Vector3, aside: Double) {
    taken.append(Area(low: Vector3(p.x - aside, p.y - aside, 0), high: Vector3(p.x + aside, p.y + aside, room.height)))
  }

  /// All surfaces.
  mutating func build() -> [Surface] {
    shell()
    var made = 0
    // Each piece tries some places.
    for attempt in 0..<(room.furniture * 25) where made < room.furniture {
      if furnish(kind: attempt % 4) { made += 1 }
    }
    posters()
    return surfaces
  }

  private mutating func pattern(_ kinds: [Pattern.Kind], _ width: Double, _ height: Double, _ light: Double) -> Material
  {
    let kind = kinds[Int(random.uniform(0, Double(kinds.count) - 1e-9))]
    return .pattern(Pattern(kind, width: width, height: height, light: Float(light), from: &random))
  }

  /// The four walls as seen from within, to the right along them and into the room.
  private var walls: [(from: Vector3, to: Vector3, into: Vector3)] {
    let (a, b) = (low, high)
    return [
      (Vector3(a.x, b.y, 0), Vector3(b.x, b.y, 0), Vector3(0, -1, 0)),
      (Vector3(b.x, b.y, 0), Vector3(b.x, a.y, 0), Vector3(-1, 0, 0)),
      (Vector3(b.x, a.y, 0), Vector3(a.x, a.y, 0), Vector3(0, 1, 0)),
      (Vector3(a.x, a.y, 0), Vector3(a.x, b.y, 0), Vector3(1, 0, 0)),
    ]
  }

  private mutating func shell() {
    // One wall has almost nothing to see, as in most rooms.
    let plain = Int(random.uniform(0, 4))
    for (index, wall) in walls.enumerated() {
      let width = (wall.to - wall.from).length
      let kinds: [Pattern.Kind] = index == plain % 4 ? [.plaster] : [.bricks, .wallpaper, .wallpaper, .tiles, .planks]
      let material = pattern(kinds, width, room.height, [0.95, 0.85, 1, 0.78][index])
      surfaces.append(.wall(from: wall.from, to: wall.to, height: room.height, material))
      surfaces[surfaces.count - 1].name = "wall\(index)"
      // A skirting board, so that there is an edge all around.
      let foot = 0.08
      var board = Surface.wall(
        from: wall.from + wall.into * 0.01,
        to: wall.to + wall.into * 0.01,
        height: foot,
        .plain(SIMD3(188, 180, 168))
      )
      board.name = "board"
      surfaces.append(board)
    }
    surfaces.append(
      Surface(
        corner: Vector3(low.x, high.y, 0),
        across: Vector3(room.width, 0, 0),
        down: Vector3(0, -room.depth, 0),
        material: pattern([.planks, .carpet, .tiles], room.width, room.depth, 0.9),
        name: "floor"
      )
    )
    surfaces.append(
      Surface(
        corner: Vector3(low.x, low.y, room.height),
        across: Vector3(room.width, 0, 0),
        down: Vector3(0, room.depth, 0),
        material: pattern([.panels], room.width, room.depth, 1),
        name: "ceiling"
      )
    )
  }

  /// A box with its outside patterned.
  private mutating func box(_ a: Vector3, _ b: Vector3, _ kinds: [Pattern.Kind], _ name: String) {
    let corners = [(a.x, a.y), (b.x, a.y), (b.x, b.y), (a.x, b.y)].map { Vector3($0.0, $0.1, a.z) }
    let height = b.z - a.z
    for k in 0..<4 {
      let (from, to) = (corners[k], corners[(k + 1) % 4])
      var side = Surface.wall(
        from: from,
        to: to,
        height: height,
        pattern(kinds, (to - from).length, height, [0.9, 1, 0.82, 0.72][k])
      )
      side.name = name
      surfaces.append(side)
    }
    for (z, isTop) in [(b.z, true), (a.z, false)] where isTop || a.z > 0.05 {
      surfaces.append(
        Surface(
          corner: Vector3(a.x, isTop ? b.y : a.y, z),
          across: Vector3(b.x - a.x, 0, 0),
          down: Vector3(0, isTop ? a.y - b.y : b.y - a.y, 0),
          material: pattern(kinds, b.x - a.x, b.y - a.y, isTop ? 1.05 : 0.45),
          name: name
        )
      )
    }
  }

  /// Tries one place for a piece: 0 cupboard at a wall, 1 table, 2 chair or chest, 3 shelf of books at a wall.
  private mutating func furnish(kind: Int) -> Bool {
    let size: Vector3 =
      switch kind {
      case 0: Vector3(random.uniform(0.5, 1.1), random.uniform(0.35, 0.55), random.uniform(0.8, 2.0))
      case 1: Vector3(random.uniform(0.7, 1.3), random.uniform(0.6, 0.8), random.uniform(0.68, 0.78))
      case 2: Vector3(random.uniform(0.35, 0.5), random.uniform(0.35, 0.5), random.uniform(0.4, 0.5))
      default: Vector3(random.uniform(0.6, 1.2), random.uniform(0.25, 0.35), random.uniform(1.0, 2.0))
      }
    let isAtWall = kind == 0 || kind == 3
    let wall = Int(random.uniform(0, 4))
    // Along the northern and southern walls the long side runs from west to east.
    let isAcross = isAtWall ? wall % 2 == 0 : random.uniform() < 0.5
    let (dx, dy) = isAcross ? (size.x, size.y) : (size.y, size.x)
    let height = min(size.z, room.height - 0.2)
    guard dx < room.width - 0.1, dy < room.depth - 0.1 else { return false }
    var (x, y) = (random.uniform(low.x, high.x - dx), random.uniform(low.y, high.y - dy))
    if isAtWall {
      switch wall {
      case 0: y = high.y - dy - 0.02
      case 1: x = high.x - dx - 0.02
      case 2: y = low.y + 0.02
      default: x = low.x + 0.02
      }
    }
    let (a, b) = (Vector3(x, y, 0), Vector3(x + dx, y + dy, height))
    let whole = Area(low: a, high: Vector3(b.x, b.y, kind == 2 ? height + 0.5 : height))
    guard !taken.contains(where: { $0.touches(whole) }) else { return false }
    taken.append(Area(low: Vector3(a.x - 0.1, a.y - 0.1, 0), high: Vector3(b.x + 0.1, b.y + 0.1, whole.high.z + 0.6)))
    switch kind {
    case 0: box(a, b, [.planks, .planks, .cloth, .tiles], "cupboard")
    case 3: box(a, b, [.books], "shelf")
    case 1: table(a, b)
    default:
      box(a, b, [.cloth, .planks, .carpet], "chair")
      if random.uniform() < 0.6 {
        let back = isAcross ? Vector3(b.x, a.y + 0.05, height + 0.45) : Vector3(a.x + 0.05, b.y, height + 0.45)
        box(Vector3(a.x, a.y, height), back, [.cloth, .planks], "chair")
      }
    }
    return true
  }

  private mutating func table(_ a: Vector3, _ b: Vector3) {
    let thickness = 0.05
    box(Vector3(a.x, a.y, b.z - thickness), b, [.planks, .cloth], "table")
    let leg = 0.06
    for (x, y) in [(a.x, a.y), (b.x - leg, a.y), (a.x, b.y - leg), (b.x - leg, b.y - leg)] {
      box(Vector3(x, y, 0), Vector3(x + leg, y + leg, b.z - thickness), [.planks], "leg")
    }
    // Things that lie on it, side by side.
    let count = Int(random.uniform(1, 4))
    let step = (b.x - a.x) / Double(count)
    for k in 0..<count {
      let (w, d, h) = (random.uniform(0.1, 0.26), random.uniform(0.1, 0.26), random.uniform(0.03, 0.28))
      guard w < step, d < b.y - a.y else { continue }
      let p = Vector3(
        a.x + Double(k) * step + random.uniform(0, step - w),
        random.uniform(a.y, b.y - d),
        b.z
      )
      box(p, p + Vector3(w, d, h), [.sheet, .cloth, .poster, .tiles], "thing")
    }
  }

  /// Posters on the walls, between what stands there.
  private mutating func posters() {
    for (index, wall) in walls.enumerated() {
      let length = (wall.to - wall.from).length
      let right = (wall.to - wall.from) * (1 / length)
      var along = random.uniform(0.2, 0.6)
      while along < length - 0.5 {
        let (width, height) = (random.uniform(0.3, 0.8), random.uniform(0.3, 0.7))
        let top = min(random.uniform(1.5, 2.0), room.height - 0.1)
        guard along + width < length - 0.1 else { break }
        let from = wall.from + right * along + wall.into * 0.012
        let to = from + right * width
        let depth = wall.into * 0.5
        let space = Area(
          low: Vector3(min(min(from.x, to.x), to.x + depth.x), min(min(from.y, to.y), to.y + depth.y), top - height),
          high: Vector3(max(max(from.x, to.x), to.x + depth.x), max(max(from.y, to.y), to.y + depth.y), top)
        )
        // What the way keeps free reaches over the whole height, but does not hide a poster: only furniture does.
        let isHidden = taken.contains { $0.high.z < room.height && $0.touches(space) }
        if !isHidden, !hung.contains(where: { $0.touches(space) }) {
          var poster = Surface(
            corner: from + Vector3(0, 0, top),
            across: right * width,
            down: Vector3(0, 0, -height),
            material: pattern([.poster, .poster, .sheet], width, height, [0.95, 0.85, 1, 0.78][index])
          )
          poster.name = "poster"
          surfaces.append(poster)
        }
        along += width + random.uniform(0.25, 0.9)
      }
    }
  }
}
