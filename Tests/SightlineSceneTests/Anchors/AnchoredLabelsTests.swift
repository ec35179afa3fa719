import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineScene

@Suite struct AnchoredLabelsTests {
  private let screen = (width: 390.0, height: 844.0)

  private func overlap(_ a: ScreenRectangle, _ b: ScreenRectangle) -> Bool {
    a.x < b.maxX && b.x < a.maxX && a.y < b.maxY && b.y < a.maxY
  }

  private func place(
    _ labels: inout AnchoredLabels,
    _ wanted: [AnchoredLabels.Wanted],
    _ obstacles: [ScreenRectangle] = []
  ) -> [ScreenRectangle?] {
    labels.place(wanted, width: screen.width, height: screen.height, obstacles: obstacles)
  }

  private func label(
    _ feature: Int32,
    _ x: Double,
    _ y: Double,
    _ width: Double = 100,
    _ height: Double = 30
  )
    -> AnchoredLabels.Wanted
  {
    AnchoredLabels.Wanted(feature: feature, place: Vector2(x, y), width: width, height: height)
  }

  @Test func `labels on one picture lie on nothing, wherever they want to be`() {
    let bars = [(0.0, 0.0, 390.0, 60.0), (0, 720, 390, 124), (12, 580, 100, 120)].map {
      ScreenRectangle(x: $0.0, y: $0.1, width: $0.2, height: $0.3)
    }
    for seed in 1...200 {
      var g = SplitMix64(seed: UInt64(seed))
      func any(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &g) }
      var wanted = (0..<8).map { label($0, any(60...330), any(200...600), any(24...200), any(24...60)) }
      var labels = AnchoredLabels()
      var shown = 0
      for step in 0..<10 {
        let boxes = place(&labels, wanted, bars).compactMap { $0 }
        shown += boxes.count
        for (k, box) in boxes.enumerated() {
          #expect(box.x >= 0 && box.y >= 0 && box.maxX <= screen.width && box.maxY <= screen.height, "seed \(seed)")
          for other in bars + boxes[(k + 1)...] { #expect(!overlap(box, other), "seed \(seed), step \(step)") }
        }
        for k in wanted.indices { wanted[k].place = wanted[k].place + Vector2(any(-3...3), any(-3...3)) }
      }
      #expect(shown >= 50, "seed \(seed): \(shown) of 80")
    }
  }

  @Test func `a label stands over its place when nothing is in its way`() {
    var labels = AnchoredLabels()
    #expect(place(&labels, [label(1, 200, 400)]) == [ScreenRectangle(x: 150, y: 370, width: 100, height: 30)])
  }

  @Test func `a label at the edge is moved in by the margin`() {
    var labels = AnchoredLabels()
    #expect(place(&labels, [label(1, 2, 3)]) == [ScreenRectangle(x: 6, y: 6, width: 100, height: 30)])
    // One that is wider than the display has its middle there: it cannot be shown whole.
    #expect(place(&labels, [label(2, 200, 400, 500, 30)]) == [nil])
  }

  @Test func `a label stays where it was pushed while the hand trembles`() throws {
    var labels = AnchoredLabels()
    func second(_ shake: Double) throws -> Double {
      let places = place(&labels, [label(1, 200, 400), label(2, 200 + shake, 398 + shake)])
      let box = try #require(places[1])
      return box.y - (368 + shake)
    }
    let way = try second(0)
    #expect(way != 0)
    for shake in [3.0, -3, 5, -5, 2] { #expect(try second(shake) * way > 0) }
  }

  @Test func `a label that was pushed goes back when its place is much nearer`() throws {
    var labels = AnchoredLabels()
    let obstacle = ScreenRectangle(x: 100, y: 300, width: 200, height: 200)
    let pushed = try #require(place(&labels, [label(1, 200, 400)], [obstacle])[0])
    #expect(!overlap(pushed, obstacle))
    let back = try #require(place(&labels, [label(1, 200, 400)])[0])
    #expect(back == ScreenRectangle(x: 150, y: 370, width: 100, height: 30))
  }

  @Test func `the first of two that want one place gets it`() throws {
    var labels = AnchoredLabels()
    let places = place(&labels, [label(7, 200, 400), label(8, 200, 400)])
    #expect(places[0] == ScreenRectangle(x: 150, y: 370, width: 100, height: 30))
    #expect(places[1] != nil && places[1] != places[0])
  }

  @Test(arguments: [(-5, 400), (395, 400), (200, -1), (200, 845), (.nan, 400), (200, .infinity)])
  func `what is off the screen has no label`(_ at: (Double, Double)) {
    var labels = AnchoredLabels()
    #expect(place(&labels, [label(1, at.0, at.1)]) == [nil])
  }

  @Test func `sizes that are none have no label`() {
    var labels = AnchoredLabels()
    #expect(place(&labels, [label(1, 200, 400, .nan, 20), label(2, 200, 400, 20, .infinity)]) == [nil, nil])
  }

  @Test func `where there is no room within reach there is no label`() {
    var labels = AnchoredLabels()
    let everything = ScreenRectangle(x: 0, y: 0, width: 390, height: 844)
    #expect(place(&labels, [label(1, 200, 400)], [everything]) == [nil])
    let allButFar = ScreenRectangle(x: 0, y: 100, width: 390, height: 744)
    #expect(place(&labels, [label(1, 200, 700)], [allButFar]) == [nil])
  }
}
