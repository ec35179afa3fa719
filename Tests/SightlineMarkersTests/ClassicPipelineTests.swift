import SightlineImaging
import SightlineMarkers
import SightlineMath
import SightlineTestSupport
import Testing

/// The steps of the classic way, each on its own and one after the other.
struct ClassicPipelineTests {
  @Test func `unwarping takes each corner to its corner and keeps straight lines straight`() throws {
    // A ramp of grey levels: after unwarping by a pure scale it is the same ramp.
    var ramp = GrayImage(width: 60, height: 40)
    for y in 0..<40 { for x in 0..<60 { ramp[x, y] = UInt8(3 * x + y) } }
    var result = GrayImage(width: 1, height: 1)
    let map = Matrix3(rows: Vector3(0.5, 0, 10), Vector3(0, 0.25, 5), Vector3(0, 0, 1))
    ramp.withView { result.setUnwarped(of: $0, width: 50, height: 30, imageFromResult: map) }
    #expect(result.width == 50 && result.height == 30)
    for y in 0..<30 {
      for x in 0..<50 {
        let expected = 3 * (10 + 0.5 * Double(x)) + 5 + 0.25 * Double(y)
        #expect(abs(Double(result[x, y]) - expected) <= 0.5)
      }
    }
    // What lies outside, or beyond the horizon, has the level for that.
    let far = Matrix3(rows: Vector3(1, 0, 50), Vector3(0, 1, 0), Vector3(0, 0, 1))
    ramp.withView { result.setUnwarped(of: $0, width: 20, height: 4, imageFromResult: far, outside: 77) }
    #expect(result[9, 0] == 177 && result[10, 0] == 77)
    let beyond = Matrix3(rows: Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(-0.1, 0, 1))
    ramp.withView { result.setUnwarped(of: $0, width: 20, height: 4, imageFromResult: beyond, outside: 9) }
    #expect(result[15, 2] == 9)
  }

  @Test(arguments: MarkerFamily.allCases)
  func `cells of a tilted marker are read from its unwarped picture`(family: MarkerFamily) throws {
    for (index, degrees) in [0.0, 33, 140, 251].enumerated() {
      let id = index * (family.count - 1) / 3
      let corners = square(Vector2(60, 58), side: 64, degrees: degrees, lean: 0.2)
      let image = Print(family: family, id: id, corners: corners).draw(width: 120, height: 116, noise: 3)
      var front = GrayImage(width: 1, height: 1)
      let isThere = image.withView { front.setUnwarpedMarker(of: $0, corners: corners, cells: family.cells) }
      #expect(isThere && front.width == 8 * (family.cells + 2) && front.height == front.width)
      let grid = try #require(front.withView { CellGrid(unwarped: $0, cells: family.cells) })
      #expect(grid.code == family.code(id: id) && grid.lightBorderCells == 0 && grid.cells == family.cells)
      #expect((60...180).contains(grid.threshold))
    }
  }

  @Test func `what is no marker has no cells`() {
    var image = GrayImage(width: 64, height: 64, level: 90)
    #expect(image.withView { CellGrid(unwarped: $0, cells: 6) } == nil)
    let small = GrayImage(width: 23, height: 64)
    #expect(small.withView { CellGrid(unwarped: $0, cells: 6) } == nil)
    // Crossed corners.
    let crossed = Quadrilateral(Vector2(0, 0), Vector2(9, 9), Vector2(9, 0), Vector2(0, 9))
    var front = GrayImage(width: 2, height: 3, level: 5)
    let isThere = image.withView { front.setUnwarpedMarker(of: $0, corners: crossed, cells: 6) }
    #expect(!isThere && front == GrayImage(width: 2, height: 3, level: 5))
    // A light cell in the border is told of.
    for y in 0..<64 { for x in 0..<64 { image[x, y] = x >= 16 && x < 24 && y < 8 ? 220 : 30 } }
    #expect(image.withView { CellGrid(unwarped: $0, cells: 6) }?.lightBorderCells == 1)
  }

  /// Adaptive threshold, contours, polygons, unwarping, Otsu, cells, code: as the documentation of the module has it.
  private func classic(_ image: GrayImage, _ dictionary: MarkerDictionary) -> [(match: MarkerMatch, middle: Vector2)] {
    var mask = GrayImage(width: 1, height: 1)
    var integral = IntegralImage()
    image.withView { mask.setAdaptiveThreshold(of: $0, radius: 15, offset: 7, integral: &integral) }
    let decoder = MarkerDecoder([dictionary])
    var found: [(match: MarkerMatch, middle: Vector2)] = []
    for contour in mask.withView({ $0.contours(minimumLength: 64) }) where !contour.isHole {
      let corners = contour.polygon(tolerance: 0.03 * Double(contour.points.count))
      guard corners.count == 4 else { continue }
      var quad = Quadrilateral(repeating: .zero)
      for i in 0..<4 { quad[i] = Vector2(Double(corners[i].x), Double(corners[i].y)) }
      let (a, b) = (quad[1] - quad[0], quad[2] - quad[1])
      if a.x * b.y - a.y * b.x < 0 { (quad[1], quad[3]) = (quad[3], quad[1]) }
      var front = GrayImage(width: 1, height: 1)
      guard image.withView({ front.setUnwarpedMarker(of: $0, corners: quad, cells: dictionary.cells) }),
        let grid = front.withView({ CellGrid(unwarped: $0, cells: dictionary.cells) }), grid.lightBorderCells == 0,
        let match = decoder.match(grid.code, cells: dictionary.cells)
      else { continue }
      found.append((match, (quad[0] + quad[1] + quad[2] + quad[3]) * 0.25))
    }
    return found
  }

  @Test(arguments: [MarkerDictionary.arucoOriginal, .grid4x4Of50, .grid6x6Of250, .grid7x7Of1000, .apriltag36h11])
  func `one after the other they find a marker, as the detector does`(dictionary: MarkerDictionary) throws {
    for (index, degrees) in [4.0, 77, 201].enumerated() {
      let id = 3 + index * (dictionary.count - 4) / 2
      let center = Vector2(72, 66)
      let corners = square(center, side: 72, degrees: degrees)
      let image = Print(family: dictionary.family, id: id, corners: corners).draw(width: 144, height: 132, noise: 3)
      let found = classic(image, dictionary)
      let one = try #require(found.first)
      #expect(found.count == 1 && one.match.id == id && one.match.wrongCells == 0)
      #expect((one.middle - center).length < 4)
      #expect(markers(in: image, [dictionary]).map { $0.id } == [id])
    }
  }
}
