import SightlineMath

/// What patches say of where they are: by how far each is displaced, and how sure it is of that.
///
/// Grey levels alone make a patch with much contrast sure to a hundredth of a pixel. Where it lies a little off the
/// plane of all (relief, bent
/// paper, a lens that is no pinhole), that is wrong by ten times as much. How far patches are off is told by their
/// displacements, which are
/// larger than they are sure of; it is added to the uncertainty of each, so that none is surer than the scene is flat.
struct PatchDisplacements {
  private struct Displacement {
    /// The patch's middle, in the unit of the equations.
    var x: Double
    var y: Double
    /// By how far the rendered picture has to be moved to fit, pixels.
    var across: Double
    var down: Double
    /// The information on both from grey levels, one over pixels squared.
    var xx: Double
    var xy: Double
    var yy: Double

    /// The information that is left with so much variance more in either.
    func information(_ variance: Double) -> (xx: Double, xy: Double, yy: Double) {
      let determinant = xx * yy - xy * xy
      let k = 1 / (1 + variance * (xx + yy) + variance * variance * determinant)
      return ((xx + variance * determinant) * k, xy * k, (yy + variance * determinant) * k)
    }

    /// The square of the displacement, in units of its deviation.
    func surprise(_ variance: Double) -> Double {
      let m = information(variance)
      return m.xx * across * across + 2 * m.xy * across * down + m.yy * down * down
    }
  }

  private var all: [Displacement] = []

  /// Median of the surprise of two numbers that are as uncertain as they are said to be.
  private static let median = 1.386
  /// Largest deviation from the plane that is thought of, pixels.
  private static let most = 2.0
  /// How surprising a patch is that counts a quarter; beyond, it counts by the square of that less.
  private static let quarter = 9.0

  init() { all.reserveCapacity(320) }

  var count: Int { all.count }

  var isEmpty: Bool { all.isEmpty }

  mutating func removeAll() { all.removeAll(keepingCapacity: true) }

  /// Adds a patch by its place, the information its grey levels hold, and the vector that goes with it.
  mutating func add(x: Double, y: Double, xx: Double, xy: Double, yy: Double, bx: Double, by: Double) {
    let determinant = xx * yy - xy * xy
    // An edge says nothing along itself.
    guard determinant > 1e-6 * (xx + yy) * (xx + yy) else { return }
    all.append(
      Displacement(
        x: x,
        y: y,
        across: (yy * bx - xy * by) / determinant,
        down: (xx * by - xy * bx) / determinant,
        xx: xx,
        xy: xy,
        yy: yy
      )
    )
  }

  /// How far patches are off one plane, variance in either coordinate: what makes half of the displacements no
  /// surprise.
  var offPlane: Double {
    var (low, high) = (0.0, Self.most)
    for _ in 0..<8 {
      let middle = (low + high) / 2
      var above = 0
      for d in all where d.surprise(middle * middle) > Self.median { above += 1 }
      if 2 * above > all.count { low = middle } else { high = middle }
    }
    return low * low
  }

  /// Adds all to equations of the unit `size`, with so much variance more in each; what is very surprising counts
  /// little.
  func gather(_ equations: inout NormalEquations, size: Double, variance: Double) {
    for d in all {
      let m = d.information(variance)
      let doubt = 1 + d.surprise(variance) / Self.quarter
      let weight = size * size / (doubt * doubt)
      equations.add(
        x: d.x,
        y: d.y,
        xx: m.xx * weight,
        xy: m.xy * weight,
        yy: m.yy * weight,
        bx: (m.xx * d.across + m.xy * d.down) * weight / size,
        by: (m.xy * d.across + m.yy * d.down) * weight / size
      )
    }
  }
}
