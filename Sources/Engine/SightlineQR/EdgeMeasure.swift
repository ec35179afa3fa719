import SightlineCamera
import SightlineMath

/// An edge between a dark and a light module, where the grid has it and where the picture has it.
struct EdgeMeasure {
  /// Module coordinates of the point on the edge.
  var u: Double
  var v: Double
  /// Unit normal of the edge in the picture.
  var normal: Vector2
  /// The point where the picture changes most, along the normal.
  var found: Vector2
  /// How much it counts.
  var weight: Double
}

extension SamplingGrid {
  /// Finds an edge near where the grid has it; `nil` when the picture does not change there as it should.
  ///
  /// (`u`, `v`) is the point on the edge in module coordinates, (`du`, `dv`) the direction from dark to light with entries
  /// −1, 0 or 1, `reach` how far to look on both sides in modules, `contrast` the grey levels between dark and light.
  @inline(never)
  @_optimize(speed)
  func edge(
    _ sampler: GraySampler,
    _ u: Double,
    _ v: Double,
    _ du: Double,
    _ dv: Double,
    reach: Double,
    contrast: Float
  ) -> EdgeMeasure? {
    let (center, alongU, alongV) = tangents(u, v)
    // Straight across the edge, as the grid runs at the point; its own lines bend less between the ends than pixels are wide.
    let across = (alongU * du + alongV * dv) * reach
    let (from, to) = (center - across, center + across)
    let steps = 8
    let (x0, y0) = (Float(from.x), Float(from.y))
    let (dx, dy) = ((Float(to.x) - x0) / Float(steps), (Float(to.y) - y0) / Float(steps))
    let isInside = sampler.contains(center, margin: Float(max(abs(across.x), abs(across.y))))
    var last = sampler(x0, y0)
    var (sum, moment, against): (Float, Float, Float) = (0, 0, 0)
    for step in 1...steps {
      let (x, y) = (x0 + dx * Float(step), y0 + dy * Float(step))
      let level = isInside ? sampler.inside(x, y) : sampler(x, y)
      let change = level - last
      if change > 0 {
        sum += change
        moment += change * (Float(step) - 0.5)
      } else {
        against -= change
      }
      last = level
    }
    guard sum > 0.3 * contrast, sum > 1.5 * against else { return nil }
    let place = Double(moment / sum) / Double(steps)
    // Along the edge.
    let along = alongU * dv + alongV * du
    let length = along.length
    guard length > 0 else { return nil }
    return EdgeMeasure(
      u: u,
      v: v,
      normal: Vector2(-along.y / length, along.x / length),
      found: from + (to - from) * place,
      weight: Double(min(1, (sum - against) / contrast))
    )
  }

  /// Edges of square rings around a centre in module coordinates, a module from one to the next; dark inside the first,
  /// which has half a side of `firstRing` modules.
  @_optimize(speed)
  func ringEdges(
    _ sampler: GraySampler,
    center: (Double, Double),
    rings: Int,
    firstRing: Double,
    reach: Double,
    contrast: Float,
    weight: Double,
    into edges: inout [EdgeMeasure]
  ) {
    for ring in 0..<rings {
      let half = firstRing + Double(ring)
      let outward = ring % 2 == 0 ? 1.0 : -1.0
      let count = Int(2 * half)
      for index in 0..<count {
        let along = Double(index) + 0.5 - half
        for side in 0..<4 {
          let sign = side < 2 ? 1.0 : -1.0
          let isColumn = side % 2 == 0
          let (ou, ov) = isColumn ? (sign * half, along) : (along, sign * half)
          let (du, dv) = isColumn ? (sign * outward, 0.0) : (0.0, sign * outward)
          guard
            var edge = edge(sampler, center.0 + ou, center.1 + ov, du, dv, reach: reach, contrast: contrast)
          else { continue }
          edge.weight *= weight
          edges.append(edge)
        }
      }
    }
  }

  /// The homography that fits edges best, by least squares of the distances along their normals; the bend is dropped.
  @_optimize(speed)
  func fitted(to edges: [EdgeMeasure]) -> SamplingGrid? {
    guard edges.count >= 12 else { return nil }
    // Coordinates around −1 … 1 on both sides keep the equations well conditioned.
    let half = Double(size) / 2
    let middle = point(half, half)
    let scale = max(1, (point(Double(size), Double(size)) - point(0, 0)).length / 2)
    let m = homography.matrix
    var equations = NormalEquations<8>()
    for edge in edges {
      let (s, t) = (edge.u / half - 1, edge.v / half - 1)
      let w = (m.row2.x * edge.u + m.row2.y * edge.v + m.row2.z) / (m.row2.x * half + m.row2.y * half + m.row2.z)
      guard w > 0.05 else { continue }
      let n = edge.normal
      let d = n.dot((edge.found - middle) * (1 / scale))
      equations.add(
        [n.x * s, n.x * t, n.x, n.y * s, n.y * t, n.y, -d * s, -d * t],
        d,
        weight: edge.weight / (w * w)
      )
    }
    guard let x = equations.solution(damping: 1e-9, leastPivot: 1e-12) else { return nil }
    // Undo the scaling: u = half (s + 1), picture = middle + scale (x, y).
    let k = 1 / half
    let bottom = Vector3(x[6] * k, x[7] * k, 1 - x[6] - x[7])
    let top = Vector3(x[0] * k, x[1] * k, x[2] - x[0] - x[1])
    let next = Vector3(x[3] * k, x[4] * k, x[5] - x[3] - x[4])
    let matrix = Matrix3(rows: top * scale + bottom * middle.x, next * scale + bottom * middle.y, bottom)
    return SamplingGrid(size: size, homography: Homography(matrix))
  }
}
