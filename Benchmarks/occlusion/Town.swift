import SightlineMath
import SightlineOcclusion

/// A generator with a seed (SplitMix64).
struct Random {
  var state: UInt64

  mutating func unit() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((z ^ (z >> 31)) >> 11) * 0x1p-53
  }

  mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }

  /// From the normal distribution (Box and Muller).
  mutating func normal() -> Double { (-2 * log(1 - unit())).squareRoot() * cos(2 * pi * unit()) }
}

/// A drawn town: quarters of closed blocks with courtyards, of rows of houses, of houses in gardens, and of towers.
struct Town {
  /// A place, as a map has it, and what it is in truth.
  struct Place {
    var target: OcclusionTarget
    /// The building that it belongs to, −1 for one in the open.
    var building: Int
  }

  var buildings: [Building] = []
  /// By building: where its front is.
  private var fronts: [Vector2] = []
  var random: Random
  let reach: Double

  /// A town that reaches so many metres from its middle in each direction.
  init(seed: UInt64, reach: Double) {
    random = Random(state: seed)
    self.reach = reach
    let pitch = 110.0
    let count = Int(2 * reach / pitch)
    for row in 0..<count {
      for column in 0..<count {
        let street = random.between(9, 22)
        let low = Vector2(Double(column) * pitch - reach + street / 2, Double(row) * pitch - reach + street / 2)
        let high = low + Vector2(pitch - street, pitch - street)
        switch random.unit() {
        case ..<0.45: closedBlock(low, high)
        case ..<0.7: rows(low, high)
        case ..<0.9: gardens(low, high)
        default: towers(low, high)
        }
      }
    }
  }

  private mutating func add(_ low: Vector2, _ high: Vector2, base: Double = 0, roof: Double, front: Vector2) {
    add([Footprint(outer: Self.rectangle(low, high), base: base, roof: roof)], front: front)
  }

  private mutating func add(_ parts: [Footprint], front: Vector2) {
    buildings.append(Building(parts))
    fronts.append(front)
  }

  private static func rectangle(_ low: Vector2, _ high: Vector2) -> [Vector2] {
    [low, Vector2(high.x, low.y), high, Vector2(low.x, high.y)]
  }

  /// Houses all around a courtyard, sometimes with a gap, and a workshop in it.
  private mutating func closedBlock(_ low: Vector2, _ high: Vector2) {
    let depth = random.between(10, 14)
    for side in 0..<4 {
      let isAlong = side % 2 == 0
      var (at, end) = isAlong ? (low.x, high.x) : (low.y + depth, high.y - depth)
      while end - at > 6 {
        var width = min(random.between(9, 20), end - at)
        if end - at - width < 6 { width = end - at }
        if random.unit() > 0.06 {
          let roof = random.between(9, 21)
          let middle = at + width / 2
          switch side {
          case 0: add(Vector2(at, low.y), Vector2(at + width, low.y + depth), roof: roof, front: Vector2(middle, low.y))
          case 2:
            add(Vector2(at, high.y - depth), Vector2(at + width, high.y), roof: roof, front: Vector2(middle, high.y))
          case 1: add(Vector2(low.x, at), Vector2(low.x + depth, at + width), roof: roof, front: Vector2(low.x, middle))
          default:
            add(Vector2(high.x - depth, at), Vector2(high.x, at + width), roof: roof, front: Vector2(high.x, middle))
          }
        }
        at += width
      }
    }
    if random.unit() < 0.5 {
      let middle = (low + high) * 0.5
      add(middle - Vector2(8, 6), middle + Vector2(8, 6), roof: random.between(3, 9), front: middle - Vector2(0, 6))
    }
  }

  /// Rows of narrow houses with gardens between them.
  private mutating func rows(_ low: Vector2, _ high: Vector2) {
    var y = low.y + 3
    while y + 10 < high.y {
      var x = low.x + 3
      let roof = random.between(6, 10)
      while x + 7 < high.x {
        if random.unit() > 0.08 {
          add(Vector2(x, y), Vector2(x + 7, y + 10), roof: roof, front: Vector2(x + 3.5, y))
        }
        x += 7
      }
      y += 32
    }
  }

  private mutating func gardens(_ low: Vector2, _ high: Vector2) {
    var y = low.y + 5
    while y + 14 < high.y {
      var x = low.x + 5
      while x + 14 < high.x {
        let corner = Vector2(x + random.between(0, 4), y + random.between(0, 4))
        let size = Vector2(random.between(8, 12), random.between(8, 12))
        add(corner, corner + size, roof: random.between(5, 11), front: corner + Vector2(size.x / 2, 0))
        x += 22
      }
      y += 26
    }
  }

  /// High houses on lower ones, one of them on pillars.
  private mutating func towers(_ low: Vector2, _ high: Vector2) {
    let middle = (low + high) * 0.5
    let foot = Footprint(outer: Self.rectangle(middle - Vector2(25, 15), middle + Vector2(25, 15)), roof: 6)
    let shaft = Footprint(
      outer: Self.rectangle(middle - Vector2(10, 10), middle + Vector2(10, 10)),
      base: 6,
      roof: random.between(35, 80)
    )
    add([foot, shaft], front: middle - Vector2(0, 15))
    let corner = Vector2(low.x + 4, high.y - 22)
    add(corner, corner + Vector2(30, 14), base: 4, roof: random.between(15, 30), front: corner + Vector2(15, 0))
  }

  /// Whether a point is inside a building that stands on the ground.
  func isIndoors(_ point: Vector2) -> Bool {
    for building in buildings {
      for part in building.parts where part.base <= 0 {
        let (a, b) = (part.outer[0], part.outer[2])
        if point.x > a.x, point.x < b.x, point.y > a.y, point.y < b.y { return true }
      }
    }
    return false
  }

  /// Somewhere outside, no nearer to a wall than a person is.
  mutating func outside(within radius: Double) -> Vector2 {
    while true {
      let point = Vector2(random.between(-radius, radius), random.between(-radius, radius))
      var isFree = true
      for x in [-0.5, 0.5] { for y in [-0.5, 0.5] where isIndoors(point + Vector2(x, y)) { isFree = false } }
      if isFree { return point }
    }
  }

  /// Somewhere in a street.
  mutating func inStreet(within radius: Double) -> Vector2 {
    let pitch = 110.0
    while true {
      var point = outside(within: radius)
      // Streets run along the edges of the blocks.
      let across = random.between(-4, 4)
      if random.unit() < 0.5 {
        point.x = ((point.x + reach) / pitch).rounded() * pitch - reach + across
      } else {
        point.y = ((point.y + reach) / pitch).rounded() * pitch - reach + across
      }
      if !isIndoors(point) { return point }
    }
  }

  /// Places: shops in their houses or marked a step off, stops at the street's side, things in the open.
  mutating func places(_ count: Int) -> [Place] {
    (0..<count).map { _ in
      let kind = random.unit()
      if kind < 0.7 {
        let building = Int(random.unit() * Double(buildings.count))
        let outer = buildings[building].parts[0].outer
        let middle = (outer[0] + outer[2]) * 0.5
        // From half-way in to a step before the front.
        let share = kind < 0.6 ? random.between(0, 0.95) : 1
        let way = fronts[building] - middle
        let beyond = kind < 0.6 ? 0 : random.between(0.2, 1.5) / way.length
        return Place(target: OcclusionTarget(at: middle + way * (share + beyond)), building: building)
      }
      let point = kind < 0.9 ? inStreet(within: reach * 0.9) : outside(within: reach * 0.9)
      return Place(target: OcclusionTarget(at: point, heights: 0...2.5, width: 1, reach: nil), building: -1)
    }
  }
}
