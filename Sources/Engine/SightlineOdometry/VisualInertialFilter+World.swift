import SightlineMath

/// How uncertain the pose of the lens is in the world, and what that world is tied to.
extension VisualInertialFilter {
  /// Errors of the lens's yaw and place in the newest frame by those of the state: rows and the components they are made of.
  ///
  /// The lens turns and moves with the device, and with what is believed of how it is built in: δψ = θ_z + (R φ)_z and
  /// δq = θ × q + ξ + R λ, for errors θ, ξ of the clone, φ of the mounting, λ of the lever.
  private var lensErrors: (rows: [Double], sources: [Int], place: Vector3) {
    let newest = clones.last
    let (attitude, position) = (newest?.attitude ?? inertial.attitude, newest?.position ?? inertial.position)
    let place = position + attitude * camera.lever
    var rows = [Double](repeating: 0, count: 4 * 12)
    let up = attitude.transposed * Vector3(0, 0, 1)
    rows[2] = 1
    for i in 0..<3 { rows[6 + i] = up[i] }
    for axis in 0..<3 {
      let unit = Vector3(axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0)
      let (turn, own) = (place.cross(unit), attitude.transposed * unit)
      let row = 12 * (1 + axis)
      for i in 0..<3 { (rows[row + i], rows[row + 9 + i]) = (turn[i], own[i]) }
      rows[row + 3 + axis] = 1
    }
    let start = newest?.start ?? Component.attitude
    var sources: [Int] = []
    for i in 0..<6 { sources.append(start + (newest == nil && i > 2 ? i + 3 : i)) }
    for i in 0..<6 { sources.append(Component.mounting + i) }
    return (rows, sources, place)
  }

  /// How uncertain place and yaw of the lens are in the newest frame, against the pose the world is tied to.
  var poseVariance: MapVariance {
    let (rows, sources, _) = lensErrors
    var (yaw, position) = (0.0, 0.0)
    for k in 0..<4 {
      var sum = 0.0
      for i in 0..<12 {
        for j in 0..<12 { sum += rows[12 * k + i] * rows[12 * k + j] * covariance[sources[i], sources[j]] }
      }
      if k == 0 { yaw = sum } else { position += sum / 3 }
    }
    return MapVariance(position: max(0, position), yaw: max(0, yaw))
  }

  /// Ties yaw and place of the world to the lens in the newest frame.
  ///
  /// Estimates stay as they are; from here on the covariance is that of
  /// what is told against this pose, and what is learned later, as how long the way before was, moves that and not this pose.
  ///
  /// Nothing measures a common turn ψ about the vertical and a common shift g of all that is in the world. They are free to be chosen, here
  /// so that the lens has no error of yaw and place: errors of poses become θ + ψ z and ξ + g; those of velocity, biases, camera and points
  /// told from clones stay, to the first order.
  func tieWorld() {
    var (rows, sources, place) = lensErrors
    // ψ = −δψ, g = −δq − ψ z × q.
    for i in 0..<12 {
      rows[12 + i] += place.y * rows[i]
      rows[24 + i] -= place.x * rows[i]
    }
    for i in rows.indices { rows[i] = -rows[i] }
    var targets = [Component.attitude + 2, Component.position, Component.position + 1, Component.position + 2]
    for clone in clones { for i in 2..<6 { targets.append(clone.start + i) } }
    for shape in shapes { for i in 2..<6 { targets.append(shape.start + i) } }
    covariance.shift(targets, by: rows, of: sources)
  }
}
