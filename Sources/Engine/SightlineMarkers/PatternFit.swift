import SightlineCamera
import SightlineImaging
import SightlineMath

/// Fits the map from marker to picture to all edges of a marker whose cells are known, not to its four sides alone.
///
/// Each boundary between a dark and a light cell is measured by itself: both levels, so that gradients and shadows do no
/// harm, then its place by a filter matched to the blurred step, which is as little disturbed by noise as any can be; cells
/// next to it are part of the model.
///
/// A camera's tone curve lets blurred edges seem shifted towards their dark side, by a fixed share of the blur. The outer
/// sides are light outside, inner edges are light on either side: the share follows from the marker itself, as one more
/// unknown beside the eight of the map, and is taken out, whatever curve it comes from.
struct PatternFit: Sendable {
  /// A measured boundary between two cells.
  private struct Edge {
    /// In cells.
    var (u, v) = (0.0, 0.0)
    /// Distance of the measured edge from the model, pixels, towards larger u or v.
    var distance = 0.0
    /// How that grows when the model's point moves in a picture without distortion: the edge's normal for a straight lens.
    var pull = Vector2.zero
    /// 1 when it becomes light in this direction, −1 when dark.
    var sign = 1.0
    var isAcross = false
    var information = 0.0
    var contrast = 0.0
  }

  /// Movement of the corners below which another round is of no use, pixels.
  private static let still = 0.004

  private let step = BlurredStep()
  private var edges: [Edge] = []
  /// Blur of edges that u and that v cross, standard deviation in pixels.
  private var blur: InlineArray<2, Double> = [1, 1]
  private var noise = 4.0

  init() {
    edges.reserveCapacity(256)
  }

  /// What a fit found.
  struct Result {
    var corners: Corners
    /// Shift of edges towards their dark side, as a share of the blur's standard deviation.
    var toneShift: Double
    /// Share of the boundaries that were measured and agree.
    var agreement: Double
  }

  /// The corners of a marker that has been read; `nil` when its edges do not agree with the cells.
  ///
  /// - Parameters:
  ///   - image: the whole frame.
  ///   - start: the marker's own corners to within half a cell.
  ///   - code: its cells, row by row, 1 = white.
  ///   - cells: along a side, without the border.
  ///   - lens: bends what is straight; `nil` when it is not known.
  /// - Returns: corners where they are seen.
  mutating func fit(
    _ image: GrayView,
    start: Corners,
    code: UInt64,
    cells: Int,
    lens: MarkerLens? = nil
  ) -> Result? {
    let all = cells + 2
    var relative = start
    if let lens {
      for i in 0..<4 {
        guard let straight = lens.straightened(start[i]) else { return nil }
        relative[i] = straight
      }
    }
    let center = (relative[0] + relative[1] + relative[2] + relative[3]) * 0.25
    for i in 0..<4 { relative[i] = relative[i] - center }
    guard var map = Homography(unitSquareTo: relative)?.matrix else { return nil }
    blur = [1, 1]
    noise = 4
    let side = min((start[2] - start[0]).length, (start[3] - start[1]).length) / 1.5
    let most = max(1.5, min(4, 0.6 * side / Double(all)))
    var shift = 0.0
    var agreement = 0.0
    for round in 0..<4 {
      let possible = measure(image, map: map, center: center, lens: lens, code: code, cells: cells)
      guard edges.count * 2 >= possible, edges.count >= 8 else { return nil }
      guard let solution = solve(map: map, all: all, isFirst: round == 0, toneShift: &shift, agreement: &agreement)
      else { return nil }
      let before = Homography(map)
      map = solution
      agreement *= Double(edges.count) / Double(possible)
      // Usually a round less is enough.
      if round > 0, Homography(map).isNear(before, Self.still) { break }
    }
    var corners = start
    let corner = Homography.squareCorners
    for i in 0..<4 {
      guard let p = Homography(map)(corner[i]) else { return nil }
      corners[i] = lens.map { $0.bent(p + center).point } ?? p + center
      guard (corners[i] - start[i]).length < most else { return nil }
    }
    return Result(corners: corners, toneShift: shift, agreement: agreement)
  }

  /// Measures each boundary once; answers how many there are.
  private mutating func measure(
    _ image: GrayView,
    map: Matrix3,
    center: Vector2,
    lens: MarkerLens?,
    code: UInt64,
    cells n: Int
  ) -> Int {
    edges.removeAll(keepingCapacity: true)
    let all = n + 2
    let scale = 1 / Double(all)
    var possible = 0
    var moments: InlineArray<2, Double> = [0, 0]
    var informations: InlineArray<2, Double> = [0, 0]
    var (residual, pixels) = (0.0, 0.0)
    func isLight(_ i: Int, _ j: Int, _ flip: Bool) -> Bool {
      let (column, row) = flip ? (j, i) : (i, j)
      if column < 0 || row < 0 || column >= all || row >= all { return true }
      if column == 0 || row == 0 || column == all - 1 || row == all - 1 { return false }
      return code >> UInt64(n * n - 1 - (row - 1) * n - (column - 1)) & 1 == 1
    }
    step.withTables { tables in
      for group in 0..<2 {
        let flip = group == 1
        let sigma = blur[group]
        for lane in 0..<all {
          // From outside to outside across the marker: i is the cell behind the boundary.
          for i in 0...all {
            let (before, behind) = (isLight(i - 1, lane, flip), isLight(i, lane, flip))
            guard before != behind else { continue }
            possible += 1
            let startsHere = isLight(i - 1, lane - 1, flip) != before || isLight(i, lane - 1, flip) != behind
            let endsHere = isLight(i - 1, lane + 1, flip) != before || isLight(i, lane + 1, flip) != behind
            let (u, v) = (Double(i) * scale, (Double(lane) + 0.5) * scale)
            let (x, y) = flip ? (v, u) : (u, v)
            let sample = Sample(
              map: map,
              center: center,
              lens: lens,
              x: x,
              y: y,
              isAcross: flip,
              cell: scale,
              sigma: sigma,
              ends: (startsHere, endsHere),
              levels: (
                isLight(i - 2, lane, flip) ? 1 : 0, before ? 1 : 0, behind ? 1 : 0, isLight(i + 1, lane, flip) ? 1 : 0
              )
            )
            guard let (sums, pull, stretch) = sample.sums(image, tables), let result = sums.result() else { continue }
            // Half the least contrast worth a search; of the wrong sign when something else lies here.
            guard result.contrast > 3 else { continue }
            var edge = Edge()
            (edge.u, edge.v) = (x, y)
            edge.pull = pull
            edge.distance = result.shift / stretch
            edge.information = result.information * stretch * stretch
            edge.sign = behind ? 1 : -1
            edge.isAcross = flip
            edge.contrast = result.contrast
            moments[group] += result.blurMoment
            informations[group] += result.blurInformation
            residual += result.residual
            pixels += result.pixels
            edges.append(edge)
          }
        }
      }
    }
    for group in 0..<2 where informations[group] > 0 {
      let change = moments[group] / informations[group]
      blur[group] = max(0.35, min(8, blur[group] + max(-0.5 * blur[group], min(blur[group], change))))
    }
    if pixels > 0 { noise = max(1, (residual / pixels).squareRoot()) }
    return possible
  }

  /// A step of Gauss and Newton for the map and the shift.
  private func solve(
    map: Matrix3,
    all: Int,
    isFirst: Bool,
    toneShift: inout Double,
    agreement: inout Double
  ) -> Matrix3? {
    var limit = isFirst ? 3.0 : 1.0
    var solution: InlineArray<9, Double>?
    let rounds = isFirst ? 2 : 3
    for round in 0..<rounds {
      var normal = NormalEquations<9>()
      var inside = 0
      for edge in edges {
        let row = jacobian(edge, map)
        var target = edge.distance
        var weight = 1 / (noise * noise / edge.information + 0.0002)
        if let solution {
          var rest = target
          for k in 0..<9 { rest -= row[k] * solution[k] }
          guard abs(rest) < 3 * limit else { continue }
          weight /= 1 + rest * rest / (limit * limit)
          if abs(rest) < 2 * limit { inside += 1 }
        } else {
          // Far off is most likely another edge.
          if abs(target) > 2.5 { target = target > 0 ? 2.5 : -2.5 }
        }
        normal.add(row, target, weight: weight)
      }
      // The shift is between none and half the blur for all usual curves: without inner edges that tell, it is small.
      var prior = InlineArray<9, Double>(repeating: 0)
      prior[8] = 1
      normal.add(prior, 0, weight: 10)
      guard let found = normal.solution() else { return nil }
      solution = found
      agreement = Double(inside) / Double(edges.count)
      guard round < rounds - 1 else { break }
      limit = spread(found, map)
    }
    guard let solution else { return nil }
    toneShift = solution[8]
    return Matrix3(
      rows: Vector3(map.row0.x + solution[0], map.row0.y + solution[1], map.row0.z + solution[2]),
      Vector3(map.row1.x + solution[3], map.row1.y + solution[4], map.row1.z + solution[5]),
      Vector3(map.row2.x + solution[6], map.row2.y + solution[7], map.row2.z)
    )
  }

  /// Distance that most edges keep from a solution.
  private func spread(_ solution: InlineArray<9, Double>, _ map: Matrix3) -> Double {
    var (sum, total) = (0.0, 0.0)
    for edge in edges {
      let row = jacobian(edge, map)
      var rest = edge.distance
      for k in 0..<9 { rest -= row[k] * solution[k] }
      rest = min(abs(rest), 0.5)
      sum += rest * rest
      total += 1
    }
    return max(0.05, 1.3 * (sum / total).squareRoot())
  }

  /// How an edge's distance changes with the eight entries of the map and with the shift.
  private func jacobian(_ edge: Edge, _ map: Matrix3) -> InlineArray<9, Double> {
    let h = map * Vector3(edge.u, edge.v, 1)
    let k = 1 / h.z
    let p = Vector2(h.x * k, h.y * k)
    let along = edge.pull.dot(p)
    let (nx, ny) = (edge.pull.x * k, edge.pull.y * k)
    let sigma = blur[edge.isAcross ? 1 : 0]
    return [
      nx * edge.u, nx * edge.v, nx, ny * edge.u, ny * edge.v, ny, -along * k * edge.u, -along * k * edge.v,
      -edge.sign * sigma,
    ]
  }
}

extension Homography {
  /// The corners of the unit square, clockwise from its first.
  fileprivate static var squareCorners: Corners { [Vector2(0, 0), Vector2(1, 0), Vector2(1, 1), Vector2(0, 1)] }

  /// Whether another map takes the corners of the unit square to nearly the same places.
  fileprivate func isNear(_ other: Homography, _ distance: Double) -> Bool {
    for i in 0..<4 {
      let corner = Self.squareCorners[i]
      guard let a = self(corner), let b = other(corner), (a - b).length < distance else { return false }
    }
    return true
  }
}

/// Where one boundary is measured.
private struct Sample {
  let map: Matrix3
  let center: Vector2
  let lens: MarkerLens?
  let x: Double
  let y: Double
  /// Whether the profile goes along y of the marker.
  let isAcross: Bool
  /// Size of a cell in the unit square.
  let cell: Double
  let sigma: Double
  /// Whether the boundary ends at the beginning and at the end of the cell: there other edges blur into it.
  let ends: (Bool, Bool)
  /// 1 for light, of the two cells before the boundary and the two behind it.
  let levels: (Double, Double, Double, Double)

  /// Sums of the pixels around the boundary; its normal in a picture without distortion; how much longer the profile is along pixels than along the normal.
  func sums(_ image: GrayView, _ tables: BlurredStep.Tables) -> (EdgeSums, Vector2, Double)? {
    let h = map * Vector3(x, y, 1)
    guard h.z > 0 else { return nil }
    let k = 1 / h.z
    let (px, py) = (h.x * k, h.y * k)
    // Pixels a cell along and across the boundary.
    var dx = Vector2((map.row0.x - px * map.row2.x) * k, (map.row1.x - py * map.row2.x) * k) * cell
    var dy = Vector2((map.row0.y - px * map.row2.y) * k, (map.row1.y - py * map.row2.y) * k) * cell
    var at = Vector2(px + center.x, py + center.y)
    var (bendX, bendY) = (Vector2(1, 0), Vector2(0, 1))
    if let lens {
      (at, bendX, bendY) = lens.bent(at)
      dx = bendX * dx.x + bendY * dx.y
      dy = bendX * dy.x + bendY * dy.y
    }
    let (pitch, along) = isAcross ? (dy, dx) : (dx, dy)
    let length = along.length
    guard length > 0.3 else { return nil }
    var normal = Vector2(along.y / length, -along.x / length)
    if normal.dot(pitch) < 0 { normal = normal * -1 }
    let isFlat = abs(along.x) >= abs(along.y)
    // u along the boundary's own axis, v across; both in pixels of the frame.
    let (au, av) = isFlat ? (at.x, at.y) : (at.y, at.x)
    let (lu, lv) = isFlat ? (along.x, along.y) : (along.y, along.x)
    let slope = lv / lu
    let stretch = (1 + slope * slope).squareRoot()
    // Distance to the next boundary along the profile.
    let next = pitch.dot(normal) * stretch
    let direction = (isFlat ? normal.y : normal.x) > 0 ? 1.0 : -1.0
    let wide = sigma * stretch
    let reach = max(1.2, min(0.62 * next, 2.6 * wide + 1))
    let margin = min(0.3 * abs(lu), sigma + 0.3)
    let (atLow, atHigh) = lu > 0 ? ends : (ends.1, ends.0)
    var first = Int((au - 0.5 * abs(lu) + (atLow ? margin : 0)).rounded(.up))
    var last = Int((au + 0.5 * abs(lu) - (atHigh ? margin : 0)).rounded(.down))
    if first > last {
      first = Int(au.rounded())
      last = first
    }
    let (endU, endV) = isFlat ? (image.width, image.height) : (image.height, image.width)
    let (unit, beside) = isFlat ? (1, image.stride) : (image.stride, 1)
    guard first >= 0, last < endU else { return nil }
    let stepU = (last - first) / 6 + 1
    let inverse = 1 / wide
    let (a, b, c) = (levels.1 - levels.0, levels.2 - levels.1, levels.3 - levels.2)
    let hasNeighbours = next < reach + 3 * wide && (a != 0 || c != 0)
    var sums = EdgeSums()
    var u = first
    while u <= last {
      let middle = av + slope * (Double(u) - au)
      let low = Int((middle - reach).rounded(.up))
      let high = Int((middle + reach).rounded(.down))
      guard low >= 0, high < endV else { return nil }
      var p = image.pixels + (u &* unit &+ low &* beside)
      for v in low...high {
        let t = (Double(v) - middle) * direction
        let s = t * inverse
        let slopeHere = tables.slope(s)
        var step = levels.1 + b * tables.step(s)
        if hasNeighbours {
          if a != 0 { step += a * (tables.step((t + next) * inverse) - 1) }
          if c != 0 { step += c * tables.step((t - next) * inverse) }
        }
        // Moving the edge onwards by d lets the pixels see it at t − d.
        let moved = -b * slopeHere * inverse
        sums.add(value: Double(p.pointee), step: step, slope: moved, bend: moved * s / stretch)
        p += beside
      }
      u += stepU
    }
    return (sums, Vector2(normal.dot(bendX), normal.dot(bendY)), stretch)
  }
}
