import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineScene

@Suite struct LabelBoundsTests {
  @Test func `levelled and screen points are the same without roll, and turn clockwise with it`() {
    let level = LabelBounds(width: 390, height: 844)
    #expect(level.levelled(fromScreen: Vector2(12.3, 45.6)) == Vector2(12.3, 45.6))
    // The world's up points to the screen's right: what is above the centre in the world is right of it.
    let turned = LabelBounds(width: 390, height: 844, roll: Angle(degrees: 90))
    let p = turned.screen(fromLevelled: Vector2(195, 422 - 100))
    #expect(isNear(p.x, 295, within: 1e-9) && isNear(p.y, 422, within: 1e-9))
  }

  @Test func `one is the inverse of the other`() {
    var generator = SplitMix64(seed: 11)
    for _ in 0..<100 {
      let bounds = LabelBounds(
        width: .random(in: 1...2000, using: &generator),
        height: .random(in: 1...2000, using: &generator),
        roll: Angle(radians: .random(in: -7...7, using: &generator))
      )
      let p = Vector2(.random(in: -1e4...1e4, using: &generator), .random(in: -1e4...1e4, using: &generator))
      let back = bounds.levelled(fromScreen: bounds.screen(fromLevelled: p))
      #expect((back - p).length < 1e-9)
    }
  }

  @Test func `a label follows its place out of the picture without a jump`() {
    let bounds = LabelBounds(width: 390, height: 844)
    var last: Double?
    for step in 0...200 {
      let x = 60 - Double(step)
      let center = bounds.clamped(
        center: Vector2(x, 400),
        width: 120,
        height: 32,
        anchor: Vector2(x, 416),
        margin: 6
      )
      if let last { #expect(abs(center.x - last) <= 2.001) }
      last = center.x
      if x >= 0 { #expect(center.x == max(66, x)) }
      if x <= -66 { #expect(center.x == x) }
    }
  }
}
