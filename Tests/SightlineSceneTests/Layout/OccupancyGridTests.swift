import SightlineMath
import SightlineTestSupport
import Testing

@testable import SightlineScene

/// The grid against a plain loop over all boxes.
@Suite struct OccupancyGridTests {
  struct Box {
    var center: Vector2
    var width: Double
    var height: Double
    var isActive = true
    var tremble = 0.0

    func more(_ tremble: Double?) -> Double { tremble.map { max($0, self.tremble) } ?? 0 }

    func isHit(_ other: Box, clearance: Double, tremble: Double?) -> Bool {
      let more = clearance + self.more(tremble)
      return isActive && abs(center.x - other.center.x) < (width + other.width) / 2 + more
        && abs(center.y - other.center.y) < (height + other.height) / 2 + more
    }
  }

  @Test(arguments: 0..<10)
  func `the grid finds what a plain loop finds`(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    var grid = OccupancyGrid()
    for _ in 0..<3 {
      let bounds = LabelBounds(
        width: .random(in: 0...3000, using: &generator),
        height: .random(in: 0...3000, using: &generator),
        roll: Angle(radians: .random(in: -3...3, using: &generator))
      )
      grid.reset(bounds: bounds)
      var boxes: [Box] = []
      func random() -> Box {
        Box(
          center: Vector2(
            .random(in: -500...3500, using: &generator),
            .random(in: -500...3500, using: &generator)
          ),
          width: .random(in: 0...400, using: &generator),
          height: .random(in: 0...100, using: &generator)
        )
      }
      for step in 0..<300 {
        switch step % 10 {
        case 9:
          let count = max(0, boxes.count - 3)
          grid.rollBack(to: Int32(count))
          boxes.removeLast(boxes.count - count)
        case 8 where !boxes.isEmpty:
          let index = Int.random(in: boxes.indices, using: &generator)
          boxes[index].isActive.toggle()
          grid.setActive(Int32(index), boxes[index].isActive)
        default:
          var box = random()
          box.tremble = step % 3 == 0 ? 8 : 0
          let number = grid.insert(
            center: box.center,
            width: box.width,
            height: box.height,
            owner: Int32(step),
            tremble: box.tremble
          )
          #expect(number == Int32(boxes.count))
          boxes.append(box)
        }
        let probe = random()
        let clearance = Double(step % 5)
        let tremble: Double? = step % 4 == 0 ? nil : Double(step % 4 - 1) * 4
        let hits = boxes.filter { $0.isHit(probe, clearance: clearance, tremble: tremble) }
        #expect(
          grid.isFree(
            center: probe.center,
            width: probe.width,
            height: probe.height,
            clearance: clearance,
            tremble: tremble
          )
            == hits.isEmpty
        )
        let top = hits.map { $0.center.y - $0.height / 2 - $0.more(tremble) }.min()
        let bottom = hits.map { $0.center.y + $0.height / 2 + $0.more(tremble) }.max()
        for upwards in [true, false] {
          let edge = grid.edgeToPass(
            center: probe.center,
            width: probe.width,
            height: probe.height,
            clearance: clearance,
            tremble: tremble,
            upwards: upwards
          )
          #expect(edge == (upwards ? top : bottom))
        }
      }
    }
  }

  @Test func `boxes beyond all measure do not trap`() {
    var grid = OccupancyGrid()
    grid.reset(bounds: LabelBounds(width: 1e9, height: 1))
    grid.insert(center: Vector2(1e300, -1e300), width: 1e300, height: 0, owner: 0)
    grid.insert(center: Vector2(0, 0), width: .greatestFiniteMagnitude, height: .greatestFiniteMagnitude, owner: 1)
    #expect(!grid.isFree(center: .zero, width: 1, height: 1, clearance: 0))
  }
}
