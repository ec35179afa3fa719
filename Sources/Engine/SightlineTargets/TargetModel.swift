import SightlineCamera
import SightlineImaging
import SightlineMath

/// A target with all that recognising and following it needs; made from ``Target`` once, then kept.
final class TargetModel {
  let target: Target
  /// The map from the pixels of the picture the target was made from to those of the reference.
  let referenceFromPicture: Homography
  private(set) lazy var pyramid = ReferencePyramid(target.reference())
  private(set) lazy var featureSet = target.features()
  /// Longer side of the reference, pixels.
  var longSide: Float { Float(max(target.referenceWidth, target.referenceHeight)) }
  /// Where the features are.
  var features: [Feature] { featureSet.features }

  init(_ target: Target) {
    self.target = target
    let kx = Double(target.referenceWidth) / Double(target.width)
    let ky = Double(target.referenceHeight) / Double(target.height)
    referenceFromPicture = Homography(
      Matrix3(rows: Vector3(kx, 0, 0.5 * kx - 0.5), Vector3(0, ky, 0.5 * ky - 0.5), Vector3(0, 0, 1))
    )
  }
}
