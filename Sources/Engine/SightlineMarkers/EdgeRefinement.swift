import SightlineCamera
import SightlineImaging
import SightlineMath

/// Edge-based corner refinement: fits the map from marker to picture to all edges of a marker whose cells are known, not to its four sides alone.
///
/// Each boundary between a dark and a light cell is measured by itself: both levels, so that gradients and shadows do no
/// harm, then its place by a filter matched to the blurred step, which is as little disturbed by noise as any can be; cells
/// next to it are part of the model.
///
/// A camera's tone curve lets blurred edges seem shifted towards their dark side, by a fixed share of the blur. The outer
/// sides are light outside, inner edges are light on either side: the share follows from the marker itself, as one more
/// unknown beside the eight of the map, and is taken out, whatever curve it comes from.
struct EdgeRefinement: Sendable {
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
  }

  /// Share of the picture that the pattern has to explain where its edges cannot be measured.
  static let leastShare = 0.9

  /// Movement of the corners below which another round is of no use, pixels.
  private static let still = 0.01
  /// The same where another fit follows.
  private static let nearlyStill = 0.06

  /// Deviation of a corner beside what the edges say, pixels: paper is not flat, a lens not known exactly.
  static let unknown = 0.01

  private let step = BlurredStep()
  private var edges: [Edge] = []
  /// How each edge's distance changes with the unknowns.
  private var rows: [InlineArray<9, Double>] = []
  /// What the edges of the last round say of the marker's levels.
  var shades = IlluminationModel()
  var picture = PhotometricRefinement()
  /// Cells below which all pixels are taken at once, pixels: those of larger ones are too many, and their edges lie apart.
  private static let smallCell = 6.0
  /// What the pattern may leave over, as a multiple of what edges by themselves do.
  static let believedRest = 1.3
  /// Blur of edges that u and that v cross, standard deviation in pixels.
  var blur: InlineArray<2, Double> = [1, 1]
  var noise = 4.0

  init() {
    edges.reserveCapacity(256)
    rows.reserveCapacity(256)
  }

  /// What a fit found.
  struct Result {
    var corners: Quadrilateral
    /// Shift of edges towards their dark side, as a share of the blur's standard deviation.
    var toneShift: Double
    /// Share of the boundaries that were measured and agree.
    var agreement: Double
    /// Blur of edges across the marker's x and across its y, standard deviation in cells.
    var blur: Vector2
    /// How surely the corners are known, all together, where the lens does not bend.
    var covariance: CornerCovariance?
    /// Standard deviation of a corner's coordinate in cells; 0 when it is not known.
    var deviationInCells: Double
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
  @_optimize(speed)
  mutating func fit(
    _ image: GrayView,
    start: Quadrilateral,
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
    let center = relative.center
    for i in 0..<4 { relative[i] = relative[i] - center }
    guard var map = Homography(unitSquareTo: relative)?.matrix else { return nil }
    let side = start.smallerSideByDiagonals
    let isSmall = side < Self.smallCell * Double(all)
    var found = byEdges(image, map: map, center: center, lens: lens, code: code, cells: cells, isSmall: isSmall)
    if found == nil, !isSmall {
      // Corners that are off by a good part of a cell: what is blurred is found from farther away.
      let wide = 0.3 * side / Double(all)
      found = byEdges(image, map: map, center: center, lens: lens, code: code, cells: cells, isSmall: false, blur: wide)
    }
    if isSmall { found = whole(image, found, map: map, center: center, lens: lens, code: code, cells: cells) ?? found }
    guard let found else { return nil }
    map = found.map
    // Half a cell farther another pattern begins.
    let long = start.largerSideByDiagonals
    let most = max(1.5, max(min(4, 0.6 * side / Double(all)), 0.45 * long / Double(all)))
    var corners = start
    for i in 0..<4 {
      guard let p = Homography(map)(Homography.squareCorners[i]) else { return nil }
      corners[i] = lens.map { $0.bent(p + center).point } ?? p + center
      guard (corners[i] - start[i]).length < most else { return nil }
    }
    return Result(
      corners: corners,
      toneShift: found.shift,
      agreement: found.agreement,
      blur: blurInCells(corners, all: all),
      covariance: found.covariance,
      deviationInCells: (found.covariance?.deviation ?? 0) * Double(all) / max(1, side)
    )
  }

  /// The map by all edges, each measured by itself.
  private mutating func byEdges(
    _ image: GrayView,
    map: Matrix3,
    center: Vector2,
    lens: MarkerLens?,
    code: UInt64,
    cells: Int,
    isSmall: Bool,
    blur first: Double = 1
  ) -> Found? {
    blur = [first, first]
    noise = 4
    shades.forget()
    var found = Found(map: map)
    var equations = NormalEquations<9>()
    for round in 0..<4 {
      let possible = measure(image, map: found.map, center: center, lens: lens, code: code, cells: cells)
      guard edges.count * 2 >= possible, edges.count >= 8 else { return nil }
      let before = Homography(found.map)
      guard
        let solution = solve(
          map: found.map,
          isFirst: round == 0,
          toneShift: &found.shift,
          agreement: &found.agreement,
          in: &equations
        )
      else { return nil }
      found.map = solution
      found.agreement *= Double(edges.count) / Double(possible)
      // Usually a round less is enough.
      if round > 0, Homography(solution).isNear(before, isSmall ? Self.nearlyStill : Self.still) { break }
    }
    found.covariance = Self.cornerCovariance(equations, found.map)
    return found
  }

  /// From the covariance of the map's entries to that of its corners; the shift of the edges is let go.
  @_optimize(speed)
  private static func cornerCovariance(_ equations: NormalEquations<9>, _ map: Matrix3) -> CornerCovariance? {
    guard let entries = equations.covariance(leastPivot: 1e-12) else { return nil }
    var rows = InlineArray<8, InlineArray<8, Double>>(repeating: .init(repeating: 0))
    for i in 0..<4 {
      let corner = Homography.squareCorners[i]
      let (u, v) = (corner.x, corner.y)
      let h = map * Vector3(u, v, 1)
      guard h.z > 0 else { return nil }
      let k = 1 / h.z
      let (x, y) = (h.x * k, h.y * k)
      rows[2 * i] = [k * u, k * v, k, 0, 0, 0, -k * x * u, -k * x * v]
      rows[2 * i + 1] = [0, 0, 0, k * u, k * v, k, -k * y * u, -k * y * v]
    }
    var eight = InlineArray<8, InlineArray<8, Double>>(repeating: .init(repeating: 0))
    for i in 0..<8 {
      for j in 0..<8 { eight[i][j] = entries[i][j] }
    }
    return CornerCovariance(covariance: eight, rows: rows, floor: unknown)
  }

  private func blurInCells(_ c: Quadrilateral, all: Int) -> Vector2 {
    // Cells are as wide as the marker's area by its height.
    let wide = ((c[1] - c[0]).length + (c[2] - c[3]).length) / 2
    let high = ((c[3] - c[0]).length + (c[2] - c[1]).length) / 2
    let cells = Double(all) / max(c.area, 1)
    return Vector2(blur[0] * high * cells, blur[1] * wide * cells)
  }

  /// Measures each boundary once; answers how many there are.
  @_optimize(speed)
  private mutating func measure(
    _ image: GrayView,
    map: Matrix3,
    center: Vector2,
    lens: MarkerLens?,
    code: UInt64,
    cells n: Int
  ) -> Int {
    edges.removeAll(keepingCapacity: true)
    shades.solve(noise: noise)
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
            let sample = EdgeSample(
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
            guard let (sums, pull, stretch) = sample.sums(image, tables), let alone = sums.result() else { continue }
            // Half the least contrast worth a search; of the wrong sign when something else lies here.
            guard alone.contrast > 3 else { continue }
            shades.add(alone, x, y)
            guard let result = shades.levels(x, y, alone).map({ sums.result($0) }) ?? alone else { continue }
            var edge = Edge()
            (edge.u, edge.v) = (x, y)
            edge.pull = pull
            edge.distance = result.shift / stretch
            edge.information = result.information * stretch * stretch
            edge.sign = behind ? 1 : -1
            edge.isAcross = flip
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
  @_optimize(speed)
  private mutating func solve(
    map: Matrix3,
    isFirst: Bool,
    toneShift: inout Double,
    agreement: inout Double,
    in normal: inout NormalEquations<9>
  ) -> Matrix3? {
    var limit = isFirst ? 3.0 : 1.0
    var solution: InlineArray<9, Double>?
    let rounds = isFirst ? 2 : 3
    rows.removeAll(keepingCapacity: true)
    for edge in edges { rows.append(jacobian(edge, map)) }
    for round in 0..<rounds {
      normal = NormalEquations<9>()
      var inside = 0
      for (edge, row) in zip(edges, rows) {
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
      guard let found = normal.solution(leastPivot: 1e-12) else { return nil }
      solution = found
      agreement = Double(inside) / Double(edges.count)
      guard round < rounds - 1 else { break }
      limit = spread(found)
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
  @_optimize(speed)
  private func spread(_ solution: InlineArray<9, Double>) -> Double {
    var (sum, total) = (0.0, 0.0)
    for (edge, row) in zip(edges, rows) {
      var rest = edge.distance
      for k in 0..<9 { rest -= row[k] * solution[k] }
      rest = min(abs(rest), 0.5)
      sum += rest * rest
      total += 1
    }
    return max(0.05, 1.3 * (sum / total).squareRoot())
  }

  /// How an edge's distance changes with the eight entries of the map and with the shift.
  @_optimize(speed)
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
