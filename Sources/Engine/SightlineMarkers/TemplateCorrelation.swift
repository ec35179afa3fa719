import SightlineCamera
import SightlineImaging
import SightlineMath

/// Template correlation: how much a part of a picture looks like a marker, all of it and not its edges and the middles of its cells alone.
///
/// A code of 4 × 4 cells is soon met by chance, by a pictogram on a dark square for one: the middles of its cells are light or
/// dark as some marker's, but what lies between them is not. The whole pattern, blurred as its edges are, is compared with
/// what is seen, and both levels may change evenly over the marker.
struct TemplateCorrelation: Sendable {
  /// Places along a side of a cell.
  private static let places = 3
  /// Most cells along a side with the border, and a cell of margin on either side.
  private static let most = 11

  /// Share below which something else is seen.
  static let least = 0.78

  /// The same for corners that are known to so many cells, standard deviation: the less surely they are, the more edges of
  /// something else may have been taken for those of the marker, and the more of the picture has to be explained.
  static func least(deviation: Double) -> Double { least + 0.3 * min(deviation, 0.4) }

  private let step = BlurredStep()
  private var seen: [Double] = []
  private var expected: [Double] = []

  init() {}

  /// Share of the differences in a picture of a marker that its pattern explains, 0 … 1.
  ///
  /// - Parameters:
  ///   - image: the whole frame.
  ///   - corners: outer corners of the border, the marker's own top left first.
  ///   - code: its cells, row by row, 1 = white.
  ///   - n: cells along a side, without the border.
  ///   - blur: standard deviation in cells along the marker's x and along its y.
  ///   - noise: standard deviation in grey levels, whose part of the differences is left out.
  ///   - lens: bends what is straight; `nil` when it is not known.
  /// - Returns: 0 where the marker cannot be seen.
  mutating func share(
    _ image: GrayView,
    corners: Quadrilateral,
    code: UInt64,
    cells n: Int,
    blur: Vector2,
    noise: Double,
    lens: MarkerLens? = nil
  ) -> Double {
    var straight = corners
    if let lens {
      for i in 0..<4 {
        guard let p = lens.straightened(corners[i]) else { return 0 }
        straight[i] = p
      }
    }
    guard let map = Homography(unitSquareTo: straight) else { return 0 }
    let all = n + 2
    let count = all * Self.places
    let across = weights(count: count, all: all, blur: blur.x)
    let down = weights(count: count, all: all, blur: blur.y)
    seen.removeAll(keepingCapacity: true)
    expected.removeAll(keepingCapacity: true)
    var columns = InlineArray<11, Double>(repeating: 0)
    for y in 0..<count {
      // The rows blurred into one, before the columns are.
      for column in -1...all {
        var sum = 0.0
        for row in -1...all where Self.isLight(row, column, code, n) { sum += down[y * Self.most + row + 1] }
        columns[column + 1] = sum
      }
      for x in 0..<count {
        var sum = 0.0
        for column in 0..<(all + 2) { sum += across[x * Self.most + column] * columns[column] }
        let place = Vector2((Double(x) + 0.5) / Double(count), (Double(y) + 0.5) / Double(count))
        guard let flat = map(place) else { return 0 }
        let p = lens.map { $0.bent(flat).point } ?? flat
        guard let level = image.level(x: p.x, y: p.y) else { return 0 }
        seen.append(level)
        expected.append(sum)
      }
    }
    return explained(count: count, noise: noise)
  }

  private static func isLight(_ row: Int, _ column: Int, _ code: UInt64, _ n: Int) -> Bool {
    if row < 0 || column < 0 || row > n + 1 || column > n + 1 { return true }
    if row == 0 || column == 0 || row == n + 1 || column == n + 1 { return false }
    return code >> UInt64(n * n - 1 - (row - 1) * n - (column - 1)) & 1 == 1
  }

  /// For each place along a side, how much of each cell falls on it; the outermost cells have no end.
  private func weights(count: Int, all: Int, blur: Double) -> [Double] {
    var weights = [Double](repeating: 0, count: count * Self.most)
    let inverse = 1 / max(blur, 0.01)
    step.withTables { table in
      for i in 0..<count {
        let at = (Double(i) + 0.5) / Double(Self.places)
        var before = 0.0
        for cell in 0...all {
          let upTo = table.step((Double(cell) - at) * inverse)
          weights[i * Self.most + cell] = upTo - before
          before = upTo
        }
        weights[i * Self.most + all + 1] = 1 - before
      }
    }
    return weights
  }

  /// Least squares of the levels by planes of dark and light, against a plane alone.
  private func explained(count: Int, noise: Double) -> Double {
    var plane = NormalEquations<3>()
    var pattern = NormalEquations<6>()
    let scale = 1 / Double(count)
    for y in 0..<count {
      for x in 0..<count {
        let (u, v) = ((Double(x) + 0.5) * scale - 0.5, (Double(y) + 0.5) * scale - 0.5)
        let (p, z) = (expected[y * count + x], seen[y * count + x])
        plane.add([1, u, v], z)
        pattern.add([1, u, v, p, p * u, p * v], z)
      }
    }
    guard let a = plane.solution(leastPivot: 1e-12), let b = pattern.solution(leastPivot: 1e-12) else { return 0 }
    var (whole, rest) = (0.0, 0.0)
    for y in 0..<count {
      for x in 0..<count {
        let (u, v) = ((Double(x) + 0.5) * scale - 0.5, (Double(y) + 0.5) * scale - 0.5)
        let (p, z) = (expected[y * count + x], seen[y * count + x])
        let e = z - a[0] - a[1] * u - a[2] * v
        let f = z - (b[0] + b[1] * u + b[2] * v) - p * (b[3] + b[4] * u + b[5] * v)
        whole += e * e
        rest += f * f
      }
    }
    let random = noise * noise * Double(count * count)
    guard b[3] > 0, whole > random else { return 0 }
    return 1 - max(0, rest - random) / (whole - random)
  }
}
