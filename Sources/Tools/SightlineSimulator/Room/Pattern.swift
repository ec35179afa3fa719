import SightlineMath

/// What a wall, a floor or a piece of furniture looks like, by formulas: with corners at all scales, and never twice the same.
struct Pattern: Sendable {
  /// What it is made of.
  enum Kind: CaseIterable, Sendable {
    case bricks, tiles, planks, wallpaper, plaster, carpet, panels, books, sheet, cloth, poster
  }

  /// A shape on a poster; its middle and half sizes in metres.
  private struct Mark: Sendable {
    var (x, y, a, b): (Double, Double, Double, Double)
    var isRound: Bool
    var tone: SIMD3<Float>
  }

  let kind: Kind
  /// Metres.
  let width: Double
  /// Metres.
  let height: Double
  private let number: UInt64
  private let base: SIMD3<Float>
  private let size: Double
  private let light: Float
  private let marks: [Mark]

  /// A pattern of a size in metres; `light` is how bright it is lit.
  init(_ kind: Kind, width: Double, height: Double, light: Float, from random: inout SeededGenerator) {
    self.kind = kind
    self.width = width
    self.height = height
    self.light = light
    number = random.next()
    let tint = SIMD3(
      Float(random.uniform(0.85, 1.1)),
      Float(random.uniform(0.88, 1.06)),
      Float(random.uniform(0.7, 1.02))
    )
    let level: ClosedRange<Double> =
      switch kind {
      case .bricks: 85...130
      case .tiles, .carpet, .cloth: 90...160
      case .planks: 100...160
      case .wallpaper, .poster: 130...200
      case .plaster, .panels: 185...215
      case .books: 40...50
      case .sheet: 205...230
      }
    base = tint * Float(random.uniform(level.lowerBound, level.upperBound))
    size = random.uniform(0, 1)
    var marks: [Mark] = []
    if kind == .poster {
      for _ in 0..<18 {
        let tone = SIMD3(Float(random.uniform(20, 240)), Float(random.uniform(20, 240)), Float(random.uniform(20, 240)))
        marks.append(
          Mark(
            x: random.uniform(0, width),
            y: random.uniform(0, height),
            a: width * random.uniform(0.03, 0.2),
            b: height * random.uniform(0.03, 0.2),
            isRound: random.uniform() < 0.4,
            tone: tone
          )
        )
      }
    }
    self.marks = marks
  }

  /// The tone at a place, both 0 … 1 from the top left corner.
  func tone(_ u: Double, _ v: Double) -> SIMD3<Float> {
    let (x, y) = (u * width, v * height)
    let tone =
      switch kind {
      case .bricks: bricks(x, y)
      case .tiles: tiles(x, y)
      case .planks: planks(x, y)
      case .wallpaper: wallpaper(x, y)
      case .plaster: base * rough(x, y, 0.035)
      case .carpet: carpet(x, y)
      case .panels: panels(x, y)
      case .books: books(x, y)
      case .sheet: sheet(x, y)
      case .cloth: cloth(x, y)
      case .poster: poster(x, y)
      }
    return (tone * light).clamped(lowerBound: SIMD3(repeating: 2), upperBound: SIMD3(repeating: 253))
  }

  /// About 1, uneven at scales of 40, 10, 2.5 and 0.9 cm.
  private func rough(_ x: Double, _ y: Double, _ strength: Double) -> Float {
    let coarse = Material.noise(x * 2.5, y * 2.5, number) + Material.noise(x * 10, y * 10, number &+ 1)
    let fine = Material.noise(x * 40, y * 40, number &+ 2) + Material.noise(x * 110, y * 110, number &+ 3)
    return Float(1 + strength * (coarse + 1.3 * fine - 2.3))
  }

  /// A number of its own, 0 … 1, for a cell.
  private func chance(_ i: Double, _ j: Double, _ salt: UInt64) -> Double {
    let key = UInt64(bitPattern: Int64(i)) &* 0x9E37_79B1 ^ UInt64(bitPattern: Int64(j)) &* 0x85EB_CA77
    return Material.chance(key &+ number, salt)
  }

  private func cell(_ x: Double, _ step: Double) -> (index: Double, within: Double) {
    let index = (x / step).rounded(.down)
    return (index, x - index * step)
  }

  private func bricks(_ x: Double, _ y: Double) -> SIMD3<Float> {
    let row = cell(y, 0.075)
    let column = cell(x + (row.index.truncatingRemainder(dividingBy: 2) == 0 ? 0 : 0.11), 0.22)
    if row.within < 0.011 || column.within < 0.011 { return SIMD3(172, 168, 160) * rough(x, y, 0.06) }
    return base * Float(0.7 + 0.65 * chance(column.index, row.index, 1)) * rough(x, y, 0.14)
  }

  private func tiles(_ x: Double, _ y: Double) -> SIMD3<Float> {
    let side = 0.2 + 0.25 * size
    let (row, column) = (cell(y, side), cell(x, side))
    if min(row.within, column.within) < 0.006 { return base * 0.5 }
    return base * Float(0.8 + 0.4 * chance(column.index, row.index, 1)) * rough(x, y, 0.2)
  }

  private func planks(_ x: Double, _ y: Double) -> SIMD3<Float> {
    let band = cell(x, 0.08 + 0.08 * size)
    let joint = cell(y + 1.3 * chance(band.index, 0, 2), 0.9 + 0.5 * chance(band.index, 0, 3))
    if band.within < 0.004 || joint.within < 0.005 { return base * 0.45 }
    let grain = Material.noise(x * 130, y * 5 + band.index * 7, number) + Material.noise(x * 45, y * 1.7, number &+ 5)
    let knot = Material.noise(x * 12, y * 12, number &+ 7)
    let dark = knot > 0.86 ? 0.6 : 1.0
    return base * Float((0.8 + 0.35 * chance(band.index, joint.index, 4) + 0.35 * (grain - 1)) * dark)
  }

  private func wallpaper(_ x: Double, _ y: Double) -> SIMD3<Float> {
    let step = 0.09 + 0.12 * size
    let row = cell(y, step)
    let column = cell(x + (row.index.truncatingRemainder(dividingBy: 2) == 0 ? 0 : step / 2), step)
    let (p, q) = (chance(column.index, row.index, 1), chance(column.index, row.index, 2))
    let (dx, dy) = (column.within - step / 2 - (p - 0.5) * step * 0.3, row.within - step / 2 - (q - 0.5) * step * 0.3)
    let reach = step * (0.14 + 0.2 * chance(column.index, row.index, 3))
    let isIn = q < 0.6 ? dx * dx + dy * dy < reach * reach : abs(dx) + abs(dy) < reach
    let ground = base * rough(x, y, 0.05)
    guard isIn else { return ground }
    return ground * Float(p < 0.5 ? 0.45 + 0.5 * p : 1.05 + 0.2 * p)
  }

  private func carpet(_ x: Double, _ y: Double) -> SIMD3<Float> {
    let side = 0.16 + 0.1 * size
    let (a, b) = (cell(x + y, side), cell(x - y, side))
    let ornament = chance(a.index, b.index, 1)
    let edge = min(a.within, b.within) < 0.012
    let inner = abs(a.within - side / 2) + abs(b.within - side / 2) < side * (0.2 + 0.3 * chance(a.index, b.index, 2))
    let tone: Double = edge ? 0.55 : inner ? 0.5 + ornament : 0.8 + 0.35 * ornament
    return base * Float(tone) * rough(x, y, 0.22)
  }

  private func panels(_ x: Double, _ y: Double) -> SIMD3<Float> {
    let (row, column) = (cell(y, 0.6), cell(x, 0.6))
    if min(row.within, column.within) < 0.01 { return base * 0.7 }
    // Lamps, and holes that swallow sound.
    if chance(column.index, row.index, 1) < 0.08 { return SIMD3(252, 250, 240) }
    let (a, b) = (cell(row.within, 0.05), cell(column.within, 0.05))
    let isHole = hypot(a.within - 0.025, b.within - 0.025) < 0.003 + 0.005 * chance(a.index, b.index, 3)
    return base * (isHole ? 0.72 : Float(1)) * rough(x, y, 0.03)
  }

  private func books(_ x: Double, _ y: Double) -> SIMD3<Float> {
    let shelf = cell(y, 0.33)
    if shelf.within > 0.31 { return SIMD3(150, 120, 88) * rough(x, y, 0.1) }
    let pair = cell(x, 0.07)
    let split = 0.02 + 0.03 * chance(pair.index, shelf.index, 1)
    let side: UInt64 = pair.within < split ? 0 : 10
    let top = 0.02 + 0.1 * chance(pair.index, shelf.index, 2 &+ side)
    let along = pair.within < split ? pair.within / split : (pair.within - split) / (0.07 - split)
    guard shelf.within > top, along > 0.04, along < 0.96 else { return base * 0.6 }
    func part(_ salt: UInt64) -> Float { Float(35 + 195 * chance(pair.index, shelf.index, salt &+ side)) }
    let spine = SIMD3(part(3), part(4), part(5))
    let mark = cell(shelf.within, 0.025)
    let isMarked = along > 0.18 && along < 0.82 && chance(pair.index * 16 + mark.index, shelf.index, 6 &+ side) < 0.3
    return isMarked ? SIMD3(repeating: 245) - spine * 0.8 : spine * rough(x, y, 0.05)
  }

  private func sheet(_ x: Double, _ y: Double) -> SIMD3<Float> {
    let line = cell(y, 0.018 + 0.022 * size)
    let letter = cell(x, 0.009 + 0.006 * size)
    let isInk =
      line.within > 0.007 && chance((letter.index / 6).rounded(.down), line.index, 1) < 0.8
      && chance(letter.index * 3 + (line.within * 250).rounded(.down), line.index, 2) < 0.5
      && x > width * 0.06 && x < width * 0.94 && y > height * 0.06
    return isInk ? SIMD3(45, 45, 50) : base
  }

  private func cloth(_ x: Double, _ y: Double) -> SIMD3<Float> {
    let (a, b) = (cell(x, 0.05 + 0.06 * size), cell(y, 0.05 + 0.06 * size))
    let checks = (a.index + b.index).truncatingRemainder(dividingBy: 2) == 0
    return base * Float((checks ? 1.15 : 0.75) + 0.25 * (chance(a.index, b.index, 1) - 0.5)) * rough(x, y, 0.15)
  }

  private func poster(_ x: Double, _ y: Double) -> SIMD3<Float> {
    if min(min(x, width - x), min(y, height - y)) < 0.012 { return SIMD3(repeating: 28) }
    if y > height * 0.8 { return sheet(x, y) }
    var tone = base * rough(x, y, 0.12)
    for mark in marks {
      let (p, q) = ((x - mark.x) / mark.a, (y - mark.y) / mark.b)
      if mark.isRound ? p * p + q * q < 1 : abs(p) < 1 && abs(q) < 1 { tone = mark.tone * rough(x, y, 0.06) }
    }
    return tone
  }
}
