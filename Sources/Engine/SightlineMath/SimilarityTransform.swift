/// A rotation, a scaling and a shift: `p ↦ rotation * (scale * p) + translation`.
///
/// Named by both frames, as every transform: `cameraFromModel = cameraFromAnchor * anchorFromModel`.
public struct SimilarityTransform: Equatable, Sendable {
  /// A unit quaternion.
  public var rotation: Quaternion
  /// Added last, in units of the frame that is led to.
  public var translation: Vector3
  /// Length of a unit of the frame that is led from, > 0; 1 for a rigid transform.
  public var scale: Double

  /// A transform from its parts.
  public init(rotation: Quaternion = .identity, translation: Vector3 = .zero, scale: Double = 1) {
    self.rotation = rotation
    self.translation = translation
    self.scale = scale
  }

  /// The transform that changes nothing.
  public static let identity = SimilarityTransform()

  /// Where a point is led to.
  @inlinable public static func * (t: SimilarityTransform, p: Vector3) -> Vector3 {
    t.rotation * (p * t.scale) + t.translation
  }

  /// One after the other, the second first.
  @inlinable public static func * (a: SimilarityTransform, b: SimilarityTransform) -> SimilarityTransform {
    SimilarityTransform(
      rotation: (a.rotation * b.rotation).normalized ?? .identity,
      translation: a * b.translation,
      scale: a.scale * b.scale
    )
  }

  /// The way back; of one whose scale is 0 the values are not finite.
  public var inverse: SimilarityTransform {
    let back = rotation.inverse
    return SimilarityTransform(rotation: back, translation: back * (-translation * (1 / scale)), scale: 1 / scale)
  }

  /// As a 4 × 4 matrix, column by column as WebGL wants it.
  public func write(into matrix: inout InlineArray<16, Float>) {
    let m = Matrix3(rotation)
    let columns = m.transposed
    for (k, column) in [columns.row0, columns.row1, columns.row2].enumerated() {
      matrix[4 * k] = Float(column.x * scale)
      matrix[4 * k + 1] = Float(column.y * scale)
      matrix[4 * k + 2] = Float(column.z * scale)
      matrix[4 * k + 3] = 0
    }
    matrix[12] = Float(translation.x)
    matrix[13] = Float(translation.y)
    matrix[14] = Float(translation.z)
    matrix[15] = 1
  }
}
