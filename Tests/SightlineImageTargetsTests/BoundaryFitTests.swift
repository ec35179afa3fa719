import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

/// What the edges of a print add to what is in it.
@Suite struct BoundaryFitTests {
  private let width = 300
  private let height = 220

  /// All there is to hold on to is in the left lower quarter.
  private var poor: GrayImage {
    var image = GrayImage(width: width, height: height)
    let full = Posters.rich(width: 130, height: 95, seed: 5, shapes: 60)
    for y in 0..<height {
      for x in 0..<width {
        let inside = x >= 12 && x < 142 && y >= 115 && y < 210
        image[x, y] = inside ? full[x - 12, y - 115] : 190
      }
    }
    return image
  }

  /// Answers where the edges are found when the map is off by some pixels.
  private func edges(
    _ picture: GrayImage,
    _ frame: GrayImage,
    _ corners: InlineArray<4, Vector2>
  ) throws -> [BoundaryFit.Edge] {
    let unit = try #require(Homography(unitSquareTo: corners))
    let (w, h) = (Double(picture.width), Double(picture.height))
    let map = unit * Homography(Matrix3(rows: Vector3(1 / w, 0, 0.5 / w), Vector3(0, 1 / h, 0.5 / h), Vector3(0, 0, 1)))
    var fit = BoundaryFit()
    frame.withView {
      fit.look(
        ReferencePyramid(picture),
        corners: corners,
        map: map.scaled,
        corrected: { $0 },
        frame: $0,
        motionBlur: nil
      )
    }
    return fit.edges
  }

  @Test func `edges are where they are, along the way out`() throws {
    let quad = Posters.quad(Vector2(240, 180), 260, 190)
    let frame = Posters.frame([(poor, quad)], seed: 3)
    var moved = quad
    for i in 0..<4 { moved[i] = quad[i] + Vector2(1.4, -0.8) }
    let found = try edges(poor, frame, moved)
    #expect(found.count > 60)
    for edge in found { #expect(abs(edge.offset + edge.normal.dot(Vector2(1.4, -0.8))) < 0.45, "\(edge)") }
  }

  @Test func `a picture cut out of a larger one has no outline`() throws {
    let whole = Posters.rich(width: 460, height: 340, seed: 8, shapes: 220)
    var part = GrayImage(width: width, height: height)
    for y in 0..<height { for x in 0..<width { part[x, y] = whole[x + 80, y + 60] } }
    let frame = Posters.frame([(whole, Posters.quad(Vector2(240, 180), 460, 340))], seed: 4)
    let found = try edges(part, frame, Posters.quad(Vector2(240, 180), 300, 220))
    #expect(found.count < 12, "\(found.count) edges where nothing ends")
  }

  @Test func `corners far from all that a print shows are held by its edges`() throws {
    let target = poor.withView { TargetBuilder().build($0, name: Array("a".utf8)) }
    let tracker = TargetTracker(targets: [target])
    var found: [TargetSighting] = []
    var (worst, seen) = (0.0, 0)
    for step in 0..<12 {
      let quad = Posters.quad(Vector2(240 + 2 * Double(step), 180), 270, 200)
      Posters.frame([(poor, quad)], seed: UInt64(20 + step), gain: 0.9)
        .withView { tracker.process($0, time: Double(step) / 30, into: &found) }
      guard let only = found.first, only.state == .tracked, let corners = only.corners(width: width, height: height)
      else {
        continue
      }
      seen += 1
      // The corner that is farthest from the quarter that shows something.
      worst = max(worst, (corners[1] - quad[1]).length)
    }
    #expect(seen >= 10)
    #expect(worst < 0.5, "\(worst) px")
  }
}
