/// Follows the contour of a dark area, along the sides of its pixels, with the dark on the right.
///
/// Of each position only the pixel to its lower right is kept until somebody asks, so that a step is short.
struct ContourFollower {
  /// Level of a dark pixel whose left side has been walked along.
  static let walked: UInt8 = 253
  /// Steps between two looks at how a walk goes.
  static let block = 32

  /// Whether it has begun and not ended.
  var isGoing = false
  /// Its place in the order of beginnings.
  private(set) var number = 0
  /// The pixel at whose left side it begins.
  private(set) var start: UnsafeMutablePointer<UInt8>
  /// The pixel to the lower right of the position.
  private(set) var at: UnsafeMutablePointer<UInt8>
  /// The level there.
  private var level: UInt8 = 0
  /// The last step's direction, as in ``Turn``.
  private var arrival: UInt8 = 0
  /// Sum of the directions since the last look.
  private var directions = 0
  /// The low half of the addresses of its positions' pixels.
  private let first: UnsafeMutablePointer<UInt32>
  /// Where the next one goes.
  private var next: UnsafeMutablePointer<UInt32>
  /// Number of positions at which it is looked at again.
  private var look = 0
  private var convexity = ConvexityCheck()

  /// A walk that has not begun, with room for its positions.
  init(room: UnsafeMutablePointer<UInt32>, _ pixels: UnsafeMutablePointer<UInt8>) {
    (first, next) = (room, room)
    (start, at) = (pixels, pixels)
  }

  /// Positions so far.
  var count: Int { next - first }

  /// Steps until somebody should look at it.
  var stepsToLook: Int { look &- count }

  /// Begins at the left side of a dark pixel, upwards.
  mutating func begin(at pixel: UnsafeMutablePointer<UInt8>, number: Int, longest: Int) {
    isGoing = true
    self.number = number
    (start, at) = (pixel, pixel)
    pixel.pointee = Self.walked
    level = Self.walked
    arrival = 0
    directions = 0
    next = first
    note()
    look = min(1 &+ Self.block, longest)
    convexity = ConvexityCheck()
  }

  @inline(__always)
  private mutating func note() {
    next.pointee = UInt32(truncatingIfNeeded: UInt(bitPattern: at))
    next += 1
  }

  /// Columns and rows of its positions.
  func copyPositions(_ map: Positions, to points: UnsafeMutablePointer<PixelPosition>) {
    for index in 0..<count { points[index] = map[first[index]] }
  }

  /// Goes one step; answers whether it came to a left side that has been walked along, by this walk or another.
  ///
  /// No other branch depends on the picture, since no processor could foretell it.
  @inline(__always)
  private static func step(
    _ at: inout UnsafeMutablePointer<UInt8>,
    _ level: inout UInt8,
    _ arrival: inout UInt8,
    _ directions: inout Int,
    _ next: inout UnsafeMutablePointer<UInt32>,
    _ turns: UnsafePointer<Turn>,
    up: Int
  ) -> Bool {
    // Bits that are set in dark pixels, walked along or not. The level is at hand: to read again what has just been written
    // would take as long as all the rest.
    let around = (at[up &- 1] & 1) | (at[up] & 4) | (at[-1] & 8) | (level & 16)
    let turn = turns + Int(arrival | around)
    at += Int(turn.pointee.move)
    arrival = turn.pointee.arrival
    level = at.pointee
    if (level ^ walked) | arrival == 0 { return true }
    level &= turn.pointee.mark
    at.pointee = level
    directions &+= Int(arrival)
    next.pointee = UInt32(truncatingIfNeeded: UInt(bitPattern: at))
    next += 1
    return false
  }

  /// Which of two walks came to a left side that has been walked along.
  enum Event {
    case none
    case first
    case second
  }

  /// Goes on with two walks, in turn, so that the processor need not wait for either, until one of them comes to a left side
  /// that has been walked along.
  static func advance(
    _ first: inout ContourFollower,
    _ second: inout ContourFollower,
    steps: Int,
    _ turns: UnsafePointer<Turn>,
    up: Int
  ) -> Event {
    // Each by itself, so that all of it is kept in registers.
    var (at, level, arrival, directions, next) = (first.at, first.level, first.arrival, first.directions, first.next)
    var (at2, level2, arrival2) = (second.at, second.level, second.arrival)
    var (directions2, next2) = (second.directions, second.next)
    var left = steps
    var event = Event.none
    while left > 0 {
      left &-= 1
      if step(&at, &level, &arrival, &directions, &next, turns, up: up) {
        event = .first
        break
      }
      if step(&at2, &level2, &arrival2, &directions2, &next2, turns, up: up) {
        event = .second
        break
      }
    }
    (first.at, first.level, first.arrival, first.directions, first.next) = (at, level, arrival, directions, next)
    (second.at, second.level, second.arrival) = (at2, level2, arrival2)
    (second.directions, second.next) = (directions2, next2)
    return event
  }

  /// Goes on with this walk alone until the next look; answers whether it came to a left side that has been walked along.
  mutating func advance(_ turns: UnsafePointer<Turn>, up: Int) -> Bool {
    for _ in 0..<stepsToLook where Self.step(&at, &level, &arrival, &directions, &next, turns, up: up) { return true }
    return false
  }

  /// Goes on along what another walk has walked along, from where it has just met that one's beginning; answers whether it
  /// is not given up.
  mutating func pass(
    _ positions: Int,
    _ limits: ContourTracer.Limits,
    _ map: Positions,
    _ turns: UnsafePointer<Turn>,
    up: Int
  )
    -> Bool
  {
    note()
    for passed in 1...positions {
      if stepsToLook == 0, cannotBeConvex(limits, map) { return false }
      if passed < positions, Self.step(&at, &level, &arrival, &directions, &next, turns, up: up) { note() }
    }
    return true
  }

  /// Looks at how it goes: whether it has become too long, or can no longer be around something convex.
  mutating func cannotBeConvex(_ limits: ContourTracer.Limits, _ map: Positions) -> Bool {
    let count = count
    if count == limits.longest { return true }
    look = min(count &+ Self.block, limits.longest)
    guard let most = limits.convexityLimit else { return false }
    let cannotBeConvex = convexity.cannotBeConvex(UnsafePointer(first), count, map, directions: directions, most)
    directions = 0
    return cannotBeConvex
  }
}

/// Tells the column and the row of a pixel from the low half of its address.
struct Positions {
  private let first: UInt32
  private let stride: Int32
  /// Rows in a byte, with 48 bits after the point: exact where no side is longer than ``GrayView/longestSide``.
  private let perByte: UInt64

  init(_ pixels: UnsafeMutablePointer<UInt8>, stride: Int) {
    first = UInt32(truncatingIfNeeded: UInt(bitPattern: pixels))
    self.stride = Int32(truncatingIfNeeded: stride)
    perByte = (1 << 48) / UInt64(stride) + 1
  }

  @inline(__always)
  subscript(address: UInt32) -> PixelPosition {
    let offset = address &- first
    let y = Int32(truncatingIfNeeded: (UInt64(offset) &* perByte) &>> 48)
    return PixelPosition(x: Int32(truncatingIfNeeded: offset) &- y &* stride, y: y)
  }
}

/// A step of a walk, by the one before it and the four pixels around the position between both.
struct Turn {
  /// Bytes to the pixel at the lower right of the next position.
  var move: Int32 = 0
  /// The step's direction in the bits of an index that the pixels leave free: 0 up, 2 right, 32 down, 34 left.
  var arrival: UInt8 = 0
  /// Marks the pixel that a step up comes to.
  var mark: UInt8 = 255

  static func table(stride: Int) -> [Turn] {
    let down = Int32(truncatingIfNeeded: stride)
    // Up, right, down, left.
    var steps = [Turn(move: -down), Turn(move: 1), Turn(move: down), Turn(move: -1)]
    for direction in 0..<4 { steps[direction].arrival = UInt8((direction & 1) << 1 | (direction & 2) << 4) }
    steps[0].mark = ContourFollower.walked
    return (0..<64).map { index in
      let (upperLeft, upperRight) = (index & 1 != 0, index & 4 != 0)
      let (lowerLeft, lowerRight) = (index & 8 != 0, index & 16 != 0)
      // Dark is on the right: turn left where the pixel ahead on the left is dark, right where none ahead is.
      switch (index & 2) >> 1 | (index & 32) >> 4 {
      case 0: return steps[upperLeft ? 3 : upperRight ? 0 : 1]
      case 1: return steps[upperRight ? 0 : lowerRight ? 1 : 2]
      case 2: return steps[lowerRight ? 1 : lowerLeft ? 2 : 3]
      default: return steps[lowerLeft ? 2 : upperLeft ? 3 : 0]
      }
    }
  }
}

/// The early out for what is not convex: counts the detours of a walk and the area to its right.
private struct ConvexityCheck {
  private var detours: Int32 = 0
  /// Twice the area to the right of the walk so far, closed by a straight line.
  private var area: Int32 = 0

  /// Takes the last ``ContourFollower/block`` steps.
  ///
  /// - Parameters:
  ///   - places: of the walk's positions.
  ///   - count: how many there are.
  ///   - map: tells where they are.
  ///   - directions: sum over these steps, as in ``Turn``.
  ///   - convexityLimit: of the limits.
  /// - Returns: whether a walk so far can no longer be around something convex.
  mutating func cannotBeConvex(
    _ places: UnsafePointer<UInt32>,
    _ count: Int,
    _ map: Positions,
    directions: Int,
    _ convexityLimit: Int
  ) -> Bool {
    let first = map[places[0]]
    let begin = map[places[count &- 1 &- ContourFollower.block]]
    var from = begin
    for index in Swift.stride(from: count &+ 7 &- ContourFollower.block, to: count, by: 8) {
      let to = map[places[index]]
      area &+= (from.x &- first.x) &* (to.y &- first.y) &- (from.y &- first.y) &* (to.x &- first.x)
      from = to
    }
    let (dx, dy) = (from.x &- begin.x, from.y &- begin.y)
    let steps = Int32(truncatingIfNeeded: ContourFollower.block)
    // The sum is 2 for each step sideways, and 32 for each down or to the left, of which there are half of what steps, dx and
    // dy leave.
    let sideways = (Int32(truncatingIfNeeded: directions) &- 16 &* (steps &- dx &+ dy)) / 2
    detours &+= min(sideways &- abs(dx), steps &- sideways &- abs(dy))
    // Two corners may come soon after each other, and a walk may begin with a dent.
    let length = Int32(truncatingIfNeeded: count)
    let most = (8 &* 64) &+ Int32(truncatingIfNeeded: convexityLimit) &* length
    return detours &* 64 > most || area < -2 &* length &- 16
  }
}
