import SightlineMath
import SightlineOcclusion

extension Scenery.Town {
  /// Walls, roofs and undersides of all houses, each seen from outside alone: who stands in a house sees the town as if it were not
  /// there.
  func surfaces(seed: UInt64) -> [Surface] {
    houses.enumerated().flatMap { $0.element.surfaces(seed: seed, number: $0.offset) }
  }
}

extension Footprint {
  /// What is narrower has no windows, metres.
  private static let leastFront = 1.6

  func surfaces(seed: UInt64, number: Int) -> [Surface] {
    var random = SeededGenerator(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 7919, purpose: "house")
    let tone = SIMD3<Float>(
      Float(random.uniform(150, 225)),
      Float(random.uniform(140, 205)),
      Float(random.uniform(115, 185))
    )
    var all: [Surface] = []
    for (index, ring) in ([outer] + holes).enumerated() {
      // With what is inside on the left, also of courtyards, in which the inside is around them.
      let corners = (Self.area(ring) > 0) == (index == 0) ? ring : ring.reversed()
      for (k, from) in corners.enumerated() {
        let to = corners[k + 1 < corners.count ? k + 1 : 0]
        let way = to - from
        let width = way.length
        guard width > 1e-3 else { continue }
        // The sun stands in the south-east.
        let lit = tone * Float(0.82 + 0.14 * 0.7 * (way.y + way.x) / width)
        let own = random.next()
        let isFront = base <= 0 && width >= Self.leastFront
        var wall = Surface.wall(
          from: Vector3(from.x, from.y, base),
          to: Vector3(to.x, to.y, base),
          height: roof - base,
          isFront ? .facade(width: width, height: roof - base, number: own, tone: lit) : .plain(lit * 0.94)
        )
        wall.isOneSided = true
        wall.name = "facade"
        all.append(wall)
      }
    }
    guard let low = outer.first, outer.count > 2 else { return all }
    all.append(lid(at: roof, facesUp: true, tone * 0.62, low))
    if base > 0 { all.append(lid(at: base, facesUp: false, tone * 0.4, low)) }
    return all
  }

  /// The roof, or the underside of what begins above the ground: the rectangle around it, cut to its outline.
  private func lid(at height: Double, facesUp: Bool, _ tone: SIMD3<Float>, _ first: Vector2) -> Surface {
    var (low, high) = (first, first)
    for corner in outer {
      low = Vector2(min(low.x, corner.x), min(low.y, corner.y))
      high = Vector2(max(high.x, corner.x), max(high.y, corner.y))
    }
    let (width, depth) = (max(high.x - low.x, 1e-3), max(high.y - low.y, 1e-3))
    var lid = Surface(
      corner: Vector3(low.x, facesUp ? high.y : low.y, height),
      across: Vector3(width, 0, 0),
      down: Vector3(0, facesUp ? -depth : depth, 0),
      material: .plain(tone)
    )
    lid.isOneSided = true
    lid.name = "roof"
    lid.outline = ([outer] + holes).map { ring in
      ring.map { Vector2(($0.x - low.x) / width, (facesUp ? high.y - $0.y : $0.y - low.y) / depth) }
    }
    return lid
  }

  /// Twice its area, square metres, above 0 when it goes counter-clockwise.
  private static func area(_ ring: [Vector2]) -> Double {
    var sum = 0.0
    for (k, a) in ring.enumerated() { sum += a.cross(ring[k + 1 < ring.count ? k + 1 : 0]) }
    return sum
  }
}
