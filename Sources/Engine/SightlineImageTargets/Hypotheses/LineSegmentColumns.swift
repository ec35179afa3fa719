import SightlineImaging
import SightlineMath

/// Straight edges by kind of number.
struct LineSegmentColumns {
  private let numbers: FixedBuffer<Float>
  private let room: Int

  init(room: Int) {
    self.room = room
    numbers = FixedBuffer(count: 7 * room, filledWith: 0)
  }

  var wayX: UnsafeMutablePointer<Float> { numbers.base }
  var wayY: UnsafeMutablePointer<Float> { numbers.base + room }

  func set(_ i: Int, _ edge: LineSegment) {
    let length = edge.length
    let way = (edge.to - edge.from) / length
    let at = numbers.base + i
    (at[0], at[room], at[2 &* room], at[3 &* room]) = (way.x, way.y, edge.from.x, edge.from.y)
    (at[4 &* room], at[5 &* room], at[6 &* room]) = (edge.to.x, edge.to.y, length)
  }

  /// Which of four edges, one bit each, may lie on a line that began along a way; only so many of the four are meant.
  ///
  /// Farther off than ``StraightEdges`` joins any with a gap as long as may be; the rest is for it to say.
  @inline(__always)
  func near(_ i: Int, _ count: Int, _ line: LineSegment, _ x: Float, _ y: Float) -> UInt32 {
    let at = numbers.base + i
    let lean = load4(at + room) * x - load4(at) * y
    let along = line.to - line.from
    let length = (along * along).sum().squareRoot()
    let (nx, ny) = (-along.y / length, along.x / length)
    let p = (load4(at + 2 &* room) - line.from.x) * nx + (load4(at + 3 &* room) - line.from.y) * ny
    let q = (load4(at + 4 &* room) - line.from.x) * nx + (load4(at + 5 &* room) - line.from.y) * ny
    let most = load4(at + 6 &* room) * 0.021 + (0.021 * length + 1.5)
    let isAlong = lean.magnitudes .< SIMD4(repeating: 0.1)
    return (isAlong .& (p.magnitudes .< most) .& (q.magnitudes .< most)).laneMask(first: count)
  }
}
