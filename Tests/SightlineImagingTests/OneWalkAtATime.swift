import SightlineImaging

/// What ``ContourTracer`` promises, in the plainest way: one walk after the other, with conditions in place of tables.
struct OneWalkAtATime {
  let isDark: [[Bool]]
  let limits: ContourTracer.Limits
  private var walked: Set<[Int]> = []
  private(set) var outlines: [[PixelPosition]] = []

  init(_ isDark: [[Bool]], _ limits: ContourTracer.Limits, isTaken: (Int, Int) -> Bool) {
    (self.isDark, self.limits) = (isDark, limits)
    for y in isDark.indices.reversed() where y % limits.rowStep == limits.rowStep / 2 {
      for x in isDark[y].indices where dark(x, y) && !dark(x - 1, y) && !walked.contains([x, y]) && !isTaken(x, y) {
        if limits.convexityLimit != nil, !dark(x + 1, y) || dark(x - 2, y) { continue }
        if let outline = walk(x, y), outline.count >= limits.shortest { outlines.append(outline) }
      }
    }
  }

  private func dark(_ x: Int, _ y: Int) -> Bool {
    y >= 0 && y < isDark.count && x >= 0 && x < isDark[y].count && isDark[y][x]
  }

  /// The border from the left side of a pixel on, when it is not given up.
  private mutating func walk(_ startX: Int, _ startY: Int) -> [PixelPosition]? {
    var (x, y) = (startX, startY)
    // The direction of the last step: up.
    var (dx, dy) = (0, -1)
    var points = [PixelPosition(x: Int32(x), y: Int32(y))]
    walked.insert([x, y])
    var detours = 0
    while points.count < limits.longest {
      // The pixels ahead on the left and on the right of a corner, where the pixel to its lower right is (x, y).
      let left = dark(x + (dx + dy - 1) / 2, y + (dy - dx - 1) / 2)
      let right = dark(x + (dx - dy - 1) / 2, y + (dy + dx - 1) / 2)
      if left { (dx, dy) = (dy, -dx) } else if !right { (dx, dy) = (-dy, dx) }
      x += dx
      y += dy
      if dy == -1, !walked.insert([x, y]).inserted { return x == startX && y == startY ? points : nil }
      points.append(PixelPosition(x: Int32(x), y: Int32(y)))
      guard let most = limits.convexityLimit, points.count % 32 == 1, points.count < limits.longest else { continue }
      detours += Self.detours(points.suffix(33))
      if 64 * detours > 512 + most * points.count || Self.area(points) < -2 * points.count - 16 { return nil }
    }
    return nil
  }

  private static func detours(_ points: ArraySlice<PixelPosition>) -> Int {
    var (across, upright) = (0, 0)
    for (a, b) in zip(points, points.dropFirst()) {
      across += Int(abs(b.x - a.x))
      upright += Int(abs(b.y - a.y))
    }
    let (first, last) = (points[points.startIndex], points[points.endIndex - 1])
    return min(across - Int(abs(last.x - first.x)), upright - Int(abs(last.y - first.y)))
  }

  /// Twice the area to the right, by every eighth position.
  private static func area(_ points: [PixelPosition]) -> Int {
    var sum = 0
    for index in stride(from: 8, to: points.count, by: 8) {
      let (first, a, b) = (points[0], points[index - 8], points[index])
      sum += Int((a.x - first.x) * (b.y - first.y) - (a.y - first.y) * (b.x - first.x))
    }
    return sum
  }
}
