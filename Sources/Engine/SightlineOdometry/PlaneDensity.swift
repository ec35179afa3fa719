import SightlineMath

/// How many points lie in a plane, and just before and behind it, by squares of the plane.
///
/// Among points that have nothing to do with a plane some lie in it by chance, as many to a layer as just beside it.
struct PlaneDensity {
  /// How far beside a plane points are counted, metres.
  static let reach = 0.2
  /// Side of a square, metres, and squares to a side: half of them to each side of the plane's center.
  private static let (size, side) = (0.2, 80)
  /// Points in a square and the eight around it that make it part of a plane.
  private static let fewest = 4
  /// How many times as many as beside it, where by chance it would be a fifth.
  private static let leastRatio = 0.8

  private var inside = [UInt16](repeating: 0, count: side * side)
  private var beside = [UInt16](repeating: 0, count: side * side)
  private var isDense = [Bool](repeating: false, count: side * side)
  private var group = [UInt16](repeating: 0, count: side * side)
  private var chosen: UInt16 = 0
  private var wanted: [UInt16] = []
  private var used: [Int] = []

  /// Forgets all points.
  mutating func removeAll() {
    for cell in used {
      inside[cell] = 0
      beside[cell] = 0
    }
    used.removeAll(keepingCapacity: true)
    for cell in group.indices {
      group[cell] = 0
      isDense[cell] = false
    }
    chosen = 0
    wanted.removeAll(keepingCapacity: true)
  }

  /// The square a point of the plane lies in.
  ///
  /// - Parameter point: from the plane's center, metres.
  /// - Returns: `nil` at the margin of the squares and outside.
  func cell(of point: Vector2) -> Int? {
    let half = Double(Self.side / 2)
    let (x, y) = (point.x / Self.size + half, point.y / Self.size + half)
    guard x >= 1, y >= 1, x < Double(Self.side - 1), y < Double(Self.side - 1) else { return nil }
    return Int(Int32(y)) * Self.side + Int(Int32(x))
  }

  /// Counts a point of the plane.
  mutating func addInside(_ cell: Int) {
    used.append(cell)
    inside[cell] &+= 1
  }

  /// Counts a point beside it.
  mutating func addBeside(_ cell: Int) {
    used.append(cell)
    beside[cell] &+= 1
  }

  /// Chooses the dense squares that hang together and have most points, and others that are wanted.
  ///
  /// - Parameter isWanted: whether a dense place belongs to the plane wherever it is, by its middle, from the plane's center, metres.
  mutating func choose(_ isWanted: (Vector2) -> Bool) {
    for cell in used where inside[cell] > 0 && !isDense[cell] {
      var (near, off) = (0, 0)
      for dy in -1...1 {
        for dx in -1...1 {
          near += Int(inside[cell + dy * Self.side + dx])
          off += Int(beside[cell + dy * Self.side + dx])
        }
      }
      isDense[cell] = near >= Self.fewest && Double(near) > Self.leastRatio * Double(off)
    }
    var (groups, most): (UInt16, Int) = (0, 0)
    var open: [Int] = []
    for start in used where isDense[start] && group[start] == 0 {
      groups += 1
      var count = 0
      var isOfPlane = false
      open.append(start)
      group[start] = groups
      while let cell = open.popLast() {
        count += Int(inside[cell])
        isOfPlane = isOfPlane || isWanted(Self.middle(cell))
        for dy in -1...1 {
          for dx in -1...1 {
            let next = cell + dy * Self.side + dx
            // Those at the margin have no points, and are never dense.
            guard isDense[next], group[next] == 0 else { continue }
            group[next] = groups
            open.append(next)
          }
        }
      }
      if isOfPlane { wanted.append(groups) }
      if count > most { (most, chosen) = (count, groups) }
    }
  }

  /// Whether a square was chosen.
  func isChosen(_ cell: Int) -> Bool {
    group[cell] != 0 && (group[cell] == chosen || wanted.contains(group[cell]))
  }

  private static func middle(_ cell: Int) -> Vector2 {
    let half = Double(side / 2)
    return Vector2((Double(cell % side) + 0.5 - half) * size, (Double(cell / side) + 0.5 - half) * size)
  }
}
