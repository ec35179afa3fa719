import SightlineMath
import SightlineTestSupport
import Testing

@Suite struct QuadrilateralTests {
  /// Clockwise on a screen, 4 wide and 3 high.
  private let box = Quadrilateral(Vector2(10, 20), Vector2(14, 20), Vector2(14, 23), Vector2(10, 23))

  @Test func `measures of a rectangle`() {
    #expect(box.center == Vector2(12, 21.5))
    #expect(box.area == 12 && box.signedArea == 12)
    #expect(box.perimeter == 14 && box.shortestSide == 3 && box.longestSide == 4)
    #expect(box.diagonals.0.length == 5 && box.diagonals.1.length == 5)
    #expect(abs(box.smallerSideByDiagonals - 5 / 1.5) < 1e-12)
    #expect(box.isConvexClockwise && box.isFinite)
    #expect(box.side(3) == Vector2(0, -3) && box.corner(after: 3) == Vector2(10, 20))
  }

  @Test func `the other way around the area is negative`() {
    #expect(box.reversed.signedArea == -12 && box.reversed.area == 12)
    #expect(!box.reversed.isConvexClockwise)
    #expect(box.reversed[0] == box[0] && box.reversed[1] == box[3])
  }

  @Test func `another first corner changes no measure`() {
    for first in 0..<4 {
      let turned = box.beginning(at: first)
      #expect(turned[0] == box[first] && turned[3] == box[(first + 3) & 3])
      #expect(turned.area == 12 && turned.perimeter == 14 && turned.isConvexClockwise)
      #expect((turned == box) == (first == 0))
    }
  }

  @Test func `what is crossed, dented or flat is not convex`() {
    #expect(!Quadrilateral(box[0], box[2], box[1], box[3]).isConvexClockwise)
    #expect(!Quadrilateral(box[0], box[1], Vector2(11, 20.5), box[3]).isConvexClockwise)
    #expect(!Quadrilateral(box[0], box[1], Vector2(18, 20), box[3]).isConvexClockwise)
    #expect(!Quadrilateral(repeating: .zero).isConvexClockwise)
    var unknown = box
    unknown[2] = Vector2(.nan, 0)
    #expect(!unknown.isConvexClockwise && !unknown.isFinite && unknown != box)
  }

  @Test(arguments: 0..<20)
  func `the area is that of both triangles, wherever it lies`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func point() -> Vector2 {
      Vector2(Double.random(in: -9...9, using: &random), Double.random(in: -9...9, using: &random))
    }
    let quad = Quadrilateral(point(), point(), point(), point())
    let triangles = (quad[1] - quad[0]).cross(quad[2] - quad[0]) + (quad[2] - quad[0]).cross(quad[3] - quad[0])
    #expect(abs(quad.signedArea - triangles / 2) < 1e-12)
    let far = quad.map { $0 + Vector2(1024, 4096) }
    #expect(abs(far.signedArea - quad.signedArea) < 1e-10)
    #expect(abs(far.largestDistance(to: quad) - Vector2(1024, 4096).length) < 1e-9)
  }
}
