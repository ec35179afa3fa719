/// Contour following along the borders of dark areas, only where something as large as what is looked for can be.
///
/// The borders are those of border following (Suzuki and Abe 1985, doi:10.1016/0734-189X(85)90016-7), walked along the sides of
/// pixels instead of through their centres, without the tree of who surrounds whom, and with an early out: what can no
/// longer be around something convex is given up.
///
/// Unlike ``GrayView/contours(minimumLength:)`` it does not look at each pixel: borders are met on some rows only, and a walk
/// that becomes too long is given up. What is smaller than the distance of two such rows may be missed.
public struct ContourTracer: Sendable {
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
    public var convexityLimit: Int?

    /// Limits from their parts.
    public init(rowStep: Int, shortest: Int, longest: Int, convexityLimit: Int? = nil) {
      self.rowStep = rowStep
      self.shortest = shortest
      self.longest = longest
      self.convexityLimit = convexityLimit
    }
  }

  private var points: [PixelPosition] = []
  private var turns: [Turn] = []
  /// Room for the positions of two walks.
  private var places: [UInt32] = []
  private var passed = AbandonedContours()

  /// A tracer with room for no border yet.
  public init() {}

  /// Calls a closure for each border whose length is within the limits.
  ///
  /// Position (x, y) is the corner at which pixels (x − 1, y − 1) and (x, y) meet; positions follow each other by one step
  /// to a side. The border of an area goes clockwise as seen, that of a hole counter-clockwise; dark pixels that touch at a
  /// corner belong together. Rows are taken from the last one on: a walk begins upwards, and what it has been along before it
  /// is given up is not begun again from the next rows.
  ///
  /// - Parameters:
  ///   - mask: what is dark; its left sides are marked by the walk, so it is to be filled again afterwards.
  ///   - limits: what to follow.
  ///   - isTaken: whether nothing is wanted that has its left side at a column of a row.
  ///   - body: is lent each border until it returns; a short one may come before a long one that began earlier.
  public mutating func trace(
    _ mask: inout BinaryMask,
    limits: Limits,
    isTaken: (_ column: Int, _ row: Int) -> Bool = { _, _ in false },
    _ body: (UnsafeBufferPointer<PixelPosition>) -> Void
  ) {
    precondition(limits.rowStep >= 1 && limits.longest >= 4)
    let room = limits.longest + 1
    if points.count < room { points = [PixelPosition](repeating: PixelPosition(x: 0, y: 0), count: room) }
    if places.count < 2 * room { places = [UInt32](repeating: 0, count: 2 * room) }
    let stride = mask.stride
    if turns.isEmpty || turns[0].move != Int32(truncatingIfNeeded: 0 &- stride) { turns = Turn.table(stride: stride) }
    var starts = ContourStarts(width: mask.width, height: mask.height, stride: stride, limits)
    // Taken out while it is used, so that nothing is copied.
    var passed = AbandonedContours()
    swap(&passed, &self.passed)
    passed.removeAll()
    turns.withUnsafeBufferPointer { turns in
      points.withUnsafeMutableBufferPointer { points in
        places.withUnsafeMutableBufferPointer { places in
          guard let points = points.baseAddress, let turns = turns.baseAddress, let places = places.baseAddress else {
            return
          }
          mask.withPixels { pixels in
            let following = ContourFollowing(
              pixels: pixels,
              stride: stride,
              limits: limits,
              turns: turns,
              points: points
            )
            following.follow(&starts, places, places + room, &passed, isTaken, body)
          }
        }
      }
    }
    swap(&passed, &self.passed)
  }
}

/// Finds the places where walks begin, row by row from the last one on.
private struct ContourStarts {
  private let width: Int
  private let stride: Int
  private let limits: ContourTracer.Limits
  private var y: Int
  /// Columns of the row that have been looked at.
  private var seen: Int
  /// Places among the last eight of them, in the second bit of a byte each.
  private var starts: UInt64 = 0
  /// Walks that have begun.
  private var count = 0

  init(width: Int, height: Int, stride: Int, _ limits: ContourTracer.Limits) {
    (self.width, self.stride, self.limits) = (width, stride, limits)
    // The row after the last one.
    let rows = (height &+ limits.rowStep &- 1 &- limits.rowStep / 2) / limits.rowStep
    y = rows &* limits.rowStep &+ limits.rowStep / 2
    seen = width
  }

  /// Begins a walk at the next place; answers whether there is one.
  mutating func begin(
    _ walk: inout ContourFollower,
    _ pixels: UnsafeMutablePointer<UInt8>,
    _ isTaken: (_ column: Int, _ row: Int) -> Bool
  ) -> Bool {
    let isSolid = limits.convexityLimit != nil
    while true {
      while starts != 0 {
        let column = seen &- 8 &+ starts.trailingZeroBitCount &>> 3
        starts &= starts &- 1
        let pixel = pixels + (y &* stride &+ column)
        // A walk since may have come by.
        guard column < width, pixel.pointee == maskLevel, !isTaken(column, y) else { continue }
        walk.begin(at: pixel, number: count, longest: limits.longest)
        count &+= 1
        return true
      }
      if seen >= width {
        y &-= limits.rowStep
        guard y >= 0 else {
          // The next question has the same answer.
          y &+= limits.rowStep
          return false
        }
        seen = 0
      }
      // Eight pixels at once: dark and not yet walked along, with a light one to the left; where rough borders are not wanted,
      // with two on either side, so that most of what noise leaves is no start.
      let row = UnsafeRawPointer(pixels + y &* stride)
      while seen < width, starts == 0 {
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

/// Walks that have been given up while one that began before them goes on.
///
/// Had the earlier one been followed to its end first, a later one on the same border would not have begun; so the earlier
/// one goes on along what the later one has marked.
private struct AbandonedContours: Sendable {
  private var walks: [(start: UInt, count: Int)] = []

  mutating func removeAll() { walks.removeAll(keepingCapacity: true) }

  mutating func add(_ walk: ContourFollower) { walks.append((UInt(bitPattern: walk.start), walk.count)) }

  /// Positions of the walk that began at a pixel.
  func count(from start: UnsafeMutablePointer<UInt8>) -> Int? {
    let start = UInt(bitPattern: start)
    for walk in walks where walk.start == start { return walk.count }
    return nil
  }
}

/// What walks go along, and how.
private struct ContourFollowing {
  private let pixels: UnsafeMutablePointer<UInt8>
  private let stride: Int
  private let limits: ContourTracer.Limits
  private let turns: UnsafePointer<Turn>
  private let map: Positions
  /// Room for what is reported.
  private let points: UnsafeMutablePointer<PixelPosition>

  init(
    pixels: UnsafeMutablePointer<UInt8>,
    stride: Int,
    limits: ContourTracer.Limits,
    turns: UnsafePointer<Turn>,
    points: UnsafeMutablePointer<PixelPosition>
  ) {
    (self.pixels, self.stride, self.limits, self.turns, self.points) = (pixels, stride, limits, turns, points)
    map = Positions(pixels, stride: stride)
  }

  /// Follows all borders, two at once, with the result of one after the other.
  func follow(
    _ starts: inout ContourStarts,
    _ room: UnsafeMutablePointer<UInt32>,
    _ otherRoom: UnsafeMutablePointer<UInt32>,
    _ passed: inout AbandonedContours,
    _ isTaken: (_ column: Int, _ row: Int) -> Bool,
    _ body: (UnsafeBufferPointer<PixelPosition>) -> Void
  ) {
    var (walk, other) = (ContourFollower(room: room, pixels), ContourFollower(room: otherRoom, pixels))
    while true {
      if !walk.isGoing, !starts.begin(&walk, pixels, isTaken) { break }
      if !other.isGoing, !starts.begin(&other, pixels, isTaken) { break }
      let steps = min(walk.stepsToLook, other.stepsToLook)
      switch ContourFollower.advance(&walk, &other, steps: steps, turns, up: 0 &- stride) {
      case .none: break
      case .first: meet(&walk, &other, &passed, body)
      case .second: meet(&other, &walk, &passed, body)
      }
      if walk.isGoing, walk.stepsToLook == 0, walk.cannotBeConvex(limits, map) { end(&walk, other, &passed) }
      if other.isGoing, other.stepsToLook == 0, other.cannotBeConvex(limits, map) { end(&other, walk, &passed) }
    }
    goOn(&walk, &other, &passed, body)
    goOn(&other, &walk, &passed, body)
  }

  /// Goes on with one walk to its end; the other one has ended.
  private func goOn(
    _ walk: inout ContourFollower,
    _ other: inout ContourFollower,
    _ passed: inout AbandonedContours,
    _ body: (UnsafeBufferPointer<PixelPosition>) -> Void
  ) {
    while walk.isGoing {
      if walk.advance(turns, up: 0 &- stride) { meet(&walk, &other, &passed, body) }
      if walk.isGoing, walk.stepsToLook == 0, walk.cannotBeConvex(limits, map) { end(&walk, other, &passed) }
    }
  }

  /// A walk has come to a left side that has been walked along.
  private func meet(
    _ walk: inout ContourFollower,
    _ other: inout ContourFollower,
    _ passed: inout AbandonedContours,
    _ body: (UnsafeBufferPointer<PixelPosition>) -> Void
  ) {
    if walk.at == walk.start {
      report(walk, body)
      return end(&walk, other, &passed)
    }
    var positions: Int?
    if other.isGoing, other.number > walk.number, other.start == walk.at {
      // Both are on one border: the one that began first goes on.
      positions = other.count
      other.isGoing = false
    } else if !other.isGoing || other.number > walk.number {
      positions = passed.count(from: walk.at)
    }
    guard let positions, walk.pass(positions, limits, map, turns, up: 0 &- stride) else {
      return end(&walk, other, &passed)
    }
  }

  /// Ends a walk.
  private func end(_ walk: inout ContourFollower, _ other: ContourFollower, _ passed: inout AbandonedContours) {
    walk.isGoing = false
    if other.isGoing, other.number < walk.number { passed.add(walk) } else { passed.removeAll() }
  }

  private func report(_ walk: ContourFollower, _ body: (UnsafeBufferPointer<PixelPosition>) -> Void) {
    let count = walk.count
    guard count >= limits.shortest else { return }
    walk.copyPositions(map, to: points)
    body(UnsafeBufferPointer(start: points, count: count))
  }
}
