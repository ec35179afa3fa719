import SightlineCamera
import SightlineImaging
import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineImageTargets

@Suite struct AffineViewTests {
  private func target(_ picture: GrayImage, _ name: String = "a") -> Target {
    picture.withView { TargetBuilder().build($0, name: Array(name.utf8)) }
  }

  /// Where the corners of a print are that is squeezed along a direction: seen from aside.
  private func quad(_ width: Double, _ height: Double, squeeze: Double, degrees: Double) -> InlineArray<4, Vector2> {
    var corners = Posters.quad(.zero, width, height)
    let angle = Angle(degrees: degrees).radians
    let (c, s) = (cos(angle), sin(angle))
    for i in 0..<4 {
      var p = corners[i].rotated(cosine: c, sine: -s)
      p.x *= squeeze
      corners[i] = Vector2(240, 180) + p.rotated(cosine: c, sine: s)
    }
    return corners
  }

  @Test(arguments: 0..<AffineView.count) func `a view shows what the frame has in its places`(direction: Int) {
    for (width, height) in [(96, 72), (97, 41), (33, 64)] {
      var frame = GrayImage(width: width, height: height)
      for y in 0..<height { for x in 0..<width { frame[x, y] = UInt8(30 + x + 2 * y / 3) } }
      var view = AffineView()
      frame.withView { view.draw($0, direction: direction) }
      var seen = 0
      for y in 0..<view.picture.height {
        for x in 0..<view.picture.width {
          guard let p = view.frameFromView(Vector2(Double(x), Double(y))) else { continue }
          guard p.x > 1, p.y > 1, p.x < Double(width - 2), p.y < Double(height - 2) else { continue }
          seen += 1
          #expect(abs(Double(view.picture[x, y]) - (30 + p.x + 2 * p.y / 3)) < 1.3)
        }
      }
      // Half of the frame's pixels, less its rim.
      #expect(2 * seen > (width - 4) * (height - 4) * 9 / 10 - 2 * (width + height))
      #expect(2 * seen < width * height)
    }
  }

  @Test func `prints from far aside are found that way, and none in their place`() {
    let pictures = (0..<6).map { Posters.rich(width: 240, height: 180, seed: UInt64(800 + $0), shapes: 160) }
    let recognizer = TargetRecognizer(targets: pictures.enumerated().map { target($1, "\($0)") })
    let unknown = Posters.rich(width: 240, height: 180, seed: 799, shapes: 160)
    var found: [TargetSighting] = []
    var (before, after) = (0, 0)
    for degrees in [0.0, 90] {
      for squeeze in [0.3, 0.24] {
        // Its corners are outside: there is no outline to find it by.
        let place = quad(760, 570, squeeze: squeeze, degrees: degrees)
        let frame = Posters.frame([(pictures[2], place)])
        recognizer.effort.views = 0..<0
        frame.withView { recognizer.recognize($0, into: &found) }
        before += found.count
        recognizer.effort.views = 0..<AffineView.count
        frame.withView { recognizer.recognize($0, into: &found) }
        after += found.count
        for sighting in found {
          #expect(sighting.target == 2)
          #expect(Posters.error(sighting.corners(width: 240, height: 180), place) < 0.6)
        }
      }
      let place = quad(760, 570, squeeze: 0.3, degrees: degrees)
      Posters.frame([(unknown, place)]).withView { recognizer.recognize($0, into: &found) }
      #expect(found.isEmpty)
    }
    #expect(after >= before + 2, "\(before) and \(after) of 4")
    for frame in [Posters.frame([], noise: 25), GrayImage(width: 1, height: 1), Posters.rich(width: 49, height: 50)] {
      frame.withView { recognizer.recognize($0, into: &found) }
      #expect(found.isEmpty)
    }
  }
}
