import SightlineMath

/// How a three-dimensional model, or a picture, stands on what it stands on.
public struct ModelPlacement: Equatable, Sendable {
  /// Turns about the model's x, then y, then z axis.
  public var xRotation = Angle.zero
  /// As above.
  public var yRotation = Angle.zero
  /// As above.
  public var zRotation = Angle.zero
  /// Metres for one unit of the model; `nil`: as wide as what it stands on.
  public var scale: Double? = 1

  /// A model as it is, a metre a unit.
  public init() {}

  /// The smallest box around a model, in its units.
  public struct Bounds: Equatable, Sendable {
    /// Corner with the smallest coordinates.
    public var low: Vector3
    /// Corner with the largest coordinates.
    public var high: Vector3

    /// A box.
    public init(low: Vector3, high: Vector3) {
      self.low = low
      self.high = high
    }
  }

  /// From the model's frame (y up, as glTF has it) to that of the anchor.
  ///
  /// A model stands on the anchor: its "up" is out of it, its front towards the lower edge. One without a scale of its own is as
  /// wide as the anchor, its middle over the anchor's and its foot on it.
  ///
  /// - Parameters:
  ///   - offset: of the model in the anchor's frame, metres.
  ///   - width: of the anchor, metres.
  ///   - bounds: of the model; without them one that has no scale is a metre a unit.
  /// - Returns: the transform, its translation in metres.
  public func anchorFromModel(offset: Vector3, width: Double, bounds: Bounds?) -> SimilarityTransform {
    let standing = Quaternion(axis: Vector3(1, 0, 0), angle: Angle(degrees: 90))
    let turned =
      Quaternion(axis: Vector3(0, 0, 1), angle: zRotation) * Quaternion(axis: Vector3(0, 1, 0), angle: yRotation)
      * Quaternion(axis: Vector3(1, 0, 0), angle: xRotation)
    let rotation = (standing * turned).normalized ?? .identity
    if let scale { return SimilarityTransform(rotation: rotation, translation: offset, scale: scale) }
    guard let bounds else { return SimilarityTransform(rotation: rotation, translation: offset) }
    let (low, high) = (bounds.low, bounds.high)
    let factor = width / max(high.x - low.x, high.z - low.z, 1e-6)
    let foot = Vector3(-(low.x + high.x) / 2, -low.y, -(low.z + high.z) / 2) * factor
    return SimilarityTransform(rotation: rotation, translation: offset + rotation * foot, scale: factor)
  }
}
