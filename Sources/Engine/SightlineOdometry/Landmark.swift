import SightlineMath

/// A point of the scene that is part of the filter's state: where a clone saw it, and its inverse depth there.
///
/// The point is x, y, 1 over ρ in the axes of the camera as it is built into the device, from the device's own place in the clone.
struct Landmark {
  /// Place in the table of tracks; −1 for a free place.
  var track: Int
  /// Slot of the clone it is told from.
  var anchor: Int
  /// First of its three components in the error state.
  var start: Int
  /// Direction at z = 1, and inverse depth, 1/m.
  var (x, y, rho): (Double, Double, Double)
  /// Frames since it was last seen.
  var unseen = 0
  /// Frames in which it did not fit.
  var misfits = 0
}

/// A point by direction and inverse depth from a pose, and its derivatives.
struct InverseDepthPoint {
  /// In the world, metres.
  var point: Vector3
  /// Derivatives of the point by x, y and ρ.
  var (byX, byY, byRho): (Vector3, Vector3, Vector3)

  /// The point that direction and inverse depth from a pose mean.
  ///
  /// - Parameters:
  ///   - x: direction at z = 1.
  ///   - y: as `x`.
  ///   - rho: inverse depth, 1/m, more than 0.
  ///   - clone: the pose it is told from.
  ///   - axes: camera axes in the device's, as they are built.
  init(x: Double, y: Double, rho: Double, clone: Clone, axes: Matrix3) {
    let worldFromAxes = clone.attitude * axes
    let depth = 1 / rho
    point = clone.position + worldFromAxes * Vector3(x * depth, y * depth, depth)
    let columns = worldFromAxes.transposed
    byX = columns.row0 * depth
    byY = columns.row1 * depth
    byRho = (worldFromAxes * Vector3(x, y, 1)) * (-depth * depth)
  }

  /// A point that is given by its place: its derivatives are those by the place itself.
  init(fixed place: Vector3) {
    point = place
    (byX, byY, byRho) = (Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1))
  }

  /// Direction and inverse depth of a point of the world; `nil` behind the pose.
  static func parameters(of point: Vector3, clone: Clone, axes: Matrix3) -> (x: Double, y: Double, rho: Double)? {
    let p = (clone.attitude * axes).transposedTimes(point - clone.position)
    guard p.z > 0.02, p.z < 1e4 else { return nil }
    return (p.x / p.z, p.y / p.z, 1 / p.z)
  }
}
