/// Decodes one tile of a geoid: 120 × 120 heights, from coarse to fine.
///
/// Every eighth point comes first, each predicted from those left, above and between. Then the points halfway are predicted from
/// four in a line (weights −1, 9, 9, −1 sixteenths), in the middle of a mesh from both lines, and so on down to the last. What
/// is coded is the difference in steps, by a binary range coder with adaptive probabilities (Martin 1979), whose contexts
/// are the level and how large differences around were. `Scripts/make-geoid` is the other side.
struct GeoidTile {
  /// Points along a side.
  static let side = 120
  private static let coarsest = 8
  /// One with the coarse points, three for each halving.
  private static let levels = 10
  private static let contexts = 5
  private static let symbols = 16
  /// More steps than the Earth has in it: damage ends here.
  private static let mostSteps = 512

  private let bytes: [UInt8]
  private var next: Int
  private let end: Int
  private let step: Int
  private var range = UInt32.max
  private var code: UInt32 = 0
  /// Probability of a 0 in 4096, by context; at the end those of the signs.
  private var odds = [UInt16](repeating: 2048, count: levels * contexts * symbols + levels)
  /// Heights, centimetres, and sizes of the differences, row by row.
  private var known = [Int](repeating: 0, count: side * side)
  private var sizes = [Int](repeating: 0, count: side * side)

  init(_ bytes: [UInt8], _ place: Range<Int>, step: Int) {
    self.bytes = bytes
    next = place.lowerBound
    end = place.upperBound
    self.step = step
    for _ in 0..<4 { code = code << 8 | nextByte() }
  }

  /// The heights, centimetres, row by row from the north.
  mutating func decoded() -> [Int16] {
    let side = Self.side
    var spacing = Self.coarsest
    for i in stride(from: 0, to: side, by: spacing) {
      for j in stride(from: 0, to: side, by: spacing) {
        let at = i * side + j
        let (left, above) = (at - spacing, at - spacing * side)
        let predicted =
          i > 0 && j > 0
          ? known[left] + known[above] - known[above - spacing] : j > 0 ? known[left] : i > 0 ? known[above] : 0
        take(at, predicted, level: 0, near: (j > 0 ? sizes[left] : 0) + (i > 0 ? sizes[above] : 0))
      }
    }
    var level = 1
    while spacing > 1 {
      let half = spacing / 2
      pass(level, rows: 0, columns: half, spacing)
      pass(level + 1, rows: half, columns: 0, spacing)
      pass(level + 2, rows: half, columns: half, spacing)
      spacing = half
      level += 3
    }
    return known.map { Int16(clamping: $0) }
  }

  /// The points halfway in a row (`columns` > 0), in a column (`rows` > 0), or in both.
  private mutating func pass(_ level: Int, rows: Int, columns: Int, _ spacing: Int) {
    let (side, half) = (Self.side, spacing / 2)
    for i in stride(from: rows, to: side, by: spacing) {
      for j in stride(from: columns, to: side, by: spacing) {
        let at = i * side + j
        var near = 0
        if columns > 0 { near += sizes[at - half] + (j + half < side ? sizes[at + half] : 0) }
        if rows > 0 { near += sizes[at - half * side] + (i + half < side ? sizes[at + half * side] : 0) }
        if rows == 0 || columns == 0, j >= spacing { near += sizes[at - spacing] }
        let across = columns > 0 ? between(at, j, half, 1) : 0
        let along = rows > 0 ? between(at, i, half, side) : 0
        let predicted = rows > 0 && columns > 0 ? (along + across + 1) >> 1 : along + across
        take(at, predicted, level: level, near: near)
      }
    }
  }

  /// What a point is from those `half` and three halves away in a line, of which it is number `k`.
  private func between(_ at: Int, _ k: Int, _ half: Int, _ stride: Int) -> Int {
    let (one, three) = (half * stride, 3 * half * stride)
    let before = known[at - one]
    guard k + half < Self.side else { return k < 3 * half ? before : (3 * before - known[at - three]) >> 1 }
    let pair = before + known[at + one]
    guard k >= 3 * half, k + 3 * half < Self.side else { return pair >> 1 }
    return (9 * pair - known[at - three] - known[at + three] + 8) >> 4
  }

  private mutating func take(_ at: Int, _ predicted: Int, level: Int, near: Int) {
    let context = (level * Self.contexts + min(near, Self.contexts - 1)) * Self.symbols
    var steps = 0
    if bit(context) {
      let isBelow = bit(Self.levels * Self.contexts * Self.symbols + level)
      steps = 1
      while steps < Self.mostSteps, bit(context + min(steps, Self.symbols - 1)) { steps += 1 }
      sizes[at] = steps
      if isBelow { steps = -steps }
    }
    // Sums of damaged files stay small, too.
    known[at] = max(-1_000_000, min(1_000_000, predicted + steps * step))
  }

  private mutating func bit(_ context: Int) -> Bool {
    let odd = UInt32(odds[context])
    let bound = (range >> 12) * odd
    let isOne = code >= bound
    if isOne {
      code -= bound
      range -= bound
      odds[context] -= odds[context] >> 4
    } else {
      range = bound
      odds[context] += (4096 - odds[context]) >> 4
    }
    while range < 1 << 24 {
      range <<= 8
      code = code << 8 | nextByte()
    }
    return isOne
  }

  private mutating func nextByte() -> UInt32 {
    guard next < end else { return 0 }
    next += 1
    return UInt32(bytes[next - 1])
  }
}
