import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

@Suite struct ExtendedTrackingTests {
  private let poster = Posters.rich(width: 200, height: 150, seed: 51)
  private let wall = Posters.rich(width: 520, height: 240, seed: 52, shapes: 260)

  private func target(_ picture: GrayImage) -> Target {
    picture.withView { TargetBuilder().build($0, name: Array("a".utf8), printedWidth: 0.3) }
  }

  /// The camera goes along a wall: poster and wall go to the left together.
  private func quad(_ step: Double) -> InlineArray<4, Vector2> { Posters.quad(Vector2(150 - 13 * step, 120), 150, 112) }

  private func frame(_ step: Int, hasPoster: Bool = true) -> GrayImage {
    let shift = 13 * Double(step)
    var pictures = [(wall, Posters.quad(Vector2(320 - shift, 120), 780, 360))]
    if hasPoster { pictures.append((poster, quad(Double(step)))) }
    return Posters.frame(pictures, width: 320, height: 240, seed: UInt64(step))
  }

  private func walk(_ tracker: TargetTracker, steps: Int, covered: ClosedRange<Int>? = nil) -> [[TargetSighting]] {
    var found: [TargetSighting] = []
    return (0..<steps).map { step in
      let isCovered = covered?.contains(step) ?? false
      frame(step, hasPoster: !isCovered).withView { tracker.process($0, time: Double(step) / 30, into: &found) }
      return found
    }
  }

  @Test func `a poster that left the view stays on its wall, without a gyroscope`() throws {
    let rows = walk(TargetTracker(targets: [target(poster)]), steps: 28)
    var (carried, worst, last) = (0, 0.0, 0.0)
    for (step, row) in rows.enumerated() {
      guard let only = row.first, only.state == .extrapolated else { continue }
      carried += 1
      worst = max(worst, Posters.error(only.corners(width: 200, height: 150), quad(Double(step))))
      #expect(only.cornerSigma > 3 && only.cornerSigma >= last)
      last = only.cornerSigma
    }
    // Longer than its motion alone would be believed.
    #expect(carried > 5)
    #expect(worst < 6, "\(worst) px")
  }

  @Test func `without the surroundings it is lost sooner`() {
    var parameters = TargetTracker.Parameters()
    parameters.usesSurroundings = false
    let rows = walk(TargetTracker(targets: [target(poster)], parameters: parameters), steps: 28)
    #expect(rows.count { $0.first?.state == .extrapolated } <= 4)
  }

  @Test func `what comes back in another place goes there without a jump`() throws {
    let tracker = TargetTracker(targets: [target(poster)])
    var found: [TargetSighting] = []
    let empty = Posters.frame([], width: 320, height: 240)
    func show(_ x: Double, _ step: Int) -> TargetSighting? {
      Posters.frame([(poster, Posters.quad(Vector2(x, 120), 150, 112))], width: 320, height: 240, seed: UInt64(step))
        .withView { tracker.process($0, time: Double(step) / 30, into: &found) }
      return found.first
    }
    for step in 0..<4 { _ = show(120, step) }
    for step in 4..<6 { empty.withView { tracker.process($0, time: Double(step) / 30, into: &found) } }
    #expect(found.first?.state == .extrapolated)
    let old = Posters.quad(Vector2(120, 120), 150, 112)
    let new = Posters.quad(Vector2(134, 120), 150, 112)
    let back = try #require(show(134, 6))
    #expect(back.state != .extrapolated)
    #expect(Posters.error(back.corners(width: 200, height: 150), new) < 0.5)
    var drawn: [Double] = [Posters.error(back.shownFromPicture.corners(width: 200, height: 150), old)]
    for step in 7..<16 {
      let seen = try #require(show(134, step))
      #expect(Posters.error(seen.corners(width: 200, height: 150), new) < 0.5)
      drawn.append(Posters.error(seen.shownFromPicture.corners(width: 200, height: 150), old))
    }
    // It is drawn where it was, then goes, and at no frame by much.
    #expect(drawn[0] < 1)
    #expect(zip(drawn, drawn.dropFirst()).allSatisfy { $1 >= $0 - 0.3 && $1 - $0 < 6 })
    #expect(abs(drawn[9] - 14) < 0.6)
  }

  @Test func `what is far behind a poster is not taken for its wall`() {
    let surroundings = BackgroundPlane()
    let frames = FramePyramid()
    let far = Posters.rich(width: 480, height: 240, seed: 53, shapes: 240)
    for step in 0..<8 {
      let t = Double(step)
      // The poster goes to the left by 9 pixels a step, all else by 2.
      let place = Posters.quad(Vector2(200 - 9 * t, 120), 120, 90)
      Posters.frame(
        [(far, Posters.quad(Vector2(200 - 2 * t, 120), 480, 240)), (poster, place)],
        width: 320,
        height: 240,
        seed: UInt64(step)
      ).withView { frames.set($0) }
      surroundings.expect(
        Homography(Matrix3(rows: Vector3(1, 0, step == 0 ? 0 : -9), Vector3(0, 1, 0), Vector3(0, 0, 1)))
      )
      surroundings.keep(frames, time: t, targets: [place])
    }
    #expect(!surroundings.isUseful)
  }
}
