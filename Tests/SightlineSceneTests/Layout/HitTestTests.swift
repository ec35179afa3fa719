import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineScene

@Suite struct HitTestTests {
  func item(_ feature: Int32, _ x: Double, _ y: Double, _ width: Double, _ height: Double) -> SceneItem {
    var item = SceneItem()
    item.feature = feature
    item.center = Vector2(x, y)
    item.width = width
    item.height = height
    return item
  }

  @Test(arguments: [(22.0, 44.0), (21, 45), (44, 44), (43, 45), (100, 100), (0, 44), (1, 45)])
  func `sides below 44 grow about the centre by whole points`(side: Double, grown: Double) {
    #expect(HitTest.grownSide(side) == grown)
  }

  @Test func `touch areas are grown, and no more`() {
    var frame = SceneFrame()
    frame.items = [item(7, 100, 100, 20, 100)]
    #expect(HitTest.hit(Vector2(122, 150), in: frame) == .feature(7))
    #expect(HitTest.hit(Vector2(122.1, 150), in: frame) == .none)
    #expect(HitTest.hit(Vector2(122, 150.1), in: frame) == .none)
  }

  @Test func `of those hit the nearest centre wins, in whatever order they are drawn`() {
    var frame = SceneFrame()
    let wide = item(1, 200, 100, 200, 32)
    let small = item(2, 110, 120, 20, 20)
    for items in [[wide, small], [small, wide]] {
      frame.items = items
      #expect(HitTest.hit(Vector2(112, 112), in: frame) == .feature(2))
      #expect(HitTest.hit(Vector2(160, 105), in: frame) == .feature(1))
    }
  }

  @Test func `features, clusters and arrows compete alike`() {
    var frame = SceneFrame()
    frame.items = [item(1, 100, 100, 44, 44)]
    var cluster = SceneCluster()
    cluster.id = 9
    cluster.center = Vector2(130, 100)
    cluster.width = 40
    cluster.height = 40
    frame.clusters = [cluster]
    var arrow = EdgeArrow()
    arrow.position = Vector2(160, 100)
    frame.arrows = [EdgeArrow(), arrow]
    #expect(HitTest.hit(Vector2(114, 100), in: frame) == .feature(1))
    #expect(HitTest.hit(Vector2(116, 100), in: frame) == .cluster(9))
    #expect(HitTest.hit(Vector2(146, 100), in: frame) == .arrow(1))
    #expect(HitTest.hit(Vector2(115, 100), in: frame) == .feature(1), "a tie goes to the feature")
    #expect(HitTest.hit(Vector2(300, 300), in: frame) == .none)
  }

  @Test func `what does something is preferred to what does nothing, however near`() {
    var frame = SceneFrame()
    frame.items = [item(1, 100, 100, 44, 44), item(2, 130, 100, 44, 44), item(3, 135, 100, 44, 44)]
    #expect(HitTest.hit(Vector2(118, 100), in: frame) { $0 != 2 && $0 != 1 } == .feature(3))
    #expect(HitTest.hit(Vector2(118, 100), in: frame) { _ in false } == .feature(2))
    #expect(HitTest.hit(Vector2(118, 100), in: frame) == .feature(2))
  }

  @Test func `boxes are turned by the roll`() {
    var frame = SceneFrame()
    frame.items = [item(1, 200, 200, 200, 44)]
    frame.roll = Angle(degrees: 90)
    #expect(HitTest.hit(Vector2(200, 290), in: frame) == .feature(1))
    #expect(HitTest.hit(Vector2(290, 200), in: frame) == .none)
    frame.roll = Angle(degrees: 45)
    // Clockwise on the screen: the box's right end points to the lower right.
    #expect(HitTest.hit(Vector2(265, 265), in: frame) == .feature(1))
    #expect(HitTest.hit(Vector2(265, 135), in: frame) == .none)
  }

  @Test func `what is invisible is not hit, nor does a point that is no number hit anything`() {
    var frame = SceneFrame()
    frame.items = [item(1, 200, 200, 200, 44)]
    frame.items[0].opacity = 0
    #expect(HitTest.hit(Vector2(200, 200), in: frame) == .none)
    frame.items[0].opacity = 0.1
    #expect(HitTest.hit(Vector2(200, 200), in: frame) == .feature(1))
    #expect(HitTest.hit(Vector2(.nan, 200), in: frame) == .none)
  }
}
