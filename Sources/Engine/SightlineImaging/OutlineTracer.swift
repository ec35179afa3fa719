/// Walks along the borders of dark areas, only where something as large as what is looked for can be.
///
/// Unlike ``GrayView/contours(minimumLength:)`` it does not look at each pixel: borders are met on some rows only, and a walk
/// that becomes too long is given up. What is smaller than the distance of two such rows may be missed.
public struct OutlineTracer: Sendable {
  /// What to follow.
  public struct Limits: Sendable {
    /// Distance of the rows on which borders are met, pixels, 1 or more.
    public var rowStep: Int
    /// Least number of steps around, each along one side of a pixel.
    public var shortest: Int
    /// Most steps around.
    public var longest: Int
    /// Detours in 64 steps above which a walk is given up, and around holes; `nil` follows everything.
    ///
    /// Detours are the steps within 32 that bring a walk no farther, along the axis where there are fewer of them: a straight
    /// line has none, however noise breaks it into stairs, and few corners have any. Most borders in a picture of the world
    /// are holes or rough, and are known as such before they are walked around.
    public var mostDetours: Int?

    /// Limits from their parts.
    public init(rowStep: Int, shortest: Int, longest: Int, mostDetours: Int? = nil) {
      self.rowStep = rowStep
      self.shortest = shortest
      self.longest = longest
      self.mostDetours = mostDetours
    }
  }

  private var points: [PixelPosition] = []
  private var turns: [Turn] = []
  /// Room for the positions of two walks; what it points at is not kept.
  private nonisolated(unsafe) var places: [UnsafeMutablePointer<UInt8>] = []

  /// A tracer with room for no border yet.
  public init() {}

  /// Calls a closure for each border whose length is within the limits.
  ///
  /// Position (x, y) is the corner at which pixels (x − 1, y − 1) and (x, y) meet; positions follow each other by one step
  /// to a side. The border of an area goes clockwise as seen, that of a hole counter-clockwise; dark pixels that touch at a
  /// corner belong together. Borders come from the first row on and from the last one on, in turn.
  ///
  /// - Parameters:
  ///   - ink: what is dark; its left sides are marked by the walk, so it is to be filled again afterwards.
  ///   - limits: what to follow.
  ///   - isTaken: whether nothing is wanted that has its left side at a column of a row.
  ///   - body: is lent each border until it returns.
  public mutating func trace(
    _ ink: inout InkMap,
    limits: Limits,
    isTaken: (_ column: Int, _ row: Int) -> Bool = { _, _ in false },
    _ body: (UnsafeBufferPointer<PixelPosition>) -> Void
  ) {
    precondition(limits.rowStep >= 1 && limits.longest >= 4)
    // A walk is looked at now and then, and may be longer by then.
    let room = limits.longest + 3 * BorderWalk.block
    if points.count < room { points = [PixelPosition](repeating: PixelPosition(x: 0, y: 0), count: room) }
    let stride = ink.stride
    if turns.isEmpty || turns[0].move != Int32(truncatingIfNeeded: 0 &- stride) { turns = Turn.table(stride: stride) }
    var rows = Rows(width: ink.width, height: ink.height, distance: limits.rowStep)
    turns.withUnsafeBufferPointer { turns in
      points.withUnsafeMutableBufferPointer { points in
        guard let points = points.baseAddress, let turns = turns.baseAddress else { return }
        ink.withPixels { pixels in
          if places.count < 2 * room { places = [UnsafeMutablePointer<UInt8>](repeating: pixels, count: 2 * room) }
          let map = Positions(pixels, stride: stride)
          let way = Way(pixels: pixels, stride: stride, limits: limits, turns: turns, map: map, points: points)
          places.withUnsafeMutableBufferPointer { places in
            guard let places = places.baseAddress else { return }
            way.follow(&rows, places, places + room, isTaken, body)
          }
        }
      }
    }
  }
}

/// The rows on which borders are met, taken from either end.
private struct Rows {
  let width: Int
  private let distance: Int
  private var first = 0
  private var last: Int

  init(width: Int, height: Int, distance: Int) {
    self.width = width
    self.distance = distance
    last = (height &- distance / 2 &+ distance &- 1) / distance &- 1
  }

  /// The next row from one end, `nil` when all have been taken.
  mutating func take(fromTop: Bool) -> Int? {
    guard first <= last else { return nil }
    if fromTop { first &+= 1 } else { last &-= 1 }
    return (fromTop ? first &- 1 : last &+ 1) &* distance &+ distance / 2
  }
}

/// A search for places where walks begin.
private struct Scan {
  private let fromTop: Bool
  private var y = 0
  /// Columns of the row that have been looked at.
  private var seen = Int.max
  /// Places among the last eight of them, in the second bit of a byte each.
  private var starts: UInt64 = 0

  init(fromTop: Bool) { self.fromTop = fromTop }

  /// Begins a walk at the next place; answers whether there is one.
  mutating func begin(
    _ walk: inout BorderWalk,
    _ way: Way,
    _ rows: inout Rows,
    _ isTaken: (_ column: Int, _ row: Int) -> Bool
  ) -> Bool {
    let isSolid = way.limits.mostDetours != nil
    while true {
      while starts != 0 {
        let column = seen &- 8 &+ starts.trailingZeroBitCount &>> 3
        starts &= starts &- 1
        let pixel = way.pixels + (y &* way.stride &+ column)
        // A walk since may have come by.
        guard column < rows.width, pixel.pointee == inkLevel, !isTaken(column, y) else { continue }
        walk.begin(at: pixel)
        return true
      }
      if seen >= rows.width {
        guard let next = rows.take(fromTop: fromTop) else { return false }
        y = next
        seen = 0
      }
      // Eight pixels at once: dark and not yet walked along, with a light one to the left; where rough borders are not wanted,
      // with two on either side, so that most of what noise leaves is no start.
      let row = UnsafeRawPointer(way.pixels + y &* way.stride)
      while seen < rows.width, starts == 0 {
        let here = row.loadUnaligned(fromByteOffset: seen, as: UInt64.self)
        let left = row.loadUnaligned(fromByteOffset: seen &- 1, as: UInt64.self)
        starts = here & 0x0202_0202_0202_0202 & ~(left &<< 1)
        if isSolid {
          let inside = row.loadUnaligned(fromByteOffset: seen &+ 1, as: UInt64.self)
          let outside = row.loadUnaligned(fromByteOffset: seen &- 2, as: UInt64.self)
          starts &= (inside &<< 1) & ~(outside &<< 1)
        }
        seen &+= 8
      }
    }
  }
}

/// What walks go along, and how.
private struct Way {
  let pixels: UnsafeMutablePointer<UInt8>
  let stride: Int
  let limits: OutlineTracer.Limits
  let turns: UnsafePointer<Turn>
  let map: Positions
  /// Room for what is reported.
  let points: UnsafeMutablePointer<PixelPosition>

  /// Follows all borders, two at once, one from the first row on and one from the last: so far apart they rarely meet.
  func follow(
    _ rows: inout Rows,
    _ room: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>>,
    _ otherRoom: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>>,
    _ isTaken: (_ column: Int, _ row: Int) -> Bool,
    _ body: (UnsafeBufferPointer<PixelPosition>) -> Void
  ) {
    var (scan, otherScan) = (Scan(fromTop: true), Scan(fromTop: false))
    var (walk, other) = (BorderWalk(room, pixels), BorderWalk(otherRoom, pixels))
    var isGoing = scan.begin(&walk, self, &rows, isTaken)
    var isOtherGoing = otherScan.begin(&other, self, &rows, isTaken)
    var steps = BorderWalk.block
    while isGoing, isOtherGoing {
      switch BorderWalk.advance(&walk, &other, &steps, turns, up: 0 &- stride) {
      case .none:
        steps = BorderWalk.block
        if walk.isHopeless(limits, map) { isGoing = scan.begin(&walk, self, &rows, isTaken) }
        if other.isHopeless(limits, map) { isOtherGoing = otherScan.begin(&other, self, &rows, isTaken) }
      case .first:
        if walk.at == other.start {
          // Both are on one border: the other one goes all the way.
          finish(&other, body)
          isOtherGoing = otherScan.begin(&other, self, &rows, isTaken)
        } else if walk.isClosed {
          report(walk, body)
        }
        isGoing = scan.begin(&walk, self, &rows, isTaken)
      case .second:
        if other.at == walk.start {
          finish(&walk, body)
          isGoing = scan.begin(&walk, self, &rows, isTaken)
        } else if other.isClosed {
          report(other, body)
        }
        isOtherGoing = otherScan.begin(&other, self, &rows, isTaken)
      }
    }
    while isGoing { isGoing = goOn(&walk, body) || scan.begin(&walk, self, &rows, isTaken) }
    while isOtherGoing { isOtherGoing = goOn(&other, body) || otherScan.begin(&other, self, &rows, isTaken) }
  }

  /// Goes on with one walk alone; answers whether it has not come to an end.
  private func goOn(_ walk: inout BorderWalk, _ body: (UnsafeBufferPointer<PixelPosition>) -> Void) -> Bool {
    guard walk.advance(turns, up: 0 &- stride) else { return !walk.isHopeless(limits, map) }
    if walk.isClosed { report(walk, body) }
    return false
  }

  /// Goes all the way along a border that another walk has been on.
  private func finish(_ walk: inout BorderWalk, _ body: (UnsafeBufferPointer<PixelPosition>) -> Void) {
    if walk.close(limits, map, turns, up: 0 &- stride) { report(walk, body) }
  }

  private func report(_ walk: BorderWalk, _ body: (UnsafeBufferPointer<PixelPosition>) -> Void) {
    let count = walk.count
    guard count >= limits.shortest, count <= limits.longest else { return }
    walk.copyPositions(map, to: points)
    body(UnsafeBufferPointer(start: points, count: count))
  }
}
