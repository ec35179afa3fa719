import SightlineMath

/// A sighting of a point: from which clone, and where in its picture.
struct Sighting {
  /// Place in the list of clones.
  var clone: Int
  /// Pixels.
  var pixel: Vector2
}

/// Where a point is that several clones saw.
struct Triangulation {
  /// Direction and inverse depth from the clone it is told from.
  var (x, y, rho): (Double, Double, Double)
  /// Root of the mean square of what is left between prediction and sighting, pixels.
  var residual: Double
  /// Deviation of the inverse depth by the sightings alone, 1/m.
  var rhoDeviation: Double

  /// Inverse depths a search starts with, 1/m.
  private static let starts: [Double] = [0.1, 0.3, 0.6, 1.2]
  /// Nearest and farthest a point is believed to be, as inverse depths, 1/m.
  static let (leastRho, mostRho) = (0.008, 6.0)

  /// The point that fits sightings best.
  ///
  /// Gauss–Newton in direction and inverse depth, with a weak belief that things are some metres away.
  ///
  /// `nil` when no point in front of all clones fits.
  ///
  /// - Parameters:
  ///   - sightings: one or more.
  ///   - anchor: place of the clone the point is told from, in the list.
  ///   - clones: poses, taken as they are.
  ///   - camera: lens, shutter, mounting.
  ///   - axes: camera axes in the device's, as built.
  ///   - prior: inverse depth that is expected, 1/m, and its deviation.
  ///   - start: inverse depth to begin with, 1/m; `nil` tries several.
  @_optimize(speed)
  init?(
    _ sightings: [Sighting],
    anchor: Int,
    clones: [Clone],
    camera: CameraEstimate,
    axes: Matrix3,
    prior: (rho: Double, deviation: Double),
    start: Double? = nil
  ) {
    guard let near = sightings.min(by: { abs($0.clone - anchor) < abs($1.clone - anchor) }) else { return nil }
    let origin = clones[anchor]
    let source = clones[near.clone]
    // A first point: along the ray of the sighting nearest to the anchor, at each of some depths.
    let delay = camera.readout * camera.line(of: near.pixel)
    let turned = source.attitude * Matrix3(Quaternion(rotationVector: source.rate * delay))
    let place = source.position + source.velocity * delay + turned * camera.lever
    let ray = turned * (camera.deviceFromCamera * camera.ray(through: near.pixel))
    var best: (x: Double, y: Double, rho: Double)?
    var least = Double.infinity
    for rho in start.map({ [$0] }) ?? Self.starts {
      let point = place + ray * (1 / rho)
      guard let p = InverseDepthPoint.parameters(of: point, clone: origin, axes: axes) else { continue }
      var cost = 0.0
      for sighting in sightings {
        guard let view = PointView(of: point, from: clones[sighting.clone], camera: camera, seen: sighting.pixel)
        else {
          cost += 1e4
          continue
        }
        let e = view.pixel - sighting.pixel
        cost += min(1e4, e.dot(e))
      }
      if cost < least {
        least = cost
        best = p
      }
    }
    guard var (x, y, rho) = best else { return nil }
    var sum = 0.0
    var information = 0.0
    for _ in 0..<6 {
      let p = InverseDepthPoint(x: x, y: y, rho: rho, clone: origin, axes: axes)
      var equations = NormalEquations<3>()
      sum = 0
      for sighting in sightings {
        guard let view = PointView(of: p.point, from: clones[sighting.clone], camera: camera, seen: sighting.pixel)
        else { return nil }
        let e = sighting.pixel - view.pixel
        sum += e.dot(e)
        equations.add([view.byPointX.dot(p.byX), view.byPointX.dot(p.byY), view.byPointX.dot(p.byRho)], e.x)
        equations.add([view.byPointY.dot(p.byX), view.byPointY.dot(p.byY), view.byPointY.dot(p.byRho)], e.y)
      }
      information = equations.matrix[2][2]
      equations.add([0, 0, 1 / prior.deviation], (prior.rho - rho) / prior.deviation)
      guard let step = equations.solution() else { return nil }
      x += step[0]
      y += step[1]
      rho = clamp(rho + clamp(step[2], -0.5 * rho - 0.05, 0.7 * rho + 0.05), Self.leastRho, Self.mostRho)
      guard abs(x) < 3, abs(y) < 3 else { return nil }
      if abs(step[2]) < 1e-4 * rho, abs(step[0]) < 1e-5, abs(step[1]) < 1e-5 { break }
    }
    (self.x, self.y, self.rho) = (x, y, rho)
    residual = (sum / Double(2 * sightings.count)).squareRoot()
    rhoDeviation = information > 1e-12 ? 1 / information.squareRoot() : .infinity
  }
}
