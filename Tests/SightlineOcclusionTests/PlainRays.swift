import SightlineMath
import SightlineOcclusion
import SightlineTestSupport

/// The same question answered without an index: each of eight heights against every wall, with another formula.
func plainlySeen(_ buildings: [Building], from eye: Vector3, to end: Vector2, heights: ClosedRange<Double>) -> Double {
  var free = 0
  for k in 0..<8 {
    let z = heights.lowerBound + (heights.upperBound - heights.lowerBound) * (Double(k) + 0.5) / 8
    let d = Vector3(end.x - eye.x, end.y - eye.y, z - eye.z)
    var isHidden = false
    for part in buildings.flatMap(\.parts) {
      for ring in [part.outer] + part.holes {
        for k in ring.indices {
          let (a, b) = (ring[k], ring[(k + 1) % ring.count])
          let e = b - a
          let determinant = d.x * e.y - d.y * e.x
          guard determinant != 0 else { continue }
          let t = ((a.x - eye.x) * e.y - (a.y - eye.y) * e.x) / determinant
          let u = ((a.x - eye.x) * d.y - (a.y - eye.y) * d.x) / determinant
          let height = eye.z + t * d.z
          if t > 0, t < 1, u >= 0, u <= 1, height < part.roof, part.base <= 0 || height > part.base { isHidden = true }
        }
      }
    }
    if !isHidden { free += 1 }
  }
  return Double(free) / 8
}

extension SplitMix64 {
  mutating func between(_ low: Double, _ high: Double) -> Double { Double.random(in: low...high, using: &self) }

  /// Houses of any turn and shape that may overlap, some with courtyards, some on pillars.
  mutating func houses(_ count: Int, within reach: Double) -> [Building] {
    (0..<count).map { _ in
      let middle = Vector2(between(-reach, reach), between(-reach, reach))
      let corners = Int.random(in: 3...9, using: &self)
      let (radius, turn) = (between(3, 20), between(0, 6))
      let ring = (0..<corners).map { k in
        let angle = turn + 2 * pi * Double(k) / Double(corners)
        return middle + Vector2(cos(angle), sin(angle)) * radius
      }
      let courtyard = ring.map { middle + ($0 - middle) * 0.4 }
      let base = between(0, 1) < 0.2 ? between(2, 5) : 0
      return Building([
        Footprint(
          outer: between(0, 1) < 0.5 ? ring : ring.reversed(),
          holes: between(0, 1) < 0.3 ? [courtyard] : [],
          base: base,
          roof: base + between(1, 25)
        )
      ])
    }
  }
}

/// A box with walls along the axes.
func box(_ low: Vector2, _ high: Vector2, base: Double = 0, roof: Double, holes: [[Vector2]] = []) -> Building {
  let ring = [low, Vector2(high.x, low.y), high, Vector2(low.x, high.y)]
  return Building([Footprint(outer: ring, holes: holes, base: base, roof: roof)])
}
