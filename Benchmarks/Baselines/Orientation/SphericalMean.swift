import SightlineFusion
import SightlineMath

/// The mean of rotations on their sphere: the rotation whose summed squared angles to all of them are least.
///
/// Source: Buss and Fillmore 2001, doi:10.1145/502122.502124, algorithm A1, started from the normalised sum of the
/// quaternions brought to one side of the sphere.
func sphericalMean(_ rotations: [Quaternion]) -> Quaternion? {
  guard let first = rotations.last else { return nil }
  var sum = Quaternion(w: 0, x: 0, y: 0, z: 0)
  for q in rotations {
    let sign: Double = q.dot(first) < 0 ? -1 : 1
    sum = Quaternion(w: sum.w + sign * q.w, x: sum.x + sign * q.x, y: sum.y + sign * q.y, z: sum.z + sign * q.z)
  }
  guard var mean = sum.normalized else { return first }
  for _ in 0..<50 {
    var step = Vector3.zero
    for q in rotations { step = step + (q * mean.inverse).rotationVector }
    step = step * (1 / Double(rotations.count))
    mean = (Quaternion(rotationVector: step) * mean).normalized ?? mean
    if step.length < 1e-6 { break }
  }
  return mean
}

/// A moving spherical mean, see ``HistoricFilter/sphericalMean(_:)``.
public struct SphericalMeanFilter: Sendable {
  /// Number of attitudes in the mean.
  public let count: Int
  private var attitudes: [Quaternion] = []

  /// A filter before its first sample.
  public init(count: Int = 33) { self.count = count }

  /// Takes a sample; answers the attitude, or `nil` before the first usable one.
  public mutating func take(_ sample: MotionSample) -> Quaternion? {
    if let look = sample.attitude {
      if attitudes.count == count { attitudes.removeFirst() }
      attitudes.append(look)
    }
    return sphericalMean(attitudes)
  }
}
