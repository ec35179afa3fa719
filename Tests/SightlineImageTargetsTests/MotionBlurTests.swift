import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

/// What moves while the exposure is open.
@Suite struct MotionBlurTests {
  private func shift(_ x: Double, _ y: Double) -> Homography {
    Homography(Matrix3(rows: Vector3(1, 0, x), Vector3(0, 1, y), Vector3(0, 0, 1)))
  }

  @Test func `a motionBlur is as long as what moves at that moment, not in the mean since the last frame`() {
    // By 4 to the last frame, by 10 to this one: at the end of that it moves by 13 a frame.
    let steady = MotionBlur(before: shift(-10, 0), exposure: 0.5)
    let faster = MotionBlur(before: shift(-10, 0), earlier: shift(-4, 0), exposure: 0.5)
    #expect((steady.at(Vector2(50, 20)) - Vector2(5, 0)).length < 1e-9)
    #expect((faster.at(Vector2(50, 20)) - Vector2(6.5, 0)).length < 1e-9)
    // What turns back is hardly blurred along the old way.
    let turning = MotionBlur(before: shift(-4, 0), earlier: shift(-12, -6), exposure: 0.5)
    #expect((turning.at(Vector2(9, 9)) - Vector2(0, -1.5)).length < 1e-9)
    #expect(abs(MotionBlur(before: shift(-900, 0), exposure: 1).at(.zero).length - 60) < 1e-9)
  }

  @Test func `patches stay away from edges that are blurred across`() throws {
    let picture = Posters.rich(seed: 9)
    let reference = ReferencePyramid(picture)
    let quad = Posters.quad(Vector2(240, 180), 320, 240)
    let map = Posters.map(of: picture, to: quad)
    let set = PatchSet(capacity: 320)
    var chooser = PatchChooser()
    func leftmost(_ motionBlur: LevelMotionBlur?) -> (x: Double, y: Double) {
      _ = chooser.fill(set, from: reference, map, frameWidth: 480, frameHeight: 360, count: 300, motionBlur: motionBlur)
      #expect(set.patches.count > 100)
      let edges = set.patches.map { (Double($0.x) - quad[0].x, Double($0.y) - quad[0].y) }
      return (edges.map(\.0).min() ?? 0, edges.map(\.1).min() ?? 0)
    }
    let still = leftmost(nil)
    let along = leftmost(LevelMotionBlur(motionBlur: MotionBlur(before: shift(-24, 0), exposure: 1), level: 0))
    // Half of the motion blur less two pixels: what lies nearer shows the wall as well.
    #expect(along.x > still.x + 7 && along.x >= 9.9, "\(along) \(still)")
    #expect(along.y < still.y + 5)
  }

  @Test func `how long the exposure is shows in the length of the motion blur`() {
    let picture = Posters.rich(width: 170, height: 120, seed: 31)
    let target = picture.withView { TargetBuilder().build($0, name: [97]) }
    let tracker = TargetTracker(targets: [target])
    let place = shift(34, 29)
    // It moved by 20 pixels since the last frame, and the exposure is thought to take two fifths of the time.
    var track = TargetTracker.Track(model: TargetModel(target))
    track.begin(Alignment(frameFromReference: shift(14, 29)), time: 0)
    #expect(track.exposure == 0.4)
    for (length, expected) in [(4, 0.8), (8, 1.0), (12, 1.25)] {
      frame(picture, x: 34, y: 29, motionBlur: length).withView { tracker.frames.set($0) }
      #expect(tracker.follower.exposureRatio(track, place, level: 0) == expected, "blurred by \(length) pixels")
    }
    // Learned by half of it at a time, within bounds.
    var found = Alignment(frameFromReference: place)
    for (ratio, least, most) in [(0.8, 0.08, 0.09), (1.25, 0.79, 0.8)] {
      found.exposureRatio = ratio
      let before = track.exposure
      track.held(found, time: 0.03, turn: nil)
      #expect(abs(track.exposure - before * ratio.squareRoot()) < 1e-12)
      for _ in 0..<40 { track.held(found, time: 0.03, turn: nil) }
      #expect(track.exposure >= least && track.exposure <= most)
    }
  }

  /// A picture on a grey wall, blurred along x around its place.
  private func frame(_ picture: GrayImage, x: Int, y: Int, motionBlur: Int) -> GrayImage {
    var image = GrayImage(width: picture.width + 70, height: picture.height + 58)
    for row in 0..<image.height {
      for column in 0..<image.width {
        var sum = 0
        // Halfway before and halfway after its place.
        for step in 0..<motionBlur {
          let (u, v) = (column - x - step + motionBlur / 2, row - y)
          let isInside = u >= 0 && v >= 0 && u < picture.width && v < picture.height
          sum += isInside ? Int(picture[u, v]) : 90
        }
        image[column, row] = UInt8(sum / motionBlur)
      }
    }
    return image
  }
}
