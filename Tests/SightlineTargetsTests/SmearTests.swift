import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineTargets

/// What moves while the shutter is open.
@Suite struct SmearTests {
  private func shift(_ x: Double, _ y: Double) -> Homography {
    Homography(Matrix3(rows: Vector3(1, 0, x), Vector3(0, 1, y), Vector3(0, 0, 1)))
  }

  @Test func `a smear is as long as what moves at that moment, not in the mean since the last frame`() {
    // By 4 to the last frame, by 10 to this one: at the end of that it moves by 13 a frame.
    let steady = Smear(before: shift(-10, 0), shutter: 0.5)
    let faster = Smear(before: shift(-10, 0), earlier: shift(-4, 0), shutter: 0.5)
    #expect((steady.at(Vector2(50, 20)) - Vector2(5, 0)).length < 1e-9)
    #expect((faster.at(Vector2(50, 20)) - Vector2(6.5, 0)).length < 1e-9)
    // What turns back is hardly smeared along the old way.
    let turning = Smear(before: shift(-4, 0), earlier: shift(-12, -6), shutter: 0.5)
    #expect((turning.at(Vector2(9, 9)) - Vector2(0, -1.5)).length < 1e-9)
    #expect(abs(Smear(before: shift(-900, 0), shutter: 1).at(.zero).length - 60) < 1e-9)
  }

  @Test func `patches stay away from edges that are smeared across`() throws {
    let picture = Posters.rich(seed: 9)
    let reference = ReferencePyramid(picture)
    let quad = Posters.quad(Vector2(240, 180), 320, 240)
    let map = Posters.map(of: picture, to: quad)
    let set = PatchSet(capacity: 320)
    var chooser = PatchChooser()
    func leftmost(_ smear: LevelSmear?) -> (x: Double, y: Double) {
      _ = chooser.fill(set, from: reference, map, frameWidth: 480, frameHeight: 360, count: 300, smear: smear)
      #expect(set.patches.count > 100)
      let edges = set.patches.map { (Double($0.x) - quad[0].x, Double($0.y) - quad[0].y) }
      return (edges.map(\.0).min() ?? 0, edges.map(\.1).min() ?? 0)
    }
    let still = leftmost(nil)
    let along = leftmost(LevelSmear(smear: Smear(before: shift(-24, 0), shutter: 1), level: 0))
    // Half of the smear less two pixels: what lies nearer shows the wall as well.
    #expect(along.x > still.x + 7 && along.x >= 9.9, "\(along) \(still)")
    #expect(along.y < still.y + 5)
  }
}
