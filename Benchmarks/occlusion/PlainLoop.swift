import SightlineMath
import SightlineOcclusion

/// The plain way: every ray against every wall, without an index and without the engine's rules for choosing facades.
struct PlainLoop {
  struct Wall {
    var a: Vector2
    var b: Vector2
    var base: Double
    var roof: Double
    var building: Int
  }

  var walls: [Wall] = []
  let town: Town

  init(_ town: Town) {
    self.town = town
    for (number, building) in town.buildings.enumerated() {
      for part in building.parts {
        for k in part.outer.indices {
          walls.append(
            Wall(
              a: part.outer[k],
              b: part.outer[(k + 1) % part.outer.count],
              base: part.base > 0 ? part.base : -.infinity,
              roof: part.roof,
              building: number
            )
          )
        }
      }
    }
  }

  /// Whether the way between two points of space is free, but for some buildings.
  func isFree(from eye: Vector3, to point: Vector3, but skipped: [Int]) -> Bool {
    let d = point - eye
    for wall in walls {
      let (ex, ey) = (wall.b.x - wall.a.x, wall.b.y - wall.a.y)
      let determinant = d.x * ey - d.y * ex
      guard determinant != 0 else { continue }
      let (ax, ay) = (wall.a.x - eye.x, wall.a.y - eye.y)
      let t = (ax * ey - ay * ex) / determinant
      let u = (ax * d.y - ay * d.x) / determinant
      guard t > 0, t < 1, u >= 0, u <= 1 else { continue }
      let z = eye.z + t * d.z
      if z < wall.roof, z > wall.base, !skipped.contains(wall.building) { return false }
    }
    return true
  }

  /// The buildings around a point on the ground.
  func around(_ point: Vector3) -> [Int] {
    var found: [Int] = []
    for (number, building) in town.buildings.enumerated() {
      for part in building.parts where part.base <= point.z {
        let (a, b) = (part.outer[0], part.outer[2])
        if point.x > a.x, point.x < b.x, point.y > a.y, point.y < b.y { found.append(number) }
      }
    }
    return found
  }

  /// The part of a place that is seen, in `across` by `high` points: of one in a building the best of all outer walls.
  func seen(_ place: Town.Place, from eye: Vector3, across: Int = 5, high: Int = 8) -> Double {
    let inside = around(eye)
    if inside.contains(place.building) { return 1 }
    func part(_ middle: Vector2, _ along: Vector2, _ low: Double, _ top: Double) -> Double {
      var free = 0
      for x in 0..<across {
        let p = middle + along * ((Double(x) + 0.5) / Double(across) - 0.5)
        for z in 0..<high {
          let height = low + (top - low) * (Double(z) + 0.5) / Double(high)
          if isFree(from: eye, to: Vector3(p.x, p.y, height), but: inside + [place.building]) { free += 1 }
        }
      }
      return Double(free) / Double(across * high)
    }
    guard place.building >= 0 else {
      let way = place.target.point - Vector2(eye.x, eye.y)
      let side = Vector2(-way.y, way.x) * (place.target.width / max(way.length, 1e-9))
      return part(
        place.target.point,
        side,
        place.target.heights?.lowerBound ?? 0,
        place.target.heights?.upperBound ?? 2
      )
    }
    var best = 0.0
    for building in town.buildings[place.building].parts {
      let middle = (building.outer[0] + building.outer[2]) * 0.5
      for k in building.outer.indices {
        let (a, b) = (building.outer[k], building.outer[(k + 1) % building.outer.count])
        let edge = b - a
        var normal = Vector2(edge.y, -edge.x) * (1 / edge.length)
        if normal.dot(a - middle) < 0 { normal = normal * -1 }
        let room = max(edge.length / 2 - 2, 0)
        let share = clamp((place.target.point - (a + b) * 0.5).dot(edge) / edge.length, -room, room)
        let foot = (a + b) * 0.5 + edge * (share / edge.length) + normal * 0.3
        guard normal.dot(Vector2(eye.x, eye.y) - foot) > 0 else { continue }
        if !around(Vector3(foot.x, foot.y, max(building.base, 2))).isEmpty { continue }
        best = max(best, part(foot, edge * (min(4, edge.length) / edge.length), max(building.base, 0), building.roof))
      }
    }
    return best
  }
}
