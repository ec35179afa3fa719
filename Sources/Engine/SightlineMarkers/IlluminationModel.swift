import SightlineMath

/// Illumination model: the dark and the light level of a marker, as planes over it, from what its edges say.
///
/// An edge that has to find its own two levels knows its place only half as well, the more so the smaller its cells are: where
/// the levels of other edges agree, they are as good as pixels.
struct IlluminationModel: Sendable {
  /// Sums for a plane by least squares.
  private struct Plane {
    var equations = NormalEquations<3>()
    /// `a + b x + c y`, and how far levels are from that, standard deviation in grey levels.
    var coefficients: InlineArray<3, Double> = [0, 0, 0]
    var spread = 0.0

    func level(_ x: Double, _ y: Double) -> Double { coefficients[0] + coefficients[1] * x + coefficients[2] * y }
  }
  /// A level that an edge found by itself.
  private struct Level {
    var (x, y) = (0.0, 0.0)
    var (dark, light) = (0.0, 0.0)
    var (darkVariance, lightVariance) = (0.0, 0.0)
  }

  private var found: [Level] = []
  private var planes: (dark: Plane, light: Plane)?
  private var noise = 1.0
  /// Least deviation of a level from the plane, grey levels.
  private static let least = 0.5
  /// Edges that are too few to tell.
  private static let few = 12

  init() { found.reserveCapacity(256) }

  /// Begins a marker.
  mutating func forget() {
    found.removeAll(keepingCapacity: true)
    planes = nil
  }

  /// Takes the levels of an edge.
  ///
  /// - Parameters:
  ///   - edge: as measured from its own pixels.
  ///   - x: where, in the unit square.
  ///   - y: where.
  mutating func add(_ edge: EdgeSums.Result, _ x: Double, _ y: Double) {
    found.append(
      Level(
        x: x,
        y: y,
        dark: edge.dark,
        light: edge.dark + edge.contrast,
        darkVariance: edge.darkVariance,
        lightVariance: edge.lightVariance
      )
    )
  }

  /// The levels that the others tell for an edge; `nil` in the first round, and where its own are not like them.
  @_optimize(speed)
  func levels(_ x: Double, _ y: Double, _ edge: EdgeSums.Result) -> EdgeSums.Levels? {
    guard let planes else { return nil }
    let (dark, light) = (planes.dark.level(x, y), planes.light.level(x, y))
    let variance = noise * noise
    let (darkSpread, lightSpread) = (planes.dark.spread * planes.dark.spread, planes.light.spread * planes.light.spread)
    let (offDark, offLight) = (edge.dark - dark, edge.dark + edge.contrast - light)
    guard offDark * offDark < 12 * (darkSpread + variance * edge.darkVariance),
      offLight * offLight < 12 * (lightSpread + variance * edge.lightVariance)
    else { return nil }
    var levels = EdgeSums.Levels()
    (levels.dark, levels.darkWeight) = (dark, variance / darkSpread)
    (levels.light, levels.lightWeight) = (light, variance / lightSpread)
    return levels
  }

  /// Both levels in the middle of the marker, once they are known.
  var middle: (dark: Double, light: Double)? {
    planes.map { ($0.dark.level(0.5, 0.5), $0.light.level(0.5, 0.5)) }
  }

  /// Planes through what was taken since the last round, which is forgotten.
  @_optimize(speed)
  mutating func solve(noise: Double) {
    defer { found.removeAll(keepingCapacity: true) }
    self.noise = noise
    guard found.count >= Self.few else {
      planes = nil
      return
    }
    guard let dark = plane({ ($0.dark, $0.darkVariance) }), let light = plane({ ($0.light, $0.lightVariance) }) else {
      planes = nil
      return
    }
    planes = (dark, light)
  }

  private func plane(_ level: (Level) -> (Double, Double)) -> Plane? {
    var plane = Plane()
    // Of the levels themselves; that of their measuring comes on top.
    var spread = 4.0
    for round in 0..<3 {
      plane.equations = NormalEquations<3>()
      for edge in found {
        let (value, variance) = level(edge)
        let expected = noise * noise * variance + spread * spread
        var weight = 1 / expected
        if round > 0 {
          let off = value - plane.level(edge.x, edge.y)
          guard off * off < 16 * expected else { continue }
          weight /= 1 + off * off / (4 * expected)
        }
        plane.equations.add([1, edge.x, edge.y], value, weight: weight)
      }
      guard let solution = plane.equations.solution(leastPivot: 1e-12) else { return nil }
      plane.coefficients = solution
      // What measuring does not explain.
      var (sum, total) = (0.0, 0.0)
      for edge in found {
        let (value, variance) = level(edge)
        let own = noise * noise * variance
        let off = value - plane.level(edge.x, edge.y)
        let weight = 1 / square(own + spread * spread)
        sum += weight * (min(off * off, 25 * (own + spread * spread)) - own)
        total += weight
      }
      spread = max(Self.least, max(0, sum / total).squareRoot())
    }
    plane.spread = spread
    return plane
  }

  private func square(_ x: Double) -> Double { x * x }
}
