import SightlineCamera
import SightlineImaging
import SightlineMath

/// A target with all that recognising and following it needs; made from ``Target`` once, then kept.
final class TargetModel {
  let target: Target
  /// The map from the pixels of the picture the target was made from to those of the reference.
  let referenceFromPicture: Homography
  /// The map from the pixels of the small picture to those of the reference.
  let referenceFromSmall: Homography
  private var kept: ReferencePyramid?
  /// The reference at falling sizes; made when it is first asked for, see ``TargetModel/shed()``.
  var pyramid: ReferencePyramid {
    if let kept { return kept }
    let made = ReferencePyramid(target.reference())
    kept = made
    return made
  }
  /// Whether ``pyramid`` is there without being made.
  var isOpen: Bool { kept != nil }
  /// Size of the reference, pixels.
  var extent: SIMD2<Float> { SIMD2(Float(target.referenceWidth), Float(target.referenceHeight)) }
  /// Longer side of the reference, pixels.
  var longSide: Float { extent.max() }

  private var keptSmall: ReferencePyramid?
  /// The small picture at falling sizes, for a first look; made when it is first asked for, see ``TargetModel/shedSmall()``.
  var small: ReferencePyramid {
    if let keptSmall { return keptSmall }
    let made = ReferencePyramid(target.smallReference())
    keptSmall = made
    return made
  }
  /// Whether ``small`` is there without being made.
  var isSmallOpen: Bool { keptSmall != nil }

  /// Gives the memory of the small picture back until it is needed again.
  func shedSmall() { keptSmall = nil }

  /// Gives the memory of the reference back until it is needed again: a thousand of them would take half a gigabyte.
  func shed() { kept = nil }

  init(_ target: Target) {
    self.target = target
    let kx = Double(target.referenceWidth) / Double(target.width)
    let ky = Double(target.referenceHeight) / Double(target.height)
    referenceFromPicture = Self.scaling(kx, ky)
    let small = TargetFile.smallSize(target.referenceWidth, target.referenceHeight)
    referenceFromSmall = Self.scaling(
      Double(target.referenceWidth) / Double(small.width),
      Double(target.referenceHeight) / Double(small.height)
    )
  }

  /// The map from a picture's pixels to those of the same picture so many times as large.
  private static func scaling(_ kx: Double, _ ky: Double) -> Homography {
    Homography(
      Matrix3(rows: Vector3(kx, 0, 0.5 * kx - 0.5), Vector3(0, ky, 0.5 * ky - 0.5), Vector3(0, 0, 1))
    )
  }
}
