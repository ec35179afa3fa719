import SightlineImaging
import SightlineTestSupport
import Testing

struct ContourTests {
  private func contours(_ image: GrayImage) -> [Contour] { image.withView { $0.contours() } }

  @Test func `a ring has a border outside and one inside`() {
    let found = contours(
      drawing(
        "......",
        ".####.",
        ".#..#.",
        ".####.",
        "......"
      )
    )
    #expect(found.map { $0.isHole } == [false, true])
    #expect(found[0].points.count == 10)
    #expect(found[0].points[0] == PixelPosition(x: 1, y: 1))
  }

  @Test func `dots, lines and the whole picture have borders`() {
    #expect(contours(drawing("#")).map { $0.points } == [[PixelPosition(x: 0, y: 0)]])
    #expect(contours(drawing("####"))[0].points.map { $0.x } == [0, 1, 2, 3, 2, 1])
    #expect(contours(drawing("..", "..")).isEmpty)
    #expect(contours(GrayImage(width: 5, height: 4, level: maskLevel))[0].points.count == 14)
    #expect(drawing("####", "....", "#...").withView { $0.contours(minimumLength: 2) }.count == 1)
  }

  @Test(arguments: 0..<40)
  func `each area has one border outside and one for each hole`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var image = GrayImage(width: 24, height: 19)
    let share = Double(seed % 10 + 1) / 11
    for y in 0..<19 {
      for x in 0..<24 where Double.random(in: 0..<1, using: &random) < share { image[x, y] = maskLevel }
    }
    let found = contours(image)
    #expect(found.count { !$0.isHole } == areas(image, mask: true))
    // The background that reaches the edge of the picture is one area, in a frame around it; it is no hole.
    #expect(found.count { $0.isHole } == areas(image, mask: false) - 1)
    for contour in found {
      for (index, point) in contour.points.enumerated() {
        #expect(image[Int(point.x), Int(point.y)] == maskLevel)
        let next = contour.points[(index + 1) % contour.points.count]
        #expect(max(abs(next.x - point.x), abs(next.y - point.y)) <= 1)
      }
    }
  }

  /// Areas by flooding: what is set connects over diagonals, background does not and has a frame around the picture.
  private func areas(_ image: GrayImage, mask: Bool) -> Int {
    var open = Set<Int>()
    let line = image.width + 2
    for y in 0..<(image.height + 2) {
      for x in 0..<line {
        let inside = x > 0 && y > 0 && x <= image.width && y <= image.height
        if (inside && image[x - 1, y - 1] != 0) == mask { open.insert(y * line + x) }
      }
    }
    var count = 0
    while let start = open.popFirst() {
      count += 1
      var stack = [start]
      while let at = stack.popLast() {
        for dy in -1...1 {
          for dx in -1...1 where mask || dx == 0 || dy == 0 {
            let (x, y) = (at % line + dx, at / line + dy)
            if x >= 0, x < line, let next = open.remove(y * line + x) { stack.append(next) }
          }
        }
      }
    }
    return count
  }

  @Test func `the polygon of a square has its four corners`() {
    var image = GrayImage(width: 40, height: 30)
    for y in 5...20 { for x in 8...30 { image[x, y] = maskLevel } }
    let corners = contours(image)[0].polygon(tolerance: 1)
    #expect(corners.count == 4)
    for (x, y) in [(8, 5), (30, 5), (30, 20), (8, 20)] {
      #expect(corners.contains(PixelPosition(x: Int32(x), y: Int32(y))))
    }
  }

  @Test(arguments: [0.5, 1.5, 4])
  func `a polygon stays within its tolerance of the border`(tolerance: Double) {
    var image = GrayImage(width: 60, height: 60)
    for y in 0..<60 {
      for x in 0..<60 where (x - 30) * (x - 30) + 2 * (y - 28) * (y - 28) < 600 { image[x, y] = maskLevel }
    }
    let border = contours(image)[0]
    let corners = border.polygon(tolerance: tolerance)
    #expect(corners.count > 4 && corners.count < border.points.count)
    for point in border.points {
      let nearest = corners.indices.map { index in
        distance(point, corners[index], corners[(index + 1) % corners.count])
      }.min()
      #expect((nearest ?? .infinity) <= tolerance + 1e-9)
    }
  }

  @Test func `a dot and a line are polygons too`() {
    #expect(contours(drawing("#"))[0].polygon(tolerance: 1).count == 1)
    #expect(contours(drawing("#####"))[0].polygon(tolerance: 1).map { $0.x }.sorted() == [0, 4])
  }

  private func distance(_ p: PixelPosition, _ a: PixelPosition, _ b: PixelPosition) -> Double {
    let (dx, dy) = (Double(b.x - a.x), Double(b.y - a.y))
    let (x, y) = (Double(p.x - a.x), Double(p.y - a.y))
    let along = dx * dx + dy * dy > 0 ? min(1, max(0, (x * dx + y * dy) / (dx * dx + dy * dy))) : 0
    return ((x - along * dx) * (x - along * dx) + (y - along * dy) * (y - along * dy)).squareRoot()
  }
}
