/// A pixel's column and row.
public struct PixelPosition: Equatable, Sendable {
  /// Column, from the left.
  public var x: Int32
  /// Row, from the top.
  public var y: Int32

  /// A position from its column and row.
  @inlinable public init(x: Int32, y: Int32) {
    self.x = x
    self.y = y
  }
}

/// A closed border of something dark, as a chain of its own pixels, each a neighbour of the next (diagonals count).
///
/// A line one pixel wide is walked there and back, so a pixel may occur more than once.
public struct Contour: Equatable, Sendable {
  /// The pixels.
  ///
  /// Around the outside counter-clockwise as seen, around a hole clockwise.
  public var points: [PixelPosition]
  /// Whether it is the border of a hole in something dark, not its outside.
  public var isHole: Bool
}

extension GrayView {
  /// The borders of everything that is not 0, by border following: one for the outside of each connected area (diagonals
  /// connect), one for each hole in it.
  ///
  /// Source: Suzuki and Abe 1985, doi:10.1016/0734-189X(85)90016-7, algorithm 1, without the tree of who surrounds whom.
  ///
  /// - Parameter minimumLength: shorter borders, in pixels, are left out.
  /// - Returns: in the order in which a scan row by row meets them.
  public func contours(minimumLength: Int = 1) -> [Contour] {
    // A frame of zeros around the picture spares every test for its edge.
    let line = width + 2
    var labels = [Int8](repeating: 0, count: line * (height + 2))
    for y in 0..<height {
      let row = row(y)
      for x in 0..<width where row[x] != 0 { labels[(y + 1) * line + x + 1] = 1 }
    }
    // Clockwise as seen: right, right below, below, …
    let offsets: [Int] = [1, line + 1, line, line - 1, -1, -line - 1, -line, -line + 1]
    var found: [Contour] = []
    for y in 1...height {
      for x in 1...width {
        let at = y * line + x
        let label = labels[at]
        // Walked pixels are 2, and −2 where the right neighbour is background that the walk has seen: the border to
        // that background is known then.
        let startsOutside = label == 1 && labels[at - 1] == 0
        let startsHole = !startsOutside && label >= 1 && labels[at + 1] == 0
        guard startsOutside || startsHole else { continue }
        let points = follow(&labels, offsets, from: at, towards: startsOutside ? 4 : 0)
        if points.count >= minimumLength { found.append(Contour(points: points, isHole: startsHole)) }
      }
    }
    return found
  }

  /// Walks along one border and marks its pixels; `towards` is the direction of the background beside its first pixel.
  private func follow(
    _ labels: inout [Int8],
    _ offsets: [Int],
    from start: Int,
    towards: Int
  ) -> [PixelPosition] {
    let line = width + 2
    func position(_ at: Int) -> PixelPosition {
      PixelPosition(x: Int32(at % line - 1), y: Int32(at / line - 1))
    }
    var last = -1
    for turn in 1..<8 {
      let direction = (towards + turn) & 7
      if labels[start + offsets[direction]] != 0 {
        last = direction
        break
      }
    }
    guard last >= 0 else {
      labels[start] = -2
      return [position(start)]
    }
    let end = start + offsets[last]
    var points: [PixelPosition] = []
    var here = start
    while true {
      // Counter-clockwise from where we came from: the first pixel that is not background is the next one.
      var direction = last
      var sawRight = false
      repeat {
        direction = (direction + 7) & 7
        if labels[here + offsets[direction]] != 0 { break }
        if direction == 0 { sawRight = true }
      } while direction != last
      if sawRight { labels[here] = -2 } else if labels[here] == 1 { labels[here] = 2 }
      points.append(position(here))
      let next = here + offsets[direction]
      if next == start && here == end { return points }
      here = next
      last = (direction + 4) & 7
    }
  }
}
