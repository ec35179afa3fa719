import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineScene

@Suite struct GroundPinTests {
  @Test func `pins stand upright in the view, and their length says how far they are`() {
    var stage = GroundStage([Vector2(0, 60), Vector2(0, 240), Vector2(0, 900), Vector2(0, 3000)])
    stage.look(pitch: 0)
    let lengths = stage.frame.pins.map { ($0.foot - $0.head).length }
    #expect(zip(lengths, lengths.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(isNear(lengths[0], 84, within: 1e-6) && isNear(lengths[3], 46, within: 1e-6))
    for pin in stage.frame.pins { #expect(isNear(pin.foot.x, pin.head.x, within: 1e-9) && pin.head.y < pin.foot.y) }
    #expect(isNear(stage.frame.pinAxis.z, 1, within: 1e-12))
  }

  @Test(arguments: [-90.0, -75, -60, -45])
  func `a pin in the middle is never seen end on`(pitch: Double) {
    var stage = GroundStage()
    stage.look(heading: 0, pitch: pitch)
    // In the middle of the screen.
    stage.view.setPins([GroundPin(position: Vector2(0, stage.frame.eye.z / tan(-pitch * pi / 180)))])
    stage.look(heading: 0, pitch: pitch)
    let pin = stage.frame.pins[0]
    let length = (pin.foot - pin.head).length
    #expect(length > 0.5 * stage.view.pinLength(depth: pin.depth), "\(length) points at \(pitch)°")
    #expect(isNear(stage.frame.pinAxis.length, 1, within: 1e-9))
  }

  @Test func `labels never overlap, the selected one comes first, and they keep their places`() throws {
    var random = SplitMix64(seed: 5)
    var stage = GroundStage(
      (0..<80).map { _ in Vector2(.random(in: -90...90, using: &random), .random(in: 40...400, using: &random)) },
      labels: Vector2(110, 34)
    )
    stage.look(pitch: -15)
    let first = (0..<80).filter { stage.frame.pins[$0].hasLabel }
    #expect(first.count > 2 && first.count <= stage.view.parameters.maximumLabels)
    let hidden = try #require((0..<80).first { stage.frame.pins[$0].isInView && !stage.frame.pins[$0].hasLabel })
    stage.look(heading: 0.02, pitch: -15.02)
    #expect(first.allSatisfy { stage.frame.pins[$0].hasLabel })
    stage.view.selected = hidden
    stage.look(heading: 0.02, pitch: -15.02)
    #expect(stage.frame.pins[hidden].hasLabel)
    for pitch in [-15.0, -40, -85] {
      stage.look(pitch: pitch, roll: 20)
      let labels = stage.frame.pins.filter { $0.hasLabel }
      let bounds = LabelBounds(width: 320, height: 480, roll: stage.frame.roll)
      let centers = labels.map { bounds.levelled(fromScreen: $0.label) }
      for a in 0..<centers.count {
        for b in 0..<a {
          #expect(abs(centers[a].x - centers[b].x) >= 110 || abs(centers[a].y - centers[b].y) >= 34)
        }
      }
    }
  }

  @Test func `no label lies under a bar, and the selected one is drawn out from under it`() throws {
    var random = SplitMix64(seed: 5)
    var stage = GroundStage(
      (0..<80).map { _ in Vector2(.random(in: -90...90, using: &random), .random(in: 40...400, using: &random)) },
      labels: Vector2(110, 34)
    )
    stage.look(pitch: -15)
    let middle = try #require(stage.frame.pins.first { $0.hasLabel }).label
    let cover = GroundView.Cover(minimum: middle - Vector2(60, 20), maximum: middle + Vector2(60, 20))
    stage.view.covers = [cover]
    let isUnder = { (pin: PlacedPin) in
      pin.hasLabel && abs(pin.label.x - middle.x) < 60 + 55 - 1e-9 && abs(pin.label.y - middle.y) < 20 + 17 - 1e-9
    }
    let before = stage.frame.pins.firstIndex(where: isUnder)
    stage.look(pitch: -15)
    #expect(!stage.frame.pins.contains(where: isUnder))
    stage.view.selected = try #require(before)
    stage.look(pitch: -15)
    #expect(stage.frame.pins[try #require(before)].hasLabel && !stage.frame.pins.contains(where: isUnder))
  }

  @Test func `an arrow points to the selected pin while it is outside, to the side when it is behind`() {
    var stage = GroundStage([Vector2(0, 100), Vector2(-30, -100), Vector2(400, 100), Vector2(30, -100)])
    stage.look()
    #expect(!stage.frame.hasArrow)
    stage.view.selected = 0
    stage.look()
    #expect(!stage.frame.hasArrow)
    stage.view.selected = 1
    stage.look()
    #expect(stage.frame.hasArrow && isNear(stage.frame.arrowDirection.degrees, -90, within: 1e-9))
    #expect(isNear(stage.frame.arrow.x, 40, within: 1e-9))
    stage.view.selected = 3
    stage.look()
    #expect(isNear(stage.frame.arrowDirection.degrees, 90, within: 1e-9))
    stage.view.selected = 2
    stage.look()
    #expect(stage.frame.hasArrow && isNear(stage.frame.arrow.x, 280, within: 1e-9))
    stage.look(heading: 76)
    #expect(!stage.frame.hasArrow)
  }

  @Test func `a touch means the pin it is on, and the one in front where two are`() throws {
    var stage = GroundStage([Vector2(0, 300), Vector2(1, 150), Vector2(60, 200)])
    stage.look(pitch: -10)
    let far = stage.frame.pins[0]
    #expect(stage.view.hit(far.head, in: stage.frame) == 0)
    #expect(stage.view.hit(stage.frame.pins[2].foot + Vector2(10, 5), in: stage.frame) == 2)
    #expect(stage.view.hit(Vector2(20, 470), in: stage.frame) == nil)
    var twins = GroundStage([Vector2(0, 300), Vector2(0, 299)])
    twins.look(pitch: -10)
    #expect(twins.view.hit(twins.frame.pins[0].head, in: twins.frame) == 1)
  }

  @Test func `new pins forget the labels and a selection that is gone`() {
    var stage = GroundStage([Vector2(0, 100), Vector2(10, 100)], labels: Vector2(50, 20))
    stage.view.selected = 1
    stage.look()
    stage.view.setPins([GroundPin(position: Vector2(0, 50))])
    #expect(stage.view.selected == nil)
    stage.look()
    #expect(stage.frame.pins.count == 1 && !stage.frame.pins[0].hasLabel)
  }
}
