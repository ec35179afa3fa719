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

  /// A tracer with room for no border yet.
  public init() {}

  /// Calls a closure for each border whose length is within the limits.
  ///
  /// Position (x, y) is the corner at which pixels (x − 1, y − 1) and (x, y) meet; positions follow each other by one step
  /// to a side. The border of an area goes clockwise as seen, that of a hole counter-clockwise; dark pixels that touch at a
  /// corner belong together.
  ///
  /// - Parameters:
  ///   - ink: what is dark; its left sides are marked by the walk, so it is to be filled again afterwards.
  ///   - limits: what to follow.
  ///   - isTaken: whether nothing is wanted that has its left side at a column of a row.
  ///   - body: is lent each border until it returns.
  @inline(__always)
  public mutating func trace(
    _ ink: inout InkMap,
    limits: Limits,
    isTaken: (_ column: Int, _ row: Int) -> Bool = { _, _ in false },
    _ body: (UnsafeBufferPointer<PixelPosition>) -> Void
  ) {
    precondition(limits.rowStep >= 1 && limits.longest >= 4)
    if points.count < limits.longest + 1 {
      points = [PixelPosition](repeating: PixelPosition(x: 0, y: 0), count: limits.longest + 1)
    }
    let (width, height, stride) = (ink.width, ink.height, ink.stride)
    if turns.isEmpty || turns[0].move != Int32(truncatingIfNeeded: 0 &- stride) { turns = Turn.table(stride: stride) }
    turns.withUnsafeBufferPointer { turns in
      points.withUnsafeMutableBufferPointer { points in
        guard let points = points.baseAddress, let turns = turns.baseAddress else { return }
        ink.withPixels { pixels in
          var y = limits.rowStep / 2
          while y < height {
            let row = pixels + y &* stride
            var x = 0
            while x < width {
              // Eight pixels at once: dark and not yet walked along, with a light one to the left; where rough borders are not
              // wanted, with two on either side, so that most of what noise leaves is no start.
              let here = UnsafeRawPointer(row + x).loadUnaligned(as: UInt64.self)
              let left = UnsafeRawPointer(row + (x &- 1)).loadUnaligned(as: UInt64.self)
              var starts = here & 0x0202_0202_0202_0202 & ~(left &<< 1)
              if limits.mostDetours != nil {
                let inside = UnsafeRawPointer(row + (x &+ 1)).loadUnaligned(as: UInt64.self)
                let outside = UnsafeRawPointer(row + (x &- 2)).loadUnaligned(as: UInt64.self)
                starts &= (inside &<< 1) & ~(outside &<< 1)
              }
              while starts != 0 {
                let column = x &+ starts.trailingZeroBitCount &>> 3
                starts &= starts &- 1
                // A walk since may have come by.
                guard column < width, row[column] == inkLevel, !isTaken(column, y) else { continue }
                let count = Self.walk(row + column, stride, x: column, y: y, limits, turns, points)
                if count >= limits.shortest { body(UnsafeBufferPointer(start: points, count: count)) }
              }
              x &+= 8
            }
            y &+= limits.rowStep
          }
        }
      }
    }
  }

  /// Level of a dark pixel whose left side has been walked along.
  private static let walked: UInt8 = 253

  /// Steps between two looks at how a walk goes.
  private static let block = 32

  /// Follows one border from the left side of a dark pixel, upwards; answers the number of steps, 0 when it is given up.
  private static func walk(
    _ start: UnsafeMutablePointer<UInt8>,
    _ stride: Int,
    x startX: Int,
    y startY: Int,
    _ limits: Limits,
    _ turns: UnsafePointer<Turn>,
    _ points: UnsafeMutablePointer<PixelPosition>
  ) -> Int {
    // `at` is the pixel to the lower right of the position.
    var at = start
    var (x, y) = (Int32(truncatingIfNeeded: startX), Int32(truncatingIfNeeded: startY))
    var count = 1
    var course = Course()
    start.pointee = walked
    points[0] = PixelPosition(x: x, y: y)
    var arrival: UInt8 = 0
    while true {
      let end = min(limits.longest, count &+ block)
      var sideways = 0
      while count < end {
        // Bits that are set in dark pixels, walked along or not. No branch here depends on the picture, since no processor
        // could foretell it.
        let around = (at[-stride &- 1] & 1) | (at[-stride] & 4) | (at[-1] & 8) | (at[0] & 16)
        let turn = turns[Int(arrival | around)]
        arrival = turn.arrival
        at += Int(turn.move)
        sideways &+= Int(arrival & 2)
        x &+= Int32(turn.x)
        y &+= Int32(turn.y)
        let level = at.pointee
        // Walked before: this walk's own start, or one that was given up.
        if (level ^ walked) | arrival == 0 { return at == start ? count : 0 }
        at.pointee = level & turn.mark
        points[count] = PixelPosition(x: x, y: y)
        count &+= 1
      }
      if count == limits.longest { return 0 }
      if let most = limits.mostDetours, course.isHopeless(points, count, sideways: sideways / 2, most) { return 0 }
    }
  }

  /// A step of a walk, by the one before it and the four pixels around the position between both.
  private struct Turn {
    /// Bytes to the pixel at the lower right of the next position.
    var move: Int32 = 0
    var x: Int8 = 0
    var y: Int8 = 0
    /// The step's direction in the bits of an index that the pixels leave free: 0 up, 2 right, 32 down, 34 left.
    var arrival: UInt8 = 0
    /// Marks the pixel that a step up comes to.
    var mark: UInt8 = 255

    static func table(stride: Int) -> [Turn] {
      let down = Int32(truncatingIfNeeded: stride)
      // Up, right, down, left.
      var steps = [Turn(move: -down, y: -1), Turn(move: 1, x: 1), Turn(move: down, y: 1), Turn(move: -1, x: -1)]
      for direction in 0..<4 { steps[direction].arrival = UInt8((direction & 1) << 1 | (direction & 2) << 4) }
      steps[0].mark = walked
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

  /// How a walk goes.
  private struct Course {
    private var detours: Int32 = 0
    /// Twice the area to the right of the walk so far, closed by a straight line.
    private var area: Int32 = 0

    /// Takes the last ``block`` steps, so many of them sideways; answers whether a walk so far can no longer be around
    /// something convex.
    @inline(__always)
    mutating func isHopeless(
      _ points: UnsafePointer<PixelPosition>,
      _ count: Int,
      sideways: Int,
      _ mostDetours: Int
    ) -> Bool {
      let first = points[0]
      var from = points[count &- 1 &- block]
      let last = points[count &- 1]
      let across = Int32(truncatingIfNeeded: sideways) &- abs(last.x &- from.x)
      let upright = Int32(truncatingIfNeeded: block &- sideways) &- abs(last.y &- from.y)
      detours &+= min(across, upright)
      for index in Swift.stride(from: count &+ 7 &- block, to: count, by: 8) {
        let to = points[index]
        area &+= (from.x &- first.x) &* (to.y &- first.y) &- (from.y &- first.y) &* (to.x &- first.x)
        from = to
      }
      // Two corners may come soon after each other, and a walk may begin with a dent.
      let length = Int32(truncatingIfNeeded: count)
      let most = (8 &* 64) &+ Int32(truncatingIfNeeded: mostDetours) &* length
      return detours &* 64 > most || area < -2 &* length &- 16
    }
  }
}
