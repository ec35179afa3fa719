import SightlineFusion
import SightlineMath

/// The orientation filters of the AR browsers of 2010 to 2012, kept for comparison: small, documented, not recommended.
///
/// All of them see only the attitude that accelerometer and magnetometer give at each sample (``TwoVectorAttitude``), or the
/// two vectors themselves.
public enum HistoricFilter: Sendable {
  /// AREA (2012): each vector through a low-pass with weight 0.1 for the new sample, then the attitude of the two.
  case lowPass(LowPassFilter)
  /// iBetelgeuse (2010): the derivative-smoothing quaternion filter.
  case derivativeSmoothing(DerivativeSmoothingFilter)
  /// A moving average on the sphere of rotations over 33 samples.
  case sphericalMean(SphericalMeanFilter)
  /// Gamaray (2010): the plain mean of the last 60 rotation matrices, which is no rotation; its columns are used as they
  /// are, made orthogonal at the very end.
  case matrixMean(MatrixMeanFilter)

  /// Takes a sample; answers the attitude in East-North-Up (magnetic north), or `nil` before the first usable one.
  public mutating func take(_ sample: MotionSample) -> Quaternion? {
    switch self {
    case .lowPass(var filter):
      defer { self = .lowPass(filter) }
      return filter.take(sample)
    case .derivativeSmoothing(var filter):
      defer { self = .derivativeSmoothing(filter) }
      return filter.take(sample)
    case .sphericalMean(var filter):
      defer { self = .sphericalMean(filter) }
      return filter.take(sample)
    case .matrixMean(var filter):
      defer { self = .matrixMean(filter) }
      return filter.take(sample)
    }
  }
}

/// AREA's filter, see ``HistoricFilter/lowPass(_:)``.
public struct LowPassFilter: Sendable {
  /// Weight of the new sample.
  public let weight: Double
  private var force: Vector3?
  private var field: Vector3?

  /// A filter before its first sample.
  public init(weight: Double = 0.1) { self.weight = weight }

  /// Takes a sample; answers the attitude, or `nil` before the first usable one.
  public mutating func take(_ sample: MotionSample) -> Quaternion? {
    if let new = sample.specificForce { force = force.map { $0 + (new - $0) * weight } ?? new }
    if let new = sample.magneticField { field = field.map { $0 + (new - $0) * weight } ?? new }
    guard let force, let field else { return nil }
    return TwoVectorAttitude.eastNorthUpFromDevice(specificForce: force, magneticField: field)
  }
}

/// Gamaray's filter, see ``HistoricFilter/matrixMean(_:)``.
public struct MatrixMeanFilter: Sendable {
  /// Number of matrices in the mean.
  public let count: Int
  private var matrices: [Matrix3] = []

  /// A filter before its first sample.
  public init(count: Int = 60) { self.count = count }

  /// Takes a sample; answers the attitude, or `nil` before the first usable one.
  public mutating func take(_ sample: MotionSample) -> Quaternion? {
    if let look = sample.attitude {
      if matrices.count == count { matrices.removeFirst() }
      matrices.append(Matrix3(look))
    }
    guard !matrices.isEmpty else { return nil }
    var sum = Matrix3(rows: .zero, .zero, .zero)
    for matrix in matrices {
      (sum.row0, sum.row1, sum.row2) = (sum.row0 + matrix.row0, sum.row1 + matrix.row1, sum.row2 + matrix.row2)
    }
    // Rows are the world's axes in the device: keep up, make north square with it.
    guard let up = sum.row2.normalized, let east = sum.row1.cross(up).normalized else { return nil }
    return Quaternion(Matrix3(rows: east, up.cross(east), up))
  }
}

extension MotionSample {
  /// The attitude of the sample's own two vectors.
  var attitude: Quaternion? {
    guard let specificForce, let magneticField else { return nil }
    return TwoVectorAttitude.eastNorthUpFromDevice(specificForce: specificForce, magneticField: magneticField)
  }
}
