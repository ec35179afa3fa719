import SightlineMath

/// The rows of all sightings of one point, and how they depend on the filter's state.
///
/// Column order: the components of ``columns``, then the point's three, then the residual.
struct FeatureRows {
  /// Components of the error state that the rows depend on.
  var columns: [Int] = []
  /// Rows × (columns + 4), whitened.
  var values: [Double] = []
  /// How many rows.
  var count = 0

  /// Numbers in a row.
  var width: Int { columns.count + 4 }

  /// Rows of a point told from a clone.
  ///
  /// `nil` when one of the clones cannot have seen it.
  ///
  /// - Parameters:
  ///   - sightings: pixels, and the clones they were seen from.
  ///   - point: of the world, with its derivatives.
  ///   - anchor: place of the clone it is told from; `nil` for a point whose components are those of the world.
  ///   - clones: poses.
  ///   - camera: lens, shutter, mounting.
  ///   - deviation: of a sighting, pixels.
  ///   - dependsOnCamera: whether the rows depend on the camera's components.
  @_optimize(speed)
  init?(
    _ sightings: [Sighting],
    point: InverseDepthPoint,
    anchor: Int?,
    clones: [Clone],
    camera: CameraEstimate,
    deviation: Double,
    dependsOnCamera: Bool = true
  ) {
    for i in 0..<Component.cameraCount { columns.append(Component.timeOffset + i) }
    var place = [Int](repeating: -1, count: clones.count)
    func addClone(_ clone: Int) {
      if place[clone] >= 0 { return }
      place[clone] = columns.count
      for i in 0..<6 { columns.append(clones[clone].start + i) }
    }
    for sighting in sightings { addClone(sighting.clone) }
    if let anchor { addClone(anchor) }
    let width = columns.count + 4
    count = 2 * sightings.count
    values = [Double](repeating: 0, count: count * width)
    let weight = 1 / deviation
    for (index, sighting) in sightings.enumerated() {
      guard let view = PointView(of: point.point, from: clones[sighting.clone], camera: camera, seen: sighting.pixel)
      else { return nil }
      let error = sighting.pixel - view.pixel
      for axis in 0..<2 {
        let row = (2 * index + axis) * width
        let b = axis == 0 ? view.byPointX : view.byPointY
        if dependsOnCamera {
          for i in 0..<Component.cameraCount { values[row + i] = weight * view.byCamera[13 * axis + i] }
        }
        let turn = b.cross(point.point)
        let own = row + place[sighting.clone]
        for i in 0..<3 {
          values[own + i] += weight * turn[i]
          values[own + 3 + i] -= weight * b[i]
        }
        if let anchor {
          let from = row + place[anchor]
          for i in 0..<3 {
            values[from + i] -= weight * turn[i]
            values[from + 3 + i] += weight * b[i]
          }
        }
        let last = row + columns.count
        values[last] = weight * b.dot(point.byX)
        values[last + 1] = weight * b.dot(point.byY)
        values[last + 2] = weight * b.dot(point.byRho)
        values[last + 3] = weight * (axis == 0 ? error.x : error.y)
      }
    }
  }

  /// Adds the belief that the point's inverse depth lies near one that is expected.
  mutating func addDepth(expected: Double, rho: Double, deviation: Double) {
    let start = values.count
    for _ in 0..<width { values.append(0) }
    values[start + columns.count + 2] = 1 / deviation
    values[start + columns.count + 3] = (expected - rho) / deviation
    count += 1
  }

  /// Turns the rows so that only the first three depend on the point: Householder's reflections.
  ///
  /// Source: Golub and Van Loan, Matrix Computations, 4th edition 2013, section 5.1.
  ///
  /// - Returns: whether the point's components are fixed by the rows.
  @_optimize(speed)
  mutating func separatePoint() -> Bool {
    guard count > 3 || count == 3 else { return false }
    let (first, width) = (columns.count, width)
    let rows = count
    var isFixed = true
    values.withUnsafeMutableBufferPointer { buffer in
      guard let v = buffer.baseAddress else { return }
      var reflector = [Double](repeating: 0, count: rows)
      for k in 0..<3 {
        var norm = 0.0
        for i in k..<rows { norm += v[i * width + first + k] * v[i * width + first + k] }
        norm = norm.squareRoot()
        guard norm > 1e-9 else {
          isFixed = false
          return
        }
        let pivot = v[k * width + first + k]
        let alpha = pivot > 0 ? -norm : norm
        for i in k..<rows { reflector[i] = v[i * width + first + k] }
        reflector[k] -= alpha
        var squared = 0.0
        for i in k..<rows { squared += reflector[i] * reflector[i] }
        guard squared > 0 else { continue }
        let scale = 2 / squared
        // All columns but the point's that are done.
        withUnsafeTemporaryAllocation(of: Double.self, capacity: width) { dots in
          guard let d = dots.baseAddress else { return }
          for j in 0..<width { d[j] = 0 }
          for i in k..<rows {
            let (factor, row) = (reflector[i], v + i * width)
            for j in 0..<width { d[j] += factor * row[j] }
          }
          for i in k..<rows {
            let (factor, row) = (scale * reflector[i], v + i * width)
            for j in 0..<width { row[j] -= factor * d[j] }
          }
        }
      }
    }
    return isFixed
  }
}
