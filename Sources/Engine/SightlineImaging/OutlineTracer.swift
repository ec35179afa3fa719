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

    /// Limits from their parts.
    public init(rowStep: Int, shortest: Int, longest: Int) {
      self.rowStep = rowStep
      self.shortest = shortest
      self.longest = longest
    }
  }

  private var points: [PixelPosition] = []

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
  ///   - body: is lent each border until it returns.
  @inline(__always)
  public mutating func trace(
    _ ink: inout InkMap,
    limits: Limits,
    _ body: (UnsafeBufferPointer<PixelPosition>) -> Void
  ) {
    precondition(limits.rowStep >= 1 && limits.longest >= 4)
    if points.count < limits.longest + 1 {
      points = [PixelPosition](repeating: PixelPosition(x: 0, y: 0), count: limits.longest + 1)
    }
    let (width, height, stride) = (ink.width, ink.height, ink.stride)
    points.withUnsafeMutableBufferPointer { points in
      guard let points = points.baseAddress else { return }
      ink.withPixels { pixels in
        var y = limits.rowStep / 2
        while y < height {
          let row = pixels + y &* stride
          var x = 0
          while x < width {
            // Eight pixels at once: dark and not yet walked along, with a light one to the left.
            let here = UnsafeRawPointer(row + x).loadUnaligned(as: UInt64.self)
            let left = UnsafeRawPointer(row + (x &- 1)).loadUnaligned(as: UInt64.self)
            var starts = here & 0x0202_0202_0202_0202 & ~(left &<< 1)
            while starts != 0 {
              let column = x &+ starts.trailingZeroBitCount &>> 3
              starts &= starts &- 1
              // A walk since may have come by.
              guard column < width, row[column] == inkLevel else { continue }
              let count = Self.walk(row + column, stride, x: column, y: y, limits.longest, points)
              if count >= limits.shortest { body(UnsafeBufferPointer(start: points, count: count)) }
            }
            x &+= 8
          }
          y &+= limits.rowStep
        }
      }
    }
  }

  /// Level of a dark pixel whose left side has been walked along.
  private static let walked: UInt8 = 253

  /// Follows one border from the left side of a dark pixel, upwards; answers the number of steps, 0 when it is too long.
  private static func walk(
    _ start: UnsafeMutablePointer<UInt8>,
    _ stride: Int,
    x startX: Int,
    y startY: Int,
    _ longest: Int,
    _ points: UnsafeMutablePointer<PixelPosition>
  ) -> Int {
    // `at` is the pixel to the lower right of the position.
    var at = start
    var (x, y) = (Int32(truncatingIfNeeded: startX), Int32(truncatingIfNeeded: startY))
    var count = 0
    start.pointee = walked
    points[0] = PixelPosition(x: x, y: y)
    count = 1
    var direction = at[-stride &- 1] != 0 ? 3 : at[-stride] != 0 ? 0 : 1
    while count < longest {
      // Dark is on the right: turn left where the pixel ahead on the left is dark, right where none ahead is.
      switch direction {
      case 0:  // up
        y &-= 1
        at -= stride
        if at.pointee != inkLevel {
          // Walked before: this walk's own start, or one that was given up.
          return at == start ? count : 0
        }
        at.pointee = walked
        direction = at[-stride &- 1] != 0 ? 3 : at[-stride] != 0 ? 0 : 1
      case 1:  // right
        x &+= 1
        at += 1
        direction = at[-stride] != 0 ? 0 : at[0] != 0 ? 1 : 2
      case 2:  // down
        y &+= 1
        at += stride
        direction = at[0] != 0 ? 1 : at[-1] != 0 ? 2 : 3
      default:  // left
        x &-= 1
        at -= 1
        direction = at[-1] != 0 ? 2 : at[-stride &- 1] != 0 ? 3 : 0
      }
      points[count] = PixelPosition(x: x, y: y)
      count &+= 1
    }
    return 0
  }
}
